"""Two judges as tables: grade by grade, their coefficients, the documents on which they disagree, and each query."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.confusion import Confusion, Disagreement
from irviewer.analysis.agreement.judge_agreement import JudgeAgreement
from irviewer.analysis.agreement.leverage import Leverage
from irviewer.evaluation.bind import BoundProtocol
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Status, Table
from irviewer.translation import tr, trn
from irviewer.views.agreement import estimates, interval_notes
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult


def tables(
    confusion: Confusion,
    bound: BoundProtocol | None,
    *,
    agreement: JudgeAgreement | None = None,
    leverage: Leverage | None = None,
    most: int | None = None,
) -> ViewResult:
    """Return the tables ``counts``, ``coefficients`` where the agreement was computed, and ``documents``: those on
    which both disagree, by their leverage where it was computed, ``most`` of them (None: all)."""
    all_tables = [_counts(confusion)]
    if agreement is not None:
        all_tables.append(_coefficients(confusion, agreement))
    all_tables.append(_documents(confusion, leverage, most))
    parameters = {"first": confusion.names[0], "second": confusion.names[1], "level": confusion.level}
    if leverage is not None:
        parameters["measure"] = leverage.measure
    return ViewResult(confusion, tuple(all_tables)).with_provenance(provenance("confusion", bound, parameters))


def _counts(result: Confusion) -> Table:
    first, second = result.names
    grades, n = result.grades.tolist(), len(result.grades)
    shown = [f"{grade:g}" for grade in grades]
    totals = [*result.counts.sum(axis=1).tolist(), result.pairs]
    columns: list[Column] = [
        column.text("grade", f"{first} ↓ {second} →", [*shown, None], texts=[*shown, tr("all")]),
        *(column.count(name, name, [*result.counts[:, place].tolist(), int(result.margins[1][place])], names="grade")
          for place, name in enumerate(shown)),
        column.count("all", tr("all"), totals),
        *(column.number(f"share_{name}", tr("share of {grade}", grade=name),
                        [*result.row_shares[:, place].tolist(), None], names="grade")
          for place, name in enumerate(shown)),
    ]  # fmt: skip
    remark = Remark("sentence", result.sentence, dict(vars(result.two_by_two())), warns=False)
    title = tr("{first} by {second}", first=first, second=second)
    status = Status.of(*[Status.PLAIN] * n, Status.TOTAL)
    return Table("counts", title, tuple(columns), keys=[*shown, "all"], status=status, notes=(remark,))


def _coefficients(result: Confusion, agreement: JudgeAgreement) -> Table:
    names = list(COEFFICIENTS)
    estimated = [agreement.estimate(name, result.first, result.second) for name in names]
    notes = (*interval_notes(agreement)[:2], *(Remark("grades", text) for text in agreement.notes))
    return Table("coefficients", tr("{first} and {second}", first=result.names[0], second=result.names[1]), (
        column.text("statistic", tr("statistic"), names, texts=[COEFFICIENTS[name].title for name in names]),
        *estimates("value", tr("value"), estimated, detail=False, level=agreement.options.confidence, interval=True),
    ), keys=names, notes=notes)  # fmt: skip


def _documents(result: Confusion, leverage: Leverage | None, most: int | None) -> Table:
    documents = result.documents()
    order = list(range(len(documents)) if leverage is None else leverage.order.tolist())[:most]
    shown: list[Disagreement] = [documents[place] for place in order]
    first, second = result.names
    columns: list[Column] = [
        column.identifier("query", tr("query"), [each.query_id for each in shown]),
        column.identifier("document", tr("document"), [each.doc_id for each in shown]),
        column.grade("first", first, [each.first for each in shown]),
        column.grade("second", second, [each.second for each in shown]),
    ]
    notes: tuple[Remark, ...] = ()
    if leverage is not None:
        known = bool(leverage.runs)
        runs = [leverage.runs[int(leverage.most[place])] if known else None for place in order]
        changes = [leverage.largest[place] if known else None for place in order]
        columns += [
            column.difference("change", f"Δ {leverage.measure}", changes),
            column.run("run", tr("of run"), runs),
            column.count("in_top", tr("in top {depth}", depth=leverage.depth), leverage.in_top[order]),
        ]
        notes = _leverage_notes(leverage)
    title = trn("{n} disagreement", "{n} disagreements", len(documents))
    return Table("documents", title, tuple(columns), opens="document", notes=notes)


def _leverage_notes(leverage: Leverage) -> tuple[Remark, ...]:
    text = tr(
        "Δ {measure}: change of a run's value on that query if the second judge's grade of the document were "
        "used, for the run that changes most. Divided by {n} it is the change of the run's mean.",
        measure=leverage.measure, n=leverage.queries,
    )  # fmt: skip
    note = Remark("leverage", text, {"queries": leverage.queries}, warns=False)
    return (note, Remark("condensed", leverage.condensed_note)) if leverage.condensed else (note,)


def by_query_tables(confusions: Sequence[Confusion], bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``by_query``: the agreement on each query of one or more pairs of judges."""
    rows = [(each, place) for each in confusions for place in range(len(each.by_query.query_ids))]
    shown = ("same_grade", "kappa_quadratic", "kappa_level")
    notes = tuple(
        Remark("scales", tr("The scales of {first} and {second} differ: statistics of grades are withheld.",
                            first=each.names[0], second=each.names[1]))
        for each in confusions if each.apart
    )  # fmt: skip
    table = Table("by_query", tr("Agreement by query"), (
        column.identifier("query", tr("query"), [each.by_query.query_ids[place] for each, place in rows]),
        column.text("first", tr("judge"), [each.names[0] for each, _ in rows]),
        column.text("second", tr("other"), [each.names[1] for each, _ in rows]),
        column.count("pairs", tr("pairs"), [each.by_query.pairs[place] for each, place in rows]),
        column.number("first_prevalence", tr("prevalence"), [each.by_query.first[place] for each, place in rows]),
        column.number("second_prevalence", tr("other's prevalence"),
                      [each.by_query.second[place] for each, place in rows]),
        *(column.number(name, coefficient.title, [each.by_query.values[name][place] for each, place in rows],
                        detail=name not in shown) for name, coefficient in COEFFICIENTS.items()),
        column.count("disagreements", tr("disagreements"), [each.by_query.disagreements[place]
                                                            for each, place in rows]),
    ), opens="query", notes=notes)  # fmt: skip
    return ViewResult(tuple(confusions), (table,)).with_provenance(provenance("agreement-by-query", bound))

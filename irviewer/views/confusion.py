"""Two judges as tables: grade by grade, their coefficients, the documents on which they disagree, and each query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, DIRECTED
from irviewer.analysis.agreement.confusion import Confusion, Disagreement
from irviewer.analysis.agreement.judge_agreement import Estimate, JudgeAgreement
from irviewer.analysis.agreement.leverage import Leverage
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.parser import parse_measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats
from irviewer.model.number_text import MINUS, limit
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Remark, Status, Table
from irviewer.translation import decimal, tr, trn
from irviewer.views.agreement import estimates, interval_notes
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

STATISTIC = 3
"""Decimals of a coefficient: its interval is wider than a further one."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """Which documents are listed, and what is known of them that judgments do not say.

    cells          grades of the first and of the second judge; () for all on which they disagree
    disagreements  these, where they are known already
    texts, titles  of a query and of a document by its id; None where none are open
    yours          (query, document) -> the grade that the user gives; None where no user grades"""

    cells: Sequence[tuple[float, float]] = ()
    disagreements: Sequence[Disagreement] | None = None
    texts: Callable[[str], str] | None = None
    titles: Callable[[str], str] | None = None
    yours: Mapping[tuple[str, str], float] | None = None

    def of(self, result: Confusion) -> Sequence[Disagreement]:
        """Return the documents, by query."""
        return result.documents(self.cells) if self.cells else self.disagreed(result)

    def disagreed(self, result: Confusion) -> Sequence[Disagreement]:
        """Return the documents on which both disagree."""
        return result.documents() if self.disagreements is None else self.disagreements


ALL = Chosen()


def tables(
    confusion: Confusion,
    bound: BoundProtocol | None,
    *,
    agreement: JudgeAgreement | None = None,
    leverage: Leverage | None = None,
    most: int | None = None,
    chosen: Chosen = ALL,
) -> ViewResult:
    """Return the tables ``counts``, ``coefficients`` where the agreement was computed, and ``documents``: those on
    which both disagree, or which are chosen, by their leverage where it was computed, ``most`` of them (None: all)."""
    all_tables = [_counts(confusion)]
    if agreement is not None:
        all_tables.append(_coefficients(confusion, agreement))
    all_tables.append(_documents(confusion, leverage, most, chosen))
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
    titles = [coefficient_title(name, result.level) for name in names]
    meanings = _meanings(result, agreement)
    value, interval = (
        each.told(decimals=STATISTIC)
        for each in estimates("value", tr("value"), estimated, detail=False, level=agreement.options.confidence,
                              interval=True)
    )  # fmt: skip
    difference = names.index(DIRECTED)
    signed = _signed(estimated[difference].value)
    value = value.told(texts=[signed if row == difference else None for row in range(len(names))])
    return Table("coefficients", tr("{first} and {second}", first=result.names[0], second=result.names[1]), (
        column.text("statistic", tr("statistic"), names, texts=titles, tips=lambda row: meanings[row]),
        value, interval,
    ), keys=names, notes=notes)  # fmt: skip


def _signed(value: float | None) -> str | None:
    if value is None or not float(f"{value:.{STATISTIC}f}"):
        return None
    return decimal(f"{value:+.{STATISTIC}f}".replace("-", MINUS))


def coefficient_title(name: str, level: float) -> str:
    """Return the title of a coefficient, with the level where it is computed at the level."""
    titles = {
        "kappa_level": tr("kappa ≥{level}"), "kappa_level_max": tr("largest kappa ≥{level}"),
        "ac1": tr("Gwet's AC1 ≥{level}"),
    }  # fmt: skip
    return titles[name].format(level=limit(level)) if name in titles else COEFFICIENTS[name].title


def _meanings(result: Confusion, agreement: JudgeAgreement) -> tuple[str, ...]:
    """Return what each coefficient says of these two judges."""
    (first, second), square, pairs, level = result.names, result.two_by_two(), result.pairs, limit(result.level)
    meanings = []
    for name, coefficient in COEFFICIENTS.items():
        estimate, meaning = agreement.estimate(name, result.first, result.second), coefficient.meaning
        if result.apart and not coefficient.at_level:
            meaning = tr("the scales of {first} and {second} differ", first=first, second=second)
        elif name == "same_grade":
            meaning = trn(
                "{same:,} of {n:,} pair has one grade under both",
                "{same:,} of {n:,} pairs have one grade under both",
                pairs, same=int(np.trace(result.counts)),
            )  # fmt: skip
        elif name == "same_side":
            meaning = tr("{same:,} of {pairs:,} pairs, relevant from grade {level}",
                         same=square.neither + square.both, pairs=pairs, level=level)  # fmt: skip
        elif name == "difference" and estimate.value is not None:
            meaning = _more_generous(first, second, estimate)
        elif name in ("relevant", "nonrelevant") and estimate.value is not None:
            side = tr("relevant") if name == "relevant" else tr("non-relevant")
            meaning = tr(
                "if one says {side}, the other does in {n} of 100 cases", side=side, n=round(100 * estimate.value)
            )
        meanings.append(meaning)
    return tuple(meanings)


def _more_generous(first: str, second: str, estimate: Estimate) -> str:
    """Return who gives the higher grades, if the interval of the difference shows it."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or not float(f"{value:.2f}"):
        return tr("{second} − {first}: equally generous", first=first, second=second)
    if low is not None and high is not None and low <= 0 <= high:
        return tr("{second} − {first}: neither is shown to be more generous", first=first, second=second)
    generous = second if value > 0 else first
    return tr("{second} − {first}: {generous} is more generous", first=first, second=second, generous=generous)


def _documents(result: Confusion, leverage: Leverage | None, most: int | None, chosen: Chosen) -> Table:
    listed = chosen.of(result)
    places: Sequence[int] = range(len(listed))
    if chosen.cells:
        of_rows = {document.row: place for place, document in enumerate(chosen.disagreed(result))}
        places = [of_rows.get(document.row, -1) for document in listed]
    changed = _changes(leverage, places)
    order = np.argsort(-np.abs(changed), kind="stable").tolist()[:most]
    shown = [listed[row] for row in order]
    first, second = result.names
    ids = [each.doc_id for each in shown]
    columns: list[Column] = [column.identifier("query", tr("query"), [each.query_id for each in shown])]
    if chosen.texts is not None:
        columns.append(column.text("text", tr("text"), [chosen.texts(each.query_id) or None for each in shown]))
    columns.append(column.identifier("document", tr("document"), ids))
    if chosen.titles is not None:
        titles = [chosen.titles(each) or None for each in ids]
        texts = [title or name for title, name in zip(titles, ids, strict=True)]
        columns.append(column.text("title", tr("document"), titles, texts=texts, tips=lambda row: ids[row]))
    columns += [
        column.grade("first", first, [each.first for each in shown]),
        column.grade("second", second, [each.second for each in shown]),
    ]  # fmt: skip
    if chosen.yours is not None:
        given = [chosen.yours.get((each.query_id, each.doc_id)) for each in shown]
        columns.append(
            column.grade(
                "yours", tr("yours"), given, texts=["" if grade is None else None for grade in given],
                tip=tr("Your grade, of the judge “adjudicated”"), missing=tr("You gave it no grade."),
            )
        )  # fmt: skip
    if leverage is not None:
        columns += _effects(leverage, result, [places[row] for row in order], changed[order])
    title = trn("{n} disagreement", "{n} disagreements", len(listed))
    if chosen.cells:
        title = trn("{n} document", "{n} documents", len(listed))
    keys = [(each.query_id, each.doc_id) for each in shown]
    notes = () if leverage is None else _leverage_notes(leverage)
    return Table("documents", title, tuple(columns), keys=keys, opens="document", notes=notes)


def _changes(leverage: Leverage | None, places: Sequence[int]) -> Floats:
    """Return float64[D]: the largest change of each document, by its place among the disagreements (-1: both judges
    give it one grade); 0 without runs."""
    if leverage is None or not leverage.runs or not len(leverage.changes):
        return np.zeros(len(places))
    at = np.array(places, dtype=np.int64)
    return np.where(at < 0, 0.0, np.nan_to_num(leverage.largest)[at])


def _effects(leverage: Leverage, result: Confusion, places: Sequence[int], changes: Floats) -> list[Column]:
    """Return what the second judge's grade of each document would change."""
    known, n = bool(leverage.runs), len(leverage.runs)
    runs = [
        leverage.runs[int(leverage.most[place])] if known and place >= 0 and change else None
        for place, change in zip(places, changes.tolist(), strict=True)
    ]
    tops = [None if place < 0 else int(leverage.in_top[place]) for place in places]
    better_up = parse_measure(leverage.measure).higher_is_better
    return [
        column.difference(
            "change", f"Δ {usual_name(leverage.measure)}", changes if known else np.full(len(changes), np.nan),
            better_up=better_up,
            tip=tr("Change of {measure} on the query with the grade of {judge}, for the run that changes most",
                   measure=leverage.measure, judge=result.names[1]),
        ),
        column.run("run", tr("of run"), runs),
        column.count(
            "in_top", tr("in top {depth}", depth=leverage.depth), tops,
            texts=[None if top is None else tr("{n} of {runs}", n=top, runs=n) for top in tops],
            tip=tr("Runs with the document among their first {depth}", depth=leverage.depth),
        ),
    ]  # fmt: skip


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
    prevalences = [tr("prevalence"), tr("other's prevalence")]
    if len(confusions) == 1:
        prevalences = [tr("{judge} relevant", judge=name) for name in confusions[0].names]
    relevant = tr("Share of the pairs that the judge calls relevant")
    ids = [each.by_query.query_ids[place] for each, place in rows]
    level = confusions[0].level if confusions else 1.0
    table = Table("by_query", tr("Agreement by query"), (
        column.identifier("query", tr("query"), ids),
        column.text("first", tr("judge"), [each.names[0] for each, _ in rows], detail=len(confusions) == 1),
        column.text("second", tr("other"), [each.names[1] for each, _ in rows], detail=len(confusions) == 1),
        column.count("pairs", tr("pairs"), [each.by_query.pairs[place] for each, place in rows],
                     tip=tr("Pairs that both judged")),
        column.share("first_prevalence", prevalences[0], [each.by_query.first[place] for each, place in rows],
                     tip=relevant),
        column.share("second_prevalence", prevalences[1], [each.by_query.second[place] for each, place in rows],
                     tip=relevant),
        *(column.number(name, coefficient_title(name, level),
                        [each.by_query.values[name][place] for each, place in rows], detail=name not in shown,
                        decimals=STATISTIC, tip=coefficient.meaning)
          for name, coefficient in COEFFICIENTS.items()),
        column.count("disagreements", tr("disagreements"), [each.by_query.disagreements[place]
                                                            for each, place in rows]),
    ), keys=ids if len(confusions) == 1 else (), opens="query", notes=notes)  # fmt: skip
    return ViewResult(tuple(confusions), (table,)).with_provenance(provenance("agreement-by-query", bound))

"""Tables and JSON of the agreement of judges: on grades, on systems, grade by grade, and corrected scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.agreement.confusion import Confusion, Disagreement
from irviewer.analysis.agreement.corrected import CorrectedMeans, CorrectedScores
from irviewer.analysis.agreement.judge_agreement import Estimate, JudgeAgreement
from irviewer.analysis.agreement.leverage import Leverage
from irviewer.analysis.agreement.run_pairs import PairCounts
from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge, SystemsUnderJudge
from irviewer.model.arrays import Floats
from irviewer.model.number_text import limit, percent
from irviewer.reports.tables import WRITERS as GRID_WRITERS
from irviewer.reports.tables import Cell, Grid
from irviewer.tables.json_text import json_text
from irviewer.translation import tr, trn


@dataclass(frozen=True, eq=False)
class Page:
    """A form of the report: tables, and the record for JSON, computed when needed."""

    grids: tuple[Grid, ...]
    record: Callable[[], dict[str, Any]]


def write(page: Page, form: str) -> str:
    """Return the page as a table, CSV, TSV, JSON, LaTeX or Markdown."""
    return json_text(page.record(), 2) if form == "json" else GRID_WRITERS[form](page.grids)


FORMS = tuple(GRID_WRITERS)


# --- agreement on grades, and on systems ---


def agreement_page(result: JudgeAgreement, systems: SystemsByJudge | None, matrix: str = "") -> Page:
    """Return the judges compared with the reference, all pairs for a coefficient ("": that which orders the judges),
    their grades, and the systems by judge."""
    grids = [_with_reference(result), _matrix(result, matrix or result.main), _shares(result)]
    grids += [_families(result)] if result.families else []
    if systems is not None:
        grids += [_orders(systems), _systems(systems)]
        grids += [grid for grid in (_opposite(systems),) if grid.rows]
    return Page(tuple(grids), lambda: _agreement_record(result, systems))


def _with_reference(result: JudgeAgreement) -> Grid:
    reference, at = result.reference, f"≥{limit(result.options.level)}"
    names = {
        "same_grade": tr("same grade"), "kappa_quadratic": tr("quadratic κ"), "kappa_level": f"κ {at}",
        "alpha_ordinal": tr("ordinal α"), "ac1": f"AC1 {at}", "relevant": tr("relevant {at}", at=at),
        "nonrelevant": tr("non-relevant"), "difference": tr("Δ grade"),
    }  # fmt: skip
    if result.apart[reference].any():
        kept = {"kappa_level": names["kappa_level"], "kappa_level_max": tr("largest κ {at}", at=at)}
        names = kept | {key: name for key, name in names.items() if key not in kept}
    first = "kappa_level" if result.apart[reference].any() else "kappa_quadratic"
    header = [tr("judge"), tr("pairs"), tr("queries")]
    for key, name in names.items():
        header += [name, tr("from"), tr("to")] if key == first else [name]
    rows: list[tuple[Cell, ...]] = []
    for place in result.order.tolist()[1:]:
        cells: list[Cell] = [
            result.names[place], int(result.pairs[reference, place]), int(result.queries[reference, place]),
        ]  # fmt: skip
        for key in names:
            estimate = result.estimate(key, reference, place)
            cells += [estimate.value, estimate.low, estimate.high] if key == first else [estimate.value]
        rows.append(tuple(cells))
    title = trn("Agreement of {n} judge with {reference}", "Agreement of {n} judges with {reference}", len(rows),
                reference=result.names[reference])  # fmt: skip
    return Grid(title, tuple(header), tuple(rows), (*_interval_notes(result), *result.notes, *_clones(result)))


def _interval_notes(result: JudgeAgreement) -> list[str]:
    options = result.options
    alpha = result.alphas["alpha_ordinal"]
    notes = [tr("Relevant from grade {level}; undefined is –.", level=limit(options.level))]
    if options.samples:
        notes.append(
            tr("{level} intervals: bootstrap over queries, percentile, {samples} samples, seed {seed}.",
               level=percent(options.confidence), samples=f"{options.samples:,}", seed=options.seed)
        )  # fmt: skip
    if alpha.value is not None:
        notes.append(
            tr(
                "Krippendorff's ordinal alpha of all {n} judges: {alpha}.",
                n=len(result.names),
                alpha=_short(alpha.value),
            )
        )
    return notes


def _clones(result: JudgeAgreement) -> list[str]:
    notes = []
    for row in range(len(result.names)):
        for column in range(row + 1, len(result.names)):
            if result.near_clones[row, column]:
                share = float(result.values["same_grade"][row, column])
                notes.append(
                    tr("{first} and {second} are nearly copies: {share:.1f} % of their grades are equal.",
                       first=result.names[row], second=result.names[column], share=100 * share)
                )  # fmt: skip
    return notes


def _matrix(result: JudgeAgreement, name: str) -> Grid:
    order = result.order.tolist()
    rows: list[tuple[Cell, ...]] = []
    for number, row in enumerate(order, start=1):
        cells = [None if row == column else result.estimate(name, row, column).value for column in order]
        rows.append((f"{number} {result.names[row]}", *cells))
    notes = [tr("Ordered by similarity: the reference first, then at each branch the side closer to it.")]
    notes += [
        tr(
            "Similar judges ({kappa} .80 or more on average): {names}.",
            kappa=COEFFICIENTS[result.main].title,
            names=", ".join(result.names[at] for at in group),
        )
        for group in result.groups
    ]
    title = tr("{coefficient} of all judges", coefficient=COEFFICIENTS[name].title)
    return Grid(title, (tr("judge"), *(str(at) for at in range(1, len(order) + 1))), tuple(rows), tuple(notes))


def _shares(result: JudgeAgreement) -> Grid:
    header = (tr("judge"), tr("judgments"), *(f"{grade:g}" for grade in result.panel.scale.tolist()))
    rows: list[tuple[Cell, ...]] = [
        (result.names[position], int(result.judged[position]), *result.shares[position].tolist())
        for position in result.order.tolist()
    ]
    return Grid(tr("Share of each grade"), header, tuple(rows))


def _families(result: JudgeAgreement) -> Grid:
    keys = ("same_grade", "kappa_quadratic", "kappa_level", "alpha_ordinal", "ac1")
    rows: list[tuple[Cell, ...]] = [
        (family.family, len(family.judges), *(family.estimates[key].value for key in keys))
        for family in result.families
    ]
    header = (tr("family"), tr("judges"), *(COEFFICIENTS[key].title for key in keys))
    note = tr(
        "Means over the pairs within the family. No judge can be expected to agree more with a family "
        "than its members agree with each other."
    )
    return Grid(tr("Agreement within families, the ceiling"), header, tuple(rows), (note,))


def _orders(result: SystemsByJudge) -> Grid:
    header = (
        tr("judge"), tr("judgments"), tr("queries"), "τ", tr("from"), tr("to"), "τ-AP", tr("from"), tr("to"),
        tr("split-half τ"), tr("same, both"), tr("same, one"), tr("same, neither"), tr("opposite, one or none"),
        tr("opposite, both"), tr("best: same"), tr("best: opposite"), tr("significant pairs"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for judge in result.judges:
        counts, top = judge.counts, judge.top_counts
        order = judge.order
        cells: list[Cell] = [judge.judge, judge.judgments, len(judge.queries)]
        for estimate in (None, None) if order is None else (order.tau, order.tau_ap):
            cells += [None] * 3 if estimate is None else [estimate.value, estimate.low, estimate.high]
        cells.append(judge.split_half)
        if counts is None or top is None:
            cells += [None] * 7
        else:
            cells += [
                counts.same_both, counts.same_one, counts.same_neither,
                counts.opposite_one + counts.opposite_neither, counts.opposite_both, top.same, top.opposite,
            ]  # fmt: skip
        cells.append(judge.significant)
        rows.append(tuple(cells))
    title = trn("{n} system by {measure} under each judge", "{n} systems by {measure} under each judge",
                len(result.runs), measure=result.measure.text)  # fmt: skip
    notes = [
        tr("τ is Kendall's tau-b. τ-AP takes the judge's order as the list and that of {reference} as the truth; it is "
           "the mean over all orders of runs with equal means.", reference=result.judges[result.reference].judge),
        tr("Significant: paired t, Holm over all pairs, p < {alpha}. Best: pairs of the {top} best runs of the "
           "reference.", alpha=limit(result.alpha), top=result.top),
        tr("Split-half τ compares the judge with itself on random halves of the queries; halves are "
           "noisier than the whole."),
        *result.notes,
        *_gains(result),
    ]  # fmt: skip
    return Grid(title, header, tuple(rows), tuple(notes))


def _gains(result: SystemsByJudge) -> list[str]:
    notes = []
    for judge in result.judges:
        gain = judge.family_gain
        if gain is not None and gain.warns:
            notes.append(
                tr("Warning: runs that use a model of {judge}'s family gain more under {judge} than the others, by "
                   "{gain} ({runs}).", judge=judge.judge, gain=_short(gain.gain.value), runs=", ".join(gain.runs))
            )  # fmt: skip
    return notes


def _systems(result: SystemsByJudge) -> Grid:
    reference = result.reference
    places = [reference, *(position for position in range(len(result.judges)) if position != reference)]
    header = [tr("run")]
    for place in places:
        name = result.judges[place].judge
        header += [name, tr("rank")] + ([] if place == reference else [tr("Δ rank")])
        header += [tr("Δ grade")] if result.judges[place].grades is not None else []
    rows: list[tuple[Cell, ...]] = []
    for run in result.order.tolist():
        marked = any(judge.marked[run] for judge in result.judges)
        cells: list[Cell] = [result.runs[run] + (" ◆" if marked else "")]
        for place in places:
            judge = result.judges[place]
            cells += [float(judge.values[run]), int(judge.ranks[run])]
            cells += [] if place == reference else [_change(judge, run)]
            cells += [] if judge.grades is None else [float(judge.grades.values[run])]
        rows.append(tuple(cells))
    notes = [
        tr("Δ rank: ranks gained (+) or lost (−) against {reference}. Δ grade: mean of judge − reference over the "
           "run's first {depth} documents.", reference=result.judges[reference].judge, depth=result.depth)
    ]  # fmt: skip
    if any(judge.marked.any() for judge in result.judges):
        notes.append(tr("◆: the run uses a model of a judge's family."))
    return Grid(tr("{measure} under each judge", measure=result.measure.text), tuple(header), tuple(rows), tuple(notes))


def _change(judge: SystemsUnderJudge, run: int) -> str:
    if judge.reason:
        return "–"
    change = int(judge.rank_change[run])
    return "=" if not change else f"+{change}" if change > 0 else f"−{-change}"


def _opposite(result: SystemsByJudge) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (judge.judge, result.runs[pair.first], result.runs[pair.second], pair.by_reference, pair.by_judge,
         _significant(pair.significant_by_reference, pair.significant_by_judge))
        for judge in result.judges for pair in judge.opposite
    ]  # fmt: skip
    reference = result.judges[result.reference].judge
    header = (tr("judge"), tr("run"), tr("other"), tr("Δ by {judge}", judge=reference), tr("Δ by the judge"),
              tr("significant under"))  # fmt: skip
    return Grid(tr("Pairs of runs that change order"), header, tuple(rows))


def _significant(reference: bool, judge: bool) -> str:
    return (tr("both") if judge else tr("the reference")) if reference else tr("the judge") if judge else tr("neither")


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".replace("0.", ".", 1).replace("-", "−")


# --- two judges grade by grade ---


def confusion_page(
    result: Confusion,
    agreement: JudgeAgreement,
    documents: Sequence[Disagreement],
    leverage: Leverage | None,
    most: int,
) -> Page:
    """Return the table of two judges, their coefficients, and the documents on which they disagree, by leverage."""
    first, second = result.names
    grades = [f"{grade:g}" for grade in result.grades.tolist()]
    rows: list[tuple[Cell, ...]] = []
    for position, grade in enumerate(grades):
        total = int(result.counts[position].sum())
        rows.append((grade, *result.counts[position].tolist(), total, *result.row_shares[position].tolist()))
    rows.append((tr("all"), *result.margins[1].tolist(), result.pairs, *[None] * len(grades)))
    header = (f"{first} ↓ {second} →", *grades, tr("all"), *(tr("share of {grade}", grade=grade) for grade in grades))
    grids = [
        Grid(tr("{first} by {second}", first=first, second=second), header, tuple(rows), (result.sentence,)),
        _pair_grid(result, agreement),
    ]
    order = range(len(documents)) if leverage is None else leverage.order.tolist()
    shown = [_document(documents[place], place, leverage) for place in list(order)[:most]]
    names: tuple[str, ...] = (tr("query"), tr("document"), first, second)
    if leverage is not None:
        names += (f"Δ {leverage.measure}", tr("of run"), tr("in top {depth}", depth=leverage.depth))
    title = trn("{n} disagreement", "{n} disagreements", len(documents))
    grids.append(Grid(title, names, tuple(shown), _leverage_notes(leverage)))
    return Page(tuple(grids), lambda: _confusion_record(result, agreement, documents, leverage))


def _leverage_notes(leverage: Leverage | None) -> tuple[str, ...]:
    if leverage is None:
        return ()
    note = tr(
        "Δ {measure}: change of a run's value on that query if the second judge's grade of the document were "
        "used, for the run that changes most. Divided by {n} it is the change of the run's mean.",
        measure=leverage.measure, n=leverage.queries,
    )  # fmt: skip
    return (note, leverage.condensed_note) if leverage.condensed else (note,)


def _document(disagreement: Disagreement, place: int, leverage: Leverage | None) -> tuple[Cell, ...]:
    cells: tuple[Cell, ...] = (
        disagreement.query_id,
        disagreement.doc_id,
        f"{disagreement.first:g}",
        f"{disagreement.second:g}",
    )
    if leverage is None:
        return cells
    run = leverage.runs[int(leverage.most[place])] if leverage.runs else None
    return (*cells, float(leverage.largest[place]), run, int(leverage.in_top[place]))


def _pair_grid(result: Confusion, agreement: JudgeAgreement) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for name, coefficient in COEFFICIENTS.items():
        estimate = agreement.estimate(name, result.first, result.second)
        rows.append((coefficient.title, estimate.value, estimate.low, estimate.high))
    header = (tr("statistic"), tr("value"), tr("from"), tr("to"))
    notes = (*_interval_notes(agreement)[:2], *agreement.notes)
    return Grid(tr("{first} and {second}", first=result.names[0], second=result.names[1]), header, tuple(rows), notes)


def by_query_page(result: Sequence[Confusion]) -> Page:
    """Return each query of one or more pairs of judges."""
    keys = ("same_grade", "kappa_quadratic", "kappa_level")
    header = (
        tr("query"), tr("judge"), tr("other"), tr("pairs"), tr("prevalence"), tr("other's prevalence"),
        *(COEFFICIENTS[key].title for key in keys), tr("disagreements"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for confusion in result:
        own = confusion.by_query
        for position, query in enumerate(own.query_ids):
            rows.append(
                (
                    query,
                    *confusion.names,
                    int(own.pairs[position]),
                    float(own.first[position]),
                    float(own.second[position]),
                    *(float(own.values[key][position]) for key in keys),
                    int(own.disagreements[position]),
                )
            )
    notes = [
        tr("The scales of {first} and {second} differ: statistics of grades are withheld.",
           first=confusion.names[0], second=confusion.names[1])
        for confusion in result if confusion.apart
    ]  # fmt: skip
    grids = (Grid(tr("Agreement by query"), header, tuple(rows), tuple(notes)),)
    return Page(grids, lambda: {"pairs": [_by_query_record(confusion) for confusion in result]})


# --- corrected scores ---


def corrected_page(result: CorrectedScores) -> Page:
    """Return corrected means, and differences if there is a baseline."""
    means = result.means
    header = [
        tr("run"), result.model, tr("{human}, {n} queries", human=result.human, n=means.n), tr("corrected"), tr("from"),
        tr("to"), tr("worth"),
    ]  # fmt: skip
    part, differences = result.part, result.differences
    if part is not None:
        header += [tr("at least"), tr("at most")]
    if differences is not None and result.baseline is not None:
        header += ["Δ", tr("from"), tr("to"), tr("p, Holm"), tr("worth")]
        header += [tr("at least"), tr("at most")] if part is not None else []
    rows: list[tuple[Cell, ...]] = []
    for run in (-means.values).argsort(kind="stable").tolist():
        cells: list[Cell] = [result.runs[run] + (" *" if result.best[run] else "")]
        cells += [
            *_values(run, means.model, means.human, means.values, means.low, means.high),
            _whole(means.worth[run]),
        ]
        if part is not None:
            cells += _values(run, part.low, part.high)
        if differences is not None:
            if run == result.baseline:
                cells += [tr("baseline"), None, None, None, None, *([] if part is None else [None, None])]
            else:
                cells += _values(run, differences.values, differences.low, differences.high, result.p)
                cells.append(_whole(differences.worth[run]))
                if part is not None and part.difference_low is not None and part.difference_high is not None:
                    cells += _values(run, part.difference_low, part.difference_high)
        rows.append(tuple(cells))
    notes = [
        tr("Corrected = mean under {model} over all {total} queries + mean of ({human} − {model}) over the {n} drawn; "
           "{level} interval, Student's t with {df} degrees of freedom.", model=result.model, human=result.human,
           total=means.total, n=means.n, level=percent(means.level), df=means.df),
        tr("Worth: how many queries judged by {human} alone would give so narrow an interval; below {n} the model does "
           "harm.", human=result.human, n=means.n),
        tr("*: not significantly different from the best corrected mean."),
        *result.notes,
        *([_part_note(result)] if result.part is not None else []),
    ]  # fmt: skip
    title = tr("{measure} under {model}, corrected by {human}", measure=result.measure.text, model=result.model,
               human=result.human)  # fmt: skip
    return Page((Grid(title, tuple(header), tuple(rows), tuple(notes)),), lambda: _corrected_record(result))


def _part_note(result: CorrectedScores) -> str:
    """Return what the bounds of a sample that is judged in part mean."""
    assert result.part is not None
    return trn(
        "At least, at most: the ends of the interval if the {n} drawn query that is not wholly judged had the least "
        "value of {measure}, or the greatest.",
        "At least, at most: the ends of the interval if the {n} drawn queries that are not wholly judged had the least "
        "value of {measure}, or the greatest.",
        result.part.n, measure=result.measure.text,
    )  # fmt: skip


def _whole(value: float) -> Cell:
    """Return a number of queries, rounded."""
    return round(float(value)) if math.isfinite(value) else None


def _values(run: int, *columns: Floats) -> list[Cell]:
    return [float(column[run]) for column in columns]


# --- JSON ---


def _estimate(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"value": None, "low": None, "high": None}
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _agreement_record(result: JudgeAgreement, systems: SystemsByJudge | None) -> dict[str, Any]:
    options, names = result.options, result.names
    judges = [
        {
            "name": judge.name, "origin": judge.origin, "family": judge.family or None, "note": judge.note or None,
            "judgments": int(result.judged[position]), "negative_left_out": int(result.panel.negative[position]),
            "shares": result.shares[position],
        }
        for position, judge in enumerate(result.panel.sets)
    ]  # fmt: skip
    pairs = [_pair_record(result, row, column) for row in range(len(names)) for column in range(row + 1, len(names))]
    families = [
        {"family": family.family, "judges": list(family.judges)}
        | {name: _estimate(family.estimates[name]) for name in COEFFICIENTS}
        for family in result.families
    ]
    return {
        "reference": names[result.reference], "level": options.level, "steps": options.steps,
        "samples": options.samples, "seed": options.seed, "confidence": options.confidence,
        "scale": result.panel.scale, "judged_by_all": result.judged_by_all, "judges": judges,
        "order": [names[position] for position in result.order.tolist()],
        "groups": [[names[place] for place in group] for group in result.groups],
        "alpha_of_all": {name: _estimate(estimate) for name, estimate in result.alphas.items()},
        "pairs": pairs, "families": families, "systems": None if systems is None else _systems_record(systems),
        "notes": [*result.notes, *(() if systems is None else systems.notes)],
    }  # fmt: skip


def _pair_record(result: JudgeAgreement, row: int, column: int) -> dict[str, Any]:
    return {
        "first": result.names[row], "second": result.names[column], "pairs": int(result.pairs[row, column]),
        "queries": int(result.queries[row, column]), "near_clones": bool(result.near_clones[row, column]),
        "different_scales": bool(result.apart[row, column]),
    } | {name: _estimate(result.estimate(name, row, column)) for name in COEFFICIENTS}  # fmt: skip


def _systems_record(result: SystemsByJudge) -> dict[str, Any]:
    return {
        "measure": result.measure.text, "reference": result.judges[result.reference].judge, "depth": result.depth,
        "top": result.top, "alpha": result.alpha, "judged_only": result.judged_only, "runs": list(result.runs),
        "order": [result.runs[run] for run in result.order.tolist()],
        "judges": [_judge_record(result, judge) for judge in result.judges],
    }  # fmt: skip


def _judge_record(result: SystemsByJudge, judge: SystemsUnderJudge) -> dict[str, Any]:
    order, gain, grades = judge.order, judge.family_gain, judge.grades
    runs = [
        {
            "run": name, "value": judge.values[run], "low": judge.low[run], "high": judge.high[run],
            "reference_value": judge.reference_values[run], "rank": int(judge.ranks[run]),
            "rank_change": None if judge.reason else int(judge.rank_change[run]), "judged": judge.judged[run],
            "uses_family": bool(judge.marked[run]),
            "grade_difference": _estimate(None) if grades is None else {
                "value": grades.values[run], "low": grades.low[run], "high": grades.high[run]
            },
        }
        for run, name in enumerate(result.runs)
    ]  # fmt: skip
    opposite = [
        {
            "first": result.runs[pair.first], "second": result.runs[pair.second], "by_reference": pair.by_reference,
            "by_judge": pair.by_judge, "significant_by_reference": pair.significant_by_reference,
            "significant_by_judge": pair.significant_by_judge,
        }
        for pair in judge.opposite
    ]  # fmt: skip
    return {
        "judge": judge.judge, "judgments": judge.judgments, "queries": len(judge.queries),
        "reason": judge.reason or None, "tau": _estimate(None if order is None else order.tau),
        "tau_ap": _estimate(None if order is None else order.tau_ap), "split_half_tau": judge.split_half,
        "pairs": _counts(judge.counts), "top_pairs": _counts(judge.top_counts), "told_apart": judge.significant,
        "opposite": opposite, "grade_difference_mean": None if grades is None else grades.mean, "runs": runs,
        "family_gain": None if gain is None else {
            "runs": list(gain.runs), "gain": _estimate(gain.gain), "rank_gain": gain.rank_gain, "warns": gain.warns
        },
    }  # fmt: skip


def _counts(counts: PairCounts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    record = vars(counts) | {"same": counts.same, "opposite": counts.opposite}
    former_keys = {"significant": "told_apart", "significant_by_reference": "told_apart_by_reference"}
    return {former_keys.get(name, name): value for name, value in record.items()}


def _confusion_record(
    result: Confusion, agreement: JudgeAgreement, documents: Sequence[Disagreement], leverage: Leverage | None
) -> dict[str, Any]:
    order = range(len(documents)) if leverage is None else leverage.order.tolist()
    rows = []
    for place in order:
        disagreement = documents[place]
        known = leverage is not None and bool(leverage.runs)
        rows.append({
            "query": disagreement.query_id, "doc": disagreement.doc_id, "first": disagreement.first,
            "second": disagreement.second,
            "change": leverage.largest[place] if leverage is not None and known else None,
            "run": leverage.runs[int(leverage.most[place])] if leverage is not None and known else None,
            "in_top": int(leverage.in_top[place]) if leverage is not None else None,
        })  # fmt: skip
    return {
        "first": result.names[0], "second": result.names[1], "level": result.level, "grades": result.grades,
        "counts": result.counts, "row_shares": result.row_shares, "two_by_two": vars(result.two_by_two()),
        "agreement": _pair_record(agreement, result.first, result.second), "sentence": result.sentence,
        "measure": None if leverage is None else leverage.measure, "documents": rows,
    }  # fmt: skip


def _by_query_record(result: Confusion) -> dict[str, Any]:
    own = result.by_query
    rows = [
        {
            "query": query, "pairs": int(own.pairs[position]), "disagreements": int(own.disagreements[position]),
            "first_prevalence": own.first[position], "second_prevalence": own.second[position],
        } | {name: own.values[name][position] for name in COEFFICIENTS}
        for position, query in enumerate(own.query_ids)
    ]  # fmt: skip
    return {"first": result.names[0], "second": result.names[1], "level": result.level, "queries": rows}


def _corrected_record(result: CorrectedScores) -> dict[str, Any]:
    sample = result.sample
    rows = [
        {"run": name, "best": bool(result.best[run])}
        | _corrected_row(result.means, run)
        | _part_row(result, run)
        | {"difference": None if result.differences is None else _corrected_row(result.differences, run),
           "p_corrected": result.p[run]}
        for run, name in enumerate(result.runs)
    ]  # fmt: skip
    return {
        "measure": result.measure.text, "model": result.model, "human": result.human, "queries": sample.total,
        "sampled": [result.query_ids[position] for position in sample.places.tolist()],
        "inclusion_probability": sample.probability, "confidence": result.means.level, "df": result.means.df,
        "baseline": None if result.baseline is None else result.runs[result.baseline],
        "pairs_judged_twice": result.pairs_judged_twice, "shift": result.shift, "tau": result.tau,
        "runs": rows, "notes": list(result.notes),
    }  # fmt: skip


def _part_row(result: CorrectedScores, run: int) -> dict[str, Any]:
    part = result.part
    if part is None:
        return {}
    ends = (part.low, part.high, part.difference_low, part.difference_high)
    names = ("at_least", "at_most", "difference_at_least", "difference_at_most")
    return {name: None if end is None else end[run] for name, end in zip(names, ends, strict=True)}


def _corrected_row(means: CorrectedMeans, run: int) -> dict[str, Any]:
    return {
        "model": means.model[run], "human": means.human[run], "value": means.values[run], "low": means.low[run],
        "high": means.high[run], "worth": means.worth[run], "saved": means.saved[run],
        "correlation": means.correlation[run], "p": means.p[run],
    }  # fmt: skip

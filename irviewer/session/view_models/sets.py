"""The view model of query sets: the selected measure of each shown run on every set, and averages of the sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats
from irviewer.model.query_sets import QuerySet
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.evaluation.context import EvaluationContext, PairMeans
from irviewer.session.evaluation.zscores import called
from irviewer.session.shortcuts import keys
from irviewer.session.view_models.systems import in_common_text
from irviewer.tables.column import ComparisonFamily
from irviewer.tables.table import Table
from irviewer.translation import tr, trn

RowKind = Literal["all", "set", "macro", "micro", "weighted"]


@dataclass(frozen=True)
class SetRow:
    """One row: all queries, a set, the mean over the sets (macro), the mean over the queries that are in any set
    (micro, if these are not all queries), or the weighted mean. ``key`` is the name of a set, ``tip`` says what is
    averaged."""

    kind: RowKind
    key: str
    title: str
    tip: str
    chosen: bool = False
    looked: bool = False


@dataclass(frozen=True, eq=False)
class SetsViewModel:
    """S rows, and the shown runs.

    table        a row for each of ``rows``, see :func:`irviewer.views.query_sets.table_of_rows`; only the difference
                 over the queries in view is tested
    tested       the declared test, as text; "" if it was not run
    explanation  what is missing, and what to do about it; "" if nothing is
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    rows: tuple[SetRow, ...]
    table: Table
    tested: str
    explanation: str = ""
    ratio: bool = False


ALL = SetRow("all", "", tr("all queries"), tr("Each query counts the same."))
ALL_IN_SETS = SetRow(
    "all", "", tr("all queries"), tr("Each query counts the same; all queries are in a set (micro average).")
)


def build_sets_view_model(context: EvaluationContext, compared: Compared | None = None) -> SetsViewModel:
    """Return the view model, with the sets in the order in which they were made. ``compared``: the runs and the
    baseline on the queries in view, once they are compared."""
    from irviewer.views.query_sets import MeansOfRows, table_of_rows

    sets = context.collection.query_sets
    everything = np.ones(len(context.query_ids), dtype=np.bool_)
    masks = [query_set.mask(context.query_ids) for query_set in sets]
    shown, measure = context.shown_runs, context.measure
    values = np.array([[context.mean_over(entry, measure, mask) for entry in shown] for mask in (everything, *masks)])
    values = values.reshape(1 + len(sets), len(shown))
    counts = [len(context.query_ids), *(int(np.count_nonzero(mask)) for mask in masks)]
    inside = np.any(masks, axis=0) if masks else everything
    whole = len(sets) > 1 and bool(inside.all())
    first = _chosen(ALL_IN_SETS if whole else ALL, context.query_set is None)
    rows = [first, *(_row(context, query_set) for query_set in sets)]
    if len(sets) > 1:
        rows.append(SetRow("macro", "", tr("mean of the sets"), tr("Each set counts the same (macro average).")))
        counts.append(int(np.count_nonzero(inside)))
        values = np.vstack([values, _macro(context, values[1:], masks)])
        if not whole:
            tip = tr("Each query that is in a set counts once, all the same (micro average).")
            rows.append(SetRow("micro", "", tr("queries in sets"), tip))
            counts.append(int(np.count_nonzero(inside)))
            values = np.vstack([values, [context.mean_over(entry, measure, inside) for entry in shown]])
    if context.collection.weights is not None and context.treated(context.measure).aggregate in ("mean", "geometric"):
        tip = tr("Each query counts with its weight: {weights}.", weights=context.collection.weights.how)
        rows.append(SetRow("weighted", "", tr("weighted mean"), tip))
        weights = np.zeros(len(context.query_ids)) if context.weights is None else context.weights
        counts.append(int(np.count_nonzero(weights > 0)))
        values = np.vstack([values, [context.weighted_mean(entry, context.measure) for entry in context.shown_runs]])
    differences = _row_differences(context, rows, masks, inside)
    tested = "" if compared is None else compared.comparison.decided_by()
    p, family = _tested(context, rows, compared)
    table = table_of_rows(
        MeansOfRows(
            str(context.measure), [(row.kind, row.key) for row in rows],
            [f"{row.title} *" if row.looked else row.title for row in rows], [row.tip for row in rows],
            np.array(counts, dtype=np.int64), [label.whole_name for label in context.shown_labels], values,
            np.array([np.nan if pair is None else pair.difference for pair in differences]),
            [_in_common_text(context, row, pair) for row, pair in zip(rows, differences, strict=True)], p, family,
            tr("ratio {measure}", measure=measure) if context.geometric else f"Δ {usual_name(measure)}",
            _difference_tip(context, tested), higher_is_better=measure.higher_is_better, ratio=context.geometric,
            looked=context.looked,
        )
    )  # fmt: skip
    return SetsViewModel(
        title=trn(
            "{n:,} query set · {measure}",
            "{n:,} query sets · {measure}",
            len(sets),
            measure=called(context, context.measure),
        ),
        note=(
            tr("Enter evaluates a set only · {delta} to the baseline ★, not tested", delta=context.delta_word)
            if compared is None
            else tr(
                "Enter evaluates a set only · {delta} to the baseline ★, tested for the queries in view only",
                delta=context.delta_word,
            )
        ),
        measure=str(context.measure),
        runs=context.shown_labels,
        rows=tuple(rows),
        table=table,
        tested=tested,
        explanation=_explanation(context),
        ratio=context.geometric,
    )


def _difference_tip(context: EvaluationContext, tested: str) -> str:
    """Return what the column of differences is, and when its arrow is filled."""
    lines = [context.delta_label or tr("Difference in {measure}", measure=context.measure)]
    if tested:
        lines.append(tr("Filled arrow: the test shows a difference ({test}).", test=tested))
    lines.append(tr("Grey: it does not, or the row is not tested. Compare > Slices tests differences of slices."))
    return "\n".join(lines)


def _explanation(context: EvaluationContext) -> str:
    if context.explanation:
        return context.explanation
    if not context.shown_runs and context.collection.runs:
        return tr("No run is shown. Press {key} to choose runs.", key=keys("choose_runs"))
    if context.collection.query_sets:
        return ""
    return tr(
        "There are no query sets yet. Divide the queries by an attribute, keep the queries that match a filter in "
        "Queries, or open a file of query ids. {key} and “set” lists these actions.",
        key=keys("find_action"),
    )


def _row(context: EvaluationContext, query_set: QuerySet) -> SetRow:
    tip = query_set.how or query_set.origin
    if query_set.looked:
        tip += f"\n{query_set.warning}"
    selected = context.query_set is query_set
    return SetRow("set", query_set.name, query_set.name, tip, selected, query_set.looked)


def _chosen(row: SetRow, chosen: bool) -> SetRow:
    return SetRow(row.kind, row.key, row.title, row.tip, chosen)


def _macro(context: EvaluationContext, values: Floats, masks: list[Bools]) -> Floats:
    """Return the mean over the sets (geometric for geometric means), float64[R], from values float64[S, R]. Only sets
    count in which a query is evaluated for the run; NaN if one of these has no value."""
    evaluated = [context.counted(entry, context.measure) for entry in context.shown_runs]
    known = np.array(
        [[queries is not None and bool((queries & mask).any()) for queries in evaluated] for mask in masks]
    )
    count = known.sum(axis=0)
    total = np.where(known, context.levels(values), 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratios(means) if context.geometric else means


def _tested(
    context: EvaluationContext, rows: list[SetRow], compared: Compared | None
) -> tuple[Floats, ComparisonFamily | None]:
    """Return the corrected p-values float64[S] with their family: of the row of the queries in view, or of their
    weighted mean where the queries have weights; NaN for the others."""
    from irviewer.views.pairs import family_of

    p = np.full(len(rows), np.nan)
    pair = None if compared is None or context.focus is None else compared.pair(context.focus)
    if compared is None or pair is None:
        return p, None
    family = family_of("runs", pair.decision, compared.comparison.alpha)
    if pair.undecided:
        return p, family
    weighted = context.weights is not None and bool(context.weights.any())
    kinds = [row.kind for row in rows]
    if weighted and context.query_set is None and "weighted" in kinds:
        p[kinds.index("weighted")] = pair.decision.p_corrected
    elif not weighted:
        p[[row.chosen for row in rows].index(True)] = pair.decision.p_corrected
    return p, family


def _row_differences(
    context: EvaluationContext, rows: list[SetRow], masks: list[Bools], inside: Bools
) -> list[PairMeans | None]:
    """Return for each row the focus against the baseline over the queries that both have; None without both."""
    # Also where the baseline is not among the runs shown, as in every other view.
    opened = {entry.key: entry for entry in context.collection.runs}
    if context.baseline not in opened or context.focus not in opened:
        return [None] * len(rows)
    if not context.unmatched.keys().isdisjoint((context.baseline, context.focus)):
        return [None] * len(rows)
    focus, baseline = opened[context.focus], opened[context.baseline]
    of_sets = [context.difference(focus, baseline, mask) for mask in masks]
    differences: list[PairMeans | None] = []
    for row in rows:
        if row.kind == "all":
            differences.append(context.difference(focus, baseline, None))
        elif row.kind == "set":
            differences.append(of_sets[len(differences) - 1])
        elif row.kind == "micro":
            differences.append(context.difference(focus, baseline, inside))
        elif row.kind == "macro":
            known = [pair for pair in of_sets if pair.n]
            mean = float(np.mean([pair.difference for pair in known])) if known else np.nan
            differences.append(_averaged(known, mean, any(pair.apart for pair in of_sets)))
        else:
            whole = context.difference(focus, baseline, context.within)
            differences.append(_averaged([], context.weighted_difference(focus, baseline), whole.apart))
    return differences


def _averaged(sets: list[PairMeans], difference: float, apart: bool) -> PairMeans:
    """Return a difference that is no difference of two means over queries; its means are averaged over sets."""
    means = [float(np.mean([getattr(pair, name) for pair in sets])) if sets else np.nan
             for name in ("mean", "other_mean")]  # fmt: skip
    return PairMeans(sum(pair.n for pair in sets), means[0], means[1], difference, apart)


def _in_common_text(context: EvaluationContext, row: SetRow, pair: PairMeans | None) -> str:
    if pair is None or context.focus is None or context.baseline is None:
        return ""
    if row.kind in ("macro", "weighted"):
        return tr("Over the queries that both runs have.") if pair.apart else ""
    names = context.labels[context.focus].name, context.labels[context.baseline].name
    return in_common_text(context, pair, *names)

"""The query sets side by side: the chosen measure of each shown run on every set, and what the sets say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.query_sets import QuerySet
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called
from irviewer.session.shortcuts import keys
from irviewer.session.view_models.query import best_places

RowKind = Literal["all", "set", "macro", "micro", "weighted"]


@dataclass(frozen=True)
class SetRow:
    """One row: all queries, a set, the mean of the sets (macro), the mean of the queries that are in any of them
    (micro, where that is not all of them), or the mean in which each query counts by its weight. ``key`` is the set's
    name where it is one, ``tip`` what is averaged."""

    kind: RowKind
    key: str
    title: str
    tip: str
    chosen: bool = False
    looked: bool = False


@dataclass(frozen=True, eq=False)
class SetsViewModel:
    """S rows x R shown runs.

    counts       int64[S]: queries in each, that count
    values       float64[S, R]; NaN where there is no value
    best         bool[S, R]: the best of a row; none where all are equal
    delta        float64[S]: focus minus baseline; with ``ratio`` the logarithm of their ratio; NaN without such a pair
    delta_note   what is compared
    explanation  what is missing, and how to get it; "" where nothing is
    """

    title: str
    note: str
    measure: str
    runs: tuple[RunLabel, ...]
    rows: tuple[SetRow, ...]
    counts: Ints
    values: Floats
    best: Bools
    delta: Floats
    delta_note: str
    higher_is_better: bool = True
    explanation: str = ""
    ratio: bool = False


# Builds the view model of the query sets from a context. By arrays; draws nothing.

ALL = SetRow("all", "", "all queries", "every query counts the same")
ALL_IN_SETS = SetRow("all", "", "all queries", "every query counts the same; all are in a set (micro average)")


def build_sets_view_model(context: EvaluationContext) -> SetsViewModel:
    """The view model; the sets in the order in which they were made."""
    sets = context.collection.query_sets
    everything = np.ones(len(context.query_ids), dtype=np.bool_)
    masks = [one.mask(context.query_ids) for one in sets]
    shown, measure = context.shown_runs, context.measure
    values = np.array([[context.mean_over(one, measure, mask) for one in shown] for mask in (everything, *masks)])
    values = values.reshape(1 + len(sets), len(shown))
    counts = [len(context.query_ids), *(int(np.count_nonzero(mask)) for mask in masks)]
    inside = np.any(masks, axis=0) if masks else everything
    whole = len(sets) > 1 and bool(inside.all())
    rows = [_chosen(ALL_IN_SETS if whole else ALL, context.query_set is None), *(_row(context, one) for one in sets)]
    if len(sets) > 1:
        rows.append(SetRow("macro", "", "mean of the sets", "every set counts the same (macro average)"))
        counts.append(int(np.count_nonzero(inside)))
        values = np.vstack([values, _macro(context, values[1:], masks)])
        if not whole:
            told = "every query that is in a set counts the same, once (micro average)"
            rows.append(SetRow("micro", "", "queries of the sets", told))
            counts.append(int(np.count_nonzero(inside)))
            values = np.vstack([values, [context.mean_over(one, measure, inside) for one in shown]])
    if context.collection.weights is not None and context.treated(context.measure).aggregate in ("mean", "geometric"):
        said = context.collection.weights
        rows.append(SetRow("weighted", "", "weighted mean", f"every query counts by its weight, {said.how}"))
        weights = np.zeros(len(context.query_ids)) if context.weights is None else context.weights
        counts.append(int(np.count_nonzero(weights > 0)))
        values = np.vstack([values, [context.weighted_mean(entry, context.measure) for entry in context.shown_runs]])
    return SetsViewModel(
        title=f"{len(sets):,} query set{'' if len(sets) == 1 else 's'} · {called(context, context.measure)}",
        note=f"Enter has all numbers be of a set · {context.delta_word} against ★",
        measure=str(context.measure),
        runs=context.shown_labels,
        rows=tuple(rows),
        counts=frozen(np.array(counts, dtype=np.int64)),
        values=frozen(values),
        best=frozen(_best(context, values)),
        delta=frozen(_delta(context, values)),
        delta_note=context.delta_label,
        higher_is_better=context.measure.higher_is_better,
        explanation=_explanation(context),
        ratio=context.geometric,
    )


def _explanation(context: EvaluationContext) -> str:
    if context.explanation:
        return context.explanation
    if not context.shown_runs and context.collection.runs:
        return f"No run is shown: {keys('choose_runs')} chooses which are."
    if context.collection.query_sets:
        return ""
    return (
        "No query sets yet: part the queries by a column, keep what the filter of the Queries place lets through, or "
        f"open a file of ids. {keys('find_action')} and “set” finds all of it."
    )


def _row(context: EvaluationContext, one: QuerySet) -> SetRow:
    tip = f"{one.how or one.origin}" + (f"\n{one.caveat}" if one.looked else "")
    return SetRow("set", one.name, one.name, tip, context.query_set is one, one.looked)


def _chosen(row: SetRow, chosen: bool) -> SetRow:
    return SetRow(row.kind, row.key, row.title, row.tip, chosen)


def _macro(context: EvaluationContext, values: Floats, masks: list[Bools]) -> Floats:
    """float64[R]: the mean (a geometric one of geometric means) over the sets of float64[S, R] of which a query counts
    for the run; NaN where one of those has no value."""
    counted = [context.counted(one, context.measure) for one in context.shown_runs]
    known = np.array([[one is not None and bool((one & mask).any()) for one in counted] for mask in masks])
    count = known.sum(axis=0)
    total = np.where(known, context.levels(values), 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratios(means) if context.geometric else means


def _best(context: EvaluationContext, values: Floats) -> Bools:
    best = np.zeros(values.shape, dtype=np.bool_)
    for place, row in enumerate(values):
        best[place, list(best_places(row.tolist(), context.treated(context.measure)))] = True
    return best


def _delta(context: EvaluationContext, values: Floats) -> Floats:
    shown = list(context.shown)
    if context.baseline not in shown or context.focus not in shown:
        return np.full(len(values), np.nan)
    levels = context.levels(values)
    return np.asarray(levels[:, shown.index(context.focus)] - levels[:, shown.index(context.baseline)])

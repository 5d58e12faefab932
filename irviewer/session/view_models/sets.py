"""The query sets side by side: the chosen measure of each shown run on every set, and what the sets say together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.query_sets import QuerySet
from irviewer.rendering.run_label import RunLabel
from irviewer.session.evaluation.context import Scene
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
class SetsPage:
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


# Builds the page of the query sets from a scene. By arrays; draws nothing.

ALL = SetRow("all", "", "all queries", "every query counts the same")
ALL_IN_SETS = SetRow("all", "", "all queries", "every query counts the same; all are in a set (micro average)")


def build_sets(scene: Scene) -> SetsPage:
    """The page; the sets in the order in which they were made."""
    sets = scene.collection.query_sets
    everything = np.ones(len(scene.query_ids), dtype=np.bool_)
    masks = [one.mask(scene.query_ids) for one in sets]
    shown, measure = scene.shown_runs, scene.measure
    values = np.array([[scene.mean_over(one, measure, mask) for one in shown] for mask in (everything, *masks)])
    values = values.reshape(1 + len(sets), len(shown))
    counts = [len(scene.query_ids), *(int(np.count_nonzero(mask)) for mask in masks)]
    inside = np.any(masks, axis=0) if masks else everything
    whole = len(sets) > 1 and bool(inside.all())
    rows = [_chosen(ALL_IN_SETS if whole else ALL, scene.query_set is None), *(_row(scene, one) for one in sets)]
    if len(sets) > 1:
        rows.append(SetRow("macro", "", "mean of the sets", "every set counts the same (macro average)"))
        counts.append(int(np.count_nonzero(inside)))
        values = np.vstack([values, _macro(scene, values[1:], masks)])
        if not whole:
            told = "every query that is in a set counts the same, once (micro average)"
            rows.append(SetRow("micro", "", "queries of the sets", told))
            counts.append(int(np.count_nonzero(inside)))
            values = np.vstack([values, [scene.mean_over(one, measure, inside) for one in shown]])
    if scene.collection.weights is not None and scene.treated(scene.measure).aggregate in ("mean", "geometric"):
        said = scene.collection.weights
        rows.append(SetRow("weighted", "", "weighted mean", f"every query counts by its weight, {said.how}"))
        weights = np.zeros(len(scene.query_ids)) if scene.weights is None else scene.weights
        counts.append(int(np.count_nonzero(weights > 0)))
        values = np.vstack([values, [scene.weighted_mean(entry, scene.measure) for entry in scene.shown_runs]])
    return SetsPage(
        title=f"{len(sets):,} query set{'' if len(sets) == 1 else 's'} · {called(scene, scene.measure)}",
        note=f"Enter has all numbers be of a set · {scene.delta_word} against ★",
        measure=str(scene.measure),
        runs=scene.shown_labels,
        rows=tuple(rows),
        counts=frozen(np.array(counts, dtype=np.int64)),
        values=frozen(values),
        best=frozen(_best(scene, values)),
        delta=frozen(_delta(scene, values)),
        delta_note=scene.delta_label,
        higher_is_better=scene.measure.higher_is_better,
        explanation=_explanation(scene),
        ratio=scene.geometric,
    )


def _explanation(scene: Scene) -> str:
    if scene.explanation:
        return scene.explanation
    if not scene.shown_runs and scene.collection.runs:
        return f"No run is shown: {keys('choose_runs')} chooses which are."
    if scene.collection.query_sets:
        return ""
    return (
        "No query sets yet: part the queries by a column, keep what the filter of the Queries place lets through, or "
        f"open a file of ids. {keys('find_action')} and “set” finds all of it."
    )


def _row(scene: Scene, one: QuerySet) -> SetRow:
    tip = f"{one.how or one.origin}" + (f"\n{one.caveat}" if one.looked else "")
    return SetRow("set", one.name, one.name, tip, scene.query_set is one, one.looked)


def _chosen(row: SetRow, chosen: bool) -> SetRow:
    return SetRow(row.kind, row.key, row.title, row.tip, chosen)


def _macro(scene: Scene, values: Floats, masks: list[Bools]) -> Floats:
    """float64[R]: the mean (a geometric one of geometric means) over the sets of float64[S, R] of which a query counts
    for the run; NaN where one of those has no value."""
    counted = [scene.counted(one, scene.measure) for one in scene.shown_runs]
    known = np.array([[one is not None and bool((one & mask).any()) for one in counted] for mask in masks])
    count = known.sum(axis=0)
    total = np.where(known, scene.levels(values), 0.0).sum(axis=0)
    means: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratios(means) if scene.geometric else means


def _best(scene: Scene, values: Floats) -> Bools:
    best = np.zeros(values.shape, dtype=np.bool_)
    for place, row in enumerate(values):
        best[place, list(best_places(row.tolist(), scene.treated(scene.measure)))] = True
    return best


def _delta(scene: Scene, values: Floats) -> Floats:
    shown = list(scene.shown)
    if scene.baseline not in shown or scene.focus not in shown:
        return np.full(len(values), np.nan)
    levels = scene.levels(values)
    return np.asarray(levels[:, shown.index(scene.focus)] - levels[:, shown.index(scene.baseline)])

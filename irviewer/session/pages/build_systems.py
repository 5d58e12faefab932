"""Builds the Systems place's page from a scene: means, what is best, differences, averaged curves. Draws nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irviewer.figures.by_cutoff import by_cutoff_figure
from irviewer.figures.figure import Role
from irviewer.figures.precision_recall import averaged_precision_recall_figure
from irviewer.model import curves
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.judged import Judged
from irviewer.model.measure import Measure
from irviewer.session.evaluation import Pair
from irviewer.session.pages.build_query import best_places, measure_tooltip
from irviewer.session.pages.systems import MeasureColumn, SystemsPage
from irviewer.session.scene import Scene

STEEPNESS = 5
"""The power that makes the shade steepest among the best, where the contest is."""

LEAST_CURVE_DEPTH = 50


def build_systems(scene: Scene, measures: Sequence[Measure]) -> SystemsPage:
    """The page with ``measures`` as columns, sorted as the choices say (None: the chosen measure, best first)."""
    runs = scene.collection.runs
    means = np.array([[scene.mean(entry, one) for one in measures] for entry in runs], dtype=np.float64)
    means = means.reshape(len(runs), len(measures))
    chosen = np.array([scene.mean(entry, scene.measure) for entry in runs], dtype=np.float64)
    delta = _delta(scene, chosen)
    column, descending = scene.choices.systems_sort or (str(scene.measure), scene.measure.higher_is_better)
    order = _order(scene, measures, means, delta, column, descending)
    best = np.zeros(means.shape, dtype=np.bool_)
    heat = np.zeros(means.shape)
    for place, one in enumerate(measures):
        best[list(best_places(means[:, place].tolist(), one)), place] = True
        if not one.counts:
            heat[:, place] = shade(means[:, place], one.higher_is_better)
    graded = scene.judgments is not None and scene.judgments.qrels.is_graded
    labels = tuple(scene.labels.values())
    return SystemsPage(
        title=f"{len(runs):,} system" + ("" if len(runs) == 1 else "s"),
        note=_note(scene),
        runs=tuple(labels[place] for place in order),
        columns=tuple(
            MeasureColumn(
                str(one),
                one.label(graded, scene.options.level, short=True),
                measure_tooltip(one, graded, scene.options.level),
                one.counts,
                one.higher_is_better,
                one == scene.measure,
            )
            for one in measures
        ),
        means=frozen(means[order]),
        best=frozen(best[order]),
        heat=frozen(heat[order]),
        delta=frozen(delta[order]),
        delta_label=f"Δ {scene.measure}",
        sort=(column, descending),
        precision_recall=averaged_precision_recall_figure(_averaged(scene), len(scene.query_ids)),
        by_cutoff=by_cutoff_figure(_by_cutoff(scene), scene.cutoff, len(scene.query_ids)),
        caveats=scene.caveats,
        explanation=scene.explanation,
    )


def shade(values: Floats, higher_is_better: bool = True) -> Floats:
    """float64[n] in 0..1: 1 for the best value, 0 for the worst and for NaN; all 0 where all are equal."""
    finite = np.isfinite(values)
    if not finite.any():
        return np.zeros(len(values))
    low, high = float(values[finite].min()), float(values[finite].max())
    if high <= low:
        return np.zeros(len(values))
    share = np.where(finite, (values - low) / (high - low), 0.0)
    if not higher_is_better:
        share = np.where(finite, 1.0 - share, 0.0)
    return np.asarray(share**STEEPNESS, dtype=np.float64)


def _delta(scene: Scene, chosen: Floats) -> Floats:
    keys = [entry.key for entry in scene.collection.runs]
    if scene.baseline is None:
        return np.full(len(keys), np.nan)
    place = keys.index(scene.baseline)
    delta = chosen - chosen[place]
    delta[place] = np.nan
    return np.asarray(delta, dtype=np.float64)


def _order(
    scene: Scene, measures: Sequence[Measure], means: Floats, delta: Floats, column: str, descending: bool
) -> Ints:
    """int64[R]: rows in the table's order. Equal values keep the person's order; NaN stands last either way."""
    count = len(means)
    if column == "run":
        names = [entry.name.casefold() for entry in scene.collection.runs]
        return np.array(sorted(range(count), key=names.__getitem__, reverse=descending), dtype=np.int64)
    texts = [str(one) for one in measures]
    if column == "delta":
        # The baseline's own difference is shown as a word, but it is 0 and stands between better and worse.
        values = np.nan_to_num(delta, nan=0.0)
    elif column in texts:
        values = means[:, texts.index(column)]
    else:
        return np.arange(count)
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    return np.argsort(keys, kind="stable")


def _note(scene: Scene) -> str:
    if scene.judgments is None:
        return ""
    parts = [f"mean of {len(scene.query_ids):,} queries"]
    if scene.baseline is not None and len(scene.collection.runs) > 1:
        parts.append("Δ against ★")
    if scene.judgments.qrels.is_graded:
        parts.append(f"≥{scene.options.level:g}: relevant from grade {scene.options.level:g}")
    parts.append("shade by column, steepest among the best")
    return " · ".join(parts)


def _pairs(scene: Scene) -> list[tuple[Role, str, Pair]]:
    found = []
    for entry in scene.shown_runs:
        pair = scene.pair(entry)
        if pair is not None:
            found.append((Role("run", entry.key), entry.name, pair))
    return found


def _averaged(scene: Scene) -> list[tuple[Role, str, Floats, Floats]]:
    level = scene.options.level

    def averaged(judged: Judged) -> tuple[Floats, Floats]:
        return curves.averaged_precision_recall(judged, level)

    return [
        (role, name, *scene.evaluation.derived(pair, ("precision-recall", level), averaged))
        for role, name, pair in _pairs(scene)
    ]


def _by_cutoff(scene: Scene) -> list[tuple[Role, str, Floats, Floats]]:
    depth = curve_depth(scene)

    def by_cutoff(judged: Judged) -> tuple[Floats, Floats]:
        cutoff, mean = curves.mean_ndcg_by_cutoff(judged, depth)
        return cutoff.astype(np.float64), mean

    return [
        (role, name, *scene.evaluation.derived(pair, ("ndcg by cutoff", depth), by_cutoff))
        for role, name, pair in _pairs(scene)
    ]


def curve_depth(scene: Scene) -> int:
    """How deep the curve by cutoff goes: fifty ranks, or twice the cutoff, as far as the runs go."""
    return max(1, min(scene.depth, max(LEAST_CURVE_DEPTH, 2 * scene.cutoff)))


def warm_curves(scene: Scene) -> None:
    """Compute the averaged curves of the shown runs; any thread may."""
    _averaged(scene)
    _by_cutoff(scene)

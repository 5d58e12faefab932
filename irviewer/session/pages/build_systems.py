"""Builds the Systems place's page from a scene: means, what is best, differences, averaged curves. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.figures.axes import mean_of
from irviewer.figures.by_cutoff import by_cutoff_figure
from irviewer.figures.figure import Figure, Role
from irviewer.figures.precision_recall import averaged_precision_recall_figure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.measure import Measure
from irviewer.model.statistics.changes import ratios
from irviewer.model.unmatched import told
from irviewer.session.compared import Compared
from irviewer.session.curve_rules import averaged, by_cutoff, curve_rules, queries_counted
from irviewer.session.pages.build_query import best_places, measure_tooltip
from irviewer.session.pages.build_statistics import build_statistics
from irviewer.session.pages.systems import MeasureColumn, SystemsPage, SystemsStatistics
from irviewer.session.query_filter import Columns, FilterError, matches, parse_filter
from irviewer.session.scene import Scene
from irviewer.session.scene_caveats import share_caveats
from irviewer.session.zscored import called, is_zscored

STEEPNESS = 5
"""The power that makes the shade steepest among the best, where the contest is."""

LEAST_CURVE_DEPTH = 50


def build_systems(
    scene: Scene,
    measures: Sequence[Measure],
    baseline: Compared | None = None,
    pairs: Compared | None = None,
    *,
    hidden: frozenset[str] = frozenset(),
    curves: tuple[Figure, Figure] | None = None,
) -> SystemsPage:
    """The page with ``measures`` as columns, sorted as the choices say (None: the chosen measure, best first) and
    filtered; with the statistics of the chosen measure where its comparisons are given. ``curves`` are the scene's
    :func:`build_curves` where they are there already."""
    curves = curves or build_curves(scene)
    runs = scene.collection.runs
    means = np.array([[scene.mean(entry, one) for one in measures] for entry in runs], dtype=np.float64)
    means = means.reshape(len(runs), len(measures))
    chosen = np.array([scene.mean(entry, scene.measure) for entry in runs], dtype=np.float64)
    delta = _delta(scene, chosen)
    column, descending = scene.choices.systems_sort or (str(scene.measure), scene.measure.higher_is_better)
    statistics = None if baseline is None else _statistics(scene, baseline, pairs)
    treated = scene.treated(scene.measure)
    weights = (
        scene.collection.weights if scene.weights is not None and treated.aggregate in ("mean", "geometric") else None
    )
    weighted = None
    if weights is not None:
        weighted = np.array([scene.weighted_mean(entry, scene.measure) for entry in runs], dtype=np.float64)
    shares = scene.reached
    reached = None if shares is None else np.array([shares[entry.key] for entry in runs], dtype=np.float64)
    own = {"weighted": weighted, "reached": reached}
    order = _order(scene, measures, means, own, delta, column, descending, statistics)
    keep, trouble = _kept(scene, measures, means, own, delta, statistics)
    order = order[keep[order]]
    best = np.zeros(means.shape, dtype=np.bool_)
    heat = np.zeros(means.shape)
    counts = [scene.treated(one).counts and not is_zscored(scene, one) for one in measures]
    for place, one in enumerate(measures):
        best[list(best_places(means[:, place].tolist(), scene.treated(one))), place] = True
        if not counts[place]:
            heat[:, place] = shade(means[:, place], one.higher_is_better)
    graded = scene.judgments is not None and scene.judgments.qrels.is_graded
    labels = tuple(scene.labels.values())
    return SystemsPage(
        title=_title(len(order), len(runs)),
        note=_note(scene, statistics),
        runs=tuple(labels[place] for place in order),
        columns=tuple(
            MeasureColumn(
                str(one),
                called(scene, one, one.label(graded, scene.options.level, short=True)),
                measure_tooltip(one, scene.treated(one), graded, scene.options.level),
                counts[place],
                one.higher_is_better,
                one == scene.measure,
            )
            for place, one in enumerate(measures)
        ),
        means=frozen(means[order]),
        best=frozen(best[order]),
        heat=frozen(heat[order]),
        delta=frozen(delta[order]),
        delta_label=f"{scene.delta_word} {called(scene, scene.measure)}",
        ratio=scene.geometric,
        sort=(column, descending),
        precision_recall=curves[0],
        by_cutoff=curves[1],
        caveats=scene.caveats,
        explanation=scene.explanation,
        statistics=None if statistics is None else statistics.at(order),
        hidden=hidden,
        filter=scene.choices.systems_filter,
        filter_error=trouble,
        reached=None if reached is None else frozen(reached[order]),
        weighted=None if weighted is None else frozen(weighted[order]),
        weighted_by="" if weights is None else weights.how or "weights",
    )


def build_curves(scene: Scene) -> tuple[Figure, Figure]:
    """The averaged curves of the shown runs: precision by recall, the measure by cutoff."""
    queries, note = queries_counted(scene), curve_rules(scene).note
    by_recall = averaged_precision_recall_figure(_averaged(scene), queries)
    return by_recall, by_cutoff_figure(_by_cutoff(scene), scene.cutoff, queries, note=note)


def _title(shown: int, runs: int) -> str:
    count = f"{runs:,} system" + ("" if runs == 1 else "s")
    return count if shown == runs else f"{shown:,} of {count}"


def _kept(
    scene: Scene,
    measures: Sequence[Measure],
    means: Floats,
    own: Mapping[str, Floats | None],
    delta: Floats,
    statistics: SystemsStatistics | None,
) -> tuple[Bools, str]:
    """bool[R]: the runs that the filter lets through; all of them, and why, where it cannot be read."""
    runs = scene.collection.runs
    everything = np.ones(len(runs), dtype=np.bool_)
    text = scene.choices.systems_filter
    if not text.strip():
        return everything, ""
    nothing = np.full(len(runs), np.nan)
    values = {str(one): means[:, place] for place, one in enumerate(measures)}
    values["p"] = nothing if statistics is None else statistics.p
    values["1st"] = nothing if statistics is None or statistics.first is None else statistics.first
    values |= {name: one for name, one in own.items() if one is not None}
    names = tuple(entry.name for entry in runs)
    shown = ratios(delta) if scene.geometric else delta
    columns = Columns(names, ("",) * len(runs), None, shown, None, values)
    try:
        return matches(parse_filter(text), columns), ""
    except FilterError as error:
        return everything, str(error)


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


def _statistics(scene: Scene, baseline: Compared, pairs: Compared | None) -> SystemsStatistics:
    """Of the runs in their order; nothing is told of those that the qrels know nothing of."""
    keys = [entry.key for entry in scene.collection.runs]
    found = build_statistics(baseline, pairs, [key for key in keys if key in baseline.keys])
    elsewhere = (*told(tuple(scene.strangers.values())), *share_caveats(scene))  # in the bar, in the status line
    found = replace(found, warnings=tuple(said for said in found.warnings if said not in elsewhere))
    if len(keys) == len(baseline.keys):
        return found
    places = {key: place for place, key in enumerate(key for key in keys if key in baseline.keys)}
    return found.at(np.array([places.get(key, -1) for key in keys], dtype=np.int64))


def _delta(scene: Scene, chosen: Floats) -> Floats:
    keys = [entry.key for entry in scene.collection.runs]
    if scene.baseline is None or scene.baseline in scene.strangers:
        return np.full(len(keys), np.nan)
    place = keys.index(scene.baseline)
    levels = scene.levels(chosen)
    delta = levels - levels[place]
    delta[place] = np.nan
    delta[[key in scene.strangers for key in keys]] = np.nan
    return np.asarray(delta, dtype=np.float64)


def _order(
    scene: Scene,
    measures: Sequence[Measure],
    means: Floats,
    own: Mapping[str, Floats | None],
    delta: Floats,
    column: str,
    descending: bool,
    statistics: SystemsStatistics | None,
) -> Ints:
    """int64[R]: rows in the table's order. Equal values keep the person's order; NaN stands last either way."""
    count = len(means)
    if column == "run":
        names = [entry.name.casefold() for entry in scene.collection.runs]
        return np.array(sorted(range(count), key=names.__getitem__, reverse=descending), dtype=np.int64)
    texts = [str(one) for one in measures]
    column = {"interval": "delta", "outcomes": "delta", "group": str(scene.measure)}.get(column, column)
    if column == "delta":
        # The baseline's own difference is shown as a word, but it is 0 and stands between better and worse.
        values = np.nan_to_num(delta, nan=0.0)
    elif column in texts:
        values = means[:, texts.index(column)]
    elif (asked := own.get(column)) is not None:
        values = asked
    elif column == "p" and statistics is not None:
        values = statistics.p
    elif column == "first" and statistics is not None and statistics.first is not None:
        values = statistics.first
    else:
        return np.arange(count)
    keys = np.where(np.isnan(values), np.inf, -values if descending else values)
    reached = own.get("reached")
    if reached is None or column != str(scene.measure):
        return np.argsort(keys, kind="stable")
    # Of those that have no mean for reaching too little, who reaches more stands before.
    return np.lexsort((-np.nan_to_num(reached), keys))


def _means(scene: Scene) -> str:
    """What the means are over; of Z-scores the queries that have one, by the chosen measure."""
    if not is_zscored(scene, scene.measure):
        return mean_of(queries_counted(scene))
    found = [scene.counted(entry, scene.measure) for entry in scene.collection.runs]
    kept = [one if scene.within is None else one & scene.within for one in found if one is not None]
    numbers = [int(np.count_nonzero(one)) for one in kept]
    return f"{called(scene, scene.measure)}: {mean_of((min(numbers), max(numbers)) if numbers else 0)}"


def _note(scene: Scene, statistics: SystemsStatistics | None) -> str:
    if scene.judgments is None:
        return ""
    parts = [_means(scene) + (f" of {scene.query_set.name}" if scene.query_set is not None else "")]
    if scene.baseline is not None and len(scene.collection.runs) > 1:
        parts.append(f"{scene.delta_word} against ★")
    if scene.judgments.qrels.is_graded:
        parts.append(f"≥{scene.options.level:g}: relevant from grade {scene.options.level:g}")
    if len(scene.collection.runs) > 1:
        parts.append("bold: the best mean")
    parts.append("shade by column, steepest among the best")
    return " · ".join(parts)


def _averaged(scene: Scene) -> list[tuple[Role, str, Floats, Floats]]:
    found = [(entry, averaged(scene, entry)) for entry in scene.shown_runs]
    return [(Role("run", entry.key), entry.name, *curve) for entry, curve in found if curve is not None]


def _by_cutoff(scene: Scene) -> list[tuple[Role, str, Floats, Floats]]:
    found = [(entry, by_cutoff(scene, entry, curve_depth(scene))) for entry in scene.shown_runs]
    return [(Role("run", entry.key), entry.name, *curve) for entry, curve in found if curve is not None]


def curve_depth(scene: Scene) -> int:
    """How deep the curve by cutoff goes: fifty ranks, or twice the cutoff, as far as the runs go."""
    return max(1, min(scene.depth, max(LEAST_CURVE_DEPTH, 2 * scene.cutoff)))


def warm_curves(scene: Scene) -> None:
    """Compute the averaged curves of the shown runs; any thread may."""
    _averaged(scene)
    _by_cutoff(scene)

"""The Systems place: runs x measures, differences to the baseline, and the averaged curves of the shown runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from irviewer.analysis.statistics.corrections import CORRECTIONS
from irviewer.analysis.statistics.intervals import INTERVALS
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.test_results import TESTS
from irviewer.figures.axes import mean_of, ratio_end
from irviewer.figures.figure import Figure, Role
from irviewer.figures.measure_by_cutoff import by_cutoff_figure
from irviewer.figures.precision_recall import averaged_precision_recall_figure
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.number_text import limit, percent
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.curves.rules import averaged, by_cutoff, curve_rules, queries_counted
from irviewer.session.evaluation.caveats import find_caveats, share_caveats
from irviewer.session.evaluation.context import EvaluationContext
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.text.filter import Columns, FilterError, matches, parse_filter
from irviewer.session.view_models.query import best_places, measure_tooltip

T = TypeVar("T")

STATISTICS = {
    "reached": "the share of queries on which the measure is reached",
    "weighted": "the mean by the queries' weights",
    "interval": "the interval of Δ",
    "p": "p of Δ",
    "outcomes": "queries better · equal · worse",
    "group": "groups of runs within which the test shows no difference",
    "first": "how often the run comes first",
}
"""Columns of statistics by name, in the order of the table; a person hides those that they do not want."""


@dataclass(frozen=True)
class MeasureColumn:
    """One measure as a column: its canonical name, a short header, what it rewards (tooltip), and how to read it."""

    measure: str
    label: str
    tooltip: str
    counts: bool = False
    higher_is_better: bool = True
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class SystemsStatistics:
    """The chosen measure of R runs beside the baseline's, in the table's order; NaN and "" for the baseline itself.

    low, high            float64[R]: the interval of the mean difference; ``scale`` how far its axis goes both ways
    p                    float64[R]: of the test that decides, after the correction that ``p_title`` names; ``shown``
                         bool[R] where it shows a difference, which is bold
    outcomes, verdicts   queries better, equal, worse; the verdict in words
    mean_low, mean_high  float64[R]: the interval of each run's own mean
    letters              of all pairs: between runs that share a letter the test shows no difference; ``letters_tip``
                         names it and its family. None until all pairs are compared
    looked_at, warnings  all tests that were computed; what a person has to be told
    notes                what a file of the table has to tell: the warnings, and what the window says elsewhere
    first                float64[R]: in which share of bootstrap samples of the queries the run's mean is the best
    """

    low: Floats
    high: Floats
    scale: float
    p: Floats
    shown: Bools
    p_title: str
    p_tip: str
    interval_title: str
    interval_tip: str
    outcomes: tuple[str, ...]
    verdicts: tuple[str, ...]
    mean_low: Floats
    mean_high: Floats
    letters: tuple[str, ...] | None
    letters_tip: str
    looked_at: tuple[str, ...]
    warnings: tuple[str, ...]
    first: Floats | None = None
    notes: tuple[str, ...] = ()

    def at(self, places: Ints) -> SystemsStatistics:
        """The same for some runs, in another order: int64 places, -1 for a run of which nothing is told."""

        def some(cells: tuple[T, ...] | None) -> tuple[T, ...] | None:
            return (
                None
                if cells is None
                else tuple(cells[place] if place >= 0 else type(cells[0])() for place in places.tolist())
            )

        def each(values: Floats) -> Floats:
            return frozen(np.where(places >= 0, values[places], np.nan))

        return replace(
            self,
            low=each(self.low),
            high=each(self.high),
            p=each(self.p),
            shown=frozen((places >= 0) & self.shown[places]),
            outcomes=some(self.outcomes) or (),
            verdicts=some(self.verdicts) or (),
            mean_low=each(self.mean_low),
            mean_high=each(self.mean_high),
            letters=some(self.letters),
            first=None if self.first is None else each(self.first),
        )


@dataclass(frozen=True, eq=False)
class SystemsViewModel:
    """R runs x M measures, in the order the table shows them.

    runs     the runs, sorted as the person asked
    means    float64[R, M]; NaN where there is no value
    best     bool[R, M]: bold, the best mean, which claims nothing (every run that ties for it; none where all are
             equal)
    heat     float64[R, M] in 0..1, how dark the cell is, steepest among the best
    delta    float64[R] of the chosen measure against the baseline; NaN for the baseline or without one. With ``ratio``
             the natural logarithm of the ratio of geometric means, which is shown; so are the interval's ends
    sort     (measure, "run", "delta" or "" for the person's own order; descending)
    explanation   what is missing (no runs, no judgments), "" where nothing is
    statistics    of the chosen measure; None where there are none, or until they are computed
    pending       statistics, or those of all pairs, are still to come
    hidden        columns of statistics that the person does not want to see
    reached       float64[R]: on which share of its queries a run reaches a value of the chosen measure; None where all
                  runs always do. A run that does not has no mean
    weighted      float64[R]: the chosen measure's mean by the queries' weights; None without weights. ``weighted_by``
                  says whence they are
    open_to_judging   keys of the runs whose delta could be turned round by judging what is unjudged
    """

    title: str
    note: str
    runs: tuple[RunLabel, ...]
    columns: tuple[MeasureColumn, ...]
    means: Floats
    best: Bools
    heat: Floats
    delta: Floats
    delta_label: str
    sort: tuple[str, bool]
    precision_recall: Figure
    by_cutoff: Figure
    caveats: tuple[str, ...]
    explanation: str = ""
    statistics: SystemsStatistics | None = None
    hidden: frozenset[str] = frozenset()
    filter: str = ""
    filter_error: str = ""
    reached: Floats | None = None
    weighted: Floats | None = None
    weighted_by: str = ""
    open_to_judging: frozenset[int] = frozenset()
    pending: bool = False
    ratio: bool = False


# What the Systems table says of statistics: intervals, corrected p-values, groups. From comparisons; draws nothing.

WIDER = 3.0
"""The scale grows past half of the runs as long as the next one is at most so much wider."""


def build_statistics(baseline: Compared, pairs: Compared | None, order: list[int]) -> SystemsStatistics:
    """The runs in the table's order, ``order`` their keys. The baseline's own cells are NaN and empty."""
    from irviewer.analysis.statistics.warnings import MissingQueriesWarning, SetWarning

    found = baseline.comparison
    at = {int(run): place for place, run in enumerate(found.first.tolist())}
    places = [at.get(baseline.keys.index(key), -1) for key in order]
    runs = [baseline.keys.index(key) for key in order]
    column, shown = found.column(), found.shown()
    what = "the ratio to" if found.geometric else "the mean difference from"
    outcomes = [(found.wins[place], found.ties[place], found.losses[place]) if place >= 0 else None for place in places]
    title = CORRECTIONS[found.correction]
    family = (
        "all pairs" if TESTS[column.test].family else title and f"{title} of {len(found)}" if len(found) > 1 else ""
    )
    low, high = _column(found.difference_low, places), _column(found.difference_high, places)
    return SystemsStatistics(
        low=low,
        high=high,
        scale=scale_of(low, high, found.geometric),
        p=_column(column.corrected, places),
        shown=frozen(np.array([place >= 0 and bool(shown[place]) for place in places], dtype=np.bool_)),
        p_title=f"p, {family}" if family else "p",
        p_tip=f"of {found.measure}: {found.decided_by()}; bold where it shows a difference",
        interval_title=f"{percent(found.level)} interval of {'the ratio' if found.geometric else 'Δ'}",
        interval_tip=f"{INTERVALS[found.interval]} of {what} the baseline ★",
        outcomes=tuple("" if one is None else " · ".join(f"{part:,}" for part in one) for one in outcomes),
        verdicts=tuple("" if place < 0 else found.pair(place).verdict for place in places),
        mean_low=frozen(found.low[runs]),
        mean_high=frozen(found.high[runs]),
        letters=None if pairs is None else _letters(pairs, order),
        letters_tip="" if pairs is None else pairs.comparison.grouping,
        looked_at=(*found.looked_at, *(() if pairs is None else _of_pairs(pairs))),
        # The query set stands in the note, what runs lack among the caveats.
        warnings=tuple(
            warning
            for warning in found.warnings
            if not isinstance(warning, SetWarning)
            and not (isinstance(warning, MissingQueriesWarning) and warning.as_zero)
        ),
        notes=found.warnings,
        first=None if pairs is None else _first(pairs, order),
    )


def _of_pairs(pairs: Compared) -> tuple[str, ...]:
    """What the columns of groups and of first places are of."""
    comparison = pairs.comparison
    found = (f"group: {comparison.decided_by()}, p < {limit(comparison.alpha)}",)
    stable = pairs.stability
    if stable is None:
        return found
    drawn = f"{stable.samples:,} bootstrap samples of the {stable.queries:,} queries that every run has"
    return (*found, f"1st: {drawn}, seed {stable.seed}")


def scale_of(low: Floats, high: Floats, geometric: bool = False) -> float:
    """How far the axis of the intervals goes to both sides: it holds half of the runs, and the next ones as long as
    they are not much wider: where the contest is. 0 where there is none. With ``geometric`` the ends are logarithms of
    ratios, and the axis ends at a round one."""
    reach = np.sort(np.fmax(np.abs(low), np.abs(high)))
    reach = reach[np.isfinite(reach)]
    if not len(reach) or reach[-1] <= 0:
        return 0.0
    place = (len(reach) - 1) // 2
    while place + 1 < len(reach) and reach[place + 1] <= WIDER * max(float(reach[place]), 1e-12):
        place += 1
    wanted = float(reach[place]) or float(reach[-1])
    if geometric:
        return ratio_end(wanted)
    power = 10.0 ** np.floor(np.log10(wanted))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(next(step * power for step in steps if step * power >= wanted * (1 - 1e-9)))


def _column(values: Floats, places: list[int]) -> Floats:
    return frozen(np.array([values[place] if place >= 0 else np.nan for place in places], dtype=np.float64))


def _first(pairs: Compared, order: list[int]) -> Floats | None:
    stability = pairs.stability
    return None if stability is None else frozen(stability.first[[pairs.keys.index(key) for key in order]])


def _letters(pairs: Compared, order: list[int]) -> tuple[str, ...] | None:
    letters = pairs.letters
    return None if letters is None else tuple(letters[pairs.keys.index(key)] for key in order)


# Builds the Systems place's view model from a context: means, what is best, differences, averaged curves. Draws
# nothing.

STEEPNESS = 5
"""The power that makes the shade steepest among the best, where the contest is."""

LEAST_CURVE_DEPTH = 50


def build_systems_view_model(
    context: EvaluationContext,
    measures: Sequence[Measure],
    baseline: Compared | None = None,
    pairs: Compared | None = None,
    *,
    hidden: frozenset[str] = frozenset(),
    curves: tuple[Figure, Figure] | None = None,
) -> SystemsViewModel:
    """The view model with ``measures`` as columns, sorted as the choices say (None: the chosen measure, best first) and
    filtered; with the statistics of the chosen measure where its comparisons are given. ``curves`` are the context's
    :func:`build_curves` where they are there already."""
    curves = curves or build_curves(context)
    runs = context.collection.runs
    means = np.array([[context.mean(entry, one) for one in measures] for entry in runs], dtype=np.float64)
    means = means.reshape(len(runs), len(measures))
    chosen = np.array([context.mean(entry, context.measure) for entry in runs], dtype=np.float64)
    delta = _delta(context, chosen)
    column, descending = context.choices.systems_sort or (str(context.measure), context.measure.higher_is_better)
    statistics = None if baseline is None else _statistics(context, baseline, pairs)
    treated = context.treated(context.measure)
    weights = (
        context.collection.weights
        if context.weights is not None and treated.aggregate in ("mean", "geometric")
        else None
    )
    weighted = None
    if weights is not None:
        weighted = np.array([context.weighted_mean(entry, context.measure) for entry in runs], dtype=np.float64)
    shares = context.reached
    reached = None if shares is None else np.array([shares[entry.key] for entry in runs], dtype=np.float64)
    own = {"weighted": weighted, "reached": reached}
    order = _order(context, measures, means, own, delta, column, descending, statistics)
    keep, trouble = _kept(context, measures, means, own, delta, statistics)
    order = order[keep[order]]
    best = np.zeros(means.shape, dtype=np.bool_)
    heat = np.zeros(means.shape)
    counts = [context.treated(one).counts and not is_zscored(context, one) for one in measures]
    for place, one in enumerate(measures):
        best[list(best_places(means[:, place].tolist(), context.treated(one))), place] = True
        if not counts[place]:
            heat[:, place] = shade(means[:, place], one.higher_is_better)
    graded = context.judgments is not None and context.judgments.qrels.is_graded
    labels = tuple(context.labels.values())
    return SystemsViewModel(
        title=_title(len(order), len(runs)),
        note=_note(context, statistics),
        runs=tuple(labels[place] for place in order),
        columns=tuple(
            MeasureColumn(
                str(one),
                called(context, one, one.label(graded, context.options.level, short=True)),
                measure_tooltip(one, context.treated(one), graded, context.options.level),
                counts[place],
                one.higher_is_better,
                one == context.measure,
            )
            for place, one in enumerate(measures)
        ),
        means=frozen(means[order]),
        best=frozen(best[order]),
        heat=frozen(heat[order]),
        delta=frozen(delta[order]),
        delta_label=f"{context.delta_word} {called(context, context.measure)}",
        ratio=context.geometric,
        sort=(column, descending),
        precision_recall=curves[0],
        by_cutoff=curves[1],
        caveats=find_caveats(context),
        explanation=context.explanation,
        statistics=None if statistics is None else statistics.at(order),
        hidden=hidden,
        filter=context.choices.systems_filter,
        filter_error=trouble,
        reached=None if reached is None else frozen(reached[order]),
        weighted=None if weighted is None else frozen(weighted[order]),
        weighted_by="" if weights is None else weights.how or "weights",
    )


def build_curves(context: EvaluationContext) -> tuple[Figure, Figure]:
    """The averaged curves of the shown runs: precision by recall, the measure by cutoff."""
    queries, note = queries_counted(context), curve_rules(context).note
    by_recall = averaged_precision_recall_figure(_averaged(context), queries)
    return by_recall, by_cutoff_figure(_by_cutoff(context), context.cutoff, queries, note=note)


def _title(shown: int, runs: int) -> str:
    count = f"{runs:,} system" + ("" if runs == 1 else "s")
    return count if shown == runs else f"{shown:,} of {count}"


def _kept(
    context: EvaluationContext,
    measures: Sequence[Measure],
    means: Floats,
    own: Mapping[str, Floats | None],
    delta: Floats,
    statistics: SystemsStatistics | None,
) -> tuple[Bools, str]:
    """bool[R]: the runs that the filter lets through; all of them, and why, where it cannot be read."""
    runs = context.collection.runs
    everything = np.ones(len(runs), dtype=np.bool_)
    text = context.choices.systems_filter
    if not text.strip():
        return everything, ""
    nothing = np.full(len(runs), np.nan)
    values = {str(one): means[:, place] for place, one in enumerate(measures)}
    values["p"] = nothing if statistics is None else statistics.p
    values["1st"] = nothing if statistics is None or statistics.first is None else statistics.first
    values |= {name: one for name, one in own.items() if one is not None}
    names = tuple(entry.name for entry in runs)
    shown = ratios(delta) if context.geometric else delta
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


def _statistics(context: EvaluationContext, baseline: Compared, pairs: Compared | None) -> SystemsStatistics:
    """Of the runs in their order; nothing is told of those that the qrels know nothing of."""
    keys = [entry.key for entry in context.collection.runs]
    found = build_statistics(baseline, pairs, [key for key in keys if key in baseline.keys])
    elsewhere = (
        *unmatched_warnings(tuple(context.strangers.values())),
        *share_caveats(context),
    )  # in the bar, in the status line
    found = replace(found, warnings=tuple(said for said in found.warnings if said not in elsewhere))
    if len(keys) == len(baseline.keys):
        return found
    places = {key: place for place, key in enumerate(key for key in keys if key in baseline.keys)}
    return found.at(np.array([places.get(key, -1) for key in keys], dtype=np.int64))


def _delta(context: EvaluationContext, chosen: Floats) -> Floats:
    keys = [entry.key for entry in context.collection.runs]
    if context.baseline is None or context.baseline in context.strangers:
        return np.full(len(keys), np.nan)
    place = keys.index(context.baseline)
    levels = context.levels(chosen)
    delta = levels - levels[place]
    delta[place] = np.nan
    delta[[key in context.strangers for key in keys]] = np.nan
    return np.asarray(delta, dtype=np.float64)


def _order(
    context: EvaluationContext,
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
        names = [entry.name.casefold() for entry in context.collection.runs]
        return np.array(sorted(range(count), key=names.__getitem__, reverse=descending), dtype=np.int64)
    texts = [str(one) for one in measures]
    column = {"interval": "delta", "outcomes": "delta", "group": str(context.measure)}.get(column, column)
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
    if reached is None or column != str(context.measure):
        return np.argsort(keys, kind="stable")
    # Of those that have no mean for reaching too little, who reaches more stands before.
    return np.lexsort((-np.nan_to_num(reached), keys))


def _means(context: EvaluationContext) -> str:
    """What the means are over; of Z-scores the queries that have one, by the chosen measure."""
    if not is_zscored(context, context.measure):
        return mean_of(queries_counted(context))
    found = [context.counted(entry, context.measure) for entry in context.collection.runs]
    kept = [one if context.within is None else one & context.within for one in found if one is not None]
    numbers = [int(np.count_nonzero(one)) for one in kept]
    return f"{called(context, context.measure)}: {mean_of((min(numbers), max(numbers)) if numbers else 0)}"


def _note(context: EvaluationContext, statistics: SystemsStatistics | None) -> str:
    if context.judgments is None:
        return ""
    parts = [_means(context) + (f" of {context.query_set.name}" if context.query_set is not None else "")]
    if context.baseline is not None and len(context.collection.runs) > 1:
        parts.append(f"{context.delta_word} against ★")
    if context.judgments.qrels.is_graded:
        parts.append(f"≥{context.options.level:g}: relevant from grade {context.options.level:g}")
    if len(context.collection.runs) > 1:
        parts.append("bold: the best mean")
    parts.append("shade by column, steepest among the best")
    return " · ".join(parts)


def _averaged(context: EvaluationContext) -> list[tuple[Role, str, Floats, Floats]]:
    found = [(entry, averaged(context, entry)) for entry in context.shown_runs]
    return [(Role("run", entry.key), entry.name, *curve) for entry, curve in found if curve is not None]


def _by_cutoff(context: EvaluationContext) -> list[tuple[Role, str, Floats, Floats]]:
    found = [(entry, by_cutoff(context, entry, curve_depth(context))) for entry in context.shown_runs]
    return [(Role("run", entry.key), entry.name, *curve) for entry, curve in found if curve is not None]


def curve_depth(context: EvaluationContext) -> int:
    """How deep the curve by cutoff goes: fifty ranks, or twice the cutoff, as far as the runs go."""
    return max(1, min(context.depth, max(LEAST_CURVE_DEPTH, 2 * context.cutoff)))


def warm_curves(context: EvaluationContext) -> None:
    """Compute the averaged curves of the shown runs; any thread may."""
    _averaged(context)
    _by_cutoff(context)

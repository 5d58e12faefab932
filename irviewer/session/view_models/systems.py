"""The view model of Systems: runs x measures, differences to the baseline, and the averaged curves of the shown
runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from irviewer.analysis.statistics.intervals import INTERVALS, LEVEL
from irviewer.analysis.statistics.log_ratios import ratios
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.analysis.statistics.significance.test_results import TESTS
from irviewer.evaluation.answer_cautions import why_undefined
from irviewer.evaluation.bind import Standing
from irviewer.figures.axes import mean_of, ratio_end
from irviewer.figures.figure import Curve, Figure, Role
from irviewer.figures.measure_by_cutoff import by_cutoff_figure
from irviewer.figures.precision_recall import averaged_precision_recall_figure
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.attributes.queries import natural_key, value_text
from irviewer.model.attributes.tables import run_table_names, shown_columns
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.number_text import level_text, limit, quantity
from irviewer.model.workspace import RunEntry
from irviewer.rendering.run_label import RunLabel
from irviewer.session.comparison.result import Compared
from irviewer.session.curves.rules import averaged, by_cutoff, curve_rules, drawn, queries_counted, to_average
from irviewer.session.evaluation.caveats import find_caveats, share_caveats
from irviewer.session.evaluation.context import EvaluationContext, PairMeans, values_only
from irviewer.session.evaluation.default_measures import judged_share_at
from irviewer.session.evaluation.zscores import called, is_zscored
from irviewer.session.runs.colours import MANY_SYSTEMS
from irviewer.session.view_models.late_texts import LateTexts
from irviewer.session.view_models.query import EQUAL, best_places, measure_tooltip
from irviewer.tables.column import ComparisonFamily
from irviewer.tables.filter import SYSTEMS_GRAMMAR, Columns, FilterError, matches, parse_filter, with_attributes
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.statistics.comparison import Comparison
    from irviewer.analysis.statistics.run_comparison import RunComparison

T = TypeVar("T")

UNTESTED = ComparisonFamily("runs", 0, "")
"""The family of differences that no test was made of."""

OUTCOMES = ("better", "same", "worse")
"""What the declared test shows of a run: better or worse than the baseline, or not told apart from it."""

STATISTICS = {
    "rank": tr("Rank by the measure in view"),
    "judged": tr("Share of judged documents down to the cutoff"),
    "reached": tr("Share of queries on which the measure is reached"),
    "weighted": tr("Mean weighted by the query weights"),
    "interval": tr("Confidence interval of Δ"),
    "p": tr("p-value of Δ"),
    "outcomes": tr("Number of queries better · equal · worse"),
    "group": tr("Groups of runs between which the test shows no difference, where all pairs are the family"),
    "first": tr("How often the run comes first"),
}
"""The columns of statistics and their meanings, in the order of the table; the user may hide them."""
NO_FIRST = tr("How often a run comes first (1st) is not shown: it would draw single queries, not units.")


@dataclass(frozen=True)
class MeasureColumn:
    """A measure as a column: its canonical name, a short header, a tooltip, and how to read its values."""

    measure: str
    label: str
    tooltip: str
    counts: bool = False
    higher_is_better: bool = True
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class RunAttributeColumn:
    """An attribute of R runs as a column: its name, texts ("" without a value), and float64[R] numbers (NaN for none),
    which are None of a category."""

    name: str
    texts: tuple[str, ...]
    numbers: Floats | None


@dataclass(frozen=True, eq=False)
class SystemsStatistics:
    """Statistics of the selected measure for R runs against the baseline, in the order of the table; NaN and "" for the
    baseline itself.

    low, high            float64[R]: the interval of the mean difference, at the level ``confidence``; ``scale``: half
                         the length of its axis
    p                    float64[R]: of the declared test, after the correction that ``p_title`` names; ``shown``
                         bool[R]: where it shows a difference, drawn bold
    outcomes, conclusions   queries better, equal, worse; the conclusion in words
    mean_low, mean_high  float64[R]: the interval of each run's own mean
    letters              where the declared family is all pairs: between runs that share a letter the test shows no
                         difference; ``letters_tip`` names the test and its family. None until all pairs are compared
    looked_at, warnings  all tests that were computed; warnings for the user
    family               what the p-values were corrected for together
    notes                the notes of a saved table: the warnings, and what the window shows elsewhere
    first                float64[R]: the share of bootstrap samples of the queries in which the run has the best mean
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
    conclusions: LateTexts
    mean_low: Floats
    mean_high: Floats
    letters: tuple[str, ...] | None
    letters_tip: str
    looked_at: tuple[str, ...]
    warnings: tuple[str, ...]
    first: Floats | None = None
    notes: tuple[str, ...] = ()
    family: ComparisonFamily = UNTESTED
    confidence: float = LEVEL

    def at(self, places: Ints) -> SystemsStatistics:
        """Return the statistics of some runs in another order: int64 indices, -1 for a run without statistics."""

        def some(cells: tuple[T, ...] | None) -> tuple[T, ...] | None:
            return (
                None
                if cells is None
                else tuple(cells[position] if position >= 0 else type(cells[0])() for position in places.tolist())
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
            conclusions=self.conclusions.at(places.tolist()),
            mean_low=each(self.mean_low),
            mean_high=each(self.mean_high),
            letters=some(self.letters),
            first=None if self.first is None else each(self.first),
        )


@dataclass(frozen=True, eq=False)
class SystemsViewModel:
    """R runs x M measures, in the order of the table.

    runs     the runs in display order
    means    float64[R, M]; NaN for no value
    best     bool[R, M]: the best mean (all runs that tie for it; none if all are equal, or if runs lack queries and the
             difference over common queries says otherwise), drawn bold; no statement about significance
    heat     float64[R, M] in 0..1, darkness of the cell, steepest among the best
    delta    float64[R]: difference of the selected measure to the baseline over the queries that both have; NaN for the
             baseline or without one. With ``ratio`` the natural logarithm of the ratio of geometric means, as are the
             ends of the interval
    in_common   for each run both means behind ``delta`` in words, where they are over other queries than ``means``;
             "" otherwise
    sort     (measure, "run", "delta" or "" for the display order; descending)
    explanation   what is missing (runs, judgments); "" if nothing is
    statistics    of the selected measure; None if there are none, or until they are computed
    pending       whether statistics, or those of all pairs, are still computed
    hidden        the hidden columns of statistics
    reached       float64[R]: the share of its queries on which a run reaches a value of the selected measure; None if
                  all runs always do. A run that does not has no mean
    weighted      float64[R]: the mean of the selected measure by the query weights; None without weights.
                  ``weighted_by`` names their source
    no_values     why no system has a value of the selected measure; "" if one has
    ranks         the rank of each run by the selected measure among all systems that take part, "1=" where runs share
                  it; "" for a run without a mean, one that is left out, and an edited copy. () where there are few
    judged        float64[R]: the mean share of judged documents down to the cutoff; None where there are few systems
    outcomes      how many systems are better, not told apart and worse, in this order; () until the test is known
    outcome       which of them are shown, "" for all
    open_to_judging   keys of the runs whose difference could be reversed by judging unjudged documents
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
    ranks: tuple[str, ...] = ()
    judged: Floats | None = None
    outcomes: tuple[int, ...] = ()
    outcome: str = ""
    cutoff: int = 10
    explanation: str = ""
    no_values: str = ""
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
    in_common: tuple[str, ...] = ()
    filter_grammar: tuple[tuple[str, str], ...] = SYSTEMS_GRAMMAR
    attributes: tuple[RunAttributeColumn, ...] = ()


# --- statistics ---

WIDER = 3.0
"""The scale covers further runs while the next interval is at most this much wider."""


@lru_cache(maxsize=2)
def build_statistics(baseline: Compared, pairs: Compared | None, order: tuple[int, ...]) -> SystemsStatistics:
    """Return the statistics of the runs with the keys ``order``. The cells of the baseline are NaN and empty. Those in
    view are kept: the edit of a copy does not change them."""
    from irviewer.analysis.statistics.warnings import MissingQueriesWarning, SetWarning
    from irviewer.views.pairs import family_of

    comparison = baseline.comparison
    decision = comparison.pair(0).decision if len(comparison.first) else None
    at = {int(run): position for position, run in enumerate(comparison.first.tolist())}
    places = [at.get(baseline.keys.index(key), -1) for key in order]
    # With no query that both have a value for nothing was tested.
    compared = comparison.wins + comparison.ties + comparison.losses
    places = [place if place >= 0 and compared[place] else -1 for place in places]
    runs = [baseline.keys.index(key) for key in order]
    column, shown = comparison.column(), comparison.shown()
    outcomes = [
        (comparison.wins[place], comparison.ties[place], comparison.losses[place]) if place >= 0 else None
        for place in places
    ]
    low, high = _column(comparison.difference_low, places), _column(comparison.difference_high, places)
    return SystemsStatistics(
        low=low,
        high=high,
        scale=scale_of(low, high, comparison.geometric),
        p=_column(column.corrected, places),
        shown=frozen(np.array([place >= 0 and bool(shown[place]) for place in places], dtype=np.bool_)),
        p_title=_p_title(comparison),
        p_tip=tr(
            "{measure}: {test}. Bold: the test shows a difference.",
            measure=usual_name(comparison.measure),
            test=comparison.decided_by(),
        ),
        interval_title=tr("{level} interval of the ratio", level=level_text(comparison.confidence))
        if comparison.geometric
        else tr("{level} interval of Δ", level=level_text(comparison.confidence)),
        interval_tip=tr("{interval} of the ratio to the baseline ★", interval=INTERVALS[comparison.interval])
        if comparison.geometric
        else tr("{interval} of the mean difference to the baseline ★", interval=INTERVALS[comparison.interval]),
        outcomes=tuple("" if counts is None else outcome_words(*counts) for counts in outcomes),
        conclusions=LateTexts(
            len(places), lambda row: "" if places[row] < 0 else comparison.pair(places[row]).conclusion
        ),
        mean_low=frozen(comparison.low[runs]),
        mean_high=frozen(comparison.high[runs]),
        letters=None if pairs is None else _letters(pairs, order),
        letters_tip="" if pairs is None or pairs.letters is None else pairs.comparison.grouping,
        looked_at=(*comparison.looked_at, *(() if pairs is None else _of_pairs(pairs))),
        # The query set is in the note, missing queries are in the status line.
        warnings=(
            *(
                warning
                for warning in comparison.warnings
                if not isinstance(warning, SetWarning)
                and not (isinstance(warning, MissingQueriesWarning) and warning.as_zero)
            ),
            *((NO_FIRST,) if pairs is not None and pairs.stability is None and comparison.unit else ()),
        ),
        notes=comparison.warnings,
        first=None if pairs is None else _first(pairs, order),
        family=family_of("runs", decision, comparison.alpha),
        confidence=comparison.confidence,
    )


def outcome_words(better: int, equal: int, worse: int) -> str:
    """Return the numbers of queries on which a run is better, equal and worse."""
    return " · ".join(decimal(f"{count:,}") for count in (better, equal, worse))


def _p_title(comparison: Comparison) -> str:
    if TESTS[comparison.column().test].family:
        return tr("p, all pairs")
    title = CORRECTIONS[comparison.correction]
    n = comparison.column().comparisons
    return "p" if not title or n < 2 else tr("p, {correction} over {count}", correction=title, count=n)


def _of_pairs(pairs: Compared) -> tuple[str, ...]:
    """Return what was tested for the columns of groups and first places."""
    comparison, texts = pairs.comparison, []
    if pairs.letters is not None:
        group = tr("group: {test}, p < {alpha}", test=comparison.decided_by(), alpha=limit(comparison.alpha))
        texts.append(group)
    if pairs.stability is not None:
        texts.append(pairs.stability.looked_at)
    return tuple(texts)


def scale_of(low: Floats, high: Floats, geometric: bool = False) -> float:
    """Return half the length of the interval axis: it covers half of the runs, and further runs while their intervals
    are not much wider, so that the closest runs can be read; 0 without intervals. With ``geometric`` the ends are
    logarithms of ratios, and the axis ends at a round ratio."""
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


def _first(pairs: Compared, order: Sequence[int]) -> Floats | None:
    stability = pairs.stability
    return None if stability is None else frozen(stability.first[[pairs.keys.index(key) for key in order]])


def _letters(pairs: Compared, order: Sequence[int]) -> tuple[str, ...] | None:
    letters = pairs.letters
    return None if letters is None else tuple(letters[pairs.keys.index(key)] for key in order)


# --- the view model ---

STEEPNESS = 5
"""The exponent that makes the shade steepest among the best values."""

ATTRIBUTE = "attribute:"
"""What the ids of the columns of attributes begin with."""

LEAST_CURVE_DEPTH = 50


def build_systems_view_model(
    context: EvaluationContext,
    measures: Sequence[Measure],
    baseline: Compared | None = None,
    pairs: Compared | None = None,
    *,
    hidden: frozenset[str] = frozenset(),
    curves: tuple[Figure, Figure] | None = None,
    standing: Standing = "",
    copies: Mapping[int, RunComparison] | None = None,
) -> SystemsViewModel:
    """Return the view model with ``measures`` as columns, sorted and filtered by the choices (no sort: the selected
    measure, best first), with statistics if comparisons are given. ``curves`` are the result of :func:`build_curves`
    if it is known already. ``standing`` of the measure in view: a test of one that is not the primary shows nothing.
    ``copies``: the comparison of edited copies with the baseline by key, which have an interval and no p."""
    curves = curves or build_curves(context)
    runs = context.collection.runs
    means = np.array([[context.mean(entry, measure) for measure in measures] for entry in runs], dtype=np.float64)
    means = means.reshape(len(runs), len(measures))
    against = context.against_baseline
    delta = np.array([np.nan if pair is None else pair.difference for pair in against], dtype=np.float64)
    column, descending = context.choices.systems_sort or (str(context.measure), context.measure.higher_is_better)
    statistics = None if baseline is None else _standing(_statistics(context, baseline, pairs, copies or {}), standing)
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
    attributes = attribute_columns(context)
    order = _order(context, measures, means, own, delta, column, descending, statistics)
    if column.startswith(ATTRIBUTE):
        order = _by_attribute(attributes, column.removeprefix(ATTRIBUTE), descending, order)
    groups = context.run_groups
    if groups is not None:
        of = [groups.of[entry.name] for entry in runs]
        order = np.array(sorted(order.tolist(), key=of.__getitem__), dtype=np.int64)
    keep, trouble = _kept(context, measures, means, own, delta, statistics)
    systems = {entry.key for entry in context.taking_part}
    takes_part = np.array([entry.key in systems for entry in runs], dtype=np.bool_)
    outcomes = None if statistics is None or len(runs) < 2 else _outcomes(context, statistics, delta, takes_part)
    outcome = context.choices.systems_outcome
    if outcomes is not None and outcome in outcomes:
        keep &= outcomes[outcome]
        drawn = {entry.key for entry, kept in zip(runs, keep.tolist(), strict=True) if kept}
        curves = (_drawn(curves[0], drawn), _drawn(curves[1], drawn))
    order = order[keep[order]]
    many = len(context.system_runs) > MANY_SYSTEMS and context.judgments is not None
    ranks = _ranks(context, takes_part) if many else ()
    judged = _judged_shares(context) if many else None
    best = np.zeros(means.shape, dtype=np.bool_)
    heat = np.zeros(means.shape)
    counts = [context.treated(measure).counts and not is_zscored(context, measure) for measure in measures]
    for position, measure in enumerate(measures):
        # An edited copy is no system, and one that is left out takes no part: they take no bold from one, and no shade.
        ranked = np.where(takes_part, means[:, position], np.nan)
        best[list(best_places(ranked.tolist(), context.treated(measure))), position] = True
        if measure == context.measure and any(pair is not None and pair.apart for pair in against):
            best[:, position] = _without_contradiction(context, best[:, position], delta)
        if not counts[position]:
            heat[:, position] = shade(ranked, measure.higher_is_better)
    graded = context.judgments is not None and context.judgments.qrels.is_graded
    labels = tuple(context.labels.values())
    star = "" if context.baseline is None else context.labels[context.baseline].name
    in_common = [in_common_text(context, pair, labels[row].name, star) for row, pair in enumerate(against)]
    return SystemsViewModel(
        title=_title(order, takes_part, context),
        note=_note(context, statistics),
        runs=tuple(labels[place] for place in order),
        columns=tuple(
            MeasureColumn(
                str(measure),
                called(context, measure, measure.label(graded, context.options.level, short=True)),
                measure_tooltip(measure, context.treated(measure), graded, context.options.level),
                counts[position],
                measure.higher_is_better,
                measure == context.measure,
            )
            for position, measure in enumerate(measures)
        ),
        means=frozen(means[order]),
        best=frozen(best[order]),
        heat=frozen(heat[order]),
        delta=frozen(delta[order]),
        in_common=tuple(in_common[place] for place in order.tolist()),
        delta_label=f"{context.delta_word} {called(context, context.measure)}",
        ratio=context.geometric,
        sort=(column, descending),
        precision_recall=curves[0],
        by_cutoff=curves[1],
        caveats=find_caveats(context),
        explanation=context.explanation,
        no_values=_why_no_values(context),
        statistics=None if statistics is None else statistics.at(order),
        hidden=hidden,
        filter=context.choices.systems_filter,
        filter_error=trouble,
        filter_grammar=with_attributes(SYSTEMS_GRAMMAR, context.run_attributes),
        attributes=tuple(
            RunAttributeColumn(
                attribute.name,
                tuple(attribute.texts[row] for row in order.tolist()),
                None if attribute.numbers is None else frozen(attribute.numbers[order]),
            )
            for attribute in attributes
            if attribute.name in shown_run_columns(context)
        ),
        reached=None if reached is None else frozen(reached[order]),
        weighted=None if weighted is None else frozen(weighted[order]),
        weighted_by="" if weights is None else weights.how or tr("weights"),
        ranks=tuple(ranks[row] for row in order.tolist()) if ranks else (),
        judged=None if judged is None else frozen(judged[order]),
        outcomes=() if outcomes is None else tuple(int(np.count_nonzero(outcomes[name])) for name in OUTCOMES),
        outcome=outcome if outcomes is not None else "",
        cutoff=context.cutoff,
    )


def _why_no_values(context: EvaluationContext) -> str:
    """Return why no system has a value of the selected measure, "" if one has or nothing is judged."""
    judgments, measure = context.judgments, context.measure
    if judgments is None or not context.taking_part:
        return ""
    if not all(np.isnan(context.values(entry, measure)).all() for entry in context.taking_part):
        return ""
    entry = context.taking_part[0]
    reason = why_undefined(measure, entry.run, judgments.qrels, context.name_of(entry))
    no_run = tr("No run has a value of {measure}.", measure=called(context, measure))
    return " ".join(filter(None, (no_run, f"{reason}." if reason else "")))


def _outcomes(
    context: EvaluationContext, statistics: SystemsStatistics, delta: Floats, takes_part: Bools
) -> dict[str, Bools]:
    """Return which runs the test shows to be better and worse than the baseline, and which it does not tell apart, each
    bool[R]; the baseline, edited copies and runs that are left out are in none."""
    toward = delta if context.measure.higher_is_better else -delta
    compared = takes_part & np.array([entry.key != context.baseline for entry in context.collection.runs])
    shown = statistics.shown & np.isfinite(toward) & compared
    better, worse = shown & (toward > 0), shown & (toward < 0)
    return {"better": better, "same": compared & ~better & ~worse, "worse": worse}


def _drawn(figure: Figure, keys: set[int]) -> Figure:
    """Return the figure without the curves of other runs than these."""
    curves, others = (
        tuple(curve for curve in some if curve.role.kind != "run" or curve.role.run in keys)
        for some in (figure.curves, figure.others)
    )
    return replace(figure, curves=curves, others=others)


def _ranks(context: EvaluationContext, takes_part: Bools) -> tuple[str, ...]:
    """Return the rank of each run by the measure in view, 1 for the best: one more than the number of better systems,
    with "=" where several have it."""
    means = np.array([context.mean(entry, context.measure) for entry in context.collection.runs], dtype=np.float64)
    means = np.where(takes_part, means if context.measure.higher_is_better else -means, np.nan)
    with np.errstate(invalid="ignore"):
        better = (means[None, :] > means[:, None] + EQUAL).sum(axis=1)
        equal = (np.abs(means[None, :] - means[:, None]) <= EQUAL).sum(axis=1)
    return tuple(
        "" if np.isnan(mean) else f"{rank + 1}{'=' if others > 1 else ''}"
        for mean, rank, others in zip(means.tolist(), better.tolist(), equal.tolist(), strict=True)
    )


def _judged_shares(context: EvaluationContext) -> Floats:
    """Return float64[R]: the mean share of judged documents down to the cutoff."""
    measure = judged_share_at(context.cutoff)
    return np.array([context.mean(entry, measure) for entry in context.collection.runs], dtype=np.float64)


def build_curves(
    context: EvaluationContext, progress: Callable[[float], None] | None = None, *, known: bool = False
) -> tuple[Figure, Figure]:
    """Return the averaged curves of the shown runs: precision by recall, the measure by cutoff; ``known``: only of the
    runs whose curves are computed. May be called from any thread; ``progress`` takes fractions of 1 and raises if it is
    cancelled."""
    queries, note = queries_counted(context), curve_rules(context).note
    lacking = frozenset(entry.key for entry in lacking_curves(context)) if known else frozenset()
    entries = [entry for entry in drawn_runs(context) if entry.key not in lacking]
    recalls, cutoffs = _curves(context, entries, progress)
    by_recall = _apart(context, averaged_precision_recall_figure(recalls, queries))
    by_cutoff = _apart(context, by_cutoff_figure(cutoffs, context.cutoff, queries, note=note))
    values = [context.name_of(entry) for entry in context.shown_runs if entry.run.stored is not None]
    if values:
        said = values_only(values)
        by_recall = replace(by_recall, note=" · ".join(filter(None, (said, by_recall.note))))
        by_cutoff = replace(by_cutoff, note=" · ".join(filter(None, (said, by_cutoff.note))))
    return drawn(context, by_recall), drawn(context, by_cutoff)


def drawn_runs(context: EvaluationContext) -> tuple[RunEntry, ...]:
    """Return the runs that have a curve: those shown, and of many systems all."""
    if len(context.system_runs) <= MANY_SYSTEMS:
        return context.shown_runs
    return tuple(entry for entry in context.collection.runs if entry.key in context.shown or not entry.is_copy)


def _apart(context: EvaluationContext, figure: Figure) -> Figure:
    """Return a figure of all drawn runs with the curves of those without a colour apart."""
    shown = {key for key, label in context.labels.items() if label.shown and not label.grey}
    curves: list[Curve] = []
    others: list[Curve] = []
    for curve in figure.curves:
        (others if curve.role.kind == "run" and curve.role.run not in shown else curves).append(curve)
    if not others:
        return figure
    words = trn("{n:,} other in grey", "{n:,} others in grey", len(others))
    return replace(
        figure, curves=tuple(curves), others=tuple(others), note=" · ".join(filter(None, (words, figure.note)))
    )


def lacking_curves(context: EvaluationContext) -> list[RunEntry]:
    """Return the runs whose averaged curves are drawn and not computed yet."""
    return to_average(context, drawn_runs(context), curve_depth(context))


def _title(order: Ints, takes_part: Bools, context: EvaluationContext) -> str:
    """Return ``14 systems``, with the judge unless it is a human: ``14 systems, judged by UMBRELA, model``. Runs that
    the protocol leaves out and edited copies are counted apart."""
    shown, runs = int(np.count_nonzero(takes_part[order])), int(np.count_nonzero(takes_part))
    labels = tuple(context.labels.values())
    copies = sum(labels[place].is_copy for place in order.tolist())
    left_out = sum(labels[place].left_out for place in order.tolist())
    if shown == runs:
        systems = trn("{n:,} system", "{n:,} systems", runs)
    else:
        systems = trn("{shown:,} of {n:,} system", "{shown:,} of {n:,} systems", runs, shown=shown)
    if left_out:
        systems = trn("{systems}, {n:,} left out by the protocol", "{systems}, {n:,} left out by the protocol",
                      left_out, systems=systems)  # fmt: skip
    if copies:
        systems = trn("{systems}, {n:,} edited copy", "{systems}, {n:,} edited copies", copies, systems=systems)
    if context.judgments is None or not context.judgments.facts.is_other:
        return systems
    return tr("{systems}, judged by {judge}", systems=systems, judge=context.judgments.label)


def _kept(
    context: EvaluationContext,
    measures: Sequence[Measure],
    means: Floats,
    own: Mapping[str, Floats | None],
    delta: Floats,
    statistics: SystemsStatistics | None,
) -> tuple[Bools, str]:
    """Return which runs match the filter, bool[R], and the error in the filter, if any; then all runs match."""
    runs = context.collection.runs
    everything = np.ones(len(runs), dtype=np.bool_)
    text = context.choices.systems_filter
    if not text.strip():
        return everything, ""
    nothing = np.full(len(runs), np.nan)
    values = {str(measure): means[:, position] for position, measure in enumerate(measures)}
    values["p"] = nothing if statistics is None else statistics.p
    values["1st"] = nothing if statistics is None or statistics.first is None else statistics.first
    values |= {name: numbers for name, numbers in own.items() if numbers is not None}
    names = tuple(entry.name for entry in runs)
    shown = ratios(delta) if context.geometric else delta
    columns = Columns(names, ("",) * len(runs), None, shown, None, values, attributes=context.run_attributes)
    try:
        return matches(parse_filter(text), columns), ""
    except FilterError as error:
        return everything, str(error)


def shade(values: Floats, higher_is_better: bool = True) -> Floats:
    """Return the shades of values, float64[n]: 1 for the best, 0 for the worst and for NaN; all 0 if all are equal."""
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


def _standing(statistics: SystemsStatistics, standing: Standing) -> SystemsStatistics:
    """Return the statistics of a measure with this standing in the protocol: unless it is the primary one its test
    shows nothing, and its p-values say what they are."""
    if standing in ("", "primary"):
        return statistics
    if standing == "secondary":
        title = tr("{p}, secondary", p=statistics.p_title)
        reason = tr("Secondary: the primary measure of the protocol decides.")
    else:
        title = tr("{p}, exploratory", p=statistics.p_title)
        reason = tr("Exploratory: the protocol does not declare this measure.")
    return replace(
        statistics, shown=frozen(np.zeros(len(statistics.shown), dtype=np.bool_)), p_title=title,
        p_tip=f"{statistics.p_tip}\n{reason}", warnings=(reason, *statistics.warnings),
        conclusions=statistics.conclusions.with_reason(reason),
        family=replace(statistics.family, exploratory=True),
    )  # fmt: skip


def _statistics(
    context: EvaluationContext, baseline: Compared, pairs: Compared | None, copies: Mapping[int, RunComparison]
) -> SystemsStatistics:
    """Return the statistics of the runs in their order, empty for runs without judged documents; edited copies have
    their interval and the queries that they win and lose."""
    keys = [entry.key for entry in context.collection.runs]
    statistics = build_statistics(baseline, pairs, tuple([key for key in keys if key in baseline.keys]))
    elsewhere = (
        *unmatched_warnings(tuple(context.unmatched.values())),
        *share_caveats(context),
    )  # shown in the bar and in the status line
    warnings = tuple(warning for warning in statistics.warnings if warning not in elsewhere)
    statistics = replace(statistics, warnings=warnings)
    if len(keys) == len(baseline.keys):
        return statistics
    places = {key: position for position, key in enumerate(key for key in keys if key in baseline.keys)}
    return _with_copies(statistics.at(np.array([places.get(key, -1) for key in keys], dtype=np.int64)), keys, copies)


def _with_copies(
    statistics: SystemsStatistics, keys: Sequence[int], copies: Mapping[int, RunComparison]
) -> SystemsStatistics:
    """Return the statistics with those of edited copies. The axis of the intervals stays that of the runs."""
    low, high, outcomes = statistics.low.copy(), statistics.high.copy(), list(statistics.outcomes)
    for row, key in enumerate(keys):
        if (pair := copies.get(key)) is not None:
            low[row], high[row] = pair.interval.low, pair.interval.high
            outcomes[row] = outcome_words(pair.wins, pair.ties, pair.losses)
    return replace(statistics, low=frozen(low), high=frozen(high), outcomes=tuple(outcomes))


def in_common_text(context: EvaluationContext, pair: PairMeans | None, run: str, baseline: str) -> str:
    """Return the means behind a difference where they are over other queries than the means that the table shows, as a
    sentence; "" where they are over the same."""
    if pair is None or not pair.apart:
        return ""
    if not pair.n:
        return tr("The two runs have no query in common.")
    return trn(
        "Over the {n:,} query that both have: {run} {mean}, {baseline} {other_mean}.",
        "Over the {n:,} queries that both have: {run} {mean}, {baseline} {other_mean}.",
        pair.n, run=run, mean=quantity(pair.mean), baseline=baseline, other_mean=quantity(pair.other_mean),
    )  # fmt: skip


def _without_contradiction(context: EvaluationContext, best: Bools, delta: Floats) -> Bools:
    """Return the best means, bool[R]; none where a bold one is worse than the baseline over the queries that both have,
    or the baseline is bold and a run is better than it there: means over other queries are no ranking."""
    keys = [entry.key for entry in context.collection.runs]
    if context.baseline not in keys:
        return best
    toward = delta if context.measure.higher_is_better else -delta
    at = keys.index(context.baseline)
    contradicted = bool((toward[best] < 0).any()) or (bool(best[at]) and bool((toward > 0).any()))
    return np.zeros(len(best), dtype=np.bool_) if contradicted else best


def shown_run_columns(context: EvaluationContext) -> tuple[str, ...]:
    """Return the attributes of runs that are columns; the one that runs are coloured by always is."""
    preset = run_table_names(context.collection.attributes)
    shown = shown_columns(context.choices.run_columns, context.run_attributes, preset)
    groups = context.run_groups
    if groups is None or groups.attribute in shown:
        return shown
    return (groups.attribute, *shown)


def attribute_columns(context: EvaluationContext) -> tuple[RunAttributeColumn, ...]:
    """Return the attributes of the runs, in the display order of the runs."""
    names = [entry.name for entry in context.collection.runs]
    return tuple(
        RunAttributeColumn(
            attribute.name,
            tuple("" if (value := attribute.values.get(name)) is None else value_text(value) for name in names),
            attribute.numbers(names) if attribute.kind == "number" else None,
        )
        for attribute in context.run_attributes
    )


def _by_attribute(columns: Sequence[RunAttributeColumn], name: str, descending: bool, order: Ints) -> Ints:
    """Return the runs by an attribute, int64[R], of a category in ``order``; those without a value are last."""
    column = next((known for known in columns if known.name == name), None)
    if column is None:
        return order
    rows = order.tolist()
    if column.numbers is not None:
        keys = np.where(np.isnan(column.numbers), np.inf, -column.numbers if descending else column.numbers)
        return np.array(sorted(rows, key=lambda row: keys[row]), dtype=np.int64)
    rows = sorted(rows, key=lambda row: natural_key(column.texts[row]), reverse=descending)
    return np.array(sorted(rows, key=lambda row: not column.texts[row]), dtype=np.int64)


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
    """Return the runs in the order of the table, int64[R]. Equal values keep the display order; NaN is always last."""
    count = len(means)
    if column == "run":
        names = [entry.name.casefold() for entry in context.collection.runs]
        return np.array(sorted(range(count), key=names.__getitem__, reverse=descending), dtype=np.int64)
    texts = [str(measure) for measure in measures]
    column = {
        "interval": "delta",
        "outcomes": "delta",
        "group": str(context.measure),
        "rank": str(context.measure),
    }.get(column, column)
    if column == "delta":
        # The difference of the baseline is shown as a word, but it is 0: between better and worse.
        left_out = np.array([label.left_out for label in context.labels.values()], dtype=np.bool_)
        values = np.where(left_out, np.nan, np.nan_to_num(delta, nan=0.0))
    elif column in texts:
        values = means[:, texts.index(column)]
    elif (cells := own.get(column)) is not None:
        values = cells
    elif column == "judged":
        values = _judged_shares(context)
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
    # Runs without a mean are ordered by the share of queries that they reach.
    return np.lexsort((-np.nan_to_num(reached), keys))


def _means(context: EvaluationContext) -> str:
    """Return what the means are over; for Z-scores the number of queries that have one."""
    if not is_zscored(context, context.measure):
        return mean_of(queries_counted(context, context.collection.runs))
    masks = [context.counted(entry, context.measure) for entry in context.collection.runs]
    counted = [mask if context.within is None else mask & context.within for mask in masks if mask is not None]
    numbers = [int(np.count_nonzero(mask)) for mask in counted]
    return f"{called(context, context.measure)}: {mean_of((min(numbers), max(numbers)) if numbers else 0)}"


def _note(context: EvaluationContext, statistics: SystemsStatistics | None) -> str:
    if context.judgments is None:
        return ""
    means = _means(context)
    if context.query_set is not None:
        means = tr("{means} of query set {name}", means=means, name=context.query_set.name)
    parts = [means]
    if context.baseline is not None and len(context.collection.runs) > 1:
        parts.append(tr("{delta} to the baseline ★", delta=context.delta_word))
    if context.run_groups is not None:
        parts.append(tr("coloured and grouped by {attribute}", attribute=context.run_groups.attribute))
    if context.judgments.qrels.is_graded:
        parts.append(tr("≥{level:g}: relevant from grade {level:g}", level=context.options.level))
    if len(context.system_runs) > 1:
        parts.append(tr("bold: best mean"))
    parts.append(tr("shaded by column"))
    return " · ".join(parts)


def _curves(
    context: EvaluationContext, entries: Sequence[RunEntry], progress: Callable[[float], None] | None = None
) -> tuple[list[Curve], list[Curve]]:
    """Return the curves of runs: precision by recall, the measure by cutoff."""
    depth = curve_depth(context)
    recalls: list[Curve] = []
    cutoffs: list[Curve] = []
    for number, entry in enumerate(entries):
        if progress is not None:
            progress(number / len(entries))
        role, name = Role("run", entry.key), context.name_of(entry)
        for curves, points in ((recalls, averaged(context, entry)), (cutoffs, by_cutoff(context, entry, depth))):
            if points is not None:
                curves.append(Curve(role, name, *points))
    return recalls, cutoffs


def curve_depth(context: EvaluationContext) -> int:
    """Return the last rank of the curve by cutoff: fifty, or twice the cutoff, at most the depth of the runs."""
    return max(1, min(context.depth, max(LEAST_CURVE_DEPTH, 2 * context.cutoff)))


def warm_curves(context: EvaluationContext) -> None:
    """Compute the averaged curves of the shown runs. May be called from any thread."""
    _curves(context, context.shown_runs)

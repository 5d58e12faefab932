"""Bounds of a measure: the values that are possible if the returned unjudged documents were judged.

An unjudged document that the measure reads could have any grade from 0 to the highest. The naive bounds are "all
non-relevant" and "all of the highest grade" (Lu, Moffat and Culpepper, The effect of pooling and evaluation depth on IR
metrics, Information Retrieval 2016; Fröbe and others, ECIR 2023, for nDCG). Where a measure is normalised by the
relevant documents that exist (AP, nDCG, R-precision …), a relevant document far down adds more to the norm than to the
value, and between the grades a ratio can be higher than at both ends: ``low`` and ``high`` are the true least and
greatest value over all ways to judge. ``bound_kinds`` has the method for each measure. Documents that were not
retrieved, or are below the measure's cutoff, do not change. Two runs share documents and the norm, so their difference
has bounds of its own (``differences``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.pooling.bound_kinds import APART, Scale, Way, reads_down_to, way_of
from irviewer.analysis.pooling.bounds_closed_form import gain_bounds, known_bounds
from irviewer.analysis.pooling.bounds_early_stopping import stopping_bounds
from irviewer.analysis.pooling.differences import TURNS, Differences, difference_of
from irviewer.analysis.pooling.judged_without import JudgedOnlyJoin, plainly_joined
from irviewer.analysis.pooling.run_pair import OpenRun, open_runs
from irviewer.analysis.pooling.unjudged import Chosen, Unjudged, assigned, chains, everyone
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.evaluation.results import combine
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, frozen, sizes_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr

AT_A_TIME = 1_000_000
MOST_ROWS = 1_000_000_000
"""The most documents that are read when all ways to judge are tried; more take minutes."""

FEW_PAIRS = 50
"""The most pairs of runs for which the ways to judge a query are tried."""

TOO_LONG = tr("so many documents are unjudged that trying all ways to judge them would take too long")


@dataclass(frozen=True, eq=False)
class Bounds:
    """The bounds of M measures, N runs, E queries (as in a ResultTable); NaN where a measure has no bounds or a query
    is left out.

    regime              the kind of judgments: SPARSE has no bounds, COMPLETE no unjudged documents
    grade               the highest grade that an unjudged document may have
    values              float64[M, N, E]: as evaluated
    none, all           float64[M, N, E]: every unjudged document non-relevant, every one relevant
    low, high           float64[M, N, E]: the least and the greatest over all assignments
    unjudged            int64[M, N, E]: unjudged documents that the measure reads
    counted             bool[N, E]: the queries of a run's means
    mean_…              float64[M, N] of each
    why                 measure's text -> the reason why it has no bounds
    differences         the bounds of the differences of two runs
    """

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    regime: Regime
    grade: float
    values: Floats
    none: Floats
    all: Floats
    low: Floats
    high: Floats
    unjudged: Ints
    counted: Bools
    mean_values: Floats
    mean_none: Floats
    mean_all: Floats
    mean_low: Floats
    mean_high: Floats
    why: dict[str, str]
    differences: Differences

    def within(self, queries: Bools) -> Bounds:
        """Return the bounds with means over some of the queries, bool[E]; a query without a value leaves no mean, as in
        evaluation."""
        selected = self.counted & queries

        def means(values: Floats) -> Floats:
            rows = [
                [measure.mean(row[keep]) for row, keep in zip(rows, selected, strict=True)]
                for measure, rows in zip(self.measures, values, strict=True)
            ]
            return frozen(np.array(rows, dtype=np.float64).reshape(values.shape[:2]))

        return replace(
            self,
            mean_values=means(self.values),
            mean_none=means(self.none),
            mean_all=means(self.all),
            mean_low=means(self.low),
            mean_high=means(self.high),
            counted=selected,
        )

    @cached_property
    def mean_differences(self) -> tuple[Floats, Floats]:
        """float64[M, N, N] each: the bounds of the mean of a run less that of another, with one grade for a document
        that both return; for geometric means the difference of their logarithms. NaN where not computed, infinite where
        there is no bound."""
        return self.differences.means(self.measures, self.counted, self.low, self.high)

    @cached_property
    def exact_differences(self) -> Bools:
        """bool[M, N, N]: both ends of the difference of means can be reached."""
        return self.differences.reached(self.counted)

    @property
    def overturned(self) -> Bools:
        """bool[M, N, N]: [measure, better run, other run] where the first mean is better and the bounds of the
        difference reach beyond 0, so that more judgments could reverse the order (where the bounds are not exact, this
        cannot be ruled out)."""
        signs = np.array([1.0 if measure.higher_is_better else -1.0 for measure in self.measures])[:, None]
        mean = self.mean_values * signs
        low, high = self.mean_differences
        turns = np.where(signs[:, :, None] > 0, low < -TURNS, high > TURNS)
        return np.asarray((mean[:, :, None] > mean[:, None, :]) & turns)


def bounds(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
    regime: Regime = Regime.POOLED,
    *,
    grade: float | None = None,
    against: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Bounds:
    """Return the bounds of every measure, run and query, of the means, and of differences.

    grade      the highest grade that an unjudged document may have; None: that of the qrels
    against    the index of the run that differences are taken to; None: all pairs
    progress   called with the share done; may raise to stop the work"""
    options = options or EvaluationOptions()
    all_bound = bound_measures(measures, qrels, options)
    scale = Scale.of(qrels, grade)
    layers: list[list[list[Floats]]] = [[] for _ in range(6)]
    ids, why, done = [], dict[str, str](), 0
    pairs = _pairs(len(runs), against)
    work = max((len(runs) + len(pairs)) * len(all_bound), 1)
    joins = [plainly_joined(run, qrels, options) for run in runs]
    for joined in joins:
        rows = []
        for bound_measure in all_bound:
            layers_found = layers_of(joined, bound_measure, options, regime, scale)
            if layers_found.why:
                why.setdefault(bound_measure.measure.text, layers_found.why)
            rows.append(layers_found.columns)
            done += 1
            if progress is not None:
                progress(done / work)
        for layer, values in zip(layers, zip(*rows, strict=True), strict=True):
            layer.append(list(values))
        ids.append(joined.under(all_bound[0].join_options).query_ids if all_bound else ())
    names = [run.name for run in runs]
    measures_computed = [bound_measure.measure for bound_measure in all_bound]
    tables = [combine(measures_computed, names, layer, ids, {}, options) for layer in layers]
    opened = np.nan_to_num(tables[5].values, nan=0).astype(np.int64)
    query_ids = tables[0].query_ids
    differences = Differences.none(len(all_bound), len(runs), len(query_ids))
    open_: dict[tuple[JoinOptions, int | None], tuple[OpenRun, ...]] = {}
    for m, bound_measure in enumerate(all_bound):
        if bound_measure.measure.text in why or regime is not Regime.POOLED:
            continue
        key = _join_options_of(bound_measure), reads_down_to(bound_measure.measure)
        if pairs and key not in open_:
            open_[key] = open_runs(joins, *key, query_ids)
        for i, j in pairs:
            run_layers = (
                table.values[m, run_index] for run_index in (i, j) for table in (tables[1], tables[3], tables[4])
            )
            differences.put(
                m, i, j,
                difference_of(
                    bound_measure.measure, open_[key][i], open_[key][j], scale, tuple(run_layers),
                    judged_only=options.judged_only,
                    trying=len(pairs) <= FEW_PAIRS,
                ),
            )  # fmt: skip
            done += 1
            if progress is not None:
                progress(done / work)
    if progress is not None:
        progress(1.0)
    return Bounds(
        tuple(measures_computed), tuple(names), tables[0].query_ids, regime,
        max([scale.within(bound_measure).grade for bound_measure in measures_computed]),
        tables[0].values, tables[1].values, tables[2].values, tables[3].values, tables[4].values, frozen(opened),
        frozen(np.asarray(~np.isnan(tables[5].values).all(axis=0))),
        tables[0].means, tables[1].means, tables[2].means, tables[3].means, tables[4].means, why, differences,
    )  # fmt: skip


def _pairs(n: int, against: int | None) -> list[tuple[int, int]]:
    if against is None:
        return [(i, j) for i in range(n) for j in range(i + 1, n)]
    return [(run, against) for run in range(n) if run != against]


def _join_options_of(bound_measure: BoundMeasure) -> JoinOptions:
    """Return the options by which the parts of an expression, or the measure, order ties."""
    return bound_measure.parts[0].join_options if bound_measure.parts else bound_measure.join_options


@dataclass(frozen=True, eq=False)
class Layers:
    """The values of one measure of one run, float64[E] each: as evaluated; none relevant; all of the highest grade; the
    least; the greatest; the number of unjudged documents. NaN where there are no bounds, with the reason ``why``."""

    value: Floats
    none: Floats
    all: Floats
    low: Floats
    high: Floats
    opened: Floats
    why: str = ""

    @property
    def columns(self) -> tuple[Floats, ...]:
        """The six arrays, in that order."""
        return self.value, self.none, self.all, self.low, self.high, self.opened


def layers_of(
    joined: Joined, bound_measure: BoundMeasure, options: EvaluationOptions, regime: Regime, scale: Scale,
    max_grade: float | None = None,
) -> Layers:  # fmt: skip
    """Return the values of one measure of one run; ``max_grade`` is that of the whole qrels, where the join is of some
    queries only."""
    judged = joined.under(bound_measure.join_options)
    if max_grade is not None:
        judged = replace(judged, max_grade=max_grade)
    if isinstance(bound_measure.measure, Expression):
        join_options = {part.join_options for part in bound_measure.parts}
        value = value_of(bound_measure, JudgedOnlyJoin(joined) if options.judged_only else joined)
    else:
        join_options = {bound_measure.join_options}
        value = bound_measure.measure.compute(judged.judged_only if options.judged_only else judged)
    unjudged = Unjudged.of(judged, reads_down_to(bound_measure.measure))
    opened = unjudged.counts.astype(np.float64)
    way, why = way_of(bound_measure.measure, regime, scale)
    if not why and len(join_options) > 1:
        why = APART
    elif not why:
        judged = joined.under(join_options.pop())
        judged = judged if max_grade is None else replace(judged, max_grade=max_grade)
        unjudged = Unjudged.of(judged, reads_down_to(bound_measure.measure))
    if not why and regime is Regime.COMPLETE:
        return Layers(value, value, value, value, value, np.zeros(judged.n_queries))
    ends = (
        None
        if why
        else _ends_and_bounds(
            bound_measure.measure, judged, unjudged, options, way, scale.within(bound_measure.measure)
        )
    )
    if ends is None:
        nothing = np.full(judged.n_queries, np.nan)
        return Layers(value, nothing, nothing, nothing, nothing, opened, why or TOO_LONG)
    return Layers(value, *ends, opened)


def _ends_and_bounds(
    measure: Measure, judged: Judged, unjudged: Unjudged, options: EvaluationOptions, way: Way, scale: Scale
) -> tuple[Floats, Floats, Floats, Floats] | None:
    """(none, all, low, high), float64[E] each; None if computing them would take too long."""
    grade, counts = scale.grade, unjudged.counts

    def computed(chosen: Chosen) -> Floats:
        graded = assigned(judged, unjudged, chosen, grade)
        return measure.compute(graded.judged_only if options.judged_only else graded)

    none_relevant, all_relevant = computed(everyone(counts, np.zeros_like(counts))), computed(everyone(counts, counts))
    low, high = np.fmin(none_relevant, all_relevant), np.fmax(none_relevant, all_relevant)
    if way == "ends":
        return none_relevant, all_relevant, low, high
    value_bounds: tuple[Floats, Floats] | None
    if way == "stopping":
        value_bounds = stopping_bounds(measure, judged, unjudged, scale)
    elif way == "ratio":
        value_bounds = gain_bounds(measure, judged, unjudged, grade)
    else:
        value_bounds = known_bounds(measure, judged, unjudged, grade)
        if value_bounds is None and _rows_to_try(judged, counts) <= MOST_ROWS:
            value_bounds = _tried_chains(computed, counts, judged)
    return (
        None
        if value_bounds is None
        else (none_relevant, all_relevant, np.fmin(low, value_bounds[0]), np.fmax(high, value_bounds[1]))
    )


def _rows_to_try(judged: Judged, counts: Ints) -> float:
    judged_counts = np.bincount(judged.hit_query, minlength=len(counts)) + sizes_of(judged.ideal_offsets)
    return float((2.0 * counts * (judged_counts + 2 * counts)).sum())


def _tried_chains(computed: Callable[[Chosen], Floats], counts: Ints, judged: Judged) -> tuple[Floats, Floats]:
    """The least and the greatest value over the chains of assignments, in blocks."""
    low, high = np.full(len(counts), np.inf), np.full(len(counts), -np.inf)
    chosen = chains(counts)
    judged_counts = np.bincount(judged.hit_query, minlength=len(counts))
    sizes = np.cumsum((judged_counts + counts)[chosen.query])
    start = 0
    while start < len(sizes):
        before = sizes[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(sizes, before + AT_A_TIME)))
        part = chosen.part(slice(start, stop))
        values = computed(part)
        np.minimum.at(low, part.query, values)
        np.maximum.at(high, part.query, values)
        start = stop
    return low, high

"""The interval of a measure: what it could be, were the returned unjudged documents judged.

An unjudged document that the measure reads could have any grade from 0 to the highest. Named ends are "every one
non-relevant" and "every one of the highest grade", the naive bounds (Lu, Moffat and Culpepper, The effect of pooling
and evaluation depth on IR metrics, Information Retrieval 2016; Fröbe and others, ECIR 2023, for nDCG). Where a measure
is normalised by what there is to find (AP, nDCG, R-precision …), a relevant document far down adds more to the norm
than to the value, and between the grades a ratio can be higher than at both ends: ``low`` and ``high`` are the true
least and greatest value over all ways to judge. How each is found says ``bound_kinds``. Documents that were not
retrieved, or stand below the measure's cutoff, stay as they are; of two runs it is one document that both return, and
one norm, so that their difference has bounds of its own (``differences``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.pooling.bound_kinds import APART, Scale, Way, reads_down_to, way_of
from irviewer.analysis.pooling.bounds_closed_form import gain_bounds, known_bounds
from irviewer.analysis.pooling.bounds_early_stopping import stopping_bounds
from irviewer.analysis.pooling.differences import TURNS, Differences, difference_of
from irviewer.analysis.pooling.judged_without import Condensed, plainly_joined
from irviewer.analysis.pooling.run_pair import OpenRun, open_runs
from irviewer.analysis.pooling.unjudged import Chosen, Unjudged, assigned, chains, everyone
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.evaluation.results import combine
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

AT_A_TIME = 1_000_000
MOST_ROWS = 1_000_000_000
"""So many documents are gone through where the ways to judge are tried; more take minutes."""

FEW_PAIRS = 50
"""Of more pairs of runs no query's ways to judge are tried."""

TOO_LONG = "so many documents are unjudged that trying all ways to judge them would take too long"


@dataclass(frozen=True, eq=False)
class Bounds:
    """M measures, N runs, E queries (as in a ResultTable); NaN where a measure has no bounds here or a query is out.

    regime              what the judgments are: SPARSE has no bounds, COMPLETE no unjudged documents
    grade               what a relevant document is taken to have
    values              float64[M, N, E]: as evaluated
    none, all           float64[M, N, E]: every unjudged document non-relevant, every one relevant
    low, high           float64[M, N, E]: the least and the greatest over all assignments
    unjudged            int64[M, N, E]: how many documents are open
    counted             bool[N, E]: the queries behind a run's means
    mean_…              float64[M, N] of each
    why                 measure's text -> why it has no bounds
    differences         what the differences of two runs could be
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
        """The same with means over some of the queries, bool[E], as evaluation has them of all: one without a value
        leaves none."""
        kept = self.counted & queries

        def means(values: Floats) -> Floats:
            rows = [
                [one.mean(row[keep]) for row, keep in zip(rows, kept, strict=True)]
                for one, rows in zip(self.measures, values, strict=True)
            ]
            return frozen(np.array(rows, dtype=np.float64).reshape(values.shape[:2]))

        return replace(
            self,
            mean_values=means(self.values),
            mean_none=means(self.none),
            mean_all=means(self.all),
            mean_low=means(self.low),
            mean_high=means(self.high),
            counted=kept,
        )

    @cached_property
    def mean_differences(self) -> tuple[Floats, Floats]:
        """float64[M, N, N] each: between what the mean of a run less that of another could be, a document that both
        return having one grade; of geometric means the difference of their logarithms. NaN where it was not looked
        at, infinite where nothing bounds it."""
        return self.differences.means(self.measures, self.counted, self.low, self.high)

    @cached_property
    def exact_differences(self) -> Bools:
        """bool[M, N, N]: both ends of the difference of means can be reached."""
        return self.differences.reached(self.counted)

    @property
    def overturned(self) -> Bools:
        """bool[M, N, N]: [measure, better run, other run] where the better run's mean is better and the bounds of their
        difference reach beyond 0, so that judging more could turn them round; where those are not exact, that cannot
        be ruled out."""
        signs = np.array([1.0 if one.higher_is_better else -1.0 for one in self.measures])[:, None]
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
    """The interval of every measure, run and query, of the means, and of differences.

    grade      the highest grade that an unjudged document may have; None: that of the qrels
    against    the place of a run: differences are those to it; None: of all pairs
    progress   is given the share that is done, and stops the work by raising"""
    options = options or EvaluationOptions()
    wanted = bound_measures(measures, qrels, options)
    scale = Scale.of(qrels, grade)
    layers: list[list[list[Floats]]] = [[] for _ in range(6)]
    ids, why, done = [], dict[str, str](), 0
    pairs = _pairs(len(runs), against)
    work = max((len(runs) + len(pairs)) * len(wanted), 1)
    joins = [plainly_joined(run, qrels, options) for run in runs]
    for joined in joins:
        rows = []
        for one in wanted:
            found = of_one(joined, one, options, regime, scale)
            if found.why:
                why.setdefault(one.measure.text, found.why)
            rows.append(found.columns)
            done += 1
            if progress is not None:
                progress(done / work)
        for layer, values in zip(layers, zip(*rows, strict=True), strict=True):
            layer.append(list(values))
        ids.append(joined.under(wanted[0].join_options).query_ids if wanted else ())
    names = [run.name for run in runs]
    each = [one.measure for one in wanted]
    tables = [combine(each, names, layer, ids, {}, options) for layer in layers]
    opened = np.nan_to_num(tables[5].values, nan=0).astype(np.int64)
    query_ids = tables[0].query_ids
    differences = Differences.none(len(wanted), len(runs), len(query_ids))
    open_: dict[tuple[JoinOptions, int | None], tuple[OpenRun, ...]] = {}
    for m, one in enumerate(wanted):
        if one.measure.text in why or regime is not Regime.POOLED:
            continue
        key = _reading_of(one), reads_down_to(one.measure)
        if pairs and key not in open_:
            open_[key] = open_runs(joins, *key, query_ids)
        for i, j in pairs:
            known = (table.values[m, place] for place in (i, j) for table in (tables[1], tables[3], tables[4]))
            differences.put(
                m, i, j,
                difference_of(
                    one.measure, open_[key][i], open_[key][j], scale, tuple(known), condensed=options.judged_only,
                    trying=len(pairs) <= FEW_PAIRS,
                ),
            )  # fmt: skip
            done += 1
            if progress is not None:
                progress(done / work)
    if progress is not None:
        progress(1.0)
    return Bounds(
        tuple(each), tuple(names), tables[0].query_ids, regime, max([scale.within(one).grade for one in each]),
        tables[0].values, tables[1].values, tables[2].values, tables[3].values, tables[4].values, frozen(opened),
        frozen(np.asarray(~np.isnan(tables[5].values).all(axis=0))),
        tables[0].means, tables[1].means, tables[2].means, tables[3].means, tables[4].means, why, differences,
    )  # fmt: skip


def _pairs(n: int, against: int | None) -> list[tuple[int, int]]:
    if against is None:
        return [(i, j) for i in range(n) for j in range(i + 1, n)]
    return [(place, against) for place in range(n) if place != against]


def _reading_of(one: BoundMeasure) -> JoinOptions:
    """How an expression's parts rank ties, or the measure does."""
    return one.parts[0].join_options if one.parts else one.join_options


@dataclass(frozen=True, eq=False)
class Layers:
    """Of one measure of one run, float64[E] each: as evaluated; none relevant; all of the highest grade; the least; the
    greatest; how many documents are open. NaN where there are no bounds, and ``why``."""

    value: Floats
    none: Floats
    all: Floats
    low: Floats
    high: Floats
    opened: Floats
    why: str = ""

    @property
    def columns(self) -> tuple[Floats, ...]:
        """The six, in that order."""
        return self.value, self.none, self.all, self.low, self.high, self.opened


def of_one(
    joined: Joined, one: BoundMeasure, options: EvaluationOptions, regime: Regime, scale: Scale,
    max_grade: float | None = None,
) -> Layers:  # fmt: skip
    """One measure of one run; ``max_grade`` is that of the whole qrels, where the join is of some queries only."""
    judged = joined.under(one.join_options)
    if max_grade is not None:
        judged = replace(judged, max_grade=max_grade)
    if isinstance(one.measure, Expression):
        readings = {part.join_options for part in one.parts}
        value = value_of(one, Condensed(joined) if options.judged_only else joined)
    else:
        readings = {one.join_options}
        value = one.measure.compute(judged.condensed if options.judged_only else judged)
    unjudged = Unjudged.of(judged, reads_down_to(one.measure))
    opened = unjudged.counts.astype(np.float64)
    way, why = way_of(one.measure, regime, scale)
    if not why and len(readings) > 1:
        why = APART
    elif not why:
        judged = joined.under(readings.pop())
        judged = judged if max_grade is None else replace(judged, max_grade=max_grade)
        unjudged = Unjudged.of(judged, reads_down_to(one.measure))
    if not why and regime is Regime.COMPLETE:
        return Layers(value, value, value, value, value, np.zeros(judged.n_queries))
    found = None if why else _ends_and_bounds(one.measure, judged, unjudged, options, way, scale.within(one.measure))
    if found is None:
        nothing = np.full(judged.n_queries, np.nan)
        return Layers(value, nothing, nothing, nothing, nothing, opened, why or TOO_LONG)
    return Layers(value, *found, opened)


def _ends_and_bounds(
    measure: Measure, judged: Judged, unjudged: Unjudged, options: EvaluationOptions, way: Way, scale: Scale
) -> tuple[Floats, Floats, Floats, Floats] | None:
    """(none, all, low, high), float64[E] each; None where finding them would take too long."""
    grade, counts = scale.grade, unjudged.counts

    def computed(chosen: Chosen) -> Floats:
        found = assigned(judged, unjudged, chosen, grade)
        return measure.compute(found.condensed if options.judged_only else found)

    none, every = computed(everyone(counts, np.zeros_like(counts))), computed(everyone(counts, counts))
    low, high = np.fmin(none, every), np.fmax(none, every)
    if way == "ends":
        return none, every, low, high
    found: tuple[Floats, Floats] | None
    if way == "stopping":
        found = stopping_bounds(measure, judged, unjudged, scale)
    elif way == "ratio":
        found = gain_bounds(measure, judged, unjudged, grade)
    else:
        found = known_bounds(measure, judged, unjudged, grade)
        if found is None and _rows_to_try(judged, counts) <= MOST_ROWS:
            found = _sought(computed, counts, judged)
    return None if found is None else (none, every, np.fmin(low, found[0]), np.fmax(high, found[1]))


def _rows_to_try(judged: Judged, counts: Ints) -> float:
    known = np.bincount(judged.hit_query, minlength=len(counts)) + np.diff(judged.ideal_offsets)
    return float((2.0 * counts * (known + 2 * counts)).sum())


def _sought(computed: Callable[[Chosen], Floats], counts: Ints, judged: Judged) -> tuple[Floats, Floats]:
    """The least and the greatest value over the assignments in question, some at a time."""
    low, high = np.full(len(counts), np.inf), np.full(len(counts), -np.inf)
    chosen = chains(counts)
    known = np.bincount(judged.hit_query, minlength=len(counts))
    sizes = np.cumsum((known + counts)[chosen.query])
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

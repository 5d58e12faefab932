"""Bounds of a measure: the values that are possible if the returned unjudged documents were judged.

An unjudged document that the measure reads could have any grade from 0 to the highest. The naive bounds are "all
non-relevant" and "all of the highest grade" (Lu, Moffat and Culpepper, The effect of pooling and evaluation depth on IR
metrics, Information Retrieval 2016; Fröbe and others, ECIR 2023, for nDCG). Where a measure is normalised by the
relevant documents that exist (AP, nDCG, R-precision …), a relevant document far down adds more to the norm than to the
value, and between the grades a ratio can be higher than at both ends: ``low`` and ``high`` are the true least and
greatest value over all ways to judge. ``bound_kinds`` has the method for each measure. All unjudged documents that any
of the runs returned can be judged, also those that another run alone returned or that are below the cutoff: these
count for the norm (``other_unjudged``). Documents that nobody returned do not change, and could change more. Where no
exact method is quick (bpref and few others), the ends are outer bounds that may not be reached (``exact``). Two runs
share documents and the norm, so their difference has bounds of its own (``differences``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviewer.analysis.pooling.bound_kinds import APART, Scale, Way, reads_down_to, way_of
from irviewer.analysis.pooling.bounds_by_dynamic_programming import r_precision_bounds
from irviewer.analysis.pooling.bounds_closed_form import gain_bounds, known_bounds
from irviewer.analysis.pooling.bounds_early_stopping import stopping_bounds
from irviewer.analysis.pooling.differences import TURNS, Differences, difference_of
from irviewer.analysis.pooling.judged_without import JudgedOnlyJoin, plainly_joined
from irviewer.analysis.pooling.other_unjudged import Others, ReturnedUnjudged, at_the_ends, widest, with_others
from irviewer.analysis.pooling.run_pair import OpenRuns
from irviewer.analysis.pooling.unjudged import Chosen, Unjudged, assigned, chains, everyone
from irviewer.analysis.statistics.significance.resampling import decimals_of, without_rounding
from irviewer.evaluation.answer_cautions import reads_other_topics
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import Joined, bound_measures, value_of
from irviewer.evaluation.results import combine
from irviewer.measures.base import Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Bools, Floats, Ints, frozen, safe_divide, sizes_of
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

MOST_OTHERS = 16
"""The most documents beyond those that a measure reads for which each number of relevant ones is tried."""

FEW_PAIRS = 50
"""The most pairs of runs for which the ways to judge a query are tried."""

LEAVING_OUT = ("infAP", "Bpref", "gm_bpref")
"""Measures that leave unjudged documents out."""
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
    exact               bool[M, N]: both can be reached; False: they are outer bounds for some query
    unjudged            int64[M, N, E]: unjudged documents that the measure reads
    others              int64[M, N, E]: those that it does not read and whose judgments could change its value
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
    exact: Bools
    unjudged: Ints
    others: Ints
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

    def number_open(self, measure: int, run: int) -> tuple[int, int]:
        """Return the unjudged documents of a run's queries: those that the measure reads, and others that could change
        its value."""
        keep = self.counted[run]
        return int(self.unjudged[measure, run, keep].sum()), int(self.others[measure, run, keep].sum())

    @cached_property
    def mean_differences(self) -> tuple[Floats, Floats]:
        """float64[M, N, N] each: the bounds of the mean of a run less that of another over the queries that count for
        both, with one grade for a document that both return; for geometric means the difference of their logarithms.
        NaN where not computed, infinite where there is no bound."""
        return self.differences.means(self.measures, self.counted)

    def means_in_common(self, m: int, run: int, other: int) -> tuple[float, float]:
        """Return the means of two runs by a measure over the queries that count for both; NaN without such queries."""
        both, measure = self.counted[run] & self.counted[other], self.measures[m]
        if not both.any():
            return np.nan, np.nan
        return measure.mean(self.values[m, run][both]), measure.mean(self.values[m, other][both])

    def difference_in_common(self, m: int, run: int, other: int) -> float:
        """Return the difference of these means, 0 where they differ by rounding."""
        means = np.array(self.means_in_common(m, run, other))
        return float(np.round(means[0] - means[1], decimals_of(means)) + 0.0)

    @cached_property
    def exact_differences(self) -> Bools:
        """bool[M, N, N]: both ends of the difference of means can be reached."""
        return self.differences.exact

    @cached_property
    def overturned(self) -> Bools:
        """bool[M, N, N]: [measure, better run, other run] where the first mean is better and the bounds of the
        difference reach beyond 0, so that more judgments could reverse the order (where the bounds are not exact, this
        cannot be ruled out)."""
        signs = np.array([1.0 if measure.higher_is_better else -1.0 for measure in self.measures])[:, None, None]
        low, high = self.mean_differences
        turns = np.where(signs > 0, low < -TURNS, high > TURNS)
        return np.asarray((signs * self._leads > 0) & turns)

    @cached_property
    def tied(self) -> Bools:
        """bool[M, N, N]: pairs of runs with the same mean, the first before the second, whose difference more judgments
        could make other than 0: there is no order to reverse yet."""
        low, high = self.mean_differences
        opened = (low < -TURNS) | (high > TURNS)
        return np.triu(np.asarray((np.abs(self._leads) <= TURNS) & opened), 1)

    @cached_property
    def _leads(self) -> Floats:
        """float64[M, N, N]: the first mean less the second over the queries that count for both; NaN without any."""
        means = without_rounding(self.mean_values)
        leads = means[:, :, None] - means[:, None, :]
        # Usually all runs are counted on the same queries.
        group = np.unique(np.packbits(self.counted, axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        for run, other in np.argwhere(group[:, None] != group).tolist():
            for m in range(len(self.measures)):
                leads[m, run, other] = self.difference_in_common(m, run, other)
        return leads


def bounds(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
    regime: Regime = Regime.UNKNOWN,
    *,
    grade: float | None = None,
    against: int | None = None,
    progress: Callable[[float], None] | None = None,
    joins: Sequence[Joined] | None = None,
) -> Bounds:
    """Return the bounds of every measure, run and query, of the means, and of differences.

    grade      the highest grade that an unjudged document may have; None: that of the qrels
    against    the index of the run that differences are taken to; None: all pairs
    progress   called with the share done; may raise to stop the work
    joins      those of the runs with all their documents, where they are known"""
    options = options or EvaluationOptions()
    all_bound = bound_measures(measures, qrels, options)
    scale = Scale.of(qrels, grade)
    layers: list[list[list[Floats]]] = [[] for _ in range(7)]
    exact = np.ones((len(all_bound), len(runs)), dtype=np.bool_)
    ids, why, done = [], dict[str, str](), 0
    pairs = _pairs(len(runs), against)
    work = max((len(runs) + len(pairs)) * len(all_bound), 1)

    def step() -> None:
        if progress is not None:
            progress(done / work)

    joins = list(joins or ()) or [plainly_joined(run, qrels, options) for run in runs]
    for joined in joins if all_bound else ():
        step()  # often, so that it can be stopped
        joined.under(all_bound[0].join_options)
    returned = ReturnedUnjudged(joins, step)
    for n, joined in enumerate(joins):
        rows = []
        for m, bound_measure in enumerate(all_bound):
            layers_found = layers_of(joined, bound_measure, options, regime, scale, returned)
            exact[m, n] = layers_found.exact
            if layers_found.why:
                why.setdefault(bound_measure.measure.text, layers_found.why)
            columns = layers_found.columns
            if reads_other_topics(bound_measure.measure, runs[n], qrels):
                columns = (*(np.full_like(column, np.nan) for column in columns[:5]), *columns[5:])
            rows.append(columns)
            done += 1
            step()
        for layer, values in zip(layers, zip(*rows, strict=True), strict=True):
            layer.append(list(values))
        ids.append(joined.under(all_bound[0].join_options).query_ids if all_bound else ())
    names = [run.name for run in runs]
    measures_computed = [bound_measure.measure for bound_measure in all_bound]
    tables = [combine(measures_computed, names, layer, ids, {}, options) for layer in layers]
    opened, others = (np.nan_to_num(table.values, nan=0).astype(np.int64) for table in tables[5:])
    query_ids = tables[0].query_ids
    differences = Differences.none(len(all_bound), len(runs), len(query_ids), pairs)
    open_: dict[tuple[JoinOptions, int | None], OpenRuns] = {}
    for m, bound_measure in enumerate(all_bound):
        if bound_measure.measure.text in why or regime in (Regime.SPARSE, Regime.COMPLETE):
            continue
        key = _join_options_of(bound_measure), reads_down_to(bound_measure.measure)
        if pairs and key not in open_:
            open_[key] = OpenRuns(joins, *key, query_ids, step)
        for i, j in pairs:
            run_layers = (
                table.values[m, run_index] for run_index in (i, j) for table in (tables[1], tables[3], tables[4])
            )
            pair_bounds = difference_of(
                bound_measure.measure, open_[key][i], open_[key][j], scale, tuple(run_layers),
                returned.count(key[0], query_ids), judged_only=options.judged_only,
                trying=len(pairs) <= FEW_PAIRS,
            )  # fmt: skip
            if _estimates(bound_measure.measure, options):
                pair_bounds = pair_bounds.including(tables[0].values[m, i] - tables[0].values[m, j])
            differences.put(m, i, j, pair_bounds)
            done += 1
            step()
    if progress is not None:
        progress(1.0)
    return Bounds(
        tuple(measures_computed), tuple(names), tables[0].query_ids, regime,
        max([scale.within(bound_measure).grade for bound_measure in measures_computed]),
        tables[0].values, tables[1].values, tables[2].values, tables[3].values, tables[4].values,
        frozen(exact), frozen(opened),
        frozen(others),
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
    least; the greatest; the number of unjudged documents that it reads, and of others that could change it. NaN where
    there are no bounds, with the reason ``why``. ``exact``: the least and the greatest can be reached."""

    value: Floats
    none: Floats
    all: Floats
    low: Floats
    high: Floats
    opened: Floats
    others: Floats
    why: str = ""
    exact: bool = True

    @property
    def columns(self) -> tuple[Floats, ...]:
        """The seven arrays, in that order."""
        return self.value, self.none, self.all, self.low, self.high, self.opened, self.others


def layers_of(
    joined: Joined, bound_measure: BoundMeasure, options: EvaluationOptions, regime: Regime, scale: Scale,
    returned: ReturnedUnjudged, max_grade: float | None = None,
) -> Layers:  # fmt: skip
    """Return the values of one measure of one run.

    returned    the unjudged documents of all runs that take part; its ``step`` is called between steps of the work
    max_grade   that of the whole qrels, where the join is of some queries only"""
    judged = joined.under(bound_measure.join_options)
    if max_grade is not None:
        judged = replace(judged, max_grade=max_grade)
    if isinstance(bound_measure.measure, Expression):
        join_options = {part.join_options for part in bound_measure.parts}
        value = value_of(bound_measure, JudgedOnlyJoin(joined) if options.judged_only else joined)
    else:
        join_options = {bound_measure.join_options}
        value = bound_measure.measure.compute(judged.judged_only if options.judged_only else judged)
    returned.step()
    unjudged = Unjudged.of(judged, reads_down_to(bound_measure.measure))
    opened = unjudged.counts.astype(np.float64)
    others = Others.none(judged.n_queries)
    way, why = way_of(bound_measure.measure, regime, scale)
    if not why and len(join_options) > 1:
        why = APART
    elif not why:
        the_options = join_options.pop()
        judged = joined.under(the_options)
        judged = judged if max_grade is None else replace(judged, max_grade=max_grade)
        unjudged = Unjudged.of(judged, reads_down_to(bound_measure.measure))
        if regime is not Regime.COMPLETE:
            others = Others.of(bound_measure.measure, judged, unjudged, returned, the_options)
        returned.step()
    further = others.count.astype(np.float64)
    if not why and regime is Regime.COMPLETE:
        nothing = np.zeros(judged.n_queries)
        return Layers(value, value, value, value, value, nothing, nothing)
    limits = None
    if not why:
        limits = _with_others(
            bound_measure.measure,
            judged,
            unjudged,
            others,
            options,
            way,
            scale.within(bound_measure.measure),
            returned.step,
        )
    if limits is None:
        nothing = np.full(judged.n_queries, np.nan)
        return Layers(value, nothing, nothing, nothing, nothing, opened, further, why or TOO_LONG)
    ends, exact = limits
    none_relevant, all_relevant, low, high = map(bound_measure.measure.within_span, ends)
    if _estimates(bound_measure.measure, options):
        exact = exact and not bool(((value < low) | (value > high)).any())
        low, high = np.fmin(low, value), np.fmax(high, value)
    return Layers(value, none_relevant, all_relevant, low, high, opened, further, exact=exact)


def _estimates(measure: Measure, options: EvaluationOptions) -> bool:
    """Return True where unjudged documents are left out of the value, which can then be one that no way to judge all of
    them gives (bpref; the epsilon of infAP; judged documents only): bounds take it in, as judging none is possible too,
    and are no longer exact where that makes them wider."""
    parts = measure.parts if isinstance(measure, Expression) else (measure,)
    return options.judged_only or any(part.name in LEAVING_OUT for part in parts)


Ends = tuple[Floats, Floats, Floats, Floats]


def _with_others(
    measure: Measure, judged: Judged, unjudged: Unjudged, others: Others, options: EvaluationOptions, way: Way,
    scale: Scale, step: Callable[[], object],
) -> tuple[Ends, bool] | None:  # fmt: skip
    """((none, all, low, high), whether they are exact), with further unjudged documents that count for the norm only;
    None if computing them would take too long."""

    def with_relevant(number: Ints) -> Ends | None:
        """With so many of the others relevant, and the rest non-relevant."""
        fuller = with_others(measure, judged, unjudged, others, number, scale.grade)
        step()
        return _ends_and_bounds(measure, fuller, unjudged, options, way, scale, step)

    first = with_relevant(np.zeros_like(others.count))
    if first is None or not others.count.any():
        return None if first is None else (first, True)
    last = with_relevant(others.count)
    if last is None:
        return None
    low, high = widest(first[2], first[3], last[2:])
    if at_the_ends(measure):
        return (first[0], last[1], low, high), True
    if measure.name == "Rprec" and scale.grade >= float(measure.parameter("rel") or 1):
        return (first[0], last[1], *r_precision_bounds(measure, judged, unjudged, others.count)), True
    few = others.count <= MOST_OTHERS
    for number in range(1, int(others.count[few].max(initial=0))):
        between = with_relevant(np.where(few, np.minimum(others.count, number), 0))
        if between is None:
            return None
        low, high = widest(low, high, between[2:])
    # With many, no more is known than the measure's span.
    least, most = measure.span
    low, high = np.where(few, low, least), np.where(few, high, most)
    if measure.name in ("Bpref", "gm_bpref"):
        # Each relevant document returned adds 1 / R at most.
        level = float(measure.parameter("rel") or 1)
        returned_relevant = judged.relevant_hits(level).count_by_query + unjudged.counts
        shares = safe_divide(returned_relevant, judged.relevant_count(level) + unjudged.counts)
        high = np.where(few, high, np.minimum(high, shares))
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    return (first[0], last[1], low, high), bool(few.all())


def _ends_and_bounds(
    measure: Measure, judged: Judged, unjudged: Unjudged, options: EvaluationOptions, way: Way, scale: Scale,
    step: Callable[[], object],
) -> tuple[Floats, Floats, Floats, Floats] | None:  # fmt: skip
    """(none, all, low, high), float64[E] each; None if computing them would take too long."""
    grade, counts = scale.grade, unjudged.counts

    def computed(chosen: Chosen) -> Floats:
        graded = assigned(judged, unjudged, chosen, grade)
        step()
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

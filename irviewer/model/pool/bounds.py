"""The interval of a measure: what it could be, were the returned unjudged documents judged.

Every unjudged document that the measure reads is either non-relevant (grade 0) or relevant (the qrels' highest grade).
Named ends are "every one non-relevant" and "every one relevant", the naive bounds (Lu, Moffat and Culpepper, The effect
of pooling and evaluation depth on IR metrics, Information Retrieval 2016; Fröbe and others, ECIR 2023, for nDCG). Where
a measure is normalised by what there is to find (AP, nDCG, R-precision …), a relevant document far down adds more to
the norm than to the value, so that those ends are no bounds: ``low`` and ``high`` are the true least and greatest value
over all assignments. They are exact: among assignments with equally many relevant documents the norm is the same, and
a relevant document that moves up never lowers the value, so that the best has its relevant documents first and the
worst has them last. Documents below the measure's cutoff stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.dialects import Treatment
from irviewer.model.evaluate import Joined, treatments, value_of
from irviewer.model.expressions import Expression
from irviewer.model.judged import Judged
from irviewer.model.measure import Cutoff, Measure
from irviewer.model.options import EvaluationOptions
from irviewer.model.pool.joins import Condensed, plainly_joined
from irviewer.model.pool.known_bounds import known_bounds
from irviewer.model.pool.unjudged import Chosen, Unjudged, assigned, chains, everyone
from irviewer.model.qrels import Qrels
from irviewer.model.results import combine
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

BY_COUNT = frozenset(
    {
        "P", "Success", "RR", "RBP", "DCG", "ERR", "R", "F", "relative_P", "SetP", "SetR", "SetF", "set_F", "SetAP",
        "SetRelP", "NumRelRet", "SearchLength",
    }
)  # fmt: skip
"""Families that never fall (or never rise) where one more document is relevant: the named ends are the bounds."""

BY_PLACE = frozenset({"AP", "gm_map", "nDCG", "Rprec", "Bpref", "gm_bpref", "IPrec"})
"""Families with a norm that grows with what is relevant: the bounds are sought."""

AT_A_TIME = 1_000_000
NOT_BOUNDABLE = (
    "not boundable: under sparse judgments nearly everything is unjudged, and the interval would be the whole axis"
)


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

    @property
    def boundable(self) -> bool:
        """False under sparse judgments."""
        return self.regime is not Regime.SPARSE

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
        )

    @property
    def overturned(self) -> Bools:
        """bool[M, N, N]: [measure, better run, other run] where the better run's mean is greater and the intervals of
        both overlap, so that judging more could turn them round. Each run is bounded by itself: where two runs return
        the same unjudged documents less may be possible than this says, never more."""
        signs = np.array([1.0 if one.higher_is_better else -1.0 for one in self.measures])[:, None]
        mean = self.mean_values * signs
        low = np.where(signs > 0, self.mean_low, -self.mean_high)
        high = np.where(signs > 0, self.mean_high, -self.mean_low)
        return np.asarray((mean[:, :, None] > mean[:, None, :]) & (low[:, :, None] <= high[:, None, :]))


def bounds(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure],
    options: EvaluationOptions | None = None,
    regime: Regime = Regime.POOLED,
    *,
    grade: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> Bounds:
    """The interval of every measure, run and query, and of the means.

    grade      what a relevant document is taken to have; None: the highest grade of the qrels
    progress   is given the share that is done, and stops the work by raising"""
    options = options or EvaluationOptions()
    wanted = treatments(measures, qrels, options)
    taken = max(qrels.max_grade, options.level) if grade is None else grade
    why = {one.measure.text: reason for one in wanted if (reason := why_no_bounds(one.measure, regime))}
    layers: list[list[list[Floats]]] = [[] for _ in range(6)]
    ids, done, work = [], 0, max(len(runs) * len(wanted), 1)
    for run in runs:
        joined = plainly_joined(run, qrels, options)
        rows = []
        for one in wanted:
            rows.append(of_one(joined, one, options, regime, taken, one.measure.text in why))
            done += 1
            if progress is not None:
                progress(done / work)
        for layer, values in zip(layers, zip(*rows, strict=True), strict=True):
            layer.append(list(values))
        ids.append(joined.under(wanted[0].reading).query_ids if wanted else ())
    names = [run.name for run in runs]
    each = [one.measure for one in wanted]
    tables = [combine(each, names, layer, ids, {}, options) for layer in layers]
    opened = np.nan_to_num(tables[5].values, nan=0).astype(np.int64)
    return Bounds(
        tuple(each), tuple(names), tables[0].query_ids, regime, taken,
        tables[0].values, tables[1].values, tables[2].values, tables[3].values, tables[4].values, frozen(opened),
        frozen(np.asarray(~np.isnan(tables[5].values).all(axis=0))),
        tables[0].means, tables[1].means, tables[2].means, tables[3].means, tables[4].means, why,
    )  # fmt: skip


def why_no_bounds(measure: Measure, regime: Regime) -> str:
    """Why a measure has no bounds, "" where it has."""
    if regime is Regime.SPARSE:
        return NOT_BOUNDABLE
    if isinstance(measure, Expression):
        return "no bounds are known for expressions"
    if measure.name not in BY_COUNT | BY_PLACE:
        return f"no bounds are known for {measure.name}"
    if measure.parameter("gains"):
        return "no bounds are known where grades have gains of their own"
    return ""


def of_one(
    joined: Joined, one: Treatment, options: EvaluationOptions, regime: Regime, grade: float, no_bounds: bool,
    max_grade: float | None = None,
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:  # fmt: skip
    """(value, none, all, low, high, unjudged) of one measure of one run, float64[E] each; ``max_grade`` is that of the
    whole qrels, where the join is of some queries only."""
    judged = joined.under(one.reading)
    if max_grade is not None:
        judged = replace(judged, max_grade=max_grade)
    if isinstance(one.measure, Expression):
        value = value_of(one, Condensed(joined) if options.judged_only else joined)
    else:
        value = one.measure.compute(judged.condensed if options.judged_only else judged)
    nothing = np.full(judged.n_queries, np.nan)
    cutoff = one.measure.cutoff
    ranked = one.measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    unjudged = Unjudged.of(judged, int(cutoff) if ranked and cutoff is not None else None)
    opened = unjudged.counts.astype(np.float64)
    if no_bounds:
        return value, nothing, nothing, nothing, nothing, opened
    if regime is Regime.COMPLETE:
        return value, value, value, value, value, np.zeros(judged.n_queries)

    def computed(chosen: Chosen) -> Floats:
        found = assigned(judged, unjudged, chosen, grade)
        return one.measure.compute(found.condensed if options.judged_only else found)

    counts = unjudged.counts
    none, every = computed(everyone(counts, np.zeros_like(counts))), computed(everyone(counts, counts))
    low, high = np.minimum(none, every), np.maximum(none, every)
    if one.measure.name in BY_PLACE:
        found = known_bounds(one.measure, judged, unjudged, grade)
        if found is None:
            found = _sought(computed, counts, judged)
        low, high = np.minimum(low, found[0]), np.maximum(high, found[1])
    return value, none, every, low, high, opened


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

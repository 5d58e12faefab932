"""Bounds of the difference of two runs if the unjudged documents that either returns were judged.

A document that both runs return has one grade, and a document that one of them returns counts in the norm of both, so
the difference of two intervals is not the interval of the difference. The least and the greatest difference of each
query over all ways to judge are

- exact where what a document adds depends on the others only by their number (P, recall, F, R-precision, RBP, DCG,
  nDCG …), and where one document decides (RR, success);
- found by trying where few documents are unjudged;
- else outer bounds, which may not be reached (AP, ERR …): ``exact`` tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.pooling.average_precision_differences import bounds_of_ap
from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.difference_limits import MOST_WAYS, SAME, of_logarithms, try_all
from irviewer.analysis.pooling.exact_differences import counted_bounds, first_bounds, gains_bounds, linear_bounds
from irviewer.analysis.pooling.other_unjudged import effect_of
from irviewer.analysis.pooling.run_pair import OpenRun, both_of
from irviewer.measures.base import Measure, clipped
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.geometric import logarithms

LINEAR = frozenset({"P", "RBP", "CG", "DCG", "SDCG", "INSQ", "NumRelRet", "num_nonrel_judged_ret"})
COUNTED = frozenset(
    {"R", "F", "relative_P", "SetP", "SetR", "SetF", "set_F", "SetRelP", "Rprec", "Rprec_mult"}
)  # fmt: skip
FIRST = frozenset({"RR", "Success", "SearchLength"})


MOST_COUNTED = 2_000_000
"""The most numbers of relevant documents, of all queries, for which an exact difference is computed; with more the
bounds of both runs are subtracted."""

MOST_TRIED = MOST_WAYS
"""More documents than ways to judge are not tried."""

TURNS = 1e-12
"""A bound that differs from 0 by no more than this is 0 but for rounding."""


@dataclass(frozen=True, eq=False)
class Differences:
    """The bounds of a run's value less another's, and whether they can be reached: M measures, N runs, E queries. For
    geometric means it is the difference of logarithms. Each pair is kept once, in one direction.

    rows          int64[N, N]: the row of a pair (run, other run), -1 where it is kept the other way round or not asked
                  for
    low, high     float64[M, P, E]: of P pairs; NaN where not computed, infinite where there is no bound
    exact         bool[M, N, N]: the bounds of every query can be reached
    computed      bool[M, N, N]: the pairs that were computed
    """

    rows: Ints
    low: Floats
    high: Floats
    exact: Bools
    computed: Bools

    @classmethod
    def none(cls, m: int, n: int, e: int, pairs: Sequence[tuple[int, int]]) -> Differences:
        """Return an empty value for these pairs, to be filled by :meth:`put`."""
        rows = np.full((n, n), -1)
        for row, pair in enumerate(pairs):
            rows[pair] = row
        ends = (np.full((m, len(pairs), e), np.nan) for _ in range(2))
        return cls(rows, *ends, *(np.zeros((m, n, n), dtype=np.bool_) for _ in range(2)))

    def put(self, measure: int, run: int, other: int, layers: DifferenceLayers) -> None:
        """Store the result of a pair, which is that of the reversed pair, too."""
        row = self.rows[run, other]
        self.low[measure, row, layers.numbers] = layers.low
        self.high[measure, row, layers.numbers] = layers.high
        self.exact[measure, run, other] = self.exact[measure, other, run] = bool(layers.exact.all())
        self.computed[measure, run, other] = self.computed[measure, other, run] = True

    def ends(self, measure: int, run: int, other: int) -> tuple[Floats, Floats]:
        """Return the least and the greatest difference, float64[E] each; NaN where not computed."""
        if (row := self.rows[run, other]) >= 0:
            return self.low[measure, row], self.high[measure, row]
        if (row := self.rows[other, run]) >= 0:
            return 0.0 - self.high[measure, row], 0.0 - self.low[measure, row]
        empty = np.full(self.low.shape[2], np.nan)
        return empty, empty

    def means(self, measures: Sequence[Measure], counted: Bools) -> tuple[Floats, Floats]:
        """Return the bounds of differences of means, float64[M, N, N] each. Both means are over the queries that count
        for both runs, ``counted`` bool[N, E]; NaN where there is none."""
        ends = np.full((2, *self.exact.shape), np.nan)
        for m, measure in enumerate(measures):
            for run, other in np.argwhere(self.computed[m]).tolist():
                both = counted[run] & counted[other]
                n = int(both.sum())
                if n:
                    share = 1.0 if measure.aggregate == "sum" else 1.0 / n
                    mean = np.array([end[both].sum() * share for end in self.ends(m, run, other)])
                    mean[np.abs(mean) <= TURNS] = 0.0
                    ends[:, m, run, other] = _within(measure, mean) if measure.aggregate != "sum" else mean
        return ends[0], ends[1]


@dataclass(frozen=True, eq=False)
class DifferenceLayers:
    """The bounds of a difference for the queries that both runs have, by number: the least and the greatest difference,
    infinite where there is no bound, and whether they can be reached."""

    numbers: Ints
    low: Floats
    high: Floats
    exact: Bools

    def including(self, values: Floats) -> DifferenceLayers:
        """Return the bounds with the difference of each query, float64[E] by query number, between them; those that
        this makes wider are not exact."""
        own = values[self.numbers]
        exact = self.exact & ~((own < self.low) | (own > self.high))
        return DifferenceLayers(self.numbers, np.fmin(self.low, own), np.fmax(self.high, own), exact)


def difference_of(
    measure: Measure, run: OpenRun, other: OpenRun, scale: Scale, layers: tuple[Floats, ...], returned: Ints, *,
    judged_only: bool, trying: bool = True,
) -> DifferenceLayers:  # fmt: skip
    """Return the bounds of a measure of one run less that of another, query by query.

    layers     of both runs by query number: value with none relevant, least, greatest (float64[E] each)
    returned   int64[E]: the unjudged documents that any run returned, of which those that neither run has count for the
               norm
    trying     try all ways to judge where there are few"""
    both = both_of(run, other)
    none_one, low_one, high_one, none_other, low_other, high_other = (each[both.numbers] for each in layers)
    none_relevant, lows, highs = none_one - none_other, (low_one, low_other), (high_one, high_other)
    if measure.aggregate == "geometric":
        none_relevant = logarithms(none_one) - logarithms(none_other)
    scale = scale.within(measure)
    exact = np.ones(len(both.numbers), dtype=np.bool_)
    more = np.maximum(returned[both.numbers] - both.counts, 0)
    if effect_of(measure) == 0:
        more = np.zeros_like(more)
    elif measure.name == "nDCG" and measure.cutoff is not None:
        more = np.minimum(more, int(measure.cutoff))  # so many fill the ideal ranking
    quick = int((both.counts + more + 1).sum()) <= MOST_COUNTED
    level = None if measure.family.parameter("rel") is None else measure.parameter("rel")
    if measure.name in SAME or (level is not None and scale.grade < level) or not (len(both.query) or more.any()):
        low = high = none_relevant
    elif measure.name in LINEAR:
        low, high = linear_bounds(measure, both, none_relevant, scale)
    elif measure.name in COUNTED and quick:
        wide = both.with_more(more)
        low, high = counted_bounds(measure, wide, low=True), counted_bounds(measure, wide, low=False)
    elif measure.name in FIRST:
        low, high = first_bounds(measure, both, none_one, none_other)
    elif measure.name == "nDCG" and measure.parameter("ideal") == "judged" and quick:
        low, high = gains_bounds(measure, both.with_more(more), scale)
    else:
        exact = (both.counts == 0) & (more == 0)
        if measure.aggregate == "geometric":
            low, high = of_logarithms(lows, highs)
            low, high = np.where(exact, none_relevant, low), np.where(exact, none_relevant, high)
        else:
            low, high = lows[0] - highs[1], highs[0] - lows[1]
            if measure.name == "AP":
                closer = bounds_of_ap(measure, both.judged, both.rows, both.ranks, both.offsets, more)
                low, high = np.fmax(low, closer[0]), np.fmin(high, closer[1])
            low, high = np.where(exact, none_relevant, low), np.where(exact, none_relevant, high)
            # An ideal ranking of what was retrieved depends on documents below the cutoff, which are not tried.
            if trying and not (measure.name == "nDCG" and measure.parameter("ideal") == "retrieved"):
                try_all(measure, both.with_more(np.minimum(more, MOST_TRIED)), scale, judged_only, low, high, exact)
    return DifferenceLayers(both.numbers, _within(measure, low), _within(measure, high), exact)


def _within(measure: Measure, differences: Floats) -> Floats:
    """Return the differences, those beyond the largest that values can have by rounding alone at that. Logarithms, of
    geometric means, have no largest."""
    if measure.aggregate == "geometric":
        return differences
    low, high = measure.span
    return clipped(differences, low - high, high - low)

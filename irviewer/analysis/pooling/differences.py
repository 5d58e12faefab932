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
from irviewer.analysis.pooling.difference_limits import SAME, apart, of_logarithms, try_all
from irviewer.analysis.pooling.exact_differences import counted_bounds, first_bounds, gains_bounds, linear_bounds
from irviewer.analysis.pooling.run_pair import OpenRun, both_of
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.geometric import logarithms

LINEAR = frozenset({"P", "RBP", "CG", "DCG", "SDCG", "INSQ", "NumRelRet", "num_nonrel_judged_ret"})
COUNTED = frozenset(
    {"R", "F", "relative_P", "SetP", "SetR", "SetF", "set_F", "SetRelP", "Rprec", "Rprec_mult"}
)  # fmt: skip
FIRST = frozenset({"RR", "Success", "SearchLength"})


TURNS = 1e-12
"""A bound beyond 0 by no more than this is rounding."""


@dataclass(frozen=True, eq=False)
class Differences:
    """The bounds of a run's value less another's, and whether they can be reached: M measures, N runs, E queries. For
    geometric means it is the difference of logarithms.

    low, high     float64[M, N, N, E]: [measure, run, other run, query]; NaN where not computed, infinite where there is
                  no bound
    least, most   float64[M, N, N, E]: bounds of the run's own value if what the other returns were judged too
    exact         bool[M, N, N]: the bounds of every query can be reached
    computed      bool[M, N, N]: the pairs that were computed
    """

    low: Floats
    high: Floats
    least: Floats
    most: Floats
    exact: Bools
    computed: Bools

    @classmethod
    def none(cls, m: int, n: int, e: int) -> Differences:
        """Return an empty value, to be filled by :meth:`put`."""
        four = (np.full((m, n, n, e), np.nan) for _ in range(4))
        return cls(*four, *(np.zeros((m, n, n), dtype=np.bool_) for _ in range(2)))

    def put(self, measure: int, run: int, other: int, layers: DifferenceLayers) -> None:
        """Store the result of a pair, and of the reversed pair."""
        self.low[measure, run, other, layers.numbers] = layers.low
        self.high[measure, run, other, layers.numbers] = layers.high
        self.low[measure, other, run, layers.numbers] = 0.0 - layers.high
        self.high[measure, other, run, layers.numbers] = 0.0 - layers.low
        for first, second, ends in ((run, other, layers.ends[0]), (other, run, layers.ends[1])):
            self.least[measure, first, second, layers.numbers], self.most[measure, first, second, layers.numbers] = ends
        self.exact[measure, run, other] = self.exact[measure, other, run] = bool(layers.exact.all())
        self.computed[measure, run, other] = self.computed[measure, other, run] = True

    def means(self, measures: Sequence[Measure], counted: Bools, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Return the bounds of differences of means, float64[M, N, N] each, over the queries ``counted`` bool[N, E].

        low, high   float64[M, N, E]: the bounds of each run, for queries that only one of two runs has"""
        ends = np.full((2, *self.exact.shape), np.nan)
        for m, measure in enumerate(measures):
            for run, other in np.argwhere(self.computed[m]).tolist():
                ends[:, m, run, other] = self._mean(m, run, other, counted, low[m], high[m], measure)
        return ends[0], ends[1]

    def reached(self, counted: Bools) -> Bools:
        """bool[M, N, N]: the bounds of the difference of means can be reached; both means are over the same queries."""
        return np.asarray(self.exact & np.array([[np.array_equal(a, b) for b in counted] for a in counted])[None])

    def _mean(
        self, m: int, run: int, other: int, counted: Bools, low: Floats, high: Floats, measure: Measure
    ) -> tuple[float, float]:
        own_queries, other_queries = counted[run], counted[other]
        both = own_queries & other_queries
        ends = self.low[m, run, other], self.high[m, run, other]
        if not own_queries.any() or not other_queries.any():
            return np.nan, np.nan
        if measure.aggregate == "geometric":
            low, high = logarithms(low), logarithms(high)
        if measure.aggregate == "sum":
            share = other_share = 1.0
        else:
            share, other_share = 1.0 / int(own_queries.sum()), 1.0 / int(other_queries.sum())
        if np.array_equal(own_queries, other_queries):
            return float(ends[0][both].sum() * share), float(ends[1][both].sum() * share)
        # α a − β b = β (a − b) + (α − β) a: outer bounds, as both terms need not reach theirs together.
        excess = share - other_share
        least, most = self.least[m, run, other], self.most[m, run, other]  # the other's documents count as well
        if measure.aggregate == "geometric":
            least, most = logarithms(least), logarithms(most)
        least, most = (least, most) if excess > 0 else (most, least)
        lowest, highest = (excess * least[both].sum(), excess * most[both].sum()) if excess else (0.0, 0.0)
        alone, their_own = own_queries & ~other_queries, other_queries & ~own_queries
        down = other_share * ends[0][both].sum() + lowest + share * low[run][alone].sum()
        up = other_share * ends[1][both].sum() + highest + share * high[run][alone].sum()
        return float(down - other_share * high[other][their_own].sum()), float(
            up - other_share * low[other][their_own].sum()
        )


@dataclass(frozen=True, eq=False)
class DifferenceLayers:
    """The bounds of a difference for the queries that both runs have, by number: the least and the greatest difference,
    infinite where there is no bound, whether they can be reached, and for each run the bounds of its own value if what
    the other returns were judged too."""

    numbers: Ints
    low: Floats
    high: Floats
    exact: Bools
    ends: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]


def difference_of(
    measure: Measure, run: OpenRun, other: OpenRun, scale: Scale, layers: tuple[Floats, ...], *, judged_only: bool,
    trying: bool = True,
) -> DifferenceLayers:  # fmt: skip
    """Return the bounds of a measure of one run less that of another, query by query.

    layers   of both runs by query number: value with none relevant, least, greatest (float64[E] each)
    trying   try all ways to judge where there are few"""
    both = both_of(run, other)
    none_one, low_one, high_one, none_other, low_other, high_other = (each[both.numbers] for each in layers)
    none_relevant, lows, highs = none_one - none_other, (low_one, low_other), (high_one, high_other)
    if measure.aggregate == "geometric":
        none_relevant = logarithms(none_one) - logarithms(none_other)
    scale = scale.within(measure)
    exact = np.ones(len(both.numbers), dtype=np.bool_)
    least, most = apart(measure, both, scale, lows, highs)
    level = None if measure.family.parameter("rel") is None else measure.parameter("rel")
    if measure.name in SAME or (level is not None and scale.grade < level) or not len(both.query):
        low = high = none_relevant
    elif measure.name in LINEAR:
        low, high = linear_bounds(measure, both, none_relevant, scale)
    elif measure.name in COUNTED:
        low, high = counted_bounds(measure, both, low=True), counted_bounds(measure, both, low=False)
    elif measure.name in FIRST:
        low, high = first_bounds(measure, both, none_one, none_other)
    elif measure.name == "nDCG" and measure.parameter("ideal") == "judged":
        low, high = gains_bounds(measure, both, scale)
    else:
        exact = both.counts == 0
        if measure.aggregate == "geometric":
            low, high = of_logarithms(measure, both, scale, lows, highs)
            low, high = np.where(exact, none_relevant, low), np.where(exact, none_relevant, high)
        else:
            low, high = least[0] - most[1], most[0] - least[1]
            if measure.name == "AP":
                closer = bounds_of_ap(measure, both.judged, both.rows, both.ranks, both.offsets)
                low, high = np.fmax(low, closer[0]), np.fmin(high, closer[1])
            low, high = np.where(exact, none_relevant, low), np.where(exact, none_relevant, high)
            if trying:
                try_all(measure, both, scale, judged_only, low, high, exact)
    ends = (least[0], most[0]), (least[1], most[1])
    return DifferenceLayers(both.numbers, low, high, exact, ends)

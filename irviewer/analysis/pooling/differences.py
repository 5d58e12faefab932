"""The interval of a difference of two runs: what it could be, were the unjudged documents that either returns judged.

A document that both runs return has one grade, and a document that one of them returns counts in the norm of both, so
that the difference of two intervals is not the interval of the difference. For each query the least and the greatest
difference over all ways to judge are found

- exactly where what a document adds does not depend on the others, but for how many are relevant at all (P, recall, F,
  R-precision, RBP, DCG, nDCG …), and where one document decides (RR, success);
- by trying where few documents are open;
- else as bounds that the true ones cannot pass, though they may not reach them (AP, ERR …): ``exact`` says which."""

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

LINEAR = frozenset({"P", "RBP", "DCG", "SDCG", "INSQ", "NumRelRet", "num_nonrel_judged_ret"})
COUNTED = frozenset(
    {"R", "F", "relative_P", "SetP", "SetR", "SetF", "set_F", "SetRelP", "Rprec", "Rprec_mult"}
)  # fmt: skip
FIRST = frozenset({"RR", "Success", "SearchLength"})


TURNS = 1e-12
"""A difference that could have the other sign by no more is one of last digits."""


@dataclass(frozen=True, eq=False)
class Differences:
    """M measures, N runs, E queries: what a run's value less another's could be, and whether that can be reached. Of
    geometric means it is the difference of logarithms.

    low, high     float64[M, N, N, E]: [measure, run, less which, query]; NaN where it was not computed, infinite where
                  nothing bounds it
    least, most   float64[M, N, N, E]: the ends that a run's own value cannot pass, were also judged what the other
                  returns
    exact         bool[M, N, N]: the bounds of every query can be reached
    looked        bool[M, N, N]: the pairs that were computed
    """

    low: Floats
    high: Floats
    least: Floats
    most: Floats
    exact: Bools
    looked: Bools

    @classmethod
    def none(cls, m: int, n: int, e: int) -> Differences:
        """Nothing known yet; to be filled by :meth:`put`."""
        four = (np.full((m, n, n, e), np.nan) for _ in range(4))
        return cls(*four, *(np.zeros((m, n, n), dtype=np.bool_) for _ in range(2)))

    def put(self, measure: int, one: int, other: int, found: DifferenceLayers) -> None:
        """What was found for a pair, and turned round."""
        self.low[measure, one, other, found.numbers] = found.low
        self.high[measure, one, other, found.numbers] = found.high
        self.low[measure, other, one, found.numbers] = 0.0 - found.high
        self.high[measure, other, one, found.numbers] = 0.0 - found.low
        for mine, theirs, ends in ((one, other, found.ends[0]), (other, one, found.ends[1])):
            self.least[measure, mine, theirs, found.numbers], self.most[measure, mine, theirs, found.numbers] = ends
        self.exact[measure, one, other] = self.exact[measure, other, one] = bool(found.exact.all())
        self.looked[measure, one, other] = self.looked[measure, other, one] = True

    def means(self, measures: Sequence[Measure], counted: Bools, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """float64[M, N, N] each: what the differences of means could be, over the queries bool[N, E] behind them.

        low, high   float64[M, N, E]: the bounds of each run, for queries that only one of two runs has"""
        found = np.full((2, *self.exact.shape), np.nan)
        for m, measure in enumerate(measures):
            for one, other in np.argwhere(self.looked[m]).tolist():
                found[:, m, one, other] = self._mean(m, one, other, counted, low[m], high[m], measure)
        return found[0], found[1]

    def reached(self, counted: Bools) -> Bools:
        """bool[M, N, N]: the bounds of the difference of means can be reached, which are over the same queries."""
        return np.asarray(self.exact & np.array([[np.array_equal(a, b) for b in counted] for a in counted])[None])

    def _mean(
        self, m: int, one: int, other: int, counted: Bools, low: Floats, high: Floats, measure: Measure
    ) -> tuple[float, float]:
        mine, theirs = counted[one], counted[other]
        both = mine & theirs
        ends = self.low[m, one, other], self.high[m, one, other]
        if not mine.any() or not theirs.any():
            return np.nan, np.nan
        if measure.aggregate == "geometric":
            low, high = logarithms(low), logarithms(high)
        if measure.aggregate == "sum":
            share = rest = 1.0
        else:
            share, rest = 1.0 / int(mine.sum()), 1.0 / int(theirs.sum())
        if np.array_equal(mine, theirs):
            return float(ends[0][both].sum() * share), float(ends[1][both].sum() * share)
        # α a − β b = β (a − b) + (α − β) a: bounds, though both terms need not meet theirs at once.
        more = share - rest
        least, most = self.least[m, one, other], self.most[m, one, other]  # the other's documents count as well
        if measure.aggregate == "geometric":
            least, most = logarithms(least), logarithms(most)
        least, most = (least, most) if more > 0 else (most, least)
        lowest, highest = (more * least[both].sum(), more * most[both].sum()) if more else (0.0, 0.0)
        alone, their_own = mine & ~theirs, theirs & ~mine
        down = rest * ends[0][both].sum() + lowest + share * low[one][alone].sum()
        up = rest * ends[1][both].sum() + highest + share * high[one][alone].sum()
        return float(down - rest * high[other][their_own].sum()), float(up - rest * low[other][their_own].sum())


@dataclass(frozen=True, eq=False)
class DifferenceLayers:
    """Of the queries that both runs have, by number: the least and the greatest difference, infinite where nothing
    bounds it, whether these can be reached, and of each run the ends of its own value, were also judged what the other
    returns."""

    numbers: Ints
    low: Floats
    high: Floats
    exact: Bools
    ends: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]


def difference_of(
    measure: Measure, one: OpenRun, other: OpenRun, scale: Scale, layers: tuple[Floats, ...], *, condensed: bool,
    trying: bool = True,
) -> DifferenceLayers:  # fmt: skip
    """The interval of a measure of ``one`` less that of ``other``, query by query.

    layers   of both runs by query number: none relevant, the least, the greatest (float64[E] each, none first)
    trying   try all ways where there are few"""
    both = both_of(one, other)
    none_one, low_one, high_one, none_other, low_other, high_other = (each[both.numbers] for each in layers)
    none, lows, highs = none_one - none_other, (low_one, low_other), (high_one, high_other)
    if measure.aggregate == "geometric":
        none = logarithms(none_one) - logarithms(none_other)
    scale = scale.within(measure)
    exact = np.ones(len(both.numbers), dtype=np.bool_)
    least, most = apart(measure, both, scale, lows, highs)
    level = None if measure.family.parameter("rel") is None else measure.parameter("rel")
    if measure.name in SAME or (level is not None and scale.grade < level) or not len(both.query):
        low = high = none
    elif measure.name in LINEAR:
        low, high = linear_bounds(measure, both, none, scale)
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
            low, high = np.where(exact, none, low), np.where(exact, none, high)
        else:
            low, high = least[0] - most[1], most[0] - least[1]
            if measure.name == "AP":
                closer = bounds_of_ap(measure, both.judged, both.rows, both.ranks, both.offsets)
                low, high = np.fmax(low, closer[0]), np.fmin(high, closer[1])
            low, high = np.where(exact, none, low), np.where(exact, none, high)
            if trying:
                try_all(measure, both, scale, condensed, low, high, exact)
    ends = (least[0], most[0]), (least[1], most[1])
    return DifferenceLayers(both.numbers, low, high, exact, ends)

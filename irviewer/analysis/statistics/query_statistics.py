"""What the runs say of the queries: the median by query and each run's difference from it, how hard a query is, how far
runs lie apart on it, and whether it tells good runs from bad ones. Knows values of runs and queries, no names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.by_signs import as_worst
from irviewer.analysis.statistics.resampling import decimals_of
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.geometric import logarithms

LEAST_RUNS = 5
"""Runs from which their median by query says something of the field, as at TREC."""


@dataclass(frozen=True, eq=False)
class QueryStatistics:
    """Of Q queries over the runs that have each, arrays [Q].

    runs                          int64: how many have the query
    best, median, worst, mean     by what is better, though the measure be a cost; NaN where no run has the query
    spread                        standard deviation over the runs (n - 1); NaN for fewer than two
    difficulty                    the rank of its mean among all queries as a share, 0 the easiest, 1 the hardest
    separated                     the share of pairs of runs that differ on it by more than ``least``
    agreement                     Kendall's tau-a between the order of the runs on it and their order by the mean of the
                                  other queries: 1 the same, -1 reversed; near 0 it says nothing of which run is better
    correlation                   Pearson's, of the same; NaN where all runs are equal on it
    """

    runs: Ints
    best: Floats
    median: Floats
    worst: Floats
    mean: Floats
    spread: Floats
    difficulty: Floats
    separated: Floats
    agreement: Floats
    correlation: Floats
    least: float

    @property
    def discriminates(self) -> Bools:
        """bool[Q]: queries on which at least half of the pairs of runs differ, more of them as the other queries
        have it than not."""
        return np.asarray((self.separated >= 0.5) & (self.agreement > 0))


def query_statistics(
    values: Floats,
    *,
    least: float = 0.0,
    higher_is_better: bool = True,
    geometric: bool = False,
    unreached: Bools | None = None,
) -> QueryStatistics:
    """Statistics of each query from float64[R, Q], NaN where a run lacks one; differences up to ``least`` separate no
    runs (rounding never does). With ``geometric`` a run's mean of the other queries, with which its value on one is
    compared, is a geometric one, and so are the values that are compared. What runs do not reach (``unreached``
    bool[R, Q]) is worse than every value: a best, median or worst that is none is NaN, and so is a query's mean."""
    never = np.zeros(values.shape, np.bool_) if unreached is None else unreached & np.isnan(values)
    filled = as_worst(values, never, higher_is_better) if never.any() else values
    kept = ~np.isnan(filled)
    runs = kept.sum(axis=0)
    some = runs > 0
    low, median, high, mean = np.full((4, values.shape[1]), np.nan)
    spread = mean.copy()
    if some.any():
        # Whatever lies between a value and none is none.
        ends = np.where(never, -np.inf if higher_is_better else np.inf, filled)[:, some]
        low[some], high[some] = np.nanmin(ends, axis=0), np.nanmax(ends, axis=0)
        median[some], mean[some] = np.nanmedian(ends, axis=0), np.nanmean(filled[:, some], axis=0)
        low, median, high = (np.where(np.isinf(one), np.nan, one) for one in (low, median, high))
    if (runs > 1).any():
        spread[runs > 1] = np.nanstd(filled[:, runs > 1], axis=0, ddof=1)
    best, worst = (high, low) if higher_is_better else (low, high)
    difficulty, gone = _difficulty(mean, higher_is_better), never.any(axis=0)
    mean[gone] = spread[gone] = np.nan
    separated, agreement, correlation = _discrimination(logarithms(filled) if geometric else filled, kept, least)
    return QueryStatistics(
        runs, best, median, worst, mean, spread, difficulty, separated, agreement, correlation, least
    )


def difference_from_median(
    values: Floats, *, least_runs: int = LEAST_RUNS, geometric: bool = False, median: Floats | None = None
) -> Floats:
    """Each run's value less the median of all runs on that query, float64[R, Q] as ``values``; NaN where it has none.
    With ``geometric`` it is the logarithm of the ratio of the two. ``median`` float64[Q] is that of
    :func:`query_statistics`, where what is not reached has to count. TREC prints it for each participant. Raises
    OptionError for fewer than ``least_runs`` runs: then the median is one of the few that are compared with it."""
    if len(values) < least_runs:
        raise OptionError(f"the median of {len(values)} runs is no yardstick; {least_runs} are the least")
    if median is None:
        some = ~np.isnan(values).all(axis=0)
        median = np.full(values.shape[1], np.nan)
        median[some] = np.nanmedian(values[:, some], axis=0)
    if geometric:
        return np.asarray(logarithms(values) - logarithms(median))
    return np.asarray(values - median)


def _difficulty(mean: Floats, higher_is_better: bool) -> Floats:
    """Average ranks of the means from the easiest, 0..1."""
    found = np.full(len(mean), np.nan)
    known = np.flatnonzero(~np.isnan(mean))
    if not len(known):
        return found
    badness = np.round(-mean[known] if higher_is_better else mean[known], 12)
    _, place, count = np.unique(badness, return_inverse=True, return_counts=True)
    before = np.cumsum(count) - count
    rank = (before + (count - 1) / 2)[place.reshape(-1)]
    found[known] = rank / max(len(known) - 1, 1)
    return found


def _discrimination(values: Floats, kept: Bools, least: float) -> tuple[Floats, Floats, Floats]:
    """Shares of separated pairs, tau-a and Pearson's r with the mean over the other queries."""
    runs, queries = values.shape
    filled = np.where(kept, values, 0.0)
    others = kept.sum(axis=1)[:, None] - kept
    rest = np.divide(filled.sum(axis=1)[:, None] - filled, others, out=np.full(values.shape, np.nan), where=others > 0)
    decimals = decimals_of(values)
    # A run without the query, or without another one, is in no pair.
    both = kept & ~np.isnan(rest)
    apart = np.zeros(queries)
    agree = np.zeros(queries)
    for run in range(runs - 1):
        pair = both[run] & both[run + 1 :]
        difference = np.where(pair, np.round(values[run + 1 :] - values[run], decimals), 0)
        difference[np.abs(difference) <= least] = 0
        order = np.where(pair, np.round(rest[run + 1 :] - rest[run], decimals), 0)
        apart += (difference != 0).sum(axis=0)
        agree += (np.sign(difference) * np.sign(order)).sum(axis=0)
    n = both.sum(axis=0)
    pairs = n * (n - 1) / 2
    nothing = np.full(queries, np.nan)
    separated = np.divide(apart, pairs, out=nothing.copy(), where=pairs > 0)
    agreement = np.divide(agree, pairs, out=nothing.copy(), where=pairs > 0)
    return separated, agreement, _correlation(np.where(both, values, 0), np.where(both, rest, 0), both, n)


def _correlation(one: Floats, two: Floats, both: Bools, n: Ints) -> Floats:
    """Pearson's r by column over the rows that count; NaN where there is no spread."""
    count = np.maximum(n, 1)
    x = np.where(both, one - one.sum(axis=0) / count, 0)
    y = np.where(both, two - two.sum(axis=0) / count, 0)
    x[np.abs(x) < 1e-12], y[np.abs(y) < 1e-12] = 0, 0
    below = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    return np.asarray(np.divide((x * y).sum(axis=0), below, out=np.full(one.shape[1], np.nan), where=below > 0))

"""Statistics of each query over the runs: median and differences from it, difficulty, spread, and whether the query
separates good runs from bad ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.by_signs import as_worst
from irviewer.analysis.statistics.significance.resampling import decimals_of
from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Floats, Ints, grouped, medians
from irviewer.model.geometric import logarithms
from irviewer.translation import trn

LEAST_RUNS = 5
"""Runs needed for a meaningful median of each query, as at TREC."""


@dataclass(frozen=True, eq=False)
class QueryStatistics:
    """Statistics of Q queries over the runs that have each, arrays [Q].

    runs                          int64: how many have the query
    best, median, worst, mean     best is the lowest where less is better; NaN where no run has the query
    spread                        standard deviation over the runs (n - 1); NaN for fewer than two
    difficulty                    the rank of its mean among all queries as a share, 0 the easiest, 1 the hardest
    separated                     the share of pairs of runs that differ on the query by more than ``least``
    agreement                     Kendall's tau-a between the order of the runs on the query and their order by the mean
                                  of the other queries: 1 the same, -1 reversed
    correlation                   Pearson's r of the same values; NaN where all runs are equal on the query
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
        """bool[Q]: queries on which at least half of the pairs of runs differ, most of them in the direction of the
        other queries."""
        return np.asarray((self.separated >= 0.5) & (self.agreement > 0))


def query_statistics(
    values: Floats,
    *,
    least: float = 0.0,
    higher_is_better: bool = True,
    geometric: bool = False,
    unreached: Bools | None = None,
    pairs: bool = True,
) -> QueryStatistics:
    """Return the statistics of each query from float64[R, Q], NaN where a run lacks one.

    Differences up to ``least`` separate no runs (rounding never does). With ``geometric`` the logarithms of values are
    compared, and the mean over the other queries is geometric. What runs do not reach (``unreached`` bool[R, Q]) is
    worse than every value; a best, median or worst that is not reached is NaN, and so is the query's mean. Without
    ``pairs`` what compares every two runs is NaN: ``separated``, ``agreement`` and ``correlation``."""
    missed = np.zeros(values.shape, np.bool_) if unreached is None else unreached & np.isnan(values)
    filled = as_worst(values, missed, higher_is_better) if missed.any() else values
    present = ~np.isnan(filled)
    runs = present.sum(axis=0)
    has_runs = runs > 0
    low, median, high, mean = np.full((4, values.shape[1]), np.nan)
    spread = mean.copy()
    if has_runs.any():
        # The middle between a value and an unreached one is unreached.
        ends = np.where(missed, -np.inf if higher_is_better else np.inf, filled)[:, has_runs]
        low[has_runs], high[has_runs] = np.nanmin(ends, axis=0), np.nanmax(ends, axis=0)
        median[has_runs], mean[has_runs] = medians(ends), np.nanmean(filled[:, has_runs], axis=0)
        low, median, high = (np.where(np.isinf(array), np.nan, array) for array in (low, median, high))
    if (runs > 1).any():
        spread[runs > 1] = np.nanstd(filled[:, runs > 1], axis=0, ddof=1)
    best, worst = (high, low) if higher_is_better else (low, high)
    difficulty, any_missed = _difficulty(mean, higher_is_better), missed.any(axis=0)
    mean[any_missed] = spread[any_missed] = np.nan
    separated, agreement, correlation = np.full((3, values.shape[1]), np.nan)
    if pairs:
        separated, agreement, correlation = _discrimination(logarithms(filled) if geometric else filled, present, least)
    return QueryStatistics(
        runs, best, median, worst, mean, spread, difficulty, separated, agreement, correlation, least
    )


def value_range(values: Iterable[tuple[Floats, Bools]]) -> Floats:
    """Return the largest value of each query less its least, float64[Q], from the values of each run, float64[Q], and
    what it does not reach, bool[Q]. NaN where fewer than two runs have a value, or one does not reach it. Of geometric
    means the values are logarithms. Takes the runs one by one."""
    rows = iter(values)
    first, missed = next(rows, (np.zeros(0), np.zeros(0, np.bool_)))
    low, high, count = first.copy(), first.copy(), (~np.isnan(first)).astype(np.int64)
    missed, gaps = missed & np.isnan(first), bool(np.isnan(first).any())
    for row, unreached in rows:
        absent = np.isnan(row)
        gaps = gaps or bool(absent.any())
        (np.fmin if gaps else np.minimum)(low, row, out=low)  # the first ones take ten times as long
        (np.fmax if gaps else np.maximum)(high, row, out=high)
        count += ~absent
        missed |= unreached & absent
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where((count < 2) | missed, np.nan, high - low))


def difference_from_median(
    values: Floats, *, least_runs: int = LEAST_RUNS, geometric: bool = False, median: Floats | None = None
) -> Floats:
    """Return each run's value less the median of all runs on that query, float64[R, Q]; NaN where it has none.

    TREC prints it for each participant. With ``geometric`` it is the logarithm of the ratio of the two. ``median``
    float64[Q] is that of :func:`query_statistics`, where unreached values have to count. Raises OptionError for fewer
    than ``least_runs`` runs, whose median would be one of the few values that are compared with it."""
    if len(values) < least_runs:
        raise OptionError(
            trn(
                "{n} run has no meaningful median; at least {least} are needed",
                "the median of {n} runs is not meaningful; at least {least} are needed",
                len(values),
                least=least_runs,
            )
        )
    if median is None:
        median = medians(values)
    if geometric:
        return np.asarray(logarithms(values) - logarithms(median))
    return np.asarray(values - median)


def _difficulty(mean: Floats, higher_is_better: bool) -> Floats:
    """Average ranks of the means from the easiest, 0..1."""
    difficulty = np.full(len(mean), np.nan)
    valid = np.flatnonzero(~np.isnan(mean))
    if not len(valid):
        return difficulty
    badness = np.round(-mean[valid] if higher_is_better else mean[valid], 12)
    _, group, count = grouped(badness)
    before = np.cumsum(count) - count
    rank = (before + (count - 1) / 2)[group]
    difficulty[valid] = rank / max(len(valid) - 1, 1)
    return difficulty


def _discrimination(values: Floats, present: Bools, least: float) -> tuple[Floats, Floats, Floats]:
    """The shares of separated pairs, and tau-a and Pearson's r with the mean over the other queries."""
    runs, queries = values.shape
    filled = np.where(present, values, 0.0)
    n_others = present.sum(axis=1)[:, None] - present
    other_mean = np.divide(
        filled.sum(axis=1)[:, None] - filled, n_others, out=np.full(values.shape, np.nan), where=n_others > 0
    )
    decimals = decimals_of(values)
    # A run without the query, or without any other query, is in no pair.
    comparable = present & ~np.isnan(other_mean)
    n_separated = np.zeros(queries)
    n_agreeing = np.zeros(queries)
    for run in range(runs - 1):
        pair = comparable[run] & comparable[run + 1 :]
        difference = np.where(pair, np.round(values[run + 1 :] - values[run], decimals), 0)
        difference[np.abs(difference) <= least] = 0
        order = np.where(pair, np.round(other_mean[run + 1 :] - other_mean[run], decimals), 0)
        n_separated += (difference != 0).sum(axis=0)
        n_agreeing += (np.sign(difference) * np.sign(order)).sum(axis=0)
    n = comparable.sum(axis=0)
    pairs = n * (n - 1) / 2
    nothing = np.full(queries, np.nan)
    separated = np.divide(n_separated, pairs, out=nothing.copy(), where=pairs > 0)
    agreement = np.divide(n_agreeing, pairs, out=nothing.copy(), where=pairs > 0)
    return (
        separated,
        agreement,
        _correlation(np.where(comparable, values, 0), np.where(comparable, other_mean, 0), comparable, n),
    )


def _correlation(first: Floats, second: Floats, both: Bools, n: Ints) -> Floats:
    """Pearson's r of each column over the rows of ``both``; NaN where there is no spread."""
    count = np.maximum(n, 1)
    x = np.where(both, first - first.sum(axis=0) / count, 0)
    y = np.where(both, second - second.sum(axis=0) / count, 0)
    x[np.abs(x) < 1e-12], y[np.abs(y) < 1e-12] = 0, 0
    below = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    return np.asarray(np.divide((x * y).sum(axis=0), below, out=np.full(first.shape[1], np.nan), where=below > 0))

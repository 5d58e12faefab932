"""Tukey's honestly significant difference for all pairs of runs over the same queries, by formula and by
randomisation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED
from irviewer.analysis.statistics.significance.studentized import studentized_range_sf
from irviewer.analysis.statistics.significance.test_results import Column, Step, column
from irviewer.model.arrays import Floats, Ints

AT_ONCE = 1 << 18
"""Values that are permuted together."""


@dataclass(frozen=True)
class Anova:
    """A two-way analysis of variance without replication: runs and queries, sums of squares, degrees of freedom."""

    runs: int
    queries: int
    ss_runs: float
    ss_queries: float
    ss_error: float

    @property
    def df_error(self) -> int:
        """(k - 1)(n - 1)."""
        return (self.runs - 1) * (self.queries - 1)

    @property
    def mse(self) -> float:
        """The variance that neither runs nor queries explain; NaN without degrees of freedom."""
        return self.ss_error / self.df_error if self.df_error else float("nan")

    @property
    def f_runs(self) -> float:
        """The F statistic of the runs; infinite where runs and queries explain everything."""
        between = self.ss_runs / max(self.runs - 1, 1)
        return between / self.mse if self.mse > 0 else float("inf") if between > 0 else 0.0


def anova(values: Floats) -> Anova:
    """Return the analysis of variance of float64[R, n] without NaN."""
    runs, queries = values.shape
    grand = float(values.mean())
    by_run, by_query = values.mean(axis=1), values.mean(axis=0)
    residual = values - by_run[:, None] - by_query + grand
    error = float((residual**2).sum())
    # A sum of squares of the size of rounding is 0.
    least = 1e-24 * max(1.0, float(np.abs(values).max())) ** 2 * values.size
    of_runs, of_queries = queries * float(((by_run - grand) ** 2).sum()), runs * float(((by_query - grand) ** 2).sum())
    return Anova(
        runs,
        queries,
        *(each if each >= least else 0.0 for each in (of_runs, of_queries, error)),
    )


def tukey_column(values: Floats, first: Ints, second: Ints) -> Column:
    """Return two-way Tukey HSD for the pairs (first, second) int64[P] of runs, values float64[R, n] without NaN.

    q = |mean difference| / sqrt(MSE / n) over the studentized range of R means with (R-1)(n-1) degrees of freedom, MSE
    from the two-way analysis of variance (Carterette 2012), one variance for all runs. p is for the family of all
    pairs; NaN where runs and queries explain everything and no variance is left."""
    variance = anova(values) if values.shape[1] else None
    n = values.shape[1]
    if variance is None or not variance.df_error:
        return column("tukey", n, n, np.zeros(len(first)), np.ones(len(first)), np.zeros(len(first)), df=0)
    gaps = _gaps(values, first, second)
    gap = np.abs(gaps)
    error = np.sqrt(variance.mse / n)
    q = gap / error if error > 0 else np.where(gap > 0, np.inf, 0.0)
    p = np.where(np.isinf(q), np.nan, studentized_range_sf(q, variance.runs, variance.df_error))
    return column("tukey", n, n, q, p, gaps, df=variance.df_error)


def randomised_tukey_column(
    values: Floats,
    first: Ints,
    second: Ints,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    step: Step | None = None,
) -> Column:
    """Return Tukey's HSD without its assumptions (Carterette 2012, algorithm 1).

    Within each query the values of all runs are permuted at random, and a pair's p is the share of draws whose widest
    difference of means is at least the pair's own, (b+1)/(B+1). ``step`` is called with the share done."""
    n = values.shape[1]
    gaps = _gaps(values, first, second)
    if n == 0:
        return column("tukey-randomised", 0, 0, gaps, np.ones(len(first)), gaps, seed=seed, samples=samples)
    random = np.random.default_rng(seed)
    widest = np.empty(samples)
    by_query = np.ascontiguousarray(values.T)
    rows = max(1, AT_ONCE // values.size)
    for start in range(0, samples, rows):
        stop = min(samples, start + rows)
        drawn = np.repeat(by_query[None], stop - start, axis=0)
        random.permuted(drawn, axis=2, out=drawn)
        means = drawn.sum(axis=1) / n
        widest[start:stop] = np.ptp(means, axis=1)
        if step is not None:
            step(stop / samples)
    widest.sort()
    slack = 1e-12 * max(1.0, float(np.abs(values).max()))
    reached = samples - np.searchsorted(widest, np.abs(gaps) - slack)
    return column("tukey-randomised", n, n, gaps, (reached + 1) / (samples + 1), gaps, seed=seed, samples=samples)


def _gaps(values: Floats, first: Ints, second: Ints) -> Floats:
    means = values.mean(axis=1) if values.shape[1] else np.zeros(len(values))
    return np.asarray(means[first] - means[second])

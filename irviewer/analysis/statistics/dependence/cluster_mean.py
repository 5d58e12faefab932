"""The mean of values in clusters, such as paired differences of the queries of conversations: standard errors that
hold where the values of a cluster are alike.

With N values d, G clusters of n_g, S_g = Σ d in g and E_g = S_g - n_g · mean, the squared standard errors are

    naive  s² / N                                 df N - 1, as if the values were independent
    CR0    Σ E_g² / N²                            df G - 1 (Liang and Zeger, Biometrika 73, 1986)
    CR1    CR0² · G / (G - 1)                     df G - 1
    CR2    Σ E_g² / (1 - n_g / N) / N²            df by Satterthwaite (Bell and McCaffrey, Survey Methodology 28, 2002;
                                                  Pustejovsky and Tipton, J. of Business & Economic Statistics 36, 2018)
    CR3    (G - 1) / G · Σ (mean without g - mean)²   df G - 1, the jackknife of clusters

With one value in each cluster CR2 is the naive one; with clusters of equal size CR1 and CR2 are Student's t of the
means of clusters. One cluster has no standard error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.intervals import without_flat
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.translation import tr


@dataclass(frozen=True)
class MeanEstimate:
    """The standard error of a mean, with Student's t of the mean, its two-sided p, and an interval.

    df  degrees of freedom. Without a standard error all are NaN; with one of 0 there is no interval, and where the mean
        is not 0, t is infinite and p NaN: there is no spread to test with
    """

    error: float
    df: float
    t: float
    p: float
    low: float
    high: float


@dataclass(frozen=True)
class ClusterMean:
    """The mean of N values in G clusters.

    naive … cr3    its standard errors; ``cr2`` is the one to use, the others are to compare with
    cluster_means  the mean of the means of clusters, in which each counts once: an answer to another question
    icc            the correlation of two values of one cluster, by analysis of variance; may be negative, NaN where
                   each cluster has one value, or none differ
    n0             the size of clusters that enters it, a little below their mean size
    design_effect  the squared CR2 error divided by the naive one: N values count as N / design_effect
    """

    n: int
    clusters: int
    mean: float
    naive: MeanEstimate
    cr0: MeanEstimate
    cr1: MeanEstimate
    cr2: MeanEstimate
    cr3: MeanEstimate
    mean_of_cluster_means: float
    cluster_means: MeanEstimate
    icc: float
    n0: float
    design_effect: float


def cr2_errors(values: Floats, clusters: Clusters) -> tuple[Floats, float]:
    """Return the CR2 standard errors float64[P] of the means of values float64[P, N] without NaN, and their degrees of
    freedom by Satterthwaite; NaN with fewer than two clusters. A row whose clusters all have the same mean has exactly
    0."""
    if len(clusters) < 2:
        return np.full(len(values), np.nan), float("nan")
    n = values.shape[1]
    share = 1.0 - clusters.sizes / n
    return np.sqrt((residuals(values, clusters) ** 2 / share).sum(axis=1)) / n, satterthwaite_df(clusters)


def satterthwaite_df(clusters: Clusters) -> float:
    """Return the degrees of freedom tr(M)² / Σ M_gh² of the CR2 error of a mean, where all values have the same
    variance and are independent: N - 1 with one value in each cluster, G - 1 with equal sizes, and fewer where a few
    clusters have most values. NaN with fewer than two clusters."""
    if len(clusters) < 2:
        return float("nan")
    sizes = clusters.sizes.astype(np.float64)
    n = sizes.sum()
    weighed = sizes**2 / (1 - sizes / n)
    others = np.maximum(weighed.sum() ** 2 - (weighed**2).sum(), 0.0)
    return float(n**2 / ((sizes**2).sum() + others / n**2))


def t_of_errors(mean: Floats, error: Floats, df: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return Student's t and its two-sided p, float64[P], of means with these standard errors and degrees of freedom,
    which need not be whole. Without an error t is 0 and p 1: nothing can be shown."""
    stdtr = special().stdtr

    known = ~np.isnan(error)
    t = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.copysign(np.inf, mean)), where=known & (error > 0))
    p = np.minimum(1.0, 2 * stdtr(np.where(known, df, 1.0), -np.abs(t)))
    return np.where(known, t, 0.0), np.where(known, np.where(np.isinf(t), np.nan, p), 1.0)


def cr2_interval(values: Floats, clusters: Clusters, level: float) -> tuple[Floats, Floats]:
    """Return the ends, float64[P] each, of the intervals mean ± t · CR2 of values float64[P, N] without NaN; NaN with
    fewer than two clusters, and where all clusters have the same mean."""
    stdtrit = special().stdtrit

    error, df = cr2_errors(values, clusters)
    if np.isnan(df):
        return error, error.copy()
    mean = values.mean(axis=1)
    half = float(stdtrit(df, (1 + level) / 2)) * error
    return without_flat(mean - half, mean + half)


def cluster_mean(values: npt.ArrayLike, clusters: Clusters, level: float = 0.95) -> ClusterMean:
    """Return the mean of values float64[N] in clusters, with every standard error and intervals at ``level``. Raises
    OptionError for no values, NaN, and a number of values that is not that of the clusters."""
    row = np.asarray(values, np.float64)
    if row.ndim != 1 or len(row) != len(clusters.code) or not len(row) or not np.isfinite(row).all():
        raise OptionError(tr("give one finite value for each of the {n:,} members of clusters", n=len(clusters.code)))
    n, count = len(row), len(clusters)
    sizes = clusters.sizes.astype(np.float64)
    mean = float(row.mean())
    left = residuals(row[None], clusters)[0]
    spread = float((left**2).sum()) / n**2
    constant = np.ptp(row) == 0
    naive = 0.0 if constant else float(row.std(ddof=1)) / np.sqrt(n) if n > 1 else np.nan
    cr2, df = cr2_errors(row[None], clusters)
    means = clusters.sums(row[None])[0] / sizes
    nan = float("nan")
    cr0 = cr1 = cr3 = of_means = n0 = nan
    if count > 1:
        cr0 = float(np.sqrt(spread))
        cr1 = float(np.sqrt(spread * count / (count - 1)))
        # The mean without a cluster is (N·mean - S_g) / (N - n_g), which differs from the mean by -E_g / (N - n_g).
        cr3 = float(np.sqrt((count - 1) / count * ((left / (n - sizes)) ** 2).sum()))
        of_means = 0.0 if np.ptp(means) == 0 else float(means.std(ddof=1) / np.sqrt(count))
        n0 = float((n - (sizes**2).sum() / n) / (count - 1))

    def estimate(error: float, freedom: float, centre: float = mean) -> MeanEstimate:
        return _estimate(centre, error, freedom, level)

    squared = naive**2
    return ClusterMean(
        n, count, mean, estimate(float(naive), n - 1), estimate(cr0, count - 1), estimate(cr1, count - 1),
        estimate(float(cr2[0]), df), estimate(cr3, count - 1), float(means.mean()),
        estimate(of_means, count - 1, float(means.mean())), _icc(row, clusters, means, n0), n0,
        float(cr2[0]) ** 2 / squared if squared > 0 else nan,
    )  # fmt: skip


def residuals(values: Floats, clusters: Clusters) -> Floats:
    """E_g, float64[P, G]: what the sum of each cluster has above its share of the mean; rounding is 0."""
    mean = values.mean(axis=1)
    left = clusters.sums(values) - mean[:, None] * clusters.sizes
    slack = 1e-14 * values.shape[1] * np.abs(values).max(axis=1, initial=0.0)
    return np.where(np.abs(left) <= slack[:, None], 0.0, left)


def _estimate(mean: float, error: float, df: float, level: float) -> MeanEstimate:
    if not (df > 0 and error == error):
        return MeanEstimate(*(float("nan"),) * 6)
    t, p = t_of_errors(np.array([mean]), np.array([error]), df)
    half = float(special().stdtrit(df, (1 + level) / 2)) * error
    low, high = without_flat(np.array([mean - half]), np.array([mean + half]))
    return MeanEstimate(error, float(df), float(t[0]), float(p[0]), float(low[0]), float(high[0]))


def _icc(values: Floats, clusters: Clusters, means: Floats, n0: float) -> float:
    """The intraclass correlation by the one-way analysis of variance, with n0 for clusters of unequal size (Donner,
    International Statistical Review 54, 1986)."""
    n, count = len(values), len(clusters)
    if count < 2 or n == count:
        return float("nan")
    between = float((clusters.sizes * (means - values.mean()) ** 2).sum()) / (count - 1)
    within = float(((values - means[clusters.code]) ** 2).sum()) / (n - count)
    whole = between + (n0 - 1) * within
    return (between - within) / whole if whole > 0 else float("nan")


__all__ = [
    "ClusterMean", "MeanEstimate", "cluster_mean", "cr2_errors", "cr2_interval", "residuals", "satterthwaite_df",
    "t_of_errors",
]  # fmt: skip

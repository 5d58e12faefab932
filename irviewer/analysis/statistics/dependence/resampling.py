"""Bootstrap of whole clusters, and Fisher's randomisation test with the signs of whole clusters.

Both treat a cluster as what a query is elsewhere: its sum counts, and its size as the weight in the mean (Cameron,
Gelbach and Miller, Review of Economics and Statistics 90, 2008, for the bootstrap; Canay, Romano and Shaikh,
Econometrica 85, 2017, for the signs)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.dependence.clusters import Clusters
from irviewer.analysis.statistics.intervals import LEVEL, average, bootstrap_interval
from irviewer.analysis.statistics.significance.randomisation import EXACT, randomisation_column
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, DrawnRows, bootstrap_means
from irviewer.analysis.statistics.significance.test_results import Column
from irviewer.model.arrays import Floats

MOST_EXACT = 44
"""Clusters up to which all 2^G signs can be counted: by halves that takes 2^22 sums."""


def cluster_means_and_weights(
    values: Floats, clusters: Clusters, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the (weighted) means float64[R, G] of clusters and their weights float64[G], the sizes or the sums of the
    weights float64[N]: the mean of clusters with these weights is that of all values. 0 for clusters without
    weight."""
    if weights is None:
        total, sums = clusters.sizes.astype(np.float64), clusters.sums(values)
    else:
        total, sums = clusters.sums(weights[None])[0], clusters.sums(values * weights)
    return np.divide(sums, total, out=np.zeros_like(sums), where=total > 0), total


def cluster_bootstrap_means(
    values: Floats, clusters: Clusters, samples: int = SAMPLES, seed: int = SEED, weights: Floats | None = None
) -> Floats:
    """Return means Σ S_g / Σ n_g over G clusters drawn with replacement, float64[R, samples] of values float64[R, N]
    without NaN."""
    means, sizes = cluster_means_and_weights(values, clusters, weights)
    return bootstrap_means(means, samples, seed, sizes)


def cluster_bootstrap_interval(
    values: Floats,
    clusters: Clusters,
    method: Literal["bca", "percentile"] = "percentile",
    level: float = LEVEL,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    weights: Floats | None = None,
    drawn: DrawnRows | None = None,
) -> tuple[Floats, Floats]:
    """Return the ends, float64[R] each, of bootstrap intervals of (weighted) means of values float64[R, N] without NaN,
    where whole clusters are drawn. ``drawn`` are :func:`cluster_bootstrap_means` where the caller has them. The
    acceleration of "bca" is by the jackknife of clusters. NaN where all clusters have the same mean, and for fewer
    clusters than a bootstrap needs (``FEWEST_DRAWN``)."""
    means, sizes = cluster_means_and_weights(values, clusters, weights)
    return bootstrap_interval(means, method, level, samples=samples, seed=seed, weights=sizes, drawn=drawn)


def cluster_flip_column(
    differences: Floats,
    clusters: Clusters,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    scale: float = 1.0,
    drawn: Floats | None = None,
    exact: int = EXACT,
) -> Column:
    """Return the two-sided p of the mean difference for P rows float64[P, N] without NaN, where the signs of whole
    clusters change: P(|Σ ± S_g| >= |Σ S_g|), ties included.

    Counted by halves where at most ``exact`` (<= MOST_EXACT) clusters have a sum that is not 0, else drawn:
    (b + 1) / (B + 1), and as :func:`randomisation_column` has it where few draws reach the difference. ``drawn``
    float64[P, samples] are sums under drawn signs of clusters. With G clusters p is 2 / 2^G at the least."""
    column = randomisation_column(
        clusters.sums(differences), samples=samples, seed=seed,
        scale=scale * max(1, int(clusters.sizes.max(initial=0))), drawn=drawn, exact_up_to=min(exact, MOST_EXACT),
    )  # fmt: skip
    n = np.full(len(differences), differences.shape[1])
    used = (differences != 0).sum(axis=1)
    return replace(column, n=n, n_used=used, statistic=average(differences))

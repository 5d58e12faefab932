"""Clusters of like runs, and the order in which a matrix of pairs is read best. Deterministic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats, Ints, frozen


@dataclass(frozen=True, eq=False)
class Clusters:
    """Average linkage (UPGMA) of R things.

    merges   float64[R-1, 4], scipy's linkage: the two clusters that are joined (below R: things), their distance, and
             how many things are in it
    order    int64[R]: the leaves from left to right, like things beside each other; of all orders that the tree allows
             the one with the least sum of distances between neighbours (Bar-Joseph and others 2001)
    """

    merges: Floats
    order: Ints

    def groups(self, similarity: float) -> Ints:
        """int64[R]: the cluster of each thing, from 0 in the order of the things, where clusters are joined as long as
        their mean likeness is at least ``likeness``."""
        return self._cut(1.0 - similarity, "distance")

    def split(self, count: int) -> Ints:
        """int64[R]: the cluster of each thing, from 0, where there are at most ``count`` clusters."""
        return self._cut(max(count, 1), "maxclust")

    def _cut(self, at: float, by: str) -> Ints:
        if len(self.order) < 2:
            return np.zeros(len(self.order), dtype=np.int64)
        from scipy.cluster.hierarchy import fcluster

        labels = fcluster(self.merges, at, criterion=by)
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[number.reshape(-1)].astype(np.int64)


def clusters(similarity: Floats) -> Clusters:
    """Clusters from a symmetric float64[R, R] where 1 means the same; the distance is 1 - likeness. Pairs without a
    value count as the least alike that there is, or as 0."""
    n = len(similarity)
    if n < 2:
        return Clusters(np.empty((0, 4)), frozen(np.arange(n)))
    from scipy.cluster.hierarchy import leaves_list, linkage

    known = similarity[~np.isnan(similarity)]
    least = min(0.0, float(known.min(initial=0.0)))
    upper = np.triu_indices(n, 1)
    distance = 1.0 - np.where(np.isnan(similarity), least, similarity)[upper]
    # Rounding leaves a hair below 0 for lists that are the same.
    merges = linkage(np.maximum(distance, 0.0), method="average", optimal_ordering=True)
    return Clusters(frozen(merges), frozen(leaves_list(merges).astype(np.int64)))

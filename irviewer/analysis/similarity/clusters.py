"""Hierarchical clusters of similar runs, and the order of runs in a matrix of pairs. Deterministic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.installed.scipy_parts import hierarchy
from irviewer.model.arrays import Floats, Ints, frozen


@dataclass(frozen=True, eq=False)
class Clusters:
    """Average linkage (UPGMA) of R items.

    merges   float64[R-1, 4], scipy's linkage: the two clusters that are joined (below R: items), their distance, and
             the number of items
    order    int64[R]: the leaves from left to right; of all orders that the tree allows the one with the least sum of
             distances between neighbours (Bar-Joseph and others 2001)
    """

    merges: Floats
    order: Ints

    def groups(self, similarity: float) -> Ints:
        """Return the cluster of each item, int64[R], numbered from 0 in the order of the items; clusters are joined
        while their mean similarity is at least ``similarity``."""
        return self._cut(1.0 - similarity, "distance")

    def split(self, count: int) -> Ints:
        """Return the cluster of each item, int64[R], numbered from 0, with at most ``count`` clusters."""
        return self._cut(max(count, 1), "maxclust")

    def _cut(self, at: float, by: str) -> Ints:
        if len(self.order) < 2:
            return np.zeros(len(self.order), dtype=np.int64)
        fcluster = hierarchy().fcluster

        labels = fcluster(self.merges, at, criterion=by)
        _, first, number = np.unique(labels, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[number.reshape(-1)].astype(np.int64)


def clusters(similarity: Floats) -> Clusters:
    """Return the clusters of a symmetric matrix float64[R, R] where 1 means the same; the distance is 1 - similarity.
    Pairs without a value count as the least similar pair, at most 0."""
    n = len(similarity)
    if n < 2:
        return Clusters(np.empty((0, 4)), frozen(np.arange(n)))
    functions = hierarchy()
    leaves_list, linkage = functions.leaves_list, functions.linkage

    values = similarity[~np.isnan(similarity)]
    least = min(0.0, float(values.min(initial=0.0)))
    upper = np.triu_indices(n, 1)
    distance = 1.0 - np.where(np.isnan(similarity), least, similarity)[upper]
    # Rounding may leave slightly negative distances between lists that are the same.
    merges = linkage(np.maximum(distance, 0.0), method="average", optimal_ordering=True)
    return Clusters(frozen(merges), frozen(leaves_list(merges).astype(np.int64)))

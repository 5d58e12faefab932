"""Means over queries that do not count alike: weights of traffic, sets of queries side by side, macro and
micro averages.

Knows values of runs and queries; sets have names, runs have none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class SetMeans:
    """Means of R runs over S sets of queries.

    names       of the sets, in the order given
    sizes       int64[S]: queries in each; ``counted`` int64[S, R]: of them those that each run has
    means       float64[S, R]: NaN where a run has none
    macro       float64[R]: the mean of a run's set means, every set counting alike, however large
    micro       float64[R]: the mean over all queries that are in any set, every query counting alike; a query in two
                sets counts once
    runs        their names, where they are known
    """

    names: tuple[str, ...]
    sizes: Ints
    counted: Ints
    means: Floats
    macro: Floats
    micro: Floats
    runs: tuple[str, ...] = ()


def weighted_means(values: Floats, weights: Floats) -> Floats:
    """float64[R]: means of float64[R, Q] with a query counting as its weight float64[Q] >= 0 says, over the
    queries that a run has (not NaN); NaN where their weights are all 0."""
    found = np.asarray(weights, np.float64)
    if found.shape != values.shape[1:] or not np.isfinite(found).all() or (found < 0).any():
        raise OptionError(f"weights: {values.shape[1]} numbers are wanted, one a query, none below 0")
    kept = ~np.isnan(values)
    total = kept @ found
    above = np.where(kept, values, 0) @ found
    return np.asarray(np.divide(above, total, out=np.full(len(values), np.nan), where=total > 0))


def set_means(values: Floats, sets: Mapping[str, Ints], weights: Floats | None = None) -> SetMeans:
    """Means by query set: ``sets`` name -> places of its queries int64[*] among the Q of float64[R, Q]. With weights
    every mean over queries is a weighted one, within the sets too; the macro average stays the plain mean of the sets.
    Raises OptionError for a place that is no query's."""
    runs, queries = values.shape
    own = np.ones(queries) if weights is None else np.asarray(weights, np.float64)
    means = np.full((len(sets), runs), np.nan)
    counted = np.zeros((len(sets), runs), np.int64)
    inside = np.zeros(queries, bool)
    sizes = np.zeros(len(sets), np.int64)
    for row, (name, places) in enumerate(sets.items()):
        kept = np.unique(np.asarray(places, np.int64))
        if len(kept) and not (kept[0] >= 0 and kept[-1] < queries):
            raise OptionError(f"the query set {name} holds a place that no query has; there are {queries}")
        sizes[row] = len(kept)
        inside[kept] = True
        counted[row] = (~np.isnan(values[:, kept])).sum(axis=1)
        means[row] = weighted_means(values[:, kept], own[kept])
    known = ~np.isnan(means)
    number = known.sum(axis=0)
    macro = np.divide(np.where(known, means, 0).sum(axis=0), number, out=np.full(runs, np.nan), where=number > 0)
    micro = weighted_means(values[:, inside], own[inside])
    return SetMeans(tuple(sets), sizes, counted, means, macro, micro)

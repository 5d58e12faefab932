"""Weighted means over queries, means of query sets, macro and micro averages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats, Ints, distinct
from irviewer.model.exported import Exported
from irviewer.translation import tr, trn


@dataclass(frozen=True, eq=False, repr=False)
class SetMeans(Exported):
    """Means of R runs over S sets of queries.

    names       of the sets, in the order given
    sizes       int64[S]: queries in each; ``counted`` int64[S, R]: of them those that each run has
    means       float64[S, R]: NaN where a run has none
    macro       float64[R]: the mean of a run's set means, every set counting alike, however large
    micro       float64[R]: the mean over all queries that are in any set, every query counting alike; a query in two
                sets counts once
    runs        their names, where they are known; ``measure`` as its text
    whole       float64[R]: the mean over all queries, of which there are ``queries``
    inside      the number of queries that are in any set
    shares      float64[S + 1, R]: the share of the queries of each set, and of all, on which a run reaches a value;
                None where every run always does
    notes       what to know of the weights, of a geometric mean, and of queries that runs lack
    """

    names: tuple[str, ...]
    sizes: Ints
    counted: Ints
    means: Floats
    macro: Floats
    micro: Floats
    runs: tuple[str, ...] = ()
    measure: str = ""
    whole: Floats | None = None
    queries: int = 0
    inside: int = 0
    shares: Floats | None = None
    notes: tuple[str, ...] = ()


def weighted_means(values: Floats, weights: Floats) -> Floats:
    """Return means float64[R] of float64[R, Q] with query weights float64[Q] >= 0, over the queries that a run has (not
    NaN); NaN where their weights are all 0."""
    query_weights = np.asarray(weights, np.float64)
    if query_weights.shape != values.shape[1:] or not np.isfinite(query_weights).all() or (query_weights < 0).any():
        raise OptionError(
            trn(
                "weights: give {n} number, not below 0",
                "weights: give {n} numbers, one for each query, none below 0",
                values.shape[1],
            )
        )
    present = ~np.isnan(values)
    total = present @ query_weights
    above = np.where(present, values, 0) @ query_weights
    return np.asarray(np.divide(above, total, out=np.full(len(values), np.nan), where=total > 0))


def set_means(values: Floats, sets: Mapping[str, Ints], weights: Floats | None = None) -> SetMeans:
    """Return means by query set, ``sets`` name -> indices of its queries int64[*] among the Q of float64[R, Q]. With
    weights every mean over queries is weighted, within the sets too; the macro average is the plain mean of the sets.
    Raises OptionError for an index that is out of range."""
    runs, queries = values.shape
    query_weights = np.ones(queries) if weights is None else np.asarray(weights, np.float64)
    means = np.full((len(sets), runs), np.nan)
    counted = np.zeros((len(sets), runs), np.int64)
    inside = np.zeros(queries, bool)
    sizes = np.zeros(len(sets), np.int64)
    for row, (name, members) in enumerate(sets.items()):
        indices = distinct(np.asarray(members, np.int64))
        if len(indices) and not (indices[0] >= 0 and indices[-1] < queries):
            raise OptionError(
                tr(
                    "the query set {name} has an index that is out of range; number of queries: {queries}",
                    name=name,
                    queries=queries,
                )
            )
        sizes[row] = len(indices)
        inside[indices] = True
        counted[row] = (~np.isnan(values[:, indices])).sum(axis=1)
        means[row] = weighted_means(values[:, indices], query_weights[indices])
    has_mean = ~np.isnan(means)
    number = has_mean.sum(axis=0)
    macro = np.divide(np.where(has_mean, means, 0).sum(axis=0), number, out=np.full(runs, np.nan), where=number > 0)
    micro = weighted_means(values[:, inside], query_weights[inside])
    return SetMeans(tuple(sets), sizes, counted, means, macro, micro)

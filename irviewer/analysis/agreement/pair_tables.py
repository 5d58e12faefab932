"""The grades of two judges on the pairs of query and document that both judged: a table of grade by grade for each
query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.judgments.panel import Panel


@dataclass(frozen=True, eq=False)
class PairTables:
    """The tables of judges ``first`` (rows) and ``second`` (columns).

    rows      int64[n]: the rows of the panel that both judged
    queries   int64[Q]: the queries that have any, ascending
    levels    int64[K]: the grades (places in the scale) that either uses here
    counts    float64[Q, K, K]: (weighted) pairs
    """

    first: int
    second: int
    rows: Ints
    queries: Ints
    levels: Ints
    counts: Floats

    @property
    def total(self) -> Floats:
        """float64[K, K]: over all queries."""
        return np.asarray(self.counts.sum(axis=0))


def pair_tables(panel: Panel, first: int, second: int, weights: Floats | None = None) -> PairTables:
    """Return the tables of two judges; ``weights`` float64[U] weigh the pairs, scaled to a mean of 1 among those judged
    by both. Pairs of weight 0 are left out."""
    first_code, second_code = panel.codes[:, first], panel.codes[:, second]
    both = (first_code >= 0) & (second_code >= 0)
    rows = np.flatnonzero(both if weights is None else both & (weights > 0))
    first_code, second_code = first_code[rows], second_code[rows]
    size = len(panel.scale)
    used = np.zeros(size, dtype=np.bool_)
    used[first_code] = used[second_code] = True
    levels = np.flatnonzero(used)
    place = np.cumsum(used) - 1
    queries, query = np.unique(panel.query[rows], return_inverse=True)
    k = len(levels)
    cell = (query.reshape(-1) * k + place[first_code]) * k + place[second_code]
    weighed = None
    if weights is not None and len(rows):
        weighed = weights[rows] / weights[rows].mean()
    counts = np.bincount(cell, weighed, len(queries) * k * k).astype(np.float64)
    return PairTables(first, second, rows, queries, levels, counts.reshape(len(queries), k, k))


def relevant_grades(panel: Panel, level: float) -> Bools:
    """Return bool[K]: the grades of the scale that are relevant."""
    return np.asarray(panel.scale >= level)

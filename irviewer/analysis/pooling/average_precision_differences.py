"""Bounds of the difference of two average precisions, with one norm and each document judged once.

R · AP is the sum, over relevant documents, of the number of relevant ones at or above each divided by its rank: a
constant, what each open (unjudged) document adds with the known ones, and what each pair of open documents adds, 1 by
the deeper rank. In a difference pairs add the difference of two such terms, and for a given number m of relevant open
documents the sum is at most that of the best m, where a document has half of what its best m − 1 partners add. For
similar runs the terms nearly cancel, where two separate intervals would be wide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, safe_divide, sizes_of
from irviewer.model.judgments.judged import Hits, Judged

FEW, MOST = 200, 800
"""The most unjudged documents of a query for which pairs of documents are counted; with more, pairs are left out."""
AT_A_TIME = 1 << 17
"""Pairs of documents that are computed at a time, so that they fit the processor's cache."""


def bounds_of_ap(
    measure: Measure,
    judged: tuple[Judged, Judged],
    rows: tuple[Ints, Ints],
    ranks: tuple[Ints, Ints],
    offsets: Ints,
    more: Ints,
) -> tuple[Floats, Floats]:
    """Return the lower and the upper bound of the difference of each query, float64[Q] each; NaN where too many
    documents are open.

    rows, ranks, offsets   as in ``run_pair``: the indices of the queries in the joins, the open documents' ranks in
                           either list (0: absent), and where those of each query begin
    more                   int64[Q]: open documents that neither list has, which count for the norm"""
    level = float(measure.parameter("rel"))
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    relevant = judged[0].relevant_count(level)[rows[0]]
    hits = tuple(_Known.of(run_judged.relevant_hits(level, cutoff)) for run_judged in judged)
    low, high = np.full(len(rows[0]), np.nan), np.full(len(rows[0]), np.nan)
    counts = sizes_of(offsets)
    wanted = np.flatnonzero((counts <= MOST) & ((counts > 0) | (more > 0)))
    wanted = wanted[np.argsort(counts[wanted], kind="stable")]
    widest = max(1, *(int(known.sizes.max(initial=0)) for known in hits))
    start = 0
    while start < len(wanted):
        # Queries with the same number of open documents, as many as fit.
        count = int(counts[wanted[start]])
        most = max(1, AT_A_TIME // max(count * count, widest))
        stop = min(start + most, int(np.searchsorted(counts[wanted], count, side="right")))
        queries = wanted[start:stop]
        places = offsets[queries][:, None] + np.arange(count)
        low[queries], high[queries] = _of_some(
            hits, (rows[0][queries], rows[1][queries]), (ranks[0][places], ranks[1][places]),
            relevant[queries], more[queries],
        )  # fmt: skip
        start = stop
    return low, high


@dataclass(frozen=True, eq=False)
class _Known:
    """The ranks of the known relevant documents of a run, flat by query, and where those of each query begin."""

    rank: Ints
    query: Ints
    offsets: Ints

    @classmethod
    def of(cls, hits: Hits) -> _Known:
        return cls(hits.rank, hits.query, np.searchsorted(hits.query, np.arange(hits.n_queries + 1)))

    @property
    def sizes(self) -> Ints:
        """int64[E]: how many there are of each query."""
        return sizes_of(self.offsets)

    @cached_property
    def _keys(self) -> Ints:
        return np.asarray(self.query << 32 | self.rank)

    def padded(self, rows: Ints) -> Floats:
        """float64[B, K]: the ranks of some queries, infinite beyond their ends."""
        sizes = self.sizes[rows]
        places = np.arange(int(sizes.max(initial=0)))
        has = places < sizes[:, None]
        padded = np.full(has.shape, np.inf)
        padded[has] = self.rank[(self.offsets[rows][:, None] + places)[has]]
        return padded

    def above(self, rows: Ints, ranks: Ints) -> Ints:
        """int64[B, u]: how many there are above some ranks int64[B, u] of each query."""
        keys = rows[:, None] << 32 | ranks
        return np.searchsorted(self._keys, keys) - self.offsets[rows][:, None]


def _of_some(
    hits: tuple[_Known, ...], rows: tuple[Ints, Ints], ranks: tuple[Ints, Ints], relevant: Floats | Ints, more: Ints
) -> tuple[Floats, Floats]:
    """The lower and the upper bound of B queries that have u open documents each: ``ranks`` int64[B, u]."""
    count = ranks[0].shape[1]
    start, linear = np.zeros(len(relevant)), np.zeros(ranks[0].shape)
    pairs = np.zeros((*ranks[0].shape, count))
    for sign, known, run_rows, rank in zip((1.0, -1.0), hits, rows, ranks, strict=True):
        known_ranks = known.padded(run_rows)
        open_ranks = np.where(rank > 0, rank, np.inf)
        start += sign * (np.arange(1, known_ranks.shape[1] + 1) / known_ranks).sum(axis=1)
        above = known.above(run_rows, rank)
        below = np.zeros((len(known_ranks), known_ranks.shape[1] + 1))
        below[:, :-1] = np.cumsum((1.0 / known_ranks)[:, ::-1], axis=1)[:, ::-1]
        added = (above + 1) / open_ranks + np.take_along_axis(below, above, axis=1)
        linear += sign * np.where(rank > 0, added, 0.0)
        pairs += sign / np.maximum(open_ranks[:, :, None], open_ranks[:, None, :])
    pairs[:, np.arange(count), np.arange(count)] = 0.0
    norm = relevant[:, None] + np.arange(count + 1)
    bounds = []
    for sign in (-1.0, 1.0):
        most = sign * start[:, None] + _most(sign * linear, np.maximum(sign * pairs, 0.0))
        # Further relevant documents bring a ratio nearer to 0: it is the greatest with none, or with all of them.
        ratios = [safe_divide(most, norm + extra).max(axis=1) for extra in (0, more[:, None])]
        bounds.append(sign * np.maximum(*ratios))
    return bounds[0], bounds[1]


def _most(linear: Floats, pairs: Floats) -> Floats:
    """float64[B, u + 1]: the most that m documents can add, for m = 0 … u; pairs float64[B, u, u] add 0 or more."""
    count = linear.shape[1]
    result = np.zeros((len(linear), count + 1))
    if count > FEW:
        worth = np.sort(linear + pairs.sum(axis=2) / 2, axis=1)[:, ::-1]
        result[:, 1:] = np.cumsum(worth, axis=1)
        return result
    partners = np.zeros_like(pairs)
    partners[:, 1:] = np.cumsum(np.sort(pairs, axis=2)[:, :, ::-1], axis=2)[:, :, :-1].transpose(0, 2, 1)
    worth = np.sort(linear[:, None, :] + partners / 2, axis=2)[:, :, ::-1]
    result[:, 1:] = (worth * np.tri(count)).sum(axis=2)
    return result

"""Bounds of the difference of two average precisions, with one norm and each document judged once.

R · AP is the sum, over relevant documents, of the number of relevant ones at or above each divided by its rank: a
constant, what each open (unjudged) document adds with the known ones, and what each pair of open documents adds, 1 by
the deeper rank. In a difference pairs add the difference of two such terms, and for a given number m of relevant open
documents the sum is at most that of the best m, where a document has half of what its best m − 1 partners add. For
similar runs the terms nearly cancel, where two separate intervals would be wide."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.judgments.judged import Judged

FEW, MOST = 200, 800
"""The most unjudged documents of a query for which pairs of documents are counted; with more, pairs are left out."""


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
    hits = [run_hits.relevant_hits(level, cutoff) for run_hits in judged]
    starts = [np.searchsorted(run_hits.query, np.arange(run_hits.n_queries + 1)) for run_hits in hits]
    low, high = np.full(len(rows[0]), np.nan), np.full(len(rows[0]), np.nan)
    for query in range(len(low)):
        span = slice(int(offsets[query]), int(offsets[query + 1]))
        count = span.stop - span.start
        if count > MOST or not (count or more[query]):
            continue
        start, linear, pairs = 0.0, np.zeros(count), np.zeros((count, count))
        for sign, run_hits, begin, run_rows, rank in zip((1.0, -1.0), hits, starts, rows, ranks, strict=True):
            row = int(run_rows[query])
            known_ranks = run_hits.rank[begin[row] : begin[row + 1]].astype(np.float64)
            open_ranks = np.where(rank[span] > 0, rank[span], np.inf).astype(np.float64)
            start += sign * float((np.arange(1, len(known_ranks) + 1) / known_ranks).sum())
            above = np.searchsorted(known_ranks, open_ranks)
            below = np.concatenate([np.cumsum((1.0 / known_ranks)[::-1])[::-1], [0.0]])
            linear += sign * ((above + 1) / open_ranks + np.where(np.isfinite(open_ranks), below[above], 0.0))
            pairs += sign / np.maximum(open_ranks[:, None], open_ranks[None, :])
        np.fill_diagonal(pairs, 0.0)
        norm = relevant[query] + np.arange(count + 1)
        for sign, bound in ((1.0, high), (-1.0, low)):
            most = sign * start + _most(sign * linear, np.maximum(sign * pairs, 0.0))
            # Further relevant documents bring a ratio nearer to 0: it is the greatest with none, or with all of them.
            ratios = [
                np.divide(most, norm + extra, out=np.zeros(count + 1), where=norm + extra > 0)
                for extra in (0, int(more[query]))
            ]
            bound[query] = sign * max(float(part.max()) for part in ratios)
    return low, high


def _most(linear: Floats, pairs: Floats) -> Floats:
    """float64[u + 1]: the most that m documents can add, for m = 0 … u; pairs float64[u, u] add 0 or more."""
    count = len(linear)
    if count > FEW:
        worth = np.sort(linear + pairs.sum(axis=1) / 2)[::-1]
        return np.concatenate([[0.0], np.cumsum(worth)])
    partners = np.concatenate([np.zeros((count, 1)), np.cumsum(-np.sort(-pairs, axis=1), axis=1)], axis=1)
    result = np.zeros(count + 1)
    for m in range(1, count + 1):
        worth = linear + partners[:, m - 1] / 2
        result[m] = np.sort(worth)[::-1][:m].sum()
    return result

"""Bounds of the difference of two average precisions, one norm and each document judged once.

R · AP is the sum, over relevant documents, of how many relevant ones stand at or above each, by its rank: a constant,
what each open document adds beside the known ones, and what each pair of open documents adds, 1 by the deeper rank. Of
a difference pairs add that of two such terms, and for a given number m of relevant open documents the sum is at most
that of the best m, where a document has half of what its best m − 1 partners add. For similar runs the terms nearly
cancel, where two separate intervals would be wide."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.judgments.judged import Judged

FEW, MOST = 200, 800
"""The most unjudged documents of a query for which pairs of documents are counted; with more, pairs are left out."""


def bounds_of_ap(
    measure: Measure, judged: tuple[Judged, Judged], rows: tuple[Ints, Ints], ranks: tuple[Ints, Ints], offsets: Ints
) -> tuple[Floats, Floats]:
    """What the difference of each query cannot go below, nor above, float64[Q] each; NaN where too much is open.

    rows, ranks, offsets   as in ``differences``: the joins' places of the queries, the open documents' ranks in either
                           list (0: not there), where each query's begin"""
    level = float(measure.parameter("rel"))
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    relevant = judged[0].relevant_count(level)[rows[0]]
    hits = [one.relevant_hits(level, cutoff) for one in judged]
    starts = [np.searchsorted(one.query, np.arange(one.n_queries + 1)) for one in hits]
    low, high = np.full(len(rows[0]), np.nan), np.full(len(rows[0]), np.nan)
    for query in range(len(low)):
        here = slice(int(offsets[query]), int(offsets[query + 1]))
        count = here.stop - here.start
        if not 0 < count <= MOST:
            continue
        start, linear, pairs = 0.0, np.zeros(count), np.zeros((count, count))
        for sign, one, begin, places, rank in zip((1.0, -1.0), hits, starts, rows, ranks, strict=True):
            row = int(places[query])
            known = one.rank[begin[row] : begin[row + 1]].astype(np.float64)
            own = np.where(rank[here] > 0, rank[here], np.inf).astype(np.float64)
            start += sign * float((np.arange(1, len(known) + 1) / known).sum())
            above = np.searchsorted(known, own)
            below = np.concatenate([np.cumsum((1.0 / known)[::-1])[::-1], [0.0]])
            linear += sign * ((above + 1) / own + np.where(np.isfinite(own), below[above], 0.0))
            pairs += sign / np.maximum(own[:, None], own[None, :])
        np.fill_diagonal(pairs, 0.0)
        norm = relevant[query] + np.arange(count + 1)
        for sign, found in ((1.0, high), (-1.0, low)):
            most = sign * start + _most(sign * linear, np.maximum(sign * pairs, 0.0))
            ratios = np.divide(most, norm, out=np.zeros(count + 1), where=norm > 0)
            found[query] = sign * ratios.max()
    return low, high


def _most(linear: Floats, pairs: Floats) -> Floats:
    """float64[u + 1]: no m documents add more than this, for m = 0 … u; pairs float64[u, u] add 0 or more."""
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

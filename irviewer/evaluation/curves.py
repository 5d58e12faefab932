"""Curves of queries and means over queries: precision by recall, cumulated gain, and P, R and F by rank.

Functions return arrays with one point per corner of a curve, or one per rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from irviewer.measures.gains import LOG2, GainRule, discount_of
from irviewer.model.arrays import Bools, Floats, Ints, grouped, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import documents_taken

QUERIES_AT_ONCE = 1000
"""The size of blocks of queries, which limits the memory of dense arrays."""


def precision_recall(judged: Judged, query: int, level: float = 1) -> tuple[Floats, Floats]:
    """Return (recall, precision) of a query at each returned document, float64[n] both: the uninterpolated curve.

    Empty without returned documents; recall is 0 without relevant documents."""
    returned = int(judged.returned[query])
    relevant = int(judged.relevant_count(level)[query])
    relevant_so_far = np.cumsum(_relevance(judged, query, level, returned))
    ranks = np.arange(1, returned + 1)
    return safe_divide(relevant_so_far, np.full(returned, relevant)), relevant_so_far / ranks


def interpolated(judged: Judged, query: int, level: float = 1) -> tuple[Floats, Floats]:
    """Return the (recall, precision) corners of a query's interpolated curve: the highest precision at that recall or
    any higher, a step function from recall 0 to the highest recall reached. Empty without relevant documents
    returned."""
    ranks, grades = judged.hits_of(query)
    ranks = ranks[(grades >= level) & (grades >= 0)]
    relevant = int(judged.relevant_count(level)[query])
    if not len(ranks):
        return np.empty(0), np.empty(0)
    precision = np.arange(1, len(ranks) + 1) / ranks
    best = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.arange(1, len(ranks) + 1) / relevant
    # A value holds from above the previous recall to its own: two corners per step, without those between equal values.
    x = np.empty(2 * len(best))
    x[0], x[1::2], x[2::2] = 0.0, recall, recall[:-1]
    y = np.repeat(best, 2)
    keep = np.ones(len(x), dtype=np.bool_)
    flat = np.flatnonzero(best[1:] == best[:-1])
    keep[2 * flat + 1] = keep[2 * flat + 2] = False
    return x[keep], y[keep]


def averaged_precision_recall(
    judged: Judged, level: float = 1, points: int = 101, cut: str = "exact"
) -> tuple[Floats, Floats]:
    """Return (recall, mean interpolated precision of all queries) at ``points`` even recall levels from 0 to 1: 11 for
    the classic curve, 101 for .00, .01 … 1.00. Interpolated precision at r is max P(k) with R(k) ≥ r; with another
    ``cut`` it is IPrec with that parameter, which trec_eval computes at its eleven levels."""
    levels = np.arange(points) / (points - 1)
    if not judged.n_queries:
        return levels, np.zeros(points)
    total = np.zeros(points)
    for _, rows in _interpolated_rows(judged, level, points, cut):
        total += rows.sum(axis=0)
    return levels, total / judged.n_queries


def _interpolated_rows(judged: Judged, level: float, points: int, cut: str) -> Iterator[tuple[Ints, Floats]]:
    """Give the queries with relevant documents returned, int64[n], with their interpolated precision at even recall
    levels, float64[n, points], some queries at a time. A row depends on its query alone, to the last digit."""
    hits = judged.relevant_hits(level)
    precision = hits.ordinal / hits.rank
    # Suffix maximum within each query: accumulate backwards over all hits. Adding a constant to each query, smaller for
    # later queries, keeps a maximum from passing into the next query. It rounds, so the place of the maximum is taken.
    backwards = (precision + 2.0 * (judged.n_queries - hits.query))[::-1]
    highest = np.maximum.accumulate(backwards)
    place = np.maximum.accumulate(np.where(backwards == highest, np.arange(len(highest)), 0))
    best = precision[::-1][place][::-1]
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries))
    retrieved = hits.count_by_query
    # Queries with the same number of relevant documents need the same number for recall r.
    kinds, kind, _ = grouped(judged.relevant_count(level))
    takes = np.maximum(documents_taken(np.arange(points) / (points - 1), kinds[:, None], cut), 1)
    answered = np.flatnonzero(retrieved > 0)
    for start in range(0, len(answered), QUERIES_AT_ONCE):
        queries = answered[start : start + QUERIES_AT_ONCE]
        needed, returned = takes[kind[queries]], retrieved[queries][:, None]
        index = starts[queries][:, None] + np.minimum(needed, returned) - 1
        yield queries, np.where(needed <= returned, best[index], 0.0)


def gain_accumulation(
    judged: Judged, query: int, depth: int, rule: GainRule = LOG2, discounted: bool = True
) -> tuple[Ints, Floats]:
    """Return (rank, DCG down to that rank) of a query for ranks 1 … min(depth, returned); CG if not discounted."""
    ranks, grades = judged.hits_of(query)
    end = min(depth, int(judged.returned[query]))
    return _accumulate(ranks, rule.gain(grades), end, rule, discounted)


def ideal_accumulation(
    judged: Judged, query: int, depth: int, rule: GainRule = LOG2, discounted: bool = True
) -> tuple[Ints, Floats]:
    """Return (rank, DCG) of the ideal ranking of a query for ranks 1 … depth: all judged documents, or those
    retrieved, by descending gain."""
    grades = judged.ideal_of(query) if rule.ideal == "judged" else judged.hits_of(query)[1]
    gains = np.sort(rule.gain(grades))[::-1]
    return _accumulate(np.arange(1, len(gains) + 1), gains, depth, rule, discounted)


def precision_recall_f_by_rank(judged: Judged, query: int, depth: int, level: float = 1) -> tuple[Ints, Floats]:
    """Return (rank, [P, R, F1] float64[3, depth]) of a query for ranks 1 … depth; P is divided by the rank beyond the
    end of the ranking too."""
    relevant_so_far = np.cumsum(_relevance(judged, query, level, depth))
    ranks = np.arange(1, depth + 1)
    p = relevant_so_far / ranks
    r = safe_divide(relevant_so_far, np.full(depth, int(judged.relevant_count(level)[query])))
    return ranks, np.stack([p, r, safe_divide(2 * p * r, p + r)])


def mean_ndcg_by_cutoff(judged: Judged, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """Return (k, mean nDCG@k of all queries) for k = 1 … depth."""
    cutoffs = np.arange(1, depth + 1)
    if not judged.n_queries:
        return cutoffs, np.zeros(depth)
    run_gains = judged.hit_query, judged.hit_rank, rule.gain(judged.hit_grade)
    best_gains = ideal_gains(judged, rule)
    total = np.zeros(depth)
    for start in range(0, judged.n_queries, QUERIES_AT_ONCE):
        stop = min(start + QUERIES_AT_ONCE, judged.n_queries)
        gain, ideal = (dense_gains(*gains, start, stop, depth, rule) for gains in (run_gains, best_gains))
        total += safe_divide(gain, ideal).sum(axis=0)
    return cutoffs, total / judged.n_queries


def ideal_gains(judged: Judged, rule: GainRule) -> tuple[Ints, Ints, Floats]:
    """Return (query, rank, gain) of the ideal rankings, by query and rank: gains descending."""
    query, grades = judged.ideal_query, judged.ideal_grades
    if rule.ideal == "retrieved":
        query, grades = judged.hit_query, judged.hit_grade
    gain = rule.gain(grades)
    gain = gain[np.lexsort((-gain, query))]
    first = np.searchsorted(query, np.arange(judged.n_queries))
    return query, np.arange(1, len(query) + 1) - first[query], gain


def ndcg_by_cutoff(judged: Judged, query: int, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """Return (k, nDCG@k) of a query for k = 1 … depth."""
    _, gain = gain_accumulation(judged, query, depth, rule)
    ranks, ideal = ideal_accumulation(judged, query, depth, rule)
    last = gain[-1] if len(gain) else 0.0  # no gain beyond the end of a ranking
    return ranks, safe_divide(np.concatenate((gain, np.full(depth - len(gain), last))), ideal)


def mean_gain_by_cutoff(judged: Judged, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """Return (k, mean DCG@k of all queries) for k = 1 … depth."""
    cutoffs = np.arange(1, depth + 1)
    keep = judged.hit_rank <= depth
    ranks = judged.hit_rank[keep]
    by_rank = np.bincount(ranks - 1, weights=rule.discounted(judged.hit_grade[keep], ranks), minlength=depth)
    return cutoffs, np.cumsum(by_rank) / max(1, judged.n_queries)


def _relevance(judged: Judged, query: int, level: float, depth: int) -> Floats:
    """Return 1 at the ranks of a query's relevant documents, else 0, float64[depth]."""
    ranks, grades = judged.hits_of(query)
    relevance = np.zeros(depth)
    keep = (grades >= level) & (grades >= 0) & (ranks <= depth)
    relevance[ranks[keep] - 1] = 1.0
    return relevance


def _accumulate(ranks: Ints, gains: Floats, depth: int, rule: GainRule, discounted: bool) -> tuple[Ints, Floats]:
    keep = ranks <= depth
    by_rank = np.zeros(depth)
    by_rank[ranks[keep] - 1] = gains[keep] / (discount_of(ranks[keep], rule.dcg, rule.base) if discounted else 1.0)
    return np.arange(1, depth + 1), np.cumsum(by_rank)


def dense_gains(query: Ints, rank: Ints, gain: Floats, start: int, stop: int, depth: int, rule: GainRule) -> Floats:
    """Return the DCG by rank of queries ``start`` to ``stop``, float64[stop - start, depth]."""
    first, last = np.searchsorted(query, [start, stop])
    keep = slice(int(first), int(last))
    query, rank, gain = query[keep] - start, rank[keep], gain[keep]
    inside = rank <= depth
    dense = np.zeros((stop - start, depth))
    dense[query[inside], rank[inside] - 1] = gain[inside] / discount_of(rank[inside], rule.dcg, rule.base)
    return np.cumsum(dense, axis=1)


# Curves by query, one row per query, for bands and differences of mean curves. Their means over rows are the curves
# above.


def precision_recall_rows(judged: Judged, level: float = 1, points: int = 101, cut: str = "exact") -> Floats:
    """Return the interpolated precision of each query at even recall levels from 0 to 1, float64[Q, points]; ``cut`` as
    for the mean curve."""
    precision = np.zeros((judged.n_queries, points))
    if judged.n_queries:
        for queries, rows in _interpolated_rows(judged, level, points, cut):
            precision[queries] = rows
    return precision


def mean_row(rows: Floats, counts: Bools) -> Floats:
    """Return the mean of the rows of the queries in ``counts``, bool[Q]; zeros without any. Of at most
    ``QUERIES_AT_ONCE`` queries it is the mean curve above to the last digit."""
    kept = rows if counts.all() else rows.compress(counts, axis=0)
    total: Floats = kept.sum(axis=0)
    return total / max(1, len(kept))


def ndcg_rows(judged: Judged, depth: int, rule: GainRule = LOG2) -> Floats:
    """Return the nDCG@k of each query for k = 1 … depth, float64[Q, depth]."""
    gain = gain_rows(judged, depth, rule)
    return safe_divide(gain, dense_gains(*ideal_gains(judged, rule), 0, judged.n_queries, depth, rule))


def gain_rows(judged: Judged, depth: int, rule: GainRule = LOG2) -> Floats:
    """Return the DCG@k of each query for k = 1 … depth, float64[Q, depth]."""
    gains = judged.hit_query, judged.hit_rank, rule.gain(judged.hit_grade)
    return dense_gains(*gains, 0, judged.n_queries, depth, rule)

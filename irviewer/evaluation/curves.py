"""Curves: precision against recall of one query or averaged, gain accumulated by rank, P, R and F at every rank.

Each returns plain arrays with as few points as the curve has corners, or one a rank where a rank is the point."""

from __future__ import annotations

import numpy as np

from irviewer.measures.gains import LOG2, GainRule, discount_of
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import documents_taken

QUERIES_AT_ONCE = 1000
"""Blocks of queries keep dense arrays, queries by ranks or by levels of recall, small."""


def precision_recall(judged: Judged, query: int, level: float = 1) -> tuple[Floats, Floats]:
    """(recall, precision) of one evaluated query at every returned document: float64[n] each, the raw saw-tooth.

    Empty where nothing was returned; recall is 0 throughout where nothing is relevant."""
    returned = int(judged.returned[query])
    relevant = int(judged.relevant_count(level)[query])
    found = np.cumsum(_relevance(judged, query, level, returned))
    ranks = np.arange(1, returned + 1)
    return safe_divide(found, np.full(returned, relevant)), found / ranks


def interpolated(judged: Judged, query: int, level: float = 1) -> tuple[Floats, Floats]:
    """(recall, precision) corners of the interpolated curve of one evaluated query: the best precision at that recall
    or any higher, a step function from recall 0 to the highest recall reached. Empty where no relevant document was
    returned."""
    ranks, grades = judged.hits_of(query)
    ranks = ranks[(grades >= level) & (grades >= 0)]
    relevant = int(judged.relevant_count(level)[query])
    if not len(ranks):
        return np.empty(0), np.empty(0)
    precision = np.arange(1, len(ranks) + 1) / ranks
    best = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.arange(1, len(ranks) + 1) / relevant
    # The value holds from just above the recall before up to its own: two corners a step, those between equals dropped.
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
    """(recall, interpolated precision averaged over all evaluated queries) at ``points`` even recall levels from 0 to
    1: 11 for the classic curve, 101 for .00, .01 … 1.00. Interpolated precision at r is max P(k) with R(k) ≥ r; another
    ``cut`` gives what IPrec gives with that parameter, which trec_eval does at its eleven levels alone."""
    levels = np.arange(points) / (points - 1)
    hits = judged.relevant_hits(level)
    relevant = judged.relevant_count(level)
    if not judged.n_queries:
        return levels, np.zeros(points)
    # Suffix maximum within each query: accumulate backwards over the flat hits, lifted by the query so that a maximum
    # never crosses from one query into the next (going backwards, later queries have the smaller lift).
    precision = hits.ordinal / hits.rank
    lift = 2.0 * (judged.n_queries - hits.query)
    best = np.maximum.accumulate((precision + lift)[::-1])[::-1] - lift
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries))
    found = hits.count_by_query
    # Recall r takes equally many documents of all queries with equally many relevant ones.
    kinds, kind = np.unique(relevant, return_inverse=True)
    takes = np.maximum(documents_taken(levels[:, None], kinds, cut), 1)
    some = np.flatnonzero(found > 0)
    total = np.zeros(points)
    for start in range(0, len(some), QUERIES_AT_ONCE):
        queries = some[start : start + QUERIES_AT_ONCE]
        wanted = takes[:, kind[queries]]
        place = starts[queries] + np.minimum(wanted, found[queries]) - 1
        total += np.where(wanted <= found[queries], best[place], 0.0).sum(axis=1)
    return levels, total / judged.n_queries


def gain_accumulation(
    judged: Judged, query: int, depth: int, rule: GainRule = LOG2, discounted: bool = True
) -> tuple[Ints, Floats]:
    """(rank, DCG down to that rank) of one evaluated query for ranks 1 … min(depth, returned); CG undiscounted."""
    ranks, grades = judged.hits_of(query)
    end = min(depth, int(judged.returned[query]))
    return _accumulate(ranks, rule.gain(grades), end, rule, discounted)


def ideal_accumulation(
    judged: Judged, query: int, depth: int, rule: GainRule = LOG2, discounted: bool = True
) -> tuple[Ints, Floats]:
    """(rank, DCG) of the ideal list of one evaluated query for ranks 1 … depth: all judged documents, best first; where
    the rule says so, those that were retrieved."""
    grades = judged.ideal_of(query) if rule.ideal == "judged" else judged.hits_of(query)[1]
    gains = np.sort(rule.gain(grades))[::-1]
    return _accumulate(np.arange(1, len(gains) + 1), gains, depth, rule, discounted)


def precision_recall_f_by_rank(judged: Judged, query: int, depth: int, level: float = 1) -> tuple[Ints, Floats]:
    """(rank, [P, R, F1] float64[3, depth]) of one evaluated query at every rank 1 … depth; P divides by the rank also
    past the end of the list."""
    found = np.cumsum(_relevance(judged, query, level, depth))
    ranks = np.arange(1, depth + 1)
    p = found / ranks
    r = safe_divide(found, np.full(depth, int(judged.relevant_count(level)[query])))
    return ranks, np.stack([p, r, safe_divide(2 * p * r, p + r)])


def mean_ndcg_by_cutoff(judged: Judged, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """(k, nDCG@k averaged over all evaluated queries) for k = 1 … depth, as nDCG@k is defined."""
    cutoffs = np.arange(1, depth + 1)
    if not judged.n_queries:
        return cutoffs, np.zeros(depth)
    found = judged.hit_query, judged.hit_rank, rule.gain(judged.hit_grade)
    best = ideal_gains(judged, rule)
    total = np.zeros(depth)
    for start in range(0, judged.n_queries, QUERIES_AT_ONCE):
        stop = min(start + QUERIES_AT_ONCE, judged.n_queries)
        gain, ideal = (dense_gains(*one, start, stop, depth, rule) for one in (found, best))
        total += safe_divide(gain, ideal).sum(axis=0)
    return cutoffs, total / judged.n_queries


def ideal_gains(judged: Judged, rule: GainRule) -> tuple[Ints, Ints, Floats]:
    """(query, rank, gain) of the ideal lists, by query and rank: gains descending."""
    query, grades = judged.ideal_query, judged.ideal_grades
    if rule.ideal == "retrieved":
        query, grades = judged.hit_query, judged.hit_grade
    gain = rule.gain(grades)
    gain = gain[np.lexsort((-gain, query))]
    first = np.searchsorted(query, np.arange(judged.n_queries))
    return query, np.arange(1, len(query) + 1) - first[query], gain


def ndcg_by_cutoff(judged: Judged, query: int, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """(k, nDCG@k) of one evaluated query for k = 1 … depth."""
    _, gain = gain_accumulation(judged, query, depth, rule)
    ranks, ideal = ideal_accumulation(judged, query, depth, rule)
    last = gain[-1] if len(gain) else 0.0  # past the end of a short list nothing is gained
    return ranks, safe_divide(np.concatenate((gain, np.full(depth - len(gain), last))), ideal)


def mean_gain_by_cutoff(judged: Judged, depth: int, rule: GainRule = LOG2) -> tuple[Ints, Floats]:
    """(k, DCG@k averaged over all evaluated queries) for k = 1 … depth."""
    cutoffs = np.arange(1, depth + 1)
    keep = judged.hit_rank <= depth
    ranks = judged.hit_rank[keep]
    by_rank = np.bincount(ranks - 1, weights=rule.discounted(judged.hit_grade[keep], ranks), minlength=depth)
    return cutoffs, np.cumsum(by_rank) / max(1, judged.n_queries)


def _relevance(judged: Judged, query: int, level: float, depth: int) -> Floats:
    """float64[depth]: 1 at the ranks of one query that hold a relevant document."""
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
    """float64[stop - start, depth]: DCG accumulated by rank of some queries."""
    first, last = np.searchsorted(query, [start, stop])
    keep = slice(int(first), int(last))
    query, rank, gain = query[keep] - start, rank[keep], gain[keep]
    inside = rank <= depth
    dense = np.zeros((stop - start, depth))
    dense[query[inside], rank[inside] - 1] = gain[inside] / discount_of(rank[inside], rule.dcg, rule.base)
    return np.cumsum(dense, axis=1)


# The curves that are averaged over queries, a row a query: what bands and differences of averaged curves are made of.
#
# Their means over the rows are the curves of ``curves``.


def precision_recall_rows(judged: Judged, level: float = 1, points: int = 101, cut: str = "exact") -> Floats:
    """float64[Q, points]: interpolated precision of each evaluated query at even recall levels from 0 to 1; ``cut`` as
    for the averaged curve."""
    found = np.zeros((judged.n_queries, points))
    if not judged.n_queries:
        return found
    hits = judged.relevant_hits(level)
    relevant = judged.relevant_count(level)
    lift = 2.0 * (judged.n_queries - hits.query)
    best = np.maximum.accumulate((hits.ordinal / hits.rank + lift)[::-1])[::-1] - lift
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries))
    wanted = documents_taken(np.arange(points) / (points - 1), relevant[:, None], cut)
    reached = (hits.count_by_query > 0)[:, None] & (wanted <= hits.count_by_query[:, None])
    places = starts[:, None] + np.maximum(wanted, 1) - 1
    found[reached] = best[places[reached]]
    return found


def ndcg_rows(judged: Judged, depth: int, rule: GainRule = LOG2) -> Floats:
    """float64[Q, depth]: nDCG@k of each evaluated query for k = 1 … depth."""
    gain = gain_rows(judged, depth, rule)
    return safe_divide(gain, dense_gains(*ideal_gains(judged, rule), 0, judged.n_queries, depth, rule))


def gain_rows(judged: Judged, depth: int, rule: GainRule = LOG2) -> Floats:
    """float64[Q, depth]: DCG@k of each evaluated query for k = 1 … depth."""
    found = judged.hit_query, judged.hit_rank, rule.gain(judged.hit_grade)
    return dense_gains(*found, 0, judged.n_queries, depth, rule)

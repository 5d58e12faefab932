"""The curves that are averaged over queries, a row a query: what bands and differences of averaged curves are made of.

Their means over the rows are the curves of ``curves``."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.curves import dense_gains, ideal_gains
from irviewer.model.gains import LOG2, GainRule
from irviewer.model.judged import Judged
from irviewer.model.recall_cuts import documents_taken


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

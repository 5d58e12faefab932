"""The bounds of normalised measures without trying every assignment, for lists of a thousand unjudged documents.

Average precision, R-precision, bpref and interpolated precision follow the chains of ``unjudged``: the first m relevant
(best), or the last m (worst). Average precision is computed here by sums, the others one query at a time in
``bounds_by_dynamic_programming``. nDCG is a ratio of gains (``gain_ratio``)."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.pooling.bounds_by_dynamic_programming import bounds_along_chains
from irviewer.analysis.pooling.gain_ratio import Ideal, greatest
from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.measures.base import Measure
from irviewer.measures.gains import GainRule, discount_of
from irviewer.model.arrays import Floats, Ints, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged


def known_bounds(measure: Measure, judged: Judged, unjudged: Unjudged, grade: float) -> tuple[Floats, Floats] | None:
    """Return the least and the greatest value of each query over the chains; None for another measure, or where no
    grade would make a document relevant. Removing unjudged documents makes no difference: once all are judged, there is
    none down to the last rank that the measure reads."""
    if measure.name not in ("AP", "gm_map", "Rprec", "Bpref", "gm_bpref", "IPrec"):
        return None
    if grade < float(measure.parameter("rel") or 1):
        return None
    if measure.name in ("AP", "gm_map"):
        return _average_precision(measure, judged, unjudged)
    return bounds_along_chains(measure, judged, unjudged)


def gain_bounds(measure: Measure, judged: Judged, unjudged: Unjudged, grade: float) -> tuple[Floats, Floats]:
    """Return the least and the greatest nDCG of each query over all grades up to ``grade``."""
    rule = rule_of(measure)
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    hits = judged.judged_hits.to(cutoff)
    start = hits.sum_by_query(rule.discounted(hits.grade, hits.rank))
    ideal = ideal_of(measure, judged, int(unjudged.counts.max(initial=0)), grade)
    weights = 1.0 / discount_of(unjudged.rank, rule.dcg, rule.base)
    least = 0.0 - greatest(-start, -weights, unjudged.offsets, ideal)
    return least, greatest(start, weights, unjudged.offsets, ideal)


def rule_of(measure: Measure) -> GainRule:
    """Return gain and discount of a DCG or nDCG without gains of its own."""
    return GainRule(measure.parameter("dcg"), measure.parameter("base"), None, measure.parameter("rel"))


def ideal_of(measure: Measure, judged: Judged, n_more: int, grade: float) -> Ideal:
    """Return the known part of the ideal rankings of an nDCG, with room for ``more`` documents up to ``grade``."""
    rule = rule_of(measure)
    query, gains = judged.ideal_query, rule.gain(judged.ideal_grades)
    if measure.parameter("ideal") == "retrieved":
        query, gains = judged.hit_query, rule.gain(judged.hit_grade)
    query, gains = query[gains > 0], gains[gains > 0]
    order = np.lexsort((-gains, query))
    counts = np.bincount(query, minlength=judged.n_queries)
    longest = int(counts.max(initial=0)) + n_more + 1
    shares = 1.0 / discount_of(np.arange(1, longest + 1), rule.dcg, rule.base)
    if measure.cutoff is not None:
        shares[int(measure.cutoff) :] = 0.0
    return Ideal(gains[order], offsets_of(counts), shares, float(rule.gain(np.array([grade]))[0]))


def _average_precision(measure: Measure, judged: Judged, unjudged: Unjudged) -> tuple[Floats, Floats]:
    """The bounds of average precision: what one more relevant document adds follows from those above and below it."""
    level = float(measure.parameter("rel") or 1)
    hits = judged.relevant_hits(level, None if measure.cutoff is None else int(measure.cutoff))
    relevant = judged.relevant_count(level)
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries + 1))
    inverse = np.concatenate([[0.0], np.cumsum(1.0 / hits.rank)])
    # Flat keys of (query, rank) give, for each unjudged document, the number of relevant ones above it.
    wide = int(max(hits.rank.max(initial=0), unjudged.rank.max(initial=0))) + 1
    position = np.searchsorted(hits.query * wide + hits.rank, unjudged.query * wide + unjudged.rank)
    above = position - starts[unjudged.query]
    below = inverse[starts[unjudged.query + 1]] - inverse[position]
    start = hits.sum_by_query(hits.ordinal / hits.rank)
    low = safe_divide(start, relevant)
    high = low.copy()
    number = unjudged.ordinal + 1
    best = (number + above) / unjudged.rank + below
    inverse_rank = 1.0 / unjudged.rank
    behind = np.concatenate([np.cumsum(inverse_rank[::-1])[::-1], [0.0]])
    later = (
        behind[1:][: len(inverse_rank)] - behind[unjudged.offsets[unjudged.query + 1]]
        if len(inverse_rank)
        else inverse_rank
    )
    worst = (above + 1) * inverse_rank + below + later
    size = unjudged.counts[unjudged.query]
    for gain, count, from_end in ((best, number, False), (worst, size - number + 1, True)):
        total = _running(gain, unjudged.offsets, unjudged.query, from_end=from_end)
        values = (start[unjudged.query] + total) / (relevant[unjudged.query] + count)
        np.minimum.at(low, unjudged.query, values)
        np.maximum.at(high, unjudged.query, values)
    return low, high


def _running(values: Floats, offsets: Ints, query: Ints, *, from_end: bool) -> Floats:
    """Running sums of each query's values, from its first or from its last."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    if from_end:
        return np.asarray(sums[offsets[query + 1]] - sums[:-1])
    return np.asarray(sums[1:] - sums[offsets[query]])

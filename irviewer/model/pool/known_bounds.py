"""The bounds of measures with a norm without trying every assignment: lists of a thousand unjudged documents.

All follow the chains of ``unjudged``: the first m relevant (best), or the last m (worst). Average precision and nDCG
stand here, by sums; the others one query at a time in ``chained``."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.gains import discount_of, gains_of
from irviewer.model.judged import Judged
from irviewer.model.measure import Measure
from irviewer.model.pool.chained import bounds_along_chains
from irviewer.model.pool.unjudged import Unjudged


def known_bounds(measure: Measure, judged: Judged, unjudged: Unjudged, grade: float) -> tuple[Floats, Floats] | None:
    """The least and the greatest value of each query over the chains; None where they are not known: for another
    measure, or where others could have a higher grade. Whether unjudged documents are removed does not matter: down to
    where the measure reads there is none once all are judged."""
    binary = measure.name in ("AP", "gm_map", "Rprec", "Bpref", "gm_bpref", "IPrec")
    if binary and grade < float(measure.parameter("rel") or 1):
        return None
    if measure.name in ("AP", "gm_map"):
        return _average_precision(measure, judged, unjudged)
    if binary:
        return bounds_along_chains(measure, judged, unjudged)
    if measure.name == "nDCG" and grade >= max(judged.max_grade, judged.hit_grade.max(initial=0)):
        return _normalised_gain(measure, judged, unjudged, grade)
    return None


def _normalised_gain(measure: Measure, judged: Judged, unjudged: Unjudged, grade: float) -> tuple[Floats, Floats]:
    """With m relevant ones more the ideal list has m documents of the highest gain before what it had."""
    dcg, base, rel = measure.parameter("dcg"), measure.parameter("base"), measure.parameter("rel")
    cutoff = None if measure.cutoff is None else int(measure.cutoff)

    def gains(grades: Floats) -> Floats:
        found = gains_of(grades, dcg, None)
        return found if rel is None else np.where(grades >= rel, found, 0.0)

    hits = judged.judged_hits.to(cutoff)
    start = hits.sum_by_query(gains(hits.grade) / discount_of(hits.rank, dcg, base))
    top = float(gains(np.array([grade]))[0])
    weight = top / discount_of(unjudged.rank, dcg, base)
    if measure.parameter("ideal") == "retrieved":
        query, had = judged.hit_query, gains(judged.hit_grade)
    else:
        query, had = judged.ideal_query, gains(judged.ideal_grades)
    query, had = query[had > 0], had[had > 0]
    order = np.lexsort((-had, query))
    query, had = query[order], had[order]
    starts = np.searchsorted(query, np.arange(judged.n_queries + 1))
    # One row for each query and m, from 0 to all of its unjudged documents.
    sizes = unjudged.counts + 1
    row_query = np.repeat(np.arange(judged.n_queries), sizes)
    m = np.arange(len(row_query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    longest = int(sizes.max(initial=1) + np.diff(starts).max(initial=0))
    shares = 1.0 / discount_of(np.arange(1, longest + 1), dcg, base)
    if cutoff is not None:
        shares[cutoff:] = 0.0
    ideal = top * np.concatenate([[0.0], np.cumsum(shares)])[m]
    ends = np.cumsum(sizes)
    for one in np.flatnonzero(np.diff(starts)).tolist():
        # What the list had moves down by m ranks: a correlation, which is quicker than rows for each m and document.
        gained = had[starts[one] : starts[one + 1]]
        ideal[ends[one] - sizes[one] : ends[one]] += np.correlate(shares[: sizes[one] + len(gained) - 1], gained)
    low, high = np.full(judged.n_queries, np.inf), np.full(judged.n_queries, -np.inf)
    for from_end in (False, True):
        gained = np.zeros(len(row_query))
        added = _running(weight, unjudged.offsets, unjudged.query, from_end=from_end)
        which = unjudged.counts[unjudged.query] - unjudged.ordinal if from_end else unjudged.ordinal + 1
        gained[(np.cumsum(sizes) - sizes)[unjudged.query] + which] = added
        values = safe_divide(start[row_query] + gained, ideal)
        np.minimum.at(low, row_query, values)
        np.maximum.at(high, row_query, values)
    return low, high


def _average_precision(measure: Measure, judged: Judged, unjudged: Unjudged) -> tuple[Floats, Floats]:
    """What one more relevant document adds follows from those above and below it."""
    level = float(measure.parameter("rel") or 1)
    hits = judged.relevant_hits(level, None if measure.cutoff is None else int(measure.cutoff))
    relevant = judged.relevant_count(level)
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries + 1))
    inverse = np.concatenate([[0.0], np.cumsum(1.0 / hits.rank)])
    # Flat keys of (query, rank) find, for each unjudged document, how many relevant ones stand above it.
    wide = int(max(hits.rank.max(initial=0), unjudged.rank.max(initial=0))) + 1
    place = np.searchsorted(hits.query * wide + hits.rank, unjudged.query * wide + unjudged.rank)
    above = place - starts[unjudged.query]
    below = inverse[starts[unjudged.query + 1]] - inverse[place]
    start = hits.sum_by_query(hits.ordinal / hits.rank)
    low = safe_divide(start, relevant)
    high = low.copy()
    number = unjudged.ordinal + 1
    best = (number + above) / unjudged.rank + below
    own = 1.0 / unjudged.rank
    behind = np.concatenate([np.cumsum(own[::-1])[::-1], [0.0]])
    later = behind[1:][: len(own)] - behind[unjudged.offsets[unjudged.query + 1]] if len(own) else own
    worst = (above + 1) * own + below + later
    size = unjudged.counts[unjudged.query]
    for gain, count, from_end in ((best, number, False), (worst, size - number + 1, True)):
        total = _running(gain, unjudged.offsets, unjudged.query, from_end=from_end)
        values = (start[unjudged.query] + total) / (relevant[unjudged.query] + count)
        np.minimum.at(low, unjudged.query, values)
        np.maximum.at(high, unjudged.query, values)
    return low, high


def _running(values: Floats, offsets: Ints, query: Ints, *, from_end: bool) -> Floats:
    """Sums of each query's values up to each, from its first or from its last."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    if from_end:
        return np.asarray(sums[offsets[query + 1]] - sums[:-1])
    return np.asarray(sums[1:] - sums[offsets[query]])

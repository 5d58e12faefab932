"""The bounds of R-precision, bpref and interpolated precision without evaluating every assignment.

One query at a time, from its ranks to the values along both chains of ``unjudged`` (the first m relevant, m = 0 … u;
the last m). A list of a thousand unjudged documents takes some vectors of a thousand, where trying takes a million
ranks. The loop over queries is in Python because its vectors are long; tests/benchmarks measure it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import documents_taken


@dataclass(frozen=True, eq=False)
class OneList:
    """A query's list: int64 ranks, ascending, of its relevant, judged non-relevant and unjudged documents, and the
    numbers of relevant and non-relevant documents in the qrels."""

    relevant: Ints
    nonrelevant: Ints
    unjudged: Ints
    n_relevant: int
    n_nonrelevant: int


def bounds_along_chains(measure: Measure, judged: Judged, unjudged: Unjudged) -> tuple[Floats, Floats]:
    """Return the least and the greatest value of each query, float64[E] each, of Rprec, Bpref, gm_bpref or IPrec."""
    level = float(measure.parameter("rel") or 1)
    hits = judged.judged_hits
    good = hits.grade >= level
    edges = np.arange(judged.n_queries + 1)
    parts = [(hits.rank[keep], np.searchsorted(hits.query[keep], edges)) for keep in (good, ~good)]
    parts.append((unjudged.rank, unjudged.offsets))
    in_qrels, not_relevant = judged.relevant_count(level), judged.nonrelevant_count(level)
    low, high = np.zeros(judged.n_queries), np.zeros(judged.n_queries)
    for query in range(judged.n_queries):
        relevant, nonrelevant, opened = (ranks[starts[query] : starts[query + 1]] for ranks, starts in parts)
        ranked = OneList(relevant, nonrelevant, opened, int(in_qrels[query]), int(not_relevant[query]))
        if measure.name == "IPrec":
            recall, cut = float(measure.cutoff or 0), str(measure.parameter("cut"))
            low[query], high[query] = interpolated_bounds(ranked, recall, cut)
        else:
            values = r_precisions(ranked) if measure.name == "Rprec" else bprefs(ranked)
            low[query], high[query] = values.min(), values.max()
    return low, high


def r_precision_bounds(measure: Measure, judged: Judged, unjudged: Unjudged, others: Ints) -> tuple[Floats, Floats]:
    """Return the least and the greatest R-precision of each query, float64[E] each, where ``others`` int64[E] further
    documents, which the list lacks, can be relevant too. For each number of relevant documents the list is best with as
    many of its own as there can be, the first ones, and worst with as few, the last ones."""
    level = float(measure.parameter("rel") or 1)
    hits = judged.relevant_hits(level)
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries + 1))
    in_qrels = judged.relevant_count(level)
    low, high = np.zeros(judged.n_queries), np.zeros(judged.n_queries)
    for query in range(judged.n_queries):
        opened = unjudged.rank[unjudged.offsets[query] : unjudged.offsets[query + 1]]
        added = np.arange(len(opened) + int(others[query]) + 1)
        norm = int(in_qrels[query]) + added
        within = np.searchsorted(opened, norm, side="right")
        relevant = np.searchsorted(hits.rank[starts[query] : starts[query + 1]], norm, side="right")
        most, fewest = np.minimum(added, len(opened)), np.maximum(added - int(others[query]), 0)
        high[query] = safe_divide(relevant + np.minimum(most, within), norm).max()
        low[query] = safe_divide(relevant + np.maximum(0, within - (len(opened) - fewest)), norm).min()
    return low, high


def r_precisions(ranked: OneList) -> Floats:
    """Return R-precision with the first m unjudged documents relevant, and with the last m: float64[2, u+1]."""
    count = len(ranked.unjudged)
    m = np.arange(count + 1)
    norm = ranked.n_relevant + m
    within = np.searchsorted(ranked.unjudged, norm, side="right")
    judged_found = np.searchsorted(ranked.relevant, norm, side="right")
    first = judged_found + np.minimum(m, within)
    last = judged_found + np.maximum(0, within - (count - m))
    return np.stack([safe_divide(first, norm), safe_divide(last, norm)])


def bprefs(ranked: OneList) -> Floats:
    """Return bpref with the first m unjudged documents relevant, and with the last m: float64[2, u+1]. At most
    R = ``n_relevant`` + m non-relevant documents above a relevant one count."""
    count = len(ranked.unjudged)
    m = np.arange(count + 1)
    norm = ranked.n_relevant + m
    above_unjudged = np.searchsorted(ranked.nonrelevant, ranked.unjudged)
    sums = np.concatenate([[0], np.cumsum(above_unjudged)])
    above = np.searchsorted(ranked.nonrelevant, ranked.relevant)[None, :]
    open_above = np.searchsorted(ranked.unjudged, ranked.relevant)[None, :]
    # The first m: no unjudged document is non-relevant above them.
    full = np.minimum(np.searchsorted(above_unjudged, norm, side="right"), m)
    first = sums[full] + (m - full) * norm
    first = first + np.minimum(above + np.maximum(open_above - m[:, None], 0), norm[:, None]).sum(axis=1)
    # The last m: the others, all above them, are non-relevant.
    others = count - m
    full = np.maximum(np.searchsorted(above_unjudged, norm - others, side="right"), others)
    last = sums[full] - sums[others] + (full - others) * others + (count - full) * norm
    last = last + np.minimum(above + np.minimum(open_above, others[:, None]), norm[:, None]).sum(axis=1)
    bound = np.minimum(norm, ranked.n_nonrelevant + others)
    returned = len(ranked.relevant) + m
    return np.stack([safe_divide(returned - safe_divide(total, bound), norm) for total in (first, last)])


def interpolated_bounds(ranked: OneList, recall: float, cut: str) -> tuple[float, float]:
    """Return the least and the greatest interpolated precision at a recall. The greatest is reached where all unjudged
    documents down to some rank are relevant and none below it; the least where the last m are, for some m."""
    count, n_relevant = len(ranked.unjudged), len(ranked.relevant)
    length = n_relevant + len(ranked.nonrelevant) + count
    if not length:
        return 0.0, 0.0
    # Precision is greatest right before a non-relevant document or at the last rank: no other rank matters.
    last_rank = max(part[-1] for part in (ranked.relevant, ranked.nonrelevant, ranked.unjudged) if len(part))
    ends = np.append(ranked.nonrelevant - 1, last_rank)
    ends = ends[ends > 0]
    relevant = np.searchsorted(ranked.relevant, ends, side="right")
    opened = np.searchsorted(ranked.unjudged, ends, side="right")
    reached = relevant + opened >= documents_taken(recall, ranked.n_relevant + opened, cut)
    high = float(((relevant + opened) / ends)[reached].max(initial=0.0))
    others = np.arange(count, -1, -1)
    needed = documents_taken(recall, ranked.n_relevant + count - others, cut)
    # The rank of the last document needed: among the judged ones alone, or with those of the last m above it.
    far = int(last_rank) + 1
    judged = np.append(ranked.relevant, far)[np.clip(needed - 1, 0, n_relevant)]
    either = np.append(np.sort(np.concatenate([ranked.relevant, ranked.unjudged])), far)
    joint = either[np.clip(needed + others - 1, 0, n_relevant + count)]
    rank = np.where(needed < 1, 1, np.minimum(judged, joint))
    # From that rank on: the best of the judged ones alone, or of those and the last m.
    alone = np.append(np.maximum.accumulate((np.arange(1, n_relevant + 1) / ranked.relevant)[::-1])[::-1], 0.0)
    best = alone[np.searchsorted(ranked.relevant, rank)]
    shares = (relevant + opened - others[:, None]) / ends
    best = np.maximum(best, np.where(ends >= rank[:, None], shares, 0.0).max(axis=1, initial=0.0))
    return float(best.min()), high

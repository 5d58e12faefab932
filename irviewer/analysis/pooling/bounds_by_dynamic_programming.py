"""The bounds of R-precision, bpref and interpolated precision without judging every assignment anew.

One query at a time: ranks in, the values along both chains of ``unjudged`` out (the first m relevant, m = 0 … u; the
last m). A list of a thousand unjudged documents is some vectors of a thousand, where trying takes a million ranks. The
loop over queries is in Python because its vectors are long; what it costs is measured in tests/benchmarks."""

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
    """A query's list: int64 ranks, rising, of its judged relevant, judged non-relevant and unjudged documents; and how
    many of either the qrels hold."""

    relevant: Ints
    nonrelevant: Ints
    unjudged: Ints
    n_relevant: int
    n_nonrelevant: int


def bounds_along_chains(measure: Measure, judged: Judged, unjudged: Unjudged) -> tuple[Floats, Floats]:
    """The least and the greatest value of each query, float64[E] each, of Rprec, Bpref, gm_bpref or IPrec."""
    level = float(measure.parameter("rel") or 1)
    hits = judged.judged_hits
    good = hits.grade >= level
    edges = np.arange(judged.n_queries + 1)
    parts = [(hits.rank[keep], np.searchsorted(hits.query[keep], edges)) for keep in (good, ~good)]
    parts.append((unjudged.rank, unjudged.offsets))
    in_qrels, not_relevant = judged.relevant_count(level), judged.nonrelevant_count(level)
    low, high = np.zeros(judged.n_queries), np.zeros(judged.n_queries)
    for query in range(judged.n_queries):
        relevant, other, opened = (ranks[starts[query] : starts[query + 1]] for ranks, starts in parts)
        one = OneList(relevant, other, opened, int(in_qrels[query]), int(not_relevant[query]))
        if measure.name == "IPrec":
            recall, cut = float(measure.cutoff or 0), str(measure.parameter("cut"))
            low[query], high[query] = interpolated_bounds(one, recall, cut)
        else:
            values = r_precisions(one) if measure.name == "Rprec" else bprefs(one)
            low[query], high[query] = values.min(), values.max()
    return low, high


def r_precisions(one: OneList) -> Floats:
    """float64[2, u+1]: R-precision with the first m relevant, and with the last m."""
    count = len(one.unjudged)
    m = np.arange(count + 1)
    norm = one.n_relevant + m
    within = np.searchsorted(one.unjudged, norm, side="right")
    found = np.searchsorted(one.relevant, norm, side="right")
    first = found + np.minimum(m, within)
    last = found + np.maximum(0, within - (count - m))
    return np.stack([safe_divide(first, norm), safe_divide(last, norm)])


def bprefs(one: OneList) -> Floats:
    """float64[2, u+1]: bpref with the first m relevant, and with the last m. The judged non-relevant documents above a
    relevant one count up to R = ``n_relevant`` + m of them."""
    count = len(one.unjudged)
    m = np.arange(count + 1)
    norm = one.n_relevant + m
    above_unjudged = np.searchsorted(one.nonrelevant, one.unjudged)
    sums = np.concatenate([[0], np.cumsum(above_unjudged)])
    above = np.searchsorted(one.nonrelevant, one.relevant)[None, :]
    open_above = np.searchsorted(one.unjudged, one.relevant)[None, :]
    # The first m: nothing that is open stands as non-relevant above them.
    full = np.minimum(np.searchsorted(above_unjudged, norm, side="right"), m)
    first = sums[full] + (m - full) * norm
    first = first + np.minimum(above + np.maximum(open_above - m[:, None], 0), norm[:, None]).sum(axis=1)
    # The last m: the others, all above them, are non-relevant.
    rest = count - m
    full = np.maximum(np.searchsorted(above_unjudged, norm - rest, side="right"), rest)
    last = sums[full] - sums[rest] + (full - rest) * rest + (count - full) * norm
    last = last + np.minimum(above + np.minimum(open_above, rest[:, None]), norm[:, None]).sum(axis=1)
    bound = np.minimum(norm, one.n_nonrelevant + rest)
    returned = len(one.relevant) + m
    return np.stack([safe_divide(returned - safe_divide(total, bound), norm) for total in (first, last)])


def interpolated_bounds(one: OneList, recall: float, cut: str) -> tuple[float, float]:
    """The least and the greatest interpolated precision at a recall. The greatest is reached with all that is open
    down to some rank relevant and nothing below it; the least with the last m relevant, for some m."""
    count, known = len(one.unjudged), len(one.relevant)
    length = known + len(one.nonrelevant) + count
    if not length:
        return 0.0, 0.0
    # Precision is greatest right before a non-relevant document, or at the last one: no other rank need be looked at.
    last_rank = max(part[-1] for part in (one.relevant, one.nonrelevant, one.unjudged) if len(part))
    ends = np.append(one.nonrelevant - 1, last_rank)
    ends = ends[ends > 0]
    relevant = np.searchsorted(one.relevant, ends, side="right")
    opened = np.searchsorted(one.unjudged, ends, side="right")
    reached = relevant + opened >= documents_taken(recall, one.n_relevant + opened, cut)
    high = float(((relevant + opened) / ends)[reached].max(initial=0.0))
    rest = np.arange(count, -1, -1)
    wanted = documents_taken(recall, one.n_relevant + count - rest, cut)
    # The rank at which ``wanted`` are found: among the judged ones alone, or with those of the last m above it.
    far = int(last_rank) + 1
    judged = np.append(one.relevant, far)[np.clip(wanted - 1, 0, known)]
    either = np.append(np.sort(np.concatenate([one.relevant, one.unjudged])), far)
    joint = either[np.clip(wanted + rest - 1, 0, known + count)]
    rank = np.where(wanted < 1, 1, np.minimum(judged, joint))
    # From there on: the best of the judged ones alone, or of those and the last m.
    alone = np.append(np.maximum.accumulate((np.arange(1, known + 1) / one.relevant)[::-1])[::-1], 0.0)
    best = alone[np.searchsorted(one.relevant, rank)]
    shares = (relevant + opened - rest[:, None]) / ends
    best = np.maximum(best, np.where(ends >= rank[:, None], shares, 0.0).max(axis=1, initial=0.0))
    return float(best.min()), high

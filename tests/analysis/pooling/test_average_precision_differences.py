"""Bounds of differences of average precision, for many queries at once, against a loop over queries."""

from __future__ import annotations

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.pooling import average_precision_differences as module
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.analysis.pooling.run_pair import Both, OpenRuns, both_of
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats, Ints
from irviewer.model.dialects import JoinOptions
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Nested = dict[str, dict[str, float]]


def by_loops(both: Both, more: Ints, cutoff: int | None, few: int, most: int) -> tuple[Floats, Floats]:
    """The same, a query, a document and a number of relevant documents at a time."""
    low, high = np.full(len(more), np.nan), np.full(len(more), np.nan)
    for query in range(len(more)):
        span = slice(int(both.offsets[query]), int(both.offsets[query + 1]))
        opened = [[int(rank) for rank in ranks[span]] for ranks in both.ranks]
        count = len(opened[0])
        if count > most or not (count or more[query]):
            continue
        constant, linear, pairs = 0.0, [0.0] * count, np.zeros((count, count))
        for sign, judged, rows, ranks in zip((1.0, -1.0), both.judged, both.rows, opened, strict=True):
            hits = judged.relevant_hits(1, cutoff)
            known = sorted(hits.rank[hits.query == rows[query]].tolist())
            constant += sign * sum(number / rank for number, rank in enumerate(known, 1))
            for place, rank in enumerate(ranks):
                if rank:
                    own = (1 + sum(other < rank for other in known)) / rank
                    linear[place] += sign * (own + sum(1 / other for other in known if other > rank))
                for further, other in enumerate(ranks):
                    if rank and other and place != further:
                        pairs[place, further] += sign / max(rank, other)
        relevant = int(both.judged[0].relevant_count(1)[both.rows[0][query]])
        for sign, bound in ((1.0, high), (-1.0, low)):
            ratios = []
            for m in range(count + 1):
                partners = max(count - 1, 0) if count > few else max(m - 1, 0)
                worth = [
                    sign * linear[place]
                    + sum(sorted(np.delete(np.maximum(sign * pairs[place], 0), place), reverse=True)[:partners]) / 2
                    for place in range(count)
                ]
                most_added = sign * constant + sum(sorted(worth, reverse=True)[:m])
                ratios += [most_added / norm if norm else 0.0 for norm in (relevant + m, relevant + m + more[query])]
            bound[query] = sign * max(ratios)
    return low, high


@pytest.mark.parametrize("cutoff", [None, 2, 4])
@given(
    qrels=some.qrels(), first=some.runs(some.any_scores), second=some.runs(some.any_scores),
    more=st.integers(0, 3), few=st.integers(0, 8), most=st.integers(0, 8), at_a_time=st.sampled_from([1, 30, 1 << 17]),
)  # fmt: skip
def test_a_loop(
    cutoff: int | None, qrels: Nested, first: Nested, second: Nested, more: int, few: int, most: int, at_a_time: int
) -> None:
    judgments = Qrels.from_dict(qrels)
    joins = [plainly_joined(Run.from_dict(run), judgments, EvaluationOptions()) for run in (first, second)]
    ids = tuple(judgments.query_ids[place] for place in judgments.query_order)
    both = both_of(*OpenRuns(joins, JoinOptions(), cutoff, ids))
    further = np.arange(len(both.numbers)) * more % 4
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("FEW", few), ("MOST", most), ("AT_A_TIME", at_a_time)):
            patch.setattr(module, name, value)
        measure = parse_measure("AP" if cutoff is None else f"AP@{cutoff}")
        ours = module.bounds_of_ap(measure, both.judged, both.rows, both.ranks, both.offsets, further)
    for bound, wanted in zip(ours, by_loops(both, further, cutoff, few, most), strict=True):
        np.testing.assert_allclose(bound, wanted, rtol=1e-12, atol=1e-12)

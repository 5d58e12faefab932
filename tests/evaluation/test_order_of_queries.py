"""Queries in the same order in all files are not looked up; those in other orders, and only in some, give the same."""

from __future__ import annotations

import math

import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.pooling.bounds import bounds
from irviewer.evaluation.evaluate import evaluate, missing_queries
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Nested = dict[str, dict[str, float]]


@given(st.data(), some.qrels(), some.runs(some.any_scores), some.runs(some.any_scores))
def test_no_value_depends_on_it(data: st.DataObject, qrels: Nested, first: Nested, second: Nested) -> None:
    def shuffled(nested: Nested) -> Nested:
        order = data.draw(st.permutations(list(nested)))
        return {query: nested[query] for query in order}

    def in_order_of_qrels(nested: Nested) -> Nested:
        return {query: nested[query] for query in [*(q for q in qrels if q in nested), *(nested.keys() - qrels.keys())]}

    plain = [Run.from_dict(in_order_of_qrels(nested), name=name) for nested, name in ((first, "a"), (second, "b"))]
    mixed = [Run.from_dict(shuffled(nested), name=name) for nested, name in ((first, "a"), (second, "b"))]
    ours, theirs = Qrels.from_dict(qrels), Qrels.from_dict(shuffled(qrels))
    assert theirs.ordered_query_ids == ours.ordered_query_ids == tuple(sorted(qrels, key=str.encode))
    for run, other in zip(plain, mixed, strict=True):
        assert missing_queries(run, ours) == missing_queries(other, theirs)
        assert set(missing_queries(run, ours)) == qrels.keys() - set(run.query_ids)
        asked = [*qrels, "no query"]
        assert [other.query_ids[place] if place >= 0 else "" for place in other.places_of_queries(asked)] == [
            query if query in other.query_ids else "" for query in asked
        ]
    results = [evaluate(*files, ["AP", "nDCG@2", "RR"]) for files in ((ours, plain), (theirs, mixed))]
    assert results[0].query_ids == results[1].query_ids
    assert results[0].values.tobytes() == results[1].values.tobytes()
    limits = [bounds(*files, ["AP", "RR"]) for files in ((ours, plain), (theirs, mixed))]
    assert limits[0].query_ids == limits[1].query_ids
    for low, high in zip(*(each.low.ravel().tolist() for each in limits), strict=True):
        assert low == high or (math.isnan(low) and math.isnan(high))

"""A judged run on some queries has the values that these queries have among all."""

from __future__ import annotations

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.evaluation.curves import averaged_precision_recall, mean_ndcg_by_cutoff
from irviewer.measures.parser import parse_measure, parse_measures
from irviewer.model.judgments.judged import judge, restricted
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Table = dict[str, dict[str, float]]
MEASURES = parse_measures(["AP", "nDCG@10", "P@5", "RR", "Rprec", "bpref", "RBP", "ERR@20", "R@10", "infAP"])


@given(some.qrels(some.whole_grades), some.runs(), st.integers(0, 2**32 - 1))
def test_values_are_those_of_the_queries_among_all(qrels: Table, run: Table, seed: int) -> None:
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    within = np.random.default_rng(seed).random(judged.n_queries) < 0.5
    part = restricted(judged, within)
    assert part.query_ids == tuple(
        query_id for query_id, inside in zip(judged.query_ids, within, strict=True) if inside
    )
    for measure in MEASURES:
        np.testing.assert_array_equal(measure.compute(part), measure.compute(judged)[within])


@given(some.qrels(some.whole_grades), some.runs())
def test_curves_are_means_over_the_set(qrels: Table, run: Table) -> None:
    judged = judge(Run.from_dict(run), Qrels.from_dict(qrels))
    places = np.arange(judged.n_queries)
    within = places % 2 == 0
    each = [averaged_precision_recall(restricted(judged, places == position))[1] for position in places[within]]
    _, curve = averaged_precision_recall(restricted(judged, within))
    np.testing.assert_allclose(curve, np.mean(each, axis=0), atol=1e-12)
    _, ndcg = mean_ndcg_by_cutoff(restricted(judged, within), 5)
    assert ndcg[-1] == pytest.approx(parse_measure("nDCG@5").compute(judged)[within].mean(), abs=1e-12)


def test_marks_must_be_as_many_as_queries() -> None:
    judged = judge(Run.from_dict({"1": {"a": 1.0}}), Qrels.from_dict({"1": {"a": 1.0}, "2": {"a": 1.0}}))
    with pytest.raises(ValueError, match="1 marks"):
        restricted(judged, np.array([True]))

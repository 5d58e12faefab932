"""The curves by query are those of each query alone, and their means the averaged curves."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.evaluation import curves
from irviewer.evaluation.curves import gain_rows, ndcg_rows, precision_recall_rows
from irviewer.measures.gains import GainRule
from irviewer.model.judgments.judged import Judged, judge, restricted
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


@pytest.fixture(params=range(4))
def judged(request: pytest.FixtureRequest) -> Judged:
    """Random graded judgments; a query that retrieves nothing relevant, one the run lacks, one without relevant."""
    random = np.random.default_rng(request.param)
    qrels = {str(q): {f"d{n}": int(random.integers(-1, 4)) for n in range(12)} for q in range(20)}
    qrels["none"] = {"d1": 0, "d2": -1}
    qrels["lacking"] = {"d1": 1}
    run = {
        q: {f"d{n}": float(random.normal()) for n in random.permutation(20)[: random.integers(1, 15)]} for q in qrels
    }
    run["0"] = {"x": 1.0}
    del run["lacking"]
    return judge(Run.from_dict(run), Qrels.from_dict(qrels))


@pytest.mark.parametrize("cut", ["nearest", "up", "exact"])
def test_precision_by_recall(judged: Judged, cut: str) -> None:
    rows = precision_recall_rows(judged, 1, 11, cut)
    assert rows.shape == (judged.n_queries, 11)
    assert rows.mean(axis=0) == pytest.approx(curves.averaged_precision_recall(judged, 1, 11, cut)[1])
    for place in range(judged.n_queries):
        alone = restricted(judged, np.arange(judged.n_queries) == place)
        assert rows[place] == pytest.approx(curves.averaged_precision_recall(alone, 1, 11, cut)[1])


@pytest.mark.parametrize("rule", [GainRule(), GainRule("exp-log2"), GainRule(ideal="retrieved"), GainRule(rel=2)])
def test_gain_by_cutoff(judged: Judged, rule: GainRule) -> None:
    normal, plain = ndcg_rows(judged, 9, rule), gain_rows(judged, 9, rule)
    assert normal.mean(axis=0) == pytest.approx(curves.mean_ndcg_by_cutoff(judged, 9, rule)[1])
    assert plain.mean(axis=0) == pytest.approx(curves.mean_gain_by_cutoff(judged, 9, rule)[1])
    for place in range(judged.n_queries):
        assert normal[place] == pytest.approx(curves.ndcg_by_cutoff(judged, place, 9, rule)[1])


def test_no_query() -> None:
    nothing = judge(Run.from_dict({}, name="empty"), Qrels.from_dict({}))
    assert precision_recall_rows(nothing).shape == (0, 101)
    assert ndcg_rows(nothing, 5).shape == (0, 5)


@pytest.mark.parametrize("seed", range(3))
def test_means_of_rows_are_the_mean_curves_to_the_last_digit(judged: Judged, seed: int) -> None:
    """Whatever queries count: a curve is the same whether it was averaged from rows or at once."""
    within = np.random.default_rng(seed).random(judged.n_queries) < (0.6, 1.1, -1)[seed]
    part = restricted(judged, within)
    recall = curves.mean_row(precision_recall_rows(judged), within)
    assert recall.tolist() == curves.averaged_precision_recall(part)[1].tolist()
    ndcg = curves.mean_row(ndcg_rows(judged, 9), within)
    assert ndcg.tolist() == curves.mean_ndcg_by_cutoff(part, 9)[1].tolist()
    for place in range(judged.n_queries):
        alone = restricted(judged, np.arange(judged.n_queries) == place)
        assert precision_recall_rows(alone)[0].tolist() == precision_recall_rows(judged)[place].tolist()

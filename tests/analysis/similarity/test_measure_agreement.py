"""Agreement of measures: scipy's correlations, and the stored one between MAP and nDCG@10."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import brute_similarity as brute
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.analysis.similarity.measure_agreement import Correlation, agreement, agreement_of_means
from irviewer.analysis.similarity.rank_correlation import tau_ap, tau_ap_symmetric, tau_b
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

values = st.lists(st.integers(-4, 4).map(float), min_size=2, max_size=40)


@given(st.data())
def test_tau_b_is_scipys(data: st.DataObject) -> None:
    from scipy.stats import kendalltau

    first_values = data.draw(values)
    other = data.draw(st.lists(st.integers(-4, 4).map(float), min_size=len(first_values), max_size=len(first_values)))
    np.testing.assert_allclose(
        tau_b(np.array(first_values), np.array(other)), kendalltau(first_values, other).statistic, atol=1e-9
    )


@given(order=st.integers(2, 60).flatmap(lambda n: st.permutations(range(n))))
def test_tau_ap_is_its_definition(order: list[int]) -> None:
    """``order[n]`` is the place that item n has in the evaluated order; the reference has them 0, 1, 2 …"""
    names = [str(item) for item in range(len(order))]
    evaluated = sorted(names, key=lambda name: order[int(name)])
    reference, other = -np.arange(len(order), dtype=float), -np.array(order, dtype=float)
    assert tau_ap(reference, other) == pytest.approx(brute.tau_ap(evaluated, names))
    both = (brute.tau_ap(evaluated, names) + brute.tau_ap(names, evaluated)) / 2
    assert tau_ap_symmetric(reference, other) == pytest.approx(both)


@given(pairs=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5))
def test_tau_ap_is_its_mean_over_all_orders_of_ties(pairs: list[tuple[int, int]]) -> None:
    reference, other = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    wanted = brute.tau_ap_over_ties(reference.tolist(), other.tolist())
    assert tau_ap(reference, other) == pytest.approx(wanted, nan_ok=True)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=60),
    dice=st.randoms(use_true_random=False),
)
def test_the_order_of_the_runs_changes_no_tau_ap(pairs: list[tuple[int, int]], dice: Random) -> None:
    mixed = dice.sample(pairs, len(pairs))
    values = [tau_ap(*(np.array(side, dtype=float) for side in zip(*rows, strict=True))) for rows in (pairs, mixed)]
    assert values[0] == pytest.approx(values[1], nan_ok=True)


def test_equal_means_of_all_runs_are_no_order() -> None:
    equal, means = np.full(3, 0.5), np.array([0.3, 0.2, 0.1])
    assert np.isnan([tau_ap(equal, means), tau_ap(means, equal), tau_ap_symmetric(means, equal)]).all()


def test_tau_ap_weighs_the_top() -> None:
    best_first = -np.arange(6, dtype=float)
    top, bottom = best_first.copy(), best_first.copy()
    top[[0, 1]], bottom[[4, 5]] = top[[1, 0]], bottom[[5, 4]]
    assert tau_ap(best_first, best_first) == 1
    assert tau_ap(best_first, -best_first) == -1
    assert tau_ap(best_first, top) == pytest.approx(0.6)  # 2/5 · (0 + 4) - 1
    assert tau_ap(best_first, bottom) == pytest.approx(0.92)  # 2/5 · (4 + 4/5) - 1
    assert np.isnan(tau_ap(np.array([1.0]), np.array([1.0])))


def test_table_of_measures() -> None:
    qrels = Qrels.from_dict({"1": {"a": 2, "b": 0, "c": 1}})
    orders = ("abc", "cab", "bca", "bac")
    runs = [Run.from_dict({"1": {d: 9.0 - n for n, d in enumerate(order)}}, name=order) for order in orders]
    result = evaluate(qrels, runs, ["nDCG", "AP", "RR", "unj@5", "relstring"])
    judge_agreement = agreement(result)
    assert judge_agreement.measures == ("nDCG", "AP", "RR", "unj@5")
    assert judge_agreement.runs == 4
    np.testing.assert_allclose(np.diag(judge_agreement.values)[:3], 1)
    assert np.isnan(judge_agreement.values[3]).all()  # every run has the same
    pearson = agreement(result, "pearson").values
    np.testing.assert_allclose(pearson[:3, :3], np.corrcoef(result.means[:3]))
    np.testing.assert_array_equal(agreement(result, "tau-ap").values, agreement(result, "tau-ap").values.T)
    with pytest.raises(OptionError, match="unknown correlation"):
        agreement(result, "spearman")  # type: ignore[arg-type]


def test_costs_are_turned_round() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 0}})
    runs = [
        Run.from_dict({"1": {d: 9.0 - n for n, d in enumerate(order)}}, name=order) for order in ("abc", "bac", "bca")
    ]
    result = evaluate(qrels, runs, ["RR", "SearchLength"])
    assert not result.measures[1].higher_is_better
    np.testing.assert_allclose(agreement(result).values, 1)


@pytest.mark.parametrize("collection", ["adi", "cranfield", "trec-covid-r1"])
def test_stored_kendall_of_map_and_ndcg(collection: str, data: Path) -> None:
    """scipy's tau-b of the mean AP and nDCG@10 that pytrec_eval found for some runs of real collections."""
    stored = json.loads(gzip.decompress((data / collection / "goldens/python/stats_rbo.json.gz").read_bytes()))
    means: dict[str, dict[str, float]] = {}
    for measure in ("map", "ndcg_cut_10"):
        for pair, values in stored[measure].items():
            for run, key in zip(pair.split(" || "), ("mean_a", "mean_b"), strict=True):
                means.setdefault(measure, {})[run] = values[key]
    mine, other = (np.array([means[measure][run] for run in stored["runs"]]) for measure in ("map", "ndcg_cut_10"))
    assert len(mine) >= 3
    assert tau_b(mine, other) == pytest.approx(stored["kendall_map_vs_ndcg10"]["tau_b"], abs=1e-12)


@pytest.mark.parametrize("by", ["kendall", "pearson", "tau-ap"])
def test_equal_means_have_no_correlation(by: Correlation) -> None:
    """.1 is the mean of three .1 but for rounding; (.1 + .1 + .4) / 3 is another float in another order."""
    measures = [parse_measure("P@10"), parse_measure("RR")]
    for equal in ([0.1, 0.1, 0.1], [0.6 / 3, (0.1 + 0.1 + 0.4) / 3, (0.4 + 0.1 + 0.1) / 3]):
        values = agreement_of_means(measures, np.array([equal, [0.1, 0.5, 0.3]]), by).values
        assert np.isnan(values[0]).all()
        assert values[1, 1] == pytest.approx(1)

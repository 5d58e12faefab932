"""The public calls about all systems at once; their examples hold, their numbers are those of scipy and of loops."""

from __future__ import annotations

import doctest
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irviewer
from irviewer.api import systems
from irviewer.cli.main import main

QUERIES = 24
RANDOM = np.random.default_rng(11)
RANKS = RANDOM.integers(1, 8, (4, QUERIES)) + np.arange(4)[:, None]
QRELS = {str(query): {"rel": 1} for query in range(QUERIES)}
RUNS = {
    f"run{run}": {
        str(query): {("rel" if place == rank else f"d{place}"): -float(place) for place in range(1, 12)}
        for query, rank in enumerate(ranks)
    }
    for run, ranks in enumerate(RANKS.tolist())
}
RR = 1 / RANKS
SETS = {"few": ["0", "1", "2"], "many": [str(query) for query in range(2, 14)]}


def test_the_examples_hold() -> None:
    tests = doctest.testmod(systems)
    assert tests.failed == 0
    assert tests.attempted >= 9


@pytest.mark.parametrize("weighted", [False, True])
def test_stability_is_what_loops_find(weighted: bool) -> None:
    weights = {str(query): float(query % 4) for query in range(QUERIES)}
    stability = irviewer.ranking_stability(
        QRELS, RUNS, "RR", samples=4000, seed=3, confidence=0.9, weights=weights if weighted else None
    )
    assert (stability.runs, stability.queries, stability.samples, stability.seed) == (tuple(RUNS), QUERIES, 4000, 3)
    random = np.random.default_rng(99)
    weighed = np.array(list(weights.values())) if weighted else np.ones(QUERIES)
    first, ranks = np.zeros(4), []
    for _ in range(4000):
        drawn = random.integers(0, QUERIES, QUERIES)
        if not weighed[drawn].any():
            continue
        means = np.average(RR[:, drawn], axis=1, weights=weighed[drawn])
        top = np.isclose(means, means.max())
        first += top / top.sum()
        ranks.append(stats.rankdata(-np.round(means, 12)))
    assert stability.first == pytest.approx(first / len(ranks), abs=0.03)
    assert stability.first.sum() == pytest.approx(1)
    assert (np.abs(stability.low - np.quantile(ranks, 0.05, axis=0)) <= 1).all()
    assert (np.abs(stability.high - np.quantile(ranks, 0.95, axis=0)) <= 1).all()
    means = np.average(RR, axis=1, weights=weighed)
    assert stability.rank.tolist() == stats.rankdata(-means).tolist()


@pytest.mark.parametrize(("queries", "said"), [(2, "2 queries are few"), (24, "24 queries are few"), (25, "")])
def test_few_queries_are_said_beside_the_shares(
    queries: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """“100 %, ranks 1–1” of two queries stood there without a word."""
    qrels = {str(query): {"a": 1} for query in range(queries)}
    runs = {name: {query: {d: -float(n) for n, d in enumerate(order)} for query in qrels}
            for name, order in (("one", "ab"), ("two", "ba"))}  # fmt: skip
    stability = irviewer.ranking_stability(qrels, runs, "AP", samples=50)
    assert [note for note in stability.notes if said and said in note] == list(stability.notes)
    assert bool(stability.notes) == bool(said)
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n" for query in qrels))
    for name, order in (("one", "ab"), ("two", "ba")):
        lines = [f"{query} Q0 {d} {n} {-n} {name}\n" for query in qrels for n, d in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))
    words = [str(tmp_path / name) for name in ("qrels", "one", "two")]
    for door in (["stability"], ["show", "stability"]):
        assert main([*door, *words, "-m", "AP", "-m", "RR", "--samples", "50"]) == 0
        out = capsys.readouterr().out
        assert out.count("At least 25 are usual") == bool(said), out


def test_stability_of_some_queries() -> None:
    some = SETS["many"]
    stability = irviewer.ranking_stability(QRELS, RUNS, "RR", queries=some)
    assert stability.queries == len(some)
    assert stability.rank.tolist() == stats.rankdata(-RR[:, 2:14].mean(axis=1)).tolist()
    with pytest.raises(irviewer.IrviewerError, match="none of the 1 listed queries has results"):
        irviewer.ranking_stability(QRELS, RUNS, "RR", queries=["nowhere"])
    with pytest.raises(irviewer.IrviewerError, match="not a mean over queries"):
        irviewer.ranking_stability(QRELS, RUNS, "num_q")


@pytest.mark.parametrize("by", ["kendall", "pearson"])
def test_agreement_is_scipys(by: str) -> None:
    measures = ["RR", "P@3", "R@5", "RankAtRecall@0.5"]
    agreement = irviewer.measure_agreement(QRELS, RUNS, measures, by)  # type: ignore[arg-type]
    result = irviewer.evaluate(
        QRELS, [irviewer.Run.from_dict(scores, name=name) for name, scores in RUNS.items()], measures
    )
    means = result.means * np.array([1, 1, 1, -1])[:, None]  # less is better for the last
    wanted = {"kendall": stats.kendalltau, "pearson": stats.pearsonr}[by]
    for first in range(4):
        for other in range(4):
            assert agreement.values[first, other] == pytest.approx(wanted(means[first], means[other])[0])
    assert agreement.runs == 4


def test_agreement_of_the_best_counts_more() -> None:
    """tau-AP by its definition (Yilmaz et al. 2008): for each rank the share of those above that are rightly above."""
    agreement = irviewer.measure_agreement(QRELS, RUNS, ["RR", "P@3"], "tau-ap")
    result = irviewer.evaluate(
        QRELS, [irviewer.Run.from_dict(scores, name=name) for name, scores in RUNS.items()], ["RR", "P@3"]
    )

    def tau_ap(left: np.ndarray, other: np.ndarray) -> float:
        order = np.argsort(-left)
        shares = [np.mean([other[above] > other[order[at]] for above in order[:at]]) for at in range(1, len(order))]
        return 2 * float(np.mean(shares)) - 1

    first, second = result.means
    assert len(set(first)) == len(set(second)) == 4
    assert agreement.values[0, 1] == pytest.approx((tau_ap(first, second) + tau_ap(second, first)) / 2)


def test_means_of_sets() -> None:
    means = irviewer.set_means(QRELS, RUNS, SETS, "RR")
    few, many, both = RR[:, :3].mean(axis=1), RR[:, 2:14].mean(axis=1), RR[:, :14].mean(axis=1)
    assert (means.names, means.runs, means.sizes.tolist()) == (("few", "many"), tuple(RUNS), [3, 12])
    np.testing.assert_allclose(means.means, [few, many], rtol=1e-12)
    np.testing.assert_allclose(means.macro, (few + many) / 2, rtol=1e-12)
    np.testing.assert_allclose(means.micro, both, rtol=1e-12)
    weights = {str(query): float(query) for query in range(QUERIES)}
    weighed = irviewer.set_means(QRELS, RUNS, SETS, "RR", weights=weights)
    np.testing.assert_allclose(weighed.means[1], np.average(RR[:, 2:14], axis=1, weights=range(2, 14)), rtol=1e-12)
    np.testing.assert_allclose(weighed.micro, np.average(RR[:, :14], axis=1, weights=range(14)), rtol=1e-12)


@pytest.mark.parametrize("missing", ["zero", "intersection"])
def test_a_set_of_queries_that_a_run_lacks(missing: str) -> None:
    runs = {**RUNS, "short": {query: ranking for query, ranking in RUNS["run0"].items() if int(query) > 1}}
    means = irviewer.set_means(QRELS, runs, SETS, "RR", missing=missing)  # type: ignore[arg-type]
    own = np.where(np.arange(QUERIES) > 1, RR[0], 0.0)
    few = own[:3].mean() if missing == "zero" else own[2]
    assert means.means[0, 4] == pytest.approx(few)
    assert means.macro[4] == pytest.approx((few + own[2:14].mean()) / 2)
    assert means.micro[4] == pytest.approx(own[:14].mean() if missing == "zero" else own[2:14].mean())


def test_a_query_without_a_value_leaves_no_mean() -> None:
    """A search length has none where nothing is found: as evaluate() says of the whole."""
    runs = {"run": {"0": {"rel": 1.0}, "2": {"rel": 1.0}}}
    qrels = {query: {"rel": 1} for query in "012"}
    result = irviewer.evaluate(qrels, [irviewer.Run.from_dict(runs["run"], name="run")], ["SearchLength"])
    means = irviewer.set_means(qrels, runs, {"one": ["0", "2"], "two": ["1", "2"]}, "SearchLength")
    assert np.isnan(result.values[0, 0]).tolist() == [False, True, False]
    assert np.isnan(means.means[:, 0]).tolist() == [False, True]
    assert np.isnan([means.macro[0], means.micro[0], result.means[0, 0]]).all()


@pytest.mark.parametrize(
    ("sets", "measure", "said"),
    [
        ({"x": ["nowhere"]}, "RR", "the query set x: not evaluated: nowhere"),
        ({"x": []}, "RR", "the query set x: there is no such query set"),
        ({}, "RR", "name a query set"),
        (SETS, "num_q", "not a mean over queries"),
    ],
)
def test_sets_that_cannot_be(sets: dict[str, list[str]], measure: str, said: str) -> None:
    with pytest.raises(irviewer.IrviewerError, match=said):
        irviewer.set_means(QRELS, RUNS, sets, measure)


def test_the_order_is_drawn_of_queries_that_all_reach() -> None:
    """What a run does not reach elsewhere is nothing to these."""
    qrels = {str(query): {"a": 1} for query in range(9)}
    runs = {
        name: {str(query): {"b": 2.0, "a": 1.0 + 2 * (query % step == 0)} for query in range(9)}
        for name, step in (("one", 2), ("two", 3))
    }
    runs["two"]["8"] = {"b": 1.0}
    stability = irviewer.ranking_stability(qrels, runs, "RankAtRecall@1", queries=[str(query) for query in range(8)])
    assert stability.first.sum() == pytest.approx(1)
    with pytest.raises(irviewer.IrviewerError):
        irviewer.ranking_stability(qrels, runs, "RankAtRecall@1")

"""The interval of a measure by hand and on long lists, and what is said where there is none. All ways to judge small
cases are tried in ``test_bounds_tried``."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from every import ours, variants

from irviewer.analysis.pooling import bounds as module
from irviewer.analysis.pooling import gain_ratio
from irviewer.analysis.pooling.bound_kinds import NOT_BOUNDABLE, Scale, way_of
from irviewer.analysis.pooling.bounds import bounds
from irviewer.api.sources import read_qrels, read_run
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime


def test_grades_between_the_ends_bound_ndcg() -> None:
    """The query holds a = 1 and c = 1, others a 2; a and b are returned. Were b a 2 it would have to stand first: a 1
    is worth more."""
    qrels = Qrels.from_dict({"1": {"a": 1, "c": 1}, "2": {"z": 2}})
    run = Run.from_dict({"1": {"a": 2.0, "b": 1.0}})
    limits = bounds(qrels, [run], ["nDCG"])
    assert limits.none[0, 0, 0] == pytest.approx(0.6131, abs=5e-5)
    assert limits.all[0, 0, 0] == pytest.approx(0.7224, abs=5e-5)
    assert limits.high[0, 0, 0] == pytest.approx(0.7654, abs=5e-5)
    judged = Qrels.from_dict({"1": {"a": 1, "c": 1, "b": 1}, "2": {"z": 2}})
    assert limits.high[0, 0, 0] == pytest.approx(evaluate(judged, run, ["nDCG"]).by_query("nDCG")["1"])
    assert limits.low[0, 0, 0] == limits.none[0, 0, 0]


def _case() -> tuple[Qrels, list[Run]]:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0, "z": 1}, "2": {"c": 1}})
    rankings = {
        "good": {"1": "axb", "2": "cyb"},
        "bad": {"1": "xyba", "2": "xc"},
        "worst": {"1": "bbc", "2": "ab"},
    }
    runs = [
        Run.from_dict({q: {d: 9.0 - n for n, d in enumerate(ids)} for q, ids in ranking.items()}, name=name)
        for name, ranking in rankings.items()
    ]
    return qrels, runs


def test_average_precision_by_hand() -> None:
    """One relevant document of two at rank 1, one unjudged at 2: 1/2, and (1 + 1) / 3 were it relevant."""
    qrels, runs = _case()
    limits = bounds(qrels, runs[:1], ["AP"])
    assert limits.low[0, 0, 0] == limits.none[0, 0, 0] == limits.values[0, 0, 0] == pytest.approx(1 / 2)
    assert limits.high[0, 0, 0] == limits.all[0, 0, 0] == pytest.approx(2 / 3)
    # Found at rank 1, the only one: whatever else is relevant, the least has the last alone: (1 + 2/3) / 2.
    assert limits.high[0, 0, 1] == pytest.approx(1)
    assert limits.low[0, 0, 1] == pytest.approx((1 + 2 / 3) / 2)
    assert (limits.none[0, 0, 1], limits.all[0, 0, 1]) == (1, 1)
    assert limits.mean_low[0, 0] == pytest.approx((1 / 2 + 5 / 6) / 2)


def test_differences_that_could_turn_round() -> None:
    qrels, runs = _case()
    limits = bounds(qrels, runs, ["P@1", "SearchLength"])
    np.testing.assert_allclose(limits.mean_values[0], [1, 0, 0])
    np.testing.assert_allclose([limits.mean_low[0], limits.mean_high[0]], [[1, 0, 0], [1, 1, 0.5]])
    # "bad" could come to be as good as "good", which is no turn.
    low, high = limits.mean_differences
    np.testing.assert_allclose([low[0, 0, 1], high[0, 0, 1]], [0, 1])
    assert not limits.overturned[0].any()
    # Search length counts the other way: the shorter one is better.
    assert limits.mean_values[1].argmin() == 0
    assert not limits.overturned[1, 1].any()
    np.testing.assert_array_equal(high[1, 1, 2], -low[1, 2, 1])
    assert limits.within(np.array([True, True])).overturned.tolist() == limits.overturned.tolist()
    some = bounds(qrels, runs, ["P@1", "SearchLength"], against=1)
    np.testing.assert_array_equal(some.overturned[:, :, 1], limits.overturned[:, :, 1])
    assert np.isnan(some.mean_differences[0][:, 0, 2]).all()


def test_a_document_that_both_return_has_one_grade() -> None:
    """Two lists of the same unjudged documents: separate intervals overlap, and nothing can turn them round."""
    qrels = Qrels.from_dict({"1": {"a": 1, "r": 1}})
    ranked = {"one": "axyz", "two": "xayz"}
    runs = [Run.from_dict({"1": {d: -float(n) for n, d in enumerate(ids)}}, name=name) for name, ids in ranked.items()]
    limits = bounds(qrels, runs, ["AP", "nDCG", "P@3", "RBP(p=0.5)"])
    assert (limits.mean_high[:, 1] > limits.mean_low[:, 0]).all()
    low, high = limits.mean_differences
    assert low[:, 0, 1].tolist() == [0, 0, 0, 0]  # all of it relevant
    assert high[2, 0, 1] == 0
    assert not limits.overturned.any()
    assert limits.differences.exact[:, 0, 1].all()


def test_what_one_run_alone_leaves_open_can_turn_them_round() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    ranked = {"one": "ab", "two": "xy"}
    runs = [Run.from_dict({"1": {d: -float(n) for n, d in enumerate(ids)}}, name=name) for name, ids in ranked.items()]
    limits = bounds(qrels, runs, ["P@2", "R@2", "AP", "SearchLength"])
    assert limits.overturned[:, 0, 1].tolist() == [True, True, True, False]
    low, high = limits.mean_differences
    np.testing.assert_allclose([low[0, 0, 1], high[0, 0, 1]], [-0.5, 0.5])
    np.testing.assert_allclose([low[1, 0, 1], high[1, 0, 1]], [1 / 3 - 2 / 3, 1])
    np.testing.assert_allclose([low[3, 0, 1], high[3, 0, 1]], [1 - 3, 0])


def test_an_estimate_that_no_way_to_judge_gives_makes_its_bounds_outer_ones() -> None:
    """The epsilon of infAP puts the value of "u, a" below what both ways to judge u give; that of "a, u" is one."""
    qrels = Qrels.from_dict({"q": {"a": 1.0, "b": 1.0}})
    above, below = (
        Run.from_dict({"q": {doc: -float(n) for n, doc in enumerate(ids)}}, name=ids) for ids in ("ua", "au")
    )
    ways = [
        [
            evaluate(Qrels.from_dict({"q": {"a": 1.0, "b": 1.0, "u": grade}}), run, ["infAP"]).values[0, 0, 0]
            for run in (above, below)
        ]
        for grade in (0.0, 1.0)
    ]
    limits = bounds(qrels, [above, below], ["infAP"])
    value = limits.values[0, :, 0]
    assert value[0] < min(ways[0][0], ways[1][0])
    assert limits.exact[0].tolist() == [False, True]
    assert limits.low[0, :, 0].tolist() == [value[0], min(ways[0][1], ways[1][1])]
    assert limits.high[0, :, 0].tolist() == [max(ways[0][run], ways[1][run]) for run in range(2)]
    now, possible = value[0] - value[1], [ua - au for ua, au in ways]
    assert now < min(possible)
    assert not limits.exact_differences[0, 0, 1]
    assert [ends[0, 0, 1] for ends in limits.mean_differences] == pytest.approx([now, max(possible)], abs=1e-15)


@pytest.mark.parametrize("seed", range(30))
def test_differences_of_estimates_lie_within_their_bounds(seed: int) -> None:
    """Grades below 0: in the pool and unjudged, which only an estimate counts."""
    dice, ids = random.Random(seed), [f"d{number}" for number in range(7)]
    qrels = Qrels.from_dict({"q": {doc: float(dice.choice((-1, 0, 1, 1, 0))) for doc in dice.sample(ids, 4)}})
    ranked = [dice.sample(ids, dice.randint(1, 6)) for _ in range(2)]
    runs = [
        Run.from_dict({"q": {doc: -float(n) for n, doc in enumerate(docs)}}, name=str(place))
        for place, docs in enumerate(ranked)
    ]
    limits = bounds(qrels, runs, ["infAP"])
    low, high = (float(ends[0, 0, 1]) for ends in limits.mean_differences)
    assert low <= limits.mean_values[0, 0] - limits.mean_values[0, 1] <= high


@pytest.mark.parametrize("at_a_time", [1, 7])
def test_some_at_a_time_is_the_same(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = _case()
    whole = bounds(qrels, runs, ["nDCG", "infAP"])
    monkeypatch.setattr(module, "AT_A_TIME", at_a_time)
    monkeypatch.setattr(gain_ratio, "AT_A_TIME", at_a_time)
    parts = bounds(qrels, runs, ["nDCG", "infAP"])
    np.testing.assert_array_equal(parts.low, whole.low)
    np.testing.assert_array_equal(parts.high, whole.high)
    np.testing.assert_array_equal(parts.differences.high, whole.differences.high)


@pytest.mark.parametrize(
    "measure",
    [
        "AP", "AP@20", "Rprec", "Rprec(rel=2)",
        "Bpref", "gm_bpref", "IPrec@0", "IPrec@0.1", "IPrec@0.4", "IPrec(cut='up')@0.25", "IPrec(cut='exact')@0.3",
        "IPrec@0.6", "AP(judged_only=True)", "Bpref(judged_only=True)",
    ],
)  # fmt: skip
def test_long_lists_are_as_if_tried(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bounds are known without trying, they are those that trying finds."""
    random = np.random.default_rng(11)
    documents = [f"d{number}" for number in range(200)]
    qrels = {
        str(q): dict(zip(random.choice(documents, 40, replace=False), random.integers(0, 4, 40) * 1.0, strict=True))
        for q in range(4)
    }
    run = {q: {d: float(random.random()) for d in random.choice(documents, 90, replace=False)} for q in qrels}
    known = bounds(Qrels.from_dict(qrels), [Run.from_dict(run)], [measure])
    monkeypatch.setattr(module, "known_bounds", lambda *_, **__: None)
    tried = bounds(Qrels.from_dict(qrels), [Run.from_dict(run)], [measure])
    np.testing.assert_allclose(known.low, tried.low, atol=1e-12)
    np.testing.assert_allclose(known.high, tried.high, atol=1e-12)
    assert (known.high > known.low).all()


def _plain_greatest(start: float, weights: list[float], known: list[float], shares: list[float], top: float) -> float:
    """The greatest ratio by halving: a ratio can be reached if some price leaves something over. Steps are the plain
    loops of the definition."""

    def over(price: float) -> float:
        levels = sorted({*known, top})
        total, before = start, 0.0
        for level in levels:
            reach = sum(gain >= level for gain in known)
            best = -float("inf")
            for m in range(len(weights) + 1 if level <= top else 1):
                norm = sum(shares[: reach + m])
                best = max(best, sum(sorted(weights, reverse=True)[:m]) - price * norm)
            total += (level - before) * best
            before = level
        return total

    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if over(middle) > 0 else (low, middle)
    return low


@pytest.mark.parametrize("text", ["nDCG", "nDCG@30", "nDCG(dcg='exp-jk')@50", "nDCG(ideal='retrieved')@20"])
def test_ndcg_of_long_lists_is_that_of_plain_loops(text: str) -> None:
    dice = np.random.default_rng(5)
    documents = [f"d{number}" for number in range(120)]
    qrels = {
        str(q): dict(zip(dice.choice(documents, 30, replace=False), dice.integers(0, 4, 30) * 1.0, strict=True))
        for q in range(3)
    }
    run = {q: {d: float(dice.random()) for d in dice.choice(documents, 60, replace=False)} for q in qrels}
    limits = bounds(Qrels.from_dict(qrels), [Run.from_dict(run)], [text])
    measure, k = limits.measures[0], int(limits.measures[0].cutoff or 10_000)
    gain = {"log2": lambda g: g, "exp-jk": lambda g: 2.0**g - 1}[measure.parameter("dcg")]
    if measure.parameter("dcg") == "exp-jk":
        shares = [1 / max(1.0, float(np.log2(max(i, 2)))) if i <= k else 0.0 for i in range(1, 121)]
    else:
        shares = [1 / float(np.log2(i + 1)) if i <= k else 0.0 for i in range(1, 121)]
    for place, query in enumerate(limits.query_ids):
        ranking = Run.from_dict(run).ranking(query)
        judged = qrels[query]
        start = sum(gain(judged[d]) * shares[r] for r, d in enumerate(ranking) if d in judged)
        weights = [shares[r] for r, d in enumerate(ranking[:k]) if d not in judged]
        known = [gain(g) for d, g in judged.items() if g > 0 and ("ideal" not in text or d in ranking)]
        wanted = _plain_greatest(start, weights, known, shares, gain(3.0))
        assert limits.high[0, 0, place] == pytest.approx(wanted, abs=1e-12)
        assert limits.all[0, 0, place] <= limits.high[0, 0, place] + 1e-12


def test_few_judgments_and_another_run() -> None:
    """A finds d1, B finds d1, d2 and d5, of which d1 is judged: A is not certain to have 1."""
    qrels = Qrels.from_dict({"1": {"d1": 1}})
    runs = [
        Run.from_dict({"1": {doc: -float(n) for n, doc in enumerate(ids)}}, name=name)
        for name, ids in (("A", ["d1"]), ("B", ["d1", "d2", "d5"]))
    ]
    limits = bounds(qrels, runs, ["nDCG@10", "AP", "R@10", "P@1"])
    judged = Qrels.from_dict({"1": {"d1": 1, "d2": 1, "d5": 1}})
    wanted = evaluate(judged, runs[:1], ["nDCG@10", "AP", "R@10", "P@1"]).values[:, 0, 0]
    np.testing.assert_allclose(limits.low[:, 0, 0], wanted)
    np.testing.assert_allclose(limits.high[:, 0, 0], 1)
    assert limits.unjudged[:, 0, 0].tolist() == [0, 0, 0, 0]
    assert limits.others[:, 0, 0].tolist() == [2, 2, 2, 0]
    assert [limits.number_open(0, n) for n in (0, 1)] == [(0, 2), (2, 0)]
    alone = bounds(qrels, runs[:1], ["nDCG@10"])
    assert (alone.low[0, 0, 0], alone.high[0, 0, 0]) == (1, 1)


def test_no_grades_of_returned_documents_pass_the_bounds(data: Path) -> None:
    """TREC DL 2021: unjudged documents of two runs, also those below the cutoff, are graded at random."""
    folder = data / "trec-dl-2021"
    qrels = read_qrels(folder / "qrels.nist.txt.gz")
    runs = [read_run(folder / "runs" / f"{name}.gz") for name in ("p_unicoil0", "p_bm25")]
    measures = ["nDCG@10", "AP(rel=2)", "R(rel=2)@100", "Rprec", "Bpref", "RBP(p=0.8)"]
    limits = bounds(qrels, runs, measures)
    low, high = (ends[:, 0, 1] for ends in limits.mean_differences)
    assert (low[0], high[0]) == (pytest.approx(0.1117, abs=5e-5), pytest.approx(0.1434, abs=5e-5))
    assert limits.exact_differences[0, 0, 1]
    assert limits.exact.all(axis=1).tolist() == [True, True, True, True, False, True]
    judged = {query: qrels.judgments(query) for query in qrels.query_ids}
    opened = [
        (query, doc, place, rank)
        for query in judged
        for place, run in enumerate(runs)
        for rank, doc in enumerate(run.ranking(query), start=1)
        if judged[query].get(doc, -1) < 0
    ]
    dice = np.random.default_rng(8)
    for turn in range(12):
        said = {query: dict(own) for query, own in judged.items()}
        for query, doc, _, rank in opened:
            top = (0, 3, 3)[turn] if turn < 3 and rank > 10 else 0 if turn == 2 else int(dice.integers(0, 4))
            said[query].setdefault(doc, float(top))
        table = evaluate(Qrels.from_dict(said), runs, measures)
        delta = table.means[:, 0] - table.means[:, 1]
        assert (low <= delta + 1e-9).all()
        assert (delta <= high + 1e-9).all()
        assert (limits.low - 1e-9 <= table.values).all()
        assert (table.values <= limits.high + 1e-9).all()


def test_options_hold() -> None:
    """Level, depth and judged-only are those of the evaluation; queries left out are NaN."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 2}, "2": {"c": 1}})
    run = Run.from_dict({"1": {"x": 3.0, "b": 2.0, "a": 1.0, "y": 0.5}})
    limits = bounds(qrels, [run], ["AP"], EvaluationOptions(level=2, depth=2, missing="intersection"))
    assert limits.query_ids == ("1",)
    assert limits.measures[0].text == "AP(rel=2)"
    assert (limits.low[0, 0, 0], limits.high[0, 0, 0]) == (0.5, 1)
    judged_only = bounds(qrels, [run], ["P@1"], EvaluationOptions(judged_only=True))
    assert judged_only.values[0, 0].tolist() == [1, 0]
    assert (judged_only.none[0, 0, 0], judged_only.all[0, 0, 0]) == (0, 1)


def test_sparse_judgments_are_not_boundable() -> None:
    qrels, runs = _case()
    limits = bounds(qrels, runs, ["P@1"], regime=Regime.SPARSE)
    assert limits.regime is Regime.SPARSE
    assert limits.why == {"P@1": NOT_BOUNDABLE}
    assert np.isnan(limits.low).all()
    assert np.isnan(limits.mean_high).all()
    assert not limits.overturned.any()
    np.testing.assert_allclose(limits.mean_values[0], [1, 0, 0])


def test_complete_judgments_leave_nothing_open() -> None:
    qrels, runs = _case()
    limits = bounds(qrels, runs, ["AP", "P@1"], regime=Regime.COMPLETE)
    np.testing.assert_array_equal(limits.low, limits.values)
    np.testing.assert_array_equal(limits.high, limits.values)
    assert not limits.unjudged.any()


def test_what_has_no_bounds_says_so() -> None:
    qrels, runs = _case()
    progress: list[float] = []
    texts = ["Judged", "P@1 - R@5", "DCG(gains={0: 1})", "RankAtRecall@1", "alpha_nDCG", "G", "map_avgjg", "P@1"]
    limits = bounds(qrels, runs, texts, progress=progress.append)
    assert list(limits.why.values()) == [
        "it measures how much is judged, which is just what new judgments change",
        "its parts do not all rise, or all fall, when a document becomes relevant",
        "its gains by grade are set by a parameter",
        "a rank that is never reached has no value unless the size of the collection is given (N=…)",
        "an unjudged document could be relevant to any of the subtopics",
        "it is normalised at ranks that move with each grade, and no method is known",
        "each judge could give a document a different grade",
    ]
    assert np.isnan(limits.low[:7]).all()
    assert np.isfinite(limits.low[7]).all()
    assert np.isfinite(np.delete(limits.values, 3, axis=0)).all()
    assert progress[-1] == 1


@pytest.mark.parametrize("name", sorted(ours()))
def test_each_family_has_bounds_or_says_why_not(name: str) -> None:
    for measure in variants(ours()[name]):
        way, why = way_of(measure, Regime.POOLED, Scale(3.0, 3.0, (1.0, 2.0, 3.0)))
        assert bool(way) != bool(why)
        assert why != "no method is known", "a reason of its own"


def test_means_of_some_queries() -> None:
    qrels, runs = _case()
    limits = bounds(qrels, runs, ["AP", "P@1"])
    second = limits.within(np.array([False, True]))
    np.testing.assert_array_equal(second.mean_low, limits.low[:, :, 1])
    np.testing.assert_array_equal(second.mean_high, limits.high[:, :, 1])
    np.testing.assert_array_equal(limits.within(np.array([True, True])).mean_values, limits.mean_values)
    assert np.isnan(limits.within(np.array([False, False])).mean_all).all()
    # On the first query alone nothing that "good" leaves open could put "worst" above it at rank 1.
    assert not limits.within(np.array([True, False])).overturned[1, 0, 2]


def test_an_expression_of_judged_documents_alone() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    run = Run.from_dict({"1": {"x": 3.0, "y": 2.0, "a": 1.0}})
    limits = bounds(qrels, [run], ["(P@1 + R@1) / 2"], EvaluationOptions(judged_only=True))
    assert limits.values[0, 0].tolist() == [1.0]

"""The parts of the loss and the shares of causes, against sums in plain loops; the interval by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irviewer.analysis.failures import near_duplicates
from irviewer.analysis.failures.causes import causes_of_run
from irviewer.analysis.failures.detect import failures_of_runs
from irviewer.analysis.failures.find_losses import run_losses
from irviewer.analysis.failures.kinds import KINDS, Limits
from irviewer.analysis.failures.losses import PARTS, RunLosses
from irviewer.analysis.failures.shares import random_sample, share_interval
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measure
from irviewer.model.failure_tags import FailureTag, Look, RunTags, random_order
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.views import failures as failures_view
from tests.helpers.failing import failing_collection


def dcg(grades: list[float]) -> float:
    """DCG of grades in their order."""
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def parts_by_hand(judged: dict[str, float], ranking: list[str], k: int) -> tuple[float, float, float]:
    """What nDCG@k loses: best − best order of the run's documents − best order of its top − as it is."""
    gains = [max(judged.get(document, 0.0), 0.0) for document in ranking]
    ideal = dcg(sorted((max(grade, 0.0) for grade in judged.values()), reverse=True)[:k])
    if not ideal:
        return 0.0, 0.0, 0.0
    own = dcg(sorted(gains, reverse=True)[:k]) / ideal
    top = dcg(sorted(gains[:k], reverse=True)) / ideal
    value = dcg(gains[:k]) / ideal
    return 1 - own, own - top, top - value


@pytest.mark.parametrize("seed", range(8))
def test_the_parts_of_ndcg_are_those_of_a_loop_and_add_up_exactly(seed: int) -> None:
    qrels, rankings = failing_collection(seed)
    judgments = Qrels.from_dict(qrels)
    measure = parse_measure("nDCG@3")
    options = EvaluationOptions(missing="zero")
    for ranking in rankings:
        run = Run.from_dict(
            {query: {doc: -float(rank) for rank, doc in enumerate(docs)} for query, docs in ranking.items()}
        )
        table = evaluate(judgments, [run], ["nDCG@3"], options)
        losses = run_losses(judgments, run, measure, table.values[0, 0], table.query_ids, options)
        assert losses.parts is not None
        np.testing.assert_array_equal(losses.parts.sum(axis=0), losses.total)
        for place, query in enumerate(table.query_ids):
            if not any(grade > 0 for grade in qrels[query].values()):
                continue
            expected = parts_by_hand(qrels[query], ranking.get(query, []), 3)
            np.testing.assert_allclose(losses.parts[:, place], expected, atol=1e-12)
            largest = int(losses.largest[place])
            assert (largest == -1) == (sum(expected) < 1e-12) or losses.total[place] < 1e-12
            if largest >= 0:
                assert expected[largest] == pytest.approx(max(expected))


@pytest.mark.parametrize(
    ("measure", "words", "loss"),
    [
        ("nDCG@2", "loss = 1 − nDCG@2", 1 - 1 / math.log2(3)),
        ("P@2", "loss = best possible − P@2", 0.0),  # one relevant document: .5 is the best
        ("RBP(p=0.5)", None, None),
    ],
)
def test_what_the_loss_is_counted_from(measure: str, words: str | None, loss: float | None) -> None:
    judgments = Qrels.from_dict({"1": {"a": 1}})
    run = Run.from_dict({"1": {"x": 2.0, "a": 1.0}})
    bound = parse_measure(measure)
    table = evaluate(judgments, [run], [measure])
    losses = run_losses(judgments, run, bound, table.values[0, 0], table.query_ids, EvaluationOptions())
    if words is not None:
        assert losses.words(measure) == words
        assert losses.total[0] == pytest.approx(loss)
    np.testing.assert_allclose(losses.of - losses.total, table.values[0, 0])


def test_a_measure_without_a_best_order_has_a_loss_and_no_parts() -> None:
    judgments = Qrels.from_dict({"1": {"a": 1}, "2": {"b": 1}})
    run = Run.from_dict({"1": {"x": 2.0, "a": 1.0}, "2": {"b": 1.0}})
    table = evaluate(judgments, [run], ["gm_map"])
    losses = run_losses(
        judgments, run, parse_measure("gm_map"), table.values[0, 0], table.query_ids, EvaluationOptions()
    )
    assert losses.parts is None
    np.testing.assert_allclose(losses.total, 1 - table.values[0, 0])
    assert losses.largest.tolist() == [-1, -1]


def some_losses(seed: int, n: int) -> tuple[RunLosses, np.ndarray]:
    """Random losses and signs of n queries; one query has no value."""
    draw = np.random.default_rng(seed)
    parts = draw.random((3, n)) / 3
    parts[:, 3] = np.nan
    ids = tuple(f"q{number}" for number in range(n))
    total = parts.sum(axis=0)
    return RunLosses("run", ids, total, parts, np.ones(n)), draw.random((len(KINDS), n)) < 0.3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("half", [False, True])
def test_queries_and_shares_of_causes_are_sums_in_a_loop(seed: int, half: bool) -> None:
    losses, signs = some_losses(seed, 12)
    within = np.arange(12) % 2 == 0 if half else None
    tags = (FailureTag("1", "one"), FailureTag("2", "two"))
    looks = {"q0": Look(("one",)), "q2": Look(("one", "two")), "q4": Look(), "q5": Look(("two",)), "q3": Look(("one",))}
    causes = causes_of_run(losses, signs, tags=tags, looks=looks, within=within)
    counted = [row for row in range(12) if row != 3 and (not half or row % 2 == 0)]
    whole = sum(losses.total[row] for row in counted)
    assert causes.queries == len(counted)
    assert causes.loss == pytest.approx(whole)
    parts = [each for each in causes.causes if each.group == "part"]
    assert sum(each.share for each in parts) == pytest.approx(1)
    assert sum(each.queries for each in parts) == len(counted)
    assert losses.parts is not None
    for place, (name, part) in enumerate(zip(PARTS, parts, strict=True)):
        assert part.name == name
        assert part.share == pytest.approx(sum(losses.parts[place][row] for row in counted) / whole)
        assert part.queries == sum(losses.parts[place][row] == losses.parts[:, row].max() for row in counted)
    for place, kind in enumerate(KINDS):
        sign = causes.cause("kind", kind.name)
        assert sign is not None
        has = [row for row in counted if signs[place][row]]
        assert (sign.queries, sign.share) == (len(has), pytest.approx(sum(losses.total[row] for row in has) / whole))
    looked = [row for row in counted if f"q{row}" in looks]
    lost = sum(losses.total[row] for row in looked)
    assert (causes.looked, causes.looked_share) == (len(looked), pytest.approx(lost / whole))
    for name in ("one", "two"):
        tag = causes.cause("tag", name)
        assert tag is not None
        has = [row for row in looked if name in looks[f"q{row}"].tags]
        assert (tag.queries, tag.share) == (len(has), pytest.approx(sum(losses.total[row] for row in has) / lost))
        assert math.isnan(tag.low), "the worst queries are no random sample"
    untagged, unseen = causes.cause("rest", "untagged"), causes.cause("rest", "not_examined")
    assert untagged is not None
    assert unseen is not None
    assert untagged.queries == 1
    assert untagged.share == pytest.approx(losses.total[4] / lost)
    assert (unseen.queries, unseen.share) == (len(counted) - len(looked), pytest.approx(1 - lost / whole))


def test_signs_that_cannot_be_are_left_out() -> None:
    losses, signs = some_losses(1, 6)
    names = {each.name for each in causes_of_run(losses, signs, baseline=False, texts=False, cutoff=False).causes}
    assert not names & {"baseline", "duplicates", "too_low", "untagged", "not_examined"}
    assert {"not_retrieved", "order", "median"} <= names


def test_nothing_lost_has_no_shares() -> None:
    losses = RunLosses("run", ("1",), np.zeros(1), np.zeros((3, 1)), np.ones(1))
    causes = causes_of_run(losses, np.zeros((len(KINDS), 1), dtype=np.bool_))
    assert all(math.isnan(each.share) and each.queries == 0 for each in causes.causes)
    empty = RunLosses("run", (), np.empty(0), np.empty((3, 0)), np.empty(0))
    assert causes_of_run(empty, np.zeros((len(KINDS), 0), dtype=np.bool_)).queries == 0


def test_a_random_sample_begins_the_random_order() -> None:
    ids = [f"q{number}" for number in range(20)]
    order = [ids[place] for place in random_order(ids, 7)]
    drawn = Look(seed=7)
    assert random_sample(ids, {}, 7).tolist() == []
    assert [ids[place] for place in random_sample(ids, dict.fromkeys(order[:5], drawn), 7)] == order[:5]
    # One that was chosen before belongs to the sample where it comes between, and lengthens it not where it follows.
    looks = {**dict.fromkeys(order[:5], drawn), order[2]: Look(), order[5]: Look(), order[9]: drawn}
    assert [ids[place] for place in random_sample(ids, looks, 7)] == order[:5]
    assert random_sample(ids, dict.fromkeys(order[1:5], drawn), 7).tolist() == []
    assert random_sample(ids, dict.fromkeys(order[:5], drawn), 8).tolist() == []


def test_the_random_order_depends_on_ids_and_seed_only() -> None:
    ids = [f"q{number}" for number in range(50)]
    order = [ids[place] for place in random_order(ids, 1)]
    assert [ids[::-1][place] for place in random_order(ids[::-1], 1)] == order
    more = ["new", *ids]
    assert [more[place] for place in random_order(more, 1) if more[place] != "new"] == order
    assert [ids[place] for place in random_order(ids, 2)] != order
    first = [random_order(ids, seed)[0] for seed in range(2000)]
    assert max(np.bincount(first)) < 80, "every query comes first about 40 times"


@pytest.mark.parametrize("n_all", [53, 225])
@pytest.mark.parametrize("kind", ["alike", "large", "small", "rare", "few lose"])
def test_the_interval_covers_the_share_of_all_queries(n_all: int, kind: str) -> None:
    draw = np.random.default_rng(3)
    loss = draw.beta(1.2, 1.5, n_all)
    if kind == "few lose":
        loss = np.where(draw.random(n_all) < 0.7, 0.02 * loss, loss)
    chance = {"alike": 0.4, "rare": 0.08, "few lose": 0.4, "large": loss, "small": 1 - loss}[kind]
    tagged = draw.random(n_all) < chance
    truth = loss[tagged].sum() / loss.sum()
    for n in (10, 25, 40):
        held = 0
        for _ in range(600):
            some = draw.choice(n_all, n, replace=False)
            low, high = share_interval(loss[some], tagged[some], float(loss.sum()), n_all)
            assert 0 <= low <= high <= 1
            held += low - 1e-12 <= truth <= high + 1e-12
        assert held / 600 >= 0.93, (n, held)


def test_the_interval_is_wilsons_where_losses_are_equal() -> None:
    # Wilson's interval of 20 of 50, by R's prop.test(20, 50, correct = FALSE): .2761, .5382. With t and the part of
    # 10,000 queries that is unknown it is a little wider.
    loss, tagged = np.ones(50), np.arange(50) < 20
    low, high = share_interval(loss, tagged, 10_000.0, 10_000)
    assert 0.2761 - 0.01 < low <= 0.2761
    assert 0.5382 <= high < 0.5382 + 0.01


def test_the_interval_ends_where_all_is_known() -> None:
    loss, tagged = np.array([0.5, 0.25, 0.25]), np.array([True, False, False])
    assert share_interval(loss, tagged, 1.0, 3) == (0.5, 0.5)
    assert all(map(math.isnan, share_interval(loss, tagged, 10.0, 50)))
    assert all(map(math.isnan, share_interval(np.zeros(20), np.zeros(20, dtype=np.bool_), 1.0, 50)))
    almost = np.ones(19)
    low, high = share_interval(almost, np.zeros(19, dtype=np.bool_), 20.0, 20)
    assert 0 <= low < 1e-9 < high <= 0.05, "one query of twenty is left"


def test_the_baseline_has_causes_too() -> None:
    qrels, rankings = failing_collection(2)
    judgments = Qrels.from_dict(qrels)
    runs = [
        Run.from_dict(
            {query: {doc: -float(rank) for rank, doc in enumerate(docs)} for query, docs in ranking.items()}, name=name
        )
        for name, ranking in zip("abc", rankings, strict=True)
    ]
    tags = RunTags((FailureTag("1", "mine"),), {"c": {"1": Look(("mine",))}})
    of_runs = failures_of_runs(judgments, runs, "nDCG@3", Limits(), baseline="a", run="c", tags=tags)
    assert [each.run for each in of_runs.losses] == ["c", "a"]
    assert [each.run for each in of_runs.causes] == ["c", "a"]
    assert of_runs.causes[0].cause("kind", "baseline") is not None
    assert of_runs.causes[1].cause("kind", "baseline") is None
    assert of_runs.causes[0].looked == 1
    assert of_runs.causes[1].looked == 0
    best = failures_of_runs(judgments, runs, "nDCG@3", Limits(), baseline="a")
    means = evaluate(judgments, runs, ["nDCG@3"], EvaluationOptions(missing="zero")).values[0].mean(axis=1)
    assert best.losses[0].run == ("b" if means[1] >= means[2] else "c")
    assert [each.run for each in failures_of_runs(judgments, runs[:1], "nDCG@3", Limits()).losses] == ["a"]
    with pytest.raises(OptionError, match="there is no run"):
        failures_of_runs(judgments, runs, "nDCG@3", Limits(), run="x")


def test_too_many_lists_for_near_duplicates_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, rankings = failing_collection(2)
    runs = [
        Run.from_dict(
            {query: {doc: -float(rank) for rank, doc in enumerate(docs)} for query, docs in ranking.items()}, name=name
        )
        for name, ranking in zip("ab", rankings, strict=False)
    ]

    def said() -> list[set[str]]:
        of_runs = failures_of_runs(
            Qrels.from_dict(qrels), runs, "nDCG@3", Limits(), text_of=lambda document: f"text of {document} in full"
        )
        shown = failures_view.tables(of_runs, None)
        return [{note.code for note in shown.table(name).notes} & {"texts", "lists"} for name in ("counts", "causes")]

    assert said() == [set(), set()]
    for module in (near_duplicates, failures_view):
        monkeypatch.setattr(module, "MOST_LISTS", 3)
    assert said() == [{"lists"}, {"lists"}]

"""Stages against plain sets: what each keeps and loses, ranks and fates, and the ceilings by trying every order."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from irviewer.analysis.stages.find_stages import find_stages, share_within
from irviewer.analysis.stages.stages import CAUSES, FATES, Stages, stages_of
from irviewer.analysis.statistics.result_comparison import ComparisonOptions
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

Judgments = dict[str, dict[str, float]]
QUICK = ComparisonOptions(samples=100)


def world(seed: int, queries: int = 8, stages: int = 2) -> tuple[Judgments, list[Judgments]]:
    """Qrels, a first stage and stages that re-rank some of its documents (and now and then return another)."""
    dice = random.Random(seed)
    documents = [f"d{number:02}" for number in range(25)]
    qrels: Judgments = {}
    runs: list[Judgments] = [{} for _ in range(stages)]
    for number in range(queries):
        query = f"q{number}"
        qrels[query] = {document: float(dice.choice((-1, 0, 0, 1, 1, 2))) for document in dice.sample(documents, 14)}
        held = dice.sample(documents, dice.randint(6, 15))
        for place, run in enumerate(runs):
            if dice.random() < 0.08:
                continue
            if place:
                held = dice.sample(held, dice.randint(max(1, len(held) - 3), len(held)))
                if dice.random() < 0.2:
                    held = [*held, next(document for document in documents if document not in runs[0].get(query, {}))]
            run[query] = {document: float(dice.randint(0, 40)) for document in held}
    return qrels, runs


def computed_stages(qrels: Judgments, runs: list[Judgments], measure: str = "nDCG@4", **choices: Any) -> Stages:
    top = choices.pop("top", None)
    values = [Run.from_dict(run, name=f"s{number}") for number, run in enumerate(runs)]
    return stages_of(
        Qrels.from_dict(qrels), values, measure, EvaluationOptions(**choices), top=top, statistics=QUICK
    )  # fmt: skip


@pytest.mark.random
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("level", [1, 2])
def test_the_funnel_is_a_chain_of_sets(seed: int, level: int) -> None:
    stages = 2 + seed % 2
    qrels, runs = world(seed, stages=stages)
    mine = computed_stages(qrels, runs, level=level)
    ranked = [Run.from_dict(run) for run in runs]
    for place, query in enumerate(mine.query_ids):
        left = {document for document, grade in qrels[query].items() if grade >= level}
        sets = [left]
        for run in ranked:
            left = left & set(run.ranking(query))
            sets.append(left)
        room = min(4, len(left))
        sets.append(left & set(ranked[-1].ranking(query, 4)))
        assert mine.counts[:, place].tolist() == [len(documents_kept) for documents_kept in sets]
        assert mine.room[place] == room
        losses = [len(sets[0]) - len(sets[1]), len(sets[1]) - len(sets[-2]), room - len(sets[-1])]
        assert mine.lost[:, place].tolist() == losses
        cause = "" if not max(losses) else CAUSES[losses.index(max(losses))]
        assert mine.causes[place] == cause
    total = mine.counts.sum(axis=1).tolist()
    assert [step.relevant for step in mine.steps] == total
    assert [sum(step.by_grade) for step in mine.steps] == total
    for before, step in zip(total, mine.steps[1:], strict=False):
        assert step.lost + step.no_room == before - step.relevant
    for step, run in zip(mine.steps[1:], [*ranked, ranked[-1]], strict=True):
        depth = 4 if step.kind == "top" else None
        lists = {query: run.ranking(query, depth) for query in mine.query_ids}
        judged = {
            query: {document for document, grade in qrels[query].items() if grade >= 0} for query in mine.query_ids
        }
        assert step.documents == sum(map(len, lists.values()))
        assert step.unjudged == sum(document not in judged[query] for query, ids in lists.items() for document in ids)


@pytest.mark.random
@pytest.mark.parametrize("seed", range(8))
def test_documents_have_ranks_and_fates(seed: int) -> None:
    qrels, runs = world(seed, stages=2 + seed % 2)
    mine = computed_stages(qrels, runs)
    ranked = [Run.from_dict(run) for run in runs]
    fates = dict.fromkeys(FATES, 0)
    for query in mine.query_ids:
        rows = mine.documents(query)
        assert {row.doc_id for row in rows} == {document for document, grade in qrels[query].items() if grade >= 1}
        for row in rows:
            lists = [run.ranking(query) for run in ranked]
            ranks = tuple(ids.index(row.doc_id) + 1 if row.doc_id in ids else None for ids in lists)
            assert (row.grade, row.ranks) == (qrels[query][row.doc_id], ranks)
            first, last = ranks[0], ranks[-1]
            if first is None:
                fate = "missed" if last is None else "added"
            elif None in ranks or last is None:
                fate = "unseen"
            else:
                fate = {(True, True): "kept", (False, True): "promoted", (True, False): "demoted",
                        (False, False): "below"}[first <= 4, last <= 4]  # fmt: skip
            assert row.fate == fate
            assert row.change == (None if first is None or last is None else first - last)
            fates[row.fate] += 1
        last_ranks = [row.ranks[-1] for row in rows if row.ranks[-1] is not None]
        assert last_ranks == sorted(last_ranks)
        assert len(mine.documents(query, relevant=False)) == sum(grade >= 0 for grade in qrels[query].values())
    assert fates == {fate: mine.number(fate) for fate in FATES}


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "P@3", "RR", "ERR@3"])
def test_no_order_of_the_documents_is_better_than_the_ideal_one(measure: str) -> None:
    qrels = {"1": {"a": 2.0, "b": 1.0, "c": 0.0, "d": 1.0, "e": 2.0, "n": -1.0}}
    last = {"1": {"c": 9.0, "x": 8.0, "b": 7.0, "n": 6.5, "a": 6.0}}
    mine = computed_stages(qrels, [{"1": {**last["1"], "z": 1.0}}, last], measure)
    best = max(
        evaluate(
            Qrels.from_dict(qrels),
            Run.from_dict({"1": {document: -float(rank) for rank, document in enumerate(order)}}),
            [measure],
        ).mean(measure)
        for order in itertools.permutations(last["1"])
    )
    assert mine.means[-2] == pytest.approx(best)
    every = {"1": dict(qrels["1"])}
    assert mine.means[-1] == pytest.approx(
        evaluate(Qrels.from_dict(qrels), Run.from_dict(every), [measure]).mean(measure)
    )
    assert mine.ordered[0] == pytest.approx(mine.means[-2] - mine.means[-3])
    assert mine.out_of_reach[0] == pytest.approx(mine.means[-1] - mine.means[-2])


def test_values_are_those_of_an_evaluation() -> None:
    qrels, runs = world(3)
    mine = computed_stages(qrels, runs)
    values = [Run.from_dict(run, name=name) for run, name in zip(runs, "ab", strict=True)]
    result = evaluate(Qrels.from_dict(qrels), values, ["nDCG@4"])
    assert mine.means[:2].tolist() == pytest.approx(result.means[0].tolist())
    assert mine.pair.difference == pytest.approx(result.means[0, 1] - result.means[0, 0])
    assert (mine.pair.run_name, mine.pair.other_name) == ("s1", "s0")


def test_depth_judged_only_and_the_top_that_is_asked_for() -> None:
    qrels, runs = world(5)
    cut = computed_stages(qrels, runs, depth=5, top=2)
    assert cut.top == 2
    ranked = Run.from_dict(runs[0])
    assert cut.steps[1].documents == sum(len(ranked.ranking(query, 5)) for query in cut.query_ids)
    ideal = computed_stages(
        qrels, [{q: dict(list(r.items())) for q, r in runs[0].items()}, runs[1]], depth=3, measure="P@3"
    )
    shallow = Run.from_dict(runs[1])
    for place, query in enumerate(ideal.query_ids):
        kept = sum(qrels[query].get(document, -1) >= 1 for document in shallow.ranking(query, 3))
        assert ideal.values[-2, place] == pytest.approx(kept / 3)  # no document from beyond the depth is lifted
    only = computed_stages(qrels, runs, judged_only=True)
    assert [step.unjudged for step in only.steps] == [0, 0, 0, 0]
    assert only.means[-2] >= only.means[-3] - 1e-12
    assert computed_stages(qrels, runs, "AP").top == 10


def test_stages_that_do_not_fit() -> None:
    qrels = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0}}
    first: Judgments = {"1": {"a": 2.0, "x": 1.0}}
    apart = computed_stages(qrels, [first, {"1": {"b": 2.0, "y": 1.0}}], "P@1")
    assert [step.relevant for step in apart.steps] == [3, 1, 0, 0]
    assert apart.number("added") == 1
    assert [said for said in apart.notes if "does not only re-rank" in said]
    lacking = computed_stages(qrels, [first, {"2": {"a": 2.0}}], "P@1")
    assert [step.relevant for step in lacking.steps] == [3, 1, 0, 0]
    both = computed_stages(qrels, [first, {"1": {"a": 1.0}}], "P@1", missing="intersection")
    assert both.query_ids == ("1",)
    with pytest.raises(OptionError, match="No judged query"):
        computed_stages(qrels, [first, {"2": {"a": 2.0}}], "P@1", missing="intersection")
    with pytest.raises(OptionError, match="two runs"):
        computed_stages(qrels, [first])
    with pytest.raises(OptionError, match="grade 5"):
        computed_stages(qrels, [first, first], level=5)
    with pytest.raises(UndecidedError):
        computed_stages(qrels, [first, {"1": {"u": 1.0}, "2": {"u": 1.0}}])
    with pytest.raises(OptionError, match="last rank"):
        computed_stages(qrels, [first, first], top=0)
    with pytest.raises(OptionError, match="not evaluated"):
        computed_stages(qrels, [first, first]).documents("9")
    # A run may be called as the ideal order is called here.
    named = [Run.from_dict(first, name="ideal"), Run.from_dict(first, name="judged")]
    assert stages_of(Qrels.from_dict(qrels), named, "P@1", statistics=QUICK).means[0] == 0.5


def test_a_query_without_judged_documents_is_no_fault() -> None:
    qrels = {"1": {"a": 1.0}, "2": {"a": -1.0}}
    run = {"1": {"a": 1.0}, "2": {"a": 1.0}}
    mine = computed_stages(qrels, [run, run], missing="intersection")
    assert mine.query_ids == ("1", "2")
    assert mine.values[:, 1].tolist() == [0.0] * 4


def test_a_cost_loses_where_it_is_higher() -> None:
    qrels, runs = world(7)
    mine = computed_stages(qrels, runs, "RankAtRecall@0.1")
    assert np.nanmin(mine.ordered) >= 0


@pytest.mark.parametrize("seed", range(4))
def test_the_share_within_is_of_the_queries_and_ranks_that_count(seed: int) -> None:
    """As of files that are cut by hand: to judged queries, and to the depth."""
    qrels, runs = world(seed)
    kept = list(qrels)[:5]
    judged = {query: qrels[query] for query in kept}
    cut: list[Judgments] = [
        {query: {each: run[query][each] for each in Run.from_dict(run).ranking(query, 4)}
         for query in kept if query in run}
        for run in runs
    ]  # fmt: skip
    mine = computed_stages(judged, runs, depth=4)
    assert mine.within.tolist() == computed_stages(judged, cut).within.tolist()
    documents = [(query, each) for query in kept if query in cut[0] for each in cut[1].get(query, {})]
    shared = [each in cut[0][query] for query, each in documents]
    assert mine.within.tolist() == [sum(shared) / len(shared)]


def test_stages_are_found_by_their_documents() -> None:
    first = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 2.0, "b": 1.0}}
    runs = {
        "first": first,
        "cut": {"1": {"a": 3.0, "b": 2.0}},  # the beginning of the first, in its order
        "some": {"1": {"b": 3.0, "a": 2.0}, "2": {"a": 1.0}},
        "same": {"1": {"c": 3.0, "b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}},
        "apart": {"1": {"c": 3.0, "z": 2.0}},
        "elsewhere": {"9": {"a": 3.0, "b": 2.0}},
        "empty": {},
    }
    values = [Run.from_dict(run, name=name) for name, run in runs.items()]  # type: ignore[arg-type]
    names = list(runs)
    pairs = {(names[stage.first], names[stage.second]): (stage.same, stage.queries) for stage in find_stages(values)}
    assert pairs == {
        ("first", "some"): (False, 2), ("first", "same"): (True, 2), ("same", "some"): (False, 2),
        ("same", "cut"): (False, 1), ("cut", "some"): (True, 1),
    }  # fmt: skip
    turned = find_stages(values, baseline=names.index("same"))
    assert (names.index("same"), 0, True) in {(stage.first, stage.second, stage.same) for stage in turned}
    assert find_stages([]) == ()
    assert share_within(values[0], values[4]) == 0.5
    assert share_within(values[0], values[5]) == 1

"""Unique documents, leave-one-run-out, unjudged shares, residuals: by brute force and by hand."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import irviewer
from irviewer.analysis.pooling.bounds import bounds
from irviewer.analysis.pooling.contributions import LeaveOneOut, contributions, leave_one_out
from irviewer.analysis.pooling.effects import openness, pool_effects
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.parser import parse_measures
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime

Judgments = dict[str, dict[str, float]]
several = st.lists(strategies.runs(), min_size=1, max_size=4)


def _runs(rankings: list[Judgments]) -> list[Run]:
    return [Run.from_dict(ranking, name=f"run {number}") for number, ranking in enumerate(rankings)]


def _alone(qrels: Judgments, runs: list[Run], wanted_run: Run, depth: int | None) -> set[tuple[str, str]]:
    """The judged documents that only this run returns, or it and the runs that found the same judged documents."""

    def judged_of(run: Run) -> set[tuple[str, str]]:
        return {
            (query, document) for query in qrels for document in run.ranking(query, depth) if document in qrels[query]
        }

    own = judged_of(wanted_run)
    return own - {pair for run in runs if judged_of(run) != own for pair in judged_of(run)}


@given(qrels=strategies.qrels(), rankings=several, depth=st.sampled_from([None, 1, 3]), level=st.sampled_from([1, 2]))
def test_unique_documents(qrels: Judgments, rankings: list[Judgments], depth: int | None, level: float) -> None:
    runs = _runs(rankings)
    pool_contributions = contributions(Qrels.from_dict(qrels), runs, EvaluationOptions(level), depth)
    everywhere: set[tuple[str, str]] = set()
    for number, run in enumerate(runs):
        alone = _alone(qrels, runs, run, depth)
        relevant = {(query, document) for query, document in alone if qrels[query][document] >= level}
        assert pool_contributions.unique_judged[number] == len(alone)
        assert pool_contributions.unique_relevant[number] == len(relevant)
        rows = np.flatnonzero(pool_contributions.alone[number] & pool_contributions.relevant)
        of = np.repeat(pool_contributions.qrels.query_ids, np.diff(pool_contributions.qrels.offsets))[rows].tolist()
        assert set(zip(of, pool_contributions.qrels.doc_ids.take(rows).to_pylist(), strict=True)) == relevant
        own = {(q, d) for q in qrels for d in run.ranking(q, depth) if qrels[q].get(d, -1) >= level}
        assert pool_contributions.found_relevant[number] == len(own)
        everywhere |= own
    every = {(q, d) for q in qrels for d, grade in qrels[q].items() if grade >= level}
    assert pool_contributions.found_by_none == len(every - everywhere)


@pytest.mark.parametrize(
    "options",
    [{}, {"judged_only": True}, {"level": 2}, {"missing": "intersection"}, {"depth": 3}, {"dialect": "ir_measures"}],
)
@given(qrels=strategies.qrels(strategies.whole_grades), rankings=several, depth=st.sampled_from([None, 2]))
def test_leave_one_out_is_evaluating_again(
    options: dict[str, Any], qrels: Judgments, rankings: list[Judgments], depth: int | None
) -> None:
    runs, choices = _runs(rankings), EvaluationOptions(**options)
    measures = ["AP", "nDCG@3", "Bpref", "Judged@3"]
    top = {**qrels, "top": {"top": 4.0}}  # never returned: the scale of grades stays
    left_out = leave_one_out(Qrels.from_dict(top), runs, measures, choices, depth=depth)
    np.testing.assert_allclose(left_out.means, evaluate(Qrels.from_dict(top), runs, measures, choices).means)
    cut = min(depth or 99, choices.depth or 99)
    for number, run in enumerate(runs):
        alone = _alone(top, runs, run, cut)
        left = {
            query: {document: grade for document, grade in judged.items() if (query, document) not in alone}
            for query, judged in top.items()
        }
        again = evaluate(Qrels.from_dict(left), runs, measures, choices)
        np.testing.assert_allclose(left_out.without[:, number], again.means, atol=1e-12)
        assert left_out.dropped[number] == len(alone)


def test_runs_of_a_track_that_found_the_same_are_one_contribution(data: Path) -> None:
    """Three runs of TREC DL 2021 re-rank one list: each alone found nothing, together what the other runs lack."""
    folder = data / "trec-dl-2021"
    qrels = irviewer.read_qrels(folder / "qrels.nist.txt.gz")
    runs = [irviewer.read_run(file) for file in sorted((folder / "runs").iterdir())]
    pooled = contributions(qrels, runs)
    names = [run.name.removeprefix("input.") for run in runs]
    together = [[name.removeprefix("input.") for name in group] for group in pooled.together]
    assert together == [["WLUPassage", "p_bm25", "pass_rank_100"], ["p_f10_mdt53b", "p_f10_mt53b"]]
    relevant = {query: {d for d, grade in qrels.judgments(query).items() if grade >= 1} for query in qrels.query_ids}
    places = [names.index(name) for name in together[0]]
    assert {int(pooled.found_relevant[place]) for place in places} == {1810}
    alone = 0
    for query, wanted in relevant.items():
        others = {
            d for name, run in zip(names, runs, strict=True) if name not in together[0] for d in run.ranking(query)
        }
        alone += len(wanted & set(runs[places[0]].ranking(query)) - others)
    assert {int(pooled.unique_relevant[place]) for place in places} == {alone} and alone > 0


def test_changes_and_ranks_by_hand() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 0}})
    runs = _runs([{"1": {"a": 2.0, "x": 1.0}}, {"1": {"c": 2.0, "b": 1.0}}, {"1": {"y": 2.0, "b": 1.0}}])
    left_out = leave_one_out(qrels, runs, ["RR", "unj@1"])
    assert left_out.dropped.tolist() == [1, 1, 0]
    np.testing.assert_allclose(left_out.means, [[1, 0.5, 0.5], [0, 0, 1]])
    assert left_out.ranks.tolist() == [[1, 2, 2], [1, 1, 3]]
    np.testing.assert_allclose(left_out.changes[0], [[-1, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert left_out.rank_changes[0].tolist() == [[2, -1, -1], [0, 0, 0], [0, 0, 0]]
    change, places = left_out.own
    np.testing.assert_allclose(change, [[-1, 0, 0], [1, 1, 0]])
    assert places[0].tolist() == [2, 0, 0]


def test_subtopics_go_with_their_judgments() -> None:
    """A measure of subtopics under reduced qrels is that under qrels written without those rows."""
    from irviewer.model.arrays import strings

    rows = [("a", "1", 1.0), ("a", "2", 1.0), ("b", "2", 1.0), ("c", "3", 1.0), ("d", "3", 1.0)]

    def qrels_of(kept: list[tuple[str, str, float]]) -> Qrels:
        return Qrels.from_columns(
            ("1",), np.zeros(len(kept), dtype=np.int64), strings([row[0] for row in kept]),
            np.array([row[2] for row in kept]), subtopics=strings([row[1] for row in kept]),
        )  # fmt: skip

    runs = _runs([{"1": {"a": 3.0, "b": 2.0}}, {"1": {"b": 3.0, "c": 2.0}}])
    left_out = leave_one_out(qrels_of(rows), runs, ["StRecall@2", "alpha_nDCG@2"])
    for number, gone in enumerate("ac"):
        again = evaluate(qrels_of([row for row in rows if row[0] != gone]), runs, ["StRecall@2", "alpha_nDCG@2"])
        np.testing.assert_allclose(left_out.without[:, number], again.means)


@given(qrels=strategies.qrels(), rankings=several)
def test_unjudged_and_residual(qrels: Judgments, rankings: list[Judgments]) -> None:
    runs = _runs(rankings)
    shares = openness(Qrels.from_dict(qrels), runs, depths=(1, 3), p=0.8)
    for number, run in enumerate(runs):
        for place, query in enumerate(shares.query_ids):
            judged = [qrels[query].get(document, -1) >= 0 for document in run.ranking(query)]
            for column, depth in enumerate(shares.depths):
                assert shares.shares[number, column, place] == pytest.approx(judged[:depth].count(False) / depth)
            known = 0.2 * sum(0.8**rank for rank, yes in enumerate(judged) if yes)
            assert shares.residuals[number, place] == pytest.approx(1 - known)
    np.testing.assert_allclose(shares.mean_shares, shares.shares.mean(axis=2))
    np.testing.assert_allclose(shares.mean_residuals, shares.residuals.mean(axis=1))


def test_complete_judgments_leave_what_is_below_the_ends() -> None:
    runs = _runs([{"1": {"a": 2.0, "x": 1.0}}, {}])
    shares = openness(Qrels.from_dict({"1": {"a": 1}}), runs, regime=Regime.COMPLETE, p=0.5)
    assert not shares.shares.any()
    assert shares.residuals.tolist() == [[0.25], [1.0]]


def test_all_of_it() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 1, "c": 0}})
    runs = _runs([{"1": {"a": 2.0, "x": 1.0}}, {"1": {"c": 2.0, "b": 1.0}}])
    progress: list[float] = []
    effects = pool_effects(qrels, runs, ["RR"], progress=progress.append)
    assert effects.regime is Regime.UNKNOWN  # though the qrels hold a non-relevant document
    assert effects.offer.startswith("some grades are 0 or below")
    assert effects.left_out is not None
    assert progress == sorted(progress)
    assert progress[-1] == 1
    assert pool_effects(qrels, runs, ["RR"], leave_out=False).left_out is None
    sparse = Qrels.from_dict({"1": {"a": 1}})
    assert pool_effects(sparse, runs, ["RR"]).bounds.regime is Regime.UNKNOWN
    declared = pool_effects(sparse, runs, ["RR"], regime=Regime.SPARSE)
    assert (declared.bounds.regime, declared.offer) == (Regime.SPARSE, "")


def test_the_work_can_be_stopped_between_its_steps() -> None:
    """Of 100,000 queries a part without a report took some tenths of a second, in which it went on though nobody wanted
    it, or beside the window that was painting a change."""
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"c": 2}})
    runs = _runs([{"1": {"a": 2, "x": 1}, "2": {"y": 1}}, {"1": {"z": 2, "b": 1}, "2": {"c": 3, "x": 2}}])
    seen = set[str]()

    def progress(fraction: float) -> None:
        seen.update(frame.name for frame in traceback.extract_stack())

    pool_effects(qrels, runs, ["nDCG@10"], leave_out=False, progress=progress)
    assert {"openness", "_codes", "_counted", "layers_of", "computed"} <= seen


@given(qrels=strategies.qrels(strategies.whole_grades), rankings=several)
def test_the_parts_are_those_found_alone(qrels: Judgments, rankings: list[Judgments]) -> None:
    """They share the joins of the runs."""
    judged, runs = Qrels.from_dict(qrels), _runs(rankings)
    for options in (EvaluationOptions(), EvaluationOptions(judged_only=True, dialect="ranx")):
        effects = pool_effects(judged, runs, ["P@2"], options, leave_out=False)
        opened, intervals = openness(judged, runs, options), bounds(judged, runs, ["P@2"], options)
        pairs = [
            (effects.contributions.found, contributions(judged, runs, options).found),
            (effects.openness.shares, opened.shares),
            (effects.openness.residuals, opened.residuals),
            (effects.bounds.low, intervals.low),
            (effects.bounds.high, intervals.high),
        ]
        for shared, alone in pairs:
            np.testing.assert_array_equal(shared, alone)


@given(qrels=strategies.qrels(strategies.whole_grades), rankings=several)
def test_means_over_some_queries(qrels: Judgments, rankings: list[Judgments]) -> None:
    """Leaving out judges all queries; the means are of those asked for, as evaluating the others away gives them."""
    runs = _runs(rankings)
    top = {**qrels, "top": {"top": 4.0}}
    chosen = {"1", "top"}
    whole = leave_one_out(Qrels.from_dict(top), runs, ["AP"])
    some = leave_one_out(Qrels.from_dict(top), runs, ["AP"], queries=chosen)
    values = evaluate(Qrels.from_dict(top), runs, ["AP"])
    inside = np.array([query in chosen for query in values.query_ids])
    np.testing.assert_allclose(some.means[0], values.values[0][:, inside].mean(axis=1), atol=1e-12)
    assert some.dropped.tolist() == whole.dropped.tolist()
    every = leave_one_out(Qrels.from_dict(top), runs, ["AP"], queries=top)
    np.testing.assert_array_equal(every.without, whole.without)


def test_what_is_unjudged_in_whole_lists() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": -1}, "2": {"c": 1}})
    run = Run.from_dict({"1": {"a": 4.0, "b": 3.0, "x": 2.0, "y": 1.0}})
    shares = openness(qrels, [run], depths=(2,))
    # Of four documents b (pooled, not judged), x and y are open; the second query returns nothing.
    assert shares.lists.tolist() == [[0.75, 0.0]]
    assert openness(qrels, [run], regime=Regime.COMPLETE).lists.tolist() == [[0.0, 0.0]]


def test_a_run_without_a_mean_has_no_rank_to_lose() -> None:
    means = np.array([[0.5, np.nan]])
    without = np.array([[[0.4, np.nan]] * 2])
    left = LeaveOneOut(tuple(parse_measures(["AP"])), ("a", "b"), None, np.array([1, 0]), means, without)
    change, moved = left.own
    assert np.allclose(change, [[-0.1, np.nan]], equal_nan=True)
    assert np.array_equal(moved, [[0, np.nan]], equal_nan=True)


def test_own_ranks_are_those_of_loops() -> None:
    """By counting who is better; ranks are shared, and of the last measure less is better."""
    measures = tuple(parse_measures(["AP", "P@10", "LastRel"]))
    assert [measure.higher_is_better for measure in measures] == [True, True, False]
    dice, n = np.random.default_rng(8), 9
    means, without = dice.integers(0, 6, (3, n)) / 6, dice.integers(0, 6, (3, n, n)) / 6
    left = LeaveOneOut(measures, tuple("abcdefghi"), None, np.zeros(n, dtype=np.int64), means, without)

    def rank(number: int, values: np.ndarray, run: int) -> int:
        higher = measures[number].higher_is_better
        return 1 + sum(bool(value > values[run]) if higher else bool(value < values[run]) for value in values)

    change, moved = left.own
    for number in range(3):
        for run in range(n):
            after, before = rank(number, without[number, run], run), rank(number, means[number], run)
            assert moved[number, run] == after - before
            assert change[number, run] == without[number, run, run] - means[number, run]
    assert moved.any()

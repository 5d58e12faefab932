"""Kinds of failure, against loops over documents and the statistics module's median."""

from __future__ import annotations

import statistics

import numpy as np
import pytest

from irviewer.analysis.failures.kinds import KINDS, NAMES, Limits, find_failures
from irviewer.errors import OptionError
from tests.helpers.failing import failing_collection, judged_of


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("complete", [False, True])
def test_every_kind_is_what_a_loop_finds(seed: int, complete: bool) -> None:
    qrels, rankings = failing_collection(seed)
    limits = Limits(cutoff=4, unjudged=0.5, worse=0.15, hard=0.4, above=1 + seed % 3)
    _, judged = judged_of(qrels, rankings)
    values = np.random.default_rng(seed).random((3, len(qrels))).round(2)
    failures = find_failures(judged, values, limits, baseline=values[0], complete=complete)
    for place, query in enumerate(judged[0].query_ids):
        relevant = {document for document, grade in qrels[query].items() if grade >= 1}
        middle = statistics.median(values[:, place].tolist())
        for run, ranking in enumerate(rankings):
            documents = ranking.get(query, [])
            ranks = [rank for rank, document in enumerate(documents, 1) if document in relevant]
            first = ranks[0] if ranks else 0
            wrong = [
                rank for rank, document in enumerate(documents, 1)
                if document not in relevant and (complete or qrels[query].get(document, -1) >= 0)
            ]  # fmt: skip
            top = documents[:4]
            unknown = 0 if complete else sum(qrels[query].get(document, -1) < 0 for document in top)
            expected = {
                "nothing": bool(relevant) and not ranks,
                "below": bool(ranks) and first > 4,
                "above": sum(rank < first for rank in wrong) >= 1 + seed % 3,
                "unjudged": bool(top) and unknown / len(top) >= 0.5,
                "baseline": values[run, place] < values[0, place] - 0.15 - 1e-12,
                "median": values[run, place] < middle - 0.15 - 1e-12,
                "hard": bool(relevant) and max(values[:, place]) < 0.4 - 1e-12,
                "duplicates": False,
            }
            kinds = dict(zip(NAMES, failures.kinds[:, place, run].tolist(), strict=True))
            assert kinds == expected, (query, run)
            assert failures.first[place, run] == first
            assert failures.found[place, run] == sum(rank <= 4 for rank in ranks)
            assert failures.deeper[place, run] == sum(rank > 4 for rank in ranks)
            assert failures.above[place, run] == sum(rank < first for rank in wrong)
            bits = sum(1 << number for number, kind in enumerate(KINDS) if expected[kind.name])
            assert failures.masks[place, run] == bits
    assert failures.masks is failures.masks  # reports ask for it at each row
    assert failures.counts.tolist() == failures.kinds.sum(axis=1).tolist()


def test_where_less_is_better_worse_and_hard_turn_round() -> None:
    qrels, rankings = {"1": {"a": 1}}, [{"1": ["a"]}, {"1": ["a"]}]
    _, judged = judged_of(qrels, rankings)
    values = np.array([[0.2], [0.9]])
    failures = find_failures(judged, values, Limits(hard=0.1), baseline=values[0], higher_is_better=False)
    kind = NAMES.index
    assert failures.kinds[kind("baseline"), 0].tolist() == [False, True]
    assert failures.kinds[kind("hard"), 0].all()
    assert "down to .1" in failures.limits.meaning(KINDS[kind("hard")], higher_is_better=False)


def test_a_measure_without_bounds_is_hard_where_no_run_has_anything_at_the_top() -> None:
    qrels, rankings = {"1": {"a": 1}, "2": {"a": 1}}, [{"1": ["b", "a"], "2": ["a"]}]
    _, judged = judged_of(qrels, rankings)
    failures = find_failures(judged, np.array([[7.0, 3.0]]), Limits(cutoff=1), bounded=False)
    assert failures.kinds[NAMES.index("hard"), :, 0].tolist() == [True, False]


def test_a_query_without_a_value_has_no_median() -> None:
    qrels, rankings = {"1": {"a": 1}}, [{"1": ["a"]}]
    _, judged = judged_of(qrels, rankings)
    failures = find_failures(judged, np.array([[np.nan]]), Limits())
    assert np.isnan(failures.to_median).all()
    assert not failures.kinds[NAMES.index("median")].any()


@pytest.mark.parametrize("wrong", [{"cutoff": 0}, {"unjudged": 0.0}, {"unjudged": 1.1}, {"worse": -0.1}])
def test_limits_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Limits(**wrong)  # type: ignore[arg-type]


def test_without_runs_there_is_nothing_to_show() -> None:
    with pytest.raises(OptionError):
        find_failures([], np.empty((0, 0)), Limits())

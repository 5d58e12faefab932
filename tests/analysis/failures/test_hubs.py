"""Hubs, against dicts."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from irviewer.analysis.failures.hubs import find_hubs
from tests.helpers.failing import judged_of, made


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("complete", [False, True])
def test_documents_that_stand_wrongly_are_counted_as_a_loop_counts(seed: int, complete: bool) -> None:
    qrels, rankings = made(seed, runs=4, queries=9, documents=18)
    runs, judged = judged_of(qrels, rankings)
    within = np.random.default_rng(seed).random(len(qrels)) < 0.8
    found = find_hubs(runs, judged, depth=5, complete=complete, within=within, least=2)
    wrong, right, by_run = defaultdict(set), defaultdict(set), defaultdict(set)
    unjudged, best = defaultdict(set), defaultdict(lambda: 99)
    for number, ranking in enumerate(rankings):
        for place, query in enumerate(judged[0].query_ids):
            for rank, one in enumerate(ranking.get(query, [])[:5] if within[place] else [], 1):
                grade = qrels[query].get(one, -1)
                if grade >= 1:
                    right[one].add(query)
                    continue
                wrong[one].add(place)
                by_run[one].add(number)
                best[one] = min(best[one], rank)
                if grade < 0 and not complete:
                    unjudged[one].add(place)
    ids = sorted(
        (one for one in wrong if len(wrong[one]) > 1), key=lambda one: (-len(wrong[one]), -len(by_run[one]), one)
    )  # fmt: skip
    assert found.doc_ids.to_pylist() == ids
    for row, one in enumerate(ids):
        assert found.queries[row] == len(wrong[one])
        assert found.queries_of(row).tolist() == sorted(wrong[one])
        assert found.runs[row] == len(by_run[one])
        assert found.unjudged[row] == len(unjudged[one])
        assert found.nonrelevant[row] == len(wrong[one]) - len(unjudged[one])
        assert found.right[row] == len(right[one])
        assert found.best[row] == best[one]


def test_no_hubs_and_no_runs_are_no_trouble() -> None:
    runs, judged = judged_of({"1": {"a": 1}}, [{"1": ["a"]}])
    assert len(find_hubs(runs, judged).doc_ids) == 0
    assert len(find_hubs([], []).doc_ids) == 0


def test_no_more_than_asked_for() -> None:
    qrels, rankings = made(3, runs=4, queries=9, documents=18)
    runs, judged = judged_of(qrels, rankings)
    whole, few = find_hubs(runs, judged), find_hubs(runs, judged, most=3)
    assert few.doc_ids.to_pylist() == whole.doc_ids.to_pylist()[:3]
    assert [few.queries_of(row).tolist() for row in range(3)] == [whole.queries_of(row).tolist() for row in range(3)]

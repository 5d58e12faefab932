"""Hubs, against dicts."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from irviewer.analysis.failures.hubs import find_hubs
from tests.helpers.failing import failing_collection, judged_of


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("complete", [False, True])
def test_misleading_documents_are_counted_as_a_loop_counts(seed: int, complete: bool) -> None:
    qrels, rankings = failing_collection(seed, runs=4, queries=9, documents=18)
    runs, judged = judged_of(qrels, rankings)
    within = np.random.default_rng(seed).random(len(qrels)) < 0.8
    hubs = find_hubs(runs, judged, depth=5, complete=complete, within=within, least=2)
    wrong, right, by_run = defaultdict(set), defaultdict(set), defaultdict(set)
    unjudged, best = defaultdict(set), defaultdict(lambda: 99)
    for number, ranking in enumerate(rankings):
        for place, query in enumerate(judged[0].query_ids):
            for rank, document in enumerate(ranking.get(query, [])[:5] if within[place] else [], 1):
                grade = qrels[query].get(document, -1)
                if grade >= 1:
                    right[document].add(query)
                    continue
                wrong[document].add(place)
                by_run[document].add(number)
                best[document] = min(best[document], rank)
                if grade < 0 and not complete:
                    unjudged[document].add(place)
    ids = sorted(
        (document for document in wrong if len(wrong[document]) > 1),
        key=lambda document: (-len(wrong[document]), -len(by_run[document]), document),
    )
    assert hubs.doc_ids.to_pylist() == ids
    for row, document in enumerate(ids):
        assert hubs.queries[row] == len(wrong[document])
        assert hubs.queries_of(row).tolist() == sorted(wrong[document])
        assert hubs.runs[row] == len(by_run[document])
        assert hubs.unjudged[row] == len(unjudged[document])
        assert hubs.nonrelevant[row] == len(wrong[document]) - len(unjudged[document])
        assert hubs.right[row] == len(right[document])
        assert hubs.best[row] == best[document]


def test_no_hubs_and_no_runs_are_no_trouble() -> None:
    runs, judged = judged_of({"1": {"a": 1}}, [{"1": ["a"]}])
    assert len(find_hubs(runs, judged).doc_ids) == 0
    assert len(find_hubs([], []).doc_ids) == 0


def test_no_more_than_asked_for() -> None:
    qrels, rankings = failing_collection(3, runs=4, queries=9, documents=18)
    runs, judged = judged_of(qrels, rankings)
    whole, few = find_hubs(runs, judged), find_hubs(runs, judged, most=3)
    assert few.doc_ids.to_pylist() == whole.doc_ids.to_pylist()[:3]
    assert [few.queries_of(row).tolist() for row in range(3)] == [whole.queries_of(row).tolist() for row in range(3)]

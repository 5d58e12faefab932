"""Relevant documents by runs, against look-ups in lists."""

from __future__ import annotations

import pytest

from irviewer.analysis.failures.relevant_ranks import relevant_ranks
from tests.helpers.failing import failing_collection, judged_of


@pytest.mark.parametrize("seed", range(8))
def test_each_rank_is_the_place_in_the_list(seed: int) -> None:
    qrels, rankings = failing_collection(seed)
    _, judged = judged_of(qrels, rankings)
    for query, judgments in qrels.items():
        relevant = relevant_ranks(judged, query, level=2)
        ids = relevant.doc_ids.to_pylist()
        assert sorted(ids) == sorted(document for document, grade in judgments.items() if grade >= 2)
        for row, document in enumerate(ids):
            assert relevant.grades[row] == judgments[document]
            lists = [ranking.get(query, []) for ranking in rankings]
            ranks = [each.index(document) + 1 if document in each else 0 for each in lists]
            assert relevant.ranks[row].tolist() == ranks
            hits = [rank for rank in ranks if rank]
            assert relevant.found[row] == len(hits)
            assert relevant.best[row] == min(hits, default=0)
            assert relevant.unique[row].tolist() == [bool(rank) and len(hits) == 1 for rank in ranks]
        order = [
            (count, -grade) for count, grade in zip(relevant.found.tolist(), relevant.grades.tolist(), strict=True)
        ]
        assert order == sorted(order)


def test_one_run_alone_has_no_finds_of_its_own() -> None:
    _, judged = judged_of({"1": {"a": 1}}, [{"1": ["a"]}])
    assert not relevant_ranks(judged, "1").unique.any()


def test_an_unknown_query_and_no_runs_give_an_empty_table() -> None:
    _, judged = judged_of({"1": {"a": 1}}, [{"1": ["a"]}])
    assert len(relevant_ranks(judged, "9").grades) == 0
    assert relevant_ranks([], "1").ranks.shape == (0, 0)

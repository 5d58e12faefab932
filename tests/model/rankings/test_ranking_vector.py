"""The ranking vector, against the intervals of an ideal ranking that is written out."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.model.rankings.ranking_vector import ranking_vector
from tests.helpers.failing import failing_collection, judged_of


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("level", [1, 2])
def test_displacements_are_those_of_the_ideal_s_intervals(seed: int, level: int) -> None:
    qrels, rankings = failing_collection(seed, runs=1)
    _, (judged,) = judged_of(qrels, rankings)
    for place, query in enumerate(judged.query_ids):
        ideal = sorted((grade for grade in qrels[query].values() if grade >= level), reverse=True)
        documents = rankings[0].get(query, [])
        vector = ranking_vector(judged, place, 12, level)
        assert len(vector.displacement) == min(12, len(documents))
        for rank, document in enumerate(documents[:12], 1):
            grade = qrels[query].get(document)
            assert np.isnan(vector.grades[rank - 1]) if grade is None else vector.grades[rank - 1] == grade
            if grade is not None and grade >= level:
                first = ideal.index(grade) + 1
                last = first + ideal.count(grade) - 1
            else:
                first, last = len(ideal) + 1, 10**9
            wanted = rank - first if rank < first else rank - last if rank > last else 0
            assert vector.displacement[rank - 1] == wanted
        assert vector.missed == len(ideal) - sum(qrels[query].get(document, 0) >= level for document in documents)
        assert vector.in_place == (vector.displacement == 0).sum()


def test_an_ideal_ranking_has_no_displacement() -> None:
    _, (judged,) = judged_of({"1": {"a": 3, "b": 1, "c": 1, "d": 0}}, [{"1": ["a", "c", "b", "d", "x"]}])
    assert ranking_vector(judged, 0, 10).displacement.tolist() == [0, 0, 0, 0, 0]


def test_a_list_the_wrong_way_round() -> None:
    _, (judged,) = judged_of({"1": {"a": 2, "b": 1}}, [{"1": ["x", "b", "a"]}])
    vector = ranking_vector(judged, 0, 10)
    assert vector.displacement.tolist() == [-2, 0, 2]

"""Tie rules other than trec_eval's, and scores of 32 bits: a run ranked again, against a plain sort."""

from __future__ import annotations

import numpy as np
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import OptionError
from irviewer.model.arrays import strings
from irviewer.model.run import Run, ScoreBits, TieRule

near = st.sampled_from((1.0, 1.00000001, 1.00000002, 0.5, -3.0, float("nan"), float("inf"), 1e300, 2e300))
rows = st.lists(st.tuples(some.queries, some.documents, near), unique_by=lambda row: (row[0], row[1]), max_size=40)


def read(table: list[tuple[str, str, float]]) -> Run:
    names = tuple(dict.fromkeys(query for query, _, _ in table))
    codes = np.array([names.index(query) for query, _, _ in table], dtype=np.int64)
    scores = np.array([row[2] for row in table], dtype=np.float64)
    return Run.from_columns(names, codes, strings([row[1] for row in table]), scores)


def plainly(table: list[tuple[str, str, float]], ties: TieRule, bits: ScoreBits) -> dict[str, list[str]]:
    """Sorted by the last key first, since Python's sort is stable."""
    by_query: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in table:
        with np.errstate(over="ignore"):
            by_query.setdefault(query, []).append((document, score if bits == 64 else float(np.float32(score))))
    for pairs in by_query.values():
        if ties != "arrival":
            pairs.sort(key=lambda pair: pair[0].encode(), reverse=ties == "descending")
        pairs.sort(key=lambda pair: (True, 0.0) if np.isnan(pair[1]) else (False, -pair[1]))
    return {query: [document for document, _ in pairs] for query, pairs in by_query.items()}


@given(rows, st.sampled_from([("descending", 64), ("ascending", 64), ("arrival", 64), ("descending", 32),
                              ("ascending", 32)]))  # fmt: skip
def test_reordered_is_a_plain_sort(table: list[tuple[str, str, float]], rule: tuple[TieRule, ScoreBits]) -> None:
    run = read(table)
    other = run.reordered(*rule)
    assert {query: other.ranking(query) for query in other.query_ids} == plainly(table, *rule)
    assert other.query_ids == run.query_ids
    for query in run.query_ids:
        scores = other.ranking_scores(query)
        assert not np.any(scores[1:] > scores[:-1])
        numbers = ["nan" if np.isnan(number) else number for number in scores.tolist()]
        assert other.tied[other.query_index[query]] == (len(set(numbers)) < len(numbers))
    assert other.reordered("descending") is run


def test_a_run_without_ties_is_the_same_run_under_every_rule() -> None:
    run = Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    assert run.arrival is None
    assert run.reordered("ascending") is run.reordered("arrival") is run.reordered("descending", 32) is run


def test_former_ranks_of_ties_are_kept_of_ties_that_moved_only() -> None:
    as_ranked = Run.from_dict({"1": {"c": 1.0, "b": 1.0, "a": 1.0, "z": 0.0}})
    moved = Run.from_dict({"1": {"a": 1.0, "c": 1.0, "z": 0.0}, "2": {"x": 5.0}})
    assert as_ranked.arrival is None
    assert moved.arrival is not None
    assert moved.arrival.tolist() == [1, 0]
    assert moved.reordered("arrival").ranking("1") == ["a", "c", "z"]


def test_components_follow_their_documents() -> None:
    codes, scores = np.zeros(2, dtype=np.int64), np.ones(2)
    run = Run.from_columns(("1",), codes, strings(["a", "b"]), scores, components={"bm25": np.array([10.0, 20.0])})
    assert run.ranking_components("1")["bm25"].tolist() == [20.0, 10.0]
    assert run.reordered("ascending").ranking_components("1")["bm25"].tolist() == [10.0, 20.0]


def test_the_order_of_the_file_is_not_known_of_near_ties() -> None:
    run = Run.from_dict({"1": {"a": 1.0, "b": 1.0}})
    with pytest.raises(OptionError, match="64 bits"):
        run.reordered("arrival", 32)

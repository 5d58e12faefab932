"""Rank order against a plain sort, of tables as files have them: shuffled, in order, tied and in small parts."""

from __future__ import annotations

import random as randomness
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irviewer.model import arrays, ranking
from irviewer.model.arrays import strings
from irviewer.model.ranking import rank_order, ranked
from irviewer.model.run import Run

Row = tuple[str, str, float]
# Ids that agree in their first eight or sixteen bytes, that end in zero bytes, and short ones.
starts = st.sampled_from(["", "d", "clueweb0", "clueweb09-en0001", "clueweb09-en0001-02-"])
ids = st.builds(str.__add__, starts, st.one_of(st.text("ab\0é文", max_size=10), st.integers(0, 99).map(str)))
scores = st.sampled_from([1.0, 1.0, 2.0, 0.0, -0.0, -1.5, float("inf"), float("-inf"), float("nan")])
tables = st.lists(
    st.tuples(st.sampled_from(["1", "2", "10", "é"]), ids.filter(bool), scores),
    unique_by=lambda row: (row[0], row[1]),
    max_size=60,
)


def shuffled(table: list[Row], number: int) -> list[Row]:
    return randomness.Random(number).sample(table, len(table))


def by_query(table: list[Row], number: int) -> list[Row]:
    """Queries together, documents in any order."""
    return sorted(shuffled(table, number), key=lambda row: row[0])


def in_order(table: list[Row], number: int) -> list[Row]:
    """As most files are, ties as they come."""
    return sorted(by_query(table, number), key=lambda row: (row[0], np.isnan(row[2]), -row[2]))


def one_score(table: list[Row], number: int) -> list[Row]:
    return [(query, document, 1.0) for query, document, _ in by_query(table, number)]


def plain(table: list[Row], *, descending: bool = True) -> list[tuple[str, str]]:
    wanted = []
    for query in dict.fromkeys(row[0] for row in table):
        own = sorted((row for row in table if row[0] == query), key=lambda row: row[1].encode(), reverse=descending)
        own.sort(key=lambda row: (np.isnan(row[2]), 0.0 if np.isnan(row[2]) else -row[2]))
        wanted += [(query, document) for _, document, _ in own]
    return wanted


def run_of(table: list[Row], *, parts: bool) -> Run:
    names = tuple(dict.fromkeys(row[0] for row in table))
    codes = np.array([names.index(row[0]) for row in table], dtype=np.int32)
    values = np.array([row[2] for row in table], dtype=np.float64)
    components = {"again": values.copy()} if parts else {}
    return Run.from_columns(names, codes, strings([row[1] for row in table]), values, components=components)


def told(run: Run) -> list[tuple[str, str]]:
    return [(query, document) for query in run.query_ids for document in run.ranking(query)]


@pytest.mark.parametrize("arranged", [shuffled, by_query, in_order, one_score])
@pytest.mark.parametrize("part", [3, 1 << 16])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables, st.integers(0, 99), st.sampled_from([0, 8]))
def test_against_a_plain_sort(
    monkeypatch: pytest.MonkeyPatch,
    arranged: Callable[[list[Row], int], list[Row]],
    part: int,
    table: list[Row],
    number: int,
    many: int,
) -> None:
    monkeypatch.setattr(ranking, "MANY", many or 1)
    monkeypatch.setattr(ranking, "PART", part)
    monkeypatch.setattr(arrays, "SLICE", 8)
    table = arranged(table, number)
    for parts in (False, True):
        run = run_of(table, parts=parts)
        assert told(run) == plain(table)
        by_pair = {row[:2]: repr(row[2]) for row in table}
        assert [repr(score) for score in run.scores.tolist()] == [by_pair[pair] for pair in told(run)]
        if parts:
            assert run.components["again"].tobytes() == run.scores.tobytes()
        for query, tied in zip(run.query_ids, run.tied.tolist(), strict=True):
            own = ["nan" if np.isnan(row[2]) else row[2] + 0.0 for row in table if row[0] == query]
            assert tied == (len(set(own)) < len(own))
    ascending = run.reordered("ascending")
    assert told(ascending) == plain(table, descending=False)
    arrived = run.reordered("arrival")
    as_they_came = []
    for query in run.query_ids:
        rows = [row for row in table if row[0] == query]
        rows.sort(key=lambda row: (np.isnan(row[2]), 0.0 if np.isnan(row[2]) else -row[2]))  # Python sorts stably
        as_they_came += [(query, document) for _, document, _ in rows]
    assert told(arrived) == as_they_came


def test_what_is_in_order_does_not_move() -> None:
    codes, values = np.array([0, 0, 1]), np.array([2.0, 1.0, 5.0])
    assert rank_order(codes, strings(["a", "b", "c"]), values, 2)[0] is None
    found = ranked(codes, strings(["a", "b", "c"]), values, 2)
    assert (found.order, found.moved, found.arrival) == (None, None, None)


def test_only_the_query_that_is_not_in_order_moves() -> None:
    codes, values = np.repeat(np.arange(3), 20), -np.arange(60.0)
    values[22:24] = values[23], values[22]
    found = ranked(codes, strings([f"d{n}" for n in range(60)]), values, 3)
    assert found.order is None
    assert found.moved is not None
    assert [part.tolist() for part in found.moved] == [[22, 23], [23, 22]]


def test_a_document_that_stands_twice_with_one_score_stays_as_it_came() -> None:
    order, tied = rank_order(np.zeros(4, np.int64), strings(["a", "b", "a", "b"]), np.ones(4), 1)
    assert order is not None
    assert order.tolist() == [1, 3, 0, 2]
    assert tied.tolist() == [True]


def test_few_ties_of_ids_of_unequal_length_among_many_documents() -> None:
    """Where few rows of many move, ids move whole: short ones past long ones, three at a time and more."""
    for tied in (["a1", "bb22", "cccc3333"], ["é", "d" * 30, "d", "dd", "文書"]):
        names = [f"d{n:04}" for n in range(400)]
        values = np.arange(400.0)[::-1].copy()
        names[100 : 100 + len(tied)], values[100 : 100 + len(tied)] = tied, 299.0
        given_ids = strings(names)
        run = Run.from_columns(("q",), np.zeros(400, np.int32), given_ids, values)
        run.doc_ids.validate(full=True)
        names[100 : 100 + len(tied)] = sorted(tied, key=str.encode, reverse=True)
        assert run.ranking("q") == names
        assert set(given_ids.to_pylist()) == set(names)

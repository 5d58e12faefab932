"""Rank order against a plain sort: rows shuffled, by turns and in order, tied by twos and by fifties, in parts of any
size."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import careful
import numpy as np
import pytest
from careful import Row, exact, in_rank_order, tied_queries
from examples import count

from irviewer.errors import OptionError
from irviewer.model import arrays
from irviewer.model import run as run_module
from irviewer.model.arrays import frozen, ids_in_order, numbers_in_order, places_of, strings
from irviewer.model.parts import PART
from irviewer.model.rankings.tie_breaking import COUNTED, equal_neighbours, ranked, reordered_ties
from irviewer.model.run import Run

SIZES = ((1, 0), (2, 2), (7, COUNTED), (64, 3), (PART, 0), (PART, COUNTED))
CASES = count(150)
pytestmark = pytest.mark.random


def columns(table: list[Row]) -> tuple[tuple[str, ...], np.ndarray, object, np.ndarray]:
    names = tuple(dict.fromkeys(row.query for row in table))
    place = {name: number for number, name in enumerate(names)}
    codes = np.array([place[row.query] for row in table], dtype=np.int32)
    return names, codes, strings([row.document for row in table]), np.array([row.score for row in table], np.float64)


def bytes_of(*given: object) -> list[bytes]:
    """What stands in the memory of columns."""
    buffers = [array.buffers() if hasattr(array, "buffers") else [array.data] for array in given]
    return [bytes(buffer) for own in buffers for buffer in own if buffer is not None]


def check_ranked(table: list[Row], part: int, counted: int) -> int:
    """How many rows were compared; the columns that were given stay as they were."""
    names, codes, ids, scores = columns(table)
    before = bytes_of(codes, ids, scores)
    ranking = ranked(codes, ids, scores, len(names), part=part, counted=counted)
    wanted = in_rank_order(table)
    order = range(len(table)) if ranking.order is None else ranking.order.tolist()
    assert [(*table[row][:2], exact(table[row].score)) for row in order] == [
        (*row[:2], exact(row.score)) for query in names for row in wanted[query]
    ]
    assert (ranking.order is None) == (list(order) == list(range(len(table))))
    assert np.diff(ranking.offsets).tolist() == [len(wanted[query]) for query in names]
    taken, moved = ids_in_order(ids, ranking.parts), numbers_in_order(scores, ranking.changes)
    taken.validate(full=True)
    assert taken.to_pylist() == [table[row].document for row in order]
    assert [*map(exact, moved.tolist())] == [exact(table[row].score) for row in order]
    assert (moved is scores) == (moved.tobytes() == scores.tobytes())
    assert dict(zip(names, ranking.tied.tolist(), strict=True)) == tied_queries(table)
    assert bytes_of(codes, ids, scores) == before
    return len(table)


def check_run(table: list[Row], part: int, counted: int) -> int:
    """The run, and the run by every other rule, made in parts of that size."""
    names, codes, ids, scores = columns(table)
    run = Run.from_columns(names, codes, ids, scores, components={"again": scores})
    rows_in_order = [row for own_rows in in_rank_order(table).values() for row in own_rows]
    assert run.doc_ids.to_pylist() == [row.document for row in rows_in_order]
    assert run.components["again"].tobytes() == run.scores.tobytes()
    before = bytes_of(run.doc_ids, run.scores)
    for ties in ("ascending", "arrival", "descending"):
        wanted = in_rank_order(table, ties)
        own = run.reordered(ties)  # type: ignore[arg-type]
        assert {query: own.ranking(query) for query in names} == {q: [r.document for r in wanted[q]] for q in names}
        assert [*map(exact, own.scores.tolist())] == [exact(row.score) for query in names for row in wanted[query]]
        assert (own.scores is run.scores) == (own.scores.tobytes() == run.scores.tobytes())
        equal = equal_neighbours(run.scores, np.diff(np.repeat(np.arange(len(names)), np.diff(run.offsets))) == 0)
        order = reordered_ties(equal, run.doc_ids, len(run), ties, run.arrival, part=part, counted=counted)  # type: ignore[arg-type]
        rows = range(len(run)) if order is None else order.tolist()
        assert [run.doc_ids[row].as_py() for row in rows] == own.doc_ids.to_pylist()
    assert bytes_of(run.doc_ids, run.scores) == before
    return 3 * len(table)


@pytest.mark.parametrize("check", [check_ranked, check_run])
@pytest.mark.parametrize(("part", "counted"), SIZES)
def test_against_a_plain_sort(
    part: int,
    counted: int,
    check: Callable[[list[Row], int, int, int], int],
    record_property: Callable[[str, object], None],
) -> None:
    dice = random.Random(part + counted)
    rows = sum(check(careful.table(dice), part, counted) for _ in range(CASES))
    record_property("values ranked as a plain sort ranks them", rows)


@pytest.mark.slow
@pytest.mark.parametrize("how", careful.ARRANGED)
def test_at_its_own_size(how: str, record_property: Callable[[str, object], None]) -> None:
    """More rows than several parts hold."""
    dice = random.Random(how)
    ids = [
        f"{beginning}{n}"
        for n in range(3 * PART // 20)
        for beginning in dice.sample(("d", "doc", "é", "clueweb09-", ""), 2)
    ]
    scores = sorted((round(dice.uniform(0, 99), 2) for _ in ids), reverse=True)
    rows = [Row(query, doc_id, score) for query in "abcdefghijkl" for doc_id, score in zip(ids, scores, strict=True)]
    rows = careful.arranged(rows, how, dice)
    assert len(rows) > 3 * PART
    record_property("values ranked as a plain sort ranks them", check_ranked(rows, PART, COUNTED))


def test_the_tables_are_of_every_kind() -> None:
    """A generator that stops making what it is for would be found out here."""
    dice = random.Random(1)
    tables = [careful.table(dice) for _ in range(CASES)]
    ties = [sum(row.score == score for score in (r.score for r in table if r.query == row.query))
            for table in tables for row in table[:1]]  # fmt: skip
    scores = {exact(row.score) for table in tables for row in table}
    assert {"nan", "inf", "-inf", "0.0", "-0.0"} <= scores
    assert max(ties) >= 40
    ids = [{row.document for row in table} for table in tables]
    assert (
        sum(any(doc_id != other and other.startswith(doc_id) for doc_id in own for other in own) for own in ids)
        > CASES / 2
    )
    assert any(not doc_id.isascii() for own in ids for doc_id in own)
    queries = [[row.query for row in table] for table in tables]
    together = [sum(first != other for first, other in pairwise(own)) < len(set(own)) for own in queries]
    assert CASES / 5 < sum(together) < CASES


def test_a_run_whose_ties_move_is_copied_no_more_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that stay are shared, and ids are taken part by part: of millions there is no third copy."""
    queries, depth, asked = 40, PART // 8, []
    codes = np.repeat(np.arange(queries, dtype=np.int32), depth)
    ids = strings([f"document {n:06}" for n in range(queries * depth)])
    scores = frozen(np.tile(np.arange(depth, 0.0, -1.0) // 2, queries))
    for module in (arrays, run_module):
        monkeypatch.setattr(module, "places_of", lambda rows: [asked.append(len(rows)), places_of(rows)][1])
    run = Run.from_columns(tuple(map(str, range(queries))), codes, ids, scores, distinct=True)
    assert run.doc_ids[:3].to_pylist() == ["document 000000", "document 000002", "document 000001"]
    assert run.scores is scores
    assert max(asked) < 2 * PART < len(run)


def test_what_is_in_order_does_not_move() -> None:
    codes, values = np.array([0, 0, 1]), np.array([2.0, 1.0, 5.0])
    for scores in (values, np.array([1.0, np.nan, np.nan]), np.array([1.0, 1.0, np.nan])):
        ranking = ranked(codes, strings(["b", "a", "c"]), scores, 2)
        assert (ranking.order, ranking.arrival) == (None, None)


def test_a_document_that_is_listed_twice_with_one_score_stays_as_it_came() -> None:
    ranking = ranked(np.zeros(4, np.int64), strings(["a", "b", "a", "b"]), np.ones(4), 1)
    assert ranking.order is not None
    assert ranking.order.tolist() == [1, 3, 0, 2]
    assert ranking.tied.tolist() == [True]


def test_no_run_holds_a_document_twice() -> None:
    with pytest.raises(OptionError, match="document b is listed twice for query q2"):
        Run.from_columns(("q1", "q2"), np.array([0, 1, 1, 1]), strings(["b", "b", "a", "b"]), np.arange(4.0))


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


def test_a_run_is_not_changed_by_who_made_its_scores() -> None:
    values = np.array([2.0, 1.0])
    run = Run.from_columns(("q",), np.zeros(2, np.int32), strings(["a", "b"]), values)
    values[:] = 0
    assert run.scores.tolist() == [2.0, 1.0]

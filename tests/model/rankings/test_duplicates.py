"""Repeated rows against a dictionary, with ids of every length around eight bytes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import strings
from irviewer.model.parts import PART
from irviewer.model.rankings import duplicates
from irviewer.model.rankings.duplicates import ALIKE, LONG, fingerprints, repeated_rows, tails

ids = st.one_of(some.documents, st.text("ab\0é文", max_size=20), st.sampled_from(["a" * n for n in range(30)]))


def expected(rows: list[tuple[int, str]]) -> list[int]:
    seen: set[tuple[int, str]] = set()
    repeats = []
    for place, row in enumerate(rows):
        if row in seen:
            repeats.append(place)
        seen.add(row)
    return repeats


@pytest.mark.parametrize(("part", "long"), [(1, 0), (3, 16), (PART, LONG)])
@pytest.mark.parametrize("alike", [0, 1, ALIKE])
@given(st.lists(st.tuples(st.integers(0, 3), ids), max_size=60))
def test_against_a_dictionary(part: int, long: int, alike: int, rows: list[tuple[int, str]]) -> None:
    codes = np.array([code for code, _ in rows], dtype=np.int64)
    column = strings([document for _, document in rows])
    for known in (None, tails(column)):
        repeats = repeated_rows(codes, column, known, part=part, long=long, alike=alike)
        assert repeats.tolist() == expected(rows)


def test_at_its_own_size() -> None:
    """Queries together and by turns, some rows repeated over the border of parts."""
    rows = [(n // 1000, f"d{n * 7919 % 1009}") for n in range(3 * PART)]
    for table in (rows, rows[::3] + rows[1::3] + rows[2::3]):
        codes = np.array([code for code, _ in table], dtype=np.int32)
        assert repeated_rows(codes, strings([document for _, document in table])).tolist() == expected(table)
    rows[2 * PART + 5] = rows[2 * PART - 5]
    codes = np.array([code for code, _ in rows], dtype=np.int32)
    assert repeated_rows(codes, strings([document for _, document in rows])).tolist() == expected(rows) != []


@given(st.lists(st.tuples(st.integers(0, 3), ids), min_size=3, max_size=30))
def test_a_slice_of_a_column(rows: list[tuple[int, str]]) -> None:
    """Arrow hands on slices whose buffers begin elsewhere."""
    codes = np.array([code for code, _ in rows], dtype=np.int64)[1:-1]
    column = strings([document for _, document in rows])[1:-1]
    assert repeated_rows(codes, column).tolist() == expected(rows[1:-1])


@given(st.lists(ids, min_size=1, max_size=20))
def test_a_fingerprint_is_of_the_id_alone(rows: list[str]) -> None:
    """Not of the longest id that was looked at with it: parts of a file, and the judged documents, have others."""
    assert fingerprints(strings(rows)).tolist() == [int(fingerprints(strings([doc_id]))[0]) for doc_id in rows]


def test_equal_ids_have_equal_fingerprints_in_any_row() -> None:
    prints = fingerprints(pa.array(["x", "document-17", "", "document-17", "documenT-17", "x"]))
    assert prints[1] == prints[3]
    assert prints[0] == prints[5]
    assert len(set(prints.tolist())) == 4


@given(st.lists(ids, min_size=2, max_size=20), st.integers(1, 21))
def test_the_tail_of_an_id_is_of_its_last_eight_bytes(rows: list[str], part: int) -> None:
    """In any row, after any other id, in a slice too, and however many are hashed at a time."""
    ends = [row.encode()[-8:].rjust(8, b"\0") for row in rows[1:]]
    hashes = tails(strings(rows)[1:], part).tolist()
    assert hashes == tails(strings(rows)[1:]).tolist()
    assert all((ends[a] == ends[b]) == (hashes[a] == hashes[b]) for a in range(len(ends)) for b in range(a))


@pytest.mark.parametrize("alike", [0, 1, ALIKE])
def test_hashes_that_collide_are_distinguished(alike: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer never rests on a hash: here all rows share one."""
    monkeypatch.setattr(duplicates, "fingerprints", lambda column, long: np.zeros(len(column), dtype=np.uint64))
    monkeypatch.setattr(duplicates, "tails", lambda column: np.zeros(len(column), dtype=np.uint64))
    codes = np.zeros(4, dtype=np.int64)
    assert repeated_rows(codes, strings(["a", "b", "a", "c"]), alike=alike).tolist() == [2]


def test_many_alike_ids_stay_distinct() -> None:
    column = pa.array([f"clueweb12-0000tw-{n:05d}-{n % 97:02d}" for n in range(200_000)])
    assert len(np.unique(fingerprints(column))) == 200_000
    assert repeated_rows(np.zeros(200_000, dtype=np.int64), column).tolist() == []


@pytest.mark.parametrize("long", [0, 8, 24])
def test_long_ids_are_digested_on_their_own(long: int) -> None:
    """One of a megabyte costs its own work, not that of every other: the answers are the same."""
    names = ["a" * size for size in (1, 7, 8, 9, 23, 24, 25, 40)] * 3 + ["b" * 24, "b" * 25, "a" * 24 + "b"]
    rows = [(place % 2, name) for place, name in enumerate(names)]
    codes = np.array([code for code, _ in rows], dtype=np.int64)
    assert repeated_rows(codes, strings(names), long=long).tolist() == expected(rows)
    assert fingerprints(strings(names), long).tolist() == [
        int(fingerprints(strings([doc_id]), long)[0]) for doc_id in names
    ]


def test_steps_are_those_of_short_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    mixed = duplicates._mixed
    monkeypatch.setattr(duplicates, "_mixed", lambda result, piece: steps.append(1) or mixed(result, piece))
    column = strings(["x" * 1_000_000, *(f"d{place}" for place in range(100))])
    assert len(set(fingerprints(column).tolist())) == 101
    assert len(steps) == duplicates.LONG // 8


def test_nothing() -> None:
    assert repeated_rows(np.empty(0, dtype=np.int64), strings([])).tolist() == []
    assert fingerprints(strings([])).tolist() == tails(strings([])).tolist() == []

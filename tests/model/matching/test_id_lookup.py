"""Ids among others, against Python's sets: through a sieve of any size, in parts of any size."""

from __future__ import annotations

import pytest
import strategies as some
from hypothesis import given
from hypothesis import strategies as st

from irviewer.model.arrays import strings
from irviewer.model.matching import id_lookup
from irviewer.model.matching.id_lookup import APART, MOST, SPARSE, IdLookup
from irviewer.model.parts import PART
from irviewer.model.rankings.duplicates import tails

ids = st.one_of(some.documents, st.text("ab\0é文", max_size=20), st.sampled_from(["a" * n for n in range(30)]))


@pytest.mark.parametrize("part", [1, 7, PART])
@pytest.mark.parametrize(("sparse", "most"), [(0, 1), (1, 3), (SPARSE, MOST)])
@pytest.mark.parametrize("apart", [0, APART, 2])
@given(st.lists(ids, min_size=1, max_size=60), st.lists(ids, max_size=20, unique=True))
def test_against_a_set(part: int, sparse: int, most: int, apart: float, rows: list[str], words: list[str]) -> None:
    """Rows of a slice, whose buffers begin elsewhere; by ends of ids and by whole ids; also where nearly all come
    through the sieve."""
    lookup = IdLookup(strings(words), sparse=sparse, most=most, apart=apart)
    column = strings(rows)[1:]
    for known in (None, tails(column)):
        rows_of_words, places = lookup.rows_in(column, known, part=part)
        assert rows_of_words.tolist() == [row for row, word in enumerate(rows[1:]) if word in words]
        assert places.tolist() == [words.index(word) for word in rows[1:] if word in words]


def test_at_its_own_size() -> None:
    rows = [f"d{n % 50_021}" for n in range(3 * PART + 17)]
    words = [f"d{n}" for n in range(0, 60_000, 7)]
    place = {word: number for number, word in enumerate(words)}
    rows_of_words, places = IdLookup(strings(words)).rows_in(strings(rows))
    assert rows_of_words.tolist() == [row for row, word in enumerate(rows) if word in place]
    assert places.tolist() == [place[word] for word in rows if word in place]


def test_ids_that_end_alike_are_hashed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else all of them would come through the sieve."""
    looked_up: list[int] = []
    index_in = id_lookup.pc.index_in
    monkeypatch.setattr(
        id_lookup.pc,
        "index_in",
        lambda ids, value_set: looked_up.append(len(ids)) or index_in(ids, value_set=value_set),
    )
    rows = [f"{n:05}/index.html" for n in range(20_000)]
    rows_of_words, _ = IdLookup(strings(rows[:100])).rows_in(strings(rows))
    assert rows_of_words.tolist() == list(range(100))
    assert looked_up[0] < 2000

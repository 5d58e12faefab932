"""What all ids of a list begin with, held against the beginning that a loop over the letters finds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.rendering.elision import FIRST_ONES, SEPARATORS, begin_otherwise, shared_start, start_of_all


def start_of(ids: list[str]) -> str:
    return shared_start(min(ids), max(ids))


@pytest.mark.parametrize(
    ("ids", "start"),
    [
        (["msmarco_passage_12_207", "msmarco_passage_07_999", "msmarco_passage_12_1"], "msmarco_passage_"),
        (["doc-1", "doc-2"], "doc-"),
        (["FT911-1", "FT922-2"], ""),  # cut back to letters: FT, which is too short
        (["clueweb09-en0000-00", "clueweb09-en0000-10"], "clueweb09-en0000-"),
        (["passage12", "passage13"], "passage"),  # a number is not cut
        (["abcdx", "abcdy"], "abcd"),
        (["abc_1", "xyz_1"], ""),
        (["same_id_1"], ""),
        (["long_start_", "long_start_1"], "long_"),  # an id keeps something to show
        (["long_start", "long_start_1"], "long_"),
        ([""], ""),
        (["", "abcdef"], ""),
        (["пассаж_1", "пассаж_2"], "пассаж_"),
        (["cafe\u0301s", "cafe\u0302s"], ""),  # an accent stays with its letter: caf is too short
    ],
)
def test_shared_starts(ids: list[str], start: str) -> None:
    assert start_of(ids) == start


def test_every_id_begins_with_it_has_more_and_none_is_as_short_as_it() -> None:
    drawn = random.Random(3)
    long_enough = 0
    for _ in range(2000):
        common = "".join(drawn.choice("ab_-1") for _ in range(drawn.randrange(8)))
        ids = [common + "".join(drawn.choice("ab_1") for _ in range(drawn.randrange(1, 4))) for _ in range(4)]
        start = start_of(ids)
        long_enough += bool(start)
        assert all(text.startswith(start) and len(text) > len(start) for text in ids)
        assert not start or len(start) >= 4
        drawn.shuffle(ids)
        assert start_of(ids) == start
        if any(letter in SEPARATORS for letter in start):
            assert start[-1] in SEPARATORS
    assert long_enough > 100


@given(
    st.lists(st.text(alphabet="ab1-\u0301", max_size=7), max_size=3 * FIRST_ONES), st.sampled_from(["", "run", "run-1"])
)
def test_the_first_ones_tell_what_all_share(texts: list[str], start: str) -> None:
    begun = [start + text for text in texts]
    assert start_of_all(begun) == (shared_start(min(begun), max(begun)) if len(begun) > 1 else "")
    assert not begin_otherwise([])

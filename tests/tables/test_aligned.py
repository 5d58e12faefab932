"""Columns of text have a widest, whatever the ids are, and hidden characters are escapes."""

from __future__ import annotations

import pytest

from irviewer.tables.aligned import WIDEST, aligned, aligned_within, padded, places, shortened

LONG = "".join(chr(ord("a") + place % 26) for place in range(15_000))


def test_a_long_id_makes_no_line_long() -> None:
    rows = [["1", LONG, "x"], *([str(n), f"d{n}", "y"] for n in range(50))]
    lines = aligned(("query", "document", "run"), rows)
    assert max(map(len, lines)) < WIDEST + 30
    shown = lines[1].split()[1]
    begin, end = shown.split("…")
    assert LONG.startswith(begin)
    assert LONG.endswith(end)
    assert len(begin) == len(end) == (WIDEST - 1) // 2
    within = aligned_within(("query", "document", "run"), rows, 1, 80)
    assert max(map(len, within)) < WIDEST + 30


def test_a_sentence_in_the_last_column_stays_whole() -> None:
    assert padded([["a", LONG]], [False, False]) == [f"a  {LONG}"]
    assert len(padded([["a", LONG]], [False, True])[0]) < WIDEST + 10


@pytest.mark.parametrize("text", [LONG, "文" * 9000, "e\u0301" * 9000, "x" + "文" * 200])
def test_shortened_texts_have_at_most_as_many_places(text: str) -> None:
    for most in (120, 21, 10):
        short = shortened(text, most)
        assert places(short) <= most
        assert places(short) >= most - 4
    assert shortened(text, None) == text
    assert shortened(text[:40], 120) == text[:40]

"""Escapes of half characters: found as Python's JSON leaves them, without a look at each other escape."""

from __future__ import annotations

import json

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from irviewer.errors import ParseError
from irviewer.formats.reading import json_file
from irviewer.formats.reading.json_file import refuse_half_characters
from irviewer.formats.reading.opener import Opened

PIECES = ["\\\\", "\\ud83d", "\\ude0a", "\\uDBFF", "\\udC00", "\\u00e9", '\\"', "\\n", "u", "ud83d", "x", " "]


def is_half(text: str) -> bool:
    """What Python's JSON reader says: a value with half a character cannot be encoded."""
    try:
        json.loads(text).encode()
    except UnicodeEncodeError:
        return True
    return False


@given(st.lists(st.sampled_from(PIECES), max_size=8))
@example(["\\\\", "ud83d", "\\ude0a"])
@example(["\\ud83d", "\\ud83d", "\\ude0a"])
def test_half_characters_are_those_of_json(pieces: list[str]) -> None:
    text = f'"{"".join(pieces)}"'
    opened = Opened("a.json", text.encode(), "", "utf-8")
    if is_half(text):
        with pytest.raises(ParseError, match="is half a character"):
            refuse_half_characters(opened)
    else:
        refuse_half_characters(opened)


def test_texts_without_halves_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that json.dumps wrote have escapes of quotes and dashes throughout: none of them is looked at alone."""
    monkeypatch.setattr(json_file, "_ESCAPE", None)
    text = json.dumps(["It says “yes” – and … no.", "C:\\users\\dd"])
    refuse_half_characters(Opened("a.json", text.encode(), "", "utf-8"))
    with pytest.raises(AttributeError):
        refuse_half_characters(Opened("a.json", json.dumps("😊").encode(), "", "utf-8"))

"""SMART files: fields, accidents of digitization, and errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.classic.smart import parse_smart
from irviewer.formats.load import load
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.model.texts import TextTable


def parsed(text: str) -> TextTable:
    return parse_smart(Opened("x.all", text.encode(), "", "ascii"))


def test_fields_become_columns_and_lines_become_text() -> None:
    table = parsed(
        ".I 1\n.T\nheat flow\nin slabs\n.A\nn., n.\n.B\nj. ae.\n.W\nthe heat\n\nof slabs\n.I  2 \n.W\nnothing\n"
    )
    assert table.ids == ["1", "2"]
    assert table.row("1") == {
        "title": "heat flow in slabs",
        "text": "the heat\nof slabs",
        "author": "n., n.",
        "source": "j. ae.",
    }
    assert table.row("2") == {"text": "nothing"}
    assert table.text("1") == "the heat\nof slabs"


def test_a_marker_amid_the_text_is_dropped_and_the_text_goes_on() -> None:
    table = parsed(".I 240\n.T\nt\n.A\na\n.W\nbefore\n.A\nafter\n")
    assert table.row("240") == {"title": "t", "text": "before after", "author": "a"}


def test_empty_fields_and_unknown_markers_stay() -> None:
    table = parsed(".I 471\n.T\n.W\n.Z\nodd\n")
    assert table.row("471") == {"title": "", "text": "", "Z": "odd"}


def test_text_without_a_marker_is_the_body() -> None:
    assert parsed(".I 1\nplain text\n.I 2\n.W\nx\n").text("1") == "plain text"


def test_a_dot_in_the_text_is_no_marker() -> None:
    assert parsed(".I 1\n.W\n.X and more\n.5 is half\n").text("1") == ".X and more .5 is half"


def test_compressed_with_crlf_and_latin_1(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "docs.all.gz"
    path.write_bytes(gzip.compress(".I 1\r\n.W\r\nZürich\r\n".encode("latin-1")))
    assert parse_smart(open_bytes(path)).text("1") == "Zürich"
    loaded = load(path)
    assert isinstance(loaded.value, TextTable)
    assert any("Latin-1" in line for line in loaded.report.warnings)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("hello\n.I 1\n.W\nx\n", 1, "before the first record"),
        (".I 1\n.W\nx\n.I\n.W\ny\n", 4, "has no id"),
        (".I 1\n.W\nx\n.I 1\n.W\ny\n", 4, "is repeated, first in line 1"),
        ("\n\n", 0, "no text"),
    ],
)
def test_errors_name_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parsed(text)
    assert caught.value.line == line
    assert reason in caught.value.reason
    assert caught.value.path == "x.all"


def test_a_record_that_is_listed_twice_unchanged_is_one() -> None:
    assert parsed(".I 1\n.W\nx\n.I 1\n.W\nx\n").ids == ["1"]

"""Tab-separated texts: with and without a header, more columns, quotation marks, and errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.texts.tsv import parse_tsv
from irviewer.model.texts import TextTable


def parsed(text: str) -> TextTable:
    return parse_tsv(Opened("x.tsv", text.encode(), "", "utf-8"))


def test_id_and_text() -> None:
    table = parsed("1\theat flow\n2\tslabs")
    assert table.ids == ["1", "2"]
    assert table.text("2") == "slabs"
    assert table.attributes == ("text",)


def test_three_columns_are_title_and_text() -> None:
    assert parsed("1\tT\tbody\n").row("1") == {"title": "T", "text": "body"}


def test_a_header_names_the_columns() -> None:
    table = parsed("qid\tquery\tyear\tyear\n1\theat\t1958\tx\n2\tflow\t\t\n")
    assert table.ids == ["1", "2"]
    assert table.row("1") == {"query": "heat", "year": "1958", "year_4": "x"}
    assert table.text("1") == "heat"


def test_an_id_that_looks_like_a_name_is_no_header() -> None:
    assert parsed("q1\ttext\nq2\tmore\n").ids == ["q1", "q2"]
    long = "a question that is much too long to be the name of a column of anything"
    assert parsed(f"id\t{long}\n").text("id") == long


def test_quotation_marks_are_characters() -> None:
    assert parsed('1\t"unbalanced\n2\tx\n').text("1") == '"unbalanced'


def test_more_tabs_belong_to_the_text_and_fewer_leave_columns_empty() -> None:
    assert parsed("1\ta\n2\tb\tc\td\n").text("2") == "b c d"
    assert parsed("1\ta\tb\n2\tonly\n").row("2") == {"title": "only"}


def test_comments_blank_lines_and_crlf() -> None:
    assert parsed("# made by hand\r\n\r\n1\tx\r\n").row("1") == {"text": "x"}


def test_an_empty_text_is_a_text() -> None:
    table = parsed("1\t\n2\tx\n")
    assert table.ids == ["1", "2"]
    assert table.text("1") == ""


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("1\tx\nno tab here\n", 2, 12, "no tab"),
        ("1\tx\n \ty\n", 2, 1, "no id"),
        ("1\tx\n1\ty\n", 2, 1, "is repeated"),
        ("id\ttext\n", 0, 0, "no text"),
    ],
)
def test_errors_name_line_column_and_reason(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parsed(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in caught.value.reason


def test_a_file_with_a_mark_and_latin_1(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"\xef\xbb\xbf1\tx\n")
    assert parse_tsv(open_bytes(tmp_path / "a.tsv")).ids == ["1"]
    (tmp_path / "b.tsv").write_bytes("1\tZürich\n".encode("latin-1"))
    assert parse_tsv(open_bytes(tmp_path / "b.tsv")).text("1") == "Zürich"

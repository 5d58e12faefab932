"""JSON lines: ids under every name in use, odd values, and errors that name line and column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.texts.jsonl import ID_NAMES, parse_jsonl
from irviewer.model.texts import TextTable


def parsed(text: str) -> TextTable:
    return parse_jsonl(Opened("x.jsonl", text.encode(), "", "utf-8"))


@pytest.mark.parametrize("name", ID_NAMES)
def test_an_id_is_found_under_any_of_its_names(name: str) -> None:
    table = parsed(json.dumps({"text": "heat", name: "d1", "year": 1958}) + "\n")
    assert table.ids == ["d1"]
    assert table.row("d1") == {"text": "heat", "year": 1958}


def test_numbers_are_ids_and_keys_that_some_lack_are_null() -> None:
    table = parsed('{"id": 1, "text": "a", "title": "T"}\n\n{"id": 2, "text": "b"}\n')
    assert table.ids == ["1", "2"]
    assert table.row("2") == {"text": "b"}


def test_the_first_name_counts_and_others_are_attributes() -> None:
    assert parsed('{"number": 7, "id": "d1"}').row("d1") == {"number": 7}


def test_nested_values_are_kept_as_text() -> None:
    row = parsed('{"id": "1", "text": ["a", "b"], "meta": {"k": [1]}, "flags": [1, 2]}').row("1")
    assert row == {"text": "a\nb", "meta": '{"k": [1]}', "flags": "[1, 2]"}


def test_columns_of_mixed_types_become_text() -> None:
    table = parsed('{"id": "1", "year": 1958}\n{"id": "2", "year": "about 1960"}\n')
    assert [table.row(doc_id)["year"] for doc_id in ("1", "2")] == ["1958", "about 1960"]


def test_one_array_and_one_object_by_id_are_read_too() -> None:
    assert parsed('[\n {"id": "1", "text": "a"},\n {"id": "2", "text": "b"}\n]').ids == ["1", "2"]
    assert parsed('{\n "q1": "heat",\n "q2": {"text": "flow"}\n}').text("q2") == "flow"
    assert parsed('{"q1": "heat", "q2": "flow"}').text("q1") == "heat"
    assert parsed('{"id": "1",\n "text": "spread over lines"}').text("1") == "spread over lines"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{"id": "1"}\n{"id": "2"; }\n', 2, 11, "not a JSON object"),
        ('{"id": "1"}\n[1]\n', 2, 1, "not a JSON object"),
        ('{"id": "1"}\n{"text": "x"}\n', 2, 1, "no id"),
        ('{"id": "1"}\n{"id": null}\n', 2, 1, "id is not an id"),
        ('{"id": "1", "t": 1}\n{"id": "1", "t": 2}\n', 2, 1, "repeated, first in line 1"),
        ("\n", 0, 0, "no text"),
    ],
)
def test_errors_name_line_column_and_reason(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parsed(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in caught.value.reason


def test_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"qid": "1", "query": "Z\xc3\xbcrich"}\r\n{"qid": "2", "query": "x"}\r\n')
    table = parse_jsonl(open_bytes(path))
    assert table.ids == ["1", "2"]
    assert table.text("1") == "Zürich"


IDS = st.text(min_size=1, max_size=6, alphabet=st.characters(blacklist_categories=("Cs",)))


@given(st.dictionaries(IDS, st.text(max_size=12, alphabet=st.characters(blacklist_categories=("Cs",))), min_size=1))
def test_what_json_writes_is_read_back(texts: dict[str, str]) -> None:
    lines = "\n".join(json.dumps({"id": doc_id, "text": text}) for doc_id, text in texts.items())
    table = parsed(lines)
    assert {doc_id: table.text(doc_id) for doc_id in table.ids} == texts

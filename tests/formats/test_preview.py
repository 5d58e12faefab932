"""The first rows of tables with unknown columns, the errors that name them, and texts of chosen columns."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irviewer
from irviewer.errors import ColumnsError, OptionError, ParseError
from irviewer.formats.load import load
from irviewer.formats.preview import preview
from irviewer.model.column_names import columns_text, parse_columns
from irviewer.model.table_preview import TablePreview, kind_of

ROWS = [{"frage": "q1", "stueck_doc": "d1", "punkte": 2.5}, {"frage": "q2", "stueck_doc": "d,2", "punkte": 1.0}]


def write(path: Path) -> Path:
    table = pa.Table.from_pylist(ROWS)
    match path.suffix:
        case ".csv":
            path.write_text('frage,stueck_doc,punkte\nq1,d1,2.5\nq2,"d,2",1.0\n')
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        case ".json":
            path.write_text(json.dumps(ROWS))
        case ".parquet":
            pq.write_table(table, path)
        case ".arrow":
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
    return path


@pytest.mark.parametrize(("names", "suggested"), [
    (("id_frage", "answer", "references"), {"answer": "answer", "references": "references"}),
    (("frage", "answer"), {}),
])  # fmt: skip
def test_answers_are_suggested_beside_references_alone(names: tuple[str, ...], suggested: dict[str, str]) -> None:
    """A data set of questions has answers, too."""
    own = TablePreview("x", names, ()).suggestion
    assert {role: name for role, name in own.items() if role in ("answer", "references")} == suggested


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".json", ".parquet", ".arrow"])
def test_the_error_names_the_columns_and_the_preview_shows_them(tmp_path: Path, ending: str) -> None:
    path = write(tmp_path / f"file{ending}")
    with pytest.raises(ColumnsError) as caught:
        load(path)
    assert caught.value.names == ("frage", "stueck_doc", "punkte")
    assert caught.value.topic == "columns"
    shown = preview(str(path))
    assert shown.names == caught.value.names
    assert shown.rows == (("q1", "d1", "2.5"), ("q2", "d,2", "1.0"))
    assert shown.suggestion == {"document": "stueck_doc"}
    run = irviewer.read_run(path, columns={"query": "frage", "doc": "stueck_doc", "score": "punkte"})
    assert run.ranking("q2") == ["d,2"]


def test_only_the_first_rows_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("frage,stueck,punkte\n" + "".join(f"q{row},d{row},1\n" for row in range(100)))
    assert len(preview(str(path)).rows) == 12
    pq.write_table(pa.table({"x": list(range(1000)), "y": ["a" * 500] * 1000}), tmp_path / "a.parquet")
    shown = preview(str(tmp_path / "a.parquet"), 3)
    assert [row[0] for row in shown.rows] == ["0", "1", "2"]
    assert all(len(row[1]) == 200 for row in shown.rows)


@pytest.mark.parametrize("content", [b"", b"one line without any column\n", b"\x00\x01\x02", b"PAR1 but damaged PAR1"])
def test_what_is_no_table_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ParseError):
        preview(str(tmp_path / "x"))


@given(
    st.dictionaries(st.sampled_from(["query", "doc", "score", "rank", "relevance"]), st.text(min_size=1), min_size=1)
)
def test_chosen_columns_are_a_text_and_back(columns: dict[str, str]) -> None:
    assert parse_columns(columns_text(columns)) == columns


@pytest.mark.parametrize("text", ["", "doc", "doc=", "=x", "{", '{"doc": 3}', "[]"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(OptionError):
        parse_columns(text)


def test_contents_follow_from_the_roles() -> None:
    assert kind_of({"query": "a", "document": "b", "score": "c"}) == "run"
    assert kind_of({"query": "a", "document": "b", "rank": "c", "grade": "d"}) == "run"
    assert kind_of({"query": "a", "document": "b", "grade": "c"}) == "qrels"
    assert kind_of({"document": "a"}) == "documents", "whose other columns are fields"
    assert kind_of({"document": "hits[].id"}) == kind_of({"document": "a", "tag": "b"}) == ""
    assert kind_of({"query": "a", "document": "b"}) == kind_of({"query": "a", "score": "b"}) == ""

"""What libraries say of their limits does not reach users; one sentence of ours does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irviewer.errors import IrviewerError, ParseError
from irviewer.formats.attribute_tables import read_run_attributes
from irviewer.formats.load import load
from irviewer.formats.project_file import parse_project
from irviewer.formats.tables.table_rows import MORE_COMPONENTS
from irviewer.model.column_names import parse_columns
from irviewer.model.run import Run

DIGITS = "9" * 5000
DEEP = "[" * 100_000
FOREIGN = ("Exceeds the limit", "set_int_max", "recursion", "FieldRef", "codec can't", "line 1 column")
TEXTS = [
    '{"1": {"a": %s}}', '{"run": {"1": {"a": %s}}}', '[{"query_id": "1", "doc_id": "a", "score": %s}]',
    '{"query_id": "1", "doc_id": "a", "score": %s}', '{"query_id": %s, "doc_id": "a", "score": 1}',
    '{"id": "1", "text": %s}', '{"id": %s, "text": "x"}', '{"query": %s}', '{"_id": "1"}\n{"_id": "2", "text": %s}',
]  # fmt: skip


@pytest.mark.parametrize("kind", [None, "run", "qrels", "queries", "documents"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("part", [DIGITS, DEEP], ids=["digits", "deep"])
def test_json_beyond_the_limits_of_python(tmp_path: Path, text: str, part: str, kind: str | None) -> None:
    path = tmp_path / "x.json"
    path.write_text(text % part)
    try:
        load(path, kind=kind)
    except IrviewerError as error:
        assert not [words for words in FOREIGN if words in str(error)], str(error)[:300]
        assert len(str(error).splitlines()) == 1
    else:
        assert part == DIGITS, "a part without its end"


@pytest.mark.parametrize("part", [DIGITS, DEEP], ids=["digits", "deep"])
def test_other_files_with_json(tmp_path: Path, part: str) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"run": "a", "x": ' + part + "}")
    for read in (
        lambda: read_run_attributes(str(path)),
        lambda: parse_project("x.irv", b'{"irviewer project": %s}' % part.encode()),
        lambda: parse_columns('{"doc": ' + part + "}"),
    ):
        with pytest.raises(IrviewerError) as caught:
            read()
        assert not [words for words in FOREIGN if words in str(caught.value)], str(caught.value)[:300]


def written(path: Path, table: Any) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_columns_of_one_name(tmp_path: Path, suffix: str) -> None:
    cells = [pa.array(["1"]), pa.array(["a"]), pa.array([1.5]), pa.array([2.5])]
    for names, twice in (
        (["query_id", "doc_id", "score", "score"], "score"),
        (["query_id", "query_id", "score", "rank"], "query_id"),
        (["doc_id", "text", "text", "x"], "text"),
    ):
        path = written(tmp_path / f"x{suffix}", pa.Table.from_arrays(cells, names=names))
        with pytest.raises(ParseError, match=f"two columns are named '{twice}'; rename one of them"):
            load(path, kind="documents" if twice == "text" else "run")
    table = pa.Table.from_arrays([*cells[:3], cells[3], cells[3]], names=["query_id", "doc_id", "score", "x", "x"])
    run = load(written(tmp_path / f"x{suffix}", table)).value
    assert isinstance(run, Run)
    assert not run.components, "neither of two columns is meant"


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("mark", [b"measurement", b"queries", b"zscores", b"\xff", b""])
def test_a_mark_that_is_not_ours_decides_nothing(tmp_path: Path, mark: bytes, suffix: str) -> None:
    table = pa.table({"query_id": ["1"], "doc_id": ["a"], "score": [1.5]}).replace_schema_metadata({b"irviewer": mark})
    assert load(written(tmp_path / f"x{suffix}", table)).kind == "run"
    own = table.replace_schema_metadata({b"irviewer": b"qrels"})
    assert load(written(tmp_path / f"y{suffix}", own)).kind == "qrels"


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_of_many_columns_of_numbers_the_first_are_components(tmp_path: Path, suffix: str) -> None:
    table = pa.table({"query_id": ["1"], "doc_id": ["a"], "score": [1.5], **{f"f{n}": [float(n)] for n in range(5000)}})
    loaded = load(written(tmp_path / f"x{suffix}", table))
    assert isinstance(loaded.value, Run)
    assert list(loaded.value.components) == [f"f{n}" for n in range(MORE_COMPONENTS - 1)]
    assert "only the first 32 columns of numbers are score components" in [note.text for note in loaded.report.findings]

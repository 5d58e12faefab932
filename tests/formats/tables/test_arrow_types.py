"""Arrow and Parquet as other programs write them, and the types of their columns."""

from __future__ import annotations

import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irviewer.errors import ParseError
from irviewer.formats.choice import choose
from irviewer.formats.format import Head
from irviewer.formats.load import load
from irviewer.formats.preview import preview
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.model.exchange.arrow_types import plain_column, text_size
from irviewer.model.exchange.frames import as_frame, frame_rows
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

FILES = Path(__file__).parents[2] / "data" / "arrow"
LONG = "a document id of more than twelve bytes"
RUN = {"1": {"a": 3.25, LONG: 2.5}, "2": {"b": 2.0, "c": 1.125}}
QRELS = {"1": {"a": 2.0, LONG: 0.0}, "2": {"c": 1.0}}


def scores(run: object) -> dict[str, dict[str, float]]:
    assert isinstance(run, Run)
    return {
        query: dict(zip(run.ranking(query), run.ranking_scores(query).tolist(), strict=True)) for query in run.query_ids
    }


@pytest.mark.parametrize("path", sorted(FILES.glob("*_run*")), ids=lambda path: path.name)
def test_runs_of_other_programs(path: Path) -> None:
    assert scores(load(path).value) == RUN
    shown = preview(str(path))
    assert shown.names == ("query_id", "doc_id", "score")
    assert [row[1] for row in shown.rows] == ["a", LONG, "b", "c"]


@pytest.mark.parametrize("path", sorted(FILES.glob("*_qrels*")), ids=lambda path: path.name)
def test_qrels_of_other_programs(path: Path) -> None:
    loaded = load(path)
    assert isinstance(loaded.value, Qrels)
    assert {query: dict(loaded.value.judgments(query)) for query in loaded.value.query_ids} == QRELS


def test_queries_of_polars() -> None:
    queries = load(FILES / "polars_queries.arrow").value
    assert isinstance(queries, TextTable)
    assert queries.text("2") == "and which are short"
    assert queries.row("1")["terms"] == "which\nwords"


# --- every type ---

IDS = ["7", "7", "8", "8", "8"]


def ends(values: list[str], of: Any) -> Any:
    return pa.RunEndEncodedArray.from_arrays(pa.array([2, 5], pa.int32()), pa.array(values).cast(of))


ID_COLUMNS = {
    "string": pa.array(IDS),
    "large_string": pa.array(IDS, pa.large_string()),
    "string_view": pa.array(IDS).cast(pa.string_view()),
    "binary": pa.array(IDS).cast(pa.binary()),
    "large_binary": pa.array(IDS).cast(pa.large_binary()),
    "binary_view": pa.array(IDS).cast(pa.binary()).cast(pa.binary_view()),
    "fixed_size_binary": pa.array([text.encode() for text in IDS], pa.binary(1)),
    "dictionary": pa.array(IDS).dictionary_encode(),
    "dictionary of views": pa.array(IDS).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.string_view())),
    "dictionary of numbers": pa.array([7, 7, 8, 8, 8]).dictionary_encode(),
    "run-end": ends(["7", "8"], pa.string()),
    "run-end of views": ends(["7", "8"], pa.string_view()),
    "run-end of numbers": pa.RunEndEncodedArray.from_arrays(pa.array([2, 5], pa.int64()), pa.array([7, 8])),
    "int8": pa.array([7, 7, 8, 8, 8], pa.int8()),
    "uint64": pa.array([7, 7, 8, 8, 8], pa.uint64()),
    "float32": pa.array([7, 7, 8, 8, 8], pa.float32()),
    "float16": pa.array(np.array([7, 7, 8, 8, 8], np.float16)),
    "decimal32": pa.array([7.0, 7.0, 8.0, 8.0, 8.0]).cast(getattr(pa, "decimal32", pa.decimal128)(9, 0)),
    "decimal128": pa.array([7, 7, 8, 8, 8]).cast(pa.decimal128(38, 0)),
    "decimal256 with a fraction": pa.array([7, 7, 8, 8, 8]).cast(pa.decimal256(40, 2)),
}


def written(path: Path, table: Any, rows: int = 3) -> Path:
    """A table in the format of the file's suffix."""
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return path
    make = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
    with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows)
    return path


@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".parquet"])
@pytest.mark.parametrize("kind", ID_COLUMNS)
def test_ids_of_every_type(tmp_path: Path, kind: str, suffix: str) -> None:
    if suffix == ".parquet" and ("run-end" in kind or "dictionary of views" in kind):
        pytest.skip("Parquet has no such type")
    column = ID_COLUMNS[kind]
    table = pa.table({"query_id": column, "doc_id": list("abcde"), "score": [5.0, 4.0, 3.0, 2.0, 1.0]})
    run = load(written(tmp_path / f"x{suffix}", table)).value
    assert scores(run) == {"7": {"a": 5.0, "b": 4.0}, "8": {"c": 3.0, "d": 2.0, "e": 1.0}}
    part = pa.chunked_array([column.slice(1, 3)])
    table = pa.table({"query_id": part, "doc_id": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
    assert scores(load(written(tmp_path / f"y{suffix}", table)).value) == {"7": {"a": 3.0}, "8": {"b": 2.0, "c": 1.0}}


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        (pa.array([0.1, 2.0], pa.float64()), [0.1, 2.0]),
        (pa.array([1.5, 2.0], pa.float32()), [1.5, 2.0]),
        (pa.array(np.array([1.5, 2.0], np.float16)), [1.5, 2.0]),
        (pa.array([decimal.Decimal("0.1"), decimal.Decimal("123456789.123456789")]), [0.1, 123456789.123456789]),
        (pa.array([decimal.Decimal("0.3"), decimal.Decimal("2.675")], pa.decimal256(60, 40)), [0.3, 2.675]),
        (pa.array([decimal.Decimal(3), decimal.Decimal(10**30)], pa.decimal128(38, 0)), [3.0, 1e30]),
        (pa.array([0.1, 2.0]).dictionary_encode(), [0.1, 2.0]),
        (pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int16()), pa.array([0.1, 2.0])), [0.1, 2.0]),
        (pa.array(["0.1", "2"]).cast(pa.string_view()), [0.1, 2.0]),
        (pa.array([1, 2], pa.uint8()), [1.0, 2.0]),
    ],
)
def test_numbers_of_every_type(tmp_path: Path, column: Any, wanted: list[float]) -> None:
    """Decimals are the nearest float, as Python reads their digits."""
    table = pa.table({"query_id": ["1", "2"], "doc_id": ["a", "b"], "score": column})
    run = load(written(tmp_path / "x.arrow", table), kind="run").value
    assert scores(run) == {"1": {"a": wanted[0]}, "2": {"b": wanted[1]}}, (
        "the nearest float, as Python reads the digits"
    )


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("doc_id", pa.array([["a"], ["b"]]), r"column doc_id has the type list<.*>, which cannot be an id"),
        (
            "doc_id",
            pa.array([{"x": 1}, {"x": 2}]),
            "column doc_id has the type struct<x: int64>, which",
        ),
        ("query_id", pa.array([b"\xff", b"\xfe"]), r"column query_id has the type binary, which cannot be an id"),
        ("score", pa.array([[1.0], [2.0]]), r"column score has the type list<.*>, which is not a number; write"),
        ("score", pa.array([b"1", b"2"]), r"column score has the type binary, which is not a number"),
        ("score", pa.array([None, 1.0]), r"row 1: score is empty and must be a number"),
        ("query_id", pa.array([1.0, float("nan")]), r"the query id is empty in 1 row; give every row both ids"),
        ("doc_id", pa.array([1.5, float("nan")]), r"the document id is empty in 1 row; give every row both ids"),
        ("doc_id", pa.array([1.0, None]), r"the document id is empty in 1 row"),
        ("doc_id", pa.array([1.0, 1e17]), r"row 2: doc_id is 1e\+17, which is not an id; write ids as texts"),
        ("query_id", pa.array([1.0, float("inf")]), r"row 2: query_id is inf, which is not an id"),
    ],
)
@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, column: Any, message: str, suffix: str) -> None:
    columns = {"query_id": ["1", "2"], "doc_id": ["a", "b"], "score": [1.5, 2.5], name: column}
    path = written(tmp_path / f"x{suffix}", pa.table(columns))
    with pytest.raises(ParseError, match=message) as caught:
        load(path, kind="run")
    assert "damaged" not in str(caught.value)


def test_a_type_that_arrow_does_not_read_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: object) -> object:
        raise pa.ArrowNotImplementedError("Unsupported type: time of\nthe moon")

    path = written(tmp_path / "x.arrow", pa.table({"query_id": ["1"], "doc_id": ["a"], "score": [1.5]}))
    monkeypatch.setattr(pa.ipc, "open_file", refuse)
    for read in (load, lambda path: preview(str(path))):
        with pytest.raises(ParseError, match="a type or a compression that cannot be read: Unsupported type") as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_ids_of_texts_that_are_floats(tmp_path: Path) -> None:
    table = pa.table({"doc_id": pa.array([1.0, 2.0, None]), "text": ["a", "b", "c"]})
    with pytest.raises(ParseError, match="id is empty"):
        load(written(tmp_path / "x.parquet", table), kind="documents")
    texts = load(written(tmp_path / "y.parquet", table.slice(0, 2)), kind="documents").value
    assert isinstance(texts, TextTable)
    assert list(texts.ids) == ["1", "2"]


@pytest.mark.parametrize("kind", ID_COLUMNS)
def test_a_corpus_on_disk_has_the_ids_of_one_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    column = ID_COLUMNS[kind].slice(1, 2)
    table = pa.table({"doc_id": column, "text": pa.array(["one", "two"]).cast(pa.string_view())})
    path = written(tmp_path / "x.arrow", table)
    small = load(path, kind="documents").value
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(corpus, "INDEX_FROM", 1)
    large = load(path, kind="documents").value
    assert isinstance(large, CorpusIndex)
    assert isinstance(small, TextTable)
    assert list(large.ids) == list(small.ids) == ["7", "8"]
    assert large.text("8") == small.text("8") == "two"


# --- memory ---


@pytest.mark.parametrize("kind", ["dictionary", "dictionary of views", "run-end", "run-end of views", "string_view"])
def test_the_size_of_shared_texts_is_that_of_copies(kind: str) -> None:
    column = ID_COLUMNS[kind]
    for array in (column, column.slice(1, 3), column.slice(4, 0)):
        assert text_size(array) == len(array), "each id has one byte"


def test_texts_shared_by_many_rows_are_refused(tmp_path: Path) -> None:
    n = 1 << 20
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int32()), pa.array(["x" * 10_000]))
    table = pa.table({"query_id": runs, "doc_id": runs, "score": pa.RunEndEncodedArray.from_arrays([n], [1.5])})
    with pytest.raises(ParseError, match="too much for a ranking"):
        load(written(tmp_path / "x.arrow", table, n), kind="run")


def test_one_reader_checks_all_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"query_id": [f"q{n // 5}" for n in range(400)], "doc_id": [f"d{n}" for n in range(400)],
                      "score": [float(n) for n in range(400)]})  # fmt: skip
    opened: list[object] = []
    real = pq.ParquetFile.__init__

    def count(self: Any, *given: Any, **named: Any) -> None:
        opened.append(self)
        real(self, *given, **named)

    numbers = []
    for groups in (4, 80):
        path = tmp_path / f"{groups}.parquet"
        pq.write_table(table, path, row_group_size=400 // groups)
        opened.clear()
        with monkeypatch.context() as patch:
            patch.setattr(pq.ParquetFile, "__init__", count)
            assert len(load(path).value.scores) == 400  # type: ignore[union-attr]
        numbers.append(len(opened))
    assert numbers[0] == numbers[1] < 10, "each parses the metadata of all 80 row groups"


def test_formats_share_the_schema_of_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table({"query_id": ["q"], "doc_id": ["d"], "score": [1.0]}), tmp_path / "x.parquet")
    parsed: list[object] = []
    real = pq.read_schema
    monkeypatch.setattr(pq, "read_schema", lambda source: parsed.append(source) or real(source))
    head = Head(open_bytes(tmp_path / "x.parquet"))
    assert choose(head)[0].name == "parquet"
    assert len(parsed) == 1


@pytest.mark.parametrize("kind", ID_COLUMNS)
def test_tables_in_memory_of_such_columns(kind: str) -> None:
    column = ID_COLUMNS[kind]
    if pa.types.is_binary(plain_column(column).type):
        return  # ids of frames are texts or numbers
    table = pa.table(
        {"query_id": column, "doc_id": list("abcde"), "score": pa.array([5, 4, 3, 2, 1]).dictionary_encode()}
    )
    frame = as_frame(table)
    assert frame is not None
    rows = frame_rows(frame, "run")
    assert [rows.query_ids[code] for code in rows.codes.tolist()] == IDS
    assert rows.values.tolist() == [5, 4, 3, 2, 1]

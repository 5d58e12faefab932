"""Queries and documents of tables with a header: CSV, TSV, Parquet, Arrow; which columns, why, and what will not do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest

from irviewer.api.texts import text_table
from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts import corpus
from irviewer.formats.texts.corpus_index import CorpusIndex
from irviewer.model.texts import TextTable

COLUMNS = {"_id": ["d1", "d2"], "title": ["Heat", "Cold"], "text": ["flow of, heat", "ice\nand snow"]}


def loaded(text: str, kind: str | None = None, path: str = "x.csv") -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "utf-8"), kind=kind)


def texts(loaded_texts: Loaded) -> TextTable:
    assert isinstance(loaded_texts.value, TextTable)
    return loaded_texts.value


@pytest.mark.parametrize(
    ("text", "kind", "reason", "rows"),
    [
        ("id,title,text\n1,Heat,flow\n", "documents", "id, text", {"1": {"title": "Heat", "text": "flow"}}),
        ("id,query\n1,heat\n2,cold\n", "queries", "id, query", {"1": {"query": "heat"}, "2": {"query": "cold"}}),
        ("_id,title,text\n7,T,x\n", "documents", "_id, text", {"7": {"title": "T", "text": "x"}}),
        ("Query ID;Query Text\n1;heat, flow\n", "queries", "Query ID, Query Text", {"1": {"query": "heat, flow"}}),
        ("docno,contents\na,x\n", "documents", "docno, contents", {"a": {"contents": "x"}}),
        ("text\tqid\nheat\t1\n", "queries", "qid, text", {"1": {"text": "heat"}}),
        ('product_id,title\n9,"two\nlines"\n', "documents", "product_id, title", {"9": {"title": "two\nlines"}}),
        ("query,information need\nheat,what flows\n", "queries", "no id: the text is the id",
         {"heat": {"text": "heat", "information need": "what flows"}}),
    ],
)  # fmt: skip
def test_columns_by_their_names(text: str, kind: str, reason: str, rows: dict[str, Any]) -> None:
    loaded_texts = loaded(text)
    assert loaded_texts.kind == kind
    assert reason in loaded_texts.report.reason
    assert {query_id: texts(loaded_texts).row(query_id) for query_id in texts(loaded_texts).ids} == rows


def test_runs_and_qrels_stay_what_they_are() -> None:
    assert loaded("query_id,doc_id,relevance,text\n1,a,1,x\n").kind == "qrels"
    assert loaded("query_id,query,doc_id,title,score\n1,q,a,T,1.5\n").kind == "run"


def test_the_queries_of_quepids_ratings() -> None:
    """Its query texts are ids; what belongs to a document is no attribute of a query."""
    loaded_texts = loaded("query,docid,rating\nheat,a,1\nheat,b,0\ncold,a,2\n", "queries")
    assert list(texts(loaded_texts).ids) == ["heat", "cold"]
    assert texts(loaded_texts).row("heat") == {"text": "heat"}
    assert any("1 row is a repetition" in finding.text for finding in loaded_texts.report.findings)


def test_an_id_that_is_listed_twice() -> None:
    assert list(texts(loaded("id,text\n1,x\n2,y\n1,x\n")).ids) == ["1", "2"]
    with pytest.raises(ParseError, match="the id '1' is repeated, first in line 2") as caught:
        loaded("id,text\n1,x\n1,y\n")
    assert caught.value.line == 3


def test_what_will_not_do() -> None:
    with pytest.raises(ParseError, match="id is empty") as caught:
        loaded("id,text\n1,x\n,y\n")
    assert caught.value.line == 3
    with pytest.raises(
        ParseError, match=r"name the columns of the id and the text.*name the columns doc_id, title and text"
    ):
        loaded("colour,size\nred,1\n", "documents")
    with pytest.raises(ParseError, match=r"its columns are colour, size.*qrels have query_id, doc_id, relevance"):
        loaded("colour,size\nred,1\n")


def test_a_long_cell() -> None:
    assert len(texts(loaded('id,text\n1,"' + "x\n" * 200_000 + '"\n')).text("1")) > 300_000


@pytest.mark.parametrize("name", ["x.parquet", "x.feather", "x.arrows"])
def test_parquet_and_arrow(tmp_path: Path, name: str) -> None:
    path, table = tmp_path / name, pa.table({**COLUMNS, "year": [1958, None], "tags": [["a", "b"], None]})
    if name.endswith("parquet"):
        parquet.write_table(table, path)
    elif name.endswith("feather"):
        feather.write_feather(table, str(path))
    else:
        with pa.ipc.new_stream(str(path), table.schema) as writer:
            writer.write_table(table)
    loaded_file = load(path)
    assert loaded_file.kind == "documents"
    assert "_id, text" in loaded_file.report.reason
    assert texts(loaded_file).row("d1") == {"title": "Heat", "text": "flow of, heat", "year": 1958, "tags": "a\nb"}
    assert texts(loaded_file).row("d2") == {"title": "Cold", "text": "ice\nand snow"}


def test_queries_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "topics.parquet"
    parquet.write_table(pa.table({"query_id": [1, 2], "text": ["heat", "cold"]}), path)
    loaded_file = load(path)
    assert loaded_file.kind == "queries"
    assert texts(loaded_file).text("2") == "cold"
    with pytest.raises(ParseError, match="score or grade have unknown names: query_id, text"):
        load(path, kind="qrels")


@pytest.mark.parametrize("name", ["x.parquet", "x.feather"])
def test_a_large_table_stays_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:  # fmt: skip
    monkeypatch.setattr(corpus, "INDEX_FROM", 1)
    monkeypatch.setenv("IRVIEWER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(corpus, "_ROWS", 1)
    path = tmp_path / name
    if name.endswith("parquet"):
        parquet.write_table(pa.table(COLUMNS), path, row_group_size=1)
    else:
        feather.write_feather(pa.table(COLUMNS), str(path))
    loaded_file = load(path)
    assert isinstance(loaded_file.value, CorpusIndex)
    assert "with _id, text" in loaded_file.report.reason
    assert list(loaded_file.value.ids) == ["d1", "d2"]
    assert loaded_file.value.row("d2") == {"title": "Cold", "text": "ice\nand snow"}
    with monkeypatch.context() as patch:  # a second time nothing is unpacked
        patch.setattr(corpus, "_lines_of_table", None)
        assert load(path).kind == "documents"


def test_a_large_table_of_judgments_is_no_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "INDEX_FROM", 1)
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table({"query_id": ["1"], "doc_id": ["a"], "relevance": [1], "text": ["x"]}), path)
    assert load(path).kind == "qrels"


def test_a_damaged_table_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.parquet"
    parquet.write_table(pa.table(COLUMNS), path)
    path.write_bytes(path.read_bytes()[:-20])
    monkeypatch.setattr(corpus, "INDEX_FROM", 1)
    with pytest.raises(ParseError, match="the table is damaged"):
        load(path)


@pytest.mark.parametrize(
    "column",
    [pa.array([10**12], pa.timestamp("s")), pa.array([10**7], pa.date32()), pa.array([10**18], pa.duration("s"))],
)
def test_dates_that_python_has_not_are_refused_with_their_column(column: Any, tmp_path: Path) -> None:
    """They ended with an OverflowError, in memory, on disk and from Python."""
    path, table = tmp_path / "documents.parquet", pa.table({"doc_id": ["a"], "text": ["t"], "added": column})
    with pytest.raises(OptionError, match="documents: a value cannot be read"):
        text_table(table, "documents")
    parquet.write_table(table, path)
    with pytest.raises(ParseError, match=r"documents\.parquet: the column added cannot be read"):
        load(path, kind="documents")
    with pytest.raises(ParseError, match=r"documents\.parquet: the column added cannot be read"):
        corpus.load_corpus(path, kind="documents", name=None, format=None, progress=lambda _: None, index_from=0)

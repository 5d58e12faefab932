"""Shapes that are easily taken for another: told apart with a reason, or refused with words that say what to do."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from irviewer.errors import ColumnsError, ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.texts.corpus import load_corpus
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable


def loaded(text: str, kind: str | None = None, path: str = "x") -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "utf-8"), kind=kind)


def rankings(loaded_file: Loaded) -> dict[str, list[str]]:
    assert isinstance(loaded_file.value, Run)
    return {query: loaded_file.value.ranking(query) for query in loaded_file.value.query_ids}


def grades(loaded_file: Loaded) -> dict[str, dict[str, float]]:
    assert isinstance(loaded_file.value, Qrels)
    return {query: dict(loaded_file.value.judgments(query)) for query in loaded_file.value.query_ids}


@pytest.mark.parametrize("space", [" ", "\t"])
def test_query_passage_rank_score(space: str) -> None:
    text = "1 7 1 9.5\n1 8 2 8.5\n2 7 1 3\n".replace(" ", space)
    loaded_file = loaded(text)
    assert "the third counts ranks within a query, the fourth falls with them" in loaded_file.report.reason
    assert rankings(loaded_file) == {"1": ["7", "8"], "2": ["7"]}
    header = loaded(f"qid pid rank score\n{text}".replace(" ", space), path="x.tsv") if space == "\t" else loaded_file
    assert rankings(header) == rankings(loaded_file)


@pytest.mark.parametrize("words", ["films", "new films", "the new films", "some of the new films"])
def test_texts_that_end_in_a_number_are_no_columns(words: str) -> None:
    """An id, one tab and words: neither qrels of three or four columns nor preferences of five."""
    texts = [f"{words} {year}" for year in (2020, 1999, 7)]
    loaded_file = loaded("".join(f"{number}\t{text}\n" for number, text in enumerate(texts, 1)))
    assert loaded_file.kind == "queries"
    assert isinstance(loaded_file.value, TextTable)
    assert [loaded_file.value.text(each) for each in loaded_file.value.ids] == texts


def test_documents_alone_in_their_subgroups_are_no_preferences() -> None:
    """Nothing is preferred to them, so that five columns are prose, unless the file's name says otherwise."""
    lines = "1 the best films 2020\n2 the new cars 1999\n"
    with pytest.raises(ParseError, match="unknown file format: the first line has 5 columns"):
        loaded(lines)
    assert loaded(lines, path="my.prefs").report.format == "preferences"
    for several in (lines + "2 the new bikes 1\n", "1\tg\ts\ta\t1\n1\tg\ts\tb\t0\n"):
        assert loaded(several).report.format == "preferences"


def test_grades_with_fractions_stay_grades() -> None:
    for text in ("1 0 1 0.5\n1 0 2 0.25\n", "1 3 1 0.5\n1 4 2 1.5\n", "1 3 7 2.5\n1 4 8 1.5\n", "1 3 1 2\n1 4 2 1\n"):
        assert loaded(text).kind == "qrels"


def test_a_ranking_where_the_user_says_so() -> None:
    assert rankings(loaded("1 7 3 9.5\n2 7 1 10.5\n", "run")) == {"1": ["7"], "2": ["7"]}
    with pytest.raises(ParseError, match="4 columns; a TREC run has 6"):
        loaded("1 0 a 1\n", "run")


def test_an_array_of_rows() -> None:
    loaded_file = loaded('[{"query_id":"1","doc_id":"a","relevance":1}]')
    assert "a JSON array of objects with query_id, doc_id, relevance" in loaded_file.report.reason
    assert grades(loaded_file) == {"1": {"a": 1}}
    loaded_file = loaded('[\n {"qid": 1, "docno": "a", "score": 1.5},\n {"qid": 1, "docno": "b", "score": 2.5}\n]')
    assert rankings(loaded_file) == {"1": ["b", "a"]}
    with pytest.raises(ParseError, match="row 2: relevance is"):
        loaded('[{"qid":"1","docid":"a","relevance":1},{"qid":"1","docid":"b","relevance":"x"}]')
    assert loaded('[{"id":"1","text":"heat"}]').kind == "queries"


def test_lists_of_ids_are_not_guessed() -> None:
    text = '{"q1": ["b", "a"], "q2": []}'
    with pytest.raises(ParseError, match=r"rankings or relevant documents; use --kind run .*--kind qrels"):
        loaded(text)
    assert rankings(loaded(text, "run")) == {"q1": ["b", "a"], "q2": []}
    assert grades(loaded(text, "qrels")) == {"q1": {"b": 1, "a": 1}}
    assert isinstance(loaded(text, "queries").value, TextTable)
    with pytest.raises(ParseError, match="has no list of documents"):
        loaded('{"q1": ["b"], "q2": 3}', "run")
    assert loaded('{"id": "q1", "keywords": ["heat"], "text": "x"}').kind == "queries"


def test_objects_of_texts_are_distinguished() -> None:
    with pytest.raises(
        ParseError, match=r"not numbers \(scores or grades\) and whose columns have no names of texts: a;"
    ):
        loaded('{"q1":{"a":"x"}}')
    assert loaded('{"q1":{"a":"x"}}', "queries").kind == "queries"
    assert loaded('{"q1":{"title":"x"}}').kind == "documents"
    assert loaded('{"q1":"heat"}').kind == "queries"


def test_a_run_that_found_nothing() -> None:
    assert rankings(loaded('{"q1":{}}', "run")) == {"q1": []}
    loaded_file = loaded('{"q1": {}, "q2": {}}')
    assert "a guess" in loaded_file.report.reason
    assert rankings(loaded_file) == {"q1": [], "q2": []}
    with pytest.raises(ParseError, match="no judgments"):
        loaded('{"q1":{}}', "qrels")


@pytest.mark.parametrize(
    "header", ["Topic,DocID,Relevance Judgment", "topic,docno,judgement", "q,document,label", "QueryID,doc,qrel"]
)
def test_names_of_grades(header: str) -> None:
    assert grades(loaded(f"{header}\n1,a,2\n")) == {"1": {"a": 2}}


def test_a_header_that_says_nothing() -> None:
    for kind in (None, "qrels", "queries"):
        with pytest.raises(ParseError, match="colour") as caught:
            loaded("colour,size,Topic\n1,a,2\n", kind)
        assert caught.value.line == 1
        assert "query_id" in str(caught.value)


@pytest.mark.parametrize(
    ("begin", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is a PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01", "this is a JPEG picture"),
        (b"PK\x03\x04\x14\0\0\0\x08\0", "this is a ZIP archive; unpack it"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "this is a PDF document"),
        (b"<!DOCTYPE html>\n<html><body>1 Q0 a 1 2 x</body></html>", "this is an HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n", "a Git LFS pointer.*git lfs pull"),
        (b"\0" * 257 + b"ustar\x0000", "this is a tar archive"),
        (b"SQLite format 3\0\x10\0", "this is an SQLite database"),
    ],
)
@pytest.mark.parametrize("kind", [None, "run", "documents"])
def test_it_says_what_a_file_is(tmp_path: Path, begin: bytes, said: str, kind: str | None) -> None:
    path = tmp_path / "x"
    path.write_bytes(begin)
    with pytest.raises(ParseError, match=said):
        load(path, kind=kind)


@pytest.mark.parametrize("size", [32, 100, 5000])
def test_random_bytes_are_never_printed(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x"
    for seed in range(20):
        path.write_bytes(b"\x07" + random.Random(seed).randbytes(size))
        for kind in (None, "run", "queries"):
            with pytest.raises(ParseError) as caught:
                load(path, kind=kind)
            assert "this is not text" in str(caught.value)
            assert str(caught.value).isascii()


def archive(*members: tuple[str, int]) -> bytes:
    """A ZIP archive; Excel leaves so many null bytes after the name of a member."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as file:
        for name, nulls in members:
            member = zipfile.ZipInfo(name)
            member.extra = struct.pack("<HH", 0xA220, nulls) + bytes(nulls) if nulls else b""
            file.writestr(member, random.Random(name).randbytes(400))
    return sink.getvalue()


TYPES = "[Content_Types].xml"
OFFICE = [
    ("a.xlsx", archive((TYPES, 560), ("_rels/.rels", 1000), ("xl/workbook.xml", 0)), "an Excel workbook"),
    ("a", archive((TYPES, 560), ("_rels/.rels", 1000), ("xl/workbook.xml", 700)), "an Excel workbook"),
    ("a.xlsx", archive(("docProps/app.xml", 0), ("docProps/core.xml", 0), ("xl/styles.xml", 0)), "an Excel workbook"),
    ("a.XLSX", archive((TYPES, 9000)), "an Excel workbook"),
    ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000), "an Excel workbook"),
    ("a.ods", archive(("mimetype", 0)), "an OpenDocument spreadsheet"),
    ("a.docx", archive((TYPES, 560), ("_rels/.rels", 1000), ("word/document.xml", 0)), "a Word document"),
    ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000), "a Word document"),
    ("a.zip", archive(("runs/a.run", 0)), "a ZIP archive; unpack it and open the files in it"),
    ("a.zip", archive(("runs/a.run", 3000)), "a ZIP archive; unpack it and open the files in it"),
]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(("name", "data", "what"), OFFICE)
def test_spreadsheets_are_named(tmp_path: Path, name: str, data: bytes, what: str, large: bool) -> None:
    path = tmp_path / name
    path.write_bytes(data + random.Random(0).randbytes(5_000_000) if large else data)
    for kind in (None, "run", "documents"):
        with pytest.raises(ParseError) as caught:
            load(path, kind=kind)
        assert f"this is {what}" in str(caught.value)
        assert ("as CSV" in str(caught.value)) == ("ZIP" not in what)


@pytest.mark.parametrize(
    ("sign", "what"),
    [
        (b"ORC", "an ORC file"), (b"FEA1", "a Feather file of version 1; write it"),
        (b"PARE", "an encrypted Parquet file"),
    ],
)  # fmt: skip
def test_tables_that_are_not_read_are_named(tmp_path: Path, sign: bytes, what: str) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(sign + bytes(range(256)))
    with pytest.raises(ParseError, match=f"this is {what}"):
        load(path)


ODD = {
    "chunks.csv": "question,chunk_id,similarity\nwhy,d1#1,0.9\nwhy,d1#2,0.8\n",
    "clicks.csv": "query,url,clicks\nshoe,http://x/a,3\nshoe,http://x/b,0\n",
    "positions.txt": "keyword|sku|pos\nshoe|a|1\nshoe|b|2\n",
}


@pytest.mark.parametrize("name", ODD)
def test_rows_about_documents_are_no_queries(name: str, tmp_path: Path) -> None:
    """They were read as queries, and all rows but the first of each were left out."""
    path = tmp_path / name
    path.write_text(ODD[name])
    with pytest.raises(ColumnsError, match=rf"{name}:3: the rows of a query differ, so that they are no queries"):
        load(path)
    assert load(path, kind="queries").kind == "queries"
    path.write_text(ODD[name].rsplit("\n", 2)[0] + "\n" + ODD[name].splitlines()[1] + "\n")
    assert load(path).kind == "queries"  # rows that are repeated say nothing else


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "1", "object": "chat.completion", "choices": [{"index": 0}]}\n',
        '<results><query id="1"><doc id="a" score="2"/></query></results>',
    ],
)
def test_entries_without_a_text_are_no_queries(text: str, tmp_path: Path) -> None:
    """They were read as queries, of which none has a text."""
    path = tmp_path / "some"
    path.write_text(text)
    with pytest.raises(ParseError, match="no entry has a text: these are no queries"):
        load(path)
    assert load(path, kind="queries").kind == "queries"


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow"])
def test_tables_without_texts_are_documents_only_if_named_so(suffix: str, tmp_path: Path) -> None:
    """A click log in which no document is repeated was read as documents, without a word."""
    path = tmp_path / f"some.{suffix}"
    table = pa.table({"user_id": ["u1", "u2"], "doc_id": ["d1", "d2"], "clicked": [1, 0]})
    if suffix == "parquet":
        parquet.write_table(table, path)
    elif suffix == "arrow":
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    else:
        table.to_pandas().to_csv(path, index=False, sep="\t" if suffix == "tsv" else ",")
    for given in (None, suffix):
        with pytest.raises(ColumnsError, match=r"no column has a text.*user_id.*open the file as documents"):
            load(path, format=given)
        # A large one is not read whole.
        assert load_corpus(path, kind=None, name=None, format=given, progress=lambda _: None, index_from=0) is None
    documents = load(path, kind="documents").value
    assert isinstance(documents, TextTable)
    assert (list(documents.ids), documents.attributes) == (["d1", "d2"], ("user_id", "clicked"))

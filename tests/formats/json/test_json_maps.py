"""JSON and CBOR maps of numbers: the kind told from the numbers, faults with their place, ranx' own files."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pytest

from irviewer.errors import ParseError
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def opened(text: str, path: str = "x.json") -> Opened:
    return Opened(path, text.encode(), "", "utf-8")


@pytest.mark.parametrize(
    ("text", "path", "kind"),
    [
        ('{"1": {"a": 1.5}}', "x.json", "run"),
        ('{"1": {"a": 15e-1}}', "x.json", "run"),
        ('{"1": {"a": 1, "b": 0}}', "x.json", "qrels"),
        ('{"1": {"a": 1, "b": 0}}', "my.run.json", "run"),
        ('{"1": {"a": 0.5}}', "qrels.json", "qrels"),
        ('{"1": {}, "2": {"a": 3}}', "x.json", "qrels"),
    ],
)
def test_the_kind_is_a_guess_and_says_so(text: str, path: str, kind: str) -> None:
    loaded = load_opened(opened(text, path))
    assert loaded.kind == kind
    assert "a guess" in loaded.report.reason
    other = "run" if kind == "qrels" else "qrels"
    assert load_opened(opened(text, path), kind=other).kind == other


def test_escapes_of_whole_characters() -> None:
    run = load_opened(opened('{"1": {"\\ud83d\\ude00 \\\\ud800": 1.5}}')).value
    assert isinstance(run, Run)
    assert run.ranking("1") == ["\U0001f600 \\ud800"]


def test_objects_with_ids_are_texts() -> None:
    assert load_opened(opened('{"q1": {"id": 7, "text": "heat"}}')).kind == "queries"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{"1": {"a": 1.5}', 1, 17, "not valid JSON"),
        ('{"1": {"a": 1},\n "2": [1]}', 2, 2, "no object of documents"),
        ('{"1": {"a": 1.5},\n "2": {"a": 2,\n "b": "high"}}', 3, 2, 'score "high" is not a number'),
        ('{"1": {"a": 1.5, "b": true}}', 1, 18, "score true is not a number"),
        ('{"1": {"a": 1.5, "b": null}}', 1, 18, "score null"),
        ('{"1": {"a": 1.5,\n "\\\\\\ud83d": 2}}', 2, 5, "ud83d is half a character"),
        ('{"1": {"a": 1.5,\n "\\udc00": 2}}', 2, 3, "half a character"),
        ('{"1": {"a": 1.5, "": 2}}', 1, 18, "document id is empty"),
        ('{"1": {"a": 1.5, "a": 2.5}}', 1, 18, "is repeated; 1 such row in all"),
        ('{"1": {"b": 1, "a": "1.5", "\\\\\\"": 1},\n "2": {"ä": 2.5,  "a" :1, "a": 2.5}}', 2, 27, "is repeated"),
        ('{"1": {"a": 1, "2": 2},\n "2": {"a": "x"}}', 2, 8, 'score "x" is not a number'),
        ('{"1": {"a": 1' + "0" * 400 + "}}", 1, 8, "is not a number"),
    ],
)
def test_faults_have_a_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        load_opened(opened(text), kind="run")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in caught.value.reason


def test_deep_and_long_json_are_refused() -> None:
    for text in ('{"1": {"a": 1.0, "b": ' + "[" * 100_000 + "}", '{"1": {"a": ' + "1" * 5000 + "}}"):
        with pytest.raises(ParseError):
            load_opened(opened(text), kind="run")


def test_repeated_keys_follow_the_policy() -> None:
    run = load_opened(opened('{"1": {"a": 1.5, "a": 2.5}, "1": {"b": 2.0}}'), duplicates="last").value
    assert isinstance(run, Run)
    assert dict(zip(run.ranking("1"), run.ranking_scores("1").tolist(), strict=True)) == {"a": 2.5, "b": 2.0}


@pytest.mark.parametrize("name", ["json", "ranx-lz4", "parquet", "arrow"])
def test_what_is_written_reads_back(tmp_path: Path, name: str) -> None:
    write = format_named(name).write
    assert write is not None
    run = Run.from_dict({"q 1": {"a": 3.0, 'b "x"': 0.1, "ü": -1e300}, "q2": {"a": 2.0}})
    path = tmp_path / "x"
    path.write_bytes(write(run))
    again = load(path).value
    assert isinstance(again, Run)
    assert again.query_ids == run.query_ids
    assert again.doc_ids.equals(run.doc_ids)
    assert again.scores.tolist() == run.scores.tolist()
    if name == "ranx-lz4":
        return
    qrels = Qrels.from_dict({"q1": {"a": 2, "b": 0}, "q2": {"a": -1}})
    path.write_bytes(write(qrels))
    judged = load(path).value
    assert isinstance(judged, Qrels)
    assert judged.judgments("q1") == {"a": 2, "b": 0}


def test_ranx_files(data: Path) -> None:
    folder = data / "toolkit-tests" / "ranx"
    base = load(folder / "run.trec").value
    assert isinstance(base, Run)
    for name in ("run.json", "run.lz4", "run.parquet", "run.trec.gz"):
        run = load(folder / name).value
        assert isinstance(run, Run), name
        assert {q: run.ranking(q) for q in run.query_ids} == {q: base.ranking(q) for q in base.query_ids}
    for name in ("qrels.json", "qrels.parquet", "qrels.trec", "qrels.trec.gz"):
        qrels = load(folder / name).value
        assert isinstance(qrels, Qrels), name
        assert qrels.judgments("q1") == {"d1": 1, "d2": 2, "d3": 3}


def test_lz4_as_ranx_reads_it() -> None:
    frame = pytest.importorskip("lz4.frame", reason="ranx' own library for frames is not installed")
    cbor2 = pytest.importorskip("cbor2", reason="ranx' own library for CBOR is not installed")
    rankings = {f"q{n}": {f"document {m}": float(m) for m in range(n)} for n in (1, 23, 24, 300)}
    run = Run.from_dict(rankings)
    write = format_named("ranx-lz4").write
    assert write is not None
    with frame.open(io.BytesIO(write(run))) as stream:
        assert cbor2.loads(frame.decompress(stream.read())) == rankings


def test_ranx_lz4_of_every_width_and_kind_of_number(tmp_path: Path) -> None:
    path = tmp_path / "x.lz4"

    def read(data: bytes) -> Run:
        path.write_bytes(_lz4(_lz4(data)))
        run = load(path, kind="run").value
        assert isinstance(run, Run)
        return run

    # An open map, a byte, a half float, a negative number; keys that are numbers.
    run = read(bytes.fromhex("bf6131a2616118ff6162f93c006132a161613903e7ff"))
    assert [run.ranking("1"), run.ranking_scores("1").tolist()] == [["a", "b"], [255.0, 1.0]]
    assert run.ranking_scores("2").tolist() == [-1000.0]
    assert read(bytes.fromhex("a101a103fb3fe0000000000000")).ranking("1") == ["3"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xa1", "is incomplete"),
        (b"\xbb\x00\x00\xff\xff\xff\xff\xff\xff", "is incomplete"),
        (b"\xa1\x61a\x81\x01", "no object"),
        (b"\xa1\x61a\xf6", "no object"),
        (b"\xa1\x61a\xa1\x61b\xf6", "number"),
        (b"\xa1\x61a\xa1\x61b\xc1\x61a", "not CBOR"),
        (b"\xa1\x61a" * 2000, "not CBOR"),
        (b"\xa1\x61a\xff", "not CBOR"),
    ],
)
def test_a_ranx_lz4_that_is_damaged_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x.lz4"
    path.write_bytes(_lz4(_lz4(data)))
    with pytest.raises(ParseError, match=reason):
        load(path, kind="run")


def _lz4(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


def test_scores_keep_their_point_so_that_the_file_says_what_it_is() -> None:
    write = format_named("json").write
    assert write is not None
    assert json.loads(write(Run.from_dict({"q": {"a": 2.0}}))) == {"q": {"a": 2.0}}
    assert b'"a": 2.0' in write(Run.from_dict({"q": {"a": 2.0}}))
    assert b'"a": 2}' in write(Qrels.from_dict({"q": {"a": 2}}))

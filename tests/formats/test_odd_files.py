"""Odd files of every kind: each is read for what it is, or refused in one line with its place and what to do."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from one_process import results
from patience import LONG_PROCESS

from irviewer.cli.main import main
from irviewer.errors import ParseError
from irviewer.formats.load import Loaded, load
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RUN = "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n2 Q0 c 1 2.5 x\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
KINDS = {
    "x.run": RUN,
    "x.qrels": QRELS,
    "run.csv": "query_id,doc_id,score\n1,a,2.5\n1,b,1.5\n2,c,2.5\n",
    "run.tsv": "query_id\tdoc_id\tscore\n1\ta\t2.5\n1\tb\t1.5\n2\tc\t2.5\n",
    "run.json": '{"1": {"a": 2.5, "b": 1.5},\n "2": {"c": 2.5}}\n',
    "run.jsonl": "".join(
        f'{{"query_id": "{query}", "doc_id": "{document}", "score": {score}}}\n'
        for query, document, score in ((1, "a", 2.5), (1, "b", 1.5), (2, "c", 2.5))
    ),
    "ms.tsv": "1\ta\t1\n1\tb\t2\n2\tc\t1\n",
}  # fmt: skip


def read(folder: Path, name: str, data: bytes) -> Loaded:
    path = folder / name
    path.write_bytes(data)
    return load(path)


def rankings(loaded: Loaded) -> dict[str, list[str]]:
    value = loaded.value
    if isinstance(value, Run):
        return {query: value.ranking(query) for query in value.query_ids}
    assert isinstance(value, Qrels)
    return {query: list(value.judgments(query)) for query in value.query_ids}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    "coded",
    [
        lambda text: text.encode(),
        lambda text: codecs.BOM_UTF8 + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: b"\n \n" + text.replace("\n", "\n\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.encode("utf-32"),
        lambda text: codecs.BOM_UTF32_BE + text.encode("utf-32-be"),
        lambda text: gzip.compress(text.encode()),
    ],
    ids=["plain", "bom", "crlf", "cr", "blank", "no end", "16", "16 le", "16 be", "32 le", "32 be", "gzip"],
)  # fmt: skip
def test_the_same_however_it_is_written(tmp_path: Path, name: str, coded: object) -> None:
    assert callable(coded)
    assert rankings(read(tmp_path, name, coded(KINDS[name]))) == {"1": ["a", "b"], "2": ["c"]}


@pytest.mark.parametrize("name", KINDS)
def test_ids_keep_their_unicode_white_space(tmp_path: Path, name: str) -> None:
    text = KINDS[name].replace('"a"', '"文\u00a0é"').replace("\ta\t", "\t文\u00a0é\t").replace(",a,", ",文\u00a0é,")
    text = text.replace(" a ", " 文\u00a0é ")
    assert rankings(read(tmp_path, name, text.encode())) == {"1": ["文\u00a0é", "b"], "2": ["c"]}


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "words"),
    [
        ("x.run", "1 Q0 a 2.5 x\n1 Q0 b 1.5 x\n", 1, 13, "5 columns; a TREC run has 6"),  # no rank
        ("x.run", "1 Q0 a 1 x\n1 Q0 b 2 1.5 x\n", 1, 11, "5 columns; a TREC run has 6"),  # a score left out
        ("x.csv", "query_id,doc_id,score\n1,a,2.5\n# bye\n", 3, 0, "comments are allowed only before the header"),
        ("x.csv", "query_id,doc_id,score\n1,a,2.5\n1,b\n", 3, 0, "[1,b]; complete the line"),
        ("x.csv", "query_id,doc_id,score\n1,a,2.5\n1,b,high\n", 3, 5, '"high", which is not a number [1,b,high]'),
        ("x.csv", "query_id,doc_id,score\n1,a,2.5\nquery_id,doc_id,score\n", 3, 17, "this is a second header"),
        ("x.csv", "query_id,doc_id,score\n1,a,1_000\n", 2, 5, '"1_000", which is not a number'),
        ("x.csv", "query_id,doc_id,relevance\n1,a,1\n1,b,NaN\n", 3, 0, "nan, which is not a finite number"),
        ("qrels.json", '{"1": {"a": 1,\n "b": NaN}}', 2, 2, "nan, which is not a finite number"),
        (
            "x.jsonl",
            '{"query_id": "1", "doc_id": "a", "score": 2.5}\n# bye\n',
            2,
            1,
            "[# bye]; write one object per line",
        ),
        ("x.jsonl", '{"query_id": "1", "doc_id": "a", "score": ""}\n', 1, 0, "score is empty"),
    ],
)
def test_a_fault_has_its_place_and_a_way_out(
    tmp_path: Path, name: str, text: str, line: int, column: int, words: str
) -> None:
    with pytest.raises(ParseError) as caught:
        read(tmp_path, name, text.encode())
    assert (caught.value.line, caught.value.column) == (line, column)
    assert words in caught.value.message
    assert "\n" not in caught.value.message


def test_lines_of_something_else_among_judgments_are_a_warning(tmp_path: Path) -> None:
    loaded = read(tmp_path, "x.qrels", (QRELS + RUN).encode())
    assert any("3 lines have more than 4 columns" in text for text in loaded.report.warnings)
    whole = read(tmp_path, "y.qrels", QRELS.replace("\n", " who\n").encode())
    assert whole.report.warnings == ()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "a PNG"), (b"PK\x03\x04" + bytes(200), "a ZIP"),
        (b"%PDF-1.4\n" + bytes(range(256)) * 3, "a PDF"), (bytes(3000), "not text"),
        (gzip.compress(gzip.compress(RUN.encode() * 30)), "not text"), (b"\x7fELF" + bytes(range(100)), "a program"),
    ],
    ids=["png", "zip", "pdf", "zeros", "twice packed", "elf"],
)  # fmt: skip
def test_what_is_no_text_is_said_to_be_none(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(ParseError, match=said):
        read(tmp_path, "x.bin", data)


def test_columns_that_hold_no_ids(tmp_path: Path) -> None:
    for ids in (pa.array([["a"]]), pa.array([b"\xff"]), pa.array([{"a": 1}])):
        sink = io.BytesIO()
        pq.write_table(pa.table({"query_id": ["1"], "doc_id": ids, "score": [1.5]}), sink)
        with pytest.raises(ParseError, match="which cannot be an id"):
            read(tmp_path, "x.parquet", sink.getvalue())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipes = [tmp_path / name for name in KINDS]
    for pipe in pipes:
        os.mkfifo(pipe)
        threading.Thread(target=pipe.write_bytes, args=(KINDS[pipe.name].encode(),), daemon=True).start()
    for pipe, done in zip(pipes, results([["check", str(pipe)] for pipe in pipes], tmp_path, os.environ), strict=True):
        assert (done.returncode, done.stderr) == (0, ""), pipe.name
        assert "queries" in done.stdout, pipe.name


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of POSIX")
def test_a_device_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "irviewer: /dev/zero: this is a device, not a file\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_behind_standard_output_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text(RUN)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "irviewer", "convert", str(tmp_path / "x.run"), "-"], stdout=full,
            stderr=subprocess.PIPE, text=True, timeout=LONG_PROCESS, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "irviewer: standard output: No space left on device\n"

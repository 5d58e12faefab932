"""convert, check and formats from the command line: any format into any other, and what is lost or odd is said."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from irviewer.cli import main
from irviewer.formats.format import Format
from irviewer.formats.load import load
from irviewer.formats.registry import FORMATS
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

STRICT = ("asreview", "ris", "smart-qrels", "npl", "lisa", "cranfield", "sampled")
"""Written by few qrels only: of one query, or without grades, or of numbers, or with strata."""
HELD = {
    "rag24": "answers_rag24.jsonl",
    "rag25": "answers_rag24.jsonl",
    "rag25-ids": "answers_rag24.jsonl",
    "rag-responses": "answers_rag24.jsonl",
    "assignments": "answer_assignments.jsonl",
    "support": "answer_support.jsonl",
    "nuggets": "answer_nuggets.jsonl",
    "answer-table": "answers.csv",
    "answer-table-tsv": "answers.csv",
}
"""Formats that hold what a list of documents has not -> a file with it."""
SMALL = Path(__file__).parents[2] / "data" / "formats"
RUN = "1 Q0 b 1 2.5 tag\n1 Q0 a 2 1.5 tag\n2 Q0 c 1 0.125 tag\n"
QRELS = "1 0 b 2\n1 0 a 0\n2 0 c 1\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "x.run").write_text(RUN)
    (tmp_path / "x.qrels").write_text(QRELS)
    return tmp_path


def convert(*words: str | Path) -> int:
    return main.main(["convert", *map(str, words)])


def ranking(path: Path, name: str | None = None) -> dict[str, list[str]]:
    run = load(path, kind="run", format=name).value
    assert isinstance(run, Run)
    return {query: run.ranking(query) for query in run.query_ids}


def pairs(formats: list[Format]) -> list[Any]:
    """Each format as source and as target; in an ordinary run each to itself, from the first and into the first."""
    return [
        pytest.param(
            source,
            target,
            id=f"{source.name}-{target.name}",
            marks=[] if source is target or formats[0] in (source, target) else pytest.mark.slow,
        )
        for source in formats
        for target in formats
    ]


RUNS = [file_format for file_format in FORMATS if file_format.writes("run") and file_format.name not in HELD]


@pytest.mark.parametrize(("source", "target"), pairs(RUNS))
def test_any_run_into_any(files: Path, source: Format, target: Format) -> None:
    assert convert(files / "x.run", files / "one", "--to", source.name) == 0
    assert convert(files / "one", files / "two", "--from", source.name, "--kind", "run", "--to", target.name) == 0
    assert ranking(files / "two", target.name) == {"1": ["b", "a"], "2": ["c"]}


JUDGMENTS = [
    file_format for file_format in FORMATS if file_format.writes("qrels") and file_format.name not in (*STRICT, *HELD)
]


@pytest.mark.parametrize(("source", "target"), pairs(JUDGMENTS))
def test_any_qrels_into_any(files: Path, source: Format, target: Format) -> None:
    assert convert(files / "x.qrels", files / "one", "--to", source.name) == 0
    assert convert(files / "one", files / "two", "--from", source.name, "--kind", "qrels", "--to", target.name) == 0
    qrels = load(files / "two", kind="qrels", format=target.name).value
    assert isinstance(qrels, Qrels)
    assert {q: qrels.judgments(q) for q in qrels.query_ids} == {"1": {"b": 2, "a": 0}, "2": {"c": 1}}


@pytest.mark.parametrize("target", HELD)
def test_answers_and_their_labels_are_kept(tmp_path: Path, target: str) -> None:
    """Written, read and written again they are the same bytes, and the queries are those of the source."""
    source, kind = SMALL / HELD[target], "qrels" if target == "nuggets" else "run"
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert convert(source, first, "--to", target) == 0
    assert convert(first, second, "--from", target, "--kind", kind, "--to", target) == 0
    assert first.read_bytes() == second.read_bytes()
    read, written = load(source, kind=kind).value, load(second, kind=kind).value
    assert isinstance(read, Run | Qrels) and isinstance(written, Run | Qrels)
    assert read.query_ids == written.query_ids != ()
    if target == "nuggets":
        assert isinstance(read, Qrels) and isinstance(written, Qrels)
        assert read.nuggets is not None and written.nuggets is not None
        assert read.nuggets.texts.to_pylist() == written.nuggets.texts.to_pylist() != []
    elif target not in ("assignments", "support"):
        assert ranking(source) == ranking(second)


@pytest.mark.parametrize("target", HELD)
def test_a_list_of_documents_is_not_written_as_answers(
    files: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "x.qrels" if target == "nuggets" else "x.run"
    assert convert(files / source, files / "one", "--to", target) == 2
    assert "this format holds " in capsys.readouterr().err
    assert not (files / "one").exists()


def test_what_a_form_of_answers_does_not_keep_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The scores of citations and the team were lost in silence, and nuggets as a table were a header alone."""
    source, target = tmp_path / "a.jsonl", tmp_path / "b.out"
    about = {"team_id": "us", "run_id": "s", "topic_id": "1", "topic": "why"}
    sentences = [{"text": "One.", "citations": {"a": 0.5, "b": 0.75}}]
    source.write_text(json.dumps({"metadata": about, "responses": sentences, "references": ["a", "b"]}))
    for form, scores, team in (("rag24", True, True), ("rag25", True, False), ("rag-responses", False, False)):
        assert convert(source, target, "--to", form) == 0
        said = capsys.readouterr().err
        assert ("the scores of citations are not kept" in said, "the metadata of the answers" in said) == (scores, team)
        assert ('"team_id": "us"' in target.read_text()) is not team
        assert "why" in target.read_text() and "the scores are not kept" not in said
    source = SMALL / "answer_nuggets.jsonl"
    assert convert(source, tmp_path / "n.csv") == 0 and convert(source, tmp_path / "n.jsonl", "--to", "nuggets") == 0
    assert "query id" not in capsys.readouterr().err
    table, nuggets = load(tmp_path / "n.csv").value, load(source).value
    assert isinstance(table, Qrels) and table.nuggets is not None
    assert (
        isinstance(nuggets, Qrels) and nuggets.nuggets is not None and table.nuggets.texts.equals(nuggets.nuggets.texts)
    )
    assert convert(source, tmp_path / "n.parquet") == 2 and not (tmp_path / "n.parquet").exists()
    assert "has nuggets and no judged documents" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("a.json", b'{\n "1": {"b": 2.5'),
        ("a.json.gz", b"\x1f\x8b"),
        ("a.run.bz2", b"BZh"),
        ("a.run.xz", b"\xfd7zXZ"),
        ("a.run.zst", b"\x28\xb5\x2f\xfd"),
        ("a.run.lz4", b"\x04\x22\x4d\x18"),
        ("a.parquet", b"PAR1"),
        ("a.arrow", b"ARROW1"),
        ("a.csv", b"query_id,doc_id,rank,score,tag\n1,b,1,2.5,tag\n"),
        ("a.tsv", b"query_id\tdoc_id\trank\tscore\ttag\n"),
        ("a", b"1 Q0 b 1 2.5 tag\n"),
    ],
)
def test_the_ending_chooses(files: Path, name: str, begin: bytes) -> None:
    assert convert(files / "x.run", files / name) == 0
    assert (files / name).read_bytes().startswith(begin)
    assert ranking(files / name) == {"1": ["b", "a"], "2": ["c"]}


def test_standard_input_and_output(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    assert convert("-", "-", "--name", "mine", "--to", "msmarco") == 0
    out, err = capfdbinary.readouterr()
    assert out == b"1\tb\t1\n1\ta\t2\n2\tc\t1\n"
    assert b"the scores are not kept" in err
    assert b"-: TREC run (six columns, the fifth a number), written as MS MARCO run" in err


def test_the_name_becomes_the_tag(files: Path) -> None:
    assert convert(files / "x.run", files / "y.run", "--name", "mine") == 0
    assert (files / "y.run").read_text().startswith("1 Q0 b 1 2.5 mine\n")


def test_what_is_lost_is_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "c.run").write_text("1 Q0 b 1 2.5 tag 7\n")
    assert convert(files / "c.run", files / "c.json") == 0
    assert "the score components are not kept: column 7" in capsys.readouterr().err
    (files / "s.qrels").write_text("1 1 b 2\n1 2 a 0\n")
    assert convert(files / "s.qrels", files / "s.json") == 0
    assert "(subtopics, assessors or rounds) is not kept\n" in capsys.readouterr().err
    (files / "d.qrels").write_text("1;1;b;L2\n1;2;b;L1\n")
    assert convert(files / "d.qrels", files / "d.json") == 0
    assert "is not kept: each document is written once, with its highest grade" in capsys.readouterr().err
    assert json.loads((files / "d.json").read_text()) == {"1": {"b": 2}}
    assert convert(files / "d.qrels", files / "d.csv") == 0
    again = load(files / "d.csv").value
    assert isinstance(again, Qrels)
    assert again.assessments is not None
    assert again.assessments.groups.to_pylist() == ["1", "2"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("x.run", "y", "--to", "letor"), "cannot write run as letor; --to is one of:"),
        (("x.run", "y", "--to", "lettor"), "similar names: letor"),
        (("x.run", "y", "--from", "smart", "--kind", "run"), "smart files can be queries, documents, not run"),
        (("x.run", "x.run"), "same file"),
        (("x.run", "."), "is a folder"),
        (("none", "y"), "does not exist"),
        (("x.qrels", "y", "--kind", "run"), "4 columns; a TREC run has 6"),
    ],
)
def test_refused(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(files)
    assert convert(*words) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1
    assert not (files / "y").exists()


def test_queries_and_documents(files: Path) -> None:
    (files / "q.tsv").write_text("1\theat flow\n2\tslabs\n")
    assert convert(files / "q.tsv", files / "q.jsonl", "--kind", "queries") == 0
    assert (files / "q.jsonl").read_text() == '{"_id": "1", "text": "heat flow"}\n{"_id": "2", "text": "slabs"}\n'
    assert convert(files / "q.jsonl", files / "r.tsv") == 0
    assert (files / "r.tsv").read_text() == "id\ttext\n1\theat flow\n2\tslabs\n"


def test_check_says_format_and_reason_and_is_overruled(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "x.json").write_text('{"1": {"a": 1}}')
    assert main.main(["check", str(files / "x.json"), str(files / "x.run")]) == 0
    out = capsys.readouterr().out
    assert (
        "JSON qrels (an object of numbers by query and document, all whole numbers: grades (a guess; --kind run" in out
    )
    assert "TREC run (six columns, the fifth a number)" in out
    assert main.main(["check", str(files / "x.json"), "--kind", "run"]) == 0
    assert "JSON run (as requested)" in capsys.readouterr().out
    assert main.main(["check", str(files / "x.run"), "--from", "letor"]) == 2
    assert "x.run:1:1: the line does not begin with a grade and qid:" in capsys.readouterr().err


def test_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["formats"]) == 0
    out = capsys.readouterr().out
    assert all(file_format.name in out for file_format in FORMATS)

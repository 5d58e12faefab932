"""NTCIR's levels in their three shapes and its runs; LETOR alone and with scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.load import Loaded, load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def read(text: str, path: str = "x", **choices: str) -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "utf-8"), **choices)  # type: ignore[arg-type]


def judged(loaded: Loaded, query: str) -> dict[str, float]:
    assert isinstance(loaded.value, Qrels)
    return loaded.value.judgments(query)


def test_ntcir_shapes(small: Path) -> None:
    loaded = load(small / "formats" / "ntcir.qrels")
    assert judged(loaded, "0001") == {"doc-a": 0, "doc-b": 2}
    assert "NTCIR levels" in loaded.report.reason
    assert judged(read("a L3\nb L0\n", "folder/0007.rel"), "0007") == {"a": 3, "b": 0}
    assert judged(read("1;a string of words;L1\n1;another;L0\n"), "1") == {"a string of words": 1, "another": 0}
    assert judged(read("1 S a 1\n1 C b 0\n"), "1") == {"a": 3, "b": 0}
    diverse = read("1;1;a;L2\n1;2;a;L1\n").value
    assert isinstance(diverse, Qrels)
    _, intents, documents, grades = diverse.written
    assert intents is not None
    assert (intents.to_pylist(), documents.to_pylist(), grades.tolist()) == (["1", "2"], ["a", "a"], [2, 1])
    assert diverse.judgments("1") == {"a": 2}


def test_a_ranking_of_one_topic() -> None:
    loaded = read("b\na\nc\n", "folder/0007.TEAM-1.res", format="ntcir", kind="run")
    assert isinstance(loaded.value, Run)
    assert loaded.value.query_ids == ("0007",)
    assert loaded.value.ranking("0007") == ["b", "a", "c"]
    with pytest.raises(ParseError) as caught:
        read("b\n" * 60 + "a c\n", "1.res", format="ntcir", kind="run", duplicates="best")
    assert caught.value.line == 61


def test_an_ntcir_run_has_its_description(small: Path) -> None:
    loaded = load(small / "formats" / "ntcir.run")
    assert isinstance(loaded.value, Run)
    assert loaded.value.attributes == {"description": "BM25 over titles"}
    assert loaded.value.ranking("0001") == ["doc-b", "doc-c"]
    with pytest.raises(ParseError) as caught:
        read("<SYSDESC>x</SYSDESC>\n1 0 a 1 2.5 t\n1 0 b 2 x t\n")
    assert caught.value.line == 3


def test_ntcir_files_of_sakai(data: Path) -> None:
    folder = data / "toolkit-tests" / "NTCIREVAL"
    qrels = load(folder / "test.qrels")
    lines = [line.split() for line in (folder / "test.qrels").read_text().splitlines()]
    assert isinstance(qrels.value, Qrels)
    assert len(qrels.value) == len(lines)
    assert judged(qrels, "0001")["clueweb09-en0000-15-04138"] == 0
    assert sum(qrels.value.grades) == sum(int(row[2][1:]) for row in lines)
    diverse = load(folder / "test.Dqrels").value
    assert isinstance(diverse, Qrels)
    assert diverse.assessments is not None
    assert set(diverse.assessments.names) >= {"0", "1"}
    for name in ("ntcir", "trec"):
        write = format_named(name).write
        assert write is not None
        again = load_opened(Opened("x", write(diverse), "", "utf-8")).value if name == "ntcir" else diverse
        assert isinstance(again, Qrels)
        assert again.assessments is not None
        assert again.assessments.groups.equals(diverse.assessments.groups)
        assert again.assessments.grades.tolist() == diverse.assessments.grades.tolist()
        assert again.grades.tolist() == diverse.grades.tolist()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 a L0\n1 b 2\n", 2, "a level such as L2 at the end"),
        ("1 a L0\n\n1 b c d L2\n", 3, "a level such as L2 at the end"),
        ("1 a L0\n1 b L1\n1 a L2\n", 3, "is repeated with another grade (lines 1 and 3)"),
        ("1;1;a;L0\n1;2;a;L0\n1;1;a;L1\n", 3, "of query 1, subtopic 1 is repeated with another grade (lines 1 and 3)"),
    ],
)
def test_ntcir_faults(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text, format="ntcir", kind="qrels")
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_grades_that_are_no_levels_are_refused() -> None:
    write = format_named("ntcir").write
    assert write is not None
    assert write(Qrels.from_dict({"1": {"a": 2}})) == b"1 a L2\n"
    for grade in (-1, 0.5):
        with pytest.raises(OptionError, match="is not a level"):
            write(Qrels.from_dict({"1": {"a": grade}}))


def test_letor(small: Path) -> None:
    path = small / "formats" / "letor.txt"
    loaded = load(path)
    assert judged(loaded, "10") == {"GX029-35-5894638": 2, "GX030-77-6315042": 0}
    assert judged(loaded, "11") == {"7555": 1}
    assert "qid:" in loaded.report.reason
    run = load(path, kind="run", format="letor", scores=small / "formats" / "letor_scores.txt").value
    assert isinstance(run, Run)
    assert run.ranking("10") == ["GX030-77-6315042", "GX029-35-5894638"]
    write = format_named("letor").write
    assert write is not None
    assert write(Qrels.from_dict({"10": {"a": 2}})) == b"2 qid:10 # a\n"
    with pytest.raises(OptionError, match="white space"):
        write(Qrels.from_dict({"two words": {"a": 1}}))


def test_letor_without_documents_and_without_scores(small: Path, tmp_path: Path) -> None:
    loaded = read("1 qid:1 1:0.5\n0 qid:1 1:0.25\n2 qid:2 1:1\n")
    assert judged(loaded, "1") == {"1-1": 1, "1-2": 0}
    assert any("3 lines have no document id" in text for text in loaded.report.warnings)
    path = small / "formats" / "letor.txt"
    with pytest.raises(ParseError, match="--scores FILE"):
        load(path, kind="run", format="letor")
    scores = tmp_path / "scores"
    for text, reason in (("1\n2\n", "2 scores for 3 lines"), ("1\nx\n", '"x" is not a score')):
        scores.write_text(text)
        with pytest.raises(ParseError, match=reason):
            load(path, kind="run", scores=scores)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 qid:1 # a\n1 1:0.5 # b\n", 2, "not begin with a grade and qid:"),
        ("1 qid:1 # a\nhigh qid:1 # b\n", 2, 'grade "high"'),
    ],
)
def test_letor_faults(text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_res_and_lab_are_recognised_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "0001.res").write_text("b\na\nc\n")
    (tmp_path / "0001.lab").write_text("a L1\nb L0\nc\n")
    loaded = load(tmp_path / "0001.res")
    assert "a .res file" in loaded.report.reason
    assert isinstance(loaded.value, Run)
    assert loaded.value.ranking("0001") == ["b", "a", "c"]
    loaded = load(tmp_path / "0001.lab")
    assert isinstance(loaded.value, Qrels)
    assert loaded.value.judgments("0001") == {"a": 1, "b": 0}
    assert any("1 document has no level: unjudged" in finding.text for finding in loaded.report.findings)
    (tmp_path / "x.txt").write_text("a L1\nb L0\nc\n")
    with pytest.raises(ParseError):
        load(tmp_path / "x.txt")

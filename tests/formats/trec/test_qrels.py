"""TREC qrels: grades of every kind, the second column, duplicates, and faults with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import ParseError
from irviewer.formats.load_report import LoadReport
from irviewer.formats.reading.opener import open_bytes
from irviewer.formats.trec.qrels import parse_qrels, read_qrels
from irviewer.model.qrels import Qrels


def parse(tmp_path: Path, text: str, **said: object) -> tuple[Qrels, LoadReport]:
    path = tmp_path / "my.qrels"
    path.write_bytes(text.encode())
    return parse_qrels(open_bytes(path), **said)  # type: ignore[arg-type]


PLAIN = "1 0 a 2\n1 0 b#x 0\n10 0 ü 1\n1 0 c -2\n"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN, PLAIN[:-1], PLAIN.replace("\n", "\r\n"), PLAIN.replace(" ", "\t"), PLAIN.replace(" ", "  "),
        "\ufeff" + PLAIN, "# c\n" + PLAIN + "#end", PLAIN.replace("\n", "\n\n"), PLAIN.replace("2\n", "2 more\n"),
        PLAIN.replace(" 2\n", " 2.0\n"), PLAIN.replace(" 1\n", " +1\n"),
    ],
)  # fmt: skip
def test_every_shape_reads_as_the_same_qrels(tmp_path: Path, text: str) -> None:
    qrels, report = parse(tmp_path, text)
    assert qrels.query_ids == ("1", "10")
    assert qrels.judgments("1") == {"a": 2, "b#x": 0, "c": -2}
    assert qrels.judgments("10") == {"ü": 1}
    assert qrels.name == "my"
    assert qrels.subtopics is None
    assert dict(report.facts)["grades"] == "-2: 1, 0: 1, 1: 1, 2: 1"


def test_what_the_report_tells(tmp_path: Path) -> None:
    _, report = parse(tmp_path, "1 1 a 0.5\n1 2 b 0 more\n2 1 a 0\n")
    report_text = "\n".join(report.lines())
    for part in (
        "1 grade is a fraction",
        "the second column has 2 values (1, 2",
        "1 line has more than 4 columns",
    ):
        assert part in report_text
    assert "2 queries have no relevant document" in report_text


def test_the_second_column_where_it_says_something(tmp_path: Path) -> None:
    qrels, _ = parse(tmp_path, "1 1 a 1\n2 1 a 0\n1 2 b 1\n")
    assert qrels.subtopics is not None
    assert qrels.doc_ids.to_pylist() == ["a", "b", "a"]
    assert qrels.subtopics.to_pylist() == ["1", "2", "1"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("1 0 a 1\n1 0 b\n", 2, "3 columns; TREC qrels have 4"),
        ("1 0 a 1\n1 0 b yes\n", 2, 'grade "yes" is not a number'),
        ("1 0 a 1\n# c\n1 0 b nan\n", 3, "the grade is nan"),
        ("1 0 a 1 x\n\n1 0 b -inf\n", 3, "the grade is -inf"),
        (
            "1 0 a 1\n2 0 a 1\n1 0 a 2\n",
            3,
            r"document a of query 1 is repeated with another grade \(lines 1 and 3\); 1 such line in all",
        ),
        ("", 0, "the file is empty"),
        ("#\n", 0, "only comments"),
    ],
)
def test_faults_have_a_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as caught:
        parse(tmp_path, text)
    assert caught.value.line == line


@pytest.mark.parametrize(("policy", "grade"), [("first", 1), ("last", 0), ("best", 3)])
def test_one_of_several_is_kept(tmp_path: Path, policy: str, grade: float) -> None:
    qrels, report = parse(tmp_path, "1 x a 1\n1 x a 3\n2 y a 2\n1 x a 0\n", duplicates=policy)
    assert qrels.judgments("1") == {"a": grade}
    assert qrels.judgments("2") == {"a": 2}
    assert any(f"the {policy} is kept (lines 2, 4)" in warning for warning in report.warnings)
    assert qrels.subtopics is not None
    assert len(qrels.subtopics) == 2


def test_read_qrels_by_path(tmp_path: Path) -> None:
    path = tmp_path / "judgments.txt"
    path.write_text(PLAIN, encoding="utf-8")
    assert (read_qrels(path).name, read_qrels(str(path), name="mine").name) == ("judgments", "mine")

"""Documents that stand several times for a query: by subtopic or person (four columns), and as preferences (five)."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import OptionError, ParseError
from irviewer.formats.format import Loaded
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import FORMATS, format_named
from irviewer.model.qrels import Qrels

DIVERSITY = "1 1 a 1\n1 2 a 3\n2 x a 0\n1 1 b 2\n1 2 b 0\n"
PREFS = "1 me s1 a 1\n1 me s1 b 0\n1 me s2 c 3.5\n1 me s2 b 0\n1 you s1 b 2\n1 you s1 a 1\n"
Rows = list[tuple[str, ...]]


def loaded(text: str, path: str = "x", **said: str) -> Loaded:
    return load_opened(Opened(path, text.encode(), "", "ascii"), **said)  # type: ignore[arg-type]


def rows_of(qrels: object) -> Rows:
    """query, second column, third column, document, grade of every row, sorted."""
    assert isinstance(qrels, Qrels)
    queries, groups, documents, grades = qrels.written
    said = qrels.assessments
    subgroups = None if said is None else said.subgroups
    columns = (queries, groups, subgroups, documents)
    filled = [["0"] * len(grades) if column is None else column.to_pylist() for column in columns]
    return sorted(zip(*filled, [f"{grade:g}" for grade in grades], strict=True))


def test_a_subtopic_column_lets_a_document_be_listed_twice() -> None:
    loaded_qrels = loaded(DIVERSITY)
    assert isinstance(loaded_qrels.value, Qrels)
    assert loaded_qrels.value.judgments("1") == {"a": 3, "b": 2}
    assert loaded_qrels.value.judgments("2") == {"a": 0}
    assert loaded_qrels.value.subtopics is None
    assert rows_of(loaded_qrels.value) == sorted(
        (q, t, "0", d, g) for q, t, d, g in (x.split() for x in DIVERSITY.splitlines())
    )
    lines = "\n".join(loaded_qrels.report.lines())
    assert "the second column has 3 values (1, 2, x), and 2 documents have several" in lines
    assert not loaded_qrels.report.warnings


def test_twice_for_one_subtopic_is_twice() -> None:
    with pytest.raises(
        ParseError, match=r"a of query 1, subtopic 1 is repeated with another grade \(lines 1 and 6\); 1 such line"
    ):
        loaded(DIVERSITY + "1 1 a 2\n")
    best = loaded(DIVERSITY + "1 1 a 2\n", duplicates="best").value
    assert ("1", "1", "0", "a", "2") in rows_of(best)
    assert len(rows_of(best)) == 5
    with pytest.raises(ParseError, match=r"query 1, group me, subgroup s1 is repeated \(lines 1 and 7\)"):
        loaded(PREFS + "1 me s1 a 2\n")


def test_preferences_are_known_by_their_columns() -> None:
    loaded_prefs = loaded(PREFS)
    assert loaded_prefs.report.format == "preferences"
    assert loaded_prefs.report.reason == "five columns, the fourth a document, the fifth a number: preferences"
    assert isinstance(loaded_prefs.value, Qrels)
    assert loaded_prefs.value.judgments("1") == {"a": 1, "b": 2, "c": 3.5}
    assert rows_of(loaded_prefs.value) == sorted(tuple(line.split()) for line in PREFS.splitlines())
    assert dict(loaded_prefs.report.facts)["preference lines"] == "6 in 2 groups"


def test_what_is_not_preferences() -> None:
    assert loaded("1 0 a 1 extra\n").report.format == "TREC qrels"
    assert loaded("1 Q0 a 1 2.5\n").kind == "run"
    assert (
        loaded(PREFS.replace(" a ", " 7 ").replace(" b ", " 8 ").replace(" c ", " 9 ")).report.format == "preferences"
    )
    numbers = "1 me 2 7 1\n1 me 3 8 0\n"  # graded 7 and 8, or two subgroups
    assert loaded(numbers).report.format == "TREC qrels"
    assert loaded(numbers, "my.prefs").report.format == "preferences"
    assert loaded(numbers, format="prefs").report.format == "preferences"


def test_faults_have_a_line() -> None:
    for text, line, reason in (
        ("1 g s a 1\n1 g s b\n", 2, "4 columns; preferences have 5"),
        ("1 g s a 1\n1 g s b nan\n", 2, "the grade is nan"),
        ("1 g s a 1\n1 g s b x\n", 2, 'grade "x" is not a number'),
    ):
        with pytest.raises(ParseError, match=reason) as caught:
            loaded(text, format="prefs", kind="qrels")
        assert caught.value.line == line


@pytest.mark.parametrize("name", ["trec", "csv", "tsv", "parquet", "arrow", "jsonl-rows", "ntcir", "prefs"])
def test_written_and_read_again(name: str, tmp_path: Path) -> None:
    qrels = loaded(DIVERSITY).value
    file_format = format_named(name)
    assert file_format.write is not None
    path = tmp_path / "file.qrels"
    path.write_bytes(file_format.write(qrels))
    assert rows_of(load(path, kind="qrels").value) == rows_of(qrels)


def test_preferences_go_into_their_own_format_only(tmp_path: Path) -> None:
    qrels = loaded(PREFS).value
    path = tmp_path / "file.prefs"
    write = format_named("prefs").write
    assert write is not None
    path.write_bytes(write(qrels))
    assert rows_of(load(path).value) == rows_of(qrels)
    for file_format in FORMATS:
        if file_format.name in ("trec", "csv", "tsv", "parquet", "arrow"):
            assert file_format.write is not None
            with pytest.raises(OptionError, match="use --to prefs"):
                file_format.write(qrels)


@pytest.mark.parametrize("name", ["beir", "json", "quepid"])
def test_formats_without_such_a_column_hold_each_document_once(name: str, tmp_path: Path) -> None:
    file_format = format_named(name)
    assert file_format.write is not None
    path = tmp_path / f"qrels.{name}"
    path.write_bytes(file_format.write(loaded(DIVERSITY).value))
    back = load(path, kind="qrels").value
    assert isinstance(back, Qrels)
    assert back.judgments("1") == {"a": 3, "b": 2}

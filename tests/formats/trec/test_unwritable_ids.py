"""Ids and subtopics that lines of columns cannot hold are refused when they are written, so that every file that is
written is read as it was; lines of data that are skipped as comments are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.errors import OptionError
from irviewer.formats.load import load, load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.registry import format_named
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

FORMS = [(name, kind) for name in ("trec", "msmarco", "prefs", "letor", "ntcir") for kind in ("run", "qrels")
         if format_named(name).writes(kind)]  # fmt: skip
SIGNS = " \n\x0b\x0c"
"""What separates columns or lines."""


@pytest.mark.parametrize(("name", "kind"), FORMS)
@pytest.mark.parametrize("written", ["#h", "\ufeffq", "a\n", "\x0c", "\x0b", "a b", "001", "a#", "a\u00a0b", "\u2009t"])
@pytest.mark.parametrize("place", ["query", "document"])
def test_what_is_written_is_read_as_it_was(name: str, kind: str, written: str, place: str, tmp_path: Path) -> None:
    lists = {written: {"d1": 2.0, "d2": 1.0}} if place == "query" else {"q1": {written: 2.0, "d2": 1.0}}
    value = (Run if kind == "run" else Qrels).from_dict(lists | {"zz": {"d3": 1.0}})
    path = tmp_path / "file"
    try:
        path.write_bytes(format_named(name).encoded(value))
    except OptionError as error:
        begins = place == "query" and written[0] in "#\ufeff"
        assert begins or any(sign in written for sign in SIGNS)
        assert ("--number-queries" in str(error)) == (place == "query")
        return
    back = load(path, format=name, kind=kind).value
    assert isinstance(back, Run | Qrels)
    assert {query: set(row) for query, row in back.to_dict().items()} == {
        query: set(row) for query, row in value.to_dict().items()
    }


@pytest.mark.parametrize("subtopic", ["a b", "", "a\tb", "b\n"])
def test_subtopics_that_would_shift_the_columns_are_refused(subtopic: str) -> None:
    """``q1 a b 77 1`` is five columns, of which the fourth was read as the grade."""
    text = f'query,iteration,doc,relevance\nq1,"{subtopic}",77,1\nq1,c,78,1\n'
    qrels = load_opened(Opened("x.csv", text.encode(), "", "utf-8")).value
    for name in ("trec", "prefs"):
        with pytest.raises(OptionError, match="a subtopic, group or stratum, is empty or has white space"):
            format_named(name).encoded(qrels)


@pytest.mark.parametrize("written", [" a", "a ", "\ta", "a\x0b", "a;b", "a\nb", "a b", "a\u00a0", "\u2003a b"])
@pytest.mark.parametrize("column", range(3))
def test_columns_between_semicolons_are_read_as_they_were(written: str, column: int) -> None:
    cells = ["q1", "s1", "d1"]
    cells[column] = written
    text = 'query,iteration,doc,relevance\n"{}","{}","{}",1\nq2,s2,d2,1\n'.format(*cells)
    qrels = load_opened(Opened("x.csv", text.encode(), "", "utf-8"), kind="qrels").value
    try:
        data = format_named("ntcir").encoded(qrels)
    except OptionError as error:
        assert ";" in written or "\n" in written or written.strip(" \t\x0b") != written
        assert "semicolon" in str(error)
        return
    back = load_opened(Opened("x", data, "", "utf-8"), kind="qrels", format="ntcir").value
    assert isinstance(back, Qrels)
    assert back.to_dict() == {cells[0]: {cells[2]: 1.0}, "q2": {"d2": 1.0}}
    assert back.subtopics is not None
    assert back.subtopics.to_pylist() == [cells[1], "s2"]


@pytest.mark.parametrize(
    ("line", "form"),
    [("q 0 d1 1", "trec"), ("q Q0 d1 1 2 t", "trec"), ("q d1 3", "msmarco"), ("q 0 d1 1 3", "sampled"),
     ("q 0 0 d1 3", "prefs")],
)  # fmt: skip
def test_a_line_of_data_that_is_skipped_as_a_comment_is_reported(line: str, form: str) -> None:
    text = f"# a word and 4\n{line}\n#{line}\n"
    findings = load_opened(Opened("x", text.encode(), "", "utf-8"), format=form).report.findings
    assert [(each.count, each.serious) for each in findings if "comment" in each.text] == [(2, False), (1, True)]

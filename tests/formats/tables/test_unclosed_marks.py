"""A quotation mark that is not closed would take every further line into one cell: each reader of CSV and TSV refuses
it, with the line and column where it begins."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviewer.errors import ParseError
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.judging_task import read_task
from irviewer.formats.judgment_patch import parse_patch
from irviewer.formats.load import load_opened
from irviewer.formats.reading.opener import Opened
from irviewer.formats.tables import delimited
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

MORE = "".join(f"q{number},d{number},1,x\n" for number in range(30))
FAULTS = {
    "the last cell": ("query,doc,score,note\nq1,d1,1.5,x\n", 'q1,d2,1.5,"x\n' + MORE, 11),
    "an id": ("query,doc,score,note\nq1,d1,1.5,x\n", 'q1,"d2,1.5,x\n' + MORE, 4),
    "closed far below": ("query,doc,score,note\nq1,d1,1.5,x\n", 'q1,"d2,1.5,x\n' + MORE + 'q9,"d9",5,x\n', 4),
    "the last line": ("query,doc,score,note\nq1,d1,1.5,x\n", 'q1,d2,1.5,"x\n', 11),
    "the last line without an end": ("query,doc,score,note\nq1,d1,1.5,x\n", 'q1,d2,1.5,"', 11),
    "the last line, beside a plain mark": ('query,doc,score,note\nq1,5" disk,1.5,x\n', 'q1,d2,1.5,"x\n', 11),
    "the last id, beside a plain mark": ('query,score,doc\nq1,1.5,5" disk\n', 'q1,1.5,"d2\n', 8),
    "the last text, beside a plain mark": ('id,text\nd1,5" disk\n', 'd2,"two\n\n', 4),
    "documents": ("id,text\nd1,one\n", 'd2,"two\nd3,three\n', 4),
    "answers": ("run,query,sentence,citations\nm,q1,one,d1\n", 'm,q1,"two,d1\nm,q2,three,d1\n', 6),
    "tabs": ("query\tdoc\tscore\nq1\td1\t1.5\n", 'q1\t"d2\t1.5\nq1\td3\t1.5\n', 4),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_it_is_refused_where_it_begins(fault: str, end: str) -> None:
    head, bad, column = FAULTS[fault]
    data = (head + bad).replace("\n", end).encode()
    with pytest.raises(ParseError, match="a quotation mark that begins a cell is not closed") as caught:
        load_opened(Opened("x.csv", data, "", "utf-8"))
    assert (caught.value.line, caught.value.column) == (3, column)


def test_a_patch_and_a_judging_task_refuse_it(tmp_path: Path) -> None:
    header = "query\tdoc\tgrade\tformer\twho\twhen\tnote\n"
    with pytest.raises(ParseError, match="not closed") as caught:
        parse_patch(Opened("x.tsv", (header + 'q\td\t1\t2\tm\t\t"a\nq\te\t1\t2\tm\t\tb\n').encode(), "", "utf-8"))
    assert caught.value.line == 2
    path = tmp_path / "task.csv"
    path.write_text(
        'query,doc,grade,stratum,inclusion_probability,unit\nq,d,1,,1,pair\nq,"e,1,,1,pair\nq,f,1,,1,pair\n'
    )
    with pytest.raises(ParseError, match="not closed") as caught:
        read_task(path)
    assert caught.value.line == 3


@given(st.text('ab",\n', max_size=40))
def test_a_row_is_refused_where_a_strict_reader_refuses_a_cell_of_several_lines(text: str) -> None:
    """Read sign by sign: within marks, behind their end, or without any."""
    state, several, refused = "begin", False, False
    for sign in text:
        if state == "within":
            several = several or sign == "\n"
            state = "ended" if sign == '"' else state
        elif state == "ended" and sign == '"':
            state = "within"
        elif sign in ",\n":
            state = "begin"
        elif state == "begin" and sign == '"':
            state, several = "within", False
        else:
            refused = refused or (state == "ended" and several)
            state = "plain"
    refused = refused or state == "within"
    try:
        list(csv_rows("x", text, ","))
    except ParseError:
        assert refused
    else:
        assert not refused


@given(
    rows=st.lists(
        st.lists(st.text('ab ",;\n\t', max_size=6), min_size=2, max_size=4), min_size=1, max_size=6
    ),
    delimiter=st.sampled_from(",\t;"),
)  # fmt: skip
def test_whatever_a_writer_writes_is_read(rows: list[list[str]], delimiter: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    read = list(csv_rows("x", out.getvalue(), delimiter))
    assert [cells for _, cells in read] == rows
    lines = out.getvalue().split("\n")
    for line, cells in read:
        assert lines[line - 1].lstrip('"').startswith(cells[0].split("\n")[0].replace('"', '""').lstrip('"'))


def test_marks_inside_a_cell_are_plain() -> None:
    """As Python's reader and spreadsheets take them: a mark that does not begin a cell closes nothing."""
    assert [cells for _, cells in csv_rows("x", 'a,5" disk\nb,"c"d\ne,f"\n', ",")] == [
        ["a", '5" disk'], ["b", "cd"], ["e", 'f"']
    ]  # fmt: skip


def test_cells_that_go_on_where_they_are_closed_are_refused_only_over_lines() -> None:
    """A loose title beside a text of several lines, and a space behind a closed cell, were refused."""
    text = 'a,"Alice" in W,"line\nline"\nb,"line\nline" ,x\n'
    assert [cells for _, cells in csv_rows("x", text, ",")] == [
        ["a", "Alice in W", "line\nline"], ["b", "line\nline ", "x"]
    ]  # fmt: skip
    with pytest.raises(ParseError, match="not closed"):
        list(csv_rows("x", 'a,"Alice" in W,"line\nb,"c" d,x\nb,c,d\n', ","))


@pytest.mark.parametrize("texts", ['5" disk', 'what\'s "this" and 3" disks', '5" and 3" disks'])
def test_files_with_plain_marks_need_no_reading_line_by_line(texts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a million queries it took twice as long, of a run four times."""
    monkeypatch.setattr(delimited, "csv_rows", lambda *_, **__: pytest.fail("read line by line"))
    queries = load_opened(Opened("q.csv", f"id,text\n1,{texts}\n2,plain\n".encode(), "", "utf-8")).value
    assert isinstance(queries, TextTable)
    assert queries.row("1") == {"text": texts}
    run = load_opened(Opened("run.csv", f"query,doc,score\n1,{texts},2.5\n1,d,1.5\n".encode(), "", "utf-8")).value
    assert isinstance(run, Run)
    assert len(run.doc_ids) == 2

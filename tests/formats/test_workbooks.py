"""Excel workbooks: what their sheets hold is what the same table as CSV holds, whoever reads it."""

from __future__ import annotations

import csv
import sys
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

import irviewer
from irviewer.errors import ParseError
from irviewer.formats.attribute_tables import read_query_attributes
from irviewer.formats.load import load
from irviewer.formats.query_sets import read_query_sets
from irviewer.formats.reading.opener import open_bytes
from irviewer.model.answers.answers import same_answers
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable

Rows = Sequence[Sequence[object]]
SENTENCES: Rows = [
    ("query_id", "system", "sentence", "cited"), (12, "a", "One, “two”;\nand more.", "d1;d2"),
    (12, "a", "Three.", None),    (7, "a", "=not a formula", "d1"),
]  # fmt: skip
NUGGETS: Rows = [("query_id", "nugget", "importance"), (12, "One.", "vital"), (7, "Two.", "okay")]
LABELS: Rows = [("query_id", "system", "nugget", "importance", "assignment"), (12, "a", "One.", "vital", "support")]
RUN: Rows = [("query_id", "doc_id", "score"), (12, "d1", 2.5), (12, "d2", 0.1), (7, "d1", 1)]
QRELS: Rows = [("query_id", "doc_id", "relevance"), (12, "d1", 1), (7, "d2", 0)]
QUERIES: Rows = [("query_id", "text", "language"), (12, "what is it", "en"), (7, "qué es", "es")]


def fill(sheet: Worksheet, rows: Rows) -> None:
    for number, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            cell = sheet.cell(number, column, value)  # type: ignore[arg-type]
            if isinstance(value, str):
                cell.data_type = "s"


def book(path: Path, **sheets: Rows) -> Path:
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.worksheets[0])
    for name, rows in sheets.items():
        fill(workbook.create_sheet(name), rows)
    workbook.save(path)
    return path


def as_csv(path: Path, rows: Rows) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(["" if cell is None else cell for cell in row] for row in rows)
    return path


@pytest.mark.parametrize("rows", [SENTENCES, NUGGETS, LABELS, RUN, QRELS, QUERIES])
def test_every_table_is_read_as_its_csv(rows: Rows, tmp_path: Path) -> None:
    own = load(book(tmp_path / "t.xlsx", t=rows))
    wanted = load(as_csv(tmp_path / "t.csv", rows))
    assert (own.kind, own.report.format, own.report.findings) == (
        wanted.kind,
        wanted.report.format,
        wanted.report.findings,
    )
    if isinstance(own.value, Run) and isinstance(wanted.value, Run) and own.value.answered is not None:
        assert wanted.value.answered is not None
        if own.value.answered.answers is not None and wanted.value.answered.answers is not None:
            assert same_answers(own.value.answered.answers, wanted.value.answered.answers)
        assert own.value.answered.topics == wanted.value.answered.topics
    if isinstance(own.value, TextTable):
        assert isinstance(wanted.value, TextTable) and own.value.table.equals(wanted.value.table)
    else:
        assert isinstance(own.value, Run | Qrels) and isinstance(wanted.value, Run | Qrels)
        assert set(own.value.query_ids) == {"12", "7"} & {str(row[0]) for row in rows}
        assert own.value.doc_ids.equals(wanted.value.doc_ids) and own.value.name == wanted.value.name
    if isinstance(own.value, Run) and rows is RUN:
        assert own.value.ranking_scores("12").tolist() == [2.5, 0.1]


def test_other_doors_read_workbooks(tmp_path: Path) -> None:
    path = str(book(tmp_path / "t.xlsx", t=QUERIES))
    assert [each.name for each in read_query_attributes(path)] == ["language"]
    sets = read_query_sets(str(book(tmp_path / "s.xlsx", t=[("query", "set"), (12, "x"), (7, "y")])))
    assert {(each.name, *each.query_ids) for each in sets} == {("x", "12"), ("y", "7")}


def test_cells_are_texts_with_all_digits(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    fill(sheet, [
        ["a", "b"], [12, 12.0], [202401311234567, 0.1], [1e15, 1e300], [True, None], [None, None],
        [date(2024, 1, 31), datetime(2024, 1, 31, 10, 30)], ["<b>=1</b>", " 007 "], ["_x0041_\r\n", "#N/A"],
    ])  # fmt: skip
    sheet["A10"], sheet["B10"] = 7, "=1+1"
    sheet["A10"].number_format = "000"
    sheet["B9"].data_type = "e"
    workbook.save(tmp_path / "t.xlsx")
    opened = open_bytes(tmp_path / "t.xlsx")
    assert list(csv.reader(opened.data.decode().splitlines(keepends=True))) == [
        ["a", "b"], ["12", "12"], ["202401311234567", "0.1"], ["1000000000000000", "1e+300"], ["TRUE", ""], [],
        ["2024-01-31", "2024-01-31 10:30:00"], ["<b>=1</b>", " 007 "], ["A\n", "#N/A"], ["007", ""],
    ]  # fmt: skip
    assert [(note.count, note.text.split(",")[0].split(" in ")[0]) for note in opened.notes] == [
        (2, "2 cells are dates"), (1, "1 whole number has more than 15 digits"),
        (1, "1 cell holds an error of Excel"), (1, "1 formula has no value"),
    ]  # fmt: skip


def test_the_sheet_with_a_header_or_the_one_that_is_named(tmp_path: Path) -> None:
    path = book(
        tmp_path / "t.xlsx", about=[["See the other sheets."]], run=RUN, other=[RUN[0], (1, "x", 1.5)], empty=[]
    )
    workbook = openpyxl.load_workbook(path)
    workbook["other"].sheet_state = "hidden"
    workbook.save(path)
    loaded = load(path)
    assert isinstance(loaded.value, Run) and loaded.value.query_ids == ("12", "7")
    assert [str(note) for note in loaded.report.findings] == [
        "the file has 2 sheets (about, run): run is read; --part reads another"
    ]
    assert not loaded.report.warnings
    other = load(path, part="other")
    assert isinstance(other.value, Run) and other.value.query_ids == ("1",)
    assert ("file", "sheet other of a workbook") in other.report.facts
    with pytest.raises(ParseError, match="there is no sheet nowhere; the sheets are about, run, other, empty"):
        load(path, part="nowhere")


def test_sheets_of_one_header_are_runs_of_several_systems(tmp_path: Path) -> None:
    """Each is one, as the systems in a column of tags are; nuggets in a sheet of their own are none."""
    path = book(tmp_path / "t.xlsx", one=RUN, nuggets=NUGGETS, two=[RUN[0], (7, "d1", 0.5)])
    qrels = book(tmp_path / "q.xlsx", q=QRELS)
    assert irviewer.evaluate(str(qrels), str(path), "AP").runs == ("one", "two")
    (note,) = [note for note in load(path).report.findings if note.topic == "part"]
    assert note.names == ("one", "two") and note.serious


def test_faults_are_at_the_row_of_the_sheet(tmp_path: Path) -> None:
    """Blank rows count, and cells with line ends do not."""
    rows = [[None], [*RUN[0], "note"], [None], (12, "d1", 2.5, "a\nb\nc"), (12, "d2", "x", "d")]
    with pytest.raises(ParseError, match=r"t\.xlsx:5:?.*score.*not a number"):
        load(book(tmp_path / "t.xlsx", t=rows), kind="run")
    labels = [LABELS[0], (12, "a", "One\ntwo.", "vital", "support"), ("", "a", "Three.", "vital", "support")]
    loaded = load(book(tmp_path / "l.xlsx", t=labels))
    assert any("no topic" in note.text and note.lines == (3,) for note in loaded.report.findings)


def test_without_the_extra_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(tmp_path / "t.xlsx", t=RUN)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ParseError, match=r"this is an Excel workbook; .*pip install 'irviewer\[excel\]'"):
        load(path)


def test_hostile_workbooks_are_refused_or_read_as_text(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", t=RUN)

    def with_sheet(change: tuple[bytes, bytes]) -> Path:
        other = tmp_path / "other.xlsx"
        with zipfile.ZipFile(path) as source, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as target:
            for name in source.namelist():
                data = source.read(name)
                target.writestr(name, data.replace(*change) if name.startswith("xl/worksheets/") else data)
        return other

    assert isinstance(load(with_sheet((b'ref="A1:C4"', b'ref="A1:A1"'))).value, Run)
    for change in (
        (b'<row r="4"', b'<row r="2000000000"'), (b"<sheetData>", b"<sheetData>" + b" " * 40_000_000),
        (b"<sheetData>", b"<sheetData"), (b"</sheetData>", b""), (b't="s"', b't="z"'),
        (b"<?xml", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><?xml'),
    ):  # fmt: skip
        try:
            load(with_sheet(change))
        except ParseError as error:
            assert "workbook" in str(error) or "sheet" in str(error), change

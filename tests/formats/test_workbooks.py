"""Excel workbooks: what their sheets hold is what the same table as CSV holds, whoever reads it."""

from __future__ import annotations

import csv
import sys
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, timedelta
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
from irviewer.session.session import Session

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
        [7, None], [-7, timedelta(hours=25, minutes=3)], [1e21, 1e22],
    ])  # fmt: skip
    sheet["B10"] = "=1+1"
    for cell in ("A10", "A11"):
        sheet[cell].number_format = "000"
    sheet["B9"].data_type = "e"
    workbook.save(tmp_path / "t.xlsx")
    opened = open_bytes(tmp_path / "t.xlsx")
    assert list(csv.reader(opened.data.decode().splitlines(keepends=True))) == [
        ["a", "b"], ["12", "12"], ["202401311234567", "0.1"], ["1000000000000000", "1e+300"], ["TRUE", ""], [],
        ["2024-01-31", "2024-01-31 10:30:00"], ["<b>=1</b>", " 007 "], ["A\n", "#N/A"], ["007", ""],
        ["-007", "25:03:00"], ["1" + "0" * 21, "1e+22"],
    ]  # fmt: skip
    assert [(note.count, note.text.split(",")[0].split(" in ")[0]) for note in opened.notes] == [
        (3, "3 cells are dates"), (2, "2 whole numbers have more than 15 digits"),
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


def test_a_workbook_is_opened_as_often_whatever_its_number_of_sheets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, opened, counts = book(tmp_path / "q.xlsx", q=QRELS), list[object](), set[int]()
    plain = openpyxl.load_workbook

    def counting(*given: object, **options: bool) -> openpyxl.Workbook:
        opened.append(given)
        return plain(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(openpyxl, "load_workbook", counting)
    for n in (2, 5):
        workbook = openpyxl.Workbook()
        for sheet in [workbook.worksheets[0], *(workbook.create_sheet() for _ in range(n - 1))]:
            for row in [(*RUN[0], "note"), *RUN[1:], (7, "d2", 0.5, "=1+1")]:
                sheet.append(row)
        path = tmp_path / f"{n}.xlsx"
        workbook.save(path)
        opened.clear()
        assert len(irviewer.evaluate(str(qrels), str(path), "AP").runs) == n
        counts.add(len(opened))
    assert len(counts) == 1


def test_the_window_opens_a_workbook_as_often_whatever_its_number_of_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was opened again for each sheet, and the header of each was read each time."""
    opened, counts = list[object](), set[int]()
    plain = openpyxl.load_workbook

    def counting(*given: object, **options: bool) -> openpyxl.Workbook:
        opened.append(given)
        return plain(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(openpyxl, "load_workbook", counting)
    for n in (2, 5):
        path = book(tmp_path / f"{n}.xlsx", **{
            f"sheet{place}": [SENTENCES[0], (12, f"s{place}", f"Said by {place}.", "d1")] for place in range(n)
        })  # fmt: skip
        opened.clear()
        session = Session()
        session.files.open_files([str(path)])
        collection = session.view.collection
        assert collection is not None
        assert [entry.run.answered.answers.texts.to_pylist() for entry in collection.runs
                if entry.run.answered is not None and entry.run.answered.answers is not None] == [
            [f"Said by {place}."] for place in range(n)
        ]  # fmt: skip
        counts.add(len(opened))
    assert len(counts) == 1


def test_faults_are_at_the_row_of_the_sheet(tmp_path: Path) -> None:
    """Blank rows count, and cells with line ends do not."""
    rows = [[None], [*RUN[0], "note"], [None], (12, "d1", 2.5, "a\nb\nc"), (12, "d2", "x", "d")]
    with pytest.raises(ParseError, match=r"t\.xlsx:5:?.*score.*not a number"):
        load(book(tmp_path / "t.xlsx", t=rows), kind="run")
    for table in (RUN, SENTENCES):
        wide = [table[0], (*table[1], "a note")]
        with pytest.raises(ParseError, match=r"t\.xlsx:2: .*; name the column in the first row, or empty its cells"):
            load(book(tmp_path / "t.xlsx", t=wide))
    labels = [LABELS[0], (12, "a", "One\ntwo.", "vital", "support"), ("", "a", "Three.", "vital", "support")]
    loaded = load(book(tmp_path / "l.xlsx", t=labels))
    assert any("no topic" in note.text and note.lines == (3,) for note in loaded.report.findings)


def test_without_the_extra_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(tmp_path / "t.xlsx", t=RUN)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ParseError, match=r"this is an Excel workbook; .*pip install 'irviewer\[excel\]'"):
        load(path)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return book(tmp_path / "t.xlsx", t=RUN)


def changed(path: Path, part: str, old: bytes, new: bytes) -> Path:
    """A copy of a workbook in which the text of a part is another."""
    other = path.with_name("other.xlsx")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            assert old in data or not name.startswith(part)
            target.writestr(name, data.replace(old, new) if name.startswith(part) else data)
    return other


SHEET = "xl/worksheets/"
LAUGHS = b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"<sheetData>", b"<sheetData>" + b" " * 40_000_000, "compressed to .*: too much for a table"),
        (b"<sheetData>", b"<sheetData", "cannot be read"), (b"</sheetData>", b"", "cannot be read"),
        (b'r="C4"', b'r="ZZZZZZZ4"', "cannot be read"), (b"<v>2.5", b"<v>" + b"9" * 5000, "cannot be read"),
        (b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "' + b"a" * 10 + b'">' + LAUGHS + b"]><worksheet", ""),
        (b"<v>2.5</v>", b"<v>&j;</v>", "cannot be read: undefined entity"),
    ],
)  # fmt: skip
def test_hostile_workbooks_are_refused(old: bytes, new: bytes, said: str, own: Path) -> None:
    if not said:  # entities of entities that nothing names are read over
        assert load(changed(own, SHEET, old, new)).value is not None
        new, said = new + b" z='&j;'", "cannot be read"
    with pytest.raises(ParseError, match=said) as caught:
        load(changed(own, SHEET, old, new))
    assert "save " in str(caught.value)


def test_what_a_sheet_says_of_its_size_and_types_is_not_believed(own: Path) -> None:
    wanted = load(own).value
    assert isinstance(wanted, Run)
    for old, new in ((b'ref="A1:C4"', b'ref="A1:A1"'), (b't="n"', b't="z"')):
        read = load(changed(own, SHEET, old, new)).value
        assert isinstance(read, Run) and read.to_dict() == wanted.to_dict()


@pytest.mark.parametrize(("limit", "most"), [("_MOST_ROWS", 4), ("_MOST_CELLS", 12)])
def test_limits_of_a_sheet(limit: str, most: int, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (most, most - 1):
        monkeypatch.setattr(f"irviewer.formats.reading.workbook.{limit}", value)
        if value == most:
            assert load(own).value is not None
            continue
        with pytest.raises(ParseError, match="more rows or columns than a table"):
            load(own)
    monkeypatch.setattr("irviewer.formats.reading.workbook._MOST_ROWS", 1000)
    with pytest.raises(ParseError, match="more rows or columns than a table"):
        load(changed(own, SHEET, b'<row r="4"', b'<row r="2000000000"'))


def test_shared_texts_as_excel_writes_them(own: Path) -> None:
    """Texts in runs are one, without what tells how they are spoken; a number in any form is the number."""
    space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    known = b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + kind + b'"/>'
    texts = [b"<t>query_id</t>", b"<t>doc_id</t>", b"<t>score</t>", b'<r><t>d</t></r><r><rPr><b/></rPr><t xml:space="'
             b'preserve">1 </t></r><rPh sb="0" eb="1"><t>z</t></rPh>']  # fmt: skip
    shared = b"<sst " + space + b">" + b"".join(b"<si>" + text + b"</si>" for text in texts) + b"</sst>"
    header = b"".join(b'<c t="s"><v>%d</v></c>' % number for number in range(3))
    sheet = b"<worksheet %s><sheetData><row>%s</row><row>%s</row></sheetData></worksheet>" % (
        space, header, b'<c><v>1.2E1</v></c><c t="s"><v>3</v></c><c><v>0.1</v></c>',
    )  # fmt: skip
    other = own.with_name("shared.xlsx")
    with zipfile.ZipFile(own) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            data = sheet if name.startswith(SHEET) else source.read(name)
            if name == "[Content_Types].xml" and b"sharedStrings" not in data:
                data = data.replace(b"</Types>", known + b"</Types>")
            if name != "xl/sharedStrings.xml":
                target.writestr(name, data)
        target.writestr("xl/sharedStrings.xml", shared)
    rows = list(csv.reader(open_bytes(other).data.decode().splitlines(keepends=True)))
    assert rows == [["query_id", "doc_id", "score"], ["12", "d1 ", "0.1"]]

"""Qrels patches: the user's judgments in addition to a file's qrels, as TSV with who, when, why, and the file's grade.

The header is ``query doc grade former who when note``. An empty grade withdraws a judgment; an empty former grade means
that the file had none. Cells with tabs, quotation marks or line ends are quoted as in CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from irviewer.errors import ParseError, PatchError
from irviewer.formats.csv_rows import csv_rows
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted, expect
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.rows import made, rows_of
from irviewer.formats.trec.formats import texts_of
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.translation import tr, trn

COLUMNS = ("query", "doc", "grade", "former", "who", "when", "note")


def patch_text(rows: Iterable[PatchRow]) -> str:
    """Return a patch as text, with the header."""
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        judgment = row.judgment
        cells = [
            judgment.query_id,
            judgment.doc_id,
            _text(judgment.grade),
            _text(row.former),
            judgment.who,
            judgment.when,
            judgment.note,
        ]
        lines.append("\t".join(_quoted(cell) for cell in cells))
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    """Quote a cell if necessary. Python's csv writer does not quote a carriage return, which its reader requires."""
    return '"' + cell.replace('"', '""') + '"' if any(character in cell for character in '\t\n\r"') else cell


def read_patch(path: str | Path) -> tuple[PatchRow, ...]:
    """Read the judgments of a patch in file order. Raises ParseError with the line of a fault."""
    return parse_patch(open_bytes(path))


def parse_patch(opened: Opened) -> tuple[PatchRow, ...]:
    """Return the judgments of an opened patch."""
    return tuple(row for _, row in _rows(opened))


def _text(grade: float | None) -> str:
    return "" if grade is None else texts_of(np.array([grade], dtype=np.float64))[0]


def _rows(opened: Opened) -> Iterator[tuple[int, PatchRow]]:
    text = opened.data.decode("utf-8-sig", "surrogateescape")
    header: list[str] = []
    for first, cells in csv_rows(opened.path, text, "\t"):
        if not any(cells):
            continue
        if not header:
            header = [cell.strip() for cell in cells]
            if tuple(header) != COLUMNS:
                raise ParseError(
                    opened.path,
                    tr("the header of a patch is {columns}, separated by tabs", columns=" ".join(COLUMNS)),
                    line=first,
                    text="\t".join(cells),
                )
            continue
        yield first, _row(opened, first, cells)
    if not header:
        raise ParseError(opened.path, tr("the file is empty"))


def _row(opened: Opened, line: int, cells: list[str]) -> PatchRow:
    text = "\t".join(cells)
    if len(cells) != len(COLUMNS):
        raise ParseError(
            opened.path,
            tr("{count} columns, but a patch has {expected}", count=len(cells), expected=len(COLUMNS)),
            line=line,
            text=text,
            hint=tr("keep the tabs of empty cells"),
        )
    query, doc, grade, former, who, when, note = cells
    if not query or not doc:
        raise ParseError(
            opened.path,
            tr("the document id is empty") if query else tr("the query id is empty"),
            line=line,
            text=text,
            hint=tr("give every row both ids"),
        )
    numbers = [_number(opened, line, text, cell) for cell in (grade, former)]
    return PatchRow(Judgment(query, doc, numbers[0], who, when, note), numbers[1])


def _number(opened: Opened, line: int, text: str, cell: str) -> float | None:
    if not cell.strip():
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ParseError(opened.path, tr("grade {cell!r} is not a number", cell=cell), line=line, text=text)
    return value


# --- as a file of qrels ---


def sniff(head: Head) -> Sniffed | None:
    """Recognise the header of a patch."""
    if head.binary or tuple(cell.strip() for cell in head.first.split("\t")) != COLUMNS:
        return None
    return Sniffed("qrels", tr("the header of a qrels patch"), certain=True)


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """Read the grades of a patch as separate qrels; the report has the withdrawn judgments, which qrels cannot have.
    Raises PatchError if the format was not given: with these qrels nothing else would be judged."""
    expect(wanted.kind, opened.path, "qrels-patch", ("qrels",))
    if not wanted.as_format:
        raise PatchError(
            opened.path, tr("this is a qrels patch, which is applied to qrels and is not a qrels file"),
            hint=tr("open it in the window together with its qrels, or use --from qrels-patch to read only its grades"),
        )  # fmt: skip
    judgments = [(line, row.judgment) for line, row in _rows(opened)]
    withdrawn = [line for line, judgment in judgments if judgment.grade is None]
    graded = [(line, judgment) for line, judgment in judgments if judgment.grade is not None]
    findings = []
    if withdrawn:
        text = trn(
            "{n:,} withdrawn judgment is ignored: it has an effect only when the patch is applied to qrels",
            "{n:,} withdrawn judgments are ignored: they have an effect only when the patch is applied to qrels",
            len(withdrawn),
        )
        findings.append(Finding(text, len(withdrawn), lines=tuple(withdrawn)))
    rows = rows_of(
        [judgment.query_id for _, judgment in graded],
        [judgment.doc_id for _, judgment in graded],
        [float(judgment.grade or 0) for _, judgment in graded],
        [line for line, _ in graded],
    )
    return made(opened, rows, wanted, tr("qrels patch"), findings)


FORMAT = Format("qrels-patch", tr("qrels patch"), ("qrels",), sniff, read)

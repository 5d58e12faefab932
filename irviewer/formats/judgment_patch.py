"""Qrels patches: what a person judged over a file's qrels, as TSV that says who, when, why, and what the file had.

The header is ``query doc grade former who when note``; an empty grade takes a judgment back, an empty former one says
that the file had none. Cells with tabs, quotes or line ends are quoted as CSV quotes them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from irviewer.errors import ParseError, PatchError
from irviewer.formats.format import Format, Head, Loaded, Sniffed, Wanted, expect
from irviewer.formats.load_report import Finding
from irviewer.formats.reading.opener import Opened, open_bytes
from irviewer.formats.rows import made, rows_of
from irviewer.formats.trec.formats import texts_of
from irviewer.model.judgments.overlay import Judgment, PatchRow
from irviewer.model.number_text import counted

COLUMNS = ("query", "doc", "grade", "former", "who", "when", "note")


def patch_text(rows: Iterable[PatchRow]) -> str:
    """The lines of a patch, the header among them."""
    lines = ["\t".join(COLUMNS)]
    for row in rows:
        one = row.judgment
        cells = [one.query_id, one.doc_id, _text(one.grade), _text(row.former), one.who, one.when, one.note]
        lines.append("\t".join(_quoted(cell) for cell in cells))
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    """csv's writer leaves a lone carriage return bare, which its reader takes for the end of a line."""
    return '"' + cell.replace('"', '""') + '"' if any(sign in cell for sign in '\t\n\r"') else cell


def read_patch(path: str | Path) -> tuple[PatchRow, ...]:
    """The judgments of a patch in file order. Raises ParseError with the line and what is wrong there."""
    return parse_patch(open_bytes(path))


def parse_patch(opened: Opened) -> tuple[PatchRow, ...]:
    """The same for bytes that are in memory already."""
    return tuple(row for _, row in _rows(opened))


def _text(grade: float | None) -> str:
    return "" if grade is None else texts_of(np.array([grade], dtype=np.float64))[0]


def _rows(opened: Opened) -> Iterator[tuple[int, PatchRow]]:
    text = opened.data.decode("utf-8-sig", "surrogateescape")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
    header: list[str] = []
    line = 1
    try:
        for cells in reader:
            first, line = line, reader.line_num + 1
            if not any(cells):
                continue
            if not header:
                header = [one.strip() for one in cells]
                if tuple(header) != COLUMNS:
                    raise ParseError(
                        opened.path, f"a patch begins with the header {' '.join(COLUMNS)}, parted by tabs", line=first,
                        text="\t".join(cells),
                    )  # fmt: skip
                continue
            yield first, _row(opened, first, cells)
    except csv.Error as error:
        raise ParseError(opened.path, str(error), line=reader.line_num) from error
    if not header:
        raise ParseError(opened.path, "the file is empty")


def _row(opened: Opened, line: int, cells: list[str]) -> PatchRow:
    text = "\t".join(cells)
    if len(cells) != len(COLUMNS):
        raise ParseError(
            opened.path, f"{len(cells)} columns where a patch has {len(COLUMNS)}", line=line, text=text,
            hint="an empty cell keeps its tab",
        )  # fmt: skip
    query, doc, grade, former, who, when, note = cells
    if not query or not doc:
        raise ParseError(opened.path, f"an empty {'query' if not query else 'document'} id", line=line, text=text)
    numbers = [_number(opened, line, text, one) for one in (grade, former)]
    return PatchRow(Judgment(query, doc, numbers[0], who, when, note), numbers[1])


def _number(opened: Opened, line: int, text: str, cell: str) -> float | None:
    if not cell.strip():
        return None
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ParseError(opened.path, f"grade {cell!r} is not a number", line=line, text=text)
    return value


# --- as a file of qrels ---


def sniff(head: Head) -> Sniffed | None:
    """A file that begins with the header of a patch."""
    if head.binary or tuple(one.strip() for one in head.first.split("\t")) != COLUMNS:
        return None
    return Sniffed("qrels", "its header is that of judgments laid over qrels", certain=True)


def read(opened: Opened, wanted: Wanted) -> Loaded:
    """The grades of a patch as qrels of their own; the report says what was taken back, which qrels cannot say. Raises
    PatchError where nobody said that it is to be read so: nothing else would be judged."""
    expect(wanted.kind, opened.path, "qrels-patch", ("qrels",))
    if not wanted.as_format:
        raise PatchError(
            opened.path, "this is a qrels patch: judgments to be laid over qrels, no qrels of their own",
            hint="open it in the window together with its qrels; --from qrels-patch reads its grades alone",
        )  # fmt: skip
    found = [(line, row.judgment) for line, row in _rows(opened)]
    back = [line for line, one in found if one.grade is None]
    graded = [(line, one.query_id, one.doc_id, one.grade) for line, one in found if one.grade is not None]
    findings = []
    if back:
        counts = counted(len(back), "judgment taken back: it counts", "judgments taken back: they count")
        text = f"{counts} only where the patch is laid over qrels"
        findings.append(Finding(text, len(back), lines=tuple(back)))
    rows = rows_of(
        [one[1] for one in graded], [one[2] for one in graded], [one[3] for one in graded], [one[0] for one in graded]
    )
    return made(opened, rows, wanted, "qrels patch", findings)


FORMAT = Format("qrels-patch", "qrels patch", ("qrels",), sniff, read)

"""Tables as LaTeX in the style of booktabs: the best values bold, daggers at differences that the test shows, protocol
and remarks in the caption."""

from __future__ import annotations

import re
from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import limit
from irviewer.tables import latex
from irviewer.tables.column import Column
from irviewer.tables.emphasis import best, role
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table
from irviewer.translation import tr

DAGGERS = {"better": r"\rlap{$^{\dagger}$}", "worse": r"\rlap{$^{\ddagger}$}"}
"""The marks of differences that the test shows, which hang outside the columns, so that figures align."""
RAISED = {"†": r"$^{\dagger}$", "‡": r"$^{\ddagger}$"}
CONDITION = re.compile(r"\bp \\textless\{\} (\.\d+)")
"""What a caption says of p, escaped."""


def text(tables: Sequence[Table]) -> str:
    """Return tables that compile with booktabs; a comment above names what they need. One with a caption is as a
    journal prints it: the protocol is a comment above it, marks are raised."""
    bodies = [
        (_printed if table.caption else _table)(table, number, len(tables))
        for number, table in enumerate(tables, start=1)
    ]
    return "\n".join([latex.head("".join(name for name, _ in bodies)), *(body for _, body in bodies)])


def _printed(table: Table, number: int, tables: int) -> tuple[str, str]:
    """Return the letters of a table that has a caption, and its LaTeX."""
    grid = grid_of(table, arrows=False)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    rooms = [_room(signs) for signs in zip(*grid.signs, strict=True)] or [""] * len(grid.columns)
    rows = []
    for place, row, signs in zip(grid.numbers, grid.rows, grid.signs, strict=True):
        cells = []
        for cell, sign, top, room in zip(row, signs, tops, rooms, strict=True):
            shown = latex.escape(cell)
            value = rf"\textbf{{{shown}}}" if top is not None and top[place] else shown
            cells.append(value + (rf"\rlap{{{RAISED.get(sign) or _raised(sign)}}}" if sign else "") + room)
        rows.append(cells)
    header = [latex.escape(name) + room for name, room in zip(grid.header, rooms, strict=True)]
    caption = CONDITION.sub(r"$p < \1$", latex.escape(table.caption))
    sides = "".join("r" if right else "l" for right in grid.right)
    letters = "".join([table.caption, *grid.header, *(cell for row in grid.rows for cell in row)])
    line = "" if table.provenance is None else table.provenance.line
    comment = f"% {escape_hidden(line)}\n" if line else ""
    return letters, comment + latex.table(header, rows, f"@{{}}{sides}@{{}}", caption, _label(table, number, tables))


def _raised(sign: str) -> str:
    return rf"\textsuperscript{{{latex.escape(sign)}}}"


def _room(signs: Sequence[str]) -> str:
    """Return the room that a column keeps for letters behind its values: daggers hang in the gap between columns."""
    widest = max((sign for sign in signs if sign not in RAISED), key=len, default="")
    return rf"\phantom{{{_raised(widest)}}}" if len(widest) > 1 else ""


def _table(table: Table, number: int, tables: int) -> tuple[str, str]:
    """Return the letters of a table, and its LaTeX."""
    grid = grid_of(table, arrows=False)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    marks, rows = set(), []
    for place, row in zip(grid.numbers, grid.rows, strict=True):
        cells = []
        for cell, top, column in zip(row, tops, grid.columns, strict=True):
            shown = latex.escape(cell)
            mark = _mark(table, column, place)
            marks |= {mark} - {""}
            cells.append((rf"\textbf{{{shown}}}" if top is not None and top[place] else shown) + mark)
        rows.append(cells)
    said = dict.fromkeys(f"{mark.sign} {mark.text}" for mark in table.marks.values() if mark.text)
    line = table.provenance.line if table.provenance is not None else ""
    notes = [note.text for note in table.notes if not note.latex]
    sentences = [text.rstrip(".") for text in (table.title, line, *said, *_meanings(table, marks), *notes) if text]
    caption = latex.escape("".join(f"{sentence}. " for sentence in sentences).strip())
    sides = "".join("r" if right else "l" for right in grid.right)
    label = _label(table, number, tables)
    header = [latex.escape(name) for name in grid.header]
    letters = "".join([*grid.header, *(cell for row in grid.rows for cell in row)])
    formulas = "\n".join(rf"\[{note.latex}\]" for note in table.notes if note.latex)
    return letters, latex.table(header, rows, sides, caption, label, formulas)


def _label(table: Table, number: int, tables: int) -> str:
    return f"tab:{table.name.replace('_', '-')}" + (f"-{number}" if tables > 1 else "")


def _mark(table: Table, column: Column, row: int) -> str:
    """Return the dagger of a difference that the test of its family shows, "" for none."""
    return DAGGERS.get(role(table, column, row), "") if column.kind == "difference" and column.show.of else ""


def _meanings(table: Table, marks: set[str]) -> list[str]:
    """Return what the daggers mean that occur."""
    if not marks:
        return []
    tested = next(column for column in table.columns if column.kind == "difference" and column.show.of)
    family = table.column(tested.show.of).family
    alpha = limit(0.05 if family is None else family.alpha)
    if len(marks) == 2:
        return [tr("†: the test shows it to be better, ‡: worse (p < {alpha})", alpha=alpha)]
    if DAGGERS["better"] in marks:
        return [tr("†: the test shows it to be better (p < {alpha})", alpha=alpha)]
    return [tr("‡: the test shows it to be worse (p < {alpha})", alpha=alpha)]

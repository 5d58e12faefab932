"""A table as a header and rows of texts, as people see it, before a writer lays it out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from irviewer.hidden_characters import escape_hidden
from irviewer.tables.column import Column
from irviewer.tables.show import arrow, plain, shown
from irviewer.tables.table import Table
from irviewer.translation import decimal_points


@dataclass(frozen=True)
class Grid:
    """Texts of a table; ``left`` columns are names, the others are aligned to the right. Rows in the middle may be left
    out: ``omitted`` of them after ``gap`` rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int
    right: tuple[bool, ...]
    columns: tuple[Column, ...]
    """The column of the table that each column is: those of detail are left out."""
    numbers: tuple[int, ...]
    """The row of the table that each row is."""
    signs: tuple[tuple[str, ...], ...]
    """Of a table with a caption: the marks behind the texts, "" for none."""
    gap: int = 0
    omitted: int = 0


def grid_of(table: Table, most: int | None = None, *, arrows: bool = True) -> Grid:
    """Return the texts of a table. Arrows stand before differences that have a test, so that one sees what it shows."""
    n = table.n_rows
    omitted = 0 if most is None or n <= most else n - most
    first = n if not omitted else (most or 0) // 2
    numbers = (*range(first), *range(first + omitted, n))
    columns = tuple(column for column in table.columns if not column.show.detail)
    right = tuple(not (column.is_text or column.kind in ("tags", "flag")) for column in columns)
    left = next((place for place, side in enumerate(right) if side), len(right))
    cells, signs = [], []
    with decimal_points() if table.caption else nullcontext():
        for column in columns:
            cells.append(_texts(table, column, numbers, arrows=arrows))
            marks = [table.marks.get((row, column.key)) if table.caption else None for row in numbers]
            signs.append(["" if mark is None else mark.sign for mark in marks])
    rows = tuple(zip(*cells, strict=True)) if cells else ()
    header = tuple(escape_hidden(column.title) for column in columns)
    return Grid(header, rows, left, right, columns, numbers, tuple(zip(*signs, strict=True)), first, omitted)


def _texts(table: Table, column: Column, rows: Sequence[int], *, arrows: bool) -> list[str]:
    """Return the texts of a column, with arrows and marks before them; marks of a table with a caption are apart."""
    if table.caption:
        return [escape_hidden(plain(column, row)) for row in rows]
    signs = arrows and column.kind == "difference" and bool(column.show.of)
    texts = []
    for row in rows:
        sign = arrow(table, column, row) if signs else ""
        text = escape_hidden(shown(table, column, row))
        texts.append(f"{sign} {text}" if sign not in ("", "=") else text)
    return texts

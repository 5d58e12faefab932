"""The mark of tables whose judgments are not simply those of a file: a column, so that every format has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irviewer.tables.column import text
from irviewer.tables.table import Table

COLUMN = "judgments"
"""The column of the mark, which is in every row, so that the file is a plain table."""
IF_TAKEN = "judgments_used"
"""Its name in a table that has a column of the first name, as one that counts judgments has."""


def marked_tables(tables: Sequence[Table], mark: str) -> tuple[Table, ...]:
    """Return tables with the mark in every row, or as they are without one."""
    if not mark:
        return tuple(tables)
    marked = []
    for table in tables:
        name = _name_among([column.key for column in table.columns])
        marked.append(table.with_column(text(name, name, [mark] * table.n_rows)))
    return tuple(marked)


def marked_header(header: Sequence[object], mark: str) -> tuple[object, ...]:
    """Return a table's header with the mark's column at the end, or unchanged without a mark."""
    return (*header, _name_among(header)) if mark else tuple(header)


def marked_rows(rows: Iterable[Sequence[object]], mark: str) -> list[tuple[object, ...]]:
    """Return a table's rows with the mark at the end of each, or unchanged without a mark."""
    return [(*row, mark) for row in rows] if mark else [tuple(row) for row in rows]


def marked_table(rows: Sequence[Sequence[object]], mark: str) -> list[list[object]]:
    """Return header and rows with the mark, the header first."""
    if not rows:
        return []
    return [list(marked_header(rows[0], mark)), *map(list, marked_rows(rows[1:], mark))]


def _name_among(taken: Sequence[object]) -> str:
    return IF_TAKEN if COLUMN in taken else COLUMN

"""The mark of tables whose judgments are not simply those of a file: a column, so that every format has it."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.reports.judgment_mark import COLUMN
from irviewer.tables.column import text
from irviewer.tables.table import Table


def marked_tables(tables: Sequence[Table], mark: str) -> tuple[Table, ...]:
    """Return tables with the mark in every row, or as they are without one."""
    if not mark:
        return tuple(tables)
    return tuple(table.with_column(text(COLUMN, COLUMN, [mark] * table.n_rows)) for table in tables)

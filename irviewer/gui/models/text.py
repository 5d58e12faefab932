"""A table as text: the selected rows for the clipboard, all rows for a file. Knows the model, no widget."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.gui.models.base import TableModel
from irviewer.session.judgment_mark import marked_table


def selection_tsv(model: TableModel, rows: Sequence[int], mark: str = "") -> str:
    """``rows`` as shown, with the header and the mark of their judgments: tab-separated, a line a row. Tabs and line
    ends in a cell become spaces."""
    lines = [[column.title for column in model.columns]]
    lines += [[column.copied(row) for column in model.columns] for row in rows]
    return "".join("\t".join(_one_line(str(cell)) for cell in line) + "\n" for line in marked_table(lines, mark))


def csv_rows(model: TableModel) -> list[list[object]]:
    """The header, then every row at full precision: str and float, None where there is no value."""
    rows: list[list[object]] = [[column.title for column in model.columns]]
    rows += [[column.value(row) for column in model.columns] for row in range(model.rowCount())]
    return rows


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text or "\r" in text else text

"""Tables as LaTeX in the style of booktabs, the best values bold, with protocol and remarks in the caption."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.tables import latex
from irviewer.tables.emphasis import best
from irviewer.tables.grid import grid_of
from irviewer.tables.table import Table


def text(tables: Sequence[Table]) -> str:
    """Return tables that compile with booktabs; a comment above names what they need."""
    bodies = [_table(table, number, len(tables)) for number, table in enumerate(tables, start=1)]
    return "\n".join([latex.head("".join(name for name, _ in bodies)), *(body for _, body in bodies)])


def _table(table: Table, number: int, tables: int) -> tuple[str, str]:
    """Return the letters of a table, and its LaTeX."""
    grid = grid_of(table)
    tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
    rows = []
    for place, row in zip(grid.numbers, grid.rows, strict=True):
        cells = [latex.escape(cell) for cell in row]
        rows.append([
            rf"\textbf{{{cell}}}" if top is not None and top[place] else cell
            for cell, top in zip(cells, tops, strict=True)
        ])  # fmt: skip
    said = dict.fromkeys(f"{mark.sign} {mark.text}" for mark in table.marks.values() if mark.text)
    line = table.provenance.line if table.provenance is not None else ""
    sentences = [
        text.rstrip(".")
        for text in (table.title, line, *said, *(note.text for note in table.notes if not note.latex))
        if text
    ]
    caption = latex.escape("".join(f"{sentence}. " for sentence in sentences).strip())
    sides = "".join("r" if right else "l" for right in grid.right)
    label = f"tab:{table.name.replace('_', '-')}" + (f"-{number}" if tables > 1 else "")
    header = [latex.escape(name) for name in grid.header]
    letters = "".join([*grid.header, *(cell for row in grid.rows for cell in row)])
    formulas = "\n".join(rf"\[{note.latex}\]" for note in table.notes if note.latex)
    return letters, latex.table(header, rows, sides, caption, label, formulas)

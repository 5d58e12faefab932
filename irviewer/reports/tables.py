"""Small tables of names and numbers as aligned text, Markdown, LaTeX, CSV, TSV and JSON, with their notes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from irviewer.reports.comparison_grids import number
from irviewer.tables import latex, markdown
from irviewer.tables.aligned import aligned_within, fits, transposed
from irviewer.tables.json_text import json_text
from irviewer.translation import tr

Cell = str | int | float | None


@dataclass(frozen=True)
class Grid:
    """A table. ``rows`` begin with a name; ``notes`` are sentences, such as how to reproduce the numbers. A float is a
    value, an int a count; None and NaN are missing. ``run_columns``: there is a column for each run."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    run_columns: bool = False


def shown(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else f"{cell:,}" if isinstance(cell, int) else number(cell)


def write_table(grids: Sequence[Grid], width: int | None = None) -> str:
    """Return aligned tables with their notes below. If the columns do not fit the width, columns of runs become rows,
    and other columns are printed in blocks."""
    blocks = []
    for grid in grids:
        header: Sequence[str] = grid.header
        rows = [[shown(cell) for cell in row] for row in grid.rows]
        if grid.run_columns and not fits(header, rows, width):
            header, rows = transposed(header, rows, tr("run"))
        lines = [grid.title, *aligned_within(header, rows, 1, width)]
        blocks.append("\n".join([*lines, *(tr("Note: {warning}", warning=note) for note in grid.notes)]) + "\n")
    return "\n".join(blocks)


def write_markdown(grids: Sequence[Grid]) -> str:
    """Return a heading, a table and a list of notes for each grid."""
    blocks = []
    for grid in grids:
        rows = [list(grid.header), *([shown(cell) for cell in row] for row in grid.rows)]
        plain = [[markdown.escape(cell) for cell in row] for row in rows]
        lines = markdown.table(plain[0], plain[1:], [position > 0 for position in range(len(grid.header))])
        notes = "\n".join(f"- {markdown.escape(note)}" for note in grid.notes)
        blocks += [f"### {markdown.escape(grid.title)}", "\n".join(lines), notes]
    return "\n\n".join(filter(None, blocks)) + "\n"


def write_latex(grids: Sequence[Grid]) -> str:
    """Return tables that compile with booktabs, with title and notes in the caption."""
    names = "".join("".join([*grid.header, *(str(row[0]) for row in grid.rows)]) for grid in grids)
    blocks = [latex.head(names)]
    for position, grid in enumerate(grids):
        rows = [[latex.escape(shown(cell)) for cell in row] for row in grid.rows]
        header = [latex.escape(cell) for cell in grid.header]
        caption = latex.escape(". ".join([grid.title, " ".join(grid.notes)]))
        label = "tab:systems" + (f"-{position + 1}" if len(grids) > 1 else "")
        blocks.append(latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, label))
    return "\n".join(blocks)


def write_csv(grids: Sequence[Grid], delimiter: str = ",") -> str:
    """Return rows at full precision, with the table's title in the first column and its notes in the last."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    header: tuple[str, ...] = ()
    for grid in grids:
        if grid.header != header:
            header = grid.header
            writer.writerow(["table", *header, "notes"])
        for row in grid.rows:
            cells = ["" if _none(cell) else repr(cell) if isinstance(cell, float) else cell for cell in row]
            writer.writerow([grid.title, *cells, " ".join(grid.notes)])
    return out.getvalue()


def write_tsv(grids: Sequence[Grid]) -> str:
    """Return the CSV form with tabs."""
    return write_csv(grids, "\t")


def write_json(grids: Sequence[Grid]) -> str:
    """Return for each table its title, its rows as objects and its notes; null if missing."""
    tables = [
        {
            "title": grid.title,
            "rows": [dict(zip(grid.header, row, strict=True)) for row in grid.rows],
            "notes": list(grid.notes),
        }
        for grid in grids
    ]
    return json_text({"tables": tables}, 2)


def _none(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


WRITERS: dict[str, Callable[[Sequence[Grid]], str]] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "latex": write_latex,
    "markdown": write_markdown,
}

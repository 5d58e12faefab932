"""Tables as aligned text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden
from irviewer.tables.aligned import aligned_within, fits, transposed
from irviewer.tables.grid import Grid, grid_of
from irviewer.tables.table import Table
from irviewer.translation import tr, trn

MOST_ROWS = 24
"""Of longer tables a notebook or a prompt shows the first and the last."""
USUAL_WIDTH = 160
"""Places of a line where no width is known; measures that do not fit in it are rows."""


def text(tables: Sequence[Table], width: int | None = None, most: int | None = None) -> str:
    """Return the tables one below the other: the protocol's line where it changes, title, columns, remarks; last what
    is said in words. Columns that do not fit a width become rows if they are runs or measures, else blocks; with
    ``most`` the middle of a long table is left out."""
    blocks, line = [], ""
    for table in tables:
        lines = []
        if table.provenance is not None and table.provenance.line not in ("", line):
            line = table.provenance.line
            lines += [line, ""]
        lines += [table.title] if table.title and not table.caption else []
        below = ["", table.caption] if table.caption else notes(table)
        said = "\n".join([*lines, *_lines(table, width, most), *below])
        blocks.append("".join(f"{escape_hidden(each)}\n" for each in said.split("\n")))
    blocks += [f"{escape_hidden(each)}\n" for table in tables for each in table.said]
    return "\n".join(blocks)


def notes(table: Table) -> list[str]:
    """Return the remarks, and what marks say, as lines."""
    said = dict.fromkeys(f"{mark.sign} {mark.text}" for mark in table.marks.values() if mark.text)
    return [
        *said, *(tr("Note: {warning}", warning=note.text) if note.warns else note.text for note in table.notes)
    ]  # fmt: skip


def _lines(table: Table, width: int | None, most: int | None) -> list[str]:
    grid = grid_of(table, most)
    header: Sequence[str] = grid.header
    rows: Sequence[Sequence[str]] = _marked(grid)
    left, right = grid.left, grid.right
    if _turns(grid) and not fits(header, rows, width or USUAL_WIDTH):
        corner = tr("run") if grid.columns[-1].names == "run" else tr("measure")
        header, rows = transposed(header, rows, corner)
        right = (False, *[True] * (len(header) - 1))
    lines = aligned_within(header, rows, left, width, right)
    return _with_gap(lines, grid)


def _marked(grid: Grid) -> Sequence[Sequence[str]]:
    """Return the rows with the marks behind the texts, so that figures align."""
    widths = [max(map(len, signs)) for signs in zip(*grid.signs, strict=True)]
    if not any(widths):
        return grid.rows
    return [
        [text + sign.ljust(width) for text, sign, width in zip(row, signs, widths, strict=True)]
        for row, signs in zip(grid.rows, grid.signs, strict=True)
    ]


def _turns(grid: Grid) -> bool:
    """Return whether columns can become rows: there is one column of names, and the others are counts and runs, or
    measures."""
    names = {column.names for column in grid.columns[1:] if column.kind != "count"}
    return grid.left == 1 and len(grid.columns) > 2 and names in ({"run"}, {"measure"})


def _with_gap(lines: list[str], grid: Grid) -> list[str]:
    if not grid.omitted or len(lines) != len(grid.rows) + 1:
        return lines
    more = trn("… {n} more row", "… {n:,} more rows", grid.omitted)
    return [*lines[: grid.gap + 1], more, *lines[grid.gap + 1 :]]

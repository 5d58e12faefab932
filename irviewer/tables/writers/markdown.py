"""Tables as Markdown, the best values bold."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.tables.emphasis import best
from irviewer.tables.grid import grid_of
from irviewer.tables.markdown import escape
from irviewer.tables.markdown import table as markdown_table
from irviewer.tables.table import Table


def text(tables: Sequence[Table]) -> str:
    """Return what is said in words, and for each table the protocol's line where it changes, a heading, a table and a
    list of remarks; of one with a caption the caption below it instead."""
    blocks, line = [escape(each) for table in tables for each in table.said], ""
    for table in tables:
        if table.provenance is not None and table.provenance.line not in ("", line):
            line = table.provenance.line
            blocks.append(escape(line))
        grid = grid_of(table)
        tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
        rows = [
            [
                _cell(cell, top is not None and bool(top[number])) + escape(sign)
                for cell, top, sign in zip(row, tops, signs, strict=True)
            ]
            for number, row, signs in zip(grid.numbers, grid.rows, grid.signs, strict=True)
        ]
        listed = "\n".join(markdown_table([escape(name) for name in grid.header], rows, grid.right))
        if table.caption:
            blocks += [listed, escape(table.caption)]
            continue
        said = dict.fromkeys(f"{mark.sign} {mark.text}" for mark in table.marks.values() if mark.text)
        remarks = [*said, *(note.text for note in table.notes)]
        blocks += [f"### {escape(table.title)}"] if table.title else []
        blocks.append(listed)
        blocks += ["\n".join(f"- {escape(remark)}" for remark in remarks)] if remarks else []
    return "\n\n".join(blocks) + "\n"


def _cell(cell: str, bold: bool) -> str:
    return f"**{escape(cell)}**" if bold else escape(cell)

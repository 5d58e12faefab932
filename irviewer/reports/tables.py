"""Small tables of names and numbers as text: for the eye, Markdown, LaTeX, CSV, TSV, JSON. One table of writers, by
name; every one of them says what the numbers are of. Computes nothing."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from irviewer.reports import latex
from irviewer.reports.comparison_grids import number
from irviewer.reports.json_text import json_text
from irviewer.translation import tr

Cell = str | int | float | None


@dataclass(frozen=True)
class Grid:
    """A table: ``title`` says what it is of, ``rows`` have a name first; ``notes`` are sentences with what it takes to
    make the numbers again and what else has to be told. A float is a value, an int a count, None and NaN nothing."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


def shown(cell: Cell) -> str:
    """A cell for the eye."""
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else f"{cell:,}" if isinstance(cell, int) else number(cell)


def write_table(grids: Sequence[Grid]) -> str:
    """Aligned, the notes below."""
    blocks = []
    for one in grids:
        rows = [list(one.header), *([shown(cell) for cell in row] for row in one.rows)]
        widths = [max(len(row[place]) for row in rows) for place in range(len(one.header))]
        lines = [one.title]
        for row in rows:
            cells = [cell.rjust(widths[at]) if at else cell.ljust(widths[0]) for at, cell in enumerate(row)]
            lines.append("  ".join(cells).rstrip())
        blocks.append("\n".join([*lines, *(tr("Note: {warning}", warning=said) for said in one.notes)]) + "\n")
    return "\n".join(blocks)


def write_markdown(grids: Sequence[Grid]) -> str:
    """A heading and a table each, the notes as a list."""
    blocks = []
    for one in grids:
        rows = [list(one.header), *([shown(cell) for cell in row] for row in one.rows)]
        plain = [[_plain(cell) for cell in row] for row in rows]
        rule = [":--", *["--:"] * (len(one.header) - 1)]
        lines = ["| " + " | ".join(row) + " |" for row in [plain[0], rule, *plain[1:]]]
        blocks += [f"### {_plain(one.title)}", "\n".join(lines), "\n".join(f"- {_plain(said)}" for said in one.notes)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _plain(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~$" else letter for letter in text)


def write_latex(grids: Sequence[Grid]) -> str:
    """Tables that compile with booktabs, title and notes in the caption."""
    names = "".join("".join([*one.header, *(str(row[0]) for row in one.rows)]) for one in grids)
    found = [latex.head(names)]
    for place, one in enumerate(grids):
        rows = [[latex.escape(shown(cell)) for cell in row] for row in one.rows]
        header = [latex.escape(cell) for cell in one.header]
        caption = latex.escape(". ".join([one.title, " ".join(one.notes)]))
        label = "tab:systems" + (f"-{place + 1}" if len(grids) > 1 else "")
        found.append(latex.table(header, rows, "l" + "r" * (len(header) - 1), caption, label))
    return "\n".join(found)


def write_csv(grids: Sequence[Grid], delimiter: str = ",") -> str:
    """Full precision; the first column says what a row is of, the last one in every row what has to be told."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    header: tuple[str, ...] = ()
    for one in grids:
        if one.header != header:
            header = one.header
            writer.writerow(["table", *header, "notes"])
        for row in one.rows:
            cells = ["" if _none(cell) else repr(cell) if isinstance(cell, float) else cell for cell in row]
            writer.writerow([one.title, *cells, " ".join(one.notes)])
    return out.getvalue()


def write_tsv(grids: Sequence[Grid]) -> str:
    """The same with tabs."""
    return write_csv(grids, "\t")


def write_json(grids: Sequence[Grid]) -> str:
    """For each table its title, its rows as objects and its notes; null where there is no number."""
    tables = [
        {
            "title": one.title,
            "rows": [dict(zip(one.header, row, strict=True)) for row in one.rows],
            "notes": list(one.notes),
        }
        for one in grids
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

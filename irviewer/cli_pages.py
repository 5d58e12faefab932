"""What a record is as text: a table with lines above and below, as text, JSON, CSV, Markdown or LaTeX.

Knows no record; ``cli_explained`` makes pages of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irviewer.formats import latex


@dataclass(frozen=True)
class Page:
    """A record as text wants it: a line above, a table, lines below; ``data`` for JSON, ``latex`` the formula."""

    head: str
    header: tuple[str, ...]
    rows: list[list[str]]
    right: tuple[bool, ...]
    below: list[str]
    data: dict[str, Any]
    latex: str = ""


def text_of(page: Page, form: str) -> str:
    """A page in one of the formats."""
    if form == "json":
        from irviewer.formats.plain_json import json_text

        return json_text(page.data)
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(page.header)
        writer.writerows(map(_read_by_programs, page.rows))
        return out.getvalue()
    if form == "markdown":
        return _markdown(page)
    return _latex(page) if form == "latex" else table(page)


def _read_by_programs(row: Sequence[str]) -> list[str]:
    """Cells with a minus that is a hyphen: a program reads no other as a number's sign."""
    return ["-" + cell[1:] if cell.startswith("−") and cell[1:2].isdigit() else cell for cell in row]


def table(page: Page) -> str:
    """A page for the eye."""
    lines = [page.head]
    if page.rows:
        every = [list(page.header), *page.rows]
        widths = [max(len(row[place]) for row in every) for place in range(len(page.header))]
        lines += ["  ".join(_padded(row, widths, page.right)).rstrip() for row in every]
    return "\n".join([*lines, *page.below]) + "\n"


def _padded(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    return [one.rjust(w) if r else one.ljust(w) for one, w, r in zip(row, widths, right, strict=True)]


def _markdown(page: Page) -> str:
    lines = [f"**{page.head}**", ""]
    if page.rows:
        lines.append("| " + " | ".join(page.header) + " |")
        lines.append("|" + "|".join("--:" if one else ":--" for one in page.right) + "|")
        lines += ["| " + " | ".join(one.replace("|", "\\|") for one in row) + " |" for row in page.rows]
        lines.append("")
    return "\n".join([*lines, *(one.strip() + "  " for one in page.below if one.strip())]) + "\n"


def _latex(page: Page) -> str:
    columns = "".join("r" if one else "l" for one in page.right)
    rows = [list(map(latex.escape, row)) for row in page.rows]
    below = rf"\[{page.latex}\]" if page.latex else latex.escape(page.below[0])
    text = latex.table(
        [latex.escape(one) for one in page.header], rows, columns, latex.escape(page.head), "tab:explained", below
    )
    return latex.head(text) + text

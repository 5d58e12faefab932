"""CSV and TSV of files that are no result, such as judging tasks, notes and points of a plot, and of texts that are
guarded for spreadsheets. The tables of results have writers of their own (:mod:`irviewer.tables.writers`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def delimited_text(header: Sequence[object], rows: Iterable[Sequence[object]], delimiter: str) -> str:
    """Return a header and rows, with quotation marks around the cells that need them, and the line end "\\n"."""
    lines: list[str] = []
    for row in (header, *rows):
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerow(row)  # a cell with either sign is quoted
        lines.append(out.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)

"""CSV and TSV for spreadsheets, which take a text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula and
compute it."""

from __future__ import annotations

import csv
import io
import re

from irviewer.formats.delimited_text import delimited_text

_FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a formula may begin: also behind a tab or a line end, and in wide forms of East Asia."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
GUARD = "'"


def guarded(text: str, delimiter: str = ",") -> str:
    """Return CSV (or TSV) with an apostrophe before each cell that a spreadsheet would take for a formula. Numbers stay
    as they are. Read again by a program, the guarded cells differ from the data by the apostrophe."""
    former = csv.field_size_limit(max(len(text), csv.field_size_limit()))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    finally:
        csv.field_size_limit(former)
    guarded_rows = [list(map(_guarded, row)) for row in rows]
    return delimited_text(guarded_rows[0], guarded_rows[1:], delimiter) if guarded_rows else ""


def _guarded(cell: str) -> str:
    return GUARD + cell if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell

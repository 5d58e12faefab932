"""Rows of CSV and TSV with the line on which each begins, where a quotation mark that is not closed is an error: it
would take all further lines into one cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.translation import tr

MOST_CELL = 1 << 27
"""The maximum number of characters of a cell; Python's default is too small for documents."""


def csv_rows(path: str | Path, text: str, delimiter: str, *, above: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of the file on which each row begins, and its cells; the text begins below ``above`` lines. Raises
    ParseError for a quotation mark that is not closed, or closed on another line within a cell."""
    csv.field_size_limit(MOST_CELL)
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter)
    begin = 0
    try:
        for cells in reader:
            end = reader.line_num
            several = end > begin + 1
            if (several or end == len(lines)) and _is_open(lines[begin:end], delimiter, several=several):
                raise _unclosed(path, lines[begin], delimiter, begin + 1 + above)
            yield begin + 1 + above, cells
            begin = end
    except csv.Error as error:
        raise ParseError(
            path,
            tr("the row cannot be read: {reason}", reason=error),
            line=begin + 1 + above,
            hint=tr("close every quotation mark"),
        ) from error


def _is_open(lines: list[str], delimiter: str, *, several: bool) -> bool:
    """Return whether the lines of a row end within quotation marks, or go on behind a closed cell."""
    if several:
        try:
            next(csv.reader(lines, delimiter=delimiter, strict=True))
        except csv.Error:
            return True
    last = lines[-1] if lines[-1].endswith(("\n", "\r")) else f"{lines[-1]}\n"
    return len(list(csv.reader([*lines[:-1], last, "x"], delimiter=delimiter))) < 2


def _unclosed(path: str | Path, first: str, delimiter: str, line: int) -> ParseError:
    """Return the error of a row whose ``first`` line has the mark: the last one there that begins a cell."""
    marks = [place for place, sign in enumerate(first)
             if sign == '"' and (not place or first[place - 1] in (delimiter, " "))]  # fmt: skip
    return ParseError(
        path,
        tr("a quotation mark that begins a cell is not closed"),
        line=line,
        column=marks[-1] + 1 if marks else 0,
        text=first.strip(),
        hint=tr("close it, or leave it out; within a cell in quotation marks write it twice"),
    )

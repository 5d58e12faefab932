"""Rows of CSV and TSV with the line on which each begins, where a quotation mark that is not closed is an error: it
would take all further lines into one cell."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import cache
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
            if (end == len(lines) and _is_open(lines[begin:end], delimiter)) or (
                end > begin + 1 and _goes_on(lines[begin:end], delimiter)
            ):
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


def ends_open(data: bytes | bytearray, delimiter: str, size: int | None = None) -> bool:
    """Return whether a cell in the last line of the first ``size`` bytes is not closed. Arrow takes it as closed, and
    the line end as part of it."""
    end = len(data) if size is None else size
    while end and data[end - 1] in b"\r\n":
        end -= 1
    begin = data.rfind(b"\n", 0, end) + 1
    if data.find(b'"', begin, end) < 0:
        return False
    return _is_open([bytes(data[begin:end]).decode("utf-8", "replace")], delimiter)


def _is_open(lines: list[str], delimiter: str) -> bool:
    """Return whether the lines of a row end within quotation marks."""
    last = lines[-1] if lines[-1].endswith(("\n", "\r")) else f"{lines[-1]}\n"
    return len(list(csv.reader([*lines[:-1], last, "x"], delimiter=delimiter))) < 2


def _goes_on(lines: list[str], delimiter: str) -> bool:
    """Return whether a cell of several lines goes on where it is closed, as if the mark there began another cell."""
    if not _behind_mark(delimiter).search("".join(lines[1:]).replace('""', "")):  # quick, and true of most rows
        return False
    return any(
        cell["more"] and cell["more"].strip() and ("\n" in cell["within"] or "\r" in cell["within"])
        for cell in _cells(delimiter).finditer("".join(lines))
    )


@cache
def _behind_mark(delimiter: str) -> re.Pattern[str]:
    """Return the pattern of a mark that does not end a cell."""
    return re.compile(rf'"[^"{re.escape(delimiter)}\r\n]')


@cache
def _cells(delimiter: str) -> re.Pattern[str]:
    """Return the pattern of a cell and what ends it: what is within quotation marks and any more behind them, or a cell
    without them."""
    end = re.escape(delimiter)
    plain = rf"[^{end}\r\n]*"
    return re.compile(rf'(?:"(?P<within>[^"]*(?:""[^"]*)*)"(?P<more>{plain})|{plain})(?:{end}|\r?\n|\r|\Z)')


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

"""Cells as aligned lines of text, in the width of a terminal where that is known."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from irviewer.hidden_characters import escape_hidden

GAP = 2

Rows = Sequence[Sequence[str]]


WIDEST = 120
"""The most places of a column. One id of 15,000 letters would otherwise make every line as long."""


def aligned(header: Sequence[str], rows: Rows, left: int = 1, right: Sequence[bool] | None = None) -> list[str]:
    """Return a line for the header and each row. ``right`` says of each column whether it is flush right; without it
    all are but the first ``left``."""
    return padded((header, *rows), right or [column >= left for column in range(len(header))])


def padded(rows: Rows, right: Sequence[bool]) -> list[str]:
    """Return a line for each row; ``right`` says of each column whether it is flush right. Hidden characters are
    escaped. Cells are shortened in their middle to WIDEST places, except in a last column that is flush left: nothing
    stands behind it, and it may be a sentence."""
    most = [None if place == len(right) - 1 and not right[place] else WIDEST for place in range(len(right))]
    rows = [[shortened(escape_hidden(cell), limit) for cell, limit in zip(row, most, strict=True)] for row in rows]
    widths = [max(map(places, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for cell, width, to_right in zip(row, widths, right, strict=True):
            blank = " " * (width - places(cell))
            cells.append(blank + cell if to_right else cell + blank)
        lines.append((" " * GAP).join(cells).rstrip())
    return lines


def shortened(text: str, most: int | None = WIDEST) -> str:
    """Return a text of at most this many places, with an ellipsis in the middle of a longer one; None: of any."""
    if most is None or len(text) <= most // 2 or places(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{_beginning(text, half)}…{_beginning(text[::-1], half)[::-1]}"


def _beginning(text: str, most: int) -> str:
    """Return the first letters of a text that take at most this many places."""
    if text.isascii():
        return text[:most]
    used = 0
    for end, letter in enumerate(text):
        used += places(letter)
        if used > most:
            return text[:end]
    return text


def places(text: str) -> int:
    """Return the places that a text takes in a terminal: two for each letter of Chinese, Japanese or Korean and for an
    emoji, none for an accent that is a letter of its own (Unicode Standard Annex 11)."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def fits(header: Sequence[str], rows: Rows, width: int | None) -> bool:
    """Return whether the lines are at most ``width`` characters long; every line is for None."""
    return width is None or sum(_widths(header, rows)) + GAP * (len(header) - 1) <= width


def aligned_within(
    header: Sequence[str], rows: Rows, left: int, width: int | None, right: Sequence[bool] | None = None
) -> list[str]:
    """Return the lines in blocks of columns that fit a width, one below the other with an empty line between; each
    block begins with the first ``left`` columns and has at least one further. ``right`` as in ``aligned``."""
    right = right or [column >= left for column in range(len(header))]
    if fits(header, rows, width) or width is None:
        return aligned(header, rows, left, right)
    widths = _widths(header, rows)
    own = sum(widths[:left]) + GAP * (left - 1)
    blocks: list[list[int]] = [[]]
    used = own
    for column in range(left, len(header)):
        if blocks[-1] and used + GAP + widths[column] > width:
            blocks.append([])
            used = own
        blocks[-1].append(column)
        used += GAP + widths[column]
    lines: list[str] = []
    for block in blocks:
        columns = [*range(left), *block]
        part = [[row[column] for column in columns] for row in rows]
        sides = [right[column] for column in columns]
        lines += [*([""] if lines else []), *aligned([header[column] for column in columns], part, left, sides)]
    return lines


def transposed(header: Sequence[str], rows: Rows, corner: str) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows with columns as rows; ``corner`` is the title of the first column."""
    columns = list(zip(header, *rows, strict=True))
    return [corner, *columns[0][1:]], [list(column) for column in columns[1:]]


def _widths(header: Sequence[str], rows: Rows) -> list[int]:
    columns = zip(header, *rows, strict=True)
    return [max(min(places(escape_hidden(cell)), WIDEST) for cell in column) for column in columns]

"""What the readers of queries and documents share: rows checked and put into one table.

Knows the shape of a row, not of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.model.arrays import Ints
from irviewer.model.texts import TextTable

MOST_NAMES, MOST_CELLS = 200, 10_000_000
"""A table has a cell for each text and column: of so many columns no more than so many cells, most of them empty."""


class TextRows:
    """Rows on their way to a TextTable. An id that stands twice is refused, unless everything else is equal as well."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rows: list[Mapping[str, Any]] = []
        self._places: dict[str, tuple[int, int]] = {}

    def add(self, row: Mapping[str, Any], line: int, text: str) -> None:
        """One row with its ``id``, from ``line``, which reads ``text``. Raises ParseError on a second one."""
        one = row["id"]
        if one in self._places:
            place, former = self._places[one]
            if self._rows[place] == row:
                return
            raise ParseError(
                self._path,
                f"the id {one!r} stands twice, first in line {former}",
                line=line,
                column=1,
                text=text.strip(),
                hint="an id names one text; remove one of the two",
            )
        self._places[one] = (len(self._rows), line)
        self._rows.append(row)

    def table(self) -> TextTable:
        """The table. Raises ParseError where there was no row."""
        if not self._rows:
            raise ParseError(self._path, "the file holds no text")
        names = {name for row in self._rows for name in row}
        if len(names) > MOST_NAMES and len(names) * len(self._rows) > MOST_CELLS:
            raise ParseError(
                self._path,
                f"{len(self._rows):,} texts with {len(names):,} different columns: these are no texts of one kind",
                hint="the names of columns may be values; write a column for what all of them have",
            )
        return TextTable.from_rows(self._rows, origin=self._path)


def refuse_twice(path: str, table: Any, first: Ints, lines: Ints | None) -> None:
    """Raises ParseError where an id of an Arrow table stands in two rows that differ; ``first`` int64 are the rows in
    which each id stands for the first time, ``lines`` the rows' lines where the file has some."""
    ids = table["id"].to_pylist()
    places = {ids[row]: row for row in first.tolist()}
    for row in np.setdiff1d(np.arange(len(ids)), first).tolist():
        former = places[ids[row]]
        if table.slice(row, 1).to_pylist() == table.slice(former, 1).to_pylist():
            continue
        where = f"row {former + 1}" if lines is None else f"line {int(lines[former])}"
        raise ParseError(
            path,
            f"the id {ids[row]!r} stands twice, first in {where}",
            line=0 if lines is None else int(lines[row]),
            text="" if lines is not None else f"row {row + 1}",
            hint="an id names one text; remove one of the two",
        )

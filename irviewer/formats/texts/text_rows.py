"""What the readers of queries and documents share: rows checked and put into one table.

Knows the shape of a row, not of a file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.errors import ParseError
from irviewer.model.arrays import Ints, values_of
from irviewer.model.texts import TextTable

MOST_COLUMNS = 10_000
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
        if len(names) > MOST_COLUMNS or (len(names) > MOST_NAMES and len(names) * len(self._rows) > MOST_CELLS):
            raise ParseError(
                self._path,
                f"{len(self._rows):,} texts with {len(names):,} different columns: these are no texts of one kind",
                hint="the names of columns may be values; write a column for what all of them have",
            )
        return TextTable.from_rows(self._rows, origin=self._path)


def refuse_twice(path: str, table: Any, first: Ints, lines: Ints | None) -> None:
    """Raises ParseError where an id of an Arrow table stands in two rows that differ; ``first`` int64 are the rows in
    which each id stands for the first time, ``lines`` the rows' lines where the file has some."""
    ids = table["id"].combine_chunks()
    again = np.setdiff1d(np.arange(len(ids)), first)
    known = ids.take(pa.array(first))
    formers = first[values_of(pc.index_in(ids.take(pa.array(again)), value_set=known).cast(pa.int64()))]
    same = np.ones(len(again), dtype=np.bool_)
    for name in table.column_names:
        one, other = table[name].take(pa.array(again)), table[name].take(pa.array(formers))
        equal = pc.or_(pc.equal(one, other).fill_null(False), pc.and_(pc.is_null(one), pc.is_null(other)))
        same &= equal.to_numpy(zero_copy_only=False) if isinstance(equal, pa.Array) else np.asarray(equal)
    for place in np.flatnonzero(~same)[:1].tolist():
        row, former = int(again[place]), int(formers[place])
        where = f"row {former + 1}" if lines is None else f"line {int(lines[former])}"
        raise ParseError(
            path,
            f"the id {ids[row].as_py()!r} stands twice, first in {where}",
            line=0 if lines is None else int(lines[row]),
            text="" if lines is not None else f"row {row + 1}",
            hint="an id names one text; remove one of the two",
        )


def plain_ids(ids: Sequence[str]) -> list[str] | None:
    """The ids as qrels write the numbers of TREC's topics: whole numbers without zeros before them, and without the
    track's letters that some topics have (``AR26``), where all have the same; None where they are no such numbers."""
    shapes = [re.fullmatch(r"([A-Za-z]{0,3})0*(\d+)", one) for one in ids]
    if not shapes or any(shape is None for shape in shapes) or len({shape[1] for shape in shapes if shape}) > 1:
        return None
    return [shape[2] for shape in shapes if shape]

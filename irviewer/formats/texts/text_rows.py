"""What the readers of queries and documents share: checking rows and putting them into a table."""

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
from irviewer.translation import tr

MOST_COLUMNS = 10_000
MOST_NAMES, MOST_CELLS = 200, 10_000_000
"""Limits of a table, which has a cell for each text and column: with ``MOST_NAMES`` columns, ``MOST_CELLS`` cells."""


class TextRows:
    """Rows to become a TextTable. A repeated id is refused unless the rows are equal."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._rows: list[Mapping[str, Any]] = []
        self._places: dict[str, tuple[int, int]] = {}

    def add(self, row: Mapping[str, Any], line: int, text: str) -> None:
        """Add a row with its ``id`` from ``line``, whose text is ``text``. Raises ParseError if the id is repeated."""
        identifier = row["id"]
        if identifier in self._places:
            index, former_line = self._places[identifier]
            if self._rows[index] == row:
                return
            raise ParseError(
                self._path,
                tr("the id {id!r} is repeated, first in line {line}", id=identifier, line=former_line),
                line=line,
                column=1,
                text=text.strip(),
                hint=tr("remove one of the two texts"),
            )
        self._places[identifier] = (len(self._rows), line)
        self._rows.append(row)

    def table(self) -> TextTable:
        """Return the table. Raises ParseError without rows."""
        if not self._rows:
            raise ParseError(self._path, tr("the file has no texts"))
        names = {name for row in self._rows for name in row}
        if len(names) > MOST_COLUMNS or (len(names) > MOST_NAMES and len(names) * len(self._rows) > MOST_CELLS):
            raise ParseError(
                self._path,
                tr(
                    "{texts:,} texts with {columns:,} different columns: too many for one table",
                    texts=len(self._rows),
                    columns=len(names),
                ),
                hint=tr("check if column names are values; use a column for what all texts have"),
            )
        return TextTable.from_rows(self._rows, origin=self._path)


def refuse_twice(path: str, table: Any, first: Ints, lines: Ints | None) -> None:
    """Raise ParseError if an id of an Arrow table has two rows that differ; ``first`` int64 are the rows of the first
    occurrence of each id, ``lines`` the rows' lines if the file has lines."""
    ids = table["id"].combine_chunks()
    is_repeated = np.ones(len(ids), dtype=np.bool_)
    is_repeated[first] = False
    repeated = np.flatnonzero(is_repeated)
    known = ids.take(pa.array(first))
    formers = first[values_of(pc.index_in(ids.take(pa.array(repeated)), value_set=known).cast(pa.int64()))]
    same = np.ones(len(repeated), dtype=np.bool_)
    for name in table.column_names:
        cells, former_cells = table[name].take(pa.array(repeated)), table[name].take(pa.array(formers))
        equal = pc.or_(
            pc.equal(cells, former_cells).fill_null(False), pc.and_(pc.is_null(cells), pc.is_null(former_cells))
        )
        same &= equal.to_numpy(zero_copy_only=False) if isinstance(equal, pa.Array) else np.asarray(equal)
    for index in np.flatnonzero(~same)[:1].tolist():
        row, former = int(repeated[index]), int(formers[index])
        identifier = ids[row].as_py()
        raise ParseError(
            path,
            tr("the id {id!r} is repeated, first in row {row}", id=identifier, row=former + 1)
            if lines is None
            else tr("the id {id!r} is repeated, first in line {line}", id=identifier, line=int(lines[former])),
            line=0 if lines is None else int(lines[row]),
            text="" if lines is not None else tr("row {row}", row=row + 1),
            hint=tr("remove one of the two texts"),
        )


def plain_ids(ids: Sequence[str]) -> list[str] | None:
    """Return the ids as the numbers of TREC topics in qrels: without leading zeros and without the letters of a track
    (``AR26``) if all ids have the same; None if they are not such numbers."""
    shapes = [re.fullmatch(r"([A-Za-z]{0,3})0*(\d+)", identifier) for identifier in ids]
    if not shapes or any(shape is None for shape in shapes) or len({shape[1] for shape in shapes if shape}) > 1:
        return None
    return [shape[2] for shape in shapes if shape]

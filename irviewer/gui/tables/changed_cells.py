"""Which cells of a table must be painted again.

Comparing the numbers of a column takes far less time than painting its cells, and most edits change a few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from irviewer.model.arrays import Bools

MOST_ROWS = 2000
"""The most rows whose cells are compared. In a longer table, it is faster to paint all cells in view."""


class Cells(Protocol):
    """A column of cells."""

    id: str

    def changed_rows(self, former: Any) -> Bools | None:
        """Return which cells look different from those of a former column, bool[n]; None if that is not known."""
        ...


class Area(NamedTuple):
    """A block of cells, by its first and last row and column."""

    top: int
    bottom: int
    left: int
    right: int


def changed_areas(columns: Sequence[Cells], former: Sequence[Cells], rows: int) -> list[Area]:
    """Return blocks that together hold every cell of the first ``rows`` rows that must be painted again. There are as
    many ``former`` columns as columns."""
    areas: list[Area] = []
    for section, (column, before) in enumerate(zip(columns, former, strict=True)):
        known = column.id == before.id and rows <= MOST_ROWS
        changed = column.changed_rows(before) if known else None
        places = range(rows) if changed is None else np.flatnonzero(changed)
        if not len(places):
            continue
        top, bottom = int(places[0]), int(places[-1])
        if areas and areas[-1] == (top, bottom, areas[-1].left, section - 1):
            areas[-1] = areas[-1]._replace(right=section)
        else:
            areas.append(Area(top, bottom, section, section))
    return areas


def differ(now: Any, before: Any) -> Bools:
    """Return which numbers differ, bool[...]; NaN does not differ from NaN."""
    return ~((now == before) | ((now != now) & (before != before)))


def same_bits(now: Any, before: Any) -> bool:
    """Return whether two arrays of numbers hold the same to the last bit, which takes less time than to find where they
    differ; False where it is not known."""
    return now is before or (
        isinstance(now, np.ndarray) and isinstance(before, np.ndarray)
        and (now.dtype, now.shape) == (before.dtype, before.shape) and now.tobytes() == before.tobytes()
    )  # fmt: skip

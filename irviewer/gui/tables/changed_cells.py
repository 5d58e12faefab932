"""Which cells of a table are painted otherwise than before: those that no comparison shows to be the same.

Painting a cell costs far more than comparing the numbers of its column, and most edits change a few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from irviewer.model.arrays import Bools

MOST_ROWS = 2000
"""Rows up to which cells are compared; those in view of a longer table are sooner painted."""


class Cells(Protocol):
    """A column of cells."""

    id: str

    def changed_rows(self, former: Any) -> Bools | None:
        """Return which cells are painted otherwise than those of a former column; None where nothing is known."""
        ...


class Area(NamedTuple):
    """A block of cells, with the first and the last row and column."""

    top: int
    bottom: int
    left: int
    right: int


def changed_areas(columns: Sequence[Cells], former: Sequence[Cells], rows: int) -> list[Area]:
    """Return the blocks of the first ``rows`` rows outside of which all cells are painted as those of as many former
    columns were."""
    areas: list[Area] = []
    for section, (column, before) in enumerate(zip(columns, former, strict=True)):
        known = column.id == before.id and rows <= MOST_ROWS
        changed = column.changed_rows(before) if known else None
        places = np.arange(rows) if changed is None else np.flatnonzero(changed)
        if not len(places):
            continue
        top, bottom = int(places[0]), int(places[-1])
        if areas and areas[-1] == (top, bottom, areas[-1].left, section - 1):
            areas[-1] = areas[-1]._replace(right=section)
        else:
            areas.append(Area(top, bottom, section, section))
    return areas


def differ(now: Any, before: Any) -> Bools:
    """Return which numbers differ, where NaN is as NaN, bool[...]."""
    return ~((now == before) | ((now != now) & (before != before)))

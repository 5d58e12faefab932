"""How dense a table is: its type size and the padding of its cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Density:
    """The type size of a table in points, and the padding of cells in pixels."""

    size: float
    pad: int


ROOMY = Density(9.5, 10)
TIGHT = Density(9.0, 4)
"""For tables that show all columns with little room."""
DENSE = Density(8.5, 2)
"""The smallest legible type, used if all columns then fit."""
DENSITIES = (ROOMY, TIGHT, DENSE)

"""How dense a table is: its type size and the padding of its cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Density:
    """The type size of a table in points, and the padding of cells in pixels."""

    size: float
    pad: int

    @property
    def edge(self) -> int:
        """The room in pixels that the last column has at its right beside the padding."""
        return max(0, EDGE - self.pad)


EDGE = 8
"""The least room in pixels between numbers and the right edge of a table."""

ROOMY = Density(9.5, 10)
TIGHT = Density(9.0, 4)
"""For tables that show all columns with little room."""
DENSE = Density(8.5, 2)
"""The smallest legible type, used if all columns then fit."""
DENSITIES = (ROOMY, TIGHT, DENSE)

"""How a figure is drawn for print: type, second and third signs of curves, black instead of colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from irviewer.rendering.palette import LIGHT, Palette

Names = Literal["ends", "legend"]
COLUMN_MM, PAGE_MM = 84.0, 178.0
"""The width of a column of two, and of both."""
LEGEND_COLUMN = 42.0
"""The least millimetres for an entry of a legend."""
MM_PER_POINT = 25.4 / 72
MM_PER_UNIT = 25.4 / 96
"""Sizes of figures are in 1/96 inch."""
PRINT_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (4, 1.6),
    (1.2, 1.4),
    (5, 1.5, 1.2, 1.5),
    (8, 2),
    (3, 1.3, 1, 1.3, 1, 1.3),
)
"""Dash patterns in line widths, curve by curve; solid first."""
PRINT_MARKERS = ("o", "s", "^", "D", "x", "v", "P", "*")
"""Markers curve by curve; every second one is hollow where it has an inside."""
BLACK = replace(
    LIGHT, name="black", ink="#000000", text="#000000", muted="#222222", faint="#777777", frame="#000000",
    better="#3a3a3a", worse="#a8a8a8", warning="#000000", heat="#999999", line="#e6e6e6", nonrelevant="#ececec",
    grades=("#d4d4d4", "#ababab", "#7d7d7d", "#4d4d4d", "#1a1a1a"), runs=("#000000",) * len(LIGHT.runs),
)  # fmt: skip
"""The light palette as a printer without colours has it; better and worse differ in lightness, as grades do."""


@dataclass(frozen=True)
class PrintStyle:
    """``type_size`` in points; ``title`` whether the figure's title is drawn; ``dashes`` and ``markers`` tell curves
    apart without colour; ``black`` draws without colour; ``names`` of curves at their ends, or in a legend above."""

    type_size: float = 8.0
    title: bool = False
    dashes: bool = True
    markers: bool = True
    black: bool = False
    names: Names = "legend"

    def palette(self, palette: Palette) -> Palette:
        """Return the palette to draw with."""
        return BLACK if self.black else replace(palette, muted=palette.ink, frame=palette.ink)

    def dash(self, place: int) -> tuple[float, ...]:
        """Return the dash pattern of the n-th curve."""
        return PRINT_DASHES[place % len(PRINT_DASHES)] if self.dashes else ()

    def marker(self, place: int) -> tuple[str, bool]:
        """Return the marker of the n-th curve and whether it is filled; "" for none."""
        if not self.markers:
            return "", True
        shape = PRINT_MARKERS[place % len(PRINT_MARKERS)]
        return shape, shape == "x" or (place + place // len(PRINT_MARKERS)) % 2 == 0


EM = 0.6
"""The width of an average letter in type sizes, generously."""
ENTRY_EMS, BETWEEN_EMS = 3.6, 1.2
"""The width of a line and its gap before a name in a legend, and the gap between two columns, in type sizes."""


def legend_columns(names: Sequence[str], width_mm: float, type_size: float) -> int:
    """Return the columns of a legend of these names in a figure of this width: as many as hold the longest name, about,
    and at least one."""
    longest = (ENTRY_EMS + BETWEEN_EMS + EM * max(map(len, names), default=0)) * type_size * MM_PER_POINT
    return max(1, min(len(names), int(width_mm // max(LEGEND_COLUMN, longest))))


def in_units(mm: float) -> float:
    """Return millimetres in 1/96 inch."""
    return mm / MM_PER_UNIT

"""What stands under the pointer, in words: a vertical line at x and the value of every curve there.

One place for it, so that the box beside the pointer, a screen reader and a test say the same. Knows no toolkit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from irviewer.figures.figure import Curve, Figure


@dataclass(frozen=True)
class Reading:
    """One curve under the line: ``place`` of it in the figure's curves, its value as number and as written. ``extra``
    is the second column ("7"), empty where the figure has none. ``y`` is NaN where the curve has ended."""

    place: int
    label: str
    y: float
    value: str
    extra: str = ""


@dataclass(frozen=True)
class ReadOut:
    """Everything under the line at ``x``: ``head`` says where it is, ``columns`` name the values, ``entries`` stand in
    the order of the curves from top to bottom, those that have ended last."""

    x: float
    head: str
    columns: tuple[str, ...]
    entries: tuple[Reading, ...]

    @property
    def text(self) -> str:
        """The whole in one line: ``recall 0.60 (6 of 9): a precision 0.86, 7 documents to read; b …``."""
        parts = []
        for one in self.entries:
            named = f"{self.columns[0]} {one.value}" if self.columns[0] and math.isfinite(one.y) else one.value
            told = named if not one.extra else f"{named}, {one.extra} {self.columns[1]}"
            parts.append(f"{one.label} {told}" if len(self.entries) > 1 else told)
        return f"{self.head}: " + "; ".join(parts) if parts else self.head


def read_out(figure: Figure, x: float) -> ReadOut:
    """The values of all curves at the place nearest to ``x`` that the axis allows."""
    place = figure.x.snapped(x)
    needed = relevant_needed(place, figure.n_relevant)
    head = figure.reading.format(x=place, n=needed, of=figure.n_relevant) if figure.reading else f"{place:g}"
    entries = []
    for i, curve in enumerate(figure.curves):
        y = curve.at(place)
        known = math.isfinite(y)
        value = figure.y_reading.format(y=y) if known else _outside(curve, place)
        extra = documents_to_read(curve, needed, y) if known and figure.n_relevant else _interval(figure, curve, place)
        entries.append(Reading(i, curve.label, y, value, extra))
    entries.sort(key=_height)
    second = ("documents to read",) if figure.n_relevant else ("interval",) if figure.bands else ()
    columns = (figure.quantity, *second)
    return ReadOut(place, head, columns, tuple(entries))


def relevant_needed(recall: float, n_relevant: int) -> int:
    """How many relevant documents make up at least ``recall``."""
    return max(0, math.ceil(recall * n_relevant - 1e-9))


def documents_to_read(curve: Curve, needed: int, precision: float) -> str:
    """How many documents are read until ``needed`` relevant ones are found: exact where the curve knows its ranks;
    else the fewest that interpolated ``precision`` allows, as "≥ 7" where that may be too few."""
    if needed == 0:
        return "0"
    if curve.ranks is not None:
        return f"{int(curve.ranks[needed - 1]):,}" if needed <= len(curve.ranks) else "not found"
    if precision <= 0:
        return "not found"
    fewest = math.ceil(needed / precision - 1e-6)
    return f"{fewest:,}" if fewest == needed else f"≥ {fewest:,}"


def _interval(figure: Figure, curve: Curve, place: float) -> str:
    """The band's ends there, in the words of the values; "" where the curve has no band."""
    band = next((one for one in figure.bands if (one.role, one.label) == (curve.role, curve.label)), None)
    low, high = (math.nan, math.nan) if band is None else band.at(place)
    return f"[{figure.y_reading.format(y=low)}, {figure.y_reading.format(y=high)}]" if math.isfinite(low) else ""


def _height(entry: Reading) -> tuple[bool, float]:
    return (math.isnan(entry.y), -entry.y if math.isfinite(entry.y) else 0.0)


def _outside(curve: Curve, x: float) -> str:
    if not len(curve.x):
        return "nothing found"
    return f"ends at {curve.x[-1]:.4g}" if x > curve.x[-1] else "–"

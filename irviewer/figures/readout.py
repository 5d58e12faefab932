"""The values of all curves at the pointer as text, for the tooltip, screen readers and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

from irviewer.figures.figure import Curve, Figure
from irviewer.model.half_up import HalfUp
from irviewer.translation import decimal, filled, interval, tr


@dataclass(frozen=True)
class ReadoutEntry:
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
    entries: tuple[ReadoutEntry, ...]

    @property
    def text(self) -> str:
        """The whole in one line: ``recall 0.60 (6 of 9): a precision 0.86, 7 documents to read; b …``."""
        parts = []
        for entry in self.entries:
            value = f"{self.columns[0]} {entry.value}" if self.columns[0] and math.isfinite(entry.y) else entry.value
            text = value if not entry.extra else f"{value}, {entry.extra} {self.columns[1]}"
            parts.append(f"{entry.label} {text}" if len(self.entries) > 1 else text)
        return f"{self.head}: " + "; ".join(parts) if parts else self.head


def read_out(figure: Figure, x: float) -> ReadOut:
    """Return the values of all curves at the nearest position to ``x`` that the axis allows."""
    position = figure.x.snapped(x)
    needed = relevant_needed(position, figure.n_relevant)
    head = filled(figure.reading or "{x:g}", x=position, n=needed, of=figure.n_relevant)
    entries = []
    for i, curve in enumerate(figure.curves):
        y = curve.at(position)
        present = math.isfinite(y)
        value = filled(figure.y_reading, y=HalfUp(y) if figure.half_up else y) if present else _outside(curve, position)
        extra = (
            documents_to_read(curve, needed, y) if present and figure.n_relevant else _interval(figure, curve, position)
        )
        entries.append(ReadoutEntry(i, curve.label, y, value, extra))
    entries.sort(key=_height)
    second = (tr("documents to read"),) if figure.n_relevant else (tr("interval"),) if figure.bands else ()
    columns = (figure.quantity, *second)
    return ReadOut(position, head, columns, tuple(entries))


def relevant_needed(recall: float, n_relevant: int) -> int:
    """Return the number of relevant documents for a recall of at least ``recall``."""
    return max(0, math.ceil(recall * n_relevant - 1e-9))


def documents_to_read(curve: Curve, needed: int, precision: float) -> str:
    """Return the documents to read to find ``needed`` relevant ones: exact where the curve has ranks, else the fewest
    that interpolated ``precision`` allows, as "≥ 7" where that may be too few."""
    if needed == 0:
        return "0"
    if curve.ranks is not None:
        return decimal(f"{int(curve.ranks[needed - 1]):,}") if needed <= len(curve.ranks) else tr("not found")
    if precision <= 0:
        return tr("not found")
    fewest = math.ceil(needed / precision - 1e-6)
    return decimal(f"{fewest:,}" if fewest == needed else f"≥ {fewest:,}")


def _interval(figure: Figure, curve: Curve, position: float) -> str:
    """Return the band's ends there, in the words of the values; "" where the curve has no band."""
    band = next(
        (candidate for candidate in figure.bands if (candidate.role, candidate.label) == (curve.role, curve.label)),
        None,
    )
    low, high = (math.nan, math.nan) if band is None else band.at(position)
    if not math.isfinite(low):
        return ""
    return interval(filled(figure.y_reading, y=low), filled(figure.y_reading, y=high))


def _height(entry: ReadoutEntry) -> tuple[bool, float]:
    return (math.isnan(entry.y), -entry.y if math.isfinite(entry.y) else 0.0)


def _outside(curve: Curve, x: float) -> str:
    if not len(curve.x):
        return tr("nothing found")
    return tr("ends at {x:.4g}", x=curve.x[-1]) if x > curve.x[-1] else "–"

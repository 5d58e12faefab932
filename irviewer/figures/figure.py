"""What a figure is: named axes, curves, bars and a heat map with roles instead of colours.

Computing makes a Figure; the window's canvas and the exporter each draw the same one. Arrays are frozen; nothing here
knows a toolkit or a colour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.model.arrays import Floats, Ints

RoleKind = Literal["run", "ideal", "better", "worse", "equal", "ink"]


@dataclass(frozen=True)
class Role:
    """What a mark stands for; the palette knows its colour. ``run`` carries the key of a run of the collection."""

    kind: RoleKind
    run: int = -1


IDEAL = Role("ideal")
BETTER = Role("better")
WORSE = Role("worse")
EQUAL = Role("equal")
INK = Role("ink")


@dataclass(frozen=True)
class Axis:
    """One axis: its name with unit, its range (set, never searched), and what the read-out calls a place on it.

    step    the read-out moves in multiples of it; 0 means a hundredth of the range, or 1 on an integer axis
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None
    integer: bool = False
    step: float = 0.0

    @property
    def pace(self) -> float:
        """How far one step of the read-out goes."""
        return self.step or (1.0 if self.integer else (self.high - self.low) / 100)

    def snapped(self, place: float) -> float:
        """The nearest place the read-out can stand on, inside the range."""
        pace = self.pace
        if not pace > 0:
            return self.low
        last = math.floor((self.high - self.low) / pace + 1e-9)
        return self.low + pace * min(last, max(0, round((place - self.low) / pace)))


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through ``x``, ``y`` (float64[n], x ascending; corners only, so that it repaints fast; NaN is a gap).

    ends_open    a ring at the last point: the run ends here, the curve does not fall to zero
    ranks        int64[h], only for precision-recall of one query: where the relevant documents stand, best first, so
                 that the read-out can say how many documents are read until the n-th of them
    """

    role: Role
    label: str
    x: Floats
    y: Floats
    ends_open: bool = False
    ranks: Ints | None = None

    def at(self, x: float) -> float:
        """The value under a pointer at ``x``, by straight lines between corners; NaN outside the curve. On a vertical
        step it is the value before it: interpolated precision *at* a recall is the best from there on."""
        if not len(self.x) or x < self.x[0] or x > self.x[-1]:
            return float("nan")
        after = int(np.searchsorted(self.x, x, side="left"))
        if self.x[after] == x:
            return float(self.y[after])
        return float(np.interp(x, self.x[after - 1 : after + 1], self.y[after - 1 : after + 1]))


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars of ``heights`` float64[n] side by side from x = 0; ``better``, ``worse`` and ``equal`` by their sign:
    upward is the better unless ``better_up`` is False. ``keys`` names each (a query id), ``selected`` is the outlined
    one or -1."""

    heights: Floats
    keys: tuple[str, ...]
    selected: int = -1
    better_up: bool = True


@dataclass(frozen=True, eq=False)
class Cells:
    """A map of queries (columns, as ``keys`` names them) and ranks (rows, from rank 1 downward).

    grades    float64[depth, N]: NaN where the qrels do not list the document, -inf where nothing was retrieved
    """

    grades: Floats
    keys: tuple[str, ...]
    max_grade: float
    selected: int = -1


@dataclass(frozen=True, eq=False)
class Figure:
    """Everything one picture shows. ``reading`` says what a vertical line at ``{x}`` means; the read-out writes it.

    quantity      what the curves' values are called in the read-out ("precision")
    n_relevant    R of a precision-recall figure of one query, 0 elsewhere: the read-out counts documents with it
    """

    title: str
    x: Axis
    y: Axis
    curves: tuple[Curve, ...] = ()
    bars: Bars | None = None
    cells: Cells | None = None
    note: str = ""
    cursor: float | None = None
    reading: str = ""
    y_reading: str = "{y:.4f}"
    quantity: str = ""
    n_relevant: int = 0


def corners(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The points of a polyline that matter: those in the middle of a straight stretch are dropped."""
    if len(x) < 3:
        return x, y
    dx1, dy1 = x[1:-1] - x[:-2], y[1:-1] - y[:-2]
    dx2, dy2 = x[2:] - x[1:-1], y[2:] - y[1:-1]
    bend = np.abs(dy1 * dx2 - dy2 * dx1) > 1e-12
    keep = np.concatenate(([True], bend | ~np.isfinite(dy1 + dy2), [True]))
    return x[keep], y[keep]

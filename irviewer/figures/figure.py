"""What a figure is: named axes, curves, bars and a heat map with roles instead of colours.

Computing makes a Figure; the window's canvas and the exporter each draw the same one. Arrays are frozen; nothing here
knows a toolkit or a colour."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import MINUS, times
from irviewer.translation import decimal, has_decimal_commas

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


_NUMBER = re.compile(r"[+−×-]?[\d.,]+( %)?")
"""The text of a tick that is a number."""


@dataclass(frozen=True)
class Axis:
    """One axis: its name with unit, its range (set, never searched), and its name in the read-out.

    step    the read-out moves in multiples of it; 0 means a hundredth of the range, or 1 on an integer axis
    column  its name in a table of the points, which lacks the figure's title; "" for the label
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None
    integer: bool = False
    step: float = 0.0
    column: str = ""

    @property
    def shown_ticks(self) -> tuple[tuple[float, str], ...]:
        """The ticks with the decimal sign of the window; ``ticks`` are those of files."""
        ticks = self.ticks or ()
        if not has_decimal_commas():  # plots ask with every painting
            return ticks
        return tuple((place, decimal(text) if _NUMBER.fullmatch(text) else text) for place, text in ticks)

    @property
    def heading(self) -> str:
        """The name of a table's column that holds places on this axis."""
        return self.column or self.label

    @property
    def pace(self) -> float:
        """How far one step of the read-out goes."""
        return self.step or (1.0 if self.integer else (self.high - self.low) / 100)

    def snapped(self, place: float) -> float:
        """Return the nearest position of the read-out inside the range."""
        pace = self.pace
        if not pace > 0:
            return self.low
        last = math.floor((self.high - self.low) / pace + 1e-9)
        steps = min(last, max(0, round((place - self.low) / pace)))
        # 35 · .01 is a little above .35, where a curve may have fallen already; 35 / 100 is .35.
        parts = round(1 / pace)
        return self.low + (steps / parts if parts and abs(1 / pace - parts) < 1e-9 * parts else steps * pace)


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through ``x``, ``y`` (float64[n], x ascending; corners only, so that it repaints fast; NaN is a gap).

    ends_open    a ring at the last point: the run ends here, the curve does not fall to zero
    ranks        int64[h], only for precision-recall of one query: of the relevant documents, best first, so
                 that the read-out can say how many documents are read until the n-th of them
    """

    role: Role
    label: str
    x: Floats
    y: Floats
    ends_open: bool = False
    ranks: Ints | None = None

    def at(self, x: float) -> float:
        """Return the value under a pointer at ``x``, by straight lines between corners; NaN outside the curve. On a
        vertical step it is the value before it: interpolated precision *at* a recall is the best at that recall or
        above."""
        if not len(self.x) or x < self.x[0] or x > self.x[-1]:
            return float("nan")
        after = int(np.searchsorted(self.x, x, side="left"))
        if self.x[after] == x:
            return float(self.y[after])
        return float(np.interp(x, self.x[after - 1 : after + 1], self.y[after - 1 : after + 1]))


@dataclass(frozen=True, eq=False)
class Band:
    """Between which heights ``low`` and ``high`` float64[n] a curve lies by an interval at each ``x`` float64[n],
    ascending; ``role`` and ``label`` are the curve's. Where both are the height of the curve there is no interval: all
    values are the same there, and the band is drawn as its line."""

    role: Role
    label: str
    x: Floats
    low: Floats
    high: Floats

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The ends of the intervals, NaN where there is none."""
        none = self.low >= self.high
        return np.where(none, np.nan, self.low), np.where(none, np.nan, self.high)

    def at(self, x: float) -> tuple[float, float]:
        """Return the interval under a pointer at ``x``; NaN outside the band, and where there is none."""
        if not len(self.x) or not self.x[0] <= x <= self.x[-1]:
            return math.nan, math.nan
        low, high = float(np.interp(x, self.x, self.low)), float(np.interp(x, self.x, self.high))
        return (low, high) if low < high else (math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Guide:
    """A faint line through ``x``, ``y`` float64[n] that helps to read the curves, named at its right end."""

    label: str
    x: Floats
    y: Floats


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars of ``heights`` float64[n] side by side from x = 0; ``better``, ``worse`` and ``equal`` by their sign:
    upward is the better unless ``better_up`` is False. ``keys`` names each (a query id), ``selected`` is the outlined
    one or -1. ``marked`` bool[n] are highlighted; None: none are."""

    heights: Floats
    keys: Sequence[str]
    selected: int = -1
    better_up: bool = True
    marked: Bools | None = None


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
class Points:
    """A point for each of ``keys`` at ``x``, ``y`` float64[n] (NaN: none), coloured by ``side`` float64[n]: above 0
    better, below worse. ``marked`` bool[n] are highlighted; ``selected`` is one or -1. ``groups`` int64[n]: indices of
    ``group_names``: colour and shape are then those of the group."""

    x: Floats
    y: Floats
    keys: Sequence[str]
    side: Floats
    marked: Bools
    selected: int = -1
    groups: Ints | None = None
    group_names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts int64[m] of values between ``edges`` float64[m+1], ``marked`` int64[m] of them highlighted; values above 0
    are the better where ``better_up``. ``interval`` is drawn over it: low end, middle, high end. ``bars`` int64[N] is
    the bar of each value that it was made of, -1 where it is in none."""

    edges: Floats
    counts: Ints
    marked: Ints
    better_up: bool = True
    interval: tuple[float, float, float] | None = None
    bars: Ints | None = None

    @property
    def zero(self) -> int:
        """The first bar of values above 0."""
        middles = (self.edges[:-1] + self.edges[1:]) / 2
        return int(np.searchsorted(middles, 0.0))


@dataclass(frozen=True, eq=False)
class Matrix:
    """Square values float64[n, n] (NaN: none), a row and a column for each of ``names``; ``texts`` are the cells as
    written. ``shade`` float64[n, n] in -1..1 is how strong a cell is: below 0 worse, above 0 better where
    ``signed``, else 0..1 from pale to dark. ``groups`` int64[n] are the clusters of rows that are adjacent.

    full_names   where ``names`` are shortened; empty: they are not
    key          the meaning of some shades, from one end to the other, as written
    grouped      what a cluster is, in words; "" where there are none
    shown        bool[n, n]: where a test shows the difference, which alone is better or worse; None: not tested
    not_shown    what the other cells are, in words; "" where there are none"""

    values: Floats
    shade: Floats
    names: tuple[str, ...]
    texts: Sequence[tuple[str, ...]]
    groups: Ints
    signed: bool = False
    selected: tuple[int, int] = (-1, -1)
    full_names: tuple[str, ...] = ()
    key: tuple[tuple[float, str], ...] = ()
    grouped: str = ""
    shown: Bools | None = None
    not_shown: str = ""

    def full_name(self, place: int) -> str:
        """Return the full name of a row."""
        return self.full_names[place] if self.full_names else self.names[place]


@dataclass(frozen=True, eq=False)
class Waterfall:
    """Parts ``deltas`` float64[n] that lead from 0 to their sum, one below the other. ``keys`` names what each is of
    ("" for a part that can not be gone to), ``labels`` are the words beside it; ``selected`` is one or -1."""

    deltas: Floats
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    better_up: bool = True
    selected: int = -1


@dataclass(frozen=True, eq=False)
class Figure:
    """Everything one picture shows. ``reading`` says what a vertical line at ``{x}`` means; the read-out writes it.

    quantity      what the curves' values are called in the read-out ("precision")
    subject       what it is of where the place around it says so in the window ("query 64"): a saved picture names it
    n_relevant    R of a precision-recall figure of one query, 0 elsewhere: the read-out counts documents with it
    half_up       whether the read-out rounds half up, as lectures do
    others        further curves, drawn thin and grey below the others, without a legend: those of many runs
    ratios        bars' heights and the edges of a histogram are natural logarithms of ratios, and written as those
    """

    title: str
    x: Axis
    y: Axis
    curves: tuple[Curve, ...] = ()
    bands: tuple[Band, ...] = ()
    guides: tuple[Guide, ...] = ()
    bars: Bars | None = None
    cells: Cells | None = None
    points: Points | None = None
    histogram: Histogram | None = None
    matrix: Matrix | None = None
    waterfall: Waterfall | None = None
    note: str = ""
    cursor: float | None = None
    reading: str = ""
    y_reading: str = "{y:.4f}"
    half_up: bool = False
    quantity: str = ""
    n_relevant: int = 0
    subject: str = ""
    ratios: bool = False
    others: tuple[Curve, ...] = ()

    def change_text(self, value: float) -> str:
        """Return the height of a bar, or an edge of a histogram, as it is written: a difference with its sign, or a
        ratio."""
        return times(ratio_of(value)) if self.ratios else decimal(f"{value:+.4f}".replace("-", MINUS))

    @property
    def full_title(self) -> str:
        """The title of the figure when it is exported."""
        return f"{self.title} · {self.subject}" if self.subject else self.title


def corners(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the points of a polyline that matter: those in the middle of a straight stretch are dropped."""
    if len(x) < 3:
        return x, y
    dx1, dy1 = x[1:-1] - x[:-2], y[1:-1] - y[:-2]
    dx2, dy2 = x[2:] - x[1:-1], y[2:] - y[1:-1]
    bend = np.abs(dy1 * dx2 - dy2 * dx1) > 1e-12
    keep = np.concatenate(([True], bend | ~np.isfinite(dy1 + dy2), [True]))
    return x[keep], y[keep]

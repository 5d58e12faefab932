"""The lines between the same document in two neighbouring lists, as painter paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from irviewer.gui.theme import Theme, colour
from irviewer.model.arrays import Ints, frozen, rows_among
from irviewer.rendering.palette import grade_colour

_PALEST = 2  # lines are thinner than chips and need more contrast


def link_colour(theme: Theme, grade: float, max_grade: float) -> QColor:
    """Return the colour of a relevant document's line: that of its grade, no paler than the middle of the ramp."""
    ramp = theme.palette.grades
    step = ramp.index(grade_colour(theme.palette, grade, max_grade))
    return colour(ramp[max(min(_PALEST, len(ramp) - 1), step)])


@dataclass(frozen=True, eq=False)
class Side:
    """One list beside a gap: its documents by rank, and the row of each."""

    doc_ids: Sequence[str]

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each document."""
        return {doc_id: row for row, doc_id in enumerate(self.doc_ids)}


class Gap:
    """The documents that two neighbouring lists share.

    to_right  int64[n] the row in the right list of each row of the left one, -1 for none
    to_left   int64[m] the row in the left list of each row of the right one, -1 for none
    """

    def __init__(self, left: Side, right: Side) -> None:
        self.to_right = rows_among(left.doc_ids, right.doc_ids)
        shared = np.flatnonzero(self.to_right >= 0)
        to_left = np.full(len(right.doc_ids), -1, dtype=np.int64)
        to_left[self.to_right[shared]] = shared
        self.to_left: Ints = frozen(to_left)


@dataclass(frozen=True, eq=False)
class Window:
    """The visible part: first row, row after the last, height of a row, y of row 0, top and bottom edge."""

    first: int
    stop: int
    row_height: float
    origin: float
    top: float
    bottom: float


def draw_links(
    painter: QPainter,
    gap: Gap,
    x: tuple[float, float],
    window: Window,
    inks_of: Callable[[Sequence[int]], Sequence[QColor | None]],
    faint: QColor,
    marked: Mapping[int, QColor],
) -> None:
    """Draw the lines in the gap ``x`` between two lists.

    Documents are given by their rows in the left list. Those with a colour from ``inks_of`` are drawn in it, even if
    one end is not visible; the others are faint and drawn only if both ends are visible. ``marked`` documents are drawn
    last and thickest."""
    paths: dict[int, tuple[QColor, QPainterPath]] = {}
    quiet = QPainterPath()
    bold: list[tuple[QColor, QPainterPath]] = []
    height, above, below = window.row_height, window.top - window.row_height, window.bottom + window.row_height
    first = window.origin + height / 2
    middle = (x[0] + x[1]) / 2
    pairs = _pairs(gap, window)
    for (row, other), ink in zip(pairs, inks_of([row for row, _ in pairs]), strict=True):
        mark = marked.get(row)
        if mark is not None:
            path = QPainterPath()
            bold.append((mark, path))
        elif ink is not None:
            path = paths.setdefault(ink.rgb(), (ink, QPainterPath()))[1]
        elif window.first <= row < window.stop and window.first <= other < window.stop:
            path = quiet
        else:
            continue
        # Rows out of view are just outside the edges, so that lines leave smoothly.
        start = max(above, min(below, first + row * height))
        end = max(above, min(below, first + other * height))
        path.moveTo(x[0], start)
        path.cubicTo(middle, start, middle, end, x[1], end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(faint, 1))
    painter.drawPath(quiet)
    for ink, path in paths.values():
        painter.setPen(QPen(ink, 1.8))
        painter.drawPath(path)
    for ink, path in bold:
        painter.setPen(QPen(ink, 2.6))
        painter.drawPath(path)


def _pairs(gap: Gap, window: Window) -> list[tuple[int, int]]:
    """Return (left row, right row) of the documents in both lists that are visible in at least one: those visible in
    the left list in its order, then the others in the order of the right one."""
    first, stop = window.first, window.stop
    pairs = [(first + at, row) for at, row in enumerate(gap.to_right[first:stop].tolist()) if row >= 0]
    for at, row in enumerate(gap.to_left[first:stop].tolist()):
        if row >= 0 and not first <= row < stop:
            pairs.append((row, first + at))
    return pairs

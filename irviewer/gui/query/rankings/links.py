"""The lines between the same document in two neighbouring lists, as painter paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from irviewer.gui.theme import Theme, colour
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
    rows: Mapping[str, int]


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
    left: Side,
    right: Side,
    x: tuple[float, float],
    window: Window,
    inks_of: Callable[[Sequence[str]], Sequence[QColor | None]],
    faint: QColor,
    marked: Mapping[str, QColor],
) -> None:
    """Draw the lines in the gap ``x`` between two lists.

    Documents with a colour from ``inks_of`` are drawn in it, even if one end is not visible; the others are faint and
    drawn only if both ends are visible. ``marked`` documents are drawn last and thickest."""
    paths: dict[int, tuple[QColor, QPainterPath]] = {}
    quiet = QPainterPath()
    bold: list[tuple[QColor, QPainterPath]] = []
    height, above, below = window.row_height, window.top - window.row_height, window.bottom + window.row_height
    first = window.origin + height / 2
    middle = (x[0] + x[1]) / 2
    pairs = _pairs(left, right, window)
    for (doc_id, row, other), ink in zip(pairs, inks_of([doc_id for doc_id, _, _ in pairs]), strict=True):
        # Rows out of view are just outside the edges, so that lines leave smoothly.
        start = QPointF(x[0], max(above, min(below, first + row * height)))
        end = QPointF(x[1], max(above, min(below, first + other * height)))
        mark = marked.get(doc_id)
        if mark is not None:
            path = QPainterPath()
            bold.append((mark, path))
        elif ink is not None:
            path = paths.setdefault(ink.rgb(), (ink, QPainterPath()))[1]
        elif window.first <= row < window.stop and window.first <= other < window.stop:
            path = quiet
        else:
            continue
        path.moveTo(start)
        path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(faint, 1))
    painter.drawPath(quiet)
    for ink, path in paths.values():
        painter.setPen(QPen(ink, 1.8))
        painter.drawPath(path)
    for ink, path in bold:
        painter.setPen(QPen(ink, 2.6))
        painter.drawPath(path)


def _pairs(left: Side, right: Side, window: Window) -> list[tuple[str, int, int]]:
    """Return (document, left row, right row) of the documents in both lists that are visible in at least one."""
    pairs = []
    for row in range(window.first, min(window.stop, len(left.doc_ids))):
        doc_id = left.doc_ids[row]
        other = right.rows.get(doc_id)
        if other is not None:
            pairs.append((doc_id, row, other))
    for row in range(window.first, min(window.stop, len(right.doc_ids))):
        doc_id = right.doc_ids[row]
        other = left.rows.get(doc_id)
        if other is not None and not window.first <= other < window.stop:
            pairs.append((doc_id, other, row))
    return pairs

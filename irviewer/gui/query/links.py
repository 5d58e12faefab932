"""The lines between the same document in two neighbouring lists, as paths. Knows places and colours, no widget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from irviewer.gui.theme import Theme, colour
from irviewer.rendering.palette import grade_colour

_PALEST = 2  # a line thinner than a chip needs more contrast: the ramp from its middle step on


def link_colour(theme: Theme, grade: float, max_grade: float) -> QColor:
    """The colour of a relevant document's line: its grade's hue, no paler than the middle of the ramp."""
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
    """What is in sight: the first row and the row after the last, a row's height, the y of row 0, and the edges."""

    first: int
    stop: int
    row_height: float
    origin: float
    top: float
    bottom: float

    def middle(self, row: int) -> float:
        """The y of a row's middle, held just outside the edges for rows out of sight, so that lines leave smoothly."""
        y = self.origin + (row + 0.5) * self.row_height
        return max(self.top - self.row_height, min(self.bottom + self.row_height, y))


def draw_links(
    painter: QPainter,
    left: Side,
    right: Side,
    x: tuple[float, float],
    window: Window,
    ink_of: Callable[[str], QColor | None],
    faint: QColor,
    marked: Mapping[str, QColor],
) -> None:
    """Lines in the gap ``x`` between two lists.

    Documents for which ``ink_of`` gives a colour are drawn in it, also where one end is out of sight; the others are
    faint and drawn only where both ends are in sight. ``marked`` documents are drawn last and thickest."""
    paths: dict[int, tuple[QColor, QPainterPath]] = {}
    quiet = QPainterPath()
    bold: list[tuple[QColor, QPainterPath]] = []
    for doc_id, one, other in _pairs(left, right, window):
        start, end = QPointF(x[0], window.middle(one)), QPointF(x[1], window.middle(other))
        mark = marked.get(doc_id)
        ink = ink_of(doc_id)
        if mark is not None:
            path = QPainterPath()
            bold.append((mark, path))
        elif ink is not None:
            path = paths.setdefault(ink.rgb(), (ink, QPainterPath()))[1]
        elif window.first <= one < window.stop and window.first <= other < window.stop:
            path = quiet
        else:
            continue
        middle = (x[0] + x[1]) / 2
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
    """(document, row left, row right) of the documents that both lists hold and at least one has in sight."""
    found = []
    for row in range(window.first, min(window.stop, len(left.doc_ids))):
        doc_id = left.doc_ids[row]
        other = right.rows.get(doc_id)
        if other is not None:
            found.append((doc_id, row, other))
    for row in range(window.first, min(window.stop, len(right.doc_ids))):
        doc_id = right.doc_ids[row]
        other = left.rows.get(doc_id)
        if other is not None and not window.first <= other < window.stop:
            found.append((doc_id, other, row))
    return found

"""Which queries a difference is made of: how much the largest of them hold together. A click or an arrow key selects, a
drag or Shift with the arrows brushes the first ones up to there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Points
from irviewer.gui.plots.axes_frame import Frame
from irviewer.gui.plots.point_picker import QueryPicker
from irviewer.gui.theme import Theme
from irviewer.session.session import Session

MARKED = 0.45
"""How strong the ground under brushed queries is."""
DOT = 3.4


class ShareView(QueryPicker):
    """``figure.curves[0]`` over a column a query, the largest difference first; ``figure.points`` say whose each is.

    Under a brushed query's column the ground has the colour of better or worse; the selected query's is outlined."""

    FROM_FIRST = True

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.setMinimumSize(180, 110)

    @property
    def points(self) -> Points | None:
        """The ends of the columns."""
        return None if self._figure is None else self._figure.points

    def show_figure(self, figure: Figure, words: Mapping[str, str]) -> None:
        """Show the shares of ``figure``; ``words`` are the queries' by id."""
        self._figure = figure
        self.setAccessibleName(figure.title)
        points = figure.points
        if points is None:
            self.show_queries((), (), -1)
        else:
            self.show_queries(points.keys, [words.get(key, "") for key in points.keys], points.selected)

    def told(self, column: int) -> str:
        """What is said of a column: query, its own share, and the share of all down to it."""
        points = self.points
        if points is None or not 0 <= column < len(points.keys):
            return ""
        before = float(points.y[column - 1]) if column else 0.0
        own, until = 100 * (float(points.y[column]) - before), 100 * float(points.y[column])
        side = float(points.side[column])
        sign = "▲" if side > 0 else "▼" if side < 0 else "="
        together = f"the {column + 1:,} largest hold {until:.1f} %" if column else "the largest"
        return f"query {points.keys[column]}: {sign} {own:.1f} % of all differences · {together}{self.words_of(column)}"

    def frame(self) -> Frame:
        """Where values stand now."""
        assert self._figure is not None
        return Frame(self._figure, self._theme, QRectF(self.rect()))

    def area(self) -> QRectF:
        return QRectF() if self._figure is None else self.frame().area

    def step(self) -> float:
        return self.area().width() / max(1, len(self._keys))

    def place_of(self, column: int) -> QRectF:
        """The pixels of a column, from the axis to where the curve leaves it; at least a pixel wide."""
        frame, points = self.frame(), self.points
        assert points is not None
        left, top = frame.x(float(column)), frame.y(float(points.y[column]))
        return QRectF(left, top, max(1.0, frame.x(column + 1.0) - left), frame.area.bottom() - top)

    def paintEvent(self, event: QPaintEvent) -> None:
        figure, points = self._figure, self.points
        if figure is None:
            return
        painter, frame = QPainter(self), self.frame()
        frame.paint(painter)
        if points is not None:
            self._paint_marked(painter, points)
        self._paint_curve(painter, frame, figure)
        if points is not None and self._selected >= 0:
            box = self.place_of(self._selected)
            painter.setPen(QPen(self._theme["ink"], 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            painter.setBrush(self._theme["ink"])
            painter.drawEllipse(box.topRight(), DOT, DOT)
        if points is not None and self._hovered >= 0:
            painter.setPen(QPen(self._theme["muted"], 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.place_of(self._hovered))
            self.paint_told(painter, self.place_of(self._hovered))
        self.paint_band(painter)
        self.paint_focus(painter)

    def _paint_marked(self, painter: QPainter, points: Points) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for column in np.flatnonzero(points.marked).tolist():
            side = float(points.side[column])
            colour = QColor(self._theme["better" if side > 0 else "worse" if side < 0 else "muted"])  # a copy
            colour.setAlphaF(MARKED)
            painter.fillRect(self.place_of(column), colour)

    def _paint_curve(self, painter: QPainter, frame: Frame, figure: Figure) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for curve in figure.curves:
            line = [QPointF(frame.x(x), frame.y(y)) for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True)]
            painter.setPen(QPen(self._theme["ink"], 1.6))
            painter.drawPolyline(QPolygonF(line))
        if figure.cursor is not None:
            x = frame.x(figure.cursor)
            painter.setPen(QPen(self._theme["muted"], 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()))

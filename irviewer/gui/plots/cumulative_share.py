"""The cumulative share of queries in a difference, largest first. Clicks and arrow keys select; dragging, or Shift with
arrow keys, brushes the first queries up to a column."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Points
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import Frame
from irviewer.gui.plots.many_points import ends_in_columns
from irviewer.gui.plots.point_picker import QueryPicker
from irviewer.gui.theme import Theme
from irviewer.session.session import Session
from irviewer.translation import tr, trn

MARKED = 0.45
"""The opacity of the background of brushed queries."""
DOT = 3.4


@guarded
class ShareView(QueryPicker):
    """``figure.curves[0]`` with a column per query, largest difference first; ``figure.points`` has the queries.

    Brushed queries have the background of better or worse; the selected query is outlined."""

    FROM_FIRST = True

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.setMinimumSize(180, 72)

    @property
    def points(self) -> Points | None:
        """The ends of the columns."""
        return None if self._figure is None else self._figure.points

    def show_figure(self, figure: Figure, words: Mapping[str, str]) -> None:
        """Show the shares of ``figure``; ``words``: query id -> text."""
        self._figure = figure
        self.setAccessibleName(figure.title)
        points = figure.points
        if points is None:
            self.show_queries((), (), -1)
        else:
            self.show_queries(points.keys, [words.get(key, "") for key in points.keys], points.selected)

    def mark_label(self, column: int) -> str:
        """Return the label of a column: query, its share, and the share of all queries up to it."""
        points = self.points
        if points is None or not 0 <= column < len(points.keys):
            return ""
        before = float(points.y[column - 1]) if column else 0.0
        own, until = 100 * (float(points.y[column]) - before), 100 * float(points.y[column])
        side = float(points.side[column])
        sign = "▲" if side > 0 else "▼" if side < 0 else "="
        if column:
            label = trn(
                "query {query}: {sign} {share:.1f} % of all differences · largest difference: {total:.1f} %",
                "query {query}: {sign} {share:.1f} % of all differences · {n:,} largest differences: {total:.1f} %",
                column + 1,
                query=points.keys[column],
                sign=sign,
                share=own,
                total=until,
            )
        else:
            label = tr(
                "query {query}: {sign} {share:.1f} % of all differences · the largest difference",
                query=points.keys[column],
                sign=sign,
                share=own,
            )
        return self.with_text(label, column)

    def frame(self) -> Frame:
        """Return the frame for the current size."""
        assert self._figure is not None
        return Frame(self._figure, self._theme, QRectF(self.rect()))

    def area(self) -> QRectF:
        return QRectF() if self._figure is None else self.frame().area

    def step(self) -> float:
        return self.area().width() / max(1, len(self._keys))

    def place_of(self, column: int) -> QRectF:
        """Return the rectangle of a column below the curve, at least a pixel wide."""
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
            self.paint_label(painter, self.place_of(self._hovered))
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
            seen = ends_in_columns(curve.x * (frame.x(1.0) - frame.x(0.0)))
            places = zip(curve.x[seen].tolist(), curve.y[seen].tolist(), strict=True)
            painter.setPen(QPen(self._theme["ink"], 1.6))
            painter.drawPolyline(QPolygonF([QPointF(frame.x(x), frame.y(y)) for x, y in places]))
        if figure.cursor is not None:
            x = frame.x(figure.cursor)
            painter.setPen(QPen(self._theme["muted"], 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()))

"""Queries by an attribute, and runs by a cost: points, with the line of a figure in steps."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF

from irviewer.gui.plots.axes_frame import SIZE, Frame, paint_label
from irviewer.gui.plots.scatter import Scatter
from irviewer.translation import tr


class AttributePoints(Scatter):
    """Queries as points over an attribute; they are selected and brushed as in every scatter plot."""

    def frame(self) -> Frame:
        assert self._figure is not None
        return Frame(self._figure, self._theme, QRectF(self.rect()))

    def mark_label(self, place: int) -> str:
        figure, points = self._figure, self.points
        if figure is None or points is None or not 0 <= place < len(points.keys):
            return ""
        y = float(points.y[place])
        if math.isnan(y):
            return tr("query {query}: no value", query=points.keys[place])
        label = tr("query {query}: {value:.4f}", query=points.keys[place], value=y)
        text = self._texts[place] if place < len(self._texts) else ""
        return f"{label} · {text}" if text else label

    def paintEvent(self, event: QPaintEvent) -> None:
        figure, points = self._figure, self.points
        if figure is None or points is None:
            return
        painter = QPainter(self)
        frame = self.frame()
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if figure.y.low < 0 < figure.y.high:
            painter.setPen(QPen(self._theme["faint"], 1.4))
            painter.drawLine(QPointF(frame.area.left(), frame.y(0.0)), QPointF(frame.area.right(), frame.y(0.0)))
        painter.setPen(QPen(self._theme["muted"], 1.3))
        for curve in figure.curves:
            steps = zip(curve.x.tolist(), curve.y.tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(frame.x(x), frame.y(y)) for x, y in steps]))
        self._paint_points(painter, frame, points)
        self.paint_names(painter, frame)
        for place, name, width in ((self._hovered, "muted", 1.2), (points.selected, "ink", 1.8)):
            if place >= 0 and not math.isnan(float(points.x[place])):
                painter.setPen(QPen(self._theme[name], width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(self.place_of(place), 7, 7)
        if len(self._lasso) > 1:
            painter.setPen(QPen(self._theme["ink"], 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF(self._lasso))
        if self._hovered >= 0 and not self._lasso:
            paint_label(painter, self, self._theme, self.mark_label(self._hovered), self.place_of(self._hovered))
        self.paint_focus(painter)

    def paint_names(self, painter: QPainter, frame: Frame) -> None:
        """Paint names beside points; queries have none."""


class RunPoints(AttributePoints):
    """Runs as points over a cost, with their names; a click selects the run whose differences are shown."""

    def mark_label(self, place: int) -> str:
        points = self.points
        if points is None or not 0 <= place < len(points.keys):
            return ""
        x, y = float(points.x[place]), float(points.y[place])
        if math.isnan(x) or math.isnan(y):
            return tr("{run}: no value", run=points.keys[place])
        return tr("{run}: {value:.4f} at {cost:g}", run=points.keys[place], value=y, cost=x)

    def paint_names(self, painter: QPainter, frame: Frame) -> None:
        points = self.points
        if points is None:
            return
        painter.setFont(self._theme.font(SIZE))
        painter.setPen(self._theme["text"])
        taken: list[QRectF] = []
        metrics = painter.fontMetrics()
        for place, name in enumerate(points.keys):
            if math.isnan(float(points.x[place])):
                continue
            at, width = self.place_of(place), metrics.horizontalAdvance(name)
            left = at.x() + 8 if at.x() + 8 + width <= frame.area.right() + 10 else at.x() - 8 - width
            box = QRectF(left, at.y() - metrics.height() / 2 - 7, width, metrics.height())
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), name)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._lasso = []
        place = self.point_at(event.position())
        if place >= 0:
            self._choose(place)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        points, step = self.points, {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if points is None or step is None:
            event.ignore()
            return
        order = [place for place in np.argsort(points.x).tolist() if not math.isnan(float(points.x[place]))]
        at = order.index(points.selected) if points.selected in order else -1
        if order:
            self._choose(order[max(0, min(len(order) - 1, at + step))])

    def _choose(self, place: int) -> None:
        points = self.points
        for label in self._session.view.labels():
            if points is not None and label.name == points.keys[place]:
                self._session.runs.set_focus(label.key)

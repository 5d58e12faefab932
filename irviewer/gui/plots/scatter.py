"""Queries as points, one run against another: a click selects, a lasso brushes, arrow keys go through the points in the
order of the sorted bars, and brush with Shift. The wheel and drags with Ctrl zoom.

Better is ▲, worse ▼, equal a dot: never colour alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Points
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import Frame, paint_label
from irviewer.gui.plots.key_brush import KeyBrush
from irviewer.gui.plots.many_points import are_many, first_in_cells, paint_many
from irviewer.gui.plots.painted_plot import ZoomedFigure
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import draw_group_mark
from irviewer.model.arrays import Ints
from irviewer.session.session import Session
from irviewer.translation import decimal, tr

NEAR = 9.0
LEAST_LASSO = 6.0
_SIDES = ("muted", "worse", "better")
_FULL, _FADED = 0.85, 0.22
"""How strong points are; the faded ones are those beside brushed ones."""


@guarded
class Scatter(ZoomedFigure):
    """``figure.points`` with the diagonal; the selected query has a ring, brushed ones are stronger than the others."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._brushes = session
        self._by_key = KeyBrush(session)
        self._texts: Sequence[str] = ()
        self._hovered = -1
        self._lasso: list[QPointF] = []
        self.setMinimumSize(180, 80)

    @property
    def points(self) -> Points | None:
        """The points shown."""
        return None if self._figure is None else self._figure.points

    def show_figure(self, figure: Figure, texts: Sequence[str] = ()) -> None:
        """Show the points of ``figure``; ``texts`` are the texts of the queries."""
        self._figure, self._texts = figure, texts
        self._hovered = -1
        self.seen.set_axes(figure.x, figure.y, ratios=figure.ratios)
        self.setAccessibleName(figure.title)
        points = figure.points
        selected = -1 if points is None else points.selected
        if points is not None and selected != self._by_key.selected and selected >= 0:
            x, y = float(points.x[selected]), float(points.y[selected])
            if math.isfinite(x) and math.isfinite(y):
                self.seen.show_point(x, y)
        self._by_key.show(() if points is None else points.keys, selected)
        self.setAccessibleDescription(self.mark_label(selected) if selected >= 0 else "")
        self.update()

    def mark_label(self, place: int) -> str:
        """Return the label of a point: query, both values, text of the query."""
        figure, points = self._figure, self.points
        if figure is None or points is None or not 0 <= place < len(points.keys):
            return ""
        x, y = float(points.x[place]), float(points.y[place])
        if math.isnan(x) or math.isnan(y):
            return tr("query {query}: no pair of values", query=points.keys[place])
        sign = "=" if y == x else f"{'▲' if points.side[place] > 0 else '▼'} {decimal(f'{abs(y - x):.4f}')}"
        label = tr(
            "query {query}: {value:.4f} against {baseline:.4f}, {difference}",
            query=points.keys[place],
            value=y,
            baseline=x,
            difference=sign,
        )
        text = self._texts[place] if place < len(self._texts) else ""
        return f"{label} · {text}" if text else label

    def frame(self) -> Frame:
        """Return the frame for the current size."""
        return Frame(self.seen_figure, self._theme, QRectF(self.rect()), square=True)

    def area(self) -> QRectF:
        return self.frame().area

    def place_of(self, place: int) -> QPointF:
        """Return the pixel of a point."""
        points, frame = self.points, self.frame()
        assert points is not None
        return QPointF(frame.x(float(points.x[place])), frame.y(float(points.y[place])))

    def point_at(self, where: QPointF) -> int:
        """Return the point nearest to a pixel, -1 if none is near."""
        points = self.points
        if points is None or not len(points.keys):
            return -1
        frame = self.frame()
        if self.seen.is_zoomed and not frame.area.contains(where):
            return -1
        away = np.hypot(self._pixels_x(frame, points) - where.x(), self._pixels_y(frame, points) - where.y())
        away = np.where(np.isnan(away), np.inf, away)
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= NEAR else -1

    @staticmethod
    def _pixels_x(frame: Frame, points: Points) -> np.ndarray:
        axis, area = frame.figure.x, frame.area
        return area.left() + (points.x - axis.low) / (axis.high - axis.low) * area.width()

    @staticmethod
    def _pixels_y(frame: Frame, points: Points) -> np.ndarray:
        axis, area = frame.figure.y, frame.area
        return area.bottom() - (points.y - axis.low) / (axis.high - axis.low) * area.height()

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        points = self.points
        if self._figure is None or points is None:
            return
        painter = QPainter(self)
        frame = self.frame()
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["faint"], 1))
        axis = self._figure.x
        if self.seen.is_zoomed:
            painter.setClipRect(frame.area)
        painter.drawLine(QPointF(frame.x(axis.low), frame.y(axis.low)), QPointF(frame.x(axis.high), frame.y(axis.high)))
        self._paint_points(painter, frame, points)
        self._paint_rings(painter, points)
        painter.setClipping(False)
        self.seen.paint(painter, self._theme, frame.area)
        self._paint_marks(painter)

    def _paint_rings(self, painter: QPainter, points: Points) -> None:
        """Paint rings around the point under the pointer and the selected one."""
        for place, name, width in ((self._hovered, "muted", 1.2), (points.selected, "ink", 1.8)):
            if place >= 0 and not math.isnan(float(points.x[place])):
                painter.setPen(QPen(self._theme[name], width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(self.place_of(place), 7, 7)

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint what else pointer and keys show: the lasso, the label, the focus."""
        if len(self._lasso) > 1:
            painter.setPen(QPen(self._theme["ink"], 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(QPolygonF(self._lasso))
        if self._hovered >= 0 and not self._lasso:
            paint_label(painter, self, self._theme, self.mark_label(self._hovered), self.place_of(self._hovered))
        self.paint_focus(painter)

    def _paint_points(self, painter: QPainter, frame: Frame, points: Points) -> None:
        """Paint the points, faded where others are brushed, the brushed ones last."""
        xs, ys = self._pixels_x(frame, points), self._pixels_y(frame, points)
        kept = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys))
        many = are_many(kept)
        if many:  # before they are put in order
            kept = kept[first_in_cells(xs[kept], ys[kept], self._signs(points, kept))]
        size = 4.0 if len(points.keys) <= 400 else 3.0 if len(points.keys) <= 2000 else 2.2
        theme, groups = self._theme, points.groups

        def draw_groups(painter: QPainter, places: Sequence[tuple[float, float]], sign: int) -> None:
            for x, y in places:
                draw_group_mark(painter, QPointF(x, y), size * 0.85, sign // 2, theme, _FADED if sign % 2 else _FULL)

        def draw_side(painter: QPainter, places: Sequence[tuple[float, float]], sign: int) -> None:
            painter.setBrush(_faded(theme[_SIDES[sign // 2]], _FADED if sign % 2 else _FULL))
            if sign < 2:
                for x, y in places:
                    painter.drawEllipse(QPointF(x, y), size * 0.75, size * 0.75)
                return
            up = size if sign < 4 else -size
            for x, y in places:
                corners = (QPointF(x, y + up), QPointF(x - size, y - up * 0.8), QPointF(x + size, y - up * 0.8))
                painter.drawPolygon(corners)

        painter.setPen(Qt.PenStyle.NoPen)
        signs = self._signs(points, kept)
        faded = signs % 2
        if groups is not None:
            order, draw = np.argsort(-faded, kind="stable"), draw_groups
        else:
            order, draw = np.lexsort((signs, -faded)), draw_side
        kept = kept[order]
        paint_many(painter, xs[kept], ys[kept], signs[order], draw, many=many)

    @staticmethod
    def _signs(points: Points, kept: Ints) -> Ints:
        """Return the kind of some points, int64[*]: of its group or side, odd where it is faded."""
        faded = (points.marked.any() & ~points.marked[kept]).astype(np.int64)
        if points.groups is not None:
            return points.groups[kept].astype(np.int64) * 2 + faded
        sides = points.side[kept]
        return (2 * (sides > 0) + (sides < 0)) * 2 + faded

    # --- pointer and keys ---

    def press_mark(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().press_mark(event)
            return
        self._lasso = [event.position()]

    def move_mark(self, event: QMouseEvent) -> None:
        if self._lasso:
            self._lasso.append(event.position())
        else:
            self._hovered = self.point_at(event.position())
        self.update()

    def release_mark(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or not self._lasso:
            super().release_mark(event)
            return
        lasso, self._lasso = QPolygonF(self._lasso), []
        size = lasso.boundingRect()
        if max(size.width(), size.height()) >= LEAST_LASSO:
            self._brushes.query_sets.brush(self.inside(lasso))
        else:
            place = self.point_at(event.position())
            if place >= 0:
                self._select(place)
            else:
                self._brushes.query_sets.brush(())
        self.update()

    def inside(self, lasso: QPolygonF) -> list[str]:
        """Return the queries whose points are in a polygon of pixels."""
        points = self.points
        if points is None:
            return []
        frame = self.frame()
        xs, ys = self._pixels_x(frame, points), self._pixels_y(frame, points)
        rule = Qt.FillRule.OddEvenFill
        area = frame.area if self.seen.is_zoomed else QRectF(self.rect())  # what is not seen is not brushed
        return [
            key
            for key, x, y in zip(points.keys, xs.tolist(), ys.tolist(), strict=True)
            if not math.isnan(x)
            and not math.isnan(y)
            and area.contains(x, y)
            and lasso.containsPoint(QPointF(x, y), rule)
        ]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        points = self.points
        last, now = (-1 if points is None else len(points.keys) - 1), self._by_key.now
        before, after = max(0, now - 1), min(last, now + 1)
        places = {
            Qt.Key.Key_Left: before,
            Qt.Key.Key_Up: before,
            Qt.Key.Key_Right: after,
            Qt.Key.Key_Down: after,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if not self._by_key.press(event, places.get(Qt.Key(event.key()))) and not self.zoom_by_key(event):
            super().keyPressEvent(event)

    def _select(self, place: int) -> None:
        points = self.points
        if points is not None and place != points.selected:
            self._brushes.navigation.set_query(points.keys[place])

    def _point_nowhere(self) -> None:
        self._hovered = -1


def _faded(colour: QColor, alpha: float) -> QColor:
    faded = QColor(colour)  # a copy: the theme's colour is shared
    faded.setAlphaF(alpha)
    return faded

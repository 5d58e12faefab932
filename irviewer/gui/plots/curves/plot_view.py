"""The surface of a plot: axes, grid, names and ticks, the cursor, and the hair line above the curves. The wheel zooms
at the pointer, a drag zooms to a rectangle, a drag with Shift or the middle button moves what is seen, and a double
click shows all.

It paints in pixels of the view; the curves are items of the canvas. The background is cached: moving the hair line
paints the read-out only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsView, QWidget

from irviewer.figures.figure import Axis, Curve, Figure
from irviewer.figures.readout import ReadOut, read_out
from irviewer.gui.guard import guarded
from irviewer.gui.plots import end_names
from irviewer.gui.plots.axes_frame import fitting_title
from irviewer.gui.plots.curves.readout import paint_read_out
from irviewer.gui.plots.seen_part import SeenPart
from irviewer.gui.theme import Theme

SIZE = 8.5
TOP, RIGHT, GAP = 12.0, 16.0, 6.0
BLEED = 6.0
"""How far curves may be painted outside the axes, in pixels: lines at 1 and rings at the end are not cut."""
DOT, RING = 3.2, 3.8
GUIDE_ALPHA = 110
NEAR = 6.0
"""The distance in pixels within which the pointer is at a line."""
Names = Mapping[int, tuple[str, str]]
EMPTY = Figure("", Axis("", 0.0, 1.0, ()), Axis("", 0.0, 1.0, ()))


@guarded
class PlotView(pg.GraphicsView):
    """The axes and marks of a figure. ``pointed`` carries the x of the pointer; ``left``: the pointer left the view."""

    pointed = Signal(float)
    left = Signal()
    pressed = Signal(float)
    line_pointed = Signal(object)
    line_pressed = Signal(int)
    """The key of the run whose line the pointer is at (None for none), or that was clicked."""
    reset = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False, background=None)
        self._theme = theme
        self.whole: Figure = EMPTY
        """The figure as it was given; ``figure`` is that with the axes that are seen."""
        self.figure: Figure = EMPTY
        self._placed: tuple[object, list[tuple[int, float, float]]] = (None, [])
        """Where the names are, with what that depends on."""
        self.names: Mapping[int, str] = {}
        """The names at the ends of lines, by the index of the curve, as they fit."""
        self._names: Names = {}
        self._seen = SeenPart()
        self.colours: Mapping[int, QColor] = {}
        self.area = QRectF(0, 0, 1, 1)
        self.hair: float | None = None
        self._pointed: int | None = None
        self._pointed_words = ""
        self._near: int | None = None
        self._focused = False
        self.box: ViewBox = ViewBox()
        self.scene().addItem(self.box)
        # Whatever changes the items updates the viewport too, so that each change is painted once.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_figure(self, figure: Figure, colours: Mapping[int, QColor], names: Names | None = None) -> None:
        """Show a figure; ``colours`` and ``names`` at the ends of lines, whole and short, by the index of the curve."""
        before = self.whole
        same_axes = (before.x, before.y) == (figure.x, figure.y)
        names = names or {}
        same_ground = same_axes and before.guides == figure.guides and names == self._names
        self._names = names
        self.whole, self.colours = figure, colours
        if not same_axes:
            self._seen.set_axes(figure.x, figure.y, ratios=figure.ratios)
        self.figure = replace(figure, x=self._seen.x, y=self._seen.y) if same_axes else figure
        if not same_ground:
            self.place()
        self.viewport().update()

    def set_hair(self, x: float | None) -> None:
        """Move the hair line; None removes it."""
        if x != self.hair:
            self.hair = x
            self.viewport().update()

    def set_focused(self, focused: bool) -> None:
        """Show or hide the focus ring."""
        if focused != self._focused:
            self._focused = focused
            self.viewport().update()

    def set_pointed(self, key: int | None, words: str = "") -> None:
        """Draw the line of a run in ink, and say ``words`` of it in the read-out; None for none."""
        if (key, words) != (self._pointed, self._pointed_words):
            self._pointed, self._pointed_words = key, words
            self.viewport().update()

    @property
    def pointed_curve(self) -> Curve | None:
        """The curve of the run that is pointed at, None for none."""
        key = self._pointed
        if key is None:
            return None
        every = (*self.figure.curves, *self.figure.others)
        return next((curve for curve in every if curve.role.kind == "run" and curve.role.run == key), None)

    def reading(self) -> ReadOut | None:
        """Return the values at the hair line; None without one. A grey line that is pointed at is among them."""
        if self.hair is None:
            return None
        curve = self.pointed_curve
        if curve is None or not self._pointed_words:
            return read_out(self.figure, self.hair)
        named = replace(curve, label=self._pointed_words)
        curves = tuple(named if other is curve else other for other in self.figure.curves)
        if named not in curves:
            curves = (*curves, named)
        return read_out(replace(self.figure, curves=curves), self.hair)

    def run_at(self, position: QPointF) -> int | None:
        """Return the run whose line is at a point, the nearest one within a few pixels; None for none."""
        if not self.area.contains(position):
            return None
        x = self.x_at(position.x())
        best, nearest = None, NEAR
        for curve in (*self.figure.others, *self.figure.curves):
            y = curve.at(x) if curve.role.kind == "run" else math.nan
            if math.isfinite(y):
                apart = abs(self.at(x, y).y() - position.y())
                if apart <= nearest:
                    best, nearest = curve.role.run, apart
        return best

    def repaint_ground(self) -> None:
        """Repaint the cached axes, after a change of theme."""
        self.resetCachedContent()
        self.viewport().update()

    def place(self) -> None:
        """Set the area of the axes and the ranges of the curves."""
        metrics = QFontMetricsF(self._theme.font(SIZE, numbers=True))
        line = metrics.height()
        left = max([metrics.horizontalAdvance(text) for _, text in self.figure.y.shown_ticks or ()], default=0.0)
        last = (self.figure.x.shown_ticks or ((0.0, ""),))[-1][1]
        right = max(RIGHT, metrics.horizontalAdvance(last) / 2 + 4)
        self.names = self._fitting_names()
        if self._has_names():
            right = max(right, max(map(metrics.horizontalAdvance, self.names.values())) + end_names.GAP + 6)
        x = math.ceil(line + left + 3 * GAP)
        bottom = math.ceil(2 * line + 3 * GAP) if self.figure.x.label else math.ceil(line + 2 * GAP)
        width, height = max(20.0, self.width() - x - right), max(20.0, self.height() - TOP - bottom)
        self.area = QRectF(x, TOP, width, height)
        self.box.setGeometry(self.area.adjusted(-BLEED, -BLEED, BLEED, BLEED))
        ranges = [_widened(self.figure.x, width), _widened(self.figure.y, height)]
        self.box.setRange(xRange=ranges[0], yRange=ranges[1], padding=0, disableAutoRange=True)
        self.repaint_ground()

    @property
    def is_zoomed(self) -> bool:
        """Whether a part of the figure is seen."""
        return (self.figure.x, self.figure.y) != (self.whole.x, self.whole.y)

    def show_all(self) -> None:
        """Show the whole figure again."""
        self._show_seen(self._seen.show_all())

    def zoom(self, factor: float) -> None:
        """Magnify by ``factor`` around the middle."""
        if self.whole is not EMPTY:
            self._show_seen(self._seen.zoom(factor, self.area))

    def _show_seen(self, changed: bool) -> None:
        if changed:
            self.figure = replace(self.whole, x=self._seen.x, y=self._seen.y)
            self.place()
            self.resized.emit()

    def at(self, x: float, y: float) -> QPointF:
        """Return the pixel of a point."""
        across, up = self.figure.x, self.figure.y
        return QPointF(
            self.area.left() + (x - across.low) / (across.high - across.low) * self.area.width(),
            self.area.bottom() - (y - up.low) / (up.high - up.low) * self.area.height(),
        )

    def x_at(self, pixel: float) -> float:
        """Return the x value at a pixel, within the range of the axis."""
        share = (pixel - self.area.left()) / self.area.width()
        return self.figure.x.low + min(1.0, max(0.0, share)) * (self.figure.x.high - self.figure.x.low)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        theme, area = self._theme, self.area
        painter.fillRect(rect, theme.colours["panel"])
        if self.figure is EMPTY:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(theme.font(SIZE, numbers=True))
        metrics = QFontMetricsF(painter.font())
        line = metrics.height()
        across, up = self.figure.x, self.figure.y
        wide = [metrics.horizontalAdvance(text) for _, text in across.shown_ticks]
        high = [line * 0.8] * len(up.ticks or ())
        ticks_x = _ticks(across, area.left(), area.width(), wide, 8)
        ticks_y = _ticks(up, area.bottom(), -area.height(), high, 2)
        painter.setPen(QPen(theme.colours["line"], 1))
        for pixel, _ in ticks_x:
            x = float(round(pixel))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for pixel, _ in ticks_y:
            y = float(round(pixel))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        self._paint_guides(painter, metrics)
        painter.setPen(theme.colours["muted"])
        centre = Qt.AlignmentFlag.AlignCenter
        for x, text in ticks_x:
            painter.drawText(QRectF(x - 60, area.bottom() + GAP, 120, line), centre, text)
        for y, text in ticks_y:
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y - line / 2, area.left() - GAP - 1, line), right, text)
        painter.setFont(theme.font(SIZE))
        metrics = QFontMetricsF(painter.font())
        below = QRectF(area.left(), area.bottom() + GAP + line + 2, area.width(), line)
        painter.drawText(below, centre, fitting_title(across.label, metrics, area.width()))
        length = self.height() - 4.0
        text = fitting_title(up.label, metrics, length)
        half = min(length, metrics.horizontalAdvance(text)) / 2
        painter.save()
        # A name longer than its axis stays inside the view.
        painter.translate(GAP + line / 2, max(half + 2, min(area.center().y(), self.height() - half - 2)))
        painter.rotate(-90)
        painter.drawText(QRectF(-length / 2, -line / 2, length, line), centre, text)
        painter.restore()

    def _paint_guides(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        """Paint the guide lines, each with its name under the right end if there is room."""
        free = -math.inf
        painter.save()
        painter.setClipRect(self.area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        faint = QColor(self._theme.colours["muted"])
        faint.setAlpha(GUIDE_ALPHA)
        for guide in reversed(self.figure.guides):  # from the top
            painter.setPen(QPen(faint, 1))
            line = [self.at(x, y) for x, y in zip(guide.x.tolist(), guide.y.tolist(), strict=True)]
            painter.drawPolyline(line)
            below = line[-1].y() + metrics.ascent()
            if guide.label and free <= below <= self.area.bottom():
                free = below + metrics.ascent()
                painter.setPen(self._theme.colours["muted"])
                width = metrics.horizontalAdvance(guide.label)
                painter.drawText(QPointF(line[-1].x() - width - 3, below), guide.label)
        painter.restore()

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        figure = self.figure
        if self.is_zoomed or self._seen.rectangle is not None:
            self._seen.paint(painter, self._theme, self.area)
        self._paint_pointed(painter)
        self._paint_names(painter)
        if figure.cursor is not None and self.hair is None and figure.x.low <= figure.cursor <= figure.x.high:
            self._paint_line(painter, figure.cursor, self._theme.colours["muted"])
        for position, curve in enumerate(figure.curves):
            if curve.ends_open and len(curve.x) and self._is_seen(float(curve.x[-1]), float(curve.y[-1])):
                painter.setPen(QPen(self.colours[position], 1.6))
                painter.setBrush(self._theme.colours["panel"])
                painter.drawEllipse(self.at(float(curve.x[-1]), float(curve.y[-1])), RING, RING)
        if self._focused:
            painter.setPen(QPen(self._theme.colours["ink"], 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)
        out = self.reading()
        if out is None or not figure.x.low <= out.x <= figure.x.high:
            return
        self._paint_line(painter, out.x, self._theme.colours["ink"])
        paint_read_out(painter, self, out, self._theme)

    def _paint_pointed(self, painter: QPainter) -> None:
        """Paint the line of the run that is pointed at in ink."""
        curve = self.pointed_curve
        if curve is None:
            return
        painter.save()
        painter.setClipRect(self.area.adjusted(-BLEED, -BLEED, BLEED, BLEED))
        pen = QPen(self._theme.colours["ink"], 2)
        painter.setPen(pen)
        points = [self.at(x, y) for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True) if math.isfinite(y)]
        painter.drawPolyline(QPolygonF(points))
        painter.restore()

    def _paint_line(self, painter: QPainter, x: float, colour: QColor) -> None:
        """Paint a dotted line at ``x`` with a dot on each curve."""
        top = self.at(x, self.figure.y.high)
        painter.setPen(QPen(colour, 1, Qt.PenStyle.CustomDashLine))
        pen = painter.pen()
        pen.setDashPattern([1.0, 2.5])
        painter.setPen(pen)
        column = math.floor(top.x()) + 0.5
        painter.drawLine(QPointF(column, self.area.top()), QPointF(column, self.area.bottom()))
        painter.setPen(QPen(self._theme.colours["panel"], 1))
        for position, curve in enumerate(self.figure.curves):
            y = curve.at(x)
            if math.isfinite(y) and curve.role.kind != "ideal" and self._is_seen(x, y):
                painter.setBrush(self.colours[position])
                painter.drawEllipse(self.at(x, y), DOT, DOT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "box"):
            self.place()
            self.resized.emit()

    def _is_seen(self, x: float, y: float) -> bool:
        """Return whether a point is within the axes that are seen."""
        across, up = self.figure.x, self.figure.y
        return across.low <= x <= across.high and up.low <= y <= up.high

    def _fitting_names(self) -> dict[int, str]:
        """Return the name of each curve, short where the whole would take too much of the width."""
        metrics = QFontMetricsF(self._theme.font(SIZE))
        room = self.width() * end_names.SHARE
        return {
            place: whole if metrics.horizontalAdvance(whole) <= room else short
            for place, (whole, short) in self._names.items()
        }

    def _has_names(self) -> bool:
        """Return whether there is room for names at the ends of lines."""
        line = QFontMetricsF(self._theme.font(SIZE)).height()
        fit = len(self._names) * line <= self.height() - TOP - 3 * line
        return fit and 2 <= len(self._names) <= end_names.MOST and self.width() >= end_names.FROM_WIDTH

    def name_places(self) -> list[tuple[int, float, float]]:
        """Return (index of the curve, y of its end, y of its name) in pixels, moved apart; none without room. Lines,
        names and legend ask for them at each paint."""
        known = (self.figure, self._names, self.names, self.area, self.size(), self._theme.font(SIZE))
        if self._placed[0] != known:
            self._placed = (known, self._place_names())
        return self._placed[1]

    def _place_names(self) -> list[tuple[int, float, float]]:
        ends = []
        axis = self.figure.x
        for place in self.names if self._has_names() else ():
            curve = self.figure.curves[place]
            reaches = len(curve.x) and float(curve.x[-1]) >= axis.high - 0.01 * (axis.high - axis.low)
            y = curve.at(axis.high) if reaches else math.nan
            if math.isfinite(y) and self._is_seen(axis.high, y):
                ends.append((self.at(axis.high, y).y(), place))
        line = QFontMetricsF(self._theme.font(SIZE)).height()
        if len(ends) * line > self.area.height():
            return []
        return end_names.spread(ends, line, self.area.top(), self.area.bottom())

    def _paint_names(self, painter: QPainter) -> None:
        """Paint the names of runs at the ends of their lines, with a thin line to a name that was moved."""
        painter.setFont(self._theme.font(SIZE))
        line = QFontMetricsF(painter.font()).height()
        right = self.area.right()
        for place, end, y in self.name_places():
            painter.setPen(QPen(self.colours[place], 1))
            painter.drawLine(QPointF(right + 1, end), QPointF(right + end_names.GAP - 2, y))
            ground, ink = self._theme.colours["panel"].rgb(), self._theme.colours["ink"].rgb()
            painter.setPen(end_names.legible(self.colours[place].rgb(), ground, ink))
            box = QRectF(right + end_names.GAP, y - line / 2, self.width() - right - end_names.GAP, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.names[place])

    # The mouse input of pyqtgraph is not used: its view box has none.
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.whole is EMPTY:
            event.ignore()
        else:
            self._show_seen(self._seen.wheel(event, self.area))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._seen.is_dragged:
            self._show_seen(self._seen.drag(event.position(), self.area))
            self.viewport().update()
        else:
            self._point_at_line(self.run_at(event.position()))
            self.pointed.emit(self.x_at(event.position().x()))

    def _point_at_line(self, key: int | None) -> None:
        if key != self._near:
            self._near = key
            self.line_pointed.emit(key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.LeftButton and not (shift and self.whole is not EMPTY):
            self.pressed.emit(self.x_at(event.position().x()))
            key = self.run_at(event.position()) if self.figure.others else None
            if key is not None:
                self.line_pressed.emit(key)
        if self.whole is not EMPTY:
            self._seen.press(event, self.area)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._show_seen(self._seen.release(self.area))
        self.viewport().update()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.show_all()
        self.reset.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at_line(None)
        self.left.emit()


class ViewBox(pg.ViewBox):
    """A view box without mouse input and automatic ranges."""

    def __init__(self) -> None:
        super().__init__(enableMouse=False, enableMenu=False, defaultPadding=0)
        self.disableAutoRange()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setAcceptHoverEvents(False)


def _widened(axis: Axis, pixels: float) -> tuple[float, float]:
    """Return the range of the view box: the axis with a margin of ``BLEED`` pixels on both sides."""
    more = (axis.high - axis.low) / pixels * BLEED
    return axis.low - more, axis.high + more


def _ticks(axis: Axis, start: float, length: float, room: list[float], gap: float) -> list[tuple[float, str]]:
    """Return the ticks that have room, as (pixel, text): all, or every second, third … from the first. The axis begins
    at the pixel ``start`` and is ``length`` pixels long, negative upwards; ``room`` are the sizes of the texts."""
    scale = length / (axis.high - axis.low)
    ticks = [(start + (value - axis.low) * scale, text) for value, text in axis.shown_ticks]
    for every in range(1, len(ticks)):
        if _fit(ticks[::every], room[::every], gap):
            return ticks[::every]
    return ticks[:1]


def _fit(ticks: list[tuple[float, str]], room: list[float], gap: float) -> bool:
    """Return whether the texts of ticks are at least ``gap`` pixels apart."""
    for before in range(len(ticks) - 1):
        if abs(ticks[before + 1][0] - ticks[before][0]) < (room[before] + room[before + 1]) / 2 + gap:
            return False
    return True

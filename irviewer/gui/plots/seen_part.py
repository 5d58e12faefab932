"""The part of a plot's axes that is seen, and how the pointer changes it: the wheel zooms at the pointer, a drag zooms
to a rectangle, a drag with Shift or the middle button moves what is seen.

Knows axes and pixels, no figure and no widget."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QWheelEvent

from irviewer.figures.axes import zoomed_ticks
from irviewer.figures.figure import Axis
from irviewer.gui.theme import Theme
from irviewer.translation import tr

SIZE = 8.5
WHEEL_ZOOM = 1.25
"""What a step of the wheel magnifies by."""
ZOOM_KEYS = {"+": 1.5, "=": 1.5, "-": 1 / 1.5}
"""Keys of a plot with the focus, and what they magnify by; Esc shows all again."""
VALUE_KEYS = {Qt.Key.Key_Up: 1.5, Qt.Key.Key_Down: 1 / 1.5}
"""Keys that with Ctrl magnify only y, in plots of bars."""
MOST_ZOOM = 200.0
LEAST_DRAG = 6.0
"""Shorter drags are clicks, in pixels."""
ZOOMED = tr("zoomed · double-click to show all")
NO_AXIS = Axis("", 0.0, 1.0, ())


class SeenPart:
    """The part of two axes that is seen: ``x`` and ``y``. Every method that changes it returns whether it did.

    drag      the modifier with which a drag zooms to its rectangle; without one every drag does
    across    only x is zoomed, and y around its zero by the wheel with Ctrl
    least     the least range of x, in its own unit; 0 for none but ``MOST_ZOOM``
    """

    def __init__(self, drag: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, *, across: bool = False) -> None:
        self.whole_x = self.whole_y = self.x = self.y = NO_AXIS
        self.least = 0.0
        self._ratios = False
        self._modifier, self._across = drag, across
        self.rectangle: tuple[QPointF, QPointF] | None = None
        """The corners of the rectangle that is drawn; None without one."""
        self._pan: QPointF | None = None

    @property
    def is_zoomed(self) -> bool:
        """Whether a part of the axes is seen."""
        return (self.x, self.y) != (self.whole_x, self.whole_y)

    @property
    def is_empty(self) -> bool:
        """Whether no axes were set, so that nothing can be zoomed."""
        return self.whole_x is NO_AXIS

    @property
    def is_dragged(self) -> bool:
        """Whether the pointer is moving the part, or drawing a rectangle."""
        return self.rectangle is not None or self._pan is not None

    def set_axes(self, x: Axis, y: Axis, *, ratios: bool = False) -> None:
        """Set the whole axes; the same axes stay zoomed."""
        self._ratios = ratios
        if (x, y) != (self.whole_x, self.whole_y):
            self.whole_x, self.whole_y, self.x, self.y = x, y, x, y

    def show_all(self) -> bool:
        """Show the whole axes again."""
        zoomed = self.is_zoomed
        self.x, self.y = self.whole_x, self.whole_y
        return zoomed

    def show_part(self, x: tuple[float, float], y: tuple[float, float]) -> bool:
        """Show a part, at most the whole and at least a ``MOST_ZOOM``-th of each axis."""
        before = self.x, self.y
        self.x = _part(self.whole_x, *x, ratios=self._ratios, least=self.least)
        if not self._across:
            self.y = _part(self.whole_y, *y, ratios=self._ratios)
        return before != (self.x, self.y)

    def show_point(self, x: float, y: float) -> bool:
        """Move what is seen, as little as needed, so that a point is in it."""
        right = max(0.0, x - self.x.high) + min(0.0, x - self.x.low)
        up = max(0.0, y - self.y.high) + min(0.0, y - self.y.low)
        return bool(right or up) and self.show_part(
            (self.x.low + right, self.x.high + right), (self.y.low + up, self.y.high + up)
        )

    def zoom(self, factor: float, area: QRectF, centre: QPointF | None = None) -> bool:
        """Magnify by ``factor`` around a pixel of the plot's ``area``, by default its middle."""
        at = area.center() if centre is None else centre
        right = min(1.0, max(0.0, (at.x() - area.left()) / area.width()))
        above = min(1.0, max(0.0, (area.bottom() - at.y()) / area.height()))
        wide, high = (self.x.high - self.x.low) / factor, (self.y.high - self.y.low) / factor
        low = self.x.low + right * (self.x.high - self.x.low - wide)
        bottom = self.y.low + above * (self.y.high - self.y.low - high)
        return self.show_part((low, low + wide), (bottom, bottom + high))

    def zoom_values(self, factor: float) -> bool:
        """Magnify only y by ``factor``, around its zero."""
        before, whole = self.y, self.whole_y
        low, high = max(whole.low, self.y.low / factor), min(whole.high, self.y.high / factor)
        self.y = _part(whole, low, high, ratios=self._ratios)
        return before != self.y

    def move(self, pixels: QPointF, area: QRectF) -> bool:
        """Move what is seen by a distance in pixels."""
        dx = -pixels.x() / area.width() * (self.x.high - self.x.low)
        dy = pixels.y() / area.height() * (self.y.high - self.y.low)
        dx = min(max(dx, self.whole_x.low - self.x.low), self.whole_x.high - self.x.high)
        dy = min(max(dy, self.whole_y.low - self.y.low), self.whole_y.high - self.y.high)
        return self.show_part((self.x.low + dx, self.x.high + dx), (self.y.low + dy, self.y.high + dy))

    # --- pointer ---

    def wheel(self, event: QWheelEvent, area: QRectF) -> bool:
        """Zoom at the pointer; False, and the event is left to others, where there is nothing to zoom."""
        steps = event.angleDelta().y() / 120.0
        if self.is_empty or not steps or (steps < 0 and not self.is_zoomed):
            event.ignore()
            return False
        event.accept()
        if self._across and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self.zoom_values(WHEEL_ZOOM**steps)
        return self.zoom(WHEEL_ZOOM**steps, area, event.position())

    def press(self, event: QMouseEvent, area: QRectF) -> bool:
        """Begin to move what is seen, or to draw a rectangle; False for other clicks."""
        if self.is_empty:
            return False
        left, held = event.button() == Qt.MouseButton.LeftButton, event.modifiers()
        if event.button() == Qt.MouseButton.MiddleButton or (left and held & Qt.KeyboardModifier.ShiftModifier):
            self._pan = event.position()
        elif left and (held & self._modifier) == self._modifier and area.contains(event.position()):
            self.rectangle = event.position(), event.position()
        return self.is_dragged

    def drag(self, position: QPointF, area: QRectF) -> bool:
        """Follow the pointer after ``press``; return whether what is seen has changed."""
        if self._pan is not None:
            pan, self._pan = position - self._pan, position
            return self.move(pan, area)
        if self.rectangle is not None:
            self.rectangle = self.rectangle[0], position
        return False

    def release(self, area: QRectF) -> bool:
        """End what ``press`` began: zoom to the rectangle."""
        box = self._box(area)
        self.rectangle = self._pan = None
        if min(box.width(), box.height()) < LEAST_DRAG:
            return False
        wide, high = (self.x.high - self.x.low) / area.width(), (self.y.high - self.y.low) / area.height()
        low, bottom = self.x.low + (box.left() - area.left()) * wide, self.y.low + (area.bottom() - box.bottom()) * high
        return self.show_part((low, low + box.width() * wide), (bottom, bottom + box.height() * high))

    def paint(self, painter: QPainter, theme: Theme, area: QRectF) -> None:
        """Paint the rectangle of a drag, and how to see all again."""
        if self.is_zoomed:
            painter.setFont(theme.font(SIZE))
            painter.setPen(theme["muted"])
            painter.drawText(area.adjusted(0, 2, -4, 0), Qt.AlignmentFlag.AlignRight, ZOOMED)
        if self.rectangle is not None:
            painter.setPen(QPen(theme["ink"], 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self._box(area))

    def _box(self, area: QRectF) -> QRectF:
        """Return the rectangle that is drawn, as high as the area where only x is zoomed; empty without one."""
        if self.rectangle is None:
            return QRectF()
        box = QRectF(*self.rectangle).normalized()
        if self._across:
            box.setTop(area.top())
            box.setBottom(area.bottom())
        return box.intersected(area)


def _part(axis: Axis, low: float, high: float, *, ratios: bool, least: float = 0.0) -> Axis:
    """Return the part of an axis from ``low`` to ``high``, within the axis, with ticks of its own."""
    span = min(axis.high - axis.low, max(high - low, (axis.high - axis.low) / MOST_ZOOM, least))
    low = min(max(axis.low, low), axis.high - span)
    if span >= (axis.high - axis.low) * (1 - 1e-9):
        return axis
    return replace(
        axis, low=low, high=low + span, ticks=zoomed_ticks(axis.ticks, low, low + span, axis.integer, ratios)
    )

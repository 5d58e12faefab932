"""The frame of a painted plot: coordinates of values, axes with ticks and names, the label of a mark."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure
from irviewer.gui.theme import Theme
from irviewer.hidden_characters import escape_hidden

SIZE = 8.5
GAP, TOP, RIGHT = 6.0, 10.0, 14.0
PAD, LONGEST = 8.0, 400.0
WIDEST_TICK, BETWEEN_TICKS = 110.0, 6.0
"""Pixels of a longer name below a tick, where the ticks are no farther apart, and between two names."""


class Frame:
    """The area of a plot in a widget, for one figure. ``square``: both axes have the same length."""

    def __init__(self, figure: Figure, theme: Theme, whole: QRectF, *, square: bool = False) -> None:
        self.figure = figure
        self._theme = theme
        self._whole = whole
        metrics = QFontMetricsF(theme.font(SIZE, numbers=True))
        self._line = metrics.height()
        wide = max((metrics.horizontalAdvance(text) for _, text in figure.y.shown_ticks or ()), default=20.0)
        left = math.ceil(wide + self._line + 3 * GAP)
        bottom = 2 * self._line + 2 * GAP
        area = QRectF(left, TOP, max(10.0, whole.width() - left - RIGHT), max(10.0, whole.height() - TOP - bottom))
        if square:
            side = min(area.width(), area.height())
            area = QRectF(area.left() + (area.width() - side) / 2, area.top(), side, side)
        self.area = area

    def x(self, value: float) -> float:
        """Return the pixel of a value on the x axis."""
        axis = self.figure.x
        return self.area.left() + (value - axis.low) / (axis.high - axis.low) * self.area.width()

    def y(self, value: float) -> float:
        """Return the pixel of a value on the y axis."""
        axis = self.figure.y
        return self.area.bottom() - (value - axis.low) / (axis.high - axis.low) * self.area.height()

    def paint(self, painter: QPainter) -> None:
        """Paint the grid, the ticks and the names of the axes."""
        theme, area, figure = self._theme, self.area, self.figure
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(theme.font(SIZE, numbers=True))
        metrics = QFontMetricsF(painter.font())
        last = -math.inf
        ticks = figure.x.shown_ticks or ()
        room = max(WIDEST_TICK, area.width() / max(1, len(ticks)) - BETWEEN_TICKS)
        for value, text in ticks:
            at = round(self.x(value))
            painter.setPen(theme["line"])
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            shown = metrics.elidedText(escape_hidden(text), Qt.TextElideMode.ElideMiddle, room)
            wide = metrics.horizontalAdvance(shown)
            left = max(self._whole.left() + 2, min(at - wide / 2, self._whole.right() - wide - 2))
            if left < last + BETWEEN_TICKS:
                continue
            last = left + wide
            painter.setPen(theme["muted"])
            below = QRectF(left - 2, area.bottom() + GAP, wide + 4, self._line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, shown)
        last = math.inf
        for value, text in figure.y.shown_ticks or ():
            at = round(self.y(value))
            painter.setPen(theme["line"])
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            if last - at < self._line * 0.9:
                continue
            last = at
            painter.setPen(theme["muted"])
            beside = QRectF(0, at - self._line / 2, area.left() - GAP, self._line)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, escape_hidden(text))
        painter.setFont(theme.font(SIZE))
        painter.setPen(theme["muted"])
        below = QRectF(area.left() - 20, area.bottom() + GAP + self._line, area.width() + 40, self._line)
        name = fitting_title(figure.x.label, QFontMetricsF(painter.font()), below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, name)
        paint_y_title(
            painter, figure.y.label, area.left() - self._wide(metrics) - self._line / 2 - GAP, area, self._whole
        )

    def _wide(self, metrics: QFontMetricsF) -> float:
        return GAP + max((metrics.horizontalAdvance(text) for _, text in self.figure.y.shown_ticks or ()), default=20.0)


def fitting_title(title: str, metrics: QFontMetricsF, room: float) -> str:
    """Return the title of an axis in ``room`` pixels: without its definition ("Precision: …, mean of 40 queries") where
    the whole has no room, then its name alone; elided where even that is too long."""
    title = escape_hidden(title)
    name, colon, rest = title.partition(": ")
    forms = [title]
    if colon:
        _, comma, of = rest.rpartition(", ")
        forms += [f"{name}, {of}", name] if comma else [name]
    shown = next((form for form in forms if metrics.horizontalAdvance(form) <= room), forms[-1])
    return metrics.elidedText(shown, Qt.TextElideMode.ElideMiddle, room)


def paint_y_title(painter: QPainter, title: str, x: float, area: QRectF, whole: QRectF) -> None:
    """Paint the name of a y axis upwards with its middle at ``x``, beside ``area``; a name longer than the axis has the
    height of ``whole``."""
    metrics = QFontMetricsF(painter.font())
    length, line = whole.height() - 4.0, metrics.height()
    text = fitting_title(title, metrics, length)
    half = min(length, metrics.horizontalAdvance(text)) / 2
    painter.save()
    painter.translate(x, max(whole.top() + half + 2, min(area.center().y(), whole.bottom() - half - 2)))
    painter.rotate(-90)
    painter.drawText(QRectF(-length / 2, -line / 2, length, line), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def paint_label(painter: QPainter, widget: QWidget, theme: Theme, text: str, near: QPointF) -> QRectF:
    """Paint a text in a box beside ``near``, inside the widget; return the box."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font(SIZE, numbers=True))
    metrics = QFontMetricsF(painter.font())
    whole = QRectF(widget.rect()).adjusted(4, 4, -4, -4)
    shown = metrics.elidedText(escape_hidden(text), Qt.TextElideMode.ElideRight, min(whole.width() - 2 * PAD, LONGEST))
    box = QRectF(0, 0, metrics.horizontalAdvance(shown) + 2 * PAD + 1, metrics.height() + PAD)
    box.moveTo(near.x() + 10, near.y() - box.height() - 6)
    box.moveLeft(max(whole.left(), min(box.left(), whole.right() - box.width())))
    box.moveTop(max(whole.top(), min(box.top(), whole.bottom() - box.height())))
    painter.setPen(QPen(theme["frame"], 1))
    painter.setBrush(theme["panel"])
    painter.drawRoundedRect(box, 5, 5)
    painter.setPen(theme["ink"])
    painter.drawText(box.adjusted(PAD, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)
    return box


def paint_ring(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    """Paint a ring around a widget with the keyboard focus."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme["ink"], 1.2))
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(2, 2, -2, -2), 4, 4)

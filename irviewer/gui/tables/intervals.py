"""How an interval on an axis of its own is painted: a bar from its least to its greatest value, the mean marked.

As the other cell painters, it computes nothing. Knows the theme, no view."""

from __future__ import annotations

import math
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from irviewer.gui.compare.pool_model import SpanColumn
from irviewer.gui.tables.model import Column
from irviewer.gui.theme import Theme

PAD = 12
THICK = 7.0


class Words(Protocol):
    """Paints texts in cells."""

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        """Paint the column's text."""


class SpanCell:
    """Paints intervals; cells without one have a text, painted by ``words``."""

    def __init__(self, theme: Theme, words: Words) -> None:
        self._theme = theme
        self._words = words

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SpanColumn):
            return
        if column.words:
            self._words.paint(painter, box, column, row, ground)
            return
        low, middle, high = column.ends(row)
        if math.isnan(low) or math.isnan(high):
            return
        room = QRectF(box).adjusted(PAD, 0, -PAD, 0)
        y = room.center().y()
        self._paint_behind(painter, box, room, column)
        left, right = room.left() + low * room.width(), room.left() + high * room.width()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colours["frame"], 1))
        painter.setBrush(self._theme.colours["faint"])
        painter.drawRoundedRect(QRectF(left, y - THICK / 2, max(right - left, 1.0), THICK), 2, 2)
        if not math.isnan(middle):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colours["ink"])
            painter.drawEllipse(QPointF(room.left() + middle * room.width(), y), 3.2, 3.2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_behind(self, painter: QPainter, box: QRect, room: QRectF, column: SpanColumn) -> None:
        """The baseline's interval as two thin lines through all rows."""
        low, _, high = column.behind
        if math.isnan(low) or math.isnan(high):
            return
        painter.setPen(QPen(self._theme.colours["muted"], 1, Qt.PenStyle.DotLine))
        for share in (low, high):
            x = round(room.left() + share * room.width())
            painter.drawLine(x, box.top(), x, box.bottom())

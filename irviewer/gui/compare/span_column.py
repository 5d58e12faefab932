"""The column of intervals around a mean on an axis of its own, and how they are painted: a bar from the least to the
greatest value, the mean marked."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from irviewer.gui.tables.cells import TextCell
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column
from irviewer.gui.tables.statistics_columns import IntervalColumn
from irviewer.gui.theme import Theme
from irviewer.model.arrays import Floats
from irviewer.session.view_models.pool import PoolViewModel

PAD = 12
THICK = 7.0


class SpanColumn(IntervalColumn):
    """Intervals around a mean on a common axis; ``words`` are shown if there are no intervals."""

    def __init__(self, view_model: PoolViewModel, title: str, tooltip: str) -> None:
        least, most = view_model.axis
        self.words = view_model.words
        super().__init__(
            "interval",
            title,
            view_model.low,
            view_model.values,
            view_model.high,
            most - least,
            tooltip,
            tips=view_model.tips,
        )
        self._least = least
        at = next((position for position, label in enumerate(view_model.runs) if label.baseline), -1)
        self.behind = (math.nan, math.nan, math.nan) if at < 0 else self.ends(at)
        """The baseline's low end, mean and high end."""

    def text(self, row: int) -> str:
        return self.words or super().text(row)

    def ends(self, row: int) -> tuple[float, float, float]:
        """Low end, mean, high end as shares of the axis, 0..1."""
        if self.words or not self.scale > 0:
            return math.nan, math.nan, math.nan
        low, middle, high = ((float(ends.item(row)) - self._least) / self.scale for ends in self._three())
        return low, middle, high

    def _three(self) -> tuple[Floats, Floats, Floats]:
        return self.low, self.middle, self.high


class SpanCell:
    """Paints intervals; cells without one have a text."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._words = TextCell(theme, density)

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

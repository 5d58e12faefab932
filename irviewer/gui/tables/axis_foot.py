"""The axis below a table with the intervals of differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from irviewer.figures.axes import nice_step, ticks_between
from irviewer.gui.guard import guarded
from irviewer.gui.tables.cells import LEFT_PAD
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import TICKS, ResultColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.model.number_text import quantity
from irviewer.translation import decimal

HEIGHT = 24
"""The height with a legend of one line."""
WRAPPED = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


@guarded
class AxisFoot(QWidget):
    """Below a table with the intervals of differences: what the signs mean, and the ticks of the common axis. ``total``
    is the text at the difference over all rows, with {value} in it."""

    height_changed = Signal()

    def __init__(self, theme: Theme, table: Table, model: TableModel, total: str) -> None:
        super().__init__()
        self._theme = theme
        self._table = table
        self._model = model
        self._legend = ""
        self._total = total
        self.setFixedHeight(HEIGHT)
        header = table.horizontalHeader()
        header.sectionResized.connect(self._fit)
        header.geometriesChanged.connect(self._fit)
        table.horizontalScrollBar().valueChanged.connect(self.update)
        theme.changed.connect(self.update)

    def show_legend(self, legend: str) -> None:
        """Show what the signs mean below the axis of the table as it is now."""
        self._legend = legend
        self.setVisible(bool(self._model.rowCount()))
        self.setAccessibleName(legend)
        self._fit()

    def _fit(self) -> None:
        """Give the legend the lines that it needs left of the axis."""
        interval = self._interval()
        if interval is not None:
            metrics = QFontMetrics(self._theme.font(8.5, numbers=True))
            room = QRect(0, 0, self._room(interval[0]), 1000)
            lines = metrics.boundingRect(room, int(WRAPPED), self._legend).height()
            height = max(HEIGHT, lines + HEIGHT - metrics.height())
            if height != self.minimumHeight():
                self.setFixedHeight(height)
                self.height_changed.emit()
        self.update()

    def _room(self, section: int) -> int:
        """Return the width of the legend, left of the axis in a column."""
        return max(40, self._table.horizontalHeader().sectionViewportPosition(section) - 2 * LEFT_PAD)

    def _interval(self) -> tuple[int, ResultColumn] | None:
        """Return the place of the column of intervals, and the column."""
        for section, column in enumerate(self._model.columns):
            if isinstance(column, ResultColumn) and column.is_of_difference:
                return section, column
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        interval = self._interval()
        if interval is None:
            return
        section, column = interval
        low, high = column.axis
        ticks = ticks_between(low, high, nice_step(high - low, TICKS), signed=True)
        painter = QPainter(self)
        painter.setFont(self._theme.font(8.5, numbers=True))
        metrics = painter.fontMetrics()
        header = self._table.horizontalHeader()
        left, width = header.sectionViewportPosition(section) + LEFT_PAD, header.sectionSize(section) - 2 * LEFT_PAD
        painter.setPen(self._theme["muted"])
        painter.drawText(QRectF(LEFT_PAD, 0, self._room(section), self.height()), int(WRAPPED), self._legend)

        def at(value: float) -> float:
            return left + (value - low) / (high - low) * width

        known = not math.isnan(column.total)
        overall = self._total.format(value=quantity(column.total)) if known else ""
        half = metrics.horizontalAdvance(overall) / 2 + 6
        middle = at(column.total if known else low - (high - low))
        labels = []
        for value, text in ticks:
            text = decimal(text)
            x, own = at(value), metrics.horizontalAdvance(text) / 2
            painter.drawLine(round(x), 0, round(x), 4)
            if abs(x - middle) > half + own:
                labels.append((x, own, text))
        for x, _, text in labels[:: sparing(labels)]:
            painter.drawText(QRectF(x - 40, 5, 80, self.height() - 5), int(Qt.AlignmentFlag.AlignHCenter), text)
        painter.setPen(self._theme["ink"])
        painter.drawText(QRectF(middle - 80, 5, 160, self.height() - 5), int(Qt.AlignmentFlag.AlignHCenter), overall)


def sparing(labels: Sequence[tuple[float, float, str]], gap: float = 8) -> int:
    """Return n so that of labels (centre, half of the width, text), every n-th has ``gap`` pixels to the next."""
    return next(
        step
        for step in range(1, len(labels) + 2)
        if all(right[0] - left[0] >= left[1] + right[1] + gap for left, right in pairwise(labels[::step]))
    )

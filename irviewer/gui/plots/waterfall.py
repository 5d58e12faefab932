"""A waterfall plot of the parts of a difference; hovering shows a part, clicks and arrow keys select its document."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Waterfall
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import SIZE
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import SEPARATOR
from irviewer.gui.widgets.plain_text import MOST_SHOWN, set_tooltip
from irviewer.hidden_characters import escape_hidden
from irviewer.session.session import Session
from irviewer.translation import decimal

TALLEST, LEAST = 24.0, 11.0
LONGEST_LABEL = 260.0
MARGIN, VALUE_ROOM, GAP = 10.0, 62.0, 8.0
LEAST_ID = 36.0
"""The least width of the id in the words beside a part."""
MINUS = "\N{MINUS SIGN}"


@guarded
class WaterfallView(PaintedFigure):
    """``figure.waterfall``; ``chosen`` carries the key of the selected part."""

    chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._hovered = -1
        self._labels_width = 0.0
        self.setMinimumSize(220, 90)

    @property
    def parts(self) -> Waterfall | None:
        """The parts shown."""
        return None if self._figure is None else self._figure.waterfall

    def show_figure(self, figure: Figure | None) -> None:
        """Show a difference, or none."""
        self._figure = figure
        self._hovered = -1
        self.setAccessibleName("" if figure is None else figure.title)
        parts = self.parts
        metrics = QFontMetricsF(self._theme.font(SIZE))
        labels = () if parts is None else parts.labels
        self._labels_width = max((metrics.horizontalAdvance(_ends(text)) for text in labels), default=0.0)
        self.setAccessibleDescription("" if parts is None else self.mark_label(parts.selected))
        self.update()

    def mark_label(self, part: int) -> str:
        parts = self.parts
        if parts is None or not 0 <= part < len(parts.keys):
            return ""
        return f"{parts.labels[part]}: " + decimal(f"{parts.deltas[part]:+.4f}".replace("-", MINUS))

    # --- geometry ---

    def row_height(self) -> float:
        """Return the height of a part in pixels."""
        parts = self.parts
        n = 1 if parts is None else max(1, len(parts.keys))
        return max(LEAST, min(TALLEST, (self.height() - 2 * MARGIN) / n))

    def area(self) -> QRectF:
        """Return the area of the bars."""
        left = MARGIN + min(LONGEST_LABEL, self._labels_width, self.width() * 0.45) + GAP
        return QRectF(left, MARGIN, max(20.0, self.width() - left - VALUE_ROOM - MARGIN),
                      max(10.0, self.height() - 2 * MARGIN))  # fmt: skip

    def bar(self, part: int) -> QRectF:
        """Return the rectangle of the bar of a part."""
        parts, area, tall = self.parts, self.area(), self.row_height()
        assert parts is not None
        assert self._figure is not None
        axis = self._figure.x
        start = float(np.sum(parts.deltas[:part]))
        ends = [start, start + float(parts.deltas[part])]
        left, right = (area.left() + (end - axis.low) / (axis.high - axis.low) * area.width() for end in sorted(ends))
        return QRectF(left, area.top() + part * tall + 2, max(1.5, right - left), tall - 4)

    def part_at(self, where: QPointF) -> int:
        """Return the part at a pixel, -1 for none."""
        parts = self.parts
        row = int((where.y() - MARGIN) // self.row_height())
        return row if parts is not None and 0 <= row < len(parts.keys) else -1

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        parts = self.parts
        if parts is None or self._figure is None:
            return
        painter = QPainter(self)
        area, tall, axis = self.area(), self.row_height(), self._figure.x
        for part in {parts.selected, self._hovered} - {-1}:
            ground = self._theme["selection" if part == parts.selected else "hover"]
            painter.fillRect(QRectF(2, area.top() + part * tall, self.width() - 4, tall), ground)
        zero = area.left() - axis.low / (axis.high - axis.low) * area.width()
        painter.setPen(self._theme["faint"])
        painter.drawLine(QPointF(zero, area.top()), QPointF(zero, area.top() + tall * len(parts.keys)))
        painter.setFont(self._theme.font(SIZE))
        metrics = QFontMetricsF(painter.font())
        numbers = self._theme.font(SIZE, numbers=True)
        room = area.left() - MARGIN - GAP
        middle = Qt.AlignmentFlag.AlignVCenter
        for part, (label, delta) in enumerate(zip(parts.labels, parts.deltas.tolist(), strict=True)):
            y = area.top() + part * tall
            painter.setFont(self._theme.font(SIZE))
            painter.setPen(self._theme["ink" if part == parts.selected else "text" if parts.keys[part] else "muted"])
            text = shortened(label, metrics, room)
            painter.drawText(QRectF(MARGIN, y, room, tall), Qt.AlignmentFlag.AlignLeft | middle, text)
            box = self.bar(part)
            better = (delta >= 0) == parts.better_up
            painter.fillRect(box, self._theme["better" if better else "worse"])
            painter.setFont(numbers)
            painter.setPen(self._theme["text"])
            text = decimal(f"{delta:+.4f}".replace("-", MINUS))
            beside = QRectF(box.right() + 6, y, VALUE_ROOM, tall)
            painter.drawText(beside, Qt.AlignmentFlag.AlignLeft | middle, text)
            if part + 1 < len(parts.keys):
                # The next part begins where this one ends.
                end = box.right() if delta >= 0 else box.left()
                painter.setPen(QPen(self._theme["faint"], 1))
                painter.drawLine(QPointF(end, box.bottom()), QPointF(end, box.bottom() + 4))
        self.paint_focus(painter)

    # --- pointer and keys ---

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part != self._hovered:
            self._hovered = part
            set_tooltip(self, self.mark_label(part))
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self.part_at(event.position()))
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        parts = self.parts
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if parts is None or step is None:
            super().keyPressEvent(event)
            return
        part = parts.selected + step
        while 0 <= part < len(parts.keys) and not parts.keys[part]:
            part += step
        self._choose(part)

    def _choose(self, part: int) -> None:
        parts = self.parts
        if parts is not None and 0 <= part < len(parts.keys) and parts.keys[part]:
            self.chosen.emit(parts.keys[part])

    def _point_nowhere(self) -> None:
        self._hovered = -1


def shortened(label: str, metrics: QFontMetricsF, room: float) -> str:
    """Return the words beside a part in ``room`` pixels: the id of the document is elided, not its grade and its
    ranks."""
    head, separator, tail = label.partition(SEPARATOR)
    head, tail = escape_hidden(_ends(head)), escape_hidden(tail)
    label = head + separator + tail
    left = room - metrics.horizontalAdvance(separator + tail)
    if metrics.horizontalAdvance(label) <= room or left < LEAST_ID:
        return metrics.elidedText(label, Qt.TextElideMode.ElideMiddle, room)
    return metrics.elidedText(head, Qt.TextElideMode.ElideMiddle, left) + separator + tail


def _ends(text: str) -> str:
    """Return a text without the middle that no plot has room for; to measure a million characters takes long."""
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN // 2] + text[-MOST_SHOWN // 2 :]

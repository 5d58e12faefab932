"""A table's header row: muted titles, a swatch where a column is a run's, the arrow only on the sorted column.

Knows the model's columns and the theme; the first ``frozen`` sections stay when the rest scrolls sideways."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QToolTip, QWidget

from irviewer.gui.delegates.cells import LEFT_PAD, PAD
from irviewer.gui.models.base import Column, TableModel
from irviewer.gui.painting import SWATCH, draw_swatch
from irviewer.gui.theme import Theme, aligned, make_font

HEIGHT = 26
SIZE = 9.0
SWATCH_ROOM = SWATCH + 4
ARROW_ROOM = 10

_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))


class TableHeader(QHeaderView):
    """The header of a :class:`irviewer.gui.table.Table`. ``menu_requested``: a column's place and where on screen."""

    menu_requested = Signal(int, QPointF)

    def __init__(
        self, model: TableModel, theme: Theme, frozen: int, sortable: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.sortable = sortable
        self._columns = model
        self._theme = theme
        self.frozen = frozen
        self._pointed = -1
        self.setFixedHeight(HEIGHT)
        self.setMinimumSectionSize(28)
        self.setSectionsClickable(sortable)
        self.setHighlightSections(False)
        self.setStretchLastSection(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)

    def frozen_width(self) -> int:
        """The pixels on the left that stay; 0 while nothing is scrolled sideways."""
        if self.offset() == 0:
            return 0
        return sum(self.sectionSize(place) for place in range(min(self.frozen, self.count())))

    def place_at(self, x: int) -> int:
        """The column under ``x`` of the viewport, frozen ones first; -1 for none."""
        return self.logicalIndexAt(self.unfrozen(x))

    def unfrozen(self, x: int) -> int:
        """Where ``x`` of the viewport would be if the frozen columns scrolled with the rest."""
        return x - self.offset() if x < self.frozen_width() else x

    def wanted_width(self, column: Column, title: str) -> int:
        """The pixels a title wants, with the arrow it gets when the table is sorted by it."""
        swatch = SWATCH_ROOM if column.run is not None else 0
        advance = QFontMetricsF(make_font(SIZE, 600)).horizontalAdvance(title)
        return math.ceil(advance) + swatch + (ARROW_ROOM if self.sortable else 0) + _pads(column)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = self.viewport().rect()
        painter.fillRect(area, self._theme["panel"])
        fixed = self.frozen_width()
        for place in range(min(self.count(), len(self._columns.columns))):
            left, width = self.sectionViewportPosition(place), self.sectionSize(place)
            if left + width > fixed and left < area.width() and not (fixed and place < self.frozen):
                self._draw(painter, QRect(left, 0, width, area.height()), place)
        if fixed:
            painter.fillRect(QRect(0, 0, fixed, area.height()), self._theme["panel"])
            left = 0
            for place in range(min(self.frozen, self.count(), len(self._columns.columns))):
                self._draw(painter, QRect(left, 0, self.sectionSize(place), area.height()), place)
                left += self.sectionSize(place)
            painter.fillRect(QRect(fixed - 1, 0, 1, area.height()), self._theme["control_border"])
        painter.fillRect(QRect(0, area.height() - 1, area.width(), 1), self._theme["line"])

    def _draw(self, painter: QPainter, box: QRect, place: int) -> None:
        column = self._columns.columns[place]
        sorted_by, descending = self._columns.sorted_by
        arrow = "" if sorted_by != column.id else "▾" if descending else "▴"
        marked = column.chosen or (place == self._pointed and self.sortable)
        painter.setFont(make_font(SIZE, 600))
        painter.setPen(self._theme["ink" if marked else "muted"])
        swatch = SWATCH_ROOM if column.run is not None else 0
        room = box.width() - _pads(column) - swatch - (ARROW_ROOM if arrow else 0)
        metrics = QFontMetricsF(painter.font())
        fits = metrics.horizontalAdvance(column.title) <= room + 1
        title = column.title if fits else metrics.elidedText(column.short, Qt.TextElideMode.ElideMiddle, max(0, room))
        advance = math.ceil(metrics.horizontalAdvance(title))
        whole = advance + swatch + (ARROW_ROOM if arrow else 0)
        left = box.right() + 1 - PAD - whole if column.right else box.left() + LEFT_PAD
        if column.run is not None:
            square = QRect(left, box.top() + (box.height() - SWATCH) // 2, SWATCH, SWATCH)
            draw_swatch(painter, square, self._theme.run(column.run), True)
        painter.drawText(QRect(left + swatch, box.top(), advance + 4, box.height()), _LEFT, title)
        if arrow:
            place_of_arrow = QRect(left + whole - ARROW_ROOM, box.top(), ARROW_ROOM, box.height())
            painter.drawText(place_of_arrow, _RIGHT, arrow)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(self._moved(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._moved(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(self._moved(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.place_at(event.position().toPoint().x()))
        super().mouseMoveEvent(self._moved(event))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = self.place_at(event.pos().x())
        if place >= 0:
            self.menu_requested.emit(place, QPointF(event.globalPos()))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(event.pos().x())
            known = 0 <= place < len(self._columns.columns)
            QToolTip.showText(event.globalPos(), self._columns.columns[place].tooltip if known else "", self)
            return True
        return super().viewportEvent(event)

    def _point_at(self, place: int) -> None:
        if place != self._pointed:
            self._pointed = place
            self.viewport().update()

    def _moved(self, event: QMouseEvent) -> QMouseEvent:
        """The event as it would be if the frozen sections scrolled with the rest: Qt knows nothing of them."""
        x = event.position().x()
        place = self.unfrozen(int(x))
        if place == int(x):
            return event
        position = QPointF(x - self.offset(), event.position().y())
        return QMouseEvent(
            event.type(), position, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )


def _pads(column: Column) -> int:
    """The room at both sides of a title; what is on the right of its column may come nearer to its neighbour."""
    return PAD + (6 if column.right else LEFT_PAD)

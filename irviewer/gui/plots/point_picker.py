"""Selecting and brushing queries side by side: hover, click, drag and keys of bars, relevance map and shares."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.plots.key_brush import KeyBrush
from irviewer.gui.plots.painted_plot import ZoomedFigure
from irviewer.gui.theme import Theme
from irviewer.hidden_characters import escape_hidden
from irviewer.session.session import Session

SIZE = 8.5
PAGE = 10
PAD, LONGEST = 8.0, 400.0


@guarded
class QueryPicker(ZoomedFigure):
    """Queries as columns of ``area()``, ``step()`` pixels each; subclasses paint them."""

    FROM_FIRST = False
    """Whether dragging, or Shift with arrow keys, brushes from the first column."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._selects = session.navigation.set_query
        self._keys: Sequence[str] = ()
        self._texts: Sequence[str] = ()
        self._selected = -1
        self._hovered = -1
        self._pointer = QPointF()
        self._brush = session.query_sets.brush
        self._by_key = KeyBrush(session, from_first=self.FROM_FIRST)
        self._from = self._to = -1

    @property
    def hovered(self) -> int:
        """The column under the pointer, -1 without one."""
        return self._hovered

    @property
    def selected(self) -> int:
        """The column of the selected query, -1 if there is none."""
        return self._selected

    @abstractmethod
    def area(self) -> QRectF:
        """Return the area of the plot without its axes."""

    @abstractmethod
    def step(self) -> float:
        """Return the width of a column in pixels."""

    @abstractmethod
    def mark_label(self, column: int) -> str:
        """Return what is said of a column that is pointed at."""

    def origin(self) -> float:
        """Return the pixel at which the first column begins."""
        return self.area().left()

    def column_at(self, x: float) -> int:
        """Return the column at a pixel, -1 outside the plot."""
        area = self.area()
        column = math.floor((x - self.origin()) / self.step())
        return column if area.left() <= x <= area.right() and 0 <= column < len(self._keys) else -1

    def show_queries(self, keys: Sequence[str], texts: Sequence[str], selected: int) -> None:
        """Set the queries, left to right."""
        self._keys, self._texts = keys, texts
        self._selected = selected if 0 <= selected < len(keys) else -1
        self._hovered = min(self._hovered, len(keys) - 1)
        self._by_key.show(keys, self._selected)
        self.setAccessibleDescription(self.mark_label(self._selected) if self._selected >= 0 else "")
        self.update()

    def with_text(self, label: str, column: int) -> str:
        """Return a label with the text of a query, if there is one."""
        text = self._texts[column] if column < len(self._texts) else ""
        return f"{label} · {text}" if text else label

    def paint_label(self, painter: QPainter, near: QRectF) -> QRectF:
        """Paint the label of the hovered column beside ``near``, inside the widget; return its box."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(SIZE, numbers=True))
        metrics = QFontMetricsF(painter.font())
        whole = QRectF(self.rect()).adjusted(4, 4, -4, -4)
        text = metrics.elidedText(
            escape_hidden(self.mark_label(self._hovered)),
            Qt.TextElideMode.ElideRight,
            min(whole.width() - 2 * PAD, LONGEST),
        )
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * PAD + 1, metrics.height() + PAD)
        box.moveTo(near.right() + 8, near.top() - box.height() - 4)
        box.moveLeft(max(whole.left(), min(box.left(), whole.right() - box.width())))
        box.moveTop(max(whole.top(), min(box.top(), whole.bottom() - box.height())))
        painter.setPen(QPen(self._theme["frame"], 1))
        painter.setBrush(self._theme["panel"])
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(self._theme["ink"])
        painter.drawText(box.adjusted(PAD, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        return box

    def _select(self, column: int) -> None:
        if 0 <= column < len(self._keys) and column != self._selected:
            self._selects(self._keys[column])

    def move_mark(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        if self._from >= 0:
            # A drag over columns brushes them; a shaky click does not.
            to = self.column_at(max(self.area().left(), min(self._pointer.x(), self.area().right() - 0.5)))
            if to >= 0 and (to != self._from or self._to >= 0):
                self._to = to
        self._hovered = self.column_at(self._pointer.x()) if self.area().contains(self._pointer) else -1
        self.update()

    def press_mark(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from, self._to = self.column_at(event.position().x()), -1
        else:
            super().press_mark(event)

    def release_mark(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._from < 0:
            super().release_mark(event)
            return
        (first, last), self._from, self._to = (self._from, self._to), -1, -1
        if last < 0:
            self._select(first)
        else:
            low, high = self._span(first, last)
            self._brush(self._keys[low : high + 1])
        self.update()

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """Return the first and the last column of a drag."""
        return (0 if self.FROM_FIRST else min(first, last)), (last if self.FROM_FIRST else max(first, last))

    def paint_band(self, painter: QPainter) -> None:
        """Paint the background of the columns that are being brushed."""
        if self._from >= 0 and self._to >= 0:
            area, step = self.area(), self.step()
            first, last = self._span(self._from, self._to)
            ground = QColor(self._theme["ink"])  # a copy: the theme's colour is shared
            ground.setAlphaF(0.1)
            box = QRectF(self.origin() + first * step, area.top(), (last - first + 1) * step, area.height())
            painter.fillRect(box.intersected(area), ground)

    def _point_nowhere(self) -> None:
        self._hovered = -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        now, last = self._by_key.now, len(self._keys) - 1
        places = {
            Qt.Key.Key_Left: max(0, now - 1),
            Qt.Key.Key_Right: min(last, now + 1),
            Qt.Key.Key_PageUp: max(0, now - PAGE),
            Qt.Key.Key_PageDown: min(last, now + PAGE),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        column = places.get(Qt.Key(event.key()))
        if not self._by_key.press(event, column) and not self.zoom_by_key(event):
            super().keyPressEvent(event)

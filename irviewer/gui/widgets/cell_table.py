"""A table with a current cell, which Left, Right and clicks move.

It is in the current row and a column with values; the key of "Why this number?" explains its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from irviewer.gui.actions import is_key_of
from irviewer.gui.guard import guarded
from irviewer.gui.tables.model import AnyIndex, Column, TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table

RING = 1.5
ROUND = 3.0


@guarded
class CellTable(Table):
    """``values`` returns whether the cells of a column are values; with ``rows_too`` the key of "Why this number?"
    explains the row if there is no current cell.

    cell_entered    row and column's id: the user moved to another cell
    cell_explained  row and column's id ("" for the row): the user asked for an explanation
    """

    cell_entered = Signal(int, str)
    cell_explained = Signal(int, str)

    def __init__(
        self, model: TableModel, theme: Theme, values: Callable[[Column], bool], *, rows_too: bool = False, **named: Any
    ) -> None:
        self._values, self._rows_too = values, rows_too
        self._cell = ""
        super().__init__(model, theme, **named)

    @property
    def cell(self) -> str:
        """The id of the column of the current cell; "" if there is none."""
        return self._cell if self._section() >= 0 else ""

    def set_cell(self, column_id: str) -> None:
        """Set the column of the current cell ("" for none), and scroll to it."""
        if column_id == self._cell:
            return
        self._cell = column_id
        section = self._section()
        if section >= 0 and not self._header.is_fixed(section):
            self._bring_into_sight(section)
        self.viewport().update()

    def _section(self) -> int:
        return next(
            (n for n, column in enumerate(self._model.columns) if column.id == self._cell and self._values(column)), -1
        )

    def _bring_into_sight(self, section: int) -> None:
        left, width = self._header.sectionViewportPosition(section), self._header.sectionSize(section)
        bar = self.horizontalScrollBar()
        if left < self._header.fixed_left():
            bar.setValue(bar.value() + left - self._header.fixed_left())
        right = self.viewport().width() - self._header.fixed_right()
        if left + width > right:
            bar.setValue(bar.value() + left + width - right)

    def moveCursor(
        self, action: Table.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:  # fmt: skip
        sideways = {Table.CursorAction.MoveLeft: -1, Table.CursorAction.MoveRight: 1}.get(action, 0)
        visible = [n for n in map(self._header.logicalIndex, range(self._header.count())) if n >= 0]
        sections = [n for n in visible if self._values(self._model.columns[n]) and not self._header.isSectionHidden(n)]
        if not sideways or not sections or self.current_row() < 0:
            return super().moveCursor(action, modifiers)
        at = self._section()
        position = sections.index(at) if at in sections else -1
        left = sections if position < 0 else sections[:position]
        right = sections[position + 1 :]
        target = right[:1] if sideways > 0 else left[-1:]
        if not target:
            return super().moveCursor(action, modifiers)
        self.set_cell(self._model.columns[target[0]].id)
        self.cell_entered.emit(self.current_row(), self._cell)
        return self.currentIndex()

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if self.cell and not self._following and current.isValid() and current.row() != previous.row():
            self.cell_entered.emit(current.row(), self._cell)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        column = self._model.columns[index.column()]
        if self._values(column):
            self.set_cell(column.id)
            self.cell_entered.emit(index.row(), column.id)

    def event(self, event: QEvent) -> bool:
        # Elsewhere the key explains the value of the chosen measure; here that of the current cell.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._asks(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._asks(event):
            self.cell_explained.emit(self.current_row(), self.cell)
        else:
            super().keyPressEvent(event)

    def _asks(self, event: QKeyEvent) -> bool:
        return is_key_of(event, "explain") and self.current_row() >= 0 and (bool(self.cell) or self._rows_too)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        section, row = self._section(), self.current_row()
        if section < 0 or row < 0 or self._header.count() != len(self._model.columns):
            return
        box = self.visualRect(self._model.index(row, section)).adjusted(1, 1, -2, -2)
        painter = QPainter(self.viewport())
        if not self._header.is_fixed(section):
            left, right = self._header.fixed_left(), self._header.fixed_right()
            painter.setClipRect(QRect(left, 0, self.viewport().width() - left - right, self.viewport().height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme["ink" if self.hasFocus() else "muted"]), RING))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, ROUND, ROUND)

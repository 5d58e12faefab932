"""A table that screen readers read in place of painted rows.

PySide6 has no QAccessibleTableInterface, so that a painted widget cannot be a table itself. A table view lies over it:
it paints nothing, takes neither the mouse nor the keyboard, and has the cells as texts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QFrame, QTableView

from irviewer.gui.guard import guarded
from irviewer.hidden_characters import escape_hidden
from irviewer.session.view_models.spoken import SpokenTable

_TEXT_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


@guarded
class SpokenModel(QAbstractTableModel):
    """The texts of a SpokenTable."""

    def __init__(self) -> None:
        super().__init__()
        self.table: SpokenTable | None = None
        self._size = (0, 0)

    def show_table(self, table: SpokenTable | None) -> None:
        """Show a table; None for none."""
        self.beginResetModel()
        self.table = table
        self._size = (0, 0) if table is None else (table.n_rows, len(table.headers))
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - as in Qt
        return 0 if parent.isValid() else self._size[0]

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 - as in Qt
        return 0 if parent.isValid() else self._size[1]

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.table is None or role not in _TEXT_ROLES or not index.isValid():
            return None
        return escape_hidden(self.table.cell(index.row(), index.column()))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.table is None or role not in _TEXT_ROLES:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return escape_hidden(self.table.headers[section]) if 0 <= section < self._size[1] else None
        return escape_hidden(self.table.row_name(section)) if 0 <= section < self._size[0] else None


@guarded
class SpokenTableView(QTableView):
    """The table over a painted widget. ``go_to`` tells screen readers which cell is current."""

    def __init__(self, painted: QAbstractScrollArea) -> None:
        super().__init__(painted.viewport())
        self._painted = painted
        self.spoken = SpokenModel()
        self.spoken.setParent(self)
        self.setModel(self.spoken)
        self.setAccessibleName(painted.accessibleName())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.setStyleSheet("QTableView { background: transparent; border: none; }")
        self.viewport().setAutoFillBackground(False)
        # Other texts would have all that is painted below painted once more.
        self.setUpdatesEnabled(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        pass  # what is below is painted

    def cover(self) -> None:
        """Take the size of the painted widget."""
        self.setGeometry(self._painted.viewport().rect())

    def child_of(self, row: int, column: int) -> int:
        """Return the place of a cell among the children of the table, as Qt counts them: with the headers."""
        return (row + 1) * (self.spoken.columnCount() + 1) + column + 1

    def go_to(self, row: int, column: int) -> None:
        """Make a cell current, and let screen readers read it if the painted widget has the keyboard focus."""
        index = self.spoken.index(row, column)
        if not index.isValid() or index == self.currentIndex():
            return
        self.setCurrentIndex(index)
        if QAccessible.isActive() and self._painted.hasFocus():
            event = QAccessibleEvent(self, QAccessible.Event.Focus)
            event.setChild(self.child_of(row, column))
            QAccessible.updateAccessibility(event)

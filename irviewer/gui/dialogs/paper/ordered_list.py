"""A list whose entries are ticked and put in order, by the pointer and by keys.

It knows texts and colours, no session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QDropEvent, QIcon, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.translation import tr

KEY = int(Qt.ItemDataRole.UserRole)
VALUE = KEY + 1
UNTICKED = KEY + 2
ROW_HEIGHT = 24
VALUE_WIDTH = 52


@dataclass(frozen=True)
class OrderedEntry:
    """An entry: its key, text, a text at the right, whether it is ticked, its icon, and that where it is not ticked."""

    key: int | str
    text: str
    value: str = ""
    ticked: bool = True
    icon: QIcon | None = None
    unticked_icon: QIcon | None = None


@guarded
class _Row(QStyledItemDelegate):
    """Paints the value at the right of the text, muted where the entry is not ticked."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle
        unticked = index.data(UNTICKED)
        if unticked is not None and Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) != Qt.CheckState.Checked:
            option.icon = unticked
        if index.data(VALUE):
            room = option.rect.width() - VALUE_WIDTH - 44
            option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideMiddle, room)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        value = str(index.data(VALUE) or "")
        if value:
            box: QRect = option.rect.adjusted(0, 0, -8, 0)
            painter.save()
            painter.setFont(self._theme.font(9, numbers=True))
            painter.setPen(self._theme["muted"])
            painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), value)
            painter.restore()


@guarded
class OrderedList(QListWidget):
    """``changed`` is sent when a tick or the order changed. Space ticks, Alt+Up and Alt+Down move the current entry."""

    changed = Signal()

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self.setAccessibleName(name)
        self.setAccessibleDescription(tr("Space ticks an entry; Alt+Up and Alt+Down move it."))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(theme.font(9.5))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setItemDelegate(_Row(theme, self))
        self.itemChanged.connect(self._on_item_changed)

    def show_entries(self, entries: Iterable[OrderedEntry]) -> None:
        """Show entries in this order, without a signal."""
        self._quiet = True
        self.clear()
        for entry in entries:
            self.insert(self.count(), entry)
        if self.count():
            self.setCurrentRow(0)
        self._quiet = False

    def insert(self, row: int, entry: OrderedEntry) -> None:
        quiet, self._quiet = self._quiet, True
        item = QListWidgetItem(visible(entry.text))
        item.setData(KEY, entry.key)
        item.setData(VALUE, entry.value)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
            | Qt.ItemFlag.ItemIsDragEnabled
        )
        item.setCheckState(Qt.CheckState.Checked if entry.ticked else Qt.CheckState.Unchecked)
        set_tooltip(item, entry.text)
        if entry.icon is not None:
            item.setIcon(entry.icon)
            item.setData(UNTICKED, entry.unticked_icon)
        self.insertItem(row, item)
        self._quiet = quiet
        self._announce()

    @property
    def keys(self) -> tuple[int | str, ...]:
        """The keys of all entries in their order."""
        return tuple(self.item(row).data(KEY) for row in range(self.count()))

    @property
    def ticked(self) -> tuple[int | str, ...]:
        """The keys of the ticked entries in their order."""
        rows = (self.item(row) for row in range(self.count()))
        return tuple(item.data(KEY) for item in rows if item.checkState() == Qt.CheckState.Checked)

    def tick(self, keys: Sequence[int | str]) -> None:
        """Tick these entries and no other; one signal."""
        self._quiet = True
        for row in range(self.count()):
            item = self.item(row)
            item.setCheckState(Qt.CheckState.Checked if item.data(KEY) in keys else Qt.CheckState.Unchecked)
        self._quiet = False
        self._announce()

    def move_current(self, step: int) -> None:
        """Move the current entry up (-1) or down (1)."""
        row = self.currentRow()
        target = row + step
        if row < 0 or not 0 <= target < self.count():
            return
        self._quiet = True
        self.insertItem(target, self.takeItem(row))
        self.setCurrentRow(target)
        self._quiet = False
        self._announce()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_current(-1 if event.key() == Qt.Key.Key_Up else 1)
            return
        super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        former = self.keys
        super().dropEvent(event)
        if self.keys != former:
            self._announce()

    def _on_item_changed(self, _: QListWidgetItem) -> None:
        self._announce()

    def _announce(self) -> None:
        if not self._quiet:
            self.changed.emit()

"""A field and a list to choose from, used by the command palette, "Go to query" and "Choose measure".

It shows items and lets the user choose one; a source provides them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import draw_key_cap, key_cap_width
from irviewer.gui.widgets.overlay import BOTTOM, TOP, OverlaySheet
from irviewer.gui.widgets.painting import SWATCH, draw_swatch
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr

ROW = 30
LINE = 44
MOST_ROWS = 12
MOST_ITEMS = 200
_ITEM_ROLE = int(Qt.ItemDataRole.UserRole)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Item:
    """A row: bold ``lead`` (an id), ``title``, and ``detail`` or ``keys`` at the right.

    ``act`` is called when the row is chosen; None for a row that is only a message. ``stays`` keeps the list open and
    updates it; ``hollow`` draws an empty swatch."""

    title: str
    act: Callable[[], object] | None
    detail: str = ""
    keys: str = ""
    lead: str = ""
    swatch: QColor | None = None
    hollow: bool = False
    stays: bool = False


class Source(Protocol):
    """Provides the items of a picker."""

    placeholder: str
    footer: str

    def items(self, text: str) -> Sequence[Item]:
        """Return the items for the typed text, the best first."""
        ...


@guarded
class _Items(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._items: list[Item] = []

    def show_items(self, items: Sequence[Item]) -> None:
        self.beginResetModel()
        self._items = [
            replace(
                item,
                title=escape_hidden(item.title),
                detail=escape_hidden(item.detail),
                lead=escape_hidden(item.lead),
            )
            for item in items
        ]
        self.endResetModel()

    def item(self, row: int) -> Item | None:
        return self._items[row] if 0 <= row < len(self._items) else None

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._items)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        item = self.item(index.row())
        if item is None:
            return None
        if role == _ITEM_ROLE:
            return item
        if role in (int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)):
            return " ".join(part for part in (item.lead, item.title, item.detail, item.keys) if part)
        return None


@guarded
class _Rows(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        item = index.data(_ITEM_ROLE)
        if not isinstance(item, Item):
            return
        theme = self._theme
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, theme["selection"])
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme["ink"])
        left, right = rect.left() + 14, rect.right() - 12
        if item.keys:
            cap = key_cap_width(item.keys, theme)
            draw_key_cap(painter, QRect(right - cap, rect.top() + (ROW - 18) // 2, cap, 18), item.keys, theme)
            right -= cap + 10
        if item.detail:
            font = theme.font(9)
            painter.setFont(font)
            painter.setPen(theme["muted"])
            wide = min(QFontMetrics(font).horizontalAdvance(item.detail) + 2, rect.width() // 2)
            detail = QFontMetrics(font).elidedText(item.detail, Qt.TextElideMode.ElideMiddle, wide)
            painter.drawText(QRect(right - wide, rect.top(), wide, ROW), int(_RIGHT), detail)
            right -= wide + 12
        if item.swatch is not None:
            box = QRect(left, rect.top() + (ROW - SWATCH) // 2, SWATCH, SWATCH)
            draw_swatch(painter, box, item.swatch, not item.hollow, self._theme["control_border"])
            left += SWATCH + 8
        painter.setPen(theme["ink" if item.act is not None else "muted"])
        if item.lead:
            bold = theme.font(9.5, weight=600)
            painter.setFont(bold)
            wide = max(46, QFontMetrics(bold).horizontalAdvance(item.lead) + 10)
            painter.drawText(QRect(left, rect.top(), wide, ROW), int(_LEFT), item.lead)
            left += wide
        font = theme.font(9.5)
        painter.setFont(font)
        painter.setPen(theme["text" if item.act is not None else "muted"])
        text = QFontMetrics(font).elidedText(item.title, Qt.TextElideMode.ElideMiddle, right - left)
        painter.drawText(QRect(left, rect.top(), right - left, ROW), int(_LEFT), text)


@guarded
class Picker(OverlaySheet):
    """The sheet: type to filter, select with ↑ ↓ (Page Up, Page Down), choose with Enter or a click, close with Esc."""

    def __init__(self, theme: Theme, window: QWidget, width: int = 620) -> None:
        super().__init__(theme, window, width)
        self._source: Source | None = None
        self.line = QLineEdit()
        self.line.setFrame(False)
        self.line.setFont(theme.font(11))
        self._rule = QFrame()
        self._rule.setFixedHeight(1)
        self.list = QListView()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(tr("Choices"))
        self._items = _Items(self)
        self.list.setModel(self._items)
        self.list.setItemDelegate(_Rows(theme, self))
        self.footer = PlainLabel()
        self.footer.setFont(theme.font(8.5))
        self.footer.setFixedHeight(28)
        self.footer.setContentsMargins(14, 0, 14, 0)
        for widget in (self.line, self._rule, self.list, self.footer):
            self.body.addWidget(widget)
        self.line.textEdited.connect(self._on_text_edited)
        self.line.installEventFilter(self)
        self.list.clicked.connect(self._on_row_clicked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def pick_from(self, source: Source) -> None:
        """Open with a source."""
        self._source = source
        self.line.setPlaceholderText(source.placeholder)
        self.line.setAccessibleName(source.placeholder)
        self.line.clear()
        self.footer.setText(source.footer)
        self.footer.setVisible(bool(source.footer))
        self._offer("")
        self.open_over()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def titles(self) -> list[str]:
        """Return the texts of the current items."""
        return [str(self._items.data(self._items.index(row))) for row in range(self._items.rowCount())]

    def _offer(self, text: str, row: int = 0) -> None:
        if self._source is None:
            return
        items = list(self._source.items(text))[:MOST_ITEMS]
        self._items.show_items(items)
        if items:
            self.list.setCurrentIndex(self._items.index(min(row, len(items) - 1)))
        self.fit_box()

    def fit_box(self) -> None:
        """Adjust the sheet to its rows, of which a low window shows fewer: the footer covers none."""
        footer = 0 if self.footer.isHidden() else self.footer.height()
        room = self.height() - TOP - BOTTOM - self.line.sizeHint().height() - self._rule.height() - footer - 2
        rows = max(1, min(MOST_ROWS, self._items.rowCount(), (room - 2) // ROW))
        self.list.setFixedHeight(ROW * rows + 2)
        super().fit_box()

    def _choose(self, row: int) -> None:
        item = self._items.item(row)
        if item is None or item.act is None:
            return
        if item.stays:
            item.act()
            self._offer(self.line.text(), row)
            return
        self.close_over()
        item.act()

    def _walk(self, rows: int) -> None:
        count = self._items.rowCount()
        if count:
            row = self.list.currentIndex().row() + rows
            row = row % count if abs(rows) == 1 else max(0, min(count - 1, row))
            self.list.setCurrentIndex(self._items.index(row))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and event.type() == QEvent.Type.ShortcutOverride:
            # While the sheet is open, the window must not get shortcuts such as Ctrl+W.
            event.accept()
            return True
        if watched is self.line and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            steps = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_Tab: 1,
                Qt.Key.Key_Backtab: -1,
                Qt.Key.Key_PageDown: MOST_ROWS,
                Qt.Key.Key_PageUp: -MOST_ROWS,
            }
            if key in steps:
                self._walk(steps[Qt.Key(key)])
                return True
            if key == Qt.Key.Key_K and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
                self.close_over()
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex().row())
                return True
        return super().eventFilter(watched, event)

    def _on_text_edited(self, text: str) -> None:
        self._offer(text)

    def _on_row_clicked(self, index: QModelIndex) -> None:
        self._choose(index.row())

    def _on_theme_changed(self) -> None:
        palette = self.theme.palette
        # The sheet already has a frame.
        self.line.setStyleSheet(
            f"QLineEdit {{ border: none; background: transparent; padding: 0 13px; min-height: {LINE}px;"
            f" color: {palette.ink}; }}"
        )
        self.list.setStyleSheet("QListView { border: none; background: transparent; }")
        self._rule.setStyleSheet(f"QFrame {{ background: {palette.line}; border: none; }}")
        self.footer.setStyleSheet(f"QLabel {{ color: {palette.muted}; border-top: 1px solid {palette.line}; }}")

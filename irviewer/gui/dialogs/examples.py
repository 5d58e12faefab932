"""The dialog that lists the worked examples: title, source, and what each shows.

It knows the examples, no session: a callback opens the chosen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.model.lessons.lesson import Lesson
from irviewer.rendering.lesson_text import first_paragraph
from irviewer.translation import tr

ROW = 48
WIDTH, HEIGHT = 760, 520
_ROLE = int(Qt.ItemDataRole.UserRole)
_LEFT = int(aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter))
_RIGHT = int(aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter))


class _Examples(QAbstractListModel):
    def __init__(self, examples: Sequence[Lesson], parent: QWidget) -> None:
        super().__init__(parent)
        self._examples = examples

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._examples)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if not 0 <= index.row() < len(self._examples):
            return None
        example = self._examples[index.row()]
        if role == _ROLE:
            return example
        if role in (int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole)):
            return f"{example.title}. {first_paragraph(example.text)}"
        return None


class _Rows(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        example = index.data(_ROLE)
        if not isinstance(example, Lesson):
            return
        theme, rect = self._theme, QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme["selection"])
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme["ink"])
        room = rect.adjusted(14, 5, -14, -5)
        upper, lower = QRect(room), QRect(room)
        upper.setHeight(room.height() // 2)
        lower.setTop(upper.bottom() + 1)
        painter.setFont(theme.font(9))
        painter.setPen(theme["muted"])
        painter.drawText(upper, _RIGHT, example.source)
        wide = QFontMetrics(painter.font()).horizontalAdvance(example.source)
        upper.setRight(upper.right() - wide - 12)
        for box, size, weight, ink, text in (
            (upper, 9.5, 600, "ink", example.title), (lower, 9, 400, "text", first_paragraph(example.text)),
        ):  # fmt: skip
            painter.setFont(theme.font(size, weight=weight))
            painter.setPen(theme[ink])
            shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, _LEFT, shown)


class ExamplesDialog(QDialog):
    """A list of examples. Enter, a double click or the button opens the selected one."""

    def __init__(
        self, theme: Theme, window: QWidget, examples: Sequence[Lesson], open_example: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Open lesson"))
        self._examples = examples
        self._open_example = open_example
        head = PlainLabel(tr("Small textbook collections. Each has a text, steps and questions."))
        head.setFont(theme.font(9.5))
        self.list = QListView()
        self.list.setModel(_Examples(examples, self.list))
        self.list.setItemDelegate(_Rows(theme, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("Lessons"))
        self.list.setStyleSheet(
            f"QListView {{ border: 1px solid {theme.palette.control_border}; border-radius: 5px; }}"
        )
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.doubleClicked.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.open_button = QPushButton(tr("Open"))
        self.open_button.setDefault(True)
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(self._on_accepted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(head)
        layout.addWidget(self.list, 1)
        layout.addWidget(buttons)
        # With large type the window may be smaller than the dialog.
        self.resize(min(WIDTH, max(200, window.width() - 40)), min(HEIGHT, max(200, window.height() - 60)))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_accepted(self) -> None:
        row = self.list.currentIndex().row()
        if 0 <= row < len(self._examples):
            self._open_example(self._examples[row].id)

"""A field that filters a table. It is applied when typing pauses; Esc clears it; Enter and Down go to the table.

It knows no table and no session, and uses signals."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.filter_hint import FilterHint

WIDTH = 230
TYPING_PAUSE = 120
"""Milliseconds after the last letter until the filter is applied."""


@guarded
class FilterField(QLineEdit):
    """``used`` carries the text; ``left`` is sent when the focus should go to the table. In a narrow header it keeps
    ``least`` pixels."""

    used = Signal(str)
    left = Signal()

    def __init__(
        self, theme: Theme, placeholder: str, name: str, parent: QWidget | None = None, *, least: int = WIDTH
    ) -> None:
        super().__init__(parent)
        self.hint = FilterHint(theme, self)
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(least)
        self.setMaximumWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font(9))
        self.textEdited.connect(self._on_text_edited)
        self._pause.timeout.connect(self._on_typing_paused)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, super().sizeHint().height())

    def show_filter(self, text: str, fault: str = "", grammar: tuple[tuple[str, str], ...] = ()) -> None:
        """Show a filter, unless the user is typing; what was not understood in it, and what filters can be."""
        self.hint.show_state(fault, grammar)
        if not self._pause.isActive() and self.text() != text:
            self.setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._on_typing_paused()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self._on_typing_paused()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _on_text_edited(self, text: str) -> None:
        if text:
            self._pause.start()
        else:
            self._on_typing_paused()

    def _on_typing_paused(self) -> None:
        self._pause.stop()
        self.used.emit(self.text())

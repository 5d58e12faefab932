"""A field that filters a table: it is used when typing pauses, Esc clears it, Enter and the arrow go to the table.

Knows no table and no session: what is typed, and that the keys are to go on, are told by signals."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from irviewer.gui.theme import Theme

WIDTH = 230
TYPING_PAUSE = 120
"""Milliseconds after the last letter until the filter is used: words come faster than rows can be looked at."""


class FilterField(QLineEdit):
    """``used`` carries the text; ``left``: the keys are wanted elsewhere."""

    used = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, placeholder: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setFixedWidth(WIDTH)
        self.setFont(theme.font(9))
        self.textEdited.connect(self._on_text_edited)
        self._pause.timeout.connect(self._on_typing_paused)

    def show_filter(self, text: str) -> None:
        """Show what is filtered by, unless something else is being typed."""
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

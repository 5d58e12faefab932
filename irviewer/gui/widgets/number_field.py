"""A small field for a number, with a label. Enter and leaving the field apply it; Esc restores the value.

It knows no session, and uses a signal."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip


@guarded
class _Line(QLineEdit):
    """A line whose Esc key restores the value."""

    taken_back = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.taken_back.emit()
        else:
            super().keyPressEvent(event)


class NumberField(QWidget):
    """``used`` carries the typed text, "" for an empty field."""

    used = Signal(str)

    def __init__(self, theme: Theme, words: str, tip: str, width: int = 62, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ""
        self.words = PlainLabel(words)
        self.words.setFont(theme.font(9))
        self.line = _Line()
        self.line.setFont(theme.font(9, numbers=True))
        self.line.setFixedWidth(width)
        self.line.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.line.setAccessibleName(words)
        self.words.setBuddy(self.line)
        set_tooltip(self, tip)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words)
        layout.addStretch(1)
        layout.addWidget(self.line)
        self.setFocusProxy(self.line)
        self.line.editingFinished.connect(self._on_editing_finished)
        self.line.taken_back.connect(self._on_taken_back)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_value(self, text: str) -> None:
        """Show the current value, unless the user is typing."""
        if not self.line.hasFocus() or self.line.text() == self._shown:
            self.line.setText(text)
        self._shown = text

    def _on_editing_finished(self) -> None:
        text = self.line.text().strip()
        if text != self._shown:
            self.used.emit(text)
            self.line.setText(self._shown)  # the current value, since an invalid one is not used

    def _on_taken_back(self) -> None:
        self.line.setText(self._shown)

    def _on_theme_changed(self) -> None:
        self.words.set_ink(self._theme["muted"])

"""Enter on the buttons of dialogs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

from irviewer.gui.guard import guarded


def pressed_by_its_own_enter(button: QPushButton) -> None:
    """Let Enter press the button only where it has the focus: Enter in a field or a list passes it by.

    A button of Qt that is no automatic default has no Enter at all: the key then goes to the dialog, which presses its
    default button, such as Close, or none."""
    button.setAutoDefault(False)
    button.installEventFilter(_Enter(button))


@guarded
class _Enter(QObject):
    def __init__(self, button: QPushButton) -> None:
        super().__init__(button)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if not event.isAutoRepeat():
            self._button.click()
        return True

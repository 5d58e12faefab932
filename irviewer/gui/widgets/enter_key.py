"""Enter on the buttons of dialogs and lessons, which Qt presses with the space bar only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from irviewer.gui.guard import guarded


def pressed_by_its_own_enter(button: QPushButton) -> None:
    """Let Enter press the button only where it has the focus: Enter in a field or a list passes it by.

    A button of Qt that is no automatic default has no Enter at all: the key then goes to the dialog, which presses its
    default button, such as Close, or none."""
    button.setAutoDefault(False)
    on_enter(button, button.click)


def on_enter(widget: QWidget, act: Callable[[], object]) -> None:
    """Let Enter on a widget do something; kept down it does it once."""
    widget.installEventFilter(_Enter(widget, act))


@guarded
class _Enter(QObject):
    def __init__(self, widget: QWidget, act: Callable[[], object]) -> None:
        super().__init__(widget)
        self._act = act

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if not event.isAutoRepeat():
            self._act()
        return True

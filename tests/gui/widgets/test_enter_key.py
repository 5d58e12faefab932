"""Enter presses the button that has the focus, and no other one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLineEdit, QPushButton, QVBoxLayout
from pytestqt.qtbot import QtBot

import irviewer.gui
from irviewer.gui.widgets.enter_key import pressed_by_its_own_enter

ITSELF, SAFE_ANSWERS = "enter_key.py", "choice.py"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot, key: Qt.Key) -> None:
    dialog, field, button = QDialog(), QLineEdit(), QPushButton("Make all moves")
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    pressed_by_its_own_enter(button)
    layout = QVBoxLayout(dialog)
    for widget in (field, button, buttons):
        layout.addWidget(widget)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    clicks: list[None] = []
    button.clicked.connect(lambda: clicks.append(None))
    button.setFocus()
    qtbot.keyClick(button, key)
    assert len(clicks) == 1
    held = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, "\r", True)
    QApplication.sendEvent(button, held)  # kept down, which is neither a second answer nor one to the dialog
    assert len(clicks) == 1
    assert dialog.isVisible()
    field.setFocus()
    qtbot.keyClick(field, key)
    assert len(clicks) == 1
    assert not dialog.isVisible()  # Close is the default button of the dialog


def test_no_button_of_a_dialog_is_without_enter() -> None:
    """Such a button would look pressed by nothing, or close the dialog. Unsafe answers of questions are the exception:
    there Enter is the safe one."""
    folder = Path(irviewer.gui.__file__).parent
    without = {
        path.name for path in folder.rglob("*.py") if re.search(r"setAutoDefault\((?!True)", path.read_text("utf-8"))
    }
    assert without == {ITSELF, SAFE_ANSWERS}

"""A run's name and colour."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.runs.fields import ColourDialog, RenameDialog
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def names(session: Session) -> list[str]:
    return [label.name for label in session.view.labels()]


def test_rename(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    dialog = RenameDialog(session, theme, session.view.labels()[1].key, window)
    dialog.open()
    assert dialog.line.selectedText() == "beta"
    qtbot.keyClicks(dialog.line, "  gamma ")
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert names(session) == ["alpha", "gamma"]


def test_a_name_that_will_not_do_says_why(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    dialog = RenameDialog(session, theme, session.view.labels()[1].key, window)
    dialog.open()
    for text, why in (("alpha", "Another run has this name."), ("  ", "A run needs a name.")):
        dialog.line.setText(text)
        assert dialog.trouble.text() == why
        assert not dialog.ok.isEnabled()
    dialog.reject()
    assert names(session) == ["alpha", "beta"]


def test_colour_and_back(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    key = session.view.labels()[0].key
    dialog = ColourDialog(session, theme, key, window)
    dialog.open()
    dialog.setCurrentColor(QColor("#123456"))
    dialog.accept()
    assert session.view.labels()[0].colour == "#123456"
    again = ColourDialog(session, theme, key, window)
    again.open()
    assert again.currentColor().name() == "#123456"
    again.back.click()
    assert session.view.labels()[0].colour is None

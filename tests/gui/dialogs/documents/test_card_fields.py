"""The dialog of the document card's fields."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.documents.card_fields import CardFieldsDialog
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def test_a_line_is_kept_and_one_that_cannot_be_read_says_why(
    qtbot: QtBot, window: MainWindow, session: Session, theme: Theme
) -> None:
    dialog = CardFieldsDialog(session, theme, window)
    dialog.open()
    assert dialog.line.text() == ""
    dialog.line.setText("a, a")
    assert dialog.trouble.text() == "a is given twice. Remove one of them."
    assert not dialog.ok.isEnabled()
    dialog.line.setText("url, *")
    assert dialog.ok.isEnabled()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    assert session.settings["card_fields"] == "url, *"

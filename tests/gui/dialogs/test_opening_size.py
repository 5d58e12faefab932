"""Dialogs stay within a small screen: 1920 × 1080 at 200 % has 960 × 540 pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QScreen
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.preferences.dialog import PreferencesDialog
from irviewer.gui.window import MainWindow


@pytest.mark.parametrize(("room", "size"), [((960, 540), (680, 500)), ((1920, 1080), (680, 560))])
def test_the_preferences_are_within_their_screen(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, room: tuple[int, int], size: tuple[int, int]
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda screen: QRect(0, 0, *room))
    dialog = PreferencesDialog(window.session, window.theme, window)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.size() == QSize(*size)
    assert dialog.rect().contains(dialog.ok.geometry().translated(dialog.ok.parentWidget().pos()))

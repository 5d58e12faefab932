"""A window that looks as if it was opened in the theme which it has."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from irviewer.gui.app import Appearance
from irviewer.gui.screenshot import settle
from irviewer.gui.window import MainWindow


def assert_as_opened_in_the_theme(window: MainWindow, appearance: Appearance, qtbot: QtBot) -> None:
    """Require that a window that was opened in the dark theme looks the same after a change to light and back."""
    settle(window)
    seen = window.grab().toImage()
    for name in ("light", "dark"):
        window.session.appearance.set_theme(name)
        qtbot.waitUntil(lambda: appearance.restyling.is_done and window.is_complete())
        settle(window)
    assert window.grab().toImage() == seen

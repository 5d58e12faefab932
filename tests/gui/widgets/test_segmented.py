"""Switches of a few choices: what is chosen and what has the focus look different."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import Segmented


def box(image: QImage) -> set[int]:
    """The colours on a line just inside the upper edge."""
    return {image.pixelColor(x, 0).rgba() for x in range(8, image.width() - 8)}


def test_focus_and_choice_differ(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(theme, (("a", "Same", ""), ("b", "Same", "")))
    other = QLineEdit()
    layout = QVBoxLayout(window)
    for widget in (other, switch):
        layout.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    first, second = switch.buttons.values()
    other.setFocus()
    switch.show_chosen("a")
    chosen, free = first.grab().toImage(), second.grab().toImage()
    second.setFocus(Qt.FocusReason.TabFocusReason)
    focused = second.grab().toImage()
    assert focused != free and focused != chosen
    assert box(focused) == box(free) != box(chosen)  # no box as the chosen one has
    first.setFocus(Qt.FocusReason.TabFocusReason)
    both = first.grab().toImage()
    assert both != chosen and box(both) == box(chosen)


def test_the_focus_goes_to_the_choice_that_is_clicked(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    switch = Segmented(theme, (("a", "One", ""), ("b", "Two", "")))
    other = QLineEdit()
    layout = QVBoxLayout(window)
    for widget in (other, switch):
        layout.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    first, second = switch.buttons.values()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert second.hasFocus()
    other.setFocus()
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert other.hasFocus()  # a click alone takes no focus from elsewhere

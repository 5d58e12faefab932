"""Content that scrolls where it has too little room: nothing is squeezed, and the keyboard brings into view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.widgets.scrolled import AsHighAsContent, Scrolled


def scrolled_form(qtbot: QtBot) -> tuple[Scrolled, QLineEdit, QPlainTextEdit, QLineEdit]:
    """A field at the top, a large pane, a field at the foot, 400 pixels high at least."""
    content, first, pane, last = QWidget(), QLineEdit(), QPlainTextEdit(), QLineEdit()
    pane.setMinimumHeight(300)
    layout = QVBoxLayout(content)
    for widget in (first, pane, last):
        layout.addWidget(widget)
    area = Scrolled(content, (300, 500))
    qtbot.addWidget(area)
    return area, first, pane, last


def test_it_fills_its_room_and_scrolls_where_that_is_too_small(qtbot: QtBot) -> None:
    area, *_ = scrolled_form(qtbot)
    area.resize(600, 700)
    area.show()
    QApplication.processEvents()
    assert area.content.size() == area.size()
    area.resize(200, 200)
    QApplication.processEvents()
    assert (area.content.width(), area.content.height()) == (300, 500)
    assert area.horizontalScrollBar().maximum() > 0 < area.verticalScrollBar().maximum()


def test_the_keyboard_brings_into_view_what_it_reaches(qtbot: QtBot) -> None:
    area, first, pane, last = scrolled_form(qtbot)
    area.resize(320, 200)
    with qtbot.waitExposed(area):
        area.show()
    area.activateWindow()
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    assert area.verticalScrollBar().value() == 0
    pane.setFocus()
    assert area.verticalScrollBar().value() == 0, "half of the room shows it already"
    last.setFocus()
    place = last.mapTo(area.viewport(), last.rect().bottomLeft()).y()
    assert 0 < place < area.viewport().height()
    first.setFocus()
    assert 0 <= first.mapTo(area.viewport(), first.rect().topLeft()).y() < 20


def test_what_has_no_room_for_its_height_scrolls_and_has_its_height_again(qtbot: QtBot) -> None:
    outer, inner, text, block = QWidget(), QWidget(), QLabel("word " * 60), QWidget()
    text.setWordWrap(True)
    block.setFixedHeight(80)
    inside = QVBoxLayout(inner)
    for widget in (block, text):
        inside.addWidget(widget)
    area, above = AsHighAsContent(inner, 60), QPlainTextEdit()
    above.setMinimumHeight(60)
    layout = QVBoxLayout(outer)
    layout.addWidget(above, 1)
    layout.addWidget(area)
    qtbot.addWidget(outer)
    outer.resize(300, 800)
    outer.show()
    QApplication.processEvents()
    assert area.height() == inner.height() == inner.heightForWidth(area.width())
    assert area.verticalScrollBar().maximum() == 0
    assert area.focusPolicy() == Qt.FocusPolicy.NoFocus
    outer.resize(300, 180)
    QApplication.processEvents()
    assert area.height() < inner.height() and area.verticalScrollBar().maximum() > 0
    assert not block.geometry().intersects(text.geometry())
    assert text.height() >= text.heightForWidth(text.width())
    assert area.focusPolicy() == Qt.FocusPolicy.TabFocus, "the keyboard can scroll it"
    text.setText("word")
    outer.resize(300, 800)
    QApplication.processEvents()
    assert area.height() == inner.height() and area.verticalScrollBar().maximum() == 0

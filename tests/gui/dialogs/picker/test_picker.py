"""Typing, walking and choosing on the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.picker.picker import MOST_ITEMS, MOST_ROWS, ROW, Item, Picker
from irviewer.gui.theme import Theme


class Words:
    placeholder = "words"
    footer = "a footer"

    def __init__(self, words: Sequence[str], *, stays: bool = False) -> None:
        self.words = words
        self.chosen: list[str] = []
        self.stays = stays

    def items(self, text: str) -> list[Item]:
        offers = [Item(w, partial(self.chosen.append, w), stays=self.stays) for w in self.words if text in w]
        return offers or [Item("nothing", None)]


@pytest.fixture
def ground(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    field = QLineEdit(widget)
    widget.show()
    widget.activateWindow()
    field.setFocus()
    return widget


@pytest.fixture
def picker(ground: QWidget, theme: Theme) -> Picker:
    return Picker(theme, ground)


def test_type_walk_choose(qtbot: QtBot, picker: Picker) -> None:
    words = Words(["ant", "bee", "beetle", "cow"])
    picker.pick_from(words)
    qtbot.keyClicks(picker.line, "be")
    assert picker.titles() == ["bee", "beetle"]
    qtbot.keyClick(picker.line, Qt.Key.Key_Down)
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert words.chosen == ["beetle"]
    assert not picker.isVisible()


def test_walking_goes_round_and_view_models_do_not(qtbot: QtBot, picker: Picker) -> None:
    picker.pick_from(Words([f"{n}" for n in range(30)]))
    qtbot.keyClick(picker.line, Qt.Key.Key_Up)
    assert picker.list.currentIndex().row() == 29
    qtbot.keyClick(picker.line, Qt.Key.Key_PageDown)
    assert picker.list.currentIndex().row() == 29


def test_a_row_that_only_says_something_cannot_be_chosen(qtbot: QtBot, picker: Picker) -> None:
    picker.pick_from(Words(["ant"]))
    qtbot.keyClicks(picker.line, "zzz")
    assert picker.titles() == ["nothing"]
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert picker.isVisible()


def test_a_list_that_stays(qtbot: QtBot, picker: Picker) -> None:
    words = Words(["ant", "bee"], stays=True)
    picker.pick_from(words)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(picker.line, key)
    assert words.chosen == ["ant", "bee"]
    assert picker.isVisible()


def test_escape_gives_the_focus_back(qtbot: QtBot, picker: Picker, ground: QWidget) -> None:
    field = ground.findChildren(QLineEdit)[0]
    qtbot.waitUntil(field.hasFocus)
    picker.pick_from(Words(["ant"]))
    assert picker.line.hasFocus()
    qtbot.keyClick(picker.line, Qt.Key.Key_Escape)
    assert not picker.isVisible()
    assert field.hasFocus()


def test_a_click_beside_it_closes_and_one_on_a_row_chooses(qtbot: QtBot, picker: Picker) -> None:
    words = Words(["ant", "bee"])
    picker.pick_from(words)
    qtbot.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert not picker.isVisible()
    picker.pick_from(words)
    row = picker.list.visualRect(picker.list.model().index(1, 0))
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert words.chosen == ["bee"]


def test_it_stays_within_the_window_and_paints(qtbot: QtBot, picker: Picker, ground: QWidget) -> None:
    picker.pick_from(Words([f"{n}" for n in range(1000)]))
    assert len(picker.titles()) == MOST_ITEMS
    ground.resize(420, 300)
    assert picker.size() == ground.size()
    assert picker.rect().contains(picker.box.geometry())
    assert not picker.grab().isNull()


@pytest.mark.parametrize("height", [360, 400, 600])
def test_in_a_low_window_the_footer_covers_no_row(picker: Picker, ground: QWidget, height: int) -> None:
    ground.resize(620, height)
    picker.pick_from(Words([f"word {n}" for n in range(30)]))
    rows, footer = picker.list.geometry(), picker.footer.geometry()
    assert rows.bottom() < footer.top()
    assert footer.bottom() <= picker.box.height()
    assert picker.box.geometry().bottom() <= ground.height()
    assert rows.height() >= 4 * ROW
    ground.resize(620, 800)  # and with room again, all twelve
    QApplication.processEvents()
    assert picker.list.height() == MOST_ROWS * ROW + 2

"""A menu below a button begins at the current choice, and letters lead to its entries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

import irviewer.gui
from irviewer.gui.widgets.menu_below import find_by_letters, open_below

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support")]


@pytest.fixture
def menu(qtbot: QtBot) -> QMenu:
    button = QPushButton("runs")
    qtbot.addWidget(button)
    button.show()
    menu = QMenu(button)
    for name in ("The best run", "bm25", "bm25 && words", "dense", "disabled", "Rerank"):
        action = menu.addAction(name)
        action.setCheckable(True)
        action.setChecked(name == "dense")
        action.setEnabled(name != "disabled")
    return open_below(menu, button)


def active(menu: QMenu) -> str:
    action = menu.activeAction()
    return "" if action is None else action.text()


def test_the_arrows_go_on_from_the_current_choice(menu: QMenu, qtbot: QtBot) -> None:
    assert active(menu) == "dense"
    qtbot.keyClick(menu, Qt.Key.Key_Up)
    assert active(menu) == "bm25 && words"
    menu.close()


def test_a_letter_goes_to_the_next_entry_that_begins_with_it(menu: QMenu, qtbot: QtBot) -> None:
    qtbot.keyClicks(menu, "b")
    assert active(menu) == "bm25"
    qtbot.keyClicks(menu, "b")
    assert active(menu) == "bm25 && words"
    menu.close()


def test_several_letters_are_the_beginning_of_one_entry(menu: QMenu, qtbot: QtBot) -> None:
    qtbot.keyClicks(menu, "bm25 & w")
    assert active(menu) == "bm25 && words" and menu.isVisible()
    menu.close()


def test_letters_of_no_entry_and_of_a_disabled_one_move_nothing(menu: QMenu, qtbot: QtBot) -> None:
    qtbot.keyClicks(menu, "xy")
    assert active(menu) == "dense"
    qtbot.keyClicks(menu, "dis")
    assert active(menu) == "dense" and menu.isVisible()
    menu.close()


def test_return_takes_what_the_letters_found(menu: QMenu, qtbot: QtBot) -> None:
    chosen = []
    menu.triggered.connect(lambda action: chosen.append(action.text()))
    qtbot.keyClicks(menu, "r")
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert chosen == ["Rerank"] and not menu.isVisible()


def test_letters_are_found_once_however_often_a_menu_is_made_ready(menu: QMenu, qtbot: QtBot) -> None:
    find_by_letters(menu)
    qtbot.keyClicks(menu, "b")
    assert active(menu) == "bm25"
    menu.close()


def test_no_menu_opens_below_a_button_in_another_way() -> None:
    """The runs of Failures opened with no entry marked: two steps down led to the second run, not two runs further."""
    below = re.compile(r"popup\(.*QPoint\(0, [\w.]*height\(\)")
    gui = Path(irviewer.gui.__file__).parent
    others = [path for path in gui.rglob("*.py") if path.name != "menu_below.py"]
    assert [path.name for path in others if below.search(path.read_text(encoding="utf-8"))] == []


def test_entries_of_a_long_menu_stay_on_the_screen(qtbot: QtBot) -> None:
    """Of 76 runs some stood in columns beyond the right edge of a small screen."""
    button = QPushButton("runs")
    qtbot.addWidget(button)
    button.show()
    menu = QMenu(button)
    for number in range(300):
        menu.addAction(f"a run with quite a long name {number}\t0.{number:04}")
    open_below(menu, button)
    screen = button.screen().availableGeometry()
    assert menu.width() <= screen.width()
    for action in (menu.actions()[150], menu.actions()[-1]):
        menu.setActiveAction(action)
        assert menu.rect().contains(menu.actionGeometry(action).center())
        assert menu.actionGeometry(action).right() <= menu.rect().right()
    menu.close()

"""The menu bar: every command once, in menus of a length that can be read, and as the state is when one opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from irviewer import commands
from irviewer.commands.menus import MOST_ENTRIES
from irviewer.gui.menu_bar import alt_letters, with_mnemonics
from irviewer.gui.window import MainWindow
from irviewer.session.navigation.places import PLACE_TEXTS
from irviewer.session.session import Session
from irviewer.session.settings import Settings
from irviewer.session.state import PLACES

pytestmark = pytest.mark.opens("start")

BARS = ["File", "Edit", "View", "Go", "Judge", "Run", "Statistics", "Export", "Help"]
OPEN = ("sample ", "recent ", "step ", "dialect ")
"""Sub-menus of what is open, which have no length of their own."""


def opened(window: MainWindow) -> dict[str, QMenu]:
    """Return the menus of the bar by title, filled as they are when a user opens them."""
    menus = {action.text().replace("&", ""): action.menu() for action in window.menu_bar.actions()}
    for menu in menus.values():
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
    return menus


def walk(menu: QMenu) -> Iterator[tuple[QMenu, QAction]]:
    """Yield every entry of a menu and its sub-menus with the menu that it is in."""
    for action in menu.actions():
        yield menu, action
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from walk(inner)


def test_the_menus_are_those_of_other_programs_in_their_order(window: MainWindow) -> None:
    assert list(opened(window)) == BARS


def test_every_command_is_in_one_menu_once(window: MainWindow) -> None:
    ids = Counter(action.data() for menu in opened(window).values() for _, action in walk(menu) if action.data())
    fixed = {command.id for command in commands.COMMANDS if command.listed and not command.submenu}
    assert fixed <= ids.keys()
    assert [name for name, count in ids.items() if count > 1] == []


@pytest.mark.opens("query")
def test_no_menu_is_longer_than_can_be_read(window: MainWindow) -> None:
    for menu in opened(window).values():
        sizes = Counter[str]()
        for inside, action in walk(menu):
            if not action.isSeparator() and not str(action.data() or "").startswith(OPEN):
                sizes[inside.title()] += 1
        assert max(sizes.values()) <= MOST_ENTRIES, sizes


@pytest.mark.opens("query")
def test_a_menu_neither_begins_nor_ends_with_a_line_nor_has_two(window: MainWindow) -> None:
    for menu in opened(window).values():
        lines = [action.isSeparator() for action in menu.actions()]
        assert lines, menu.title()
        assert not lines[0]
        assert not lines[-1]
        assert (True, True) not in pairwise(lines)


def test_the_menu_go_has_every_place(window: MainWindow) -> None:
    assert {place.name for place in PLACE_TEXTS} == set(PLACES) - {"start"}
    titles = [action.text().split("\t")[0] for action in opened(window)["Go"].actions()]
    assert titles[: len(PLACE_TEXTS)] == [place.title for place in PLACE_TEXTS]
    assert list(window.top_bar.place_buttons.buttons) == [place.name for place in PLACE_TEXTS]


def test_a_menu_shows_the_state_when_it_opens(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("systems")
    for place in ("systems", "queries"):
        session.navigation.set_place(place)
        ticked = [action.data() for action in opened(window)["Go"].actions() if action.isChecked()]
        assert ticked == [f"go_{place}"]


def test_menus_that_were_opened_often_keep_nothing(window: MainWindow) -> None:
    menu = opened(window)["File"]
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    before = len(menu.findChildren(QMenu))
    opened(window)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(menu.findChildren(QMenu)) == before > 0


def test_every_menu_has_a_letter_that_nothing_else_has(window: MainWindow) -> None:
    marked = [action.text() for action in window.menu_bar.actions()]
    letters = [QKeySequence.mnemonic(text).toString() for text in marked]
    assert "" not in letters
    assert len(set(letters)) == len(letters)
    bound = {key.toString() for action in window.actions() for key in action.shortcuts()}
    assert not bound & set(letters)


def test_letters_are_chosen_around_those_that_are_taken() -> None:
    assert alt_letters() == {"X"}
    titles: dict[commands.Category, str] = {"Edit": "Edit", "Export": "Export", "Help": "Ee"}
    assert with_mnemonics(titles, ["x"]) == {"Edit": "&Edit", "Export": "Ex&port", "Help": "Ee"}


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_f10_opens_the_first_menu(window: MainWindow) -> None:
    assert window.menu_bar.isVisible()
    assert not window.top_bar.menu_button.isVisible()
    window.actions_table.by_id["open_menu"].trigger()
    menu = window.menu_bar.activeAction().menu()
    assert isinstance(menu, QMenu)
    assert menu.isVisible()
    assert menu.actions()[0].data() == "open_files"
    menu.close()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_with_large_type_the_button_has_the_menus(make_window: Callable[[Session], MainWindow]) -> None:
    settings = Settings()
    settings["large_type"] = True
    window = make_window(Session(settings))
    assert not window.menu_bar.isVisible()
    assert window.top_bar.menu_button.isVisible()
    window.actions_table.by_id["open_menu"].trigger()
    menus = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
    assert [[action.text() for action in menu.actions()] for menu in menus] == [BARS]
    for menu in menus:
        menu.close()

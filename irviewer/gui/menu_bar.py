"""The menu bar of the window: one menu per category of commands, native on macOS.

Menus are filled when they are opened, so that they show the current state. It knows no single command."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from irviewer import commands
from irviewer.commands import Category
from irviewer.gui.actions import Actions
from irviewer.gui.widgets.menu_below import find_by_letters


class CategoryMenu(QMenu):
    """The menu of a category. It is filled again whenever it opens."""

    def __init__(self, actions: Actions, category: Category, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._actions = actions
        self._category = category
        self.aboutToShow.connect(self.fill)
        find_by_letters(self)

    def fill(self) -> None:
        """Show the commands of the category in their current state."""
        for inner in self.findChildren(QMenu):
            inner.deleteLater()
        self.clear()
        self._actions.fill(self, self._category)
        for inner in self.findChildren(QMenu):
            find_by_letters(inner)


class MenuBar(QMenuBar):
    """The menus of all commands."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.menus: list[CategoryMenu] = []
        for category, title in with_mnemonics(commands.CATEGORIES, alt_letters()).items():
            menu = CategoryMenu(actions, category, title, self)
            self.menus.append(menu)
            self.addMenu(menu)
            if self.isNativeMenuBar():
                menu.fill()  # the system leaves out menus that are empty

    def open_first(self) -> None:
        """Open the first menu with the keyboard on it, as F10 does in other programs."""
        self.setActiveAction(self.menus[0].menuAction())


def alt_letters() -> frozenset[str]:
    """Return the letters that are shortcuts of commands together with Alt alone."""
    pairs = (keys.partition("+") for command in commands.COMMANDS for keys in command.keys)
    return frozenset(letter for alt, _, letter in pairs if alt == "Alt" and len(letter) == 1)


def with_mnemonics(titles: dict[Category, str], taken: Iterable[str]) -> dict[Category, str]:
    """Return titles with & before a letter that no other title and no shortcut has together with Alt."""
    used = {letter.upper() for letter in taken}
    marked = {}
    for category, title in titles.items():
        at = next((at for at, letter in enumerate(title) if letter.isalpha() and letter.upper() not in used), None)
        if at is not None:
            used.add(title[at].upper())
        marked[category] = title if at is None else f"{title[:at]}&{title[at:]}"
    return marked

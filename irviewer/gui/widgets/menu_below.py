"""Menus that open below a button: with the current choice marked, and with letters that lead to an entry."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.gui.guard import guarded

GAP = 3
"""Pixels between the button and its menu."""
PAUSE = 1000
"""Milliseconds after which a letter begins a new word."""
_NO_TEXT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier

M = TypeVar("M", bound=QMenu)


def open_below(menu: M, button: QWidget, former: QMenu | None = None) -> M:
    """Open a menu below a button and return it; the ``former`` one, which nobody needs any more, is deleted."""
    if former is not None:
        former.deleteLater()
    find_by_letters(menu)
    if menu.sizeHint().width() > button.screen().availableGeometry().width():
        menu.setStyleSheet("QMenu { menu-scrollable: 1; }")  # columns beside each other would leave the screen
    menu.popup(button.mapToGlobal(QPoint(0, button.height() + GAP)))
    current = next((action for action in menu.actions() if action.isChecked() and action.isEnabled()), None)
    if current is not None:
        menu.setActiveAction(current)  # from which the arrows go on
    return menu


def find_by_letters(menu: QMenu) -> None:
    """Let typed letters lead to the entry that begins with them, as in a list: Qt has that on macOS only."""
    if menu.findChild(_Letters, options=Qt.FindChildOption.FindDirectChildrenOnly) is None:
        menu.installEventFilter(_Letters(menu))


@guarded
class _Letters(QObject):
    """Marks the entry of its menu that begins with the letters typed so far; one letter, again, goes to the next."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        self._typed = ""
        self._since = QElapsedTimer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._menu or event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        text = event.text()
        begun = bool(self._typed) and self._since.isValid() and self._since.elapsed() < PAUSE
        if event.modifiers() & _NO_TEXT or not text.isprintable() or not text or (text == " " and not begun):
            return False
        self._typed = self._typed + text.casefold() if begun else text.casefold()
        self._since.start()
        entry = self._found()
        if entry is not None:
            self._menu.setActiveAction(entry)
        return True

    def _found(self) -> QAction | None:
        actions = [each for each in self._menu.actions()
                   if each.isVisible() and each.isEnabled() and not each.isSeparator()]  # fmt: skip
        now = self._menu.activeAction()
        place = actions.index(now) if now in actions else -1
        repeated = len(set(self._typed)) == 1
        letters = self._typed[0] if repeated else self._typed
        first = place + 1 if repeated else max(0, place)
        for action in (*actions[first:], *actions[:first]):
            if _plain(action.text()).casefold().startswith(letters):
                return action
        return None


def _plain(text: str) -> str:
    """Return a menu's text without the signs of its underlined letter."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")

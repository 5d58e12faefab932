"""The registry of commands as Qt actions: shortcuts and menus.

Knows commands by what the registry says of them, no single one by what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from irviewer import commands
from irviewer.commands import Command, run_command
from irviewer.gui.widgets.plain_text import set_tooltip, visible

if TYPE_CHECKING:
    from irviewer.session.session import Session


class Actions(QObject):
    """Made once with the window."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._menu: QMenu | None = None
        self.by_id: dict[str, QAction] = {}
        for command in commands.COMMANDS:
            self.by_id[command.id] = self._action(command)
        window.addActions(list(self.by_id.values()))

    def _action(self, command: Command) -> QAction:
        # A shortcut is never disabled: whether it can be done is asked when it is pressed, in the registry.
        action = QAction(command.title, self)
        action.setData(command.id)
        set_tooltip(action, command.help)
        if command.bound:
            action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
        action.triggered.connect(self._on_triggered)
        return action

    # --- what others show ---

    def menu(self) -> QMenu:
        """All commands by category, as they stand now; the former menu is gone."""
        self._menu = self._fresh()
        for category, title in commands.CATEGORIES.items():
            self.fill(self._menu.addMenu(title), category)
        return self._menu

    def menu_of(self, category: str) -> QMenu:
        """The commands of one category alone, as they stand now; the former menu is gone."""
        self._menu = self._fresh()
        self.fill(self._menu, category)
        return self._menu

    def fill(self, menu: QMenu, category: str) -> None:
        """Put a category's commands into an empty menu, of a button or of a bar, as they stand now: titles that name a
        step, what can be done, what is on."""
        dynamic = commands.dynamic(self._session)
        for command in commands.COMMANDS:
            if command.category != category or not command.listed:
                continue
            if command.submenu:
                inner = [one for one in dynamic if one.id.startswith(command.submenu)]
                self._add_submenu(menu, command, inner)
            else:
                self._add_entry(menu, command)

    def _fresh(self) -> QMenu:
        if self._menu is not None:
            self._menu.deleteLater()
        return QMenu(self._window)

    def _add_submenu(self, menu: QMenu, command: Command, inner: Sequence[Command]) -> None:
        submenu = menu.addMenu(command.title.rstrip("….").rstrip())
        submenu.setEnabled(bool(inner))
        for one in inner:
            self._add_entry(submenu, one)

    def _add_entry(self, menu: QMenu, command: Command) -> None:
        """An entry of its own and not the bound action: one that is grey here must not silence the shortcut, which has
        the registry to ask whenever it is pressed."""
        first = command.shortcuts[0] if command.shortcuts else ""
        keys = QKeySequence(first).toString(QKeySequence.SequenceFormat.NativeText)
        action = menu.addAction(_plain(command.title_in(self._session)) + (f"\t{keys}" if keys else ""))
        action.setData(command.id)
        action.setEnabled(command.enabled(self._session))
        if command.checked is not None:
            action.setCheckable(True)
            action.setChecked(command.checked(self._session))
        action.triggered.connect(self._on_triggered)

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            run_command(self._session, str(action.data()))


def _plain(title: str) -> str:
    """A title whose ampersands are ampersands and not Qt's underlines."""
    return visible(title).replace("&", "&&")

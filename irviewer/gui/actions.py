"""The commands of the registry as Qt actions, with shortcuts and menus.

It knows no single command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from irviewer import commands
from irviewer.commands import Category, Command, run_command
from irviewer.gui.widgets.controls import menu_keys
from irviewer.gui.widgets.plain_text import set_tooltip, visible

if TYPE_CHECKING:
    from irviewer.session.session import Session


_ROLES = {
    "about": QAction.MenuRole.AboutRole,
    "preferences": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}
"""The commands that macOS has in the menu of the application. Qt would guess others by their titles."""


def is_key_of(event: QKeyEvent, command: str) -> bool:
    """Return whether a key is a shortcut in force of a fixed command, for a widget in which it means something else."""
    pressed = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
    return pressed in commands.all_keys(command)


class Actions(QObject):
    """The actions and menus of the window. ``used`` is sent before a command is run by key or from a menu."""

    used = Signal()

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window
        self._menu: QMenu | None = None
        # Only for keys, without a tooltip: the entries of menus are actions of their own.
        self.by_id = {command.id: self._action(command) for command in commands.COMMANDS}
        window.addActions(list(self.by_id.values()))

    def _action(self, command: Command) -> QAction:
        # Shortcuts are never disabled: the registry checks commands when they are run.
        action = QAction(command.title, self)
        action.setData(command.id)
        if command.bound and command.keys:
            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.triggered.connect(self._on_triggered)
        return action

    # --- menus ---

    def menu(self) -> QMenu:
        """Return a menu of all menus in their current state. The former menu is deleted."""
        if self._menu is not None:
            self._menu.deleteLater()
        self._menu = QMenu(self._window)
        for category, title in commands.CATEGORIES.items():
            self.fill(self._menu.addMenu(title), category)
        return self._menu

    def fill(self, menu: QMenu, category: Category) -> None:
        """Fill an empty menu with the commands of a category in their current state: title, enabled, checked."""
        menu.setToolTipsVisible(True)
        dynamic = commands.dynamic(self._session)
        listed = [command for command in commands.COMMANDS if command.category == category and command.listed]
        for group in commands.GROUPS[category]:
            inside = [command for command in listed if command.group == group.name]
            if not inside:
                continue
            if group.line and menu.actions():
                menu.addSeparator()
            part = menu
            if group.title:
                part = menu.addMenu(_plain(group.title))
                part.setToolTipsVisible(True)
            for command in inside:
                if command.submenu:
                    self._add_submenu(
                        part, command, [entry for entry in dynamic if entry.id.startswith(command.submenu)]
                    )
                else:
                    self._add_entry(part, command)

    def _add_submenu(self, menu: QMenu, command: Command, inner: Sequence[Command]) -> None:
        submenu = menu.addMenu(_plain(command.title.rstrip("….").rstrip()))
        submenu.setToolTipsVisible(True)
        submenu.setEnabled(bool(inner))
        for entry in inner:
            self._add_entry(submenu, entry)

    def _add_entry(self, menu: QMenu, command: Command) -> None:
        """Add an entry. It is not the bound action, since disabling that would disable the shortcut."""
        keys = menu_keys(next(iter(command.keys), ""))
        action = menu.addAction(_plain(command.title_in(self._session)) + (f"\t{keys}" if keys else ""))
        action.setData(command.id)
        action.setMenuRole(_ROLES.get(command.id, QAction.MenuRole.NoRole))
        set_tooltip(action, command.help)
        action.setEnabled(command.enabled(self._session))
        if command.checked is not None:
            action.setCheckable(True)
            action.setChecked(command.checked(self._session))
        action.triggered.connect(self._on_triggered)

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.used.emit()
            run_command(self._session, str(action.data()))


def _plain(title: str) -> str:
    """Return a title with ampersands escaped for Qt."""
    return visible(title).replace("&", "&&")

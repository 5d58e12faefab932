"""The registry of commands as Qt actions: shortcuts, menus, what the palette offers, and who answers for the window.

One table says which method of the dialogs answers a command that asks the window. Knows commands by what the registry
says of them, no single one by what it does."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from irviewer import commands
from irviewer.commands import Command, run_command
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.session.comparison.options import NUMBERS

if TYPE_CHECKING:
    from irviewer.gui.dialogs.window_dialogs import WindowDialogs
    from irviewer.session.session import Session

ANSWERS = {
    "open_files": "files.open",
    "open_as": "files.open_as",
    "note_query": "notes.query",
    "note_document": "notes.document",
    "save_project": "projects.save",
    "save_project_as": "projects.save_as",
    "open_project": "projects.open",
    "find_files": "projects.find_files",
    "join_project": "projects.join",
    "settle_project": "projects.settle",
    "restore_work": "projects.restore",
    "discard_work": "projects.discard",
    "save_notes": "projects.save_notes",
    "save_worklist": "failures.save_worklist",
    "open_sample": "files.open_sample",
    "open_recent": "files.open_recent",
    "open_example": "teaching.example",
    "type_ranking": "teaching.typed",
    "large_type": "teaching.large_type",
    "save_plot": "saving.save_figure",
    "save_table": "saving.save_table",
    "quit": "window.quit",
    "open_menu": "window.menu",
    "open_edit": "window.edit_menu",
    "history": "navigation.choose_step",
    "context_menu": "window.context_menu",
    "find_action": "navigation.find_action",
    "go_to_query": "navigation.go_to_query",
    "filter_queries": "navigation.filter_queries",
    "choose_baseline": "runs.baseline",
    "choose_runs": "runs.choose",
    "card_fields": "documents.card_fields",
    "rename_run": "runs.rename",
    "recolour_run": "runs.recolour",
    "move_run": "runs.move",
    "remove_run": "runs.remove",
    "judgment_note": "judging.note",
    "assessor": "judging.assessor",
    "list_judgments": "judging.all_made",
    "import_judgments": "judging.import_judgments",
    "lay_over": "judging.lay_over",
    "export_patch": "judging.export_patch",
    "export_merged": "judging.export_merged",
    "save_judgment_set": "judging.save_set",
    "swap_documents": "editing.swap",
    "cheapest_changes": "editing.cheapest",
    "save_edited": "editing.save",
    "choose_measure": "measures.choose",
    "choose_dialect": "measures.dialect",
    "compare_dialects": "measures.compare_dialects",
    "show_ties": "measures.ties",
    "why_not": "documents.documents_above",
    "choose_level": "measures.level",
    "about_measure": "measures.about",
    "fuse_runs": "runs.fuse",
    "save_run": "runs.save",
    "choose_correction": "statistics.correction",
    "choose_interval": "statistics.interval",
    "choose_zeros": "statistics.zeros",
    "choose_test": "statistics.test",
    "choose_tukey": "statistics.tukey",
    **{f"statistics_{name}": f"statistics.numbers.{name}" for name in NUMBERS},
    "choose_columns": "statistics.columns",
    "choose_query_columns": "statistics.query_columns",
    "save_comparison": "statistics.save_comparison",
    "save_all_pairs": "statistics.save_all_pairs",
    "choose_query_set": "sets.choose",
    "sets_by": "sets.by_column",
    "keep_filtered": "sets.keep_filtered",
    "keep_brushed": "sets.keep_brushed",
    "open_query_sets": "sets.open",
    "save_query_sets": "sets.save",
    "remove_query_set": "sets.remove",
    "weight_queries": "sets.weight",
    "copy": "window.copy",
    "show_reports": "files.examine",
    "keyboard": "help.keyboard",
    "about": "help.about",
}
"""Command id -> the method of the dialogs, or of one of its parts, that answers it."""

UNBOUND = {"copy"}
"""Whose shortcut the widget with the focus hears itself: bound to the window as well, it would be ambiguous there."""

UNLISTED = {"open_menu", "open_edit"}
"""What would be odd in the menu: the ways to it."""

SUBMENUS = {"open_sample": "sample ", "open_recent": "recent ", "history": "step ", "choose_dialect": "dialect "}
"""Commands that a menu shows as a submenu of the dynamic commands whose ids begin so."""


class Actions(QObject):
    """Made once with the window."""

    def __init__(self, session: Session, dialogs: WindowDialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._dialogs = dialogs
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
        if command.id not in UNBOUND:
            action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
        action.triggered.connect(self._on_triggered)
        return action

    def answer(self, command: str) -> None:
        """Do what a command asks of the window."""
        attrgetter(ANSWERS[command])(self._dialogs)()

    # --- what others show ---

    def menu(self) -> QMenu:
        """All commands by category, as they stand now; the former menu is gone."""
        self._menu = self._fresh()
        for category in commands.CATEGORIES:
            self.fill(self._menu.addMenu(category), category)
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
            if command.category != category or command.id in UNLISTED:
                continue
            if command.id in SUBMENUS:
                inner = [one for one in dynamic if one.id.startswith(SUBMENUS[command.id])]
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

"""The context menu of a run, the same in all views.

It calls the session's methods and knows no view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.runs.fields import KINDS, ColourDialog, RenameDialog, file_name
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import swatch_icon
from irviewer.gui.widgets.run_choices import run_entry
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MOST_OFFERED = 15
"""The greatest number of runs in a menu."""


class _RunActions(QObject):
    """The actions of the menu of a run."""

    def __init__(self, session: Session, key: int, window: QWidget, menu: QMenu) -> None:
        super().__init__(menu)
        self._session = session
        self._key = key
        self._window = window

    def on_triggered(self, action: QAction) -> None:
        """Run the chosen entry."""
        session, key = self._session, self._key
        what = action.data()
        if what == "show":
            session.runs.show_run(key, action.isChecked())
        elif what == "baseline":
            session.runs.set_baseline(key)
        elif what == "keep":
            session.run_editing.keep_as_run(key)
        elif what == "focus":
            session.runs.set_focus(key)
        elif what == "edit":
            session.run_editing.edit_copy(key)
        elif what == "why":
            session.explaining.explain(key)
        elif what == "rename":
            RenameDialog(session, Theme(session.view.palette), key, self._window).open()
        elif what == "colour":
            ColourDialog(session, Theme(session.view.palette), key, self._window).open()
        elif what in ("up", "down"):
            keys = [label.key for label in session.view.labels()]
            session.runs.move_run(key, keys.index(key) + (-1 if what == "up" else 1))
        elif what in ("left", "right"):
            session.runs.move_list(key, -1 if what == "left" else 1)
        elif what == "close":
            session.runs.show_run(key, False)
        elif what == "choose":
            run_command(session, "choose_runs")
        elif isinstance(what, int):
            session.runs.change_list(key, what)
        elif what == "save":
            name = next((label.name for label in session.view.labels() if label.key == key), "")
            save = partial(session.run_editing.save_run, key)
            SaveDialog(self._window, tr("Save run"), session.saving.file_folder(), file_name(name), KINDS, save).open()
        elif what == "remove":
            session.runs.remove_run(key)


def hidden_runs(session: Session) -> list[tuple[RunLabel, float]]:
    """Return the runs that no list shows, best first, each with its mean of the measure in view."""
    return session.view.best_first(label for label in session.view.labels() if not label.shown)


def add_hidden_runs(menu: QMenu, session: Session, theme: Theme) -> None:
    """Add the best of the runs that no list shows to a menu, with their keys as data, and the way to all others."""
    hidden = hidden_runs(session)
    for label, mean in hidden[:MOST_OFFERED]:
        action = menu.addAction(run_entry(label, mean))
        action.setData(label.key)
        if label.baseline:
            action.setIcon(swatch_icon(theme.run(label)))
    if len(hidden) > MOST_OFFERED:
        menu.addSeparator()
        menu.addAction(tr("All {count:,} runs…", count=len(session.view.labels()))).setData("choose")


def list_menu(session: Session, key: int, parent: QWidget) -> QMenu:
    """Return the menu of a ranked list: what run it shows, its place, and all that is done with the run; a child of
    ``parent``."""
    menu = run_menu(session, key, parent, in_lists=True)
    if menu.actions() and hidden_runs(session):
        change = QMenu(tr("Change to"), menu)
        add_hidden_runs(change, session, Theme(session.view.palette))
        menu.insertMenu(menu.actions()[0], change)
    return menu


def run_menu(session: Session, key: int, parent: QWidget, *, in_lists: bool = False) -> QMenu:
    """Return a menu for the run with this key, a child of ``parent``; it is empty if there is no such run. In lists,
    which are side by side, it moves left and right among those shown, and closes."""
    menu = QMenu(parent)
    labels = session.view.labels()
    position = next((number for number, label in enumerate(labels) if label.key == key), -1)
    if position < 0:
        return menu
    label = labels[position]

    def add(text: str, data: str) -> QAction:
        action = menu.addAction(text)
        action.setData(data)
        return action

    if in_lists:
        columns = [entry.key for entry in labels if entry.shown]
        if key in columns[1:]:
            add(tr("Move left"), "left")
        if key in columns[:-1]:
            add(tr("Move right"), "right")
        add(tr("Close this list"), "close")
    else:
        shown = add(tr("Show in lists and plots"), "show")
        shown.setCheckable(True)
        shown.setChecked(label.shown)
    menu.addSeparator()
    if not label.baseline:
        if label.is_copy:
            add(tr("Keep as a run"), "keep")
        else:
            add(tr("Set as baseline ★"), "baseline")
        if not label.focus:
            add(tr("Compare with the baseline"), "focus")
        menu.addSeparator()
    if session.view.judgments is not None:
        add(tr("Why this number?"), "why")
    add(tr("Rename…"), "rename")
    add(tr("Colour…"), "colour")
    menu.addSeparator()
    if position > 0 and not in_lists:
        add(tr("Move up"), "up")
    if position < len(labels) - 1 and not in_lists:
        add(tr("Move down"), "down")
    menu.addSeparator()
    if not label.is_copy:
        add(tr("Edit copy of run"), "edit")
    add(tr("Save run…"), "save")
    add(tr("Remove run"), "remove")
    actions = _RunActions(session, key, parent.window(), menu)
    menu.triggered.connect(actions.on_triggered)
    return menu

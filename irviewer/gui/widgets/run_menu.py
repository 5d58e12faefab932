"""The context menu of a run, the same in all views.

It calls the session's methods and knows no view."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.runs.fields import KINDS, ColourDialog, RenameDialog, file_name
from irviewer.gui.theme import Theme
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


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
        elif what == "why":
            session.explaining.explain(key)
        elif what == "rename":
            RenameDialog(session, Theme(session.view.palette), key, self._window).open()
        elif what == "colour":
            ColourDialog(session, Theme(session.view.palette), key, self._window).open()
        elif what in ("up", "down"):
            keys = [label.key for label in session.view.labels()]
            session.runs.move_run(key, keys.index(key) + (-1 if what == "up" else 1))
        elif what == "save":
            name = next((label.name for label in session.view.labels() if label.key == key), "")
            save = partial(session.run_editing.save_run, key)
            SaveDialog(self._window, tr("Save run"), session.saving.file_folder(), file_name(name), KINDS, save).open()
        elif what == "remove":
            session.runs.remove_run(key)


def run_menu(session: Session, key: int, parent: QWidget) -> QMenu:
    """Return a menu for the run with this key, a child of ``parent``; it is empty if there is no such run."""
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
    if position > 0:
        add(tr("Move up"), "up")
    if position < len(labels) - 1:
        add(tr("Move down"), "down")
    menu.addSeparator()
    add(tr("Save run…"), "save")
    add(tr("Remove run"), "remove")
    actions = _RunActions(session, key, parent.window(), menu)
    menu.triggered.connect(actions.on_triggered)
    return menu

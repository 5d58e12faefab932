"""Back and forth in what the user did to data: the menu Edit, whose entries name the steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command
from irviewer.session.shortcuts import SHORTCUTS

if TYPE_CHECKING:
    from irviewer.session.session import Session

NEAR = 25
"""So many steps in either direction are listed."""


ROWS: tuple[Command, ...] = (
    Command("undo", "Undo", "Edit", "Take back the last change of data",
            run=lambda session: session.history.undo(), shortcuts=SHORTCUTS["undo"],
            enabled=lambda session: bool(session.history.undo_label),
            naming=lambda session: f"Undo: {session.history.undo_label}" if session.history.undo_label else "Undo"),
    Command("redo", "Redo", "Edit", "Make again what was taken back",
            run=lambda session: session.history.redo(), shortcuts=("Ctrl+Shift+Z", "Ctrl+Y"),
            enabled=lambda session: bool(session.history.redo_label),
            naming=lambda session: f"Redo: {session.history.redo_label}" if session.history.redo_label else "Redo"),
    Command("history", "History…", "Edit", "Every change of data: go back to any of them, or forward",
            ask=lambda dialogs: dialogs.navigation.choose_step(),
            enabled=lambda session: bool(session.state.history), words="steps undo redo", submenu="step "),
    Command("open_edit", "Menu Edit", "Edit", "Undo and redo, by name",
            ask=lambda dialogs: dialogs.window.edit_menu(), shortcuts=("Alt+E",), listed=False),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for every step near the present one, the newest first: it goes there."""
    done, undone = session.history.history_labels
    if not done and not undone:
        return []
    labels = [*reversed(undone[:NEAR]), *done[:NEAR]]
    ahead = min(NEAR, len(undone))
    found = [_step(place - ahead, label, len(done) + ahead - place) for place, label in enumerate(labels)]
    return found if len(done) > NEAR else [*found, _step(len(done), "the beginning", 0)]


def _step(back: int, label: str, number: int) -> Command:
    way = "Now" if back == 0 else "Back to" if back > 0 else "Forward to"
    times = f"{abs(back)} step{'' if abs(back) == 1 else 's'}"
    told = {"Now": "The last step that holds", "Back to": f"Undo {times}", "Forward to": f"Redo {times}"}[way]
    return Command(f"step {number}", f"{way}: {label}", "Edit", told,
                   run=lambda session: session.history.go_back(back), checked=lambda session: back == 0)  # fmt: skip

"""Commands of the Edit menu: undo, redo, and the history of changes to data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session

NEAR = 25
"""The number of steps listed in each direction."""


def _undo_title(step: str) -> str:
    return tr("Undo: {step}", step=step) if step else tr("Undo")


def _redo_title(step: str) -> str:
    return tr("Redo: {step}", step=step) if step else tr("Redo")


ROWS: tuple[Command, ...] = (
    Command("undo", tr("Undo"), "Edit", tr("Undo the last change of data"),
            run=lambda session: session.history.undo(), shortcuts=SHORTCUTS["undo"],
            enabled=lambda session: bool(session.history.undo_label),
            naming=lambda session: _undo_title(session.history.undo_label), group="undo"),
    Command("redo", tr("Redo"), "Edit", tr("Redo the last undone change"),
            run=lambda session: session.history.redo(), shortcuts=("Ctrl+Shift+Z", "Ctrl+Y"),
            enabled=lambda session: bool(session.history.redo_label),
            naming=lambda session: _redo_title(session.history.redo_label), group="undo"),
    Command("history", tr("History…"), "Edit", tr("List every change of data, and go back or forward to any of them"),
            ask=lambda dialogs: dialogs.navigation.choose_step(),
            enabled=lambda session: any(session.history.history_labels), words=tr("steps undo redo"), submenu="step ",
            group="undo"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each step near the present one, newest first, which goes to that step."""
    done, undone = session.history.history_labels
    if not done and not undone:
        return []
    labels = [*reversed(undone[:NEAR]), *done[:NEAR]]
    ahead = min(NEAR, len(undone))
    steps = [_step(index - ahead, label, len(done) + ahead - index) for index, label in enumerate(labels)]
    return steps if len(done) > NEAR else [*steps, _step(len(done), tr("the beginning"), 0)]


def _step(back: int, label: str, number: int) -> Command:
    if back == 0:
        title, tip = tr("Now: {step}", step=label), tr("The last change that applies")
    elif back > 0:
        title, tip = tr("Back to: {step}", step=label), trn("Undo {n} step", "Undo {n} steps", back)
    else:
        title, tip = tr("Forward to: {step}", step=label), trn("Redo {n} step", "Redo {n} steps", -back)
    return Command(f"step {number}", title, "Edit", tip,
                   run=lambda session: session.history.go_back(back), checked=lambda session: back == 0)  # fmt: skip

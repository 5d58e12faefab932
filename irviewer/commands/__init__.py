"""The registry of commands: every action with title, menu, shortcut and help. Menus, palette and help follow from it.

A row holds its function: ``run`` works on the session, ``ask`` opens one of the window's dialogs. Shortcuts are spelled
as Qt spells them ("Ctrl+K") and live in these tables only. A further table is one more module with ``ROWS`` and, where
commands follow from what is open, ``dynamic(session)``. Knows the session by its methods, no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands import (
    appearance,
    documents,
    editing,
    explaining,
    failures,
    files,
    judging,
    measures,
    navigation,
    notes,
    pooling,
    projects,
    queries,
    reranking,
    runs,
    sets,
    statistics,
    teaching,
)
from irviewer.commands.command import Command
from irviewer.commands.dialogs import Dialogs
from irviewer.errors import IrviewerError

if TYPE_CHECKING:
    from irviewer.session.session import Session

__all__ = [
    "CATEGORIES",
    "COMMANDS",
    "IN_VIEWS",
    "Command",
    "Dialogs",
    "answer",
    "dynamic",
    "every",
    "find",
    "keys",
    "run_command",
]

CATEGORIES = ("File", "Edit", "Go", "Query", "Judge", "Runs", "Measure", "Learn", "View", "Help")

COMMANDS: tuple[Command, ...] = (
    *files.ROWS,
    *projects.ROWS,
    *files.LAST,
    *editing.ROWS,
    *navigation.ROWS,
    *failures.ROWS,
    *queries.ROWS,
    *documents.ROWS,
    *notes.ROWS,
    *judging.ROWS,
    *reranking.ROWS,
    *sets.ROWS,
    *runs.ROWS,
    *statistics.ROWS,
    *pooling.ROWS,
    *explaining.ROWS,
    *measures.ROWS,
    *teaching.ROWS,
    *appearance.ROWS,
)
"""Every fixed command, in the order of menus."""

_DYNAMIC = (
    files.dynamic,
    projects.dynamic,
    editing.dynamic,
    navigation.dynamic,
    measures.dynamic,
    runs.dynamic,
    sets.dynamic,
    statistics.dynamic,
    teaching.dynamic,
)

IN_VIEWS = (
    ("Walk in a list, a table, a plot", ("Up", "Down", "Left", "Right")),
    ("Point at a value of the row, in a table of values", ("Left", "Right")),
    ("Open the query, read the document", ("Return",)),
    ("Brush queries on the way, in a plot of queries", ("Shift+Left", "Shift+Right")),
    ("Take the query into the brush or out of it, in a plot of queries", ("Space",)),
    ("Show or hide the run stood on", ("Space",)),
    ("Take the selection back, clear a filter, close", ("Esc",)),
    ("To the next part of the window, and back", ("Tab", "Shift+Tab")),
)
"""What keys do in the views themselves, for the keyboard help; the views hear them, so they are no commands."""


def keys(name: str) -> str:
    """The first shortcut of a fixed command, as Qt spells it; "" where it has none."""
    return next((one.shortcuts[0] for one in COMMANDS if one.id == name and one.shortcuts), "")


def dynamic(session: Session) -> tuple[Command, ...]:
    """Commands that follow from what is open: a run's, a measure's, a collection's, a sample's, a recent opening's."""
    return tuple(command for table in _DYNAMIC for command in table(session))


def every(session: Session) -> tuple[Command, ...]:
    """All commands, fixed and dynamic, whether they can be done now or not."""
    return (*COMMANDS, *dynamic(session))


def find(session: Session, name: str) -> Command:
    """The command of that id. Raises IrviewerError where there is none."""
    found = next((one for one in COMMANDS if one.id == name), None)
    if found is None:
        found = next((one for one in dynamic(session) if one.id == name), None)
    if found is None:
        raise IrviewerError(f"there is no command {name!r}")
    return found


def run_command(session: Session, name: str) -> bool:
    """Do what a command does, or ask the window for it; False where it cannot be done now.

    Raises IrviewerError where there is no such command."""
    command = find(session, name)
    if not command.enabled(session):
        if command.refused is not None:
            command.refused(session)
        return False
    if command.run is None:
        session.asked.emit(command.id)
    else:
        command.run(session)
    return True


def answer(session: Session, name: str, dialogs: Dialogs) -> None:
    """Ask what a command asks: the window's part of ``run_command``, and of what the session asks by itself.

    Raises IrviewerError where no command of that id asks anything."""
    command = find(session, name)
    if command.ask is None:
        raise IrviewerError(f"the command {name!r} asks nothing")
    command.ask(dialogs)

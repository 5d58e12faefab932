"""The registry of commands: every action with title, menu, shortcut and help text.

Menus, the command palette and the keyboard help are made from it. A row holds its function: ``run`` works on the
session, ``ask`` opens a dialog of the window. Shortcuts are spelled as Qt spells them ("Ctrl+K"). A module has ``ROWS``
and, for commands that depend on what is open, ``dynamic(session)``. No widget is known here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irviewer.commands.actions import (
    answers,
    appearance,
    attributes,
    documents,
    editing,
    explaining,
    failures,
    files,
    judges,
    judging,
    measures,
    navigation,
    notes,
    pooling,
    projects,
    protocol,
    queries,
    reranking,
    runs,
    sets,
    slices,
    statistics,
    teaching,
)
from irviewer.commands.command import Command
from irviewer.commands.menus import CATEGORIES, GROUPS, Category, Group
from irviewer.errors import IrviewerError
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

__all__ = [
    "CATEGORIES",
    "COMMANDS",
    "GROUPS",
    "IN_VIEWS",
    "Category",
    "Command",
    "Group",
    "all_keys",
    "answer",
    "dynamic",
    "every",
    "find",
    "keys",
    "run_command",
]

COMMANDS: tuple[Command, ...] = (
    *files.ROWS,
    *projects.ROWS,
    *files.LAST,
    *editing.ROWS,
    *navigation.ROWS,
    *failures.ROWS,
    *answers.ROWS,
    *queries.ROWS,
    *documents.ROWS,
    *notes.ROWS,
    *judges.ROWS,
    *judging.ROWS,
    *reranking.ROWS,
    *sets.ROWS,
    *attributes.ROWS,
    *slices.ROWS,
    *runs.ROWS,
    *statistics.ROWS,
    *protocol.ROWS,
    *pooling.ROWS,
    *explaining.ROWS,
    *measures.ROWS,
    *teaching.ROWS,
    *appearance.ROWS,
)
"""All fixed commands. Within a part of a menu they are in this order."""

_DYNAMIC = (
    files.dynamic,
    projects.dynamic,
    editing.dynamic,
    judges.dynamic,
    navigation.dynamic,
    answers.dynamic,
    measures.dynamic,
    runs.dynamic,
    sets.dynamic,
    attributes.dynamic,
    statistics.dynamic,
    teaching.dynamic,
    appearance.dynamic,
)

IN_VIEWS = (
    (tr("Move in a list, table or plot"), ("Up", "Down", "Left", "Right")),
    (tr("Select a value of the row, in a table of values"), ("Left", "Right")),
    (tr("Open the query or read the document"), ("Return",)),
    (tr("Move and brush queries, in a plot of queries"), ("Shift+Left", "Shift+Right")),
    (tr("Add the query to the brush or remove it, in a plot of queries"), ("Space",)),
    (tr("Magnify the values of bars, or show more of them"), ("Ctrl+Up", "Ctrl+Down")),
    (tr("Show or hide the current run"), ("Space",)),
    (tr("Clear the selection or the filter, or close"), ("Esc",)),
    (tr("Next part of the window, and previous part"), ("Tab", "Shift+Tab")),
)
"""Keys that the views themselves handle, for the keyboard help: text and keys."""


def keys(name: str) -> str:
    """Return the first shortcut in force of a fixed command, as Qt spells it; "" where it has none."""
    for command in COMMANDS:
        if command.id == name:
            return next(iter(command.keys), "")
    return ""


def all_keys(name: str) -> tuple[str, ...]:
    """Return the shortcuts in force of a fixed command, as Qt spells them."""
    return next(command.keys for command in COMMANDS if command.id == name)


def dynamic(session: Session) -> tuple[Command, ...]:
    """Return the commands that depend on what is open: for runs, measures, collections, samples, recent files …"""
    return tuple(command for table in _DYNAMIC for command in table(session))


def every(session: Session) -> tuple[Command, ...]:
    """Return all commands, fixed and dynamic, enabled or not."""
    return (*COMMANDS, *dynamic(session))


def find(session: Session, name: str) -> Command:
    """Return the command with an id. Raises IrviewerError if no command has it."""
    command = next((command for command in COMMANDS if command.id == name), None)
    if command is None:
        # Table by table, since that of the lessons reads them.
        command = next((each for table in _DYNAMIC for each in table(session) if each.id == name), None)
    if command is None:
        raise IrviewerError(tr("unknown command {command!r}", command=name))
    return command


def run_command(session: Session, name: str) -> bool:
    """Run a command, or ask the window to open its dialog. Returns False if the command is disabled.

    Raises IrviewerError if the command is unknown."""
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


def answer(session: Session, name: str, dialogs: Any) -> None:
    """Open the dialog of a command: the window's part of ``run_command``, and of requests by the session.

    Raises IrviewerError if the command is unknown or has no dialog."""
    command = find(session, name)
    if command.ask is None:
        raise IrviewerError(tr("the command {command!r} has no dialog", command=name))
    command.ask(dialogs)

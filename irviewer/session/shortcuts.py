"""The keyboard shortcuts that messages of the session mention ("open them with Ctrl+O"), and those that the user chose.

The commands are defined above the session, in :mod:`irviewer.commands`, and take these shortcuts from here. Chosen
shortcuts hold for the whole program: the start of the window sets them from the settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

SHORTCUTS: dict[str, tuple[str, ...]] = {
    "undo": ("Ctrl+Z",),
    "open_files": ("Ctrl+O",),
    "reload": ("F5",),
    "find_action": ("Ctrl+K", "Ctrl+Shift+P"),
    "next_query": ("J",),
    "previous_query": ("K",),
    "choose_runs": ("R",),
}
"""Command id -> shortcuts in Qt's notation."""

RESERVED: dict[str, dict[str, str]] = {
    # Qt's Ctrl is the command key there: it hides (H), minimizes (M) and changes the program (Tab) before Qt sees it.
    "darwin": {"Ctrl+H": "Ctrl+Shift+H", "Ctrl+M": "Ctrl+Shift+M", "Ctrl+Tab": "Meta+Tab"},
}
"""System, as sys.platform names it -> shortcuts that the system uses itself -> what replaces each of them."""

KEYS_DO_NOT_JUDGE = "keys do not judge"
"""The topic of the message about a digit pressed outside judging mode."""


_chosen: dict[str, tuple[str, ...]] = {}


def choose_shortcuts(chosen: Mapping[str, Sequence[str]]) -> None:
    """Use the shortcuts of the settings, by command id, in place of those of the commands from now on."""
    _chosen.clear()
    _chosen.update({command: tuple(keys) for command, keys in chosen.items()})


def suited(keys: Sequence[str], system: str = sys.platform) -> tuple[str, ...]:
    """Return shortcuts with those replaced that the system uses itself."""
    reserved = RESERVED.get(system, {})
    return tuple(reserved.get(key, key) for key in keys)


def shortcuts_of(command: str, preset: tuple[str, ...]) -> tuple[str, ...]:
    """The shortcuts of a command: those that were chosen, or ``preset``. A command of SHORTCUTS always has one."""
    chosen = _chosen.get(command, preset)
    return chosen if chosen or command not in SHORTCUTS else preset


def keys(command: str) -> str:
    """The first shortcut of a command of SHORTCUTS."""
    return shortcuts_of(command, SHORTCUTS[command])[0]

"""The keyboard shortcuts that messages of the session mention ("open them with Ctrl+O"), and those that the user chose.

The commands are defined above the session, in :mod:`irviewer.commands`, and take these shortcuts from here. Chosen
shortcuts hold for the whole program: the start of the window sets them from the settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from irviewer.translation import tr

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

KEY_NAMES: dict[str, str] = {
    "Ctrl": tr("Ctrl"),
    "Shift": tr("Shift"),
    "Alt": tr("Alt"),
    "Return": tr("Enter"),
    "Enter": tr("Enter"),
    "Esc": tr("Esc"),
    "Space": tr("Space"),
    "Tab": tr("Tab"),
    "Backspace": tr("Backspace"),
    "Ins": tr("Ins"),
    "Del": tr("Del"),
    "Home": tr("Home"),
    "End": tr("End"),
    "PgUp": tr("PgUp"),
    "PgDown": tr("PgDown"),
    "Up": tr("Up"),
    "Down": tr("Down"),
    "Left": tr("Left"),
    "Right": tr("Right"),
}
"""Key in Qt's notation -> its name on a keyboard of the language; keys that are not here have their name in Qt's."""

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


def spelled(sequence: str) -> str:
    """Return a shortcut in Qt's notation as people read it: Ctrl+PgDown, in Spanish Ctrl+Av Pág. Every text that names
    a key has it from here, so that a key has one name."""
    return "+".join(KEY_NAMES.get(key, key) for key in sequence.split("+"))


def keys(command: str) -> str:
    """The first shortcut of a command of SHORTCUTS, as people read it."""
    return spelled(shortcuts_of(command, SHORTCUTS[command])[0])

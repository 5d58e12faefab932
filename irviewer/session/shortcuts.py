"""The keyboard shortcuts that messages of the session mention ("open them with Ctrl+O"), by command id.

The commands are defined above the session, in :mod:`irviewer.commands`, and take these shortcuts from here."""

from __future__ import annotations

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

KEYS_DO_NOT_JUDGE = "keys do not judge"
"""The topic of the message about a digit pressed outside judging mode."""


def keys(command: str) -> str:
    """The first shortcut of a command."""
    return SHORTCUTS[command][0]

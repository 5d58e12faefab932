"""The shortcuts that the session's own sentences name ("open them with Ctrl+O"), by the id of their command.

The commands themselves stand above the session, in :mod:`irviewer.commands`; their rows take these from here."""

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
"""Command id -> its shortcuts, as Qt spells them."""

KEYS_DO_NOT_JUDGE = "Keys judge in judging mode only"
"""Said of a digit pressed outside of it, and the topic by which that is taken back."""


def keys(command: str) -> str:
    """The first shortcut of a command."""
    return SHORTCUTS[command][0]

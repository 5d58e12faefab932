"""The keyboard shortcuts that the user chooses: which command a key belongs to, and a key given to another command.

Knows the commands and no widget. Keys are spelled as Qt spells them ("Ctrl+K")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from irviewer.commands.command import Command
from irviewer.errors import IrviewerError
from irviewer.session.shortcuts import SHORTCUTS, spelled
from irviewer.translation import tr


class ShortcutError(IrviewerError):
    """A key that a command cannot have."""


@dataclass(frozen=True, eq=False)
class Keymap:
    """The shortcuts of all commands. ``chosen`` has those that differ from the commands' own; ``in_views`` are the keys
    that lists, tables and plots handle themselves."""

    commands: tuple[Command, ...]
    in_views: frozenset[str]
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def changeable(self) -> tuple[Command, ...]:
        """The commands whose shortcuts can be chosen; the focused widget handles those of the others."""
        return tuple(command for command in self.commands if command.bound)

    def keys_of(self, name: str) -> tuple[str, ...]:
        """Return the shortcuts of a command."""
        return self.chosen.get(name, self._command(name).shortcuts)

    def owner_of(self, key: str) -> Command | None:
        """Return the command that has a key."""
        return next((command for command in self.commands if key in self.keys_of(command.id)), None)

    def trouble_of(self, name: str, key: str) -> str:
        """Return why a command cannot have a key, or ""."""
        owner = self.owner_of(key)
        if key in self.in_views:
            return tr("{key} moves in lists, tables and plots.", key=spelled(key))
        if owner is None or owner.id == name:
            return ""
        if not owner.bound:
            return tr("{key} always belongs to “{action}”.", key=spelled(key), action=owner.title)
        if owner.id in SHORTCUTS and self.keys_of(owner.id) == (key,):
            return tr(
                "“{action}” has no other key, and messages name one: give it another key before you use "
                    "{key}.",
                key=spelled(key), action=owner.title,
            )  # fmt: skip
        return ""

    def with_key(self, name: str, key: str) -> Keymap:
        """Return the shortcuts with ``key`` as the only one of a command, taken from others. Raises ShortcutError."""
        trouble = self.trouble_of(name, key)
        if trouble:
            raise ShortcutError(trouble)
        owner = self.owner_of(key)
        changed = self
        if owner is not None and owner.id != name:
            changed = changed._with(owner.id, tuple(other for other in self.keys_of(owner.id) if other != key))
        return changed._with(name, (key,))

    def without_key(self, name: str) -> Keymap:
        """Return the shortcuts with none for a command. Raises ShortcutError for a command that messages name."""
        if name in SHORTCUTS:
            raise ShortcutError(
                tr("“{action}” needs a key, since messages name its key.", action=self._command(name).title)
            )
        return self._with(name, ())

    def with_default(self, name: str) -> Keymap:
        """Return the shortcuts with a command's own ones, taken from any other command. Raises ShortcutError."""
        changed = self._with(name, ())
        for key in self._command(name).shortcuts:
            trouble = changed.trouble_of(name, key)
            if trouble:
                raise ShortcutError(trouble)
            owner = changed.owner_of(key)
            if owner is not None:
                kept = tuple(other for other in changed.keys_of(owner.id) if other != key)
                changed = changed._with(owner.id, kept)
        return changed._with(name, self._command(name).shortcuts)

    def with_defaults(self) -> Keymap:
        """Return the shortcuts of the commands themselves."""
        return replace(self, chosen={})

    def _with(self, name: str, keys: tuple[str, ...]) -> Keymap:
        others = {command: shortcuts for command, shortcuts in self.chosen.items() if command != name}
        own = self._command(name).shortcuts
        return replace(self, chosen=others if keys == own else {**others, name: keys})

    def _command(self, name: str) -> Command:
        return next(command for command in self.commands if command.id == name)

"""How the window looks: theme, lists or strips, the fields of document cards."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.session.changes import Change
from irviewer.session.state import LISTS_MODES, THEMES
from irviewer.session.store import Store


class AppearanceService:
    """Choices that change no number."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._settings = store.settings

    def set_lists_mode(self, mode: str) -> None:
        """Show rankings as "lists" or "strips"."""
        if mode not in LISTS_MODES:
            raise IrviewerError(f"there is no mode {mode!r}; there are {', '.join(LISTS_MODES)}")
        self._settings["lists_mode"] = mode
        self._store.apply(replace(self._store.state, lists_mode=mode))

    def set_card_fields(self, line: str) -> None:
        """Which columns a document card shows; see :mod:`irviewer.session.text.card_template`. Raises SettingError."""
        self._settings["card_fields"] = line
        self._store.changed.emit(frozenset({Change.DOCUMENT}))

    def set_theme(self, theme: str) -> None:
        """Choose "system", "light" or "dark"."""
        if theme not in THEMES:
            raise IrviewerError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
        self._settings["theme"] = theme
        self._store.apply(replace(self._store.state, theme=theme))

    def set_system_dark(self, dark: bool) -> None:
        """What the system's own colours are."""
        self._store.apply(replace(self._store.state, system_dark=dark))

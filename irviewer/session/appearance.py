"""The appearance of the window: theme, lists or strips, the fields of document cards."""

from __future__ import annotations

from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.session.changes import Change
from irviewer.session.state import LISTS_MODES, THEMES
from irviewer.session.store import Store
from irviewer.translation import tr


class AppearanceService:
    """Sets options that change no value."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._settings = store.settings

    def set_lists_mode(self, mode: str) -> None:
        """Show rankings as "lists" or "strips", and in Query no other tab."""
        if mode not in LISTS_MODES:
            names = ", ".join(LISTS_MODES)
            raise IrviewerError(tr("Unknown list mode {name!r}; choose one of {names}.", name=mode, names=names))
        self._settings["lists_mode"] = mode
        tabs = {name: tab for name, tab in self._store.state.tabs.items() if name != "query"}
        self._store.apply(replace(self._store.state, lists_mode=mode, tabs=tabs))

    def set_list_ids(self, shown: bool) -> None:
        """Show the id of each document beside its title in the ranked lists, or only where titles look the same."""
        self._settings["list_ids"] = shown
        self._store.changed.emit(frozenset({Change.MODE}))

    def show_list_field(self, name: str, shown: bool) -> None:
        """Show a field of documents below their titles in the ranked lists, behind those shown, or hide it. Names of
        fields that the open documents lack stay chosen, for those that have them."""
        others = [each for each in self._settings["list_fields"] if each != name]
        self._settings["list_fields"] = [*others, name] if shown else others
        self._store.changed.emit(frozenset({Change.MODE}))

    def set_query_chart(self, chart: str) -> None:
        """Choose the chart that Query shows where there is room for one: "recall", "gain" or "cutoff"."""
        self._settings["query_chart"] = chart
        self._store.changed.emit(frozenset({Change.MODE}))

    def fold_panel(self, panel: str, folded: bool, *, narrow: bool) -> None:
        """Fold a side panel of Query, or open it. In a ``narrow`` window panels are folded, and at most one is opened;
        this is remembered apart."""
        if narrow:
            opened = self._settings["opened_panel"]
            self._settings["opened_panel"] = panel if not folded else "" if opened == panel else opened
        else:
            others = [name for name in self._settings["folded_panels"] if name != panel]
            self._settings["folded_panels"] = [*others, panel] if folded else others
        self._store.changed.emit(frozenset({Change.MODE}))

    def set_card_fields(self, line: str) -> None:
        """Set the columns that a document card shows; see :mod:`irviewer.session.text.card_template`. Raises
        SettingError."""
        self._settings["card_fields"] = line
        self._store.changed.emit(frozenset({Change.DOCUMENT}))

    def set_theme(self, theme: str) -> None:
        """Choose a theme of THEMES."""
        if theme not in THEMES:
            names = ", ".join(THEMES)
            raise IrviewerError(tr("Unknown theme {name!r}; choose one of {names}.", name=theme, names=names))
        self._settings["theme"] = theme
        self._store.apply(replace(self._store.state, theme=theme))

    def set_system_dark(self, dark: bool) -> None:
        """Set whether the desktop uses dark colours."""
        self._store.apply(replace(self._store.state, system_dark=dark))

    def set_system_contrast(self, high: bool) -> None:
        """Set whether the desktop asks for high contrast."""
        self._store.apply(replace(self._store.state, system_contrast=high))

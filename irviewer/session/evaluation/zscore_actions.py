"""Display of values as Z-scores or as plain values."""

from __future__ import annotations

from dataclasses import replace

from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View


class ZScoreService:
    """Turns the display of Z-scores on and off."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._view = view

    @property
    def has_zscores(self) -> bool:
        """True if means and standard deviations of reference runs are open."""
        return self._view.collection is not None and self._view.collection.zscores is not None

    @property
    def is_on(self) -> bool:
        """True if tables, bars and means show Z-scores."""
        return self.has_zscores and self._store.state.chosen.zscores

    def set_zscores(self, on: bool) -> None:
        """Show Z-scores or plain values; does nothing if no means are open."""
        if not self.has_zscores:
            return

        def change(state: State) -> State:
            return state.with_chosen(replace(state.chosen, zscores=on))

        self._store.apply_when_ready(change)

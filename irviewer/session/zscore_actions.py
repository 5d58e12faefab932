"""Values as Z-scores, or as the measures give them: a part of the session, Qt-free."""

from __future__ import annotations

from dataclasses import replace

from irviewer.session.core import SessionCore
from irviewer.session.state import State


class ZScoreActions(SessionCore):
    """The session's methods for Z-scores."""

    @property
    def has_zscores(self) -> bool:
        """True where means and deviations of reference runs are open."""
        return self.collection is not None and self.collection.zscores is not None

    @property
    def zscores(self) -> bool:
        """True where tables, bars and means show Z-scores."""
        return self.has_zscores and self._state.chosen.zscores

    def set_zscores(self, on: bool) -> None:
        """Show Z-scores, or the values that the measures give again; nothing where no means are open."""
        if not self.has_zscores:
            return

        def change(state: State) -> State:
            return state.with_chosen(replace(state.chosen, zscores=on))

        self._apply_when_ready(change)

"""What a person can do to runs: show, compare, name, colour, order, remove. A part of the session, Qt-free."""

from __future__ import annotations

from collections.abc import Sequence

from irviewer.session import transitions
from irviewer.session.core import SessionCore
from irviewer.session.scene import first_shown


class RunActions(SessionCore):
    """The session's methods for runs."""

    def set_baseline(self, key: int) -> None:
        """Compare with this run."""
        if self.collection is not None and self.collection.run(key) is not None:
            self._choose(baseline=key)

    def set_focus(self, key: int | None) -> None:
        """Let deltas speak of this run, which is shown if it was not; None: the best shown one."""
        if self.collection is None or (key is not None and self.collection.run(key) is None):
            return
        shown = self._state.chosen.shown
        self._choose(focus=key, shown=shown if key is None else shown | {key})

    def show_run(self, key: int, shown: bool) -> None:
        """Show or hide a run."""
        if self.collection is not None and self.collection.run(key) is not None:
            self._apply(transitions.with_shown(self._state, key, shown))

    def show_runs(self, keys: Sequence[int]) -> None:
        """Show these runs and no others."""
        known = {entry.key for entry in self.collection.runs} if self.collection is not None else set()
        self._choose(shown=frozenset(keys) & known)

    def show_best(self) -> None:
        """Show what a collection of many runs shows at first: the best three and the baseline."""
        scene = self.scene
        if scene is not None:
            self._choose(shown=first_shown(scene))

    def rename_run(self, key: int, name: str) -> None:
        """Give a run another name; one that is taken gets a number."""
        self._try(lambda state: transitions.with_entry(state, key, lambda c, e: transitions.renamed(c, e, name)))

    def recolour_run(self, key: int, colour: str | None) -> None:
        """Give a run another colour, None its own."""
        self._try(lambda state: transitions.with_entry(state, key, lambda _, e: transitions.recoloured(e, colour)))

    def move_run(self, key: int, place: int) -> None:
        """Put a run at another place of the person's order, 0 first."""
        self._apply(transitions.with_moved(self._state, key, place))

    def remove_run(self, key: int) -> None:
        """Take a run out of the collection."""
        self._apply(transitions.without_run(self._state, key))

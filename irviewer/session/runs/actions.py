"""What a person can do to runs: show, compare, name, colour, order, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.model.workspace import Collection, RunEntry
from irviewer.session import state_changes
from irviewer.session.evaluation.context import first_shown
from irviewer.session.judging.edits import is_made
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error, info
from irviewer.session.shortcuts import keys
from irviewer.session.store import Store
from irviewer.session.view import View


class RunService:
    """Which runs are shown, and their names, colours and order."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._view = view
        self._history = history

    def set_baseline(self, key: int) -> None:
        """Compare with this run."""
        if self._view.collection is not None and self._view.collection.run(key) is not None:
            self._store.choose(baseline=key)

    def set_focus(self, key: int | None) -> None:
        """Let deltas speak of this run, which is shown if it was not; None: the best shown one."""
        if self._view.collection is None or (key is not None and self._view.collection.run(key) is None):
            return
        shown = self._store.state.chosen.shown
        self._store.choose(focus=key, shown=shown if key is None else shown | {key})

    def show_run(self, key: int, shown: bool) -> None:
        """Show or hide a run."""
        if self._view.collection is not None and self._view.collection.run(key) is not None:
            self._store.apply(state_changes.with_shown(self._store.state, key, shown))

    def show_runs(self, keys: Sequence[int]) -> None:
        """Show these runs and no others."""
        known = {entry.key for entry in self._view.collection.runs} if self._view.collection is not None else set()
        self._store.choose(shown=frozenset(keys) & known)

    def show_best(self) -> None:
        """Show what a collection of many runs shows at first: the best three and the baseline."""
        context = self._view.context
        if context is not None:
            self._store.choose(shown=first_shown(context))

    def rename_run(self, key: int, name: str) -> None:
        """Give a run another name; one that is taken gets a number."""
        self._change_run(key, "rename run", lambda collection, entry: state_changes.renamed(collection, entry, name))

    def recolour_run(self, key: int, colour: str | None) -> None:
        """Give a run another colour, None its own."""
        self._change_run(key, "colour of run", lambda _, entry: state_changes.recoloured(entry, colour))

    def _change_run(self, key: int, what: str, change: Callable[[Collection, RunEntry], RunEntry]) -> None:
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is None:
            return
        try:
            state = state_changes.with_entry(self._store.state, key, change)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return
        now = None if state.collection is None else state.collection.run(key)
        into = f" to {now.name}" if now is not None and now.name != entry.name else ""
        self._history.do(f"{what} {entry.name}{into}", state)

    def move_run(self, key: int, place: int) -> None:
        """Put a run at another place of the user's order, 0 first."""
        self._history.do(f"move run {self._name(key)}", state_changes.with_moved(self._store.state, key, place))

    def remove_run(self, key: int) -> None:
        """Take a run out of the collection. One that no file holds comes back by undo as long as the project is open,
        and the user is told so."""
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is None:
            return
        told = None
        if is_made(entry):
            text = f"Removed {entry.name}, which no file holds: undo ({keys('undo')}) brings it back until the project"
            told = replace(info(f"{text} is closed"), action="undo")
        self._history.do(f"remove run {entry.name}", state_changes.without_run(self._store.state, key), told=told)

    def _name(self, key: int) -> str:
        entry = None if self._view.collection is None else self._view.collection.run(key)
        return "" if entry is None else entry.name

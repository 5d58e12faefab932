"""What the user can do with runs: show, compare, rename, colour, order, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.model.workspace import Collection, RunEntry
from irviewer.session import state_changes
from irviewer.session.evaluation.context import MOST_SHOWN, first_shown
from irviewer.session.judging.edits import is_made
from irviewer.session.judging.history import HistoryService
from irviewer.session.messages import error, info
from irviewer.session.shortcuts import keys
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr, trn


class RunService:
    """Which runs are shown, and their names, colours and order."""

    def __init__(self, store: Store, view: View, history: HistoryService) -> None:
        self._store = store
        self._view = view
        self._history = history

    def set_baseline(self, key: int) -> None:
        """Compare with this run, which is no edited copy. It is shown, in place of a baseline that nobody chose."""
        collection = self._view.collection
        entry = None if collection is None else collection.run(key)
        if entry is not None and entry.is_copy:
            text = tr("{run} is an edited copy. Keep it as a run to compare with it.", run=self._display_name(key))
            self._store.say(error(text))
        elif collection is not None and entry is not None:
            name, identity = self._display_name(key), collection.identity
            context = self._view.context
            before = None if context is None else context.baseline
            focus = None if context is None else context.focus

            def declared(state: State) -> State:
                scope = state.chosen.scope
                shown = state.chosen.shown
                if shown and key not in shown:
                    replaces = scope.baseline is None and before != focus and len(shown) >= MOST_SHOWN
                    shown = (shown - {before} if replaces and before is not None else shown) | {key}
                scope = scope.but(baseline=key, **({"runs": scope.runs | {key}} if scope.runs else {}))
                return state.with_chosen(replace(state.chosen, scope=scope, shown=shown))

            self._history.do_when_ready(
                tr("baseline {run}", run=name), lambda state: state_changes.within(state, identity, declared),
                answer=tr("Baseline: {run}", run=name),
            )  # fmt: skip

    def set_focus(self, key: int | None) -> None:
        """Let deltas speak of this run, which is shown if it was not; None: the best shown one."""
        if self._view.collection is None or (key is not None and self._view.collection.run(key) is None):
            return
        shown = self._store.state.chosen.shown
        self._store.choose(focus=key, shown=shown if key is None else shown | {key})
        if key is not None:
            self._store.answer(tr("Compared with the baseline: {run}", run=self._display_name(key)))

    def show_run(self, key: int, shown: bool) -> None:
        """Show or hide a run."""
        if self._view.collection is not None and self._view.collection.run(key) is not None:
            self._store.apply(state_changes.with_shown(self._store.state, key, shown))
            name = self._display_name(key)
            self._store.answer(tr("Shown: {run}", run=name) if shown else tr("Hidden: {run}", run=name))

    def show_runs(self, keys: Sequence[int]) -> None:
        """Show these runs and no others."""
        self._show(frozenset(keys))

    def show_best(self) -> None:
        """Show the initial runs of a collection with many runs: the best three and the baseline."""
        context = self._view.context
        if context is not None:
            self._show(first_shown(context))

    def rename_run(self, key: int, name: str) -> None:
        """Rename a run; a number is added to a name that is taken."""
        self._change_run(key, lambda collection, entry: state_changes.renamed(collection, entry, name))

    def recolour_run(self, key: int, colour: str | None) -> None:
        """Set the colour of a run, None for its default colour."""
        self._change_run(key, lambda _, entry: state_changes.recoloured(entry, colour))

    def set_family(self, key: int, family: str) -> None:
        """Set the family of the model that a run uses, "" for that of its file."""
        self._change_run(key, lambda _, entry: replace(entry, family=" ".join(family.split())))

    def _change_run(self, key: int, change: Callable[[Collection, RunEntry], RunEntry]) -> None:
        entry = None if self._view.collection is None else self._view.collection.run(key)
        if entry is None:
            return
        try:
            state = state_changes.with_entry(self._store.state, key, change)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return
        now = None if state.collection is None else state.collection.run(key)
        if now is not None and now.name != entry.name:
            label = tr("rename run {run} to {new}", run=self._display_name(key), new=now.name)
        elif now is not None and now.family != entry.family:
            label = tr("model family of run {run}", run=self._display_name(key))
        else:
            label = tr("colour of run {run}", run=self._display_name(key))
        self._history.do(label, state)

    def move_run(self, key: int, place: int) -> None:
        """Move a run to another position of the user's order, from 0."""
        label = tr("move run {run}", run=self._display_name(key))
        self._history.do(label, state_changes.with_moved(self._store.state, key, place))

    def move_list(self, key: int, steps: int) -> None:
        """Move a shown run among those shown: past the next one to the right for 1, to the left for -1."""
        shown = [label.key for label in self._view.labels() if label.shown]
        every = [label.key for label in self._view.labels()]
        if key not in shown:
            return
        place = shown.index(key) + steps
        if 0 <= place < len(shown):
            self.move_run(key, every.index(shown[place]))

    def change_list(self, key: int, other: int) -> None:
        """Show another run in place of a shown one, where that one was; what is compared with the baseline follows."""
        collection, state = self._view.collection, self._store.state
        chosen = state.chosen
        if collection is None or collection.run(other) is None or key not in chosen.shown or other in chosen.shown:
            return
        keys = [entry.key for entry in collection.runs]
        place, former = keys.index(key), keys.index(other)
        neighbours = chosen.shown & set(keys[min(place, former) + 1 : max(place, former)])
        focus = other if chosen.focus == key else chosen.focus
        changed = state.with_chosen(replace(chosen, shown=chosen.shown - {key} | {other}, focus=focus))
        label = tr("list of {run} in place of {former}", run=self._display_name(other), former=self._display_name(key))
        # The order of runs changes only where it must, since it is the user's.
        self._history.do(label, state_changes.with_moved(changed, other, place) if neighbours else changed)
        self._store.answer(tr("Shown: {run}", run=self._display_name(other)))

    def remove_run(self, key: int) -> None:
        """Remove a run from the collection. If it is in no file, a message says that undo restores it while the project
        is open."""
        collection = self._view.collection
        entry = None if collection is None else collection.run(key)
        if collection is None or entry is None:
            return
        message, identity = None, collection.identity
        if is_made(entry):
            text = tr(
                "Removed {run}, which is in no file. Undo ({key}) restores it until the project is closed.",
                run=self._display_name(key), key=keys("undo"),
            )  # fmt: skip
            message = replace(info(text), action="undo")
        label = tr("remove run {run}", run=self._display_name(key))

        def removed(state: State) -> State:
            return state_changes.within(state, identity, lambda here: state_changes.without_run(here, key))

        self._history.do_to_data(label, removed, message)

    def _show(self, keys: frozenset[int]) -> None:
        collection = self._view.collection
        if collection is None:
            return
        before = self._store.state.chosen.shown

        def showing(state: State) -> State:
            now, shown = state.collection, state.chosen.shown
            if now is None or now.identity != collection.identity:
                return state  # another one came into view meanwhile
            wanted = (keys | (shown - before)) - (before - shown)  # with what was shown and hidden meanwhile
            return state.with_chosen(replace(state.chosen, shown=wanted & {entry.key for entry in now.runs}))

        def said() -> None:
            now = self._view.collection
            if now is not None and now.identity == collection.identity:
                number = len(self._store.state.chosen.shown)
                self._store.answer(trn("Shown: {n} run, no others", "Shown: {n} runs, no others", number))

        self._store.show_when_ready(showing, said)

    def _display_name(self, key: int) -> str:
        context = self._view.context
        label = None if context is None else context.labels.get(key)
        if label is not None:
            return label.name
        entry = None if self._view.collection is None else self._view.collection.run(key)
        return "" if entry is None else entry.name

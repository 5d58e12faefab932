"""What changed in runs that were read again: said in a message, kept as versions, and shown by brushed queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.session.files.actions import FileService
from irviewer.session.files.run_versions import RunChange, run_change, version_lines, versions_of, with_change
from irviewer.session.messages import Message, info
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.view import View
from irviewer.translation import tr, trn

TOPIC = "run_changed"
Reread = tuple[str, int, str, tuple[Run, str], tuple[Run, str], Qrels]
"""Identity of the collection, key and name of the run, its versions before and after with their times, and the qrels in
use there."""


class VersionService:
    """Compares a run with its former version whenever its file is read again."""

    def __init__(self, store: Store, view: View, files: FileService) -> None:
        self._store = store
        self._tasks = store.tasks
        self._view = view
        self._last: tuple[str, frozenset[str]] = ("", frozenset())
        self._number = 0
        files.on_reread = self.compare

    @property
    def can_show_moved(self) -> bool:
        """Whether queries of the collection in view moved when its runs were last read again."""
        identity, queries = self._last
        collection = self._view.collection
        return bool(queries) and collection is not None and collection.identity == identity

    def show_moved(self) -> None:
        """Brush the queries that fell when runs were last read again; if none fell, those that rose."""
        if self.can_show_moved:
            self._store.choose(brushed=self._last[1])

    def history(self, key: int) -> Message | None:
        """Return the versions of a run as a message with a line for each, None if its file never changed."""
        collection = self._view.collection
        entry = None if collection is None else collection.run(key)
        if collection is None or entry is None:
            return None
        versions = versions_of(collection, key)
        if not versions:
            return None
        text = trn("{run}: {n:,} version", "{run}: {n:,} versions", len(versions), run=entry.name)
        return info(text, *version_lines(versions))

    def histories(self) -> tuple[Message, ...]:
        """Return the versions of each run of the collection in view whose file changed, as :meth:`history` does."""
        runs = () if self._view.collection is None else self._view.collection.runs
        messages = (self.history(entry.key) for entry in runs)
        return tuple(message for message in messages if message is not None)

    def compare(self, before: State, after: State, times: Mapping[str, tuple[str, str]]) -> None:
        """Compare the runs that differ between two states, in the background. ``times``: path -> time of the file
        before and after."""
        reread = _reread(before, after, times)
        if not reread:
            return
        measure, options = after.measure, after.options

        def work(progress: Progress) -> list[tuple[str, int, RunChange]]:
            changes = []
            for number, (identity, key, name, old, new, qrels) in enumerate(reread):
                progress(number / len(reread), tr("Comparing {run} with its former version", run=name))
                changes.append((identity, key, run_change(name, old, new, qrels, measure, options)))
            return changes

        self._number += 1
        title = tr("Comparing runs with their former versions")
        self._tasks.run(Operation(f"versions_{self._number}", work, self._keep, title=title))

    def _keep(self, changes: list[tuple[str, int, RunChange]]) -> None:
        state = self._store.state
        for identity, key, change in changes:
            for position, collection in enumerate(state.workspace.collections):
                if collection.identity == identity and collection.run(key) is not None:
                    kept = with_change(collection, key, change)
                    state = replace(state, workspace=state.workspace.with_collection(position, kept))
        current = None if state.collection is None else state.collection.identity
        current_changes = [change for identity, _, change in changes if identity == current]
        moved = frozenset(query for change in current_changes for query in change.fallen) or frozenset(
            query for change in current_changes for query in change.risen
        )
        self._last = (current or "", moved)
        new_messages = _messages([change for *_, change in changes], moved)
        self._store.apply(replace(state, messages=(*state.messages, *new_messages)))


def _messages(changes: list[RunChange], moved: frozenset[str]) -> list[Message]:
    """Return the messages about runs whose values moved; the others need none."""
    changes = [change for change in changes if change.moved]
    action = "show_moved" if moved else ""
    if not changes:
        return []
    if len(changes) <= 3:
        return [replace(info(change.text, *change.lines), action=action, topic=TOPIC) for change in changes]
    text = trn("{n:,} run was read again.", "{n:,} runs were read again.", len(changes))
    return [replace(info(text, *(change.text for change in changes)), action=action, topic=TOPIC)]


def _reread(before: State, after: State, times: Mapping[str, tuple[str, str]]) -> list[Reread]:
    former = {collection.identity: collection for collection in before.workspace.collections}
    reread: list[Reread] = []
    for collection, choices in zip(after.workspace.collections, after.choices, strict=True):
        was = former.get(collection.identity)
        if was is None or was is collection or not collection.judgments:
            continue
        qrels = collection.judgments[min(choices.judgments, len(collection.judgments) - 1)].qrels
        old_entries = {entry.key: entry for entry in was.runs}
        for entry in collection.runs:
            old = old_entries.get(entry.key)
            if old is None or old.run.scores is entry.run.scores or entry.run.origin not in times:
                continue
            old_time, new_time = times[entry.run.origin]
            if old_time == new_time:
                continue  # the same file, read again with other options
            reread.append(
                (collection.identity, entry.key, entry.name, (old.run, old_time), (entry.run, new_time), qrels)
            )
    return reread

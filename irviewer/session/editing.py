"""How an edit becomes the new state: made, remembered to be undone, its numbers derived from the former ones.

A part of the session, Qt-free; what can be edited is in ``judging.py`` and ``reranking.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from irviewer.model.history import History
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection
from irviewer.session.core import SessionCore
from irviewer.session.edits import Change, with_change
from irviewer.session.evaluation import Pair
from irviewer.session.scene import Scene, make_scene
from irviewer.session.state import State


class EditActions(SessionCore):
    """Undo, redo, and the door that every edit goes through."""

    @property
    def undo_label(self) -> str:
        """What undo would take back, "" nothing."""
        return "" if self.collection is None else self.collection.history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would do again, "" nothing."""
        return "" if self.collection is None else self.collection.history.redo_label

    def undo(self) -> bool:
        """Take back the last edit of the collection in view; False where there is none."""
        return self._walk(back=True)

    def redo(self) -> bool:
        """Make the edit again that was taken back last; False where there is none."""
        return self._walk(back=False)

    def _walk(self, *, back: bool) -> bool:
        collection = self.collection
        if collection is None:
            return False
        found = collection.history.undo() if back else collection.history.redo()
        if found is None:
            return False
        history, change = found
        changed = with_change(collection, change, back=back)
        self._apply_edit(replace(changed, history=history), change.query_id)
        return True

    def _edit(self, label: str, change: Change, join: Callable[[Change], Change | None] | None = None) -> None:
        """Make an edit of the collection in view; ``join`` makes it one step with the last (``History.amended``). A
        step that ends where it began is none."""
        collection = self.collection
        assert collection is not None
        history = None if join is None else collection.history.amended(label, join)
        if history is None:
            history = collection.history.with_step(label, change)
        elif history.done is not None and history.done.change.before == history.done.change.after:
            history = History(history.done.before)
        self._apply_edit(replace(with_change(collection, change), history=history), change.query_id)

    def _apply_edit(self, after: Collection, query_id: str) -> None:
        """The collection in view replaced by one that differs in one query; only its numbers are computed anew."""
        before = self.collection
        assert before is not None
        old_scene, state = self.scene, self._state.with_collection(after)
        assert old_scene is not None
        self._roles(self._state)  # asked again below, while the former numbers are still there
        edits = _edits(before, after, replace(state.options, judged_only=False))
        self._evaluation.follow(edits, (query_id,))
        if old_scene.collection is not before or old_scene.condensed:  # runs ranked, or shortened, by the options
            new_scene = self._scene_without_keeping(state)
            treated = _edits(old_scene.collection, new_scene.collection, new_scene.options)
            self._evaluation.follow(treated, (query_id,))
            edits += treated
        self._apply(state)
        present = {id(pair.run.scores) for _, pair in edits} | {id(entry.run.scores) for entry in after.runs}
        kept = {id(one.qrels.grades) for one in after.judgments}
        self._evaluation.forget(
            [pair.qrels for pair, _ in edits if id(pair.qrels.grades) not in kept],
            [pair.run for pair, _ in edits if id(pair.run.scores) not in present],
        )

    def _scene_without_keeping(self, state: State) -> Scene:
        assert state.collection is not None
        choices = replace(state.chosen, query_id="", document_id=None)
        return make_scene(state.collection, choices, state.measure, state.cutoff, state.options, self._evaluation)


def _edits(before: Collection, after: Collection, options: EvaluationOptions) -> list[tuple[Pair, Pair]]:
    """The pairs that differ, of runs and judgment sets that are in both."""
    found = []
    for former, present in zip(before.judgments, after.judgments, strict=False):
        for entry in before.runs:
            other = after.run(entry.key)
            if other is None or (other.run.scores is entry.run.scores and present.qrels is former.qrels):
                continue
            one = Pair(entry.run, former.qrels, options)
            found.append((one, replace(one, run=other.run, qrels=present.qrels)))
    return found

"""Undo and redo: every change of data becomes a new state and a named undo step, and its numbers are derived from the
former ones.

All changes go through :meth:`HistoryService.do`, with one history for all open collections; the changes themselves are
in ``actions.py``, ``run_editing.py``, ``session.runs`` and others."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from irviewer.evaluation.evaluation_cache import EvaluationInput
from irviewer.model.changes.history import History
from irviewer.model.options import EvaluationOptions
from irviewer.model.workspace import Collection
from irviewer.session import state_changes
from irviewer.session.evaluation.context import EvaluationContext, make_context
from irviewer.session.judging.edits import StepChange, joined, step_between, with_step
from irviewer.session.messages import Message
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.teaching.beginning import is_taught
from irviewer.session.view import View
from irviewer.translation import tr, trn

MOST_FOLLOWED = 8
"""A change of more queries is evaluated again when it is shown, not derived query by query."""


MOST_LABEL = 80
"""The largest number of characters of a step's name that is shown."""


MOST_CLOSED = 3
"""The number of closed collections that are kept so that undo can open them again."""


class HistoryService:
    """Undo, redo, and the method through which every change of data is made."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._evaluation = store.evaluation
        self._view = view

    # --- the steps ---

    @property
    def undo_label(self) -> str:
        """The name of the step that undo reverts, which may still wait, "" if there is none; with its collection's name
        if another collection is in view."""
        return self._label(self._awaited.undo_label, self._awaited.undo())

    @property
    def redo_label(self) -> str:
        """The name of the step that redo repeats, "" if there is none; with its collection's name as above."""
        return self._label(self._awaited.redo_label, self._awaited.redo())

    @property
    def history_labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the steps done, the last first, and of those undone, the next to redo first."""
        return self._awaited.labels

    @property
    def _awaited(self) -> History[StepChange]:
        """The history with the steps that wait for their values."""
        return (self._store.awaited or self._store.state).history

    def _label(self, label: str, step: tuple[History[StepChange], StepChange] | None) -> str:
        if step is None:
            return ""
        touched = step[1].touched
        if self._view.collection is not None and self._view.collection.identity in touched:
            return label
        collections = self._view.workspace.collections
        name = next((collection.name for collection in collections if collection.identity in touched), "")
        return f"{label} ({name})" if name else label

    @property
    def last_step(self) -> object:
        """The last step done, for comparison with an earlier one; None if there is none."""
        return self._store.state.history.done

    def has_step_here(self) -> bool:
        """True if the step that undo reverts is of the collection in view."""
        undone = self._store.state.history.undo()
        return (
            undone is not None
            and self._view.collection is not None
            and self._view.collection.identity in undone[1].touched
        )

    # --- back and forth ---

    def undo(self) -> bool:
        """Revert the last step and show its collection. False if there is none."""
        return self._walk(back=True)

    def redo(self) -> bool:
        """Repeat the step that was undone last; False if there is none."""
        return self._walk(back=False)

    def drop_last_step(self) -> None:
        """Revert the last step that was applied without a way to redo it; what waits is applied later all the same."""
        step = self._store.state.history.undo()
        if step is not None:
            self._take(step, self._store.state.history.undo_label, back=True)
            history = self._store.state.history
            undone = None if history.undone is None else history.undone.before
            self._store.apply(replace(self._store.state, history=History(history.done, undone)))

    def revert_here(self) -> None:
        """Revert the last steps of the collection in view, all at once and without a message; they can be redone. What
        the user noted of its queries and documents stays."""
        state, here = self._store.state, self._view.collection
        while (step := state.history.undo()) is not None and here is not None and here.identity in step[1].touched:
            history, change = step
            state = with_step(replace(state, history=history), change, back=True)
        if state is not self._store.state:
            if here is not None and state.collection is not None and state.collection.identity == here.identity:
                state = state.with_collection(replace(state.collection, notes=here.notes))
            self._store.apply(_without_offers(state))

    def go_back(self, steps: int) -> None:
        """Undo a number of steps, or redo them if it is negative."""
        number, back = abs(steps), steps > 0
        history = self._awaited
        walked_steps: list[tuple[History[StepChange], StepChange]] = []
        for _ in range(number):
            step = history.undo() if back else history.redo()
            if step is None:
                break
            history = step[0]
            walked_steps.append(step)
        undone = trn("Undone: {n} step", "Undone: {n} steps", number)
        redone = trn("Redone: {n} step", "Redone: {n} steps", number)
        done = "" if number == 1 or len(walked_steps) < number else undone if back else redone
        if number > 1 and (self._store.awaited or any(change.needs_values for _, change in walked_steps)):
            self._walk_when_ready(len(walked_steps), done, back=back)
            return
        for _ in walked_steps:
            self._walk(back=back)
        if done:
            self._store.answer(done)

    def _walk(self, *, back: bool) -> bool:
        awaited = self._store.awaited
        former = (awaited or self._store.state).history
        step = former.undo() if back else former.redo()
        if step is None:
            return False
        label = former.undo_label if back else former.redo_label
        if awaited is not None or step[1].needs_values:
            self._walk_when_ready(1, self._walked(step, label, back=back), back=back)
        else:
            self._take(step, label, back=back)
        return True

    def _walked(self, step: tuple[History[StepChange], StepChange], label: str, *, back: bool) -> str:
        """Return what is said of a step that was taken."""
        named = self._label(label, step)
        return tr("Undone: {step}", step=named) if back else tr("Redone: {step}", step=named)

    def _take(self, step: tuple[History[StepChange], StepChange], label: str, *, back: bool) -> None:
        """Take a step at once, and say so."""
        said = self._walked(step, label, back=back)
        history, change = step
        state = with_step(_without_offers(replace(self._store.state, history=history)), change, back=back)
        if state.current != self._store.state.current:
            state = state_changes.without_hints(state)
        self._apply_step(state, change)
        self._store.answer(said)

    def _walk_when_ready(self, number: int, answer: str, *, back: bool) -> None:
        """Take steps when their values are computed, after those that wait, and say so, unless another one is taken
        meanwhile."""
        before, taken = self._store.state.history, False

        def walked(now: State) -> State:
            nonlocal taken
            taken = self._store.state.history is before
            if not taken:
                return now
            state = _without_offers(now)
            for _ in range(number):
                step = state.history.undo() if back else state.history.redo()
                if step is None:
                    break
                history, change = step
                state = with_step(replace(state, history=history), change, back=back)
                if change.judges:
                    state = state_changes.with_judgments(state, state.chosen.judgments, self._store.plain_context_of)
            return state_changes.without_hints(state) if state.current != now.current else state

        def said() -> None:
            if taken and answer:
                self._store.answer(answer)

        self._store.apply_when_ready(walked, then=said)

    # --- a new step ---

    def do(
        self,
        label: str,
        state: State,
        *,
        message: Message | None = None,
        about: Hashable = None,
        going_on: bool = False,
        quiet: bool = False,
    ) -> bool:
        """Apply ``state`` and record the change of the user's data as an undo step named ``label``; steps that were
        undone can no longer be redone. ``message`` is shown with it. ``going_on`` joins it with the last step if
        both are ``about`` the same. A ``quiet`` step is answered later, see :meth:`tell`. False if no data changed:
        then only the view changes."""
        state = state_changes.with_colours(state, self._store.state)
        change = step_between(self._store.state, state, about)
        if not change:
            self._store.apply(state)
            return False
        label = _short(label)
        history = _with_step(self._store.state.history, label, change, going_on=going_on)
        state = _without_offers(replace(state, history=history))
        if message is not None:
            state = replace(state, messages=(*state.messages, message))
        self._apply_step(state, change)
        if message is None and not going_on and not quiet:
            self._store.answer(tr("Done: {step}", step=label))
        return True

    def tell(self) -> None:
        """Say what the last step did, at the end of a drag."""
        history = self._store.state.history
        label = self._label(history.undo_label, history.undo())
        if label:
            self._store.answer(tr("Done: {step}", step=label))

    def do_when_ready(
        self, label: str, change: Callable[[State], State], about: Hashable = None, *, dragged: bool = False,
        answer: str = "",
    ) -> None:  # fmt: skip
        """Apply a change when its values are computed, as an undo step named ``label``, which continues the last one if
        both are ``about`` the same. ``answer`` is said instead of the name. In a lesson it is no step: a lesson has
        rules of its own, which are not kept."""

        def recorded(state: State) -> State:
            after = change(state)
            return after if is_taught(state) else self.recorded(label, state, after, about)

        def said() -> None:
            if about is None:
                self._store.answer(answer or tr("Done: {step}", step=_short(label)))

        self._store.apply_when_ready(recorded, dragged=dragged, then=said)

    def do_to_data(self, label: str, change: Callable[[State], State], message: Message | None = None) -> None:
        """Apply a change of what is open when what is shown of it is computed, as an undo step named ``label``; in a
        lesson too. ``message`` is shown with it. If nothing changed, only the view does."""
        done = False

        def recorded(state: State) -> State:
            nonlocal done
            after = self.recorded(label, state, change(state))
            done = after.history is not state.history
            return replace(after, messages=(*after.messages, message)) if done and message is not None else after

        def said() -> None:
            if done and message is None:
                self._store.answer(tr("Done: {step}", step=_short(label)))

        self._store.apply_when_ready(recorded, then=said)

    @staticmethod
    def recorded(label: str, before: State, after: State, about: Hashable = None) -> State:
        """Return ``after`` with the change from ``before`` as an undo step named ``label``, for a change that is
        applied when its values are computed; without a step if no data changed. It continues the last step if both are
        ``about`` the same."""
        change = step_between(before, after, about)
        if not change:
            return after
        history = _with_step(before.history, _short(label), change, going_on=about is not None)
        return _without_offers(replace(after, history=history))

    def has_steps(self, collection: Collection) -> bool:
        """True if a collection has steps that can be undone."""
        done = self._store.state.history.without(lambda change: collection.identity not in change.touched)
        return done.done is not None

    def without_steps(self, state: State, identity: object) -> State:
        """Return the state without the steps of a collection that cannot come back."""
        return replace(state, history=state.history.without(lambda change: change.touched == (identity,)))

    def let_closed_go(self) -> None:
        """Forget all but the last few collections that undo could open again, as each is kept in memory."""
        closed = [
            entry.key
            for change in self._store.state.history.changes
            for entry in change.open.entries
            if entry.after is None
        ]
        state = self._store.state
        for identity in closed[MOST_CLOSED:]:
            state = self.without_steps(state, identity)
        self._store.apply(state)

    def _apply_step(self, state: State, change: StepChange) -> None:
        """Apply the state of a step, and keep the numbers of the queries that the step does not change."""
        before, after = self._view.collection, state.collection
        queries = tuple(change.queries)
        plain = before is None or after is None or before.identity != after.identity
        if plain or not 0 < len(queries) <= MOST_FOLLOWED:
            self._store.apply(state)
            return
        assert before is not None
        assert after is not None
        old_context = self._view.context
        assert old_context is not None
        self._store.roles(self._store.state)  # needed again below, while the former numbers are still cached
        edits = _edits(before, after, state.options.with_unjudged)
        self._evaluation.follow(edits, queries)
        if old_context.collection is not before or old_context.judged_only:  # runs ranked, or shortened, by the options
            new_context = self._context_without_keeping(state)
            treated = _edits(old_context.collection, new_context.collection, new_context.options)
            self._evaluation.follow(treated, queries)
            edits += treated
        self._store.apply(state)
        present = {id(evaluation_input.run.scores) for _, evaluation_input in edits} | {
            id(entry.run.scores) for entry in after.runs
        }
        kept = {id(judgment_set.qrels.grades) for judgment_set in after.judgments}
        self._evaluation.forget(
            [evaluation_input.qrels for evaluation_input, _ in edits if id(evaluation_input.qrels.grades) not in kept],
            [evaluation_input.run for evaluation_input, _ in edits if id(evaluation_input.run.scores) not in present],
        )

    def _context_without_keeping(self, state: State) -> EvaluationContext:
        assert state.collection is not None
        choices = replace(state.chosen, query_id="", document_id=None)
        return make_context(state.collection, choices, state.measure, state.cutoff, state.options, self._evaluation)


def _with_step(
    history: History[StepChange], label: str, change: StepChange, *, going_on: bool
) -> History[StepChange]:  # fmt: skip
    """Return the history with a step, which is joined with the last one if it goes on with it."""
    amended = history.amended(label, lambda last: joined(last, change)) if going_on else None
    if amended is None:
        return history.with_step(label, change)
    if amended.done is not None and not amended.done.change:
        return History(amended.done.before)  # a drag back to its start is no step
    return amended


def _short(label: str) -> str:
    """Return the label in one line, shortened for a menu, as ids can be very long."""
    label = " ".join(label.split())
    return label if len(label) <= MOST_LABEL else f"{label[: MOST_LABEL - 20]}…{label[-19:]}"


def _without_offers(state: State) -> State:
    """Return the state without messages that offer to undo what is no longer the last step."""
    kept = tuple(message for message in state.messages if message.action != "undo")
    return state if len(kept) == len(state.messages) else replace(state, messages=kept)


def _edits(
    before: Collection, after: Collection, options: EvaluationOptions
) -> list[tuple[EvaluationInput, EvaluationInput]]:
    """Return the pairs of evaluation inputs that differ, of runs and judgment sets that are in both collections."""
    renamed_inputs = []
    sets = {judgment_set.identity: judgment_set for judgment_set in after.judgments}
    for former in before.judgments:
        present = sets.get(former.identity)
        if present is None:
            continue
        for entry in before.runs:
            other = after.run(entry.key)
            if other is None or (other.run.scores is entry.run.scores and present.qrels is former.qrels):
                continue
            evaluation_input = EvaluationInput(entry.run, former.qrels, options)
            renamed_inputs.append((evaluation_input, EvaluationInput(other.run, present.qrels, options)))
    return renamed_inputs

"""The store: holds the state, applies every new state, and announces what changed.

It knows no particular action. The parts of the session change the state through it, and may hook into a change with
``before``, ``follow`` and ``after``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from psygnal import Signal

from irviewer.errors import IrviewerError, MeasureError
from irviewer.evaluation.evaluation_cache import Evaluation, EvaluationInput
from irviewer.formats.reading.memory import memory
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.changes.history import History
from irviewer.model.protocol import PRESET, EvaluationProtocol
from irviewer.model.workspace import Workspace
from irviewer.session import state_changes
from irviewer.session.cache import Cache
from irviewer.session.changes import Change, changes_between
from irviewer.session.evaluation.context import EvaluationContext, make_context
from irviewer.session.evaluation.default_measures import beside_systems, query_measures, systems_measures
from irviewer.session.evaluation.zscores import zscored
from irviewer.session.messages import Level, Message, error, warning, without_topic
from irviewer.session.runs.displayed_runs import cost_of_showing
from irviewer.session.runs.joined_nuggets import with_joined_nuggets
from irviewer.session.settings import Settings
from irviewer.session.state import State
from irviewer.session.tasks import PAUSE, Busy, Operation, Post, Progress, Tasks
from irviewer.translation import tr

INLINE = 0.05
"""Seconds that go unnoticed; longer work is a task."""

LEAST_KEPT = 512 << 20
"""Bytes of values and joins that are kept on any machine; on a large one a sixteenth of its memory."""

READING = 50
"""How many times longer a measure takes if document lengths have to be read."""

FALLBACK_MEASURE = "nDCG@10"
MOST_MESSAGES = 50


@dataclass(frozen=True)
class _Half:
    """Reports progress of the first half of a task, under its own title."""

    progress: Progress
    title: str

    def __call__(self, share: float) -> None:
        self.progress(share / 2, self.title)


@dataclass(frozen=True)
class _Waiting:
    """A change that waits for values, and what is called once it was applied."""

    change: Callable[[State], State]
    then: Callable[[], object]


def _changed(state: State, changes: tuple[_Waiting, ...]) -> State:
    for each in changes:
        state = each.change(state)
    return state


class Background(Protocol):
    """Results computed in the background; see :mod:`irviewer.session.background`."""

    def follow(self) -> None:
        """Start the computations that the current state needs."""

    def compute_now(self) -> None:
        """Compute what is in view synchronously."""

    def forget(self) -> None:
        """Drop all results."""


class Need(Protocol):
    """What a state needs besides values before it is shown, where it takes long."""

    def seconds(self, state: State, context: EvaluationContext) -> float:
        """Return the estimated seconds that it takes for a state, whose context is given; 0 if it is known."""
        ...

    def compute(self, context: EvaluationContext) -> Callable[[EvaluationContext], object]:
        """Compute it, on any thread. Return what keeps it for the context in view, which is made of the same."""
        ...


OF_ANSWERS_IN_VIEW: dict[str, Any] = {
    "answer_run": None, "answer_columns": 1, "answer_part": ("", "", ""), "answer_hints": True,
}  # fmt: skip
"""Choices that no value depends on."""


class Store:
    """Holds the state. ``post`` delivers results of background work to this thread; without it, all work is
    synchronous.

    changed    a frozenset of :class:`irviewer.session.changes.Change`
    hovered    the document under the pointer; "" for none
    asked      id of a command that needs the window
    answered   a message that says what the user's act did, for the place where it was done; it is not kept
    needs      what a state needs besides values, see :meth:`apply_when_ready`
    before     functions called in this order with the next state; each returns the state to use instead
    follow     functions called in this order after a change was announced; they must not change the state
    background results computed in the background, which register themselves; updated next
    after      functions called last, in this order, with the previous state; they may change the state again
    """

    changed = Signal(frozenset)
    hovered = Signal(str)
    asked = Signal(str)
    answered = Signal(object)

    def __init__(self, settings: Settings | None = None, *, post: Post | None = None) -> None:
        self.settings = settings if settings is not None else Settings()
        measure = _first_measure(self.settings)
        self.state = State(
            measure=measure,
            cutoff=measure.last_rank or 10,
            lists_mode=self.settings["lists_mode"],
            theme=self.settings["theme"],
            protocol=_new_protocol(self.settings),
            messages=(warning(self.settings.trouble),) if self.settings.trouble else (),
        )
        self.evaluation = Evaluation(max(LEAST_KEPT, (memory() or 0) // 16))
        self.cache = Cache(self)
        self.needs: list[Need] = []
        self.before: list[Callable[[State], State]] = []
        self.follow: list[Callable[[], object]] = []
        self.background: list[Background] = []
        self.after: list[Callable[[State], object]] = []
        self.post = post
        self.tasks = Tasks(
            post, changed=partial(self._announce, Change.BUSY), progressed=partial(self._announce, Change.PROGRESS),
            failed=self.on_failure,
        )  # fmt: skip
        self._context: tuple[tuple[object, ...], EvaluationContext] | None = None
        self._context_state: State | None = None
        self._dragged_on: Callable[[State], State] | None = None
        self._waiting: tuple[_Waiting, ...] = ()
        """The changes that the task "evaluate" is for, except one of a drag."""
        self.hovered_document = ""

    def close(self) -> None:
        """Cancel running work, wait for it, and save the settings. May be called twice."""
        self.tasks.close()
        self.settings.save()

    @property
    def busy(self) -> Busy | None:
        """The running work; None if there is none."""
        return self.tasks.busy

    # --- change and announcement ---

    def apply(self, state: State) -> None:
        """Make ``state`` the current state, announce what differs, and update the parts."""
        old = self.state
        for change in self.before:
            state = change(state)
        state = state_changes.with_colours(state, old)
        if state.place == "collections" and len(state.workspace.collections) < 2:
            state = replace(state, place="systems" if state.workspace.collections else "start")
        if not state.workspace.collections and state.history:
            state = replace(state, history=History())  # its collections are closed, and saved elsewhere
        if not state.workspace.collections and old.workspace.collections:
            state = state.with_protocol(_new_protocol(self.settings))
        changes = changes_between(old, state)
        if changes:
            former = self.roles(old) if changes & {Change.MEASURE, Change.COLLECTION} else None
            self.state = state
            if former is not None and former != self.roles(state):
                changes.add(Change.RUNS)
            if Change.WORKSPACE in changes:
                self.evaluation.drop(_pairs(old.workspace, old), _pairs(state.workspace, state))
                if not _identities(old) <= _identities(state):
                    self._let_go()
            self.changed.emit(frozenset(changes))
            for follow in self.follow:
                follow()
            if self.tasks.threaded:
                for results in self.background:
                    results.follow()
        for after in self.after:
            after(old)
        for fault in self.evaluation.take_faults():
            self.say(error(fault))

    def _let_go(self) -> None:
        """Drop what was kept of a closed collection, and what of others is kept in the same places: keys do not tell of
        which it is."""
        if self.state.collection is None:
            self._context = self._context_state = None
        self.cache.clear()
        self.evaluation.drop_shared()
        for results in self.background:
            results.forget()

    def hover(self, doc_id: str) -> None:
        """Set the document under the pointer ("" for none) and announce it separately: no view model depends on it."""
        if doc_id != self.hovered_document:
            self.hovered_document = doc_id
            self.hovered.emit(doc_id)

    @property
    def awaited(self) -> State | None:
        """The state with all changes that wait for :meth:`apply_when_ready`; None if none waits."""
        return _changed(self.state, self._waiting) if self._waiting and self.tasks.under_way("evaluate") else None

    @property
    def context(self) -> EvaluationContext | None:
        """The input of the view models; None if nothing is open."""
        state = self.state
        if self._context is not None and self._context_state is state:
            return self._context[1]
        return None if state.collection is None else self.context_of(state)

    def apply_when_ready(
        self, change: Callable[[State], State], *, dragged: bool = False, then: Callable[[], object] = lambda: None
    ) -> None:
        """Apply a change that needs rankings, values or other ``needs`` which may not be computed yet: immediately, or
        after a task. ``then`` is called once it was applied, and never if the task is cancelled. A change that still
        waits is applied before it, at the same time.

        While the user drags (``dragged``), the task computes only what is in view, and its result is shown before the
        newest position is computed; otherwise nothing would move until the drag ends. The rest is computed then."""
        if dragged and self._dragged_on is not None and self.tasks.under_way("evaluate"):
            self._dragged_on = change
            return
        waiting = self._waiting if self.tasks.under_way("evaluate") else ()
        self._apply_when_ready((*waiting, _Waiting(change, then)), dragged and not waiting)

    def _apply_when_ready(self, changes: tuple[_Waiting, ...], dragged: bool = False) -> None:
        """Apply changes at the same time, when all is there that is shown after the last."""
        former = self.state
        wanted = _changed(former, changes)
        self._waiting = ()
        if not self.tasks.threaded or self._seconds_until(wanted, dragged) < INLINE:
            self.tasks.cancel("evaluate")  # an older change must not arrive after this one
            self._dragged_on = None
            self.apply(wanted)
            for each in changes:
                each.then()
            if dragged:
                self._compute_later()
            return
        title = tr("Computing {measure}", measure=wanted.measure)
        ranking = tr("Leaving out unjudged documents") if wanted.options.judged_only else tr("Ranking documents")

        def work(progress: Progress) -> list[Callable[[EvaluationContext], object]]:
            groups = self._needed(wanted, _Half(progress, ranking), in_view=dragged)
            for number, (evaluation_input, measures) in enumerate(groups):
                progress(0.5 + 0.5 * number / len(groups), title)
                self.evaluation.warm(evaluation_input, measures)
            if dragged or wanted.collection is None:
                return []
            progress(None, title)
            context = self._make_context(wanted)
            context.unmatched  # noqa: B018 - of the runs as they were opened, whichever documents are left out
            return [need.compute(context) for need in self.needs]

        def done(computed: list[Callable[[EvaluationContext], object]]) -> None:
            newest, self._dragged_on, self._waiting = self._dragged_on, None, ()
            now, state = self.state, _changed(self.state, changes)
            same = wanted.collection is not None and (
                _made_of(state) == _made_of(wanted)
                # A change of the collection makes another one each time.
                or (_changed_by(now) == _changed_by(former) and state.current == wanted.current)
            )
            if not (same or dragged) and self._seconds_until(state) >= INLINE:  # another order was chosen meanwhile
                self._apply_when_ready(changes)
                return
            if same:
                context = self._make_context(state)
                for keep in computed:
                    keep(context)
            self.apply(state)
            for each in changes:
                each.then()
            if dragged:
                if newest is not None and newest is not changes[-1].change:
                    self.apply_when_ready(newest, dragged=True)
                else:
                    self._compute_later()

        def failed(failure: BaseException) -> None:
            self._dragged_on, self._waiting = None, ()
            self.on_failure(failure)
            if len(changes) > 1:
                self._apply_when_ready(changes[:-1])

        self._dragged_on, self._waiting = (changes[-1].change, ()) if dragged else (None, changes)
        self.tasks.run(Operation("evaluate", work, done, failed, title=title, urgent=True))

    def show_when_ready(self, change: Callable[[State], State], then: Callable[[], object]) -> None:
        """Apply a change of which runs are shown, and of no other values: immediately, or when a task has computed what
        is in view of them; ``then`` as in :meth:`apply_when_ready`. What else changes meanwhile stays; only a newer
        change of the same kind takes its place."""
        wanted = change(self.state)

        def done(_: None) -> None:
            self.apply(change(self.state))
            then()

        if not self.tasks.threaded or self._cost(wanted, in_view=True) < INLINE:
            self.tasks.cancel("shown")
            done(None)
            return

        def work(progress: Progress) -> None:
            groups = self._needed(wanted, in_view=True)
            for number, (evaluation_input, measures) in enumerate(groups):
                progress(number / len(groups))
                self.evaluation.warm(evaluation_input, measures)

        title = tr("Computing {measure}", measure=wanted.measure)
        self.tasks.run(Operation("shown", work, done, title=title, urgent=True))

    def _compute_later(self) -> None:
        """Compute what the other places show, after a drag has ended."""
        state = self.state
        if not self.tasks.threaded or self._cost(state) < INLINE:
            return

        def work(progress: Progress) -> None:
            for evaluation_input, measures in self._needed(state):
                for measure in measures:
                    progress(None)
                    self.evaluation.warm(evaluation_input, (measure,))

        self.tasks.run(Operation("later", work, lambda _: None, quiet=True, after=PAUSE))

    def _seconds_until(self, state: State, dragged: bool = False) -> float:
        """Return the estimated seconds until all is there that a state needs; nothing but its values in view while the
        user drags."""
        seconds = self._cost(state, dragged)
        if dragged or seconds >= INLINE or state.collection is None or not state.collection.judgments:
            return seconds
        context = self._make_context(state)
        return seconds + sum(need.seconds(state, context) for need in self.needs)

    def _cost(self, state: State, in_view: bool = False) -> float:
        """Return the estimated seconds that showing a state would take."""
        collection = state.collection
        if collection is None or not collection.judgments:
            return 0.0
        qrels = collection.judgments[min(state.chosen.judgments, len(collection.judgments) - 1)].qrels
        ranking = cost_of_showing(collection, qrels, state.options, self.evaluation)
        if ranking >= INLINE:
            return ranking
        return ranking + sum(
            self.evaluation.cost([evaluation_input], measures)
            * (1 if evaluation_input.options.lengths is None else READING)
            for evaluation_input, measures in self._needed(state, in_view=in_view)
        )

    def _needed(
        self, state: State, progress: Callable[[float], object] | None = None, *, in_view: bool = False
    ) -> list[tuple[EvaluationInput, tuple[Measure, ...]]]:
        """Return the evaluation inputs of a state, each with the measures of the tables (``in_view``: of the current
        place only). May be called from any thread."""
        if state.collection is None:
            return []
        choices = replace(state.chosen, query_id="", document_id=None, pinned=("", ""), **OF_ANSWERS_IN_VIEW)
        context = make_context(
            state.collection, choices, state.measure, state.cutoff, state.options, self.evaluation, progress
        )
        systems = systems_measures(
            context.depth,
            state.measure,
            self.settings["table_measures"],
            context.stored_measures,
            graded=context.graded,
        )
        systems = (*systems, *beside_systems(context.cutoff, len(context.system_runs)))
        queries = query_measures(context.depth, state.measure, context.stored_measures, graded=context.graded)
        if not in_view:
            return context.pairs_of((*systems, *queries))
        if state.place == "systems":
            return context.pairs_of(systems)
        chosen = context.pairs_of((state.measure,))
        if state.place != "query":
            return chosen
        others = (measure for measure in queries if measure != state.measure)
        return [*chosen, *context.pairs_of(others, context.shown_runs)]

    def on_failure(self, failure: BaseException) -> None:
        """Show an error of the user's data as a message; raise any other exception."""
        if not isinstance(failure, IrviewerError):
            raise failure  # a defect of the program: the event loop reports it
        self.say(error(str(failure)))

    def _announce(self, change: Change) -> None:
        self.changed.emit(frozenset({change}))

    def choose(self, **what: Any) -> None:
        """Change choices in the collection in view; does nothing if nothing is open."""
        if self.state.current >= 0:
            self.apply(self.state.with_chosen(replace(self.state.chosen, **what)))

    def say(self, message: Message) -> None:
        """Show a message."""
        if message not in self.state.messages:
            self.apply(replace(self.state, messages=(*self.state.messages, message)[-MOST_MESSAGES:]))

    def answer(self, text: str) -> None:
        """Say what the user's act did, at the place where it was done."""
        self.answered.emit(Message(Level.INFO, text))

    def plain_context_of(self, state: State) -> EvaluationContext:
        """Return a context for what does not depend on rankings, such as the queries and their order. Costs nothing."""
        assert state.collection is not None
        collection = with_joined_nuggets(state.collection, state.chosen.judgments, self.evaluation)
        return EvaluationContext(
            collection, state.chosen, state.measure, state.cutoff, state.options, self.evaluation
        )  # fmt: skip

    def roles(self, state: State) -> tuple[int | None, int | None]:
        """Return the keys of baseline and focus."""
        if state.collection is None:
            return None, None
        context = self.context_of(state)
        return context.baseline, context.focus

    def context_of(self, state: State) -> EvaluationContext:
        """Return the context of a state in which a collection is open."""
        if self._context is not None and self._context_state is state:
            return self._context[1]
        assert state.collection is not None
        key = _made_of(state)
        if self._context is None or self._context[0] != key:
            self._context = (key, self._make_context(state))
        self._context_state = state
        return self._context[1]

    def _make_context(self, state: State) -> EvaluationContext:
        """Return a new context of a state in which a collection is open. Any thread may."""
        collection, choices, _, cutoff, options = _made_of(state)
        return zscored(make_context(collection, choices, state.measure, cutoff, options, self.evaluation))

    def dismiss_message(self, message: Message) -> None:
        """Remove this message, not another that says the same; one that has gone already is no fault: what shows it is
        refreshed later."""
        messages = tuple(other for other in self.state.messages if other is not message)
        if len(messages) < len(self.state.messages):
            self.apply(replace(self.state, messages=messages))

    def forget(self, topic: str) -> None:
        """Remove the messages of a topic, which are no longer true."""
        kept = without_topic(self.state.messages, topic)
        if len(kept) < len(self.state.messages):
            self.apply(replace(self.state, messages=kept))


def _made_of(state: State) -> tuple[Any, ...]:
    """Return all that a context is made of."""
    choices = replace(
        state.chosen, query_id="", document_id=None, pinned=("", ""), brushed=frozenset(), **OF_ANSWERS_IN_VIEW
    )
    return state.collection, choices, str(state.measure), state.cutoff, state.options


def _changed_by(state: State) -> tuple[Any, ...]:
    """Return all that a change of what a context is made of begins with."""
    scopes = tuple(choices.scope for choices in state.choices)
    return *_made_of(state), state.workspace, scopes, state.history, state.protocol, state.current


def _first_measure(settings: Settings) -> Measure:
    try:
        return parse_measure(settings["measure"])
    except MeasureError:
        return parse_measure(FALLBACK_MEASURE)


def _new_protocol(settings: Settings) -> EvaluationProtocol:
    """Return the protocol of a new project."""
    return PRESET.but(**settings["inference"])


def _identities(state: State) -> frozenset[str]:
    return frozenset(collection.identity for collection in state.workspace.collections)


def _pairs(workspace: Workspace, state: State) -> list[EvaluationInput]:
    return [
        EvaluationInput(entry.run, judgments.qrels, state.options)
        for collection in workspace.collections
        for judgments in collection.judgments
        for entry in collection.runs
    ]

"""How the session changes: one door for every new state, one announcement, tasks for what takes more than a moment.

What a person can do is in ``session.py``; this knows no single action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from psygnal import Signal

from irviewer.errors import IrviewerError, MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.history import History
from irviewer.model.workspace import Workspace
from irviewer.session import state_changes
from irviewer.session.context import Scene, make_scene
from irviewer.session.default_measures import cutoff_of, query_measures, systems_measures
from irviewer.session.displayed_runs import cost_of_showing
from irviewer.session.document_lengths import pairs_of
from irviewer.session.evaluation_cache import Pair
from irviewer.session.messages import Message, error, info, warning
from irviewer.session.queries import SessionView
from irviewer.session.settings import Settings
from irviewer.session.state import State
from irviewer.session.tasks import PAUSE, Busy, Post, Progress, Tasks

INLINE = 0.05
"""Seconds that a person does not notice; what takes longer is a task."""

READING = 50
"""How many times as much it costs to look up how long documents are."""

FINISHING = 5.0
"""Seconds that whoever closes the window waits for files that are being saved before they are asked."""

FALLBACK_MEASURE = "nDCG@10"
MOST_MESSAGES = 50


@dataclass(frozen=True)
class _Half:
    """Progress of the first half of a task, under a title of its own."""

    progress: Progress
    title: str

    def __call__(self, share: float) -> None:
        self.progress(share / 2, self.title)


class SessionCore(SessionView):
    """``post`` delivers results of background work to this thread; without it, work runs at once.

    changed    frozenset of aspects (``Session.aspects``)
    hovered    the document under the pointer, "" none
    asked      the id of a command that needs the window
    """

    changed = Signal(frozenset)
    hovered = Signal(str)
    asked = Signal(str)

    def __init__(self, settings: Settings | None = None, *, post: Post | None = None) -> None:
        settings = settings if settings is not None else Settings()
        measure = _first_measure(settings)
        state = State(
            measure=measure,
            cutoff=cutoff_of(measure) or 10,
            lists_mode=settings["lists_mode"],
            theme=settings["theme"],
            messages=(warning(settings.trouble),) if settings.trouble else (),
        )
        super().__init__(settings, state)
        self._tasks = Tasks(post, changed=self._announce_busy)
        self._openings = 0
        self._dragged_on: Callable[[State], State] | None = None

    def close(self) -> None:
        """Cancel and join what is under way, save the settings. May be called twice."""
        self._tasks.close()
        self.settings.save()

    @property
    def left_reading(self) -> bool:
        """True where a closed session left work that still waits for a file."""
        return any(one.is_alive() for one in self._tasks.left)

    @property
    def busy(self) -> Busy | None:
        """The work under way."""
        return self._tasks.busy

    # --- files ---

    def file_folder(self) -> str:
        """The folder that the next file dialog begins in, "" the first time."""
        return str(self.settings["last_folder"])

    def save_file(self, path: str, write: Callable[[str], object]) -> None:
        """Have ``write(path)`` write a file in the background, and say what became of it."""
        self.settings["last_folder"] = str(Path(path).resolve().parent)

        def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
            progress(None)
            write(path)

        def done(_: None) -> None:
            self.say(info(f"Saved {path}"))

        title = f"Saving {Path(path).name}"
        self._tasks.submit(f"save {path}", work, done, self._on_failure, title=title, writes=True)

    def finish_files(self) -> tuple[str, ...]:
        """Wait a moment for files that are being saved; a line for each that is not on the disk then, and why. Whoever
        closes the window is asked."""
        return self._tasks.finish_writing(FINISHING)

    # --- change and announcement ---

    def _apply(self, state: State) -> None:
        old = self._state
        state = state_changes.with_colours(state)
        if not state.workspace.collections and state.history:
            state = replace(state, history=History())  # what it speaks of is closed, and kept elsewhere
        aspects = state_changes.aspects_between(old, state)
        if not aspects:
            return
        former = self._roles(old) if aspects & {"measure", "collection"} else None
        self._state = state
        if former is not None and former != self._roles(state):
            aspects.add("runs")
        if "workspace" in aspects:
            self._evaluation.drop(_pairs(old.workspace, old), _pairs(state.workspace, state))
        self.changed.emit(frozenset(aspects))
        self._follow()

    def catch_up(self) -> None:
        """Do at once what would come in the background; each part of the session adds its own."""

    def _follow(self) -> None:
        """Begin, in the background, what the new state wants; each part of the session adds its own. It may submit
        tasks and cancel them, and changes no state."""

    def _plain_scene_of(self, state: State) -> Scene:
        """A scene for what does not depend on how runs are ranked: its queries, their order. Costs nothing."""
        assert state.collection is not None
        return Scene(
            state.collection, state.chosen, state.measure, state.cutoff, state.options, self._evaluation
        )  # fmt: skip

    def _roles(self, state: State) -> tuple[int | None, int | None]:
        if state.collection is None:
            return None, None
        scene = self._scene_of(state)
        return scene.baseline, scene.focus

    def _apply_when_ready(self, change: Callable[[State], State], *, dragged: bool = False) -> None:
        """Apply a change that wants rankings or numbers which may not be there: at once, or when a task has them.

        Where the hand drags, only what is in view is waited for, and what is under way is shown before the newest place
        that the hand has come to: else nothing would follow until it rests. The remainder is computed when it does."""
        if dragged and self._dragged_on is not None and self._tasks.under_way("evaluate"):
            self._dragged_on = change
            return
        wanted = change(self._state)
        if not self._tasks.threaded or self._cost(wanted, dragged) < INLINE:
            self._tasks.cancel("evaluate")  # an older wish must not arrive after this one
            self._dragged_on = None
            self._apply(wanted)
            if dragged:
                self._compute_later()
            return
        title = f"Computing {wanted.measure}"
        ranking = "Leaving out what nobody judged" if wanted.options.judged_only else "Ranking by other rules"

        def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
            groups = self._needed(wanted, _Half(progress, ranking), in_view=dragged)
            for number, (pair, measures) in enumerate(groups):
                progress(0.5 + 0.5 * number / len(groups), title)
                self._evaluation.warm(pair, measures)

        def done(_: None) -> None:
            newest, self._dragged_on = self._dragged_on, None
            self._apply(change(self._state))
            if dragged:
                if newest is not None and newest is not change:
                    self._apply_when_ready(newest, dragged=True)
                else:
                    self._compute_later()

        def failed(failure: BaseException) -> None:
            self._dragged_on = None
            self._on_failure(failure)

        self._dragged_on = change if dragged else None
        self._tasks.submit("evaluate", work, done, failed, title=title, urgent=True)

    def _compute_later(self) -> None:
        """What the other places show of the present state, when the hand rests."""
        state = self._state
        if not self._tasks.threaded or self._cost(state) < INLINE:
            return

        def work(progress: Progress, cancelled: Callable[[], bool]) -> None:
            for pair, measures in self._needed(state):
                for measure in measures:
                    progress(None)
                    self._evaluation.warm(pair, (measure,))

        self._tasks.submit("later", work, lambda _: None, self._on_failure, quiet=True, after=PAUSE)

    def _cost(self, state: State, in_view: bool = False) -> float:
        """Seconds that showing a state would take now, estimated."""
        collection = state.collection
        if collection is None or not collection.judgments:
            return 0.0
        qrels = collection.judgments[min(state.chosen.judgments, len(collection.judgments) - 1)].qrels
        ranking = cost_of_showing(collection, qrels, state.options, self._evaluation)
        if ranking >= INLINE:
            return ranking
        return ranking + sum(
            self._evaluation.cost([pair], measures) * (1 if pair.options.lengths is None else READING)
            for pair, measures in self._needed(state, in_view=in_view)
        )

    def _needed(
        self, state: State, progress: Callable[[float], object] | None = None, *, in_view: bool = False
    ) -> list[tuple[Pair, tuple[Measure, ...]]]:
        """The runs as a state shows them with the qrels, each with measures of the tables (``in_view``: of the place's
        alone); any thread may ask."""
        if state.collection is None:
            return []
        choices = replace(state.chosen, query_id="", document_id=None, pinned=("", ""))
        scene = make_scene(
            state.collection, choices, state.measure, state.cutoff, state.options, self._evaluation, progress
        )
        systems = systems_measures(scene.depth, state.measure, self.settings["table_measures"])
        queries = query_measures(scene.depth, state.measure)
        if not in_view:
            return pairs_of(scene, (*systems, *queries))
        if state.place == "systems":
            return pairs_of(scene, systems)
        chosen = pairs_of(scene, (state.measure,))
        if state.place != "query":
            return chosen
        others = (one for one in queries if one != state.measure)
        return [*chosen, *pairs_of(scene, others, scene.shown_runs)]

    def _on_failure(self, failure: BaseException) -> None:
        if not isinstance(failure, IrviewerError):
            raise failure  # a fault of the program itself: whoever runs the loop says so
        self.say(error(str(failure)))

    def _announce_busy(self) -> None:
        self.changed.emit(frozenset({"busy"}))

    def _try(self, change: Callable[[State], State]) -> None:
        try:
            self._apply(change(self._state))
        except IrviewerError as failure:
            self.say(error(str(failure)))

    def _choose(self, **what: Any) -> None:
        """Other choices in the collection in view; nothing where nothing is open."""
        if self._state.current >= 0:
            self._apply(self._state.with_chosen(replace(self._state.chosen, **what)))

    def say(self, message: Message) -> None:
        """Tell the person something."""
        if message not in self.messages:
            self._apply(replace(self._state, messages=(*self.messages, message)[-MOST_MESSAGES:]))


def _first_measure(settings: Settings) -> Measure:
    try:
        return parse_measure(settings["measure"])
    except MeasureError:
        return parse_measure(FALLBACK_MEASURE)


def _pairs(workspace: Workspace, state: State) -> list[Pair]:
    return [
        Pair(entry.run, judgments.qrels, state.options)
        for collection in workspace.collections
        for judgments in collection.judgments
        for entry in collection.runs
    ]

"""Textbook mode: worked examples and typed rankings opened as small collections."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluate import evaluate
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.rankings.inline_ranking import InlineRanking, parse_inline_ranking
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session import state_changes
from irviewer.session.evaluation.default_measures import cutoff_of
from irviewer.session.files.import_result import ImportResult
from irviewer.session.messages import error
from irviewer.session.state import State
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.teaching.example_data import EXAMPLES, Example, example
from irviewer.session.teaching.lesson import Lesson, LessonBefore
from irviewer.session.view import View
from irviewer.translation import tr

NOTE = "example"
TYPED = "typed"
"""Keys of the notes of a collection for teaching, which holds no work of the user."""


class ExampleService:
    """Worked examples and typed rankings as collections. Their measure, cutoff and relevance level are not kept: when
    another collection is shown again, it has its former ones."""

    def __init__(self, store: Store, view: View) -> None:
        self._store = store
        self._view = view

    _work: tuple[Measure, int, float] | None = None

    def before_update(self, state: State) -> State:
        """Return the new state, with the options stored for the collection that is shown."""
        before = self._store.state
        if is_taught(state) and not is_taught(before):
            self._work = (before.measure, before.cutoff, before.options.level)
        if state.collection is not before.collection and _what(state) != _what(before):
            state = _come_back(_left(state, before))
        return state

    def after_update(self, before: State) -> None:
        """Restore the options of before the lesson when another collection is shown."""
        if self._work is None or not is_taught(before) or is_taught(self._store.state):
            return
        (measure, cutoff, level), self._work = self._work, None
        if self._store.state.measure != before.measure:
            return  # a project brings its own
        self._store.apply_when_ready(
            lambda now: replace(now, measure=measure, cutoff=cutoff, options=replace(now.options, level=level))
        )

    @property
    def every(self) -> tuple[Example, ...]:
        """The worked examples, binary ones first."""
        return EXAMPLES

    @property
    def example(self) -> Example | None:
        """The example in view; None if the collection is no example."""
        noted = None if self._view.collection is None else self._view.collection.notes.get(NOTE)
        return noted if isinstance(noted, Example) else None

    def open_example(self, name: str) -> bool:
        """Open a worked example by its id or title, and select its measure; if it is open, show it."""
        wanted = example(name)
        if wanted is None:
            names = ", ".join(each.id for each in EXAMPLES)
            self._store.say(error(tr("Unknown example {name!r}; choose one of {names}.", name=name, names=names)))
            return False
        for number, collection in enumerate(self._view.workspace.collections):
            if collection.notes.get(NOTE) == wanted:
                state = (
                    self._store.state
                    if number == self._store.state.current
                    else state_changes.without_hints(self._store.state)
                )
                self._store.apply(replace(state, current=number, place="query"))
                break
        else:
            self._open_inline_ranking(
                parse_inline_ranking(wanted.text, name=wanted.title), wanted.title, {NOTE: wanted}
            )
        self.set_example_measure()
        return True

    def set_example_measure(self) -> None:
        """Select the measure and the relevance level of the example in view."""
        if self.example is not None:
            measure = parse_measure(self.example.measure)
            cutoff = cutoff_of(measure) or self._view.cutoff
            level = self.example.level
            self._store.apply_when_ready(
                lambda now: replace(now, measure=measure, cutoff=cutoff, options=replace(now.options, level=level))
            )

    def open_inline_ranking(self, text: str, name: str = "typed") -> bool:
        """Open typed rankings (``1 0 1 1 0 | R=10``); False, with a message, if they cannot be read."""
        try:
            ranking = parse_inline_ranking(text, name=name)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return False
        self._open_inline_ranking(ranking, name, {TYPED: text})
        return True

    def _open_inline_ranking(self, ranking: InlineRanking, name: str, notes: dict[str, object]) -> None:
        collection = Collection(
            name, judgments=(JudgmentSet(ranking.qrels, Regime.COMPLETE, chosen=True),), notes={**notes, "named": True}
        ).with_runs(ranking.runs)
        place = len(self._view.workspace.collections)
        workspace = Workspace((*self._view.workspace.collections, collection))
        import_result = ImportResult(workspace, new=[place], touched=[place])
        self._store.apply(
            state_changes.with_import_result(
                self._store.state, import_result, Opening(), self._store.context_of, hints=False
            )
        )


def is_taught(state: State) -> bool:
    """Return True if the collection in view is an example or a typed ranking."""
    return state.collection is not None and not {NOTE, TYPED}.isdisjoint(state.collection.notes)


def _left(state: State, before: State) -> State:
    """Return the state with the present options stored for the collection that was in view, if it is still open."""
    open_now = enumerate(state.workspace.collections)
    place = next((number for number, collection in open_now if collection is before.collection), state.current)
    if place == state.current:
        return state
    left = LessonBefore(before.measure, before.cutoff, before.options.level, before.lesson)
    choices = list(state.choices)
    choices[place] = replace(choices[place], left=left)
    return replace(state, choices=tuple(choices))


def _come_back(state: State) -> State:
    """Return the state with the options stored for the collection that is shown, or the initial ones if it was not
    shown before; textbook mode is on or off for all."""
    if state.collection is None:
        return state
    left, now = state.chosen.left, state.lesson
    if left is None:
        if is_taught(state):
            state = replace(state, options=replace(state.options, level=_level(state)))
        return replace(state, lesson=Lesson(on=now.on, view=now.view))
    state = state.with_chosen(replace(state.chosen, left=None))
    if not is_taught(state):
        return replace(state, lesson=replace(left.lesson, on=now.on, view=now.view))
    return replace(
        state,
        measure=left.measure,
        cutoff=left.cutoff,
        options=replace(state.options, level=left.level),
        lesson=replace(left.lesson, on=now.on),
    )


def _what(state: State) -> tuple[object, ...]:
    """Return what identifies the lesson in view."""
    notes = {} if state.collection is None else state.collection.notes
    return state.current, notes.get(NOTE), notes.get(TYPED)


def _level(state: State) -> float:
    """Return the relevance level of the lesson in view."""
    noted = None if state.collection is None else state.collection.notes.get(NOTE)
    return noted.level if isinstance(noted, Example) else 1.0


@dataclass(frozen=True)
class InlineRankingValues:
    """The values of rankings while they are typed: ``rows`` are (name, a value for each of ``measures``); the means if
    there are several queries."""

    measures: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def inline_ranking_values(text: str) -> InlineRankingValues:
    """Return the values of a typed text. Raises IrviewerError if it cannot be read."""
    typed = parse_inline_ranking(text)
    n = max(int(run.offsets[1] - run.offsets[0]) for run in typed.runs)
    graded = typed.qrels.max_grade > 1
    measures = ["AP", "nDCG", *(["DCG"] if graded else []), f"P@{min(n, 10)}", f"R@{min(n, 10)}", "RR"]
    results = [evaluate(typed.qrels, [run], measures) for run in typed.runs]
    rows = tuple(
        (run.name, tuple(result.mean(measure, run.name) for measure in measures))
        for run, result in zip(typed.runs, results, strict=True)
    )
    return InlineRankingValues(tuple(measures), rows)

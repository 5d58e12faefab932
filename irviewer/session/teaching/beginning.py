"""How a lesson begins, and what is restored after it: pure functions on states.

A lesson or a typed ranking begins clean: its own measure, cutoff, relevance level, rules and views, whatever was shown
before."""

from __future__ import annotations

from dataclasses import replace

from irviewer.measures.parser import parse_measure
from irviewer.model.dialects import dialect_of
from irviewer.model.judgments.overlay import JudgmentOverlay
from irviewer.model.lessons.lesson import TEXTBOOK, Asked, Lesson, LessonView, Question, Step
from irviewer.model.protocol import Rules
from irviewer.model.workspace import Collection
from irviewer.session.evaluation.context import usual_baseline
from irviewer.session.lecture_table.columns import column_named
from irviewer.session.lecture_table.progress import Cell, LectureTable, TableProgress, table_of
from irviewer.session.state import Place, State
from irviewer.session.teaching.lesson import LESSON, TAUGHT, Given, LessonBefore, LessonState

RULES = "rules"
"""Key of the note of a typed ranking with the name of its dialect."""

_SHOWN: dict[str, tuple[Place, str]] = {
    "queries": ("queries", "table"),
    "systems": ("systems", ""),
    "compare": ("compare", "pair"),
    "slices": ("compare", "slices"),
    "pool": ("compare", "pool"),
}
"""What a lesson shows -> place and tab; all others are in Query."""
_VIEWS = {"table": "table", "sets": "sets", "f": "f", "pooling": "pool", "curves": "curves"}
"""What a lesson shows -> the view of textbook mode; all others are rank by rank."""


def lesson_of(state: State) -> Lesson | None:
    """Return the lesson in view; None if the collection in view is none."""
    noted = None if state.collection is None else state.collection.notes.get(LESSON)
    return noted if isinstance(noted, Lesson) else None


def is_taught(state: State) -> bool:
    """Return True if the collection in view is a lesson or a typed ranking."""
    return state.collection is not None and not TAUGHT.isdisjoint(state.collection.notes)


def is_asking(state: State) -> bool:
    """Return True while the question in view has no right answer yet, so that no value may be shown."""
    if not state.lesson.on:
        return False
    lesson = lesson_of(state)
    question = None if lesson is None else lesson.item_at(state.lesson.place)
    return isinstance(question, Question) and not is_answered(state.lesson.given(state.lesson.place))


def is_answered(given: Given | None) -> bool:
    """Return whether an answer is right, or was shown."""
    return given is not None and (given.right or given.shown)


def covers_values(state: State) -> bool:
    """Return True while a question asks, and in a lesson that covers its values also at its beginning and its questions
    until all are answered. A step shows what it does."""
    if is_asking(state):
        return True
    lesson = lesson_of(state)
    if not state.lesson.on or lesson is None or isinstance(lesson.item_at(state.lesson.place), Step):
        return False
    return _still_covers(state, lesson)


def _still_covers(state: State, lesson: Lesson) -> bool:
    """Return whether a lesson covers its values, and a question has no answer yet."""
    questions = (n for n, item in enumerate(lesson.items, start=1) if isinstance(item, Question))
    return lesson.covers and not all(is_answered(state.lesson.given(n)) for n in questions)


def as_written(collection: Collection) -> Collection:
    """Return the collection of a lesson with the rankings and judgments of its file, without what was changed."""
    runs = tuple(run for run in collection.runs if run.edited is None)
    judgments = tuple(each.with_overlay(JudgmentOverlay()) for each in collection.judgments)
    return replace(collection, runs=runs, judgments=judgments)


def is_changed(collection: Collection) -> bool:
    """Return whether a list of the collection was edited in a copy, or a document judged."""
    return any(run.edited is not None for run in collection.runs) or any(each.overlay for each in collection.judgments)


def begun(state: State) -> State:
    """Return the state with the lesson or the typed ranking in view at its beginning."""
    lesson = lesson_of(state)
    former = state.lesson
    begins = LessonState(on=former.on, presented=former.presented)
    state = replace(state, lesson=begins, thresholds=None, explaining=False)
    if lesson is not None:
        return shown_at(state, lesson, 0)
    notes = {} if state.collection is None else state.collection.notes
    return _shown(state, LessonView(_typed_measure(state), level=1.0), str(notes.get(RULES, TEXTBOOK)))


def shown_at(state: State, lesson: Lesson, place: int) -> State:
    """Return the state that shows a place of the lesson in view: 0 the beginning, then the items. A question is asked
    beside the lists, where values are covered, if the lesson is shown in another view than Query; so does a lesson
    begin that covers its values."""
    state = replace(state, lesson=replace(state.lesson, place=place, before=None, before_of=""))
    view, item = lesson.view_at(place), lesson.item_at(place)
    if view.show in _SHOWN and (isinstance(item, Question) or (item is None and _still_covers(state, lesson))):
        view = replace(view, show="lists")
    state = _shown(state, view, lesson.rules)
    asked = item.asked if isinstance(item, Question) else None
    state = _with_table(state, view, None if asked is None or not asked.column else asked, begins=not place)
    return _with_later_covered(state, lesson, place) if asked is not None and asked.column else state


def _with_later_covered(state: State, lesson: Lesson, place: int) -> State:
    """Return the state with the open cells of the lecture's table covered that a question further on asks for, and what
    follows from them."""
    table, runs = state.lecture_table, state.collection.runs if state.collection else ()
    if not runs:
        return state
    rankings = ((runs[0].key, state.chosen.query_id), table.second)
    covered = set(table.progress.covered)
    for later, item in enumerate(lesson.items[place:], start=place + 1):
        asked = item.asked if isinstance(item, Question) and not is_answered(state.lesson.given(later)) else None
        column = None if asked is None or not asked.column else column_named(asked.column)
        if asked is None or column is None:
            continue
        key = next((run.key for run in runs if run.name == asked.run), runs[0].key)
        query = asked.query or lesson.view_at(later).query or state.chosen.query_id
        halves = [half for half, ranking in enumerate(rankings) if ranking == (key, query)]
        ranks = range(asked.rank, table.progress.row + 1)
        covered |= {
            Cell(half, rank, each) for half in halves for rank in ranks for each in (column.id, *column.leads_to)
        }
    return replace(state, lecture_table=replace(table, progress=replace(table.progress, covered=frozenset(covered))))


def _with_table(state: State, view: LessonView, asked: Asked | None, *, begins: bool) -> State:
    """Return the state with the lecture's table of a place: its columns, and the cell that it asks. It stays uncovered
    from place to place."""
    assert state.collection is not None
    of = table_of(state.current, state.collection.name)
    table = state.lecture_table
    if begins or table.of != of:
        table = LectureTable(of, formulas=state.lecture_table.formulas)
    columns, beside = (
        tuple(column.id for name in names if (column := column_named(name)) is not None)
        for names in (view.columns, view.columns_beside or view.columns)
    )
    table = replace(
        table, query_id=state.chosen.query_id, columns=(columns, beside), asked=None, second=_beside(state, view.beside)
    )
    if asked is None:
        return replace(state, lecture_table=table)
    column = column_named(asked.column)
    if column is None:
        return replace(state, lecture_table=table)
    first = state.collection.runs[0].name if state.collection.runs else ""
    cell = Cell(int(asked.run not in ("", first)), asked.rank, column.id)
    table = replace(table, asked=frozenset({column.id}), progress=TableProgress.asking(cell))
    return replace(state, lecture_table=table, lesson=replace(state.lesson, view="table"))


def _shown(state: State, view: LessonView, rules: str) -> State:
    measure = parse_measure(view.measure, dialect_of(rules).names)
    longest = _longest(state)
    cutoff = view.cutoff or measure.last_rank or longest
    level = 1.0 if view.level is None else view.level
    place, tab = _SHOWN.get(view.show, ("query", "rankings"))
    state = replace(
        state,
        measure=measure,
        cutoff=cutoff,
        protocol=replace(state.protocol, rules=Rules(level=level, dialect=rules)),
        place=place,
        tabs={**state.tabs, place: tab} if tab else state.tabs,
        lesson=replace(state.lesson, view=_VIEWS.get(view.show, "steps")),
    )
    queries = () if state.collection is None or not state.collection.judgments else _queries(state)
    if place == "compare":
        state = state.with_chosen(replace(state.chosen, focus=_compared(state, view.run)))
    query = view.query or (queries[0] if queries and not state.lesson.place else "")
    if query in queries:
        state = state.with_chosen(replace(state.chosen, query_id=query, document_id=None))
    return state


def _beside(state: State, name: str) -> tuple[int, str] | None:
    """Return the ranking beside the first, by the name of a run or as ``query 2``; None if there is none of that
    name."""
    runs = () if state.collection is None else state.collection.runs
    if name.startswith("query ") and runs:
        return runs[0].key, name.removeprefix("query ")
    return next(((run.key, state.chosen.query_id) for run in runs if run.name == name), None)


def _compared(state: State, name: str) -> int | None:
    """Return the key of the run of this name, which Compare shows against the baseline; None, for the best one, if it
    is the baseline itself."""
    runs = () if state.collection is None else state.collection.runs
    baseline = state.chosen.scope.baseline
    if baseline is None:
        baseline = usual_baseline(runs)
    return next((run.key for run in runs if run.name == name and run.key != baseline), None)


def _queries(state: State) -> tuple[str, ...]:
    assert state.collection is not None
    return tuple(state.collection.judgments[0].qrels.query_ids)


def _longest(state: State) -> int:
    """Return the length of the longest ranking of the collection in view, at least 1."""
    runs = () if state.collection is None else state.collection.runs
    lengths = [int((entry.run.offsets[1:] - entry.run.offsets[:-1]).max(initial=0)) for entry in runs]
    return max(lengths, default=1) or 1


def _typed_measure(state: State) -> str:
    """Return the measure of a typed ranking: DCG of the list if it has grades above 1, else AP."""
    assert state.collection is not None
    graded = any(judgments.qrels.max_grade > 1 for judgments in state.collection.judgments)
    return f"DCG@{_longest(state)}" if graded else "AP"


def left(state: State, before: State) -> State:
    """Return the state with the present options stored for the collection that was in view, if it is still open."""
    open_now = enumerate(state.workspace.collections)
    place = next((number for number, collection in open_now if collection is before.collection), state.current)
    if place == state.current:
        return state
    kept = LessonBefore(before.measure, before.cutoff, before.protocol, before.lesson)
    choices = list(state.choices)
    choices[place] = replace(choices[place], left=kept)
    return replace(state, choices=tuple(choices))


def come_back(state: State) -> State:
    """Return the state with the options stored for the collection that is shown; a lesson that was not shown before
    begins. Textbook mode is on or off for all."""
    if state.collection is None:
        return state
    kept, now = state.chosen.left, state.lesson
    if kept is None:
        other = LessonState(on=now.on, view=now.view, presented=now.presented)
        return begun(state) if is_taught(state) else replace(state, lesson=other)
    state = state.with_chosen(replace(state.chosen, left=None))
    if not is_taught(state):
        return replace(state, lesson=replace(kept.lesson, on=now.on, view=now.view, presented=now.presented))
    return replace(
        state,
        measure=kept.measure,
        cutoff=kept.cutoff,
        protocol=kept.protocol,
        lesson=replace(kept.lesson, on=now.on, presented=now.presented),
    )

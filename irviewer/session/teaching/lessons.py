"""Lessons and typed rankings opened as small collections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from irviewer.errors import IrviewerError
from irviewer.evaluation.evaluation_cache import Evaluation
from irviewer.measures.base import Measure
from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import TEXTBOOK, Lesson
from irviewer.model.protocol import EvaluationProtocol
from irviewer.model.rankings.inline_ranking import InlineRanking, parse_inline_ranking
from irviewer.model.workspace import Collection, JudgmentSet, Regime, Workspace
from irviewer.session import state_changes
from irviewer.session.files.actions import FileService
from irviewer.session.files.import_result import ImportResult
from irviewer.session.files.opening import Recent
from irviewer.session.messages import error
from irviewer.session.state import State
from irviewer.session.state_changes import Opening
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.teaching.beginning import (
    RULES,
    begun,
    come_back,
    is_taught,
    left,
    lesson_of,
    shown_at,
)
from irviewer.session.teaching.lesson import LESSON, TYPED
from irviewer.session.teaching.lesson_files import LessonCollection, read_lesson_files
from irviewer.session.teaching.lesson_source import LessonSource, Stamps, read_source
from irviewer.session.teaching.progress import ProgressService
from irviewer.session.view import View
from irviewer.translation import tr

FAULT = "lesson_fault"
"""The topic of messages about lessons that cannot be read as they are now."""
READING, OPENING, PREPARING = "lesson", "lesson_files", "bundled_lessons"
"""The names of the operations that read a lesson, and the files that it names."""


def _bundled_course() -> Course:
    from irviewer.formats.lessons.course_folder import bundled_course

    return bundled_course()


class LessonService:
    """Lessons and typed rankings as collections. Their measure, cutoff and protocol are not kept: when another
    collection is shown again, it has its former ones."""

    def __init__(self, store: Store, view: View, files: FileService, progress: ProgressService) -> None:
        self._store = store
        self._progress = progress
        self._files = files
        self._view = view
        self._courses: tuple[Course, ...] = ()
        self._unread: frozenset[str] = frozenset()
        self.sources: dict[str, Stamps] = {}
        """By path of the lessons and courses that were read, the state of their files from before."""

    _work: tuple[Measure, int, EvaluationProtocol] | None = None

    def before_update(self, state: State) -> State:
        """Return the new state, with the options stored for the collection that is shown."""
        before = self._store.state
        if is_taught(state) and not is_taught(before):
            self._work = (before.measure, before.cutoff, before.protocol)
        if state.collection is not before.collection and _what(state) != _what(before):
            state = come_back(left(state, before))
        return state

    def after_update(self, before: State) -> None:
        """Restore the options of before the lesson when another collection is shown."""
        if self._work is None or not is_taught(before) or is_taught(self._store.state):
            return
        (measure, cutoff, protocol), self._work = self._work, None
        if self._store.state.measure != before.measure:
            return  # a project brings its own
        self._store.apply_when_ready(lambda now: replace(now, measure=measure, cutoff=cutoff, protocol=protocol))

    @property
    def courses(self) -> tuple[Course, ...]:
        """The lessons that come with the program, and the courses that were opened."""
        return (_bundled_course(), *self._courses)

    def prepare(self) -> None:
        """Read the lessons that come with the program in the background, so that the menus that list them open at
        once."""
        self._store.tasks.run(
            Operation(PREPARING, lambda progress: _bundled_course(), lambda course: None, quiet=True, reads=True)
        )

    @property
    def every(self) -> tuple[Lesson, ...]:
        """All lessons of all courses."""
        return tuple(lesson for course in self.courses for lesson in course.lessons)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson in view; None if the collection is none."""
        return lesson_of(self._store.state)

    def named(self, name: str) -> Lesson | None:
        """Return a lesson by its id or title; None if there is none of that name."""
        lessons = (course.lesson(name) for course in reversed(self.courses))
        return next((lesson for lesson in lessons if lesson is not None), None)

    def open_named(self, name: str) -> bool:
        """Open a lesson by its id or title; False, with a message, if there is none."""
        lesson = self.named(name)
        if lesson is None:
            names = ", ".join(each.id for each in self.every)
            self._store.say(error(tr("Unknown lesson {name!r}; choose one of {names}.", name=name, names=names)))
            return False
        return self.open_lesson(lesson)

    def read(self, path: str, show: Callable[[LessonSource], object]) -> None:
        """Read the lesson of a file, or the course of a folder, in the background, and ``show`` what was read."""

        def work(progress: Progress) -> LessonSource:
            _bundled_course()  # so that the window need not read it to name its lessons
            return read_source(path)

        title = tr("Reading {files}", files=Path(path).name)
        self._store.tasks.run(Operation(READING, work, show, title=title, reads=True))

    @property
    def recent(self) -> tuple[Recent, ...]:
        """The lessons and courses that were opened from files, the newest first."""
        return tuple(Recent.of([path]) for path in self._store.settings["recent_lessons"])

    def show(self, source: LessonSource) -> bool:
        """Show a lesson that was read from a file, or add a course and show its first lesson that is not done. Faults
        are said. False if there is no lesson."""
        self.note(source)
        for fault in source.faults:
            self._store.say(replace(error(str(fault)), topic=FAULT))
        course = source.content
        if course is None:
            return False
        self._remember(source.path)
        if isinstance(course, Lesson):
            return self.open_lesson(course)
        self.add_course(course)
        if not course.lessons:
            return False
        left = (lesson for lesson in course.lessons if not self._progress.of(lesson).is_done)
        return self.open_lesson(next(left, course.lessons[0]))

    def add_course(self, course: Course) -> None:
        """Add a course to the open ones, in place of what its folder had before."""
        self._courses = (*(each for each in self._courses if each.path != course.path), course)

    def note(self, source: LessonSource) -> None:
        """Record the state in which a lesson or a course was read."""
        self.sources[source.path] = source.stamps
        self._unread = (self._unread - {source.path}) | ({source.path} if source.fault is not None else frozenset())

    @property
    def watched(self) -> tuple[str, ...]:
        """The paths of open lessons and courses, and of those that could not be read."""
        wanted = {*(course.path for course in self._courses), *self.open_by_path(), *self._unread}
        return tuple(path for path in self.sources if path in wanted)

    def open_by_path(self) -> dict[str, Lesson]:
        """Return the lessons that are open as collections, by their files."""
        noted = (collection.notes.get(LESSON) for collection in self._view.workspace.collections)
        return {lesson.path: lesson for lesson in noted if isinstance(lesson, Lesson)}

    def renew(self, path: str, collection: Collection) -> None:
        """Put the collection of a lesson that was changed in place of the open one of the same file. What was tried in
        it is gone; its place and the answers to questions that stayed are kept."""
        collections = self._view.workspace.collections
        for number, former in enumerate(collections):
            old, new = former.notes.get(LESSON), collection.notes[LESSON]
            if not isinstance(old, Lesson) or not isinstance(new, Lesson) or old.path != path:
                continue
            before = self._store.state.lesson
            in_view = number == self._store.state.current
            self._files.replace_collection(number, collection)
            if in_view:
                kept = tuple(each for each in before.answers if new.item_at(each[0]) == old.item_at(each[0]))
                hints = frozenset(at for at in before.hints if new.item_at(at) == old.item_at(at))
                lesson = replace(self._store.state.lesson, answers=kept, hints=hints)
                self._store.apply(replace(self._store.state, lesson=lesson))
                self.show_place(min(before.place, len(new.items)))
            return

    def _remember(self, path: str) -> None:
        """Add a file or folder to the recent ones, for the next file dialog too."""
        self._store.settings.add_recent_lesson(path)
        self._store.settings["last_folder"] = str(Path(path).parent)
        self._store.settings.save()

    def open_lesson(self, lesson: Lesson) -> bool:
        """Open a lesson at its beginning; if it is open, show it with what was done in it, as it begins. The files that
        it names are read in the background. False, with a message, if it cannot be opened."""
        for number, collection in enumerate(self._view.workspace.collections):
            if collection.notes.get(LESSON) == lesson:
                state = self._store.state
                state = state if number == state.current else state_changes.without_hints(state)
                self._store.apply(replace(state, current=number, place="query"))
                self._store.apply(begun(self._store.state))
                return True
        if lesson.files:
            return self._open_files(lesson)
        try:
            collection = _collection(parse_inline_ranking(lesson.rankings, name=lesson.title), lesson.title)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return False
        self._open_collection(_noted(collection, {LESSON: lesson}))
        return True

    def _open_files(self, lesson: Lesson) -> bool:
        """Read the files of a lesson in the background, and open it in textbook mode. False if they cannot be read, as
        far as that is known already."""
        state, evaluation = self._store.state, self._store.evaluation

        def done(read: LessonCollection) -> None:
            for path, stamp in read.stamps.items():
                self._files.watch.note(path, stamp)
            self._open_collection(_noted(read.collection, {LESSON: lesson}))
            self._store.apply(replace(self._store.state, lesson=replace(self._store.state.lesson, on=True)))

        self._store.tasks.run(
            Operation(
                OPENING, lambda progress: read_lesson_files(lesson, state, evaluation, progress), done,
                title=tr("Reading {files}", files=lesson.title), reads=True,
            )
        )  # fmt: skip
        return self.is_opening or self.lesson == lesson

    @property
    def is_opening(self) -> bool:
        """True while a lesson or its files are read."""
        return self._store.tasks.under_way(READING) or self._store.tasks.under_way(OPENING)

    def show_place(self, place: int) -> bool:
        """Show a place of the lesson in view: 0 the beginning, then its items; False if it has no such place."""
        lesson = self.lesson
        if lesson is None or not 0 <= place <= len(lesson.items):
            return False
        self._store.apply_when_ready(lambda now: now if lesson_of(now) != lesson else shown_at(now, lesson, place))
        return True

    def open_inline_ranking(self, text: str, name: str = "typed", rules: str = TEXTBOOK) -> bool:
        """Open typed rankings (``1 0 1 1 0 | R=10``) under the rules of a dialect; False, with a message, if they
        cannot be read."""
        try:
            ranking = parse_inline_ranking(text, name=name)
        except IrviewerError as failure:
            self._store.say(error(str(failure)))
            return False
        self._open_collection(_noted(_collection(ranking, name), {TYPED: text, RULES: rules}))
        return True

    def _open_collection(self, collection: Collection) -> None:
        """Add a collection and show it."""
        place = len(self._view.workspace.collections)
        workspace = Workspace((*self._view.workspace.collections, collection))
        import_result = ImportResult(workspace, new=[place], touched=[place])
        self._store.apply(
            state_changes.with_import_result(
                self._store.state, import_result, Opening(), self._store.context_of, hints=False
            )
        )


def collection_of(lesson: Lesson, state: State, evaluation: Evaluation, progress: Progress) -> Collection:
    """Return the collection of a lesson, whose files are read if it names any: on a worker. Raises IrviewerError."""
    if lesson.files:
        return _noted(read_lesson_files(lesson, state, evaluation, progress).collection, {LESSON: lesson})
    return _noted(_collection(parse_inline_ranking(lesson.rankings, name=lesson.title), lesson.title), {LESSON: lesson})


def _collection(ranking: InlineRanking, name: str) -> Collection:
    judgments = JudgmentSet(ranking.qrels, _regime(ranking), chosen=True)
    return Collection(name, judgments=(judgments,)).with_runs(ranking.runs)


def _noted(collection: Collection, notes: Mapping[str, object]) -> Collection:
    return replace(collection, notes={**collection.notes, **notes, "named": True})


def _regime(ranking: InlineRanking) -> Regime:
    """Return the regime of typed judgments: a document typed as "-" is unjudged, not non-relevant."""
    judged = {query: ranking.qrels.judgments(query) for query in ranking.qrels.query_ids}
    complete = all(
        document in judged[query] for run in ranking.runs for query in run.query_ids for document in run.ranking(query)
    )
    return Regime.COMPLETE if complete else Regime.POOLED


def _what(state: State) -> tuple[object, ...]:
    """Return what identifies the lesson in view."""
    notes = {} if state.collection is None else state.collection.notes
    return state.current, notes.get(LESSON), notes.get(TYPED)

"""Lessons that change on disk are read again while they are open, so that a teacher sees what was written. Part of
the session."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from irviewer.errors import IrviewerError
from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson
from irviewer.model.workspace import Collection
from irviewer.session.messages import error, without_topic
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.teaching.actions import TeachingService
from irviewer.session.teaching.lesson_source import LessonSource, Stamps, read_source, stamps_of
from irviewer.session.teaching.lessons import FAULT, LessonService, collection_of
from irviewer.session.view import View

LOOK, READ_AGAIN = "check_lessons", "lesson_again"
RESTED = 1.0
"""Seconds since its last change after which a file is taken to be complete."""


@dataclass(frozen=True, eq=False)
class _Again:
    """Lessons that were read again: their source, and the collections of those that are open and have changed."""

    source: LessonSource
    collections: Mapping[str, Collection]
    fault: IrviewerError | None


class LessonWatch:
    """Watches the files of open lessons and courses. A lesson that has changed takes the place of the former one; while
    it has a fault, that is said with its line, and the former one stays."""

    def __init__(self, store: Store, view: View, lessons: LessonService, teaching: TeachingService) -> None:
        self._store = store
        self._view = view
        self._lessons = lessons
        self._teaching = teaching
        self._seen: dict[str, Stamps] = {}

    def look_at_disk(self) -> None:
        """Read lessons again that have changed since they were read. Called by a timer; the disk is asked in the
        background."""
        tasks = self._store.tasks
        paths = self._lessons.watched
        if not paths or self._store.busy is not None or tasks.under_way(LOOK) or tasks.under_way(READ_AGAIN):
            return

        def done(present: Mapping[str, Stamps]) -> None:
            changed = [path for path in paths if path in present and self._is_changed(path, present[path])]
            if changed:
                self._read_again(changed[0])  # others at the next look

        self._store.tasks.run(
            Operation(LOOK, lambda _: {path: stamps_of(path) for path in paths}, done, quiet=True, reads=True)
        )

    def _is_changed(self, path: str, present: Stamps) -> bool:
        """Return whether a file or folder differs from what was read, and is not just being written."""
        former, seen = self._lessons.sources.get(path), self._seen.get(path)
        self._seen[path] = present
        if present == former or not present:  # files that are gone stay open
            return False
        newest = max(each.changed for each in present.values()) / 1e9
        return present == seen or time.time() - newest > RESTED

    def _read_again(self, path: str) -> None:
        state, evaluation, open_now = self._store.state, self._store.evaluation, self._lessons.open_by_path()

        def work(progress: Progress) -> _Again:
            source = read_source(path)
            fault: IrviewerError | None = source.fault
            collections = {}
            for lesson in source.lessons:
                if lesson.path in open_now and open_now[lesson.path] != lesson:
                    try:
                        collections[lesson.path] = collection_of(lesson, state, evaluation, progress)
                    except IrviewerError as failure:  # a file that it names
                        fault = failure
            return _Again(source, collections, fault)

        self._store.tasks.run(Operation(READ_AGAIN, work, self._show, quiet=True, reads=True))

    def _show(self, again: _Again) -> None:
        source, open_before = again.source, self._lessons.open_by_path()
        self._lessons.note(source)
        messages = without_topic(self._view.messages, FAULT)
        faults = [again.fault] if again.fault is not None else source.faults
        messages += tuple(replace(error(str(fault)), topic=FAULT) for fault in faults)
        if messages != self._view.messages:
            self._store.apply(replace(self._store.state, messages=messages))
        if isinstance(source.content, Course):
            self._lessons.add_course(source.content)
        for path, collection in again.collections.items():
            self._lessons.renew(path, collection)
        if isinstance(source.content, Lesson) and source.path not in open_before:
            self._teaching.show(source)  # it could not be read before

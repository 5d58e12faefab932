"""Progress in the lessons of courses, kept in a file beside the settings. A part of the session.

Several windows add to the file: each adds what was done in it, under a lock, to what the file has then. A new file
replaces the former, so that a crash leaves the one or the other."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from irviewer.errors import IrviewerError
from irviewer.model.lessons.lesson import Lesson
from irviewer.model.lessons.progress import END, MISSED, LessonProgress, progress_of, question_mark
from irviewer.paths import resource
from irviewer.session.messages import error
from irviewer.session.projects.locks import writing
from irviewer.session.settings import write_atomically
from irviewer.session.state import State
from irviewer.session.store import Store
from irviewer.session.tasks import Operation, Progress
from irviewer.session.teaching.beginning import lesson_of
from irviewer.translation import tr

FILE = "lessons.json"
BUNDLED = "bundled"
"""The key of the lessons that come with the program; those of other courses are their folders."""
SAVING = "save_progress"
Mark = tuple[str, str, str]
"""Course, lesson, and the mark of a question or END."""
Marks = frozenset[Mark]


class ProgressService:
    """Remembers which questions were answered rightly and which lessons were shown to their end. Without a settings
    file, as in a confidential session, this is forgotten at the end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: Marks | None = None
        self._added: Marks = frozenset()
        self._removed: Marks = frozenset()
        self._said = False

    @property
    def path(self) -> Path | None:
        """The file; None if nothing is stored."""
        settings = self._store.settings.path
        return None if settings is None else settings.with_name(FILE)

    def of(self, lesson: Lesson) -> LessonProgress:
        """Return the questions that were answered and missed, as the file last said; nothing of a lesson not begun."""
        course, name = _key(lesson)
        marks = frozenset(mark for at, of, mark in self._marks if (at, of) == (course, name))
        return progress_of(lesson, marks, numbered=course == BUNDLED)

    def look(self) -> None:
        """Read the file again, for what other windows have added."""
        self._known = None

    def after_update(self, before: State) -> None:
        """Remember what was done in the lesson in view."""
        state = self._store.state
        if not state.lesson.on or (state.lesson is before.lesson and state.collection is before.collection):
            return
        lesson = lesson_of(state)
        if lesson is None:
            return
        course, name = _key(lesson)
        marks: set[str] = set()
        gone: set[str] = set()
        for place, given in state.lesson.answers:
            mark = question_mark(lesson, place, numbered=course == BUNDLED)
            if mark is None:
                continue
            marks |= {mark} if given.right else set()
            at_once = given.right and given.tries == 1
            # A value that is only rounded too far, or an answer that is not complete, is a try like any other.
            (gone if at_once else marks).add(MISSED + mark)
        if state.lesson.place == len(lesson.items):
            marks.add(END)
        new = frozenset((course, name, mark) for mark in marks) - self._marks
        old = frozenset((course, name, mark) for mark in gone) & self._marks
        if new or old:
            self._change(added=new, removed=old)

    def reset(self, lessons: Iterable[Lesson]) -> Callable[[], None]:
        """Forget the progress in some lessons. Return what undoes it."""
        keys = {_key(lesson) for lesson in lessons}
        gone = frozenset(mark for mark in self._marks if mark[:2] in keys)
        self._change(removed=gone)
        return lambda: self._change(added=gone)

    @property
    def _marks(self) -> Marks:
        if self._known is None:
            stored = frozenset() if self.path is None else _marks_of(_read(self.path))
            self._known = (stored | self._added) - self._removed
        return self._known

    def _change(self, added: Marks = frozenset(), removed: Marks = frozenset()) -> None:
        """Add and remove marks, here and in the background in the file."""
        self._known = (self._marks | added) - removed
        self._added, self._removed = (self._added | added) - removed, (self._removed | removed) - added
        path = self.path
        if path is None:
            return
        adding, removing = self._added, self._removed

        def done(_: None) -> None:  # what was changed meanwhile is written by a later operation
            self._added, self._removed = self._added - adding, self._removed - removing

        self._store.tasks.run(
            Operation(SAVING, lambda progress: _write(path, adding, removing, progress), done, self._on_failure,
                      quiet=True, writes=True)
        )  # fmt: skip

    def _on_failure(self, failure: BaseException) -> None:
        """Say once why nothing is stored; what is not stored is written with the next change."""
        if not isinstance(failure, OSError | IrviewerError):
            raise failure
        if not self._said:
            self._said = True
            reason = getattr(failure, "strerror", None) or str(failure)
            self._store.say(error(tr("The progress in lessons was not saved: {reason}.", reason=reason.rstrip("."))))


def _write(path: Path, added: Marks, removed: Marks, progress: Progress) -> None:
    """Change the marks of a file. Raises OSError, and IrviewerError if another process does not release its lock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing(path):
        data = _read(path)
        if data is None:  # it can be read by nobody: kept under another name
            with contextlib.suppress(OSError):
                path.replace(path.with_suffix(".unreadable"))
            data = {}
        marks = (_marks_of(data) | added) - removed
        courses: dict[str, dict[str, list[str]]] = {}
        for course, name, mark in sorted(marks):
            courses.setdefault(course, {}).setdefault(name, []).append(mark)
        text = json.dumps({**data, "courses": courses}, indent=1, ensure_ascii=False) + "\n"
        write_atomically(path, text.encode("utf-8", "surrogatepass"))


def _read(path: Path) -> dict[str, Any] | None:
    """Return the contents of the file, {} without one, None if they cannot be read."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _marks_of(data: dict[str, Any] | None) -> Marks:
    """Return the marks of the file's contents; what is none is left out."""
    marks = set()
    courses = (data or {}).get("courses")
    for course, lessons in courses.items() if isinstance(courses, dict) else ():
        for name, listed in lessons.items() if isinstance(lessons, dict) else ():
            marks |= {(course, name, mark) for mark in listed if isinstance(mark, str)} if _is_list(listed) else set()
    return frozenset(marks)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _key(lesson: Lesson) -> tuple[str, str]:
    """Return course and lesson: the folder and the file name, which a translation has too."""
    path = Path(lesson.path)
    bundled = path.parent.parent == _bundled_folder()
    return BUNDLED if bundled else str(path.parent), path.stem


@lru_cache(maxsize=1)
def _bundled_folder() -> Path:
    return resource("lessons")

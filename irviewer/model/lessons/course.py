"""A course: lessons in their order, some of which may have faults."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.model.lessons.lesson import Lesson
from irviewer.translation import tr


@dataclass(frozen=True)
class CourseEntry:
    """A file of a course: its lesson, or the fault for which it cannot be read. ``chapter`` is the title of the chapter
    that it belongs to, "" for none."""

    path: str
    lesson: Lesson | None = None
    fault: ParseError | None = None
    chapter: str = ""


@dataclass(frozen=True)
class Course:
    """A folder of lessons: ``title`` and ``text`` from its ``course.md``, or the name of the folder and ""."""

    title: str
    entries: tuple[CourseEntry, ...]
    text: str = ""
    path: str = ""

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that can be read."""
        return tuple(entry.lesson for entry in self.entries if entry.lesson is not None)

    def beside(self, lesson: Lesson, step: int) -> Lesson | None:
        """Return the lesson so many places after a lesson of the course, before it with a negative number; None at the
        ends, and for a lesson of another course."""
        paths = [each.path for each in self.lessons]
        place = paths.index(lesson.path) + step if lesson.path in paths else -1
        return self.lessons[place] if 0 <= place < len(paths) else None

    def lesson(self, name: str) -> Lesson | None:
        """Return the lesson with this id or title, or else the one whose file has this name without its ending,
        ignoring case; None if there is none."""
        wanted = name.casefold()
        titled = (lesson for lesson in self.lessons if wanted in (lesson.id, lesson.title.casefold()))
        filed = (lesson for lesson in self.lessons if wanted == Path(lesson.path).stem.casefold())
        return next(chain(titled, filed), None)


def refuse_same_ids(course: Course) -> None:
    """Raise ParseError if two lessons of a course have one id, by which answers to them are kept."""
    known: dict[str, Lesson] = {}
    for lesson in course.lessons:
        other = known.setdefault(lesson.id, lesson)
        if other is not lesson:
            reason = tr("the id {id} is also that of {file}", id=lesson.id, file=Path(other.path).name)
            raise ParseError(lesson.path, reason, hint=tr("write another id: in the header of one of them"))


def course_of(lesson: Lesson) -> Course:
    """Return the course of a single lesson."""
    return Course(lesson.title, (CourseEntry(lesson.path, lesson),), path=lesson.path)

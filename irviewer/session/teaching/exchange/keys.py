"""The right answers to the questions of lessons, for those who mark them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson, Question
from irviewer.model.lessons.variants import seed_of, variant_of
from irviewer.rendering.lesson_text import plain_of
from irviewer.session.teaching.answers import right_text
from irviewer.session.teaching.own_session import opened
from irviewer.tables import column
from irviewer.tables.table import Table
from irviewer.translation import tr


class Key(NamedTuple):
    """A question of a lesson, its place, from 1, and the value that it asks for; None where it asks for none."""

    lesson: Lesson
    place: int
    question: Question
    computed: float | None


class Keys:
    """The questions of the lessons of a course, for each student; what is the same for all is computed once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[Key, ...]] = {}

    def of(self, lesson: Lesson, student: str = "") -> tuple[Key, ...]:
        """Return the questions of a lesson as a student has it. Raises IrviewerError if the files that it names cannot
        be read."""
        kept = (lesson.id, seed_of(student) if lesson.varies else "")
        if kept not in self._kept:
            self._kept[kept] = _keys(variant_of(lesson, student))
        return self._kept[kept]


def _keys(lesson: Lesson) -> tuple[Key, ...]:
    session = opened(lesson)
    keys = []
    for place, item in enumerate(lesson.items, start=1):
        if isinstance(item, Question):
            session.lessons.show_place(place)
            keys.append(Key(lesson, place, item, session.teaching.computed(item)))
    return tuple(keys)


def key_table(course: Course, students: Sequence[str], pages: Sequence[str]) -> Table:
    """Return a row for each student and each question: the page of the student, and the right answer. Raises as
    :meth:`Keys.of`."""
    keys = Keys()
    rows = [
        (student, page, key)
        for student, page in zip(students, pages, strict=True)
        for lesson in course.lessons
        for key in keys.of(lesson, student)
    ]
    return Table("keys", tr("Right answers by student and question"), (
        column.identifier("student", tr("student"), [student for student, _, _ in rows]),
        column.text("page", tr("page"), [page for _, page, _ in rows]),
        column.identifier("lesson", tr("lesson"), [key.lesson.id for _, _, key in rows]),
        column.rank("place", tr("place"), [key.place for _, _, key in rows]),
        column.text("question", tr("question"), [plain_of(key.question.title) for _, _, key in rows]),
        column.text("answer", tr("answer"), [plain_of(right_text(key.question, key.computed)) for _, _, key in rows]),
    ))  # fmt: skip

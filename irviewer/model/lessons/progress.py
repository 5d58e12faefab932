"""Progress in lessons: which questions were answered rightly, and which lessons were gone through."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.model.lessons.lesson import Lesson, Question

END = ""
"""The mark of a lesson that was shown to its end; all other marks are of questions, which have a title."""
MISSED = "✗ "
"""What begins the mark of a question that was not right at the first try; the rest is the question's own mark."""


@dataclass(frozen=True)
class LessonProgress:
    """What was done of a lesson.

    answered   how many of its questions were answered rightly, of ``questions``
    is_done    True if all were, and the lesson was shown to its end
    missed     the places, from 1, of the questions that were not right at the last first try
    """

    answered: int
    questions: int
    is_done: bool
    missed: tuple[int, ...] = ()

    @property
    def is_begun(self) -> bool:
        """True if anything was done."""
        return self.is_done or self.answered > 0


def question_mark(lesson: Lesson, place: int, *, numbered: bool) -> str | None:
    """Return what identifies a question of a lesson that may be edited: its title; or its number, ``numbered``, of a
    lesson that may be shown in another language. None if there is no question at the place."""
    item = lesson.item_at(place)
    if not isinstance(item, Question):
        return None
    return str(place) if numbered else item.title


def progress_of(lesson: Lesson, marks: frozenset[str], *, numbered: bool) -> LessonProgress:
    """Return the progress in a lesson that its marks say; those of questions that it no longer has are ignored."""
    places = range(1, len(lesson.items) + 1)
    named = {place: question_mark(lesson, place, numbered=numbered) for place in places}
    questions = {place: mark for place, mark in named.items() if mark is not None}
    answered = sum(mark in marks for mark in questions.values())
    missed = tuple(place for place, mark in questions.items() if MISSED + mark in marks)
    return LessonProgress(answered, len(questions), END in marks and answered == len(questions), missed)

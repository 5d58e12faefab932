"""Going through a course: from lesson to lesson, and back to the questions that were not right at once. A part of the
session."""

from __future__ import annotations

from irviewer.model.lessons.course import Course
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.teaching.actions import TeachingService
from irviewer.session.teaching.lessons import LessonService
from irviewer.session.teaching.progress import ProgressService
from irviewer.translation import tr, trn


class CourseWalk:
    """The way through the course of the lesson in view."""

    def __init__(self, lessons: LessonService, teaching: TeachingService, progress: ProgressService) -> None:
        self._lessons = lessons
        self._teaching = teaching
        self._progress = progress

    @property
    def course(self) -> Course | None:
        """The course that the lesson in view belongs to; None without one. Of several it is the one opened last."""
        lesson = self._lessons.lesson
        if lesson is None:
            return None
        courses = reversed(self._lessons.courses)
        return next((course for course in courses if any(each.path == lesson.path for each in course.lessons)), None)

    @property
    def chapter(self) -> str:
        """The chapter of the lesson in view; "" for none."""
        lesson, course = self._lessons.lesson, self.course
        if lesson is None or course is None:
            return ""
        return next((entry.chapter for entry in course.entries if entry.path == lesson.path), "")

    def beside(self, step: int) -> Lesson | None:
        """Return the next lesson of the course, or with -1 the one before; None at its ends."""
        lesson, course = self._lessons.lesson, self.course
        return None if lesson is None or course is None else course.beside(lesson, step)

    def go(self, step: int = 1) -> bool:
        """Open the next lesson of the course, or with -1 the one before; False at its ends."""
        lesson = self.beside(step)
        return lesson is not None and self._teaching.open(lesson)

    @property
    def missed(self) -> tuple[tuple[Lesson, int], ...]:
        """The questions of the course that were not right at the last first try, in its order: lesson and place."""
        course = self.course
        lessons = () if course is None else course.lessons
        return tuple((lesson, place) for lesson in lessons for place in self._progress.of(lesson).missed)

    def come_back(self) -> bool:
        """Show the next of the missed questions after the place in view, from the beginning of its lesson so that it
        can be answered anew; after the last one the first. False if there is none."""
        missed, lesson, course = self.missed, self._lessons.lesson, self.course
        if not missed or lesson is None or course is None:
            return False
        order = {each.path: number for number, each in enumerate(course.lessons)}
        here = order[lesson.path], self._teaching.lesson.place
        after = [each for each in missed if (order[each[0].path], each[1]) > here]
        wanted, place = (after or list(missed))[0]
        if not self._teaching.open(wanted):
            return False
        if self._lessons.lesson == wanted:  # else its files are being read, and it begins at its beginning
            self._teaching.show_place(place)
        return True

    @property
    def end_text(self) -> str:
        """What is said at the end of the last lesson; "" anywhere else."""
        lesson, course = self._lessons.lesson, self.course
        if lesson is None or course is None or len(course.lessons) < 2 or self.beside(1) is not None:
            return ""
        if self._teaching.can_go(1) or self._teaching.is_asking:
            return ""
        done = sum(self._progress.of(each).is_done for each in course.lessons)
        parts = [
            tr("The end of the course."),
            trn("{done} of {n} lesson done.", "{done} of {n} lessons done.", len(course.lessons), done=done),
            missed_text(len(self.missed)),
        ]
        return " ".join(filter(None, parts))


def missed_text(number: int) -> str:
    """Return how many questions there are to come back to; "" for none."""
    return trn("{n} question to come back to.", "{n} questions to come back to.", number) if number else ""

"""The check of a lesson that is checked again and again with another sentence: what cannot have changed is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irviewer.errors import IrviewerError
from irviewer.model.lessons.lesson import Lesson
from irviewer.session.teaching.checking.bundled_lessons import differences_from_bundled
from irviewer.session.teaching.checking.faults import KeptChecks, faults_in
from irviewer.session.teaching.checking.translations import differences


class CheckAgain:
    """Yields all faults of a lesson alone, beside those in other languages, and beside the bundled one that it was made
    of, each as soon as it is known."""

    def __init__(self, students: Sequence[str], others: Sequence[Lesson] = (), made_of: Lesson | None = None) -> None:
        self._students, self._others, self._made_of = students, others, made_of
        self._kept = KeptChecks()

    def __call__(self, lesson: Lesson) -> Iterator[IrviewerError]:
        results = self._kept.results
        if self._made_of is not None:
            yield from differences_from_bundled(lesson, self._made_of, results)
        for other in self._others:
            yield from differences(lesson, other, results)
        yield from faults_in(lesson, self._students, self._kept)

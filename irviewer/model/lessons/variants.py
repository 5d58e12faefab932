"""Variants of lessons for each student, drawn from the student's name: the documents of each ranking in another order,
and values, such as a rank or a query, of those that the lesson lists.

Nothing else of a lesson changes, and what the questions ask for is computed anew."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from irviewer.model.lessons.lesson import Lesson
from irviewer.model.rankings.inline_ranking import parse_inline_ranking


def seed_of(student: str) -> str:
    """Return what the variant of a student is drawn from: the name or number, whatever its case and spaces."""
    return " ".join(unicodedata.normalize("NFKC", student).casefold().split())


def variant_of(lesson: Lesson, student: str) -> Lesson:
    """Return the lesson of a student; a lesson that does not vary, and one for nobody, is as it is."""
    seed = seed_of(student)
    if not lesson.varies or not seed:
        return lesson
    if lesson.alternatives:
        lesson = lesson.alternatives[int(_draw(f"{seed}/{lesson.id}/values").random() * len(lesson.alternatives))]
    if not lesson.varies_order:
        return lesson
    draw = _draw(f"{seed}/{lesson.id}")
    return _in_order(lesson, lambda _: draw.random())


def extremes_of(lesson: Lesson) -> tuple[Lesson, Lesson]:
    """Return a lesson whose order varies with the highest grades first in each ranking, and with the lowest first."""
    worst = _in_order(lesson, lambda grade: grade or 0.0)
    return _in_order(lesson, lambda grade: -(grade or 0.0)), worst


def _draw(seed: str) -> random.Random:
    return random.Random(seed.encode("utf-8", "surrogatepass"))  # names may be no Unicode


def _in_order(lesson: Lesson, key: Callable[[float | None], float]) -> Lesson:
    """Return a lesson with its rankings as they are typed, each in the order of a key of its grades."""
    typed = parse_inline_ranking(lesson.rankings)
    queries = []
    for query in typed.qrels.query_ids:
        grades = typed.qrels.judgments(query)
        ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        lines = []
        for run in typed.runs:
            if query in run.query_ids:
                order = [grades.get(document) for document in run.ranking(query)]
                order.sort(key=key)  # unlike shuffle() the same in all versions of Python
                lines.append(f"{run.name}: {_typed(order)} | {_all(ideal)}")
        queries.append("\n".join(lines))
    return replace(lesson, rankings="\n---\n".join(queries))


def _typed(grades: Sequence[float | None]) -> str:
    return " ".join("-" if grade is None else f"{grade:g}" for grade in grades)


def _all(ideal: Sequence[float]) -> str:
    """Return the end of a line: all grades above 0."""
    return f"ideal {_typed(ideal)}" if ideal else "R=0"

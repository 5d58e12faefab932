"""No answer stands in what a lesson says before its question, on screen or on a sheet with blanks; and no step says
beforehand what is so only after it."""

from __future__ import annotations

import re

import pytest

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.session import Session
from irviewer.session.teaching.answers import number_in, right_inside, right_text

LESSONS = [(language, lesson) for language in ("en", "es") for lesson in bundled_course(language).lessons]
NUMBER = re.compile(r"(?<![\w.@^])\d*\.\d+(?![\w.])|(?<![\w.@/])\d+/\d+(?![\w/])")
"""Decimal numbers and fractions."""
NOW = re.compile(r"\b(now|ahora)\b", re.I)
GIVEN = {("means", 1): "precision and recall are 5/10 each", ("effect", 1): "the lower of the two values is .05 too"}
"""Questions whose answer is a number that they begin from."""


def ids(value: object) -> str:
    return value.id if isinstance(value, Lesson) else str(value)


@pytest.mark.parametrize(("language", "lesson"), LESSONS, ids=ids)
def test_no_answer_comes_before_its_question(language: str, lesson: Lesson) -> None:
    session = Session()
    session.teaching.open(lesson)
    said = [lesson.title, lesson.text]
    for place, item in enumerate(lesson.items, start=1):
        if isinstance(item, Step):
            said += [item.title, item.text]
            continue
        session.lessons.show_place(place)
        right = right_text(item, session.teaching.computed(item))
        wanted = None if item.choices else number_in(right)
        if wanted is None or wanted == int(wanted):
            continue  # a count, such as of the documents that are listed
        if (lesson.id, place) in GIVEN:
            continue
        given = [number_in(text) for text in NUMBER.findall("\n".join(said))]
        asked = [number_in(text) for text in NUMBER.findall(item.title)]
        near = [number for number in given if number is not None and abs(number - wanted) < 5e-3]
        assert not near or set(near) <= set(asked), f"{item.title}: {right}"


@pytest.mark.parametrize(("language", "lesson"), LESSONS, ids=ids)
def test_no_step_says_now_of_what_comes_with_it(language: str, lesson: Lesson) -> None:
    for item in lesson.items:
        if not isinstance(item, Question):
            assert not NOW.search(f"{item.title} {item.text}")


@pytest.mark.parametrize(
    ("name", "given"),
    [("b9", "ten"), ("sets", "two documents"), ("significance", "1024"), ("ideal", "4, 4, 3"), ("cg", "16"),
     ("bounded", "could not be better"), ("graded", "three relevant"), ("choose", "efficiency")],
)  # fmt: skip
def test_what_was_given_away_is_not(name: str, given: str) -> None:
    lesson = bundled_course("en").lesson(name)
    assert lesson is not None
    assert given not in lesson.text


def test_a_choice_that_is_a_sentence_ends_the_sentence_of_the_answer_once() -> None:
    lesson = parse_lesson(
        "---\ntitle: T\nrankings: 1 0\n---\nText.\n\n## Question: Which?\n- [ ] Yes.\n- [x] No, at rank 1.\n", "l.md"
    )
    question = next(item for item in lesson.items if isinstance(item, Question))
    assert right_text(question, None) == "No, at rank 1."
    assert right_inside(question, None) == "No, at rank 1"


@pytest.mark.parametrize(
    ("computed", "text"), [(0.4, ".4"), (1.0, "1"), (10.0, "10"), (0.0, "0"), (0.625, ".625"), (-0.5, "-.5")]
)
def test_a_computed_answer_is_written_as_one_of_an_author(computed: float, text: str) -> None:
    """A sheet had 0.4000 beside .4."""
    question = _asked("ask: P@2")
    assert right_text(question, computed) == text


def test_right_choices_in_a_row_have_one_full_stop() -> None:
    assert right_text(_asked("\n- [x] It is half.\n- [x] It is .5.\n- [ ] None."), None) == "It is .5, It is half."


def _asked(lines: str) -> Question:
    lesson = parse_lesson(f"---\ntitle: T\nrankings: 1 0\n---\nText.\n\n## Question: Which?\n{lines}\n", "l.md")
    return next(item for item in lesson.items if isinstance(item, Question))

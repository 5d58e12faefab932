"""A number that a question of a lesson asks for is in no text of the window before, at whatever place of the lesson."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from examples import a_part

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.gui.window import MainWindow
from irviewer.model.lessons.lesson import Lesson, Question, Step
from irviewer.session.session import Session
from irviewer.session.teaching.answers import right_number
from tests.gui.teaching.test_covered import all_texts

NUMBER = re.compile(r"(?<![\d.,])(\d*\.\d+|\d+/\d+)(?![\d]|\.\d)")
AXIS, HINTS = re.compile(r"curves?: .* 0 to 1\.0"), ("a number, or 3/4", "(or 3/5, 60 %)", "β .5")
"""What is said of axes, and what is on screen in every lesson."""
COINCIDENCES = {
    ("answers", 0, 3): "average precision, where a share of nuggets is asked",
    ("answers", 6, 7): "average precision after the step, where support precision is asked",
    ("table", 2, 2): "the sum one rank above, which the question is about",
}
"""(lesson, place, question) -> another number that is the same."""


def has(text: str, value: float) -> bool:
    """Whether a text has a number that is a value, to the digits that it has; or would be taken for it."""
    for number in NUMBER.findall(text):
        if "/" in number:
            above, below = map(int, number.split("/"))
            if below and abs(above / below - value) < 1e-9:
                return True
        else:
            decimals = len(number.partition(".")[2])
            near = 0.005 if decimals > 2 and value > 0.1 else 0.5000001 * 10**-decimals
            if abs(float(number) - value) <= (near if decimals > 1 else 1e-9):
                return True
    return False


def asked_for(session: Session, lesson: Lesson) -> dict[int, float]:
    """By their places, the right numbers of the questions."""
    answers = {}
    for place, item in enumerate(lesson.items, start=1):
        value = None
        if isinstance(item, Question) and not item.choices:
            session.lessons.show_place(place)
            value = right_number(item, session.teaching.computed(item))
        if value is not None:
            answers[place] = value
    return answers


def early(session: Session, window: MainWindow, asked: dict[int, float], place: int) -> set[tuple[int, str]]:
    """The texts on screen at a place with what is asked there or later."""
    lesson = session.lessons.lesson
    assert lesson is not None
    written = (lesson.text, *(f"{item.title} {item.text}" for item in lesson.items))
    own = {word for text in written for word in NUMBER.findall(text)}  # the lesson itself says it
    window.flush()
    window.flush()
    return {
        (question, text)
        for text in all_texts(window)
        for question, value in asked.items()
        if question >= place and (lesson.id, place, question) not in COINCIDENCES
        if not AXIS.search(text) and not any(hint in text for hint in HINTS)
        if has(text, value) and not own >= {word for word in NUMBER.findall(text) if has(word, value)}
    }


@pytest.mark.parametrize("name", a_part([lesson.id for lesson in bundled_course().lessons], 6))
def test_nothing_that_is_asked_later_is_on_screen(
    name: str, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    session.teaching.open_example(name)
    lesson = session.lessons.lesson
    assert lesson is not None
    window = make_window(session)
    window.resize(1280, 800)
    asked = asked_for(session, lesson)
    for place in range(len(lesson.items) + 1):
        session.lessons.show_place(place)
        assert early(session, window, asked, place) == set(), place
        at = lesson.item_at(place)
        if isinstance(at, Step) and at.actions:
            session.teaching.do_example_step()
            assert early(session, window, asked, place) == set(), (place, "done")
            session.teaching.restart_example()

"""A lesson begins the same whatever was shown and changed in another one before."""

from __future__ import annotations

import pytest

from irviewer.formats.lessons.course_folder import bundled_course
from irviewer.session.session import Session

LESSONS = [lesson.id for lesson in bundled_course("").lessons]


def beginning(session: Session) -> tuple[object, ...]:
    """What is in view of a lesson, without what the user chose for all of them."""
    state, view_model = session.state, session.teaching.lesson_view_model()
    sets = None if view_model is None else view_model.sets
    tab = session.view.tab(state.place)
    return (
        str(state.measure), state.cutoff, state.options, state.place, tab, state.lesson, state.thresholds,
        state.explaining, session.view.query_id, sets,
    )  # fmt: skip


@pytest.fixture(scope="module")
def alone() -> dict[str, tuple[object, ...]]:
    """The beginning of each lesson that is opened first."""
    beginnings = {}
    for name in LESSONS:
        session = Session()
        session.teaching.open_example(name)
        beginnings[name] = beginning(session)
    return beginnings


NEXT = 3
"""After so many others each lesson is opened in an ordinary run; after all others where the slow tests run."""


@pytest.mark.parametrize(
    ("first", "others"),
    [
        pytest.param(name, part, id=f"{name}-{label}", marks=marks)
        for index, name in enumerate(LESSONS)
        for later in [LESSONS[index + 1 :] + LESSONS[:index]]
        for label, part, marks in (("next", later[:NEXT], ()), ("others", later[NEXT:], pytest.mark.slow))
    ],
)
def test_nothing_of_another_lesson_is_left(first: str, others: list[str], alone: dict[str, tuple[object, ...]]) -> None:
    for second in others:
        session = Session()
        session.teaching.open_example(first)
        session.teaching.do_example_step()
        session.teaching.reveal(2)
        session.evaluation.set_measure("P@3")
        session.evaluation.set_cutoff(3)
        session.protocol.set(level=2)
        session.protocol.set(judged_only=True)
        session.protocol.set(dialect="trec_eval")
        session.teaching.set_lesson_view("sets")
        session.sliders.set_thresholds(True)
        session.navigation.set_tab("query", "stages")
        session.teaching.open_example(second)
        assert beginning(session) == alone[second], (first, second)

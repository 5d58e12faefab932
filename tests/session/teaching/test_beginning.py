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


@pytest.mark.parametrize("first", LESSONS)
def test_nothing_of_another_lesson_is_left(first: str, alone: dict[str, tuple[object, ...]]) -> None:
    for second in LESSONS:
        if second == first:
            continue
        session = Session()
        session.teaching.open_example(first)
        session.teaching.do_example_step()
        session.teaching.reveal(2)
        session.evaluation.set_measure("P@3")
        session.evaluation.set_cutoff(3)
        session.evaluation.set_level(2)
        session.evaluation.set_judged_only(True)
        session.dialects.set_dialect("trec_eval")
        session.teaching.set_lesson_view("sets")
        session.sliders.set_thresholds(True)
        session.navigation.set_tab("query", "stages")
        session.teaching.open_example(second)
        assert beginning(session) == alone[second], (first, second)

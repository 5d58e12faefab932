"""In class, in large type at 1280 × 720, fifteen ranks or all are in view, whatever the lesson shows and asks; the text
of the lesson stays where they leave it room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from examples import a_part
from PySide6.QtWidgets import QApplication

from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

RANKS = 15


@pytest.fixture
def in_class(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> Callable[[str], MainWindow]:
    def open_in_class(lesson: str) -> MainWindow:
        empty_session.settings["large_type"] = True
        empty_session.teaching.open_example(lesson)
        window = make_window(empty_session)
        window.resize(1067, 600)  # 1280 × 720 at the scale of large type there
        return window

    return open_in_class


def seen(window: MainWindow) -> int:
    """How many ranks are in view as a whole."""
    for _ in range(4):
        window.flush()
        QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    if screen.table is not None and screen.table.isVisible():
        return screen.table.rows.seen
    room = screen.lists.viewport().height() - screen.lists.header_rect(0).height()
    return room // screen.lists.row_height


@pytest.mark.parametrize(
    "lesson",
    a_part(["b9", "b2", "b5", "b7", "cg", "cutoff", "g4", "g8", "ideal", "pooling", "pr-mean", "sets", "table"], 3),
)
def test_fifteen_ranks_or_all_are_in_view_at_every_place(lesson: str, in_class: Callable[[str], MainWindow]) -> None:
    window = in_class(lesson)
    session = window.session

    def wanted() -> int:
        collection = session.view.collection
        assert collection is not None
        query = session.view.query_id
        return min(
            RANKS, max(len(entry.run.ranking(query)) for entry in collection.runs if query in entry.run.query_ids)
        )

    opened = session.lessons.lesson
    assert opened is not None
    for place in range(len(opened.items) + 1):
        session.lessons.show_place(place)
        assert seen(window) >= wanted()
        run = session.teaching.lesson_run
        assert run is not None
        session.navigation.set_document(run.run.ranking(session.view.query_id)[0])
        assert seen(window) >= wanted()
        session.navigation.set_document(None)
        question = session.teaching.question
        if question is None:
            session.sliders.set_thresholds(True)
            assert seen(window) >= wanted()
            session.sliders.set_thresholds(False)
            continue
        if question.choices:
            session.teaching.choose([next(n for n, choice in enumerate(question.choices) if not choice.right)]
                                    if not all(choice.right for choice in question.choices) else [0])  # fmt: skip
            assert seen(window) >= wanted()
        for wrong in question.wrong:
            session.teaching.answer(wrong.answer)
            assert seen(window) >= wanted()
        session.teaching.show_answer()
        assert seen(window) >= wanted()


def test_the_text_stays_where_the_ranks_leave_it_room(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("b9")  # ten ranks
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    strip, session = screen.lesson_strip, window.session
    assert seen(window) >= 10
    assert strip.text.isVisible()
    assert strip.text.shows.height() <= strip.text.height()  # in whole
    session.teaching.set_presented(True)  # the lecturer has it
    seen(window)
    assert not strip.text.isVisible()
    session.teaching.set_presented(False)
    session.teaching.open_example("b2")  # twenty ranks
    assert seen(window) >= RANKS
    assert not strip.text.isVisible()
    assert screen.table is not None
    beside = screen.table.text
    assert beside.isVisible()  # below the curve
    assert beside.area.shows.accessibleName().startswith("Average precision is the mean")
    assert beside.area.shows.height() <= beside.area.viewport().height()  # in whole
    session.teaching.set_presented(True)
    seen(window)
    assert not beside.isVisible()
    session.teaching.set_presented(False)
    seen(window)
    assert beside.isVisible()
    session.settings["large_type"] = False
    session.teaching.open_example("b4")
    seen(window)
    assert strip.text.isVisible()
    assert not beside.isVisible()


@pytest.mark.parametrize(
    "lesson", a_part(["b11", "pr-raw", "cutoff", "b2", "b5", "g8", "means", "pr-interpolated", "pooling"], 3)
)
def test_the_text_is_in_view_at_every_place(lesson: str, in_class: Callable[[str], MainWindow]) -> None:
    window = in_class(lesson)
    opened = window.session.lessons.lesson
    assert opened is not None
    for place in range(len(opened.items) + 1):
        window.session.lessons.show_place(place)
        seen(window)
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        strip, table = screen.lesson_strip, screen.table
        beside = table is not None and table.isVisible() and table.text.isVisible()
        assert strip.text.isVisible() or beside or not strip.text.shows.accessibleName()


def test_what_gives_way_comes_back_after_class(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("choose")
    session = window.session
    session.sliders.set_thresholds(True)
    seen(window)
    slider = next(iter(window.thresholds.sliders.values()))
    assert slider.isVisible()
    assert not slider.plot.isVisible()
    session.lessons.show_place(1)
    seen(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    box = screen.lesson_strip.question
    assert not window.top_bar.isVisible()
    assert not screen.centre.header.isVisible()
    assert "4 relevant documents" in screen.lesson_strip.place.text()
    session.settings["large_type"] = False
    session.lessons.show_place(0)
    seen(window)
    assert next(iter(window.thresholds.sliders.values())).plot.isVisible()
    session.lessons.show_place(1)
    seen(window)
    assert window.top_bar.isVisible()
    assert screen.centre.header.isVisible()
    assert "relevant" not in screen.lesson_strip.place.text()
    assert len({button.x() for button in box.choices}) == 1  # below each other
    assert len({button.y() for button in box.choices}) == len(box.choices)


def test_the_field_is_beside_its_question(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("b1")
    window.session.lessons.show_place(2)
    seen(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    box = screen.lesson_strip.question
    assert box.field.isVisible()
    assert abs(box.field.y() - box.title.y()) < box.field.height()
    assert box.field.x() > box.title.x()


def test_choices_are_beside_each_other_and_only_the_right_ones_stay(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("ideal")
    session = window.session
    session.lessons.show_place(2)
    seen(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    box = screen.lesson_strip.question
    assert len({button.y() for button in box.choices}) == 1
    session.teaching.choose([0, 3])
    seen(window)
    assert [button.isVisible() for button in box.choices] == [True, False, False, True]
    assert "Right." in box.feedback.text()
    assert "<p>" not in box.feedback.text()


def test_two_formulas_beside_each_other_are_seen_as_a_whole(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("table")
    screen, rows = window.current_screen, 0
    assert isinstance(screen, QueryScreen)
    assert screen.table is not None
    while True:
        seen(window)
        boxes = [box for box in screen.table.formulas if box.isVisible()]
        assert len(boxes) == 2
        for box in boxes:
            assert box.formula.horizontalScrollBar().maximum() == 0
            assert box.worked.fontMetrics().horizontalAdvance(box.worked.text()) <= box.worked.width()
        rows += 1
        if not window.session.lecture_table.next():
            break
    assert rows >= 20


def test_the_rankings_have_the_room_of_what_a_question_covers(in_class: Callable[[str], MainWindow]) -> None:
    window = in_class("effect")  # it begins in Compare
    assert window.session.lessons.show_place(1)
    for size in ((1067, 600), (1000, 640)):  # its first sight, and another size while it asks
        window.resize(*size)
        seen(window)
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        assert screen.why.isHidden()
        assert screen.middle.geometry().right() >= screen.content.width() - 2


@pytest.mark.parametrize("lesson", ["pooling", "choose"])
def test_at_200_percent_the_parts_of_the_strip_lie_below_each_other(
    empty_session: Session, make_window: Callable[[Session], MainWindow], lesson: str
) -> None:
    empty_session.teaching.open_example(lesson)
    window = make_window(empty_session)
    window.resize(640, 400)  # 1280 × 800 at 200 %
    seen(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    strip = screen.lesson_strip
    for above, below in ((strip.title, strip.text), (strip.text, strip.printed), (strip.printed, strip.tries)):
        assert above.isVisible() and below.isVisible()
        assert above.geometry().bottom() < below.geometry().top()
    assert strip.tries.geometry().bottom() < strip.height()
    assert strip.title.width() >= strip.title.sizeHint().width()

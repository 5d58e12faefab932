"""A lesson in other views than Query, and its curves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from irviewer.gui.compare.pair import PairView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def test_a_lesson_has_its_text_above_other_views(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_example("effect")
    window = make_window(empty_session)
    assert empty_session.view.place == "compare"
    strip = window.lesson_strip
    assert strip is not None
    assert strip.isVisible()
    assert "Three systems answer 20 queries" in strip.text.shows.text()
    assert not strip.tries.text()  # of a query, which is not in view
    strip.next.click()
    window.flush()
    assert empty_session.view.place == "query"
    assert not strip.isVisible()
    empty_session.navigation.set_place("systems")
    window.flush()
    assert strip.isVisible()
    strip.close_button.click()
    window.flush()
    assert not strip.isVisible()


def test_no_strip_is_made_for_collections_of_the_user(
    session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session.navigation.set_place("compare")
    assert make_window(session).lesson_strip is None


def test_a_curve_is_read_by_its_axes_while_a_question_is_asked(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_example("pr-raw")
    window = make_window(empty_session)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    curves = screen.lesson.curves
    assert curves is not None
    assert curves.canvas.isVisible()
    assert not screen.metrics.isVisible()  # the lesson covers its values
    for place in (1, 2, 4, 5):
        empty_session.lessons.show_place(place)
        empty_session.teaching.show_answer()
    empty_session.lessons.show_place(3)
    window.flush()
    assert curves.canvas.isVisible()
    assert not screen.metrics.isVisible()
    assert curves.canvas.reading is None
    assert curves.canvas.spoken_mark == ""  # curves and axes are described, no value is read out
    assert curves.canvas.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert curves.canvas.focusPolicy() == Qt.FocusPolicy.NoFocus
    empty_session.teaching.answer(".8")
    window.flush()
    assert curves.canvas.focusPolicy() == Qt.FocusPolicy.StrongFocus
    curves.kinds.chosen.emit("interpolated")
    window.flush()
    assert empty_session.teaching.curve == "interpolated"
    assert screen.metrics.isVisible()


def test_the_first_lesson_of_an_empty_window_has_its_measures(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    """The view is low until it has its place in the window, and was left without measures then."""
    window = make_window(empty_session)
    window.resize(1280, 720)
    window.flush()
    empty_session.teaching.open_example("pooling")
    for _ in range(3):
        window.flush()
        QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert screen.metrics.isVisible()
    assert screen.metrics.table.model().rowCount() > 0


@pytest.mark.parametrize(("name", "place"), [("means", 4), ("engines", 4)])
def test_the_measure_of_a_step_is_in_view_where_measures_were_covered_before(
    name: str, place: int, empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_example(name)
    window = make_window(empty_session)
    window.resize(1280, 720)
    for at in range(place + 1):
        empty_session.lessons.show_place(at)
        for _ in range(3):
            window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    table = screen.metrics.table
    assert screen.metrics.isVisible()
    top = table.rowViewportPosition(table.current_row())
    assert 0 <= top <= table.viewport().height() - table.row_height


def test_a_wider_value_of_the_next_lesson_is_whole(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    """“< .001” was cut where the table of tests had the widths of “.140”, the p of the lesson before."""
    empty_session.teaching.open_example("significance")
    empty_session.lessons.show_place(5)
    empty_session.compute_now()
    window = make_window(empty_session)
    window.flush()
    empty_session.teaching.open_example("comparisons")
    empty_session.compute_now()
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("pair")
    assert isinstance(view, PairView)
    table, columns = view.tests.table, view.tests.model.columns
    assert columns[2].text(0) == "< .001"
    had = [table.columnWidth(n) for n in range(len(columns))]
    table.measure_again()
    table.fit()
    assert had == [table.columnWidth(n) for n in range(len(columns))]

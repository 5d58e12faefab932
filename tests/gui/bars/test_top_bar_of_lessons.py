"""The top bar of a lesson at 1280 pixels: the names of the places are whole, and its judgments are not named twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.parametrize("name", ["choose", "table", "g8", "sets"])
def test_the_names_of_the_places_are_whole(
    empty_session: Session, make_window: Callable[[Session], MainWindow], name: str
) -> None:
    empty_session.teaching.open_example("b2")
    empty_session.teaching.open_example(name)
    window = make_window(empty_session)
    window.resize(1280, 720)
    window.flush()
    QApplication.processEvents()  # lays out the bar
    bar = window.top_bar
    assert not bar.judge_button.isVisible()
    places = bar.place_buttons
    assert places.width() >= places.sizeHint().width()
    for button in places.buttons.values():
        assert button.isHidden() or button.width() >= button.sizeHint().width(), button.text()


@pytest.mark.parametrize(("name", "width"), [("graded", 1920), ("graded", 1280), ("means", 1280), ("means", 1500)])
def test_a_long_title_is_whole_where_the_bar_has_room(
    empty_session: Session, make_window: Callable[[Session], MainWindow], name: str, width: int
) -> None:
    empty_session.teaching.open_example(name)
    window = make_window(empty_session)
    window.resize(width, 800)
    window.flush()
    QApplication.processEvents()  # lays out the bar
    title = window.top_bar.collection_button
    assert title.width() >= title.natural_width


def test_a_title_takes_the_room_of_the_words_before_the_other_choices(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    name = "Average precision, and a swap of two documents not far from the top"
    empty_session.teaching.open(parse_lesson(f"---\ntitle: {name}\nrankings: 1 0 1\n---\n"))
    window = make_window(empty_session)
    bar = window.top_bar
    QApplication.processEvents()  # lays out the bar
    assert bar.collection_button.width() >= bar.collection_button.natural_width
    assert bar.place_buttons.width() >= bar.place_buttons.sizeHint().width()
    empty_session.teaching.open_example("b1")
    window.flush()
    QApplication.processEvents()
    assert {label.text() for label in bar.findChildren(PlainLabel) if label.width()} >= {"measure", "baseline"}


def test_judges_are_named_where_they_are_the_user_s(
    session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    assert make_window(session).top_bar.judge_button.isVisible()

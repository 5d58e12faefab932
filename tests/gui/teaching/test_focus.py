"""The keyboard stays in a lesson: what is disabled or hidden by an act hands the focus to what is next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from irviewer.gui.teaching.lesson_strip import LessonStrip
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def opened(session: Session, make_window: Callable[[Session], MainWindow]) -> tuple[MainWindow, LessonStrip]:
    session.teaching.open_example("mrr")
    window = make_window(session)
    session.lessons.show_place(1)
    window.flush()
    strip = next(each for each in window.findChildren(LessonStrip) if each.isVisible())
    strip.question.field.setFocus()
    return window, strip


@pytest.mark.parametrize("in_class", [False, True])
def test_a_wrong_answer_is_typed_again_and_after_the_right_one_the_way_on_is_next(
    empty_session: Session, make_window: Callable[[Session], MainWindow], in_class: bool
) -> None:
    empty_session.settings["large_type"] = in_class
    window, strip = opened(empty_session, make_window)
    for text, focused in (("0.5", strip.question.field), ("1/3", strip.next)):
        strip.question.field.setText(text)
        QTest.keyClick(strip.question.field, Qt.Key.Key_Return)
        window.flush()
        assert window.focusWidget() is focused
    QTest.keyClick(strip.next, Qt.Key.Key_Return)
    window.flush()
    assert empty_session.teaching.lesson.place == 2


def test_the_answer_shown_at_the_end_of_a_lesson_leads_to_the_next_lesson(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window, strip = opened(empty_session, make_window)
    empty_session.lessons.show_place(3)
    window.flush()
    strip.question.show_button.setFocus()
    QTest.keyClick(strip.question.show_button, Qt.Key.Key_Space)
    window.flush()
    assert window.focusWidget() is strip.next_lesson


def test_the_first_and_the_last_place_keep_the_keyboard(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window, strip = opened(empty_session, make_window)
    strip.back.setFocus()
    QTest.keyClick(strip.back, Qt.Key.Key_Return)
    window.flush()
    assert empty_session.teaching.lesson.place == 0
    assert window.focusWidget() is strip.next


def test_enter_answers_on_a_choice_and_on_the_button(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window, strip = opened(empty_session, make_window)
    empty_session.lessons.show_place(3)
    window.flush()
    wrong, right = strip.question.choices[1], strip.question.choices[0]
    wrong.setFocus()
    QTest.keyClick(wrong, Qt.Key.Key_Return)
    assert empty_session.teaching.given is None, "nothing is chosen yet"
    QTest.keyClick(wrong, Qt.Key.Key_Space)
    QTest.keyClick(wrong, Qt.Key.Key_Return)
    given = empty_session.teaching.given
    assert given is not None and not given.right
    right.click()
    strip.question.answer_button.setFocus()
    QTest.keyClick(strip.question.answer_button, Qt.Key.Key_Return)
    given = empty_session.teaching.given
    assert given is not None and given.right
    window.flush()
    assert window.focusWidget() is strip.next_lesson


def test_enter_presses_every_button_of_a_lesson(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    window, _ = opened(empty_session, make_window)
    empty_session.teaching.set_presented(True)
    window.flush()
    assert window.presenter is not None
    buttons = [*window.findChildren(QPushButton), *window.presenter.findChildren(QPushButton)]
    assert len(buttons) > 3
    for button in buttons:
        pressed: list[bool] = []
        button.clicked.disconnect()
        button.clicked.connect(lambda checked, pressed=pressed: pressed.append(checked))
        button.setEnabled(True)
        QTest.keyClick(button, Qt.Key.Key_Return)
        assert len(pressed) == 1, button.text()


def test_a_window_that_opens_at_a_question_has_the_keyboard_in_its_field(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    """Another size of type makes the window anew: what was typed then went to the filter of the queries."""
    empty_session.teaching.open_example("mrr")
    empty_session.lessons.show_place(1)
    window = make_window(empty_session)
    strip = next(each for each in window.findChildren(LessonStrip) if each.isVisible())
    assert window.focusWidget() is strip.question.field

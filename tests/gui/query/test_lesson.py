"""Textbook mode in the window: the strip, the steps and their keys, the circles, F's surface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from examples import a_part
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.compare.pair import PairView
from irviewer.gui.query.rankings.list_painter import LinkInk
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.teaching.lesson_html import COLUMNS_APART
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.panel import ElidedLabel
from irviewer.gui.widgets.scrolled import Scrolled
from irviewer.gui.window import MainWindow
from irviewer.rendering.palette import LIGHT
from irviewer.session.session import Session

CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def screen(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> QueryScreen:
    empty_session.teaching.open_example("b2")
    empty_session.teaching.set_lesson_view("steps")
    window = make_window(empty_session)
    window.resize(1280, 800)
    window.flush()
    assert isinstance(window.current_screen, QueryScreen)
    return window.current_screen


def flush(screen: QueryScreen) -> None:
    window = screen.window()
    assert isinstance(window, MainWindow)
    window.flush()


class TestStrip:
    def test_it_says_what_is_shown_and_what_to_try(self, screen: QueryScreen) -> None:
        strip = screen.lesson_strip
        assert strip.isVisible()
        assert "Average precision is the mean of the precision" in strip.text.shows.text()
        assert "All 10 relevant documents are found by rank 20." in strip.tries.text()
        source = "Arguello, INLS 509 (2013), “average-precision”"
        assert strip.printed.text() == f"Printed: AP = 0.76 ({source}) · more exactly .7555"
        assert not strip.change.isVisible()
        assert not strip.again.isVisible()
        assert not screen.queries.isVisible()

    def test_a_click_does_it_and_undo_takes_it_back(self, screen: QueryScreen) -> None:
        strip = screen.lesson_strip
        strip.do_button.click()
        flush(screen)
        assert strip.change.text().startswith("AP .7555 → .7888")
        assert "▲ .0333" in strip.change.text()
        strip.undo.click()
        flush(screen)
        assert "AP .7555 → .7555" in strip.change.text()
        strip.again.click()
        flush(screen)
        assert not strip.change.isVisible()
        assert len(screen.session.view.labels()) == 1

    def test_the_effect_is_of_the_ranking_that_the_step_changes(self, screen: QueryScreen) -> None:
        session, strip = screen.session, screen.lesson_strip
        session.teaching.open_example("b5")
        session.lessons.show_place(3)
        flush(screen)
        strip.do_button.click()
        flush(screen)
        assert strip.change.text().startswith("AP .3312 → .4221")
        assert "▲ .0909" in strip.change.text()

    def test_a_step_that_fails_shows_no_effect(self, screen: QueryScreen) -> None:
        session, strip = screen.session, screen.lesson_strip
        text = "---\ntitle: T\nrankings: 0 1\n---\n## Step: S\ndo: swap 1 9\n"
        session.teaching.open(parse_lesson(text))
        session.lessons.show_place(1)
        flush(screen)
        strip.do_button.click()
        flush(screen)
        assert not strip.change.isVisible()
        assert not strip.undo.isVisible()
        assert "There is no rank 9" in session.view.messages[-1].text

    def test_of_another_measure_only_the_new_value_is_shown(self, screen: QueryScreen) -> None:
        session, strip = screen.session, screen.lesson_strip
        session.teaching.open_example("b8")
        session.teaching.set_lesson_view("steps")
        flush(screen)
        strip.do_button.click()
        flush(screen)
        assert strip.change.text() == "P@3 = .6667"
        session.teaching.open_example("g6")
        session.teaching.set_lesson_view("steps")
        session.lessons.show_place(3)  # below two questions
        flush(screen)
        strip.do_button.click()
        flush(screen)
        assert strip.change.text().startswith("nDCG@10 .8")
        assert "▲" in strip.change.text()

    def test_what_counts_as_relevant_is_the_lessons(self, screen: QueryScreen) -> None:
        screen.session.teaching.open_example("g8")
        screen.session.teaching.set_lesson_view("steps")
        flush(screen)
        shown = screen.lesson_strip.tries.text()
        assert "3 of 4 relevant documents are in the list. Relevant: grade 3 or higher." in shown
        assert screen.lesson_strip.printed.text() == "By definition: P(rel=3)@5 = 3/5"
        screen.session.teaching.set_lesson_view("sets")
        flush(screen)
        assert screen.lesson.sets.fractions.text() == "Top 5   P = 3/5 = .6000   R = 3/4 = .7500"

    def test_it_is_left_by_its_cross_and_the_curves_are_back(self, screen: QueryScreen) -> None:
        assert screen.lesson.isVisible()
        assert not screen.plots[0].isVisible()
        screen.lesson_strip.close_button.click()
        flush(screen)
        assert not screen.lesson_strip.isVisible()
        assert not screen.lesson.isVisible()
        assert screen.plots[0].isVisible()

    def test_the_queries_that_come_back_are_those_of_what_is_open(
        self, session: Session, make_window: Callable[[Session], MainWindow]
    ) -> None:
        session.navigation.set_place("query")
        window = make_window(session)
        window.flush()
        query_screen = window.current_screen
        assert isinstance(query_screen, QueryScreen)
        assert query_screen.queries.model.rowCount() > 1
        session.teaching.open_example("b2")
        session.teaching.set_lesson_view("steps")
        window.flush()
        assert query_screen.queries.isHidden()
        session.teaching.set_teaching(False)
        window.flush()
        assert not query_screen.queries.isHidden()
        assert query_screen.queries.model.rowCount() == 1


class TestSteps:
    def test_keys_reveal_guess_and_hide(self, screen: QueryScreen) -> None:
        steps, session = screen.lesson.steps, screen.session
        assert screen.focusWidget() is steps.field
        assert steps.rows.texts()[0] == "1 A ?"
        assert steps.rows.texts()[1] == "2 B"
        QTest.keyClick(steps.field, Qt.Key.Key_Space)
        QTest.keyClick(steps.field, Qt.Key.Key_Right)
        flush(screen)
        assert session.teaching.revealed == 2
        assert steps.rows.texts()[0] == "1 A .1000"
        QTest.keyClicks(steps.field, ".17")
        QTest.keyClick(steps.field, Qt.Key.Key_Return)
        flush(screen)
        assert steps.feedback.text() == "Rank 3: right to two decimals: .1667."
        assert steps.prompt.text() == "Value at rank 4?"
        assert steps.field.text() == ""
        QTest.keyClick(steps.field, Qt.Key.Key_Left)
        assert session.teaching.revealed == 2
        QTest.keyClicks(steps.field, "0/0")
        QTest.keyClick(steps.field, Qt.Key.Key_Return)
        flush(screen)
        assert session.teaching.revealed == 2
        assert "not a number" in steps.feedback.text()

    def test_letters_stay_the_windows_keys(self, screen: QueryScreen) -> None:
        QTest.keyClicks(screen.lesson.steps.field, "d")
        flush(screen)
        assert screen.lesson.steps.field.text() == ""

    def test_the_end(self, screen: QueryScreen) -> None:
        screen.session.teaching.reveal(20)
        flush(screen)
        steps = screen.lesson.steps
        assert steps.prompt.text() == "All 20 ranks revealed"
        assert not steps.reveal_button.isVisible()
        QTest.keyClick(steps.field, Qt.Key.Key_Left)
        assert screen.session.teaching.revealed == 19

    def test_a_click_selects_the_document(self, screen: QueryScreen) -> None:
        rows = screen.lesson.steps.rows
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPointF(60, 40).toPoint())
        assert screen.session.view.document_id == "B"


class TestSets:
    def test_an_area_is_chosen_by_click_and_by_key_and_lists_its_documents(self, screen: QueryScreen) -> None:
        screen.session.teaching.set_lesson_view("sets")
        screen.session.evaluation.set_cutoff(10)  # otherwise no document is missed
        flush(screen)
        view = screen.lesson.sets
        for area in ("retrieved_only", "both", "relevant_only"):
            where = view.picture.middle_of(area)
            assert view.picture.area_at(where) == area
            QTest.mouseClick(view.picture, Qt.MouseButton.LeftButton, pos=where.toPoint())
            view_model = screen.session.teaching.lesson_view_model()
            assert view_model is not None
            listed = [view.documents.item(row).text() for row in range(view.documents.count())]
            assert listed == list(getattr(view_model.sets, area))
        QTest.keyClick(view.picture, Qt.Key.Key_Left)
        assert view.picture.area == "both"
        assert view.fractions.text() == "Top 10   P = 7/10 = .7000   R = 7/10 = .7000"
        view.documents.itemClicked.emit(view.documents.item(2))
        assert screen.session.view.document_id == "D"

    def test_what_is_neither_is_the_fourth_set_with_its_name(self, screen: QueryScreen) -> None:
        screen.session.teaching.set_lesson_view("sets")
        screen.session.evaluation.set_cutoff(10)
        flush(screen)
        view = screen.lesson.sets
        rows = [view.names.item(row).text() for row in range(view.names.count())]
        assert rows == ["FP · false positives: 3", "TP · true positives: 7", "FN · false negatives: 3",
                        "TN · true negatives: …"]  # fmt: skip
        view.names.setCurrentRow(3)
        assert view.picture.area == "neither"
        listed = [view.documents.item(row).text() for row in range(view.documents.count())]
        assert listed == ["L", "M", "O", "P", "Q", "R", "S"]  # the non-relevant ones below rank 10
        assert view.picture.area_at(view.picture.middle_of("neither")) == "neither"
        assert "true negatives: all other documents" in view.picture.accessibleName()
        height = sum(view.names.sizeHintForRow(row) for row in range(4))
        assert view.names.viewport().height() >= height

    def test_no_area_outside_the_collection(self, screen: QueryScreen) -> None:
        screen.session.teaching.set_lesson_view("sets")
        flush(screen)
        assert screen.lesson.sets.picture.area_at(QPointF(1, 1)) == ""


class TestSurface:
    def test_it_starts_at_the_cutoff_and_walks_the_ranks(self, screen: QueryScreen) -> None:
        screen.session.teaching.set_lesson_view("f")
        screen.session.evaluation.set_cutoff(10)
        flush(screen)
        surface = screen.lesson.surface
        assert surface is not None
        assert surface.mark_label() == "rank 10: P .7000  R .7000  F1 .7000"
        QTest.keyClick(surface, Qt.Key.Key_Home)
        assert surface.mark_label() == "rank 1: P 1  R .1000  F1 .1818"  # 2 * .1 / 1.1
        QTest.keyClick(surface, Qt.Key.Key_Right)
        assert surface.rank == 2
        screen.lesson.betas.buttons["2"].click()
        assert "F2 .7000" in surface.mark_label()
        assert surface.figure is not None
        assert surface.savable() is not None
        assert not surface.grab().isNull()

    def test_it_is_of_the_beta_of_the_measure_in_view(self, screen: QueryScreen) -> None:
        screen.session.teaching.set_lesson_view("f")
        flush(screen)
        surface, betas = screen.lesson.surface, screen.lesson.betas.buttons
        assert surface is not None
        assert betas["1"].isChecked()
        screen.session.evaluation.set_measure("SetF(beta=2)")
        flush(screen)
        assert betas["2"].isChecked()
        assert " F2 " in surface.mark_label()
        betas["0.5"].click()
        flush(screen)
        assert betas["0.5"].isChecked()  # what is chosen by hand stays
        screen.session.evaluation.set_measure("SetF")
        flush(screen)
        assert betas["1"].isChecked()

    def test_a_list_that_is_empty(self, screen: QueryScreen) -> None:
        surface_session = screen.session
        surface_session.teaching.set_lesson_view("f")
        flush(screen)
        surface = screen.lesson.surface
        assert surface is not None
        surface.show_view_model(None, 1.0, 3)
        assert surface.mark_label() == ""
        assert surface.figure is None


class TestKeys:
    def test_undo_takes_back_what_was_tried_where_nothing_was_typed(self, screen: QueryScreen) -> None:
        session, field = screen.session, screen.lesson.steps.field
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        flush(screen)
        assert ".7555 → .7888" in screen.lesson_strip.change.text()
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        flush(screen)
        assert ".7555 → .7555" in screen.lesson_strip.change.text()
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL_SHIFT)
        flush(screen)
        assert ".7555 → .7888" in screen.lesson_strip.change.text()
        for text in ("0.1", "0.2"):  # guesses are no steps to be undone
            QTest.keyClicks(field, text)
            QTest.keyClick(field, Qt.Key.Key_Return)
        assert session.teaching.revealed == 2
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        flush(screen)
        assert ".7555 → .7555" in screen.lesson_strip.change.text()
        assert field.text() == ""

    def test_undo_is_the_fields_where_a_number_was_typed(self, screen: QueryScreen) -> None:
        session, field = screen.session, screen.lesson.steps.field
        assert session.teaching.do_example_step()
        flush(screen)
        field.setFocus()
        QTest.keyClicks(field, "0.5")
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert field.text() == ""
        assert session.history.undo_label
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert session.history.undo_label == "copy ranking 1 for editing"

    def test_the_lists_have_the_keys_when_the_lesson_goes(self, screen: QueryScreen) -> None:
        screen.lesson.steps.field.setFocus()
        assert screen.lesson.steps.field.hasFocus()
        screen.session.teaching.set_teaching(False)
        flush(screen)
        assert screen.lists.hasFocus()

    def test_the_field_has_the_keys_when_the_last_value_is_revealed(self, screen: QueryScreen) -> None:
        steps = screen.lesson.steps
        screen.session.teaching.reveal(19)
        flush(screen)
        steps.reveal_button.setFocus()
        steps.reveal_button.click()
        flush(screen)
        assert not steps.reveal_button.isVisible()
        assert steps.field.hasFocus()


class TestComingBack:
    def test_a_lesson_comes_back_as_it_was_left(
        self, session: Session, make_window: Callable[[Session], MainWindow]
    ) -> None:
        session.evaluation.set_measure("nDCG@10")
        session.teaching.open_example("b2")
        session.teaching.set_lesson_view("steps")
        window = make_window(session)
        window.resize(1280, 800)
        session.teaching.do_example_step()
        window.flush()
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        assert "AP .7555 → .7888" in screen.lesson_strip.change.text()
        run_command(session, "next_collection")
        window.flush()
        assert not screen.lesson_strip.change.isVisible()
        run_command(session, "next_collection")
        window.flush()
        assert "AP .7555 → .7888" in screen.lesson_strip.change.text()
        assert screen.lesson_strip.again.isVisible()
        assert str(session.view.measure) == "AP"


class TestRoom:
    @pytest.fixture
    def wide(self, empty_session: Session, make_window: Callable[[Session], MainWindow]) -> QueryScreen:
        """An example, and five shown runs of a collection of many queries in view, in textbook mode."""
        empty_session.teaching.open_example("b2")
        empty_session.teaching.set_lesson_view("steps")
        window = make_window(empty_session)
        window.resize(1280, 800)
        empty_session.files.open_sample("cranfield")
        assert empty_session.view.collection is not None
        empty_session.runs.show_runs([entry.key for entry in empty_session.view.collection.runs[:5]])
        window.flush()
        assert isinstance(window.current_screen, QueryScreen)
        assert empty_session.teaching.is_on
        return window.current_screen

    @pytest.mark.parametrize("number", a_part(range(5), 4))
    def test_the_edited_list_stays_in_sight(self, wide: QueryScreen, qtbot: QtBot, number: int) -> None:
        session, lists = wide.session, wide.lists
        session.teaching.set_teaching(False)
        flush(wide)
        view_model = lists.view_model
        assert view_model is not None
        copy = session.run_editing.edit_copy(view_model.columns[number].run.key)

        def in_sight() -> bool:
            flush(wide)
            left, width = lists.list_span(lists.current_list)
            return left >= 0 and left + width <= lists.viewport().width()

        qtbot.waitUntil(in_sight)
        before = lists.viewport().width()
        session.teaching.set_teaching(True)
        qtbot.waitUntil(lambda: flush(wide) is None and lists.viewport().width() < before)
        view_model = lists.view_model
        assert view_model is not None
        assert view_model.columns[lists.current_list].run.key == copy
        assert in_sight()

    def test_a_list_that_was_scrolled_away_stays_away(self, wide: QueryScreen, qtbot: QtBot) -> None:
        session, lists = wide.session, wide.lists
        session.teaching.set_teaching(False)
        flush(wide)
        before = lists.viewport().width()
        lists._list = 0
        lists.horizontalScrollBar().setValue(lists.horizontalScrollBar().maximum())
        at = lists.horizontalScrollBar().value()
        assert at > 0
        session.teaching.set_teaching(True)
        qtbot.waitUntil(lambda: flush(wide) is None and lists.viewport().width() < before)
        assert lists.horizontalScrollBar().value() >= at - 8

    def test_the_queries_come_back_as_wide_as_they_should_be(self, wide: QueryScreen, qtbot: QtBot) -> None:
        session, queries = wide.session, wide.queries
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        session.navigation.set_document(view_model.columns[0].doc_ids[0])
        share = min(300, round(wide.width() * 0.19))
        for collection in (1, 0, 1):
            session.files.set_collection(collection)
            flush(wide)
            assert queries.isVisible() == bool(collection)
        qtbot.waitUntil(lambda: abs(queries.width() - share) <= 1)

    @pytest.mark.parametrize(
        ("size", "teaching"),
        # the second size: large type on such a screen
        a_part([((1280, 800), True), ((1280, 800), False), ((914, 571), True), ((914, 571), False)], 3),
    )
    def test_no_line_of_the_document_is_painted_over_another(
        self, wide: QueryScreen, qtbot: QtBot, size: tuple[int, int], teaching: bool
    ) -> None:
        session, panel = wide.session, wide.document
        view_model = session.view_models.query_view_model()
        assert view_model is not None
        lists = [set(column.doc_ids) for column in view_model.columns]
        document = next(doc_id for doc_id in view_model.columns[0].doc_ids if sum(doc_id in ids for ids in lists) == 4)
        session.teaching.set_teaching(not teaching)
        session.navigation.set_document(document)
        flush(wide)
        session.teaching.set_teaching(teaching)
        wide.window().resize(*size)
        flush(wide)
        qtbot.waitUntil(lambda: wide.window().width() == size[0] and panel.isVisible())
        facts, text = panel._facts, panel.text

        def apart() -> bool:
            flush(wide)
            below = facts.mapTo(panel, facts.rect().bottomLeft()).y()
            top = text.mapTo(panel, text.rect().topLeft()).y()
            written = max(line for _, line, *_ in facts._flow())
            return below < top and written * 22 + 30 <= facts.height() and text.height() >= 15

        qtbot.waitUntil(apart)
        assert "not retrieved by" in facts.written


class TestQuestions:
    def test_a_question_is_answered_and_values_are_covered_until_then(self, screen: QueryScreen) -> None:
        session, box = screen.session, screen.lesson_strip.question
        session.teaching.open_example("b1")
        session.teaching.set_lesson_view("steps")
        flush(screen)
        assert not box.isVisible()
        screen.lesson_strip.next.click()
        screen.lesson_strip.next.click()
        flush(screen)
        assert box.isVisible()
        assert box.title.text() == "What is P@8?"
        assert not screen.metrics.isVisible()
        assert not screen.lesson.isVisible()
        assert not screen.lesson_strip.printed.isVisible()
        box.field.setText("0.86")
        QTest.keyClick(box.field, Qt.Key.Key_Return)
        flush(screen)
        assert "0.86 is not right." in box.feedback.text()
        assert "That is P@7." in box.feedback.text()
        assert not screen.metrics.isVisible()
        box.field.setText("6/8")
        box.answer_button.click()
        flush(screen)
        assert "Right." in box.feedback.text()
        assert not session.teaching.is_asking

    def test_the_field_of_a_question_keeps_the_keyboard(self, screen: QueryScreen) -> None:
        """The picture that had the keyboard before is hidden while a question is asked."""
        session, box = screen.session, screen.lesson_strip.question
        session.teaching.open_example("sets")
        session.teaching.set_lesson_view("sets")
        flush(screen)
        screen.lesson.sets.setFocus()
        while not (session.teaching.is_asking and box.field.isVisible()):
            assert screen.lesson_strip.next.isEnabled(), "no question with a field"
            screen.lesson_strip.next.click()
            flush(screen)
        box.field.setFocus()
        flush(screen)
        screen.lesson.refresh(frozenset())
        assert QApplication.focusWidget() is box.field

    def test_choices_are_buttons_and_the_right_ones_are_shown_when_asked_for(self, screen: QueryScreen) -> None:
        session, box = screen.session, screen.lesson_strip.question
        session.lessons.show_place(2)
        flush(screen)
        assert len(box.choices) == 3
        question = session.teaching.question
        assert question is not None
        right = [choice.right for choice in question.choices]
        wrong = next(n for n, choice in enumerate(question.choices) if "is there still" in choice.reason)
        assert not right[wrong]
        box.choices[wrong].click()
        box.answer_button.click()
        flush(screen)
        assert "Not right." in box.feedback.text()
        assert "is there still" in box.feedback.text()
        box.show_button.click()
        flush(screen)
        assert [button.isChecked() for button in box.choices] == right
        assert not box.choices[0].isEnabled()
        session.teaching.go(-1)
        flush(screen)
        assert not box.isVisible()


class TestPresenter:
    def test_page_keys_go_through_the_lesson_from_every_widget(self, screen: QueryScreen) -> None:
        session, window = screen.session, screen.window()
        assert session.teaching.lesson.place == 0
        field = window.focusWidget()
        assert isinstance(field, QLineEdit)  # the guess of rank 1
        QTest.keyClick(field, Qt.Key.Key_PageDown)
        flush(screen)
        assert session.teaching.lesson.place == 1
        screen.ranking.setFocus()
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageDown)
        flush(screen)
        assert session.teaching.lesson.place == 2
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageUp)
        flush(screen)
        assert session.teaching.lesson.place == 1

    def test_page_keys_leave_the_table_at_its_ends(self, screen: QueryScreen) -> None:
        session = screen.session
        session.teaching.set_lesson_view("table")
        flush(screen)
        assert screen.table is not None
        session.lecture_table.go_to_row(20)
        session.lecture_table.next()
        assert session.teaching.lesson.place == 0
        screen.table.rows.focus()
        QTest.keyClick(screen.window().focusWidget(), Qt.Key.Key_PageDown)
        assert session.teaching.lesson.place == 1


def test_the_field_of_the_next_question_has_the_keyboard(screen: QueryScreen) -> None:
    session, box = screen.session, screen.lesson_strip.question
    session.teaching.open_example("sets")
    flush(screen)
    screen.window().activateWindow()
    QApplication.processEvents()
    for place, answer in ((1, ""), (2, "2/5"), (1, "2"), (2, "")):
        session.lessons.show_place(place)
        flush(screen)
        assert box.field.isVisible()
        assert screen.window().focusWidget() is box.field
        box.field.setText(answer)
        box.answer_button.click()
        flush(screen)
        if answer:
            assert session.teaching.lesson.given(place).right  # type: ignore[union-attr]
        session.store.apply(replace(session.state, lesson=replace(session.teaching.lesson, answers=())))


def test_what_a_step_does_is_said_after_it_was_done(screen: QueryScreen) -> None:
    session, strip = screen.session, screen.lesson_strip
    assert session.teaching.go()
    item = session.teaching.item
    assert item is not None
    flush(screen)
    assert strip.do_button.isVisible()
    assert not strip.text.isVisible()
    strip.do_button.click()
    flush(screen)
    assert strip.text.isVisible()
    assert "AP goes from" in strip.text.shows.text()
    session.teaching.go(-1)
    session.teaching.go()
    flush(screen)
    assert "AP goes from" in strip.text.shows.text()  # it stays said


def test_documents_below_the_level_look_as_not_relevant(screen: QueryScreen) -> None:
    """At level 3 the lists say of grades 3 and higher alone that they are relevant."""
    screen.session.teaching.open_example("g8")
    flush(screen)
    view_model = screen.session.view_models.query_view_model()
    assert view_model is not None
    assert [view_model.is_relevant(grade) for grade in (0.0, 1.0, 2.0, 3.0, 5.0)] == [False, False, False, True, True]
    link = LinkInk(Theme(LIGHT), view_model, view_model.columns[0])
    assert [colour is not None for colour in link(range(5))] == [True, False, True, False, True]  # 5 2 4 1 3


def test_a_long_source_is_elided_and_whole_in_its_tooltip(screen: QueryScreen) -> None:
    screen.session.teaching.open_example("graded")
    flush(screen)
    source = screen.lesson_strip.source
    assert isinstance(source, ElidedLabel)
    assert source.toolTip().endswith("“Beyond binary relevance”")


def test_undo_stays_at_the_right_while_a_question_asks(screen: QueryScreen) -> None:
    session, strip = screen.session, screen.lesson_strip
    session.teaching.open_example("b11")
    session.lessons.show_place(2)
    session.teaching.do_example_step()
    session.lessons.show_place(3)
    flush(screen)
    assert strip.undo.isVisible()
    assert strip.undo.geometry().right() > strip.width() - 40


def test_columns_of_tables_are_apart(screen: QueryScreen) -> None:
    screen.session.teaching.open_example("answers")
    flush(screen)
    assert screen.lesson_strip.text.shows.text().startswith(COLUMNS_APART)


@pytest.mark.parametrize("show", ["lists", "curves", "table"])
def test_a_hint_has_all_its_lines_in_a_low_window(screen: QueryScreen, qtbot: QtBot, show: str) -> None:
    """At 200 % on a small screen; the ranks give way, which are scrolled."""
    session = screen.session
    words = "Average precision adds the precision at each relevant rank and divides the sum by all relevant documents. "
    text = (
        f"---\ntitle: T\nrankings: 1 0 1 1 0 | R=4\nshow: {show}\n---\n## Question: Q\nask: AP\nhint: {words * 2}\n\n"
    )
    assert session.lessons.open_lesson(parse_lesson(text + words * 2))
    session.lessons.show_place(1)
    screen.window().resize(640, 400)
    flush(screen)
    session.teaching.show_hint()
    flush(screen)
    strip, hint = screen.lesson_strip, screen.lesson_strip.question.hint
    assert hint.height() >= hint.heightForWidth(hint.width()) >= 2 * hint.fontMetrics().height()
    assert strip.question.geometry().bottom() < strip.height()
    below = screen.content if screen.content.isVisible() else screen.table
    qtbot.waitUntil(lambda: below.mapTo(screen, QPoint(0, 0)).y() >= strip.geometry().bottom())


@pytest.mark.parametrize(("lesson", "place"), [("significance", 2), ("effect", 5)])
def test_the_charts_of_compare_are_whole_beside_a_lesson(
    empty_session: Session, make_window: Callable[[Session], MainWindow], lesson: str, place: int
) -> None:
    """In 1280 x 720 their feet were below the end of a page that scrolled."""
    empty_session.teaching.open_example(lesson)
    empty_session.lessons.show_place(place)
    window = make_window(empty_session)
    window.resize(1280, 720)
    for _ in range(3):
        window.flush()
    (pair,) = window.findChildren(PairView)
    assert pair.isVisible()
    (area,) = (area for area in pair.findChildren(Scrolled) if area.isVisible())
    assert area.verticalScrollBar().maximum() == 0


def test_a_long_text_is_in_view_whole_on_a_large_screen(screen: QueryScreen) -> None:
    window = screen.window()
    assert isinstance(window, MainWindow)
    window.session.teaching.open_example("answers")
    for size, whole in (((1920, 1080), True), ((1280, 720), False)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        text = screen.lesson_strip.text
        assert (text.height() >= text.height_for(text.viewport().width())) == whole

"""The lecture's table in the window: keys, clicks, menus, curves; in class; the answer nowhere while it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.plots.lecture_curves import upward_ticks
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.teaching.lecture_table import KeyLine, LectureTableView
from irviewer.gui.teaching.table_rows import SEEN
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import key_cap_width
from irviewer.gui.window import MainWindow
from irviewer.session.lecture_table.progress import Cell
from irviewer.session.session import Session

B2 = "1 0 1 1 1 1 1 0 1 0 1 0 0 1 0 0 0 0 0 1 | R=10"
G1 = "4 3 4 2 0 0 0 1 1 0"


@pytest.fixture
def open_table(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> Callable[..., LectureTableView]:
    def opened(text: str = B2, measure: str = "AP", *, large: bool = False) -> LectureTableView:
        session = empty_session
        session.settings["large_type"] = large
        session.teaching.open_inline_ranking(text)
        session.evaluation.set_measure(measure)
        session.teaching.set_lesson_view("table")
        window = make_window(session)
        window.resize(1067, 600)  # 1280 × 720 at the scale of large type there
        window.flush()
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        assert screen.table is not None
        screen.table.rows.focus()
        return screen.table

    return opened


def flush(table: LectureTableView) -> None:
    window = table.window()
    assert isinstance(window, MainWindow)
    window.flush()


def press(table: LectureTableView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(table.focusWidget() or table.rows, key)
        flush(table)


def type_guess(table: LectureTableView, text: str) -> None:
    QTest.keyClicks(table.rows.field, text)
    press(table, Qt.Key.Key_Return)


def words(table: LectureTableView, rank: int) -> list[str]:
    spoken = table.rows.spoken.spoken.table
    assert spoken is not None
    return [spoken.cell(rank - 1, column) for column in range(len(spoken.headers))]


def test_keys_go_through_the_table(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    field = table.rows.field
    assert field.isVisible()
    assert table.window().focusWidget() is field
    press(table, Qt.Key.Key_Space)
    assert words(table, 1)[3] == "rank 1, AP sum, 1.00"
    assert not field.isVisible()
    press(table, Qt.Key.Key_PageDown)
    assert table.step.text() == "step 2 of 20"
    type_guess(table, "1")
    assert words(table, 2)[3] == "rank 2, AP sum, 1.00"
    press(table, Qt.Key.Key_Return)  # nothing is asked: the next row
    assert table.step.text() == "step 3 of 20"
    type_guess(table, "1.5")
    assert table.reason.isVisible()
    assert table.reason.what.text() == "1.5: adds P@2, of the row before."
    press(table, Qt.Key.Key_Escape)
    assert not table.reason.isVisible()
    assert field.selectedText() == "1.5"
    type_guess(table, "1 + 2/3")
    assert words(table, 3)[3] == "rank 3, AP sum, 1.67"
    assert not table.reason.isVisible()
    press(table, Qt.Key.Key_PageUp)
    assert words(table, 3)[3] == "rank 3, AP sum, asked"
    press(table, Qt.Key.Key_PageUp)
    assert table.step.text() == "step 2 of 20"


def test_the_table_keeps_the_keyboard_when_its_field_goes(
    open_table: Callable[..., LectureTableView], qtbot: QtBot
) -> None:
    table = open_table()
    table.window().activateWindow()
    qtbot.waitUntil(table.window().isActiveWindow)
    table.rows.focus()
    assert table.rows.field.hasFocus()
    press(table, Qt.Key.Key_PageDown)
    assert not table.rows.field.isVisible()
    assert table.rows.hasFocus()
    press(table, Qt.Key.Key_PageDown)
    assert table.rows.field.hasFocus()


def test_the_reason_for_a_wrong_guess_goes_when_something_else_is_typed(
    open_table: Callable[..., LectureTableView],
) -> None:
    table = open_table()
    table.session.lecture_table.go_to_row(11)
    flush(table)
    type_guess(table, "7.11")
    assert table.reason.what.text() == "7.11: also adds P@10 = .70."
    assert table.rows.field.wrong
    assert table.rows.field.text() == "7.11"
    QTest.keyClick(table.rows.field, Qt.Key.Key_Backspace)
    flush(table)
    assert not table.reason.isVisible()
    assert table.rows.field.text() == "7.1"
    type_guess(table, "9")
    press(table, Qt.Key.Key_Space)  # shows it
    assert words(table, 11)[3] == "rank 11, AP sum, 6.41"
    assert table.window().focusWidget() is table.rows


def test_both_ways_on_are_buttons(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    type_guess(table, "7")
    table.reason.again.click()
    flush(table)
    assert not table.reason.isVisible()
    assert table.window().focusWidget() is table.rows.field
    type_guess(table, "7")
    table.reason.show_it.click()
    flush(table)
    assert words(table, 1)[3] == "rank 1, AP sum, 1.00"


def test_arrows_and_clicks_select_a_cell(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    table.session.lecture_table.go_to_row(5)
    flush(table)
    press(table, Qt.Key.Key_Left, Qt.Key.Key_Up)
    view_model = table.session.lecture_table.view_model()
    assert view_model is not None
    assert view_model.at == Cell(0, 4, "R")
    assert table.formulas[0].worked.text() == "K = 4:  3 ÷ 10 = .30"
    where = table.rows.cell_rect(Cell(0, 2, "P")).center()
    QTest.mouseClick(table.rows.viewport(), Qt.MouseButton.LeftButton, pos=where)
    flush(table)
    assert table.formulas[0].worked.text() == "K = 2:  1 ÷ 2 = .50"
    QTest.mouseDClick(table.rows.viewport(), Qt.MouseButton.LeftButton, pos=where)
    flush(table)
    assert words(table, 2)[1] == "rank 2, P@K, covered"
    assert table.rows.cell_at(3, 3) is None


def test_commands_do_the_same_as_the_keys(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    run_command(table.session, "reveal")
    run_command(table.session, "reveal")
    flush(table)
    assert table.step.text() == "step 2 of 20"
    run_command(table.session, "hide_value")
    flush(table)
    assert table.step.text() == "step 1 of 20"


def entry(menu: QMenu, beginning: str) -> None:
    next(action for action in menu.actions() if action.text().startswith(beginning)).trigger()


def test_columns_and_what_is_asked_are_chosen_in_a_menu(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    entry(table.columns_menu(), "RR: ")
    entry(table.columns_menu(), "R@K: ")
    flush(table)
    assert words(table, 1) == [
        "rank 1, document A, grade 1", "rank 1, P@K, 1/1 = 1", "rank 1, AP sum, asked", "rank 1, RR, 1/1 = 1",
    ]  # fmt: skip
    asked = next(action.menu() for action in table.columns_menu().actions() if action.menu() is not None)
    assert isinstance(asked, QMenu)
    entry(asked, "P@K")
    flush(table)
    assert words(table, 1)[1] == "rank 1, P@K, asked"


def test_the_formulas_can_be_hidden_and_stay_so_in_the_next_lesson(
    open_table: Callable[..., LectureTableView],
) -> None:
    table = open_table()
    assert table.formulas[0].isVisible()
    entry(table.columns_menu(), "Formulas above the rows")
    flush(table)
    assert not any(box.isVisible() for box in table.formulas)
    table.session.teaching.open_example("b4")
    flush(table)
    assert table.isVisible()
    assert not any(box.isVisible() for box in table.formulas)
    entry(table.columns_menu(), "Formulas above the rows")
    flush(table)
    assert table.formulas[0].isVisible()


def test_another_ranking_is_put_beside_the_first(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table(f"{B2}\n---\n{G1}")
    assert table.second.isVisible()
    entry(table.second_menu(), "query 2")
    flush(table)
    assert table.formulas[1].isVisible()
    assert len(words(table, 1)) == 8
    assert words(table, 11)[4:] == ["", "", "", ""]
    entry(table.second_menu(), "none")
    flush(table)
    assert not table.formulas[1].isVisible()


def test_the_rules_change_numbers_and_formula(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table(G1, "DCG@10")
    table.session.lecture_table.set_asked(())
    table.session.lecture_table.go_to_row(10)
    table.session.lecture_table.select(Cell(0, 10, "DCG"))
    entry(table.rules_menu(), "textbooks: gain = grade, discount log2 max(i, 2)")
    flush(table)
    assert words(table, 10)[3] == "rank 10, DCG, 11.17"
    assert table.formulas[0].worked.text() == "K = 10, the last:  11.17 + 0 ÷ 3.32 = 11.17"
    entry(table.rules_menu(), "trec_eval")
    flush(table)
    assert words(table, 10)[3] == "rank 10, DCG, 9.37"


@pytest.mark.parametrize(
    ("value", "ticks"),
    [(9.0, "0 2.5 5 7.5 10"), (4.6, "0 2 4 6"), (0.9, "0 .25 .5 .75 1"), (400.0, "0 100 200 300 400"), (0.0, "0 .5 1")],
)
def test_ticks_of_curves_have_no_digits_that_they_do_not_need(value: float, ticks: str) -> None:
    top, shown = upward_ticks(value)
    assert " ".join(text for _, text in shown) == ticks
    assert top >= value
    assert [place for place, _ in shown] == pytest.approx([float(text) for text in ticks.split()])


def test_the_curves_grow_with_the_rows(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table(G1, "nDCG@10")
    gain = table.curves[1]
    assert not table.curve_panels[0].isVisible()
    table.session.lecture_table.go_to_row(4)  # DCG is asked there
    flush(table)
    assert gain.figure is not None
    assert [len(curve.x) for curve in gain.figure.curves] == [4, 3]
    assert not gain.grab().isNull()
    press(table, Qt.Key.Key_Space)
    assert gain.figure is not None
    assert [len(curve.x) for curve in gain.figure.curves] == [4, 4]
    table.session.lecture_table.set_columns(0, ["P", "R"])
    flush(table)
    precision = table.curves[0].figure
    assert precision is not None
    assert list(precision.curves[0].x) == pytest.approx([1 / 6, 2 / 6, 3 / 6])  # P@4 is asked
    assert not table.curve_panels[1].isVisible()


def test_in_class_fifteen_ranks_are_in_view_and_the_bars_are_away(
    open_table: Callable[..., LectureTableView],
) -> None:
    table = open_table(f"{B2}\n1 1 0 1 1", large=True)
    window = table.window()
    assert isinstance(window, MainWindow)
    assert not window.top_bar.isVisible()
    assert not window.bottom_row.isVisible()
    assert not window.menu_bar.isVisible()
    assert table.rows.seen >= SEEN == 15
    assert not table.grab().isNull()
    table.views.buttons["steps"].click()
    window.flush()
    assert window.top_bar.isVisible()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert screen.lists.isVisible()
    assert not screen.missed.isVisible()
    assert not window.bottom_row.isVisible()
    table.session.teaching.set_teaching(False)
    window.flush()
    assert screen.missed.isVisible()
    assert window.bottom_row.isVisible()


def test_the_table_is_left_for_the_lists(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    window = table.window()
    assert isinstance(window, MainWindow)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    table.leave.click()
    window.flush()
    assert not table.isVisible()
    assert screen.lists.isVisible()
    assert table.window().focusWidget() is screen.lists


def everything_said(window: MainWindow) -> str:
    """Every text of the visible widgets: labels, tooltips, accessible names and descriptions, the title."""
    texts = [window.windowTitle()]
    for widget in window.findChildren(QWidget):
        if widget.isVisible():
            texts += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.statusTip()]
            texts += [widget.text()] if isinstance(widget, QLabel) else []
    return "\n".join(texts)


@pytest.mark.parametrize("large", [False, True])
def test_the_answer_is_nowhere_in_the_window_while_it_is_asked(
    open_table: Callable[..., LectureTableView], large: bool
) -> None:
    table = open_table(large=large)
    window = table.window()
    assert isinstance(window, MainWindow)
    sums, expected = 0.0, []
    for rank, relevant in enumerate(B2.split(" |")[0].split(), start=1):
        sums += (B2.split(" |")[0].split()[:rank].count("1") / rank) * (relevant == "1")
        expected.append(sums)
    for rank in (4, 7, 11, 14, 20):  # relevant ranks, whose sums are new
        table.session.lecture_table.go_to_row(rank)
        type_guess(table, "42")
        said = set(re.findall(r"[\d.]*\d", everything_said(window)))
        for column in range(4):
            said |= set(re.findall(r"[\d.]*\d", "\n".join(words(table, row)[column] for row in range(1, 21))))
        total = expected[rank - 1]
        assert not said & {f"{total:.2f}", f"{total:.4f}", f"{total / 10:.4f}", f"{total / 10:.4f}".lstrip("0")}
        assert not said & {"0.7555", ".7555", ".76", "0.76"}  # AP


def test_the_field_is_where_the_cell_is(open_table: Callable[..., LectureTableView]) -> None:
    table = open_table()
    table.session.lecture_table.go_to_row(18)
    flush(table)
    rect = table.rows.cell_rect(Cell(0, 18, "AP"))
    assert table.rows.viewport().rect().contains(rect)
    assert rect.contains(table.rows.field.geometry().center())
    assert table.rows.field.mapTo(table.rows.viewport(), QPoint(0, 0)).y() >= rect.top()


LESSON = """---
title: Average precision
after: Arguello, INLS 509 (2013), “average-precision”
show: table
columns: P@K, R@K, AP sum
rankings: 1 0 1 1 1 1 1 0 1 0 1 0 0 1 0 0 0 0 0 1
printed: AP = 0.76 (Arguello, INLS 509 (2013), “average-precision”)
---
A text.

## Question: What is the AP sum at rank 11?
ask: AP sum at 11
because: 5.68 and 8/11.

## Step: Swap ranks 2 and 3
do: swap 2 3
"""


@pytest.fixture
def open_lesson(
    empty_session: Session, make_window: Callable[[Session], MainWindow], tmp_path: Path
) -> Callable[[bool], QueryScreen]:
    def open_screen(large: bool) -> QueryScreen:
        path = tmp_path / "lesson.md"
        path.write_text(LESSON, "utf-8")
        empty_session.settings["large_type"] = large
        empty_session.teaching.open_path(str(path))
        window = make_window(empty_session)
        window.resize(1067, 600)
        window.flush()
        assert isinstance(window.current_screen, QueryScreen)
        return window.current_screen

    return open_screen


@pytest.mark.parametrize("place", [0, 1, 2])
def test_in_class_a_lesson_leaves_room_for_fifteen_ranks(
    open_lesson: Callable[[bool], QueryScreen], place: int, qtbot: QtBot
) -> None:
    screen = open_lesson(True)
    for _ in range(place):
        screen.session.teaching.go()
    window = screen.window()
    assert isinstance(window, MainWindow)
    window.flush()
    table = screen.table
    assert table is not None
    assert screen.lesson_strip.isVisible()
    qtbot.waitUntil(lambda: table.rows.seen >= SEEN)
    assert table.columns.isVisible()


@pytest.mark.parametrize("large", [False, True])
def test_the_question_is_asked_in_the_cell_and_the_printed_value_comes_last(
    open_lesson: Callable[[bool], QueryScreen], large: bool
) -> None:
    screen = open_lesson(large)
    session, strip, table = screen.session, screen.lesson_strip, screen.table
    window = screen.window()
    assert isinstance(window, MainWindow)
    assert table is not None
    assert not strip.printed.isVisible()
    session.teaching.go()
    window.flush()
    assert "AP sum at rank 11" in strip.question.title.text()
    assert not strip.question.field.isVisible()
    assert table.rows.field.isVisible()
    assert "6.41" not in everything_said(window)
    table.rows.focus()
    type_guess(table, "6.41")
    assert "Right." in strip.question.feedback.text()
    assert not strip.printed.isVisible()  # AP is not yet computed
    session.lecture_table.go_to_row(20)
    session.lecture_table.next()
    window.flush()
    session.teaching.go(-1)
    session.lecture_table.go_to_row(20)
    session.lecture_table.next()
    window.flush()
    assert "0.76" in strip.printed.text()


def test_the_lowest_window_has_rows_in_place_of_formulas_and_sums(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    empty_session.teaching.open_example("b2")
    window = make_window(empty_session)
    for size, whole in (((1280, 720), True), ((640, 400), False), ((1280, 720), True)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
        screen = window.current_screen
        assert isinstance(screen, QueryScreen)
        table = screen.findChild(LectureTableView)
        assert table is not None
        assert table.foot.isVisible() == table.formulas[0].isVisible() == whole
        assert table.rows.viewport().height() >= 100


@pytest.mark.parametrize("width", range(20, 700, 20))
def test_no_key_is_cut_below_the_table(theme: Theme, qtbot: QtBot, width: int) -> None:
    """In Spanish, with two queries beside each other, a key was cut after four letters of what it does."""
    line = KeyLine(theme)
    qtbot.addWidget(line)
    line.show_progress("3 of 4", "step 1 of 10", short=False)
    line.resize(width, 26)
    keys, score = line.fitting()
    metrics = QFontMetrics(theme.font(9))
    needed = sum(key_cap_width(key, theme) + 23 + metrics.horizontalAdvance(what) for key, what in keys)
    assert needed - 16 <= width - 10 or not keys
    assert not score or needed + metrics.horizontalAdvance(score) <= width - 10
    assert len(keys) == 4 or width < 600

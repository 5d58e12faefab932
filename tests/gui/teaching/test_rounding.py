"""Textbook mode rounds half up wherever it writes a value, and leaves the zero before the point out, as lectures do:
1/32 is .0313, 5/8 is .63."""

from __future__ import annotations

from collections.abc import Callable

from irviewer.commands import run_command
from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.widgets.painting import delta_text
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.teaching.exchange.printing import lesson_sheet

LESSON = """---
title: Half
measure: AP
columns: K, P@K, AP sum, AP@K
rankings: 0 1 0 1 0 1 1 1 | R=16
---
## Step: Cut
do: cut 2
"""
# P@8 = 5/8; AP of the first two ranks = 1/2 / 16 = 1/32.


def opened(session: Session, make_window: Callable[[Session], MainWindow]) -> tuple[MainWindow, QueryScreen]:
    session.teaching.open(parse_lesson(LESSON))
    window = make_window(session)
    window.resize(1280, 800)
    window.flush()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    return window, screen


def metrics(screen: QueryScreen) -> dict[str, str]:
    model = screen.metrics.table.model()
    return {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}


def test_lists_strip_steps_and_tables_write_the_same(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    window, screen = opened(session, make_window)
    session.teaching.set_lesson_view("steps")
    session.teaching.reveal(2)
    window.flush()
    assert screen.lesson.steps.rows.texts()[1] == "2 B .0313"
    assert screen.lesson_strip.do_button.isVisible()
    screen.lesson_strip.do_button.click()
    window.flush()
    assert "→ .0313" in screen.lesson_strip.change.text()
    view_model = session.view_models.query_view_model()
    assert view_model is not None
    assert [f"{column.value:.4f}" for column in view_model.columns][-1] == "0.0313"
    assert ".0313" in [screen.metrics.table.model().index(row, 2).data() for row in range(len(view_model.metrics))]
    assert delta_text(1 / 32, 4) == "▲ .0313"


def test_the_sets_and_the_lecture_table(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    session = empty_session
    window, screen = opened(session, make_window)
    session.evaluation.set_cutoff(8)
    session.teaching.set_lesson_view("sets")
    window.flush()
    assert screen.lesson.sets.fractions.text() == "Top 8   P = 5/8 = .6250   R = 5/16 = .3125"
    session.teaching.set_lesson_view("table")
    session.lecture_table.set_asked([])
    window.flush()
    table = session.lecture_table.view_model()
    assert table is not None
    assert table.halves[0].ranking.at("P", 8) == 0.625
    sheet = lesson_sheet([parse_lesson(LESSON)], answers=True)
    assert "<td>5/8 = .63</td>" in sheet
    assert "<td>.0313</td>" in sheet


def test_work_that_is_no_lesson_is_rounded_as_before(
    empty_session: Session, make_window: Callable[[Session], MainWindow]
) -> None:
    session = empty_session
    window, screen = opened(session, make_window)
    run_command(session, "teaching")
    window.flush()
    assert not session.teaching.is_on
    assert delta_text(1 / 32, 4) == "▲ 0.0312"
    run_command(session, "teaching")
    window.flush()
    assert delta_text(1 / 32, 4) == "▲ .0313"
    assert metrics(screen)["AP"] == f"{(1 / 2 + 2 / 4 + 3 / 6 + 4 / 7 + 5 / 8) / 16:.4f}".lstrip("0")

"""Two judges grade by grade on screen: cells by pointer and keys, the level, the list and its document."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.confusion import ConfusionView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.plots.judges.confusion import ConfusionTable
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.judges.test_comparison import comparing, judged, with_runs

pytestmark = pytest.mark.opens("compare", "confusion")

MakeWindow = Callable[[Session], MainWindow]


@pytest.fixture
def session() -> Iterator[Session]:
    new_session = comparing("confusion", with_runs(judged(random_grades(5, 2, 60, missing=0.0))))
    yield new_session
    new_session.close()


def shown(session: Session, make_window: MakeWindow) -> tuple[MainWindow, ConfusionView]:
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("confusion")
    assert isinstance(view, ConfusionView)
    screen.load_plots()
    return window, view


def test_cells_and_the_level_are_chosen_in_the_table(session: Session, qtbot: QtBot, make_window: MakeWindow) -> None:
    window, view = shown(session, make_window)
    table = view.panel.canvas
    assert isinstance(table, ConfusionTable)
    picture = table.savable()
    assert picture is not None
    assert picture.title == "judge0 by judge1"
    qtbot.mouseClick(table, Qt.MouseButton.LeftButton, pos=table.box(0, 3).center().toPoint())
    assert session.state.cells == ("0>3",)
    window.flush()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert session.state.cells == ("1>3",)
    wide = table.box(0, 1).left()
    start, end = QPointF(wide, table.box(0, 0).top() - 12), QPointF(table.box(0, 2).left(), table.box(0, 0).top() - 12)
    for kind, place in (
        (QEvent.Type.MouseButtonPress, start),
        (QEvent.Type.MouseMove, end),
        (QEvent.Type.MouseButtonRelease, end),
    ):
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(table, QMouseEvent(kind, place, place, left, left, none))
    assert session.view.level == 2
    assert not table.grab().isNull()
    assert not view.level.grab().isNull()


def test_the_list_selects_documents_and_their_buttons_adjudicate(
    session: Session, qtbot: QtBot, make_window: MakeWindow
) -> None:
    window, view = shown(session, make_window)
    assert view.document.text.isHidden(), "no empty box stands for a text"
    assert view.document.yours.isHidden() and view.document.grades.isHidden(), "there is nothing to grade"
    view.list.table.selectRow(1)
    session.judge_comparison.select(1)
    window.flush()
    assert not view.document.text.isHidden()
    assert not view.document.yours.isHidden() and not view.document.grades.isHidden()
    assert "judge0: grade" in view.document.facts.text()
    view.document.grades.given.emit(3.0)
    window.flush()
    assert len(session.judges.sets) == 3
    assert session.judge_comparison.listed == 2
    qtbot.mouseClick(view.strip.buttons["queries"], Qt.MouseButton.LeftButton)
    assert view.list.model.column_of("disagreements") >= 0
    assert view.list.savable().title == "Agreement by query"


def test_the_statistics_do_not_scroll_sideways_in_a_small_window(session: Session, make_window: MakeWindow) -> None:
    """At 1024 × 640 what a statistic means was cut to one letter; it is left out, and the tooltip has it."""
    window, view = shown(session, make_window)
    table = view.statistics.table
    seen = []
    for size in ((1024, 640), (1280, 800), (1920, 1080)):
        window.resize(*size)
        for _ in range(3):
            window.flush()
            QApplication.processEvents()
        assert not table.horizontalScrollBar().maximum(), size
        column = view.statistics.model.column_of("meaning")
        seen.append(table.horizontalHeader().sectionSize(column))
    assert seen[0] == 0 < 150 <= seen[1] < seen[2]
    for row in (1, 0):  # where the column is left out or cut, the whole text of the current row stands below
        table.selectRow(row)
        window.flush()
        assert view.meaning.text() and view.meaning.text() == view.statistics.model.columns[column].text(row)


def test_what_is_left_of_a_share_is_not_painted_as_if_it_was_selected(
    session: Session, make_window: MakeWindow
) -> None:
    """In high contrast the rest of "prevalence" was yellow, or blue, as a selected row is."""
    session.appearance.set_theme("contrast")
    _, view = shown(session, make_window)
    view.theme.set_palette(session.view.palette)
    picture, selection = view.level.grab().toImage(), view.theme["selection"].rgb()
    below = range(150, picture.height())
    assert not any(picture.pixel(x, y) == selection for y in below for x in range(picture.width()))

"""The query sets' header: what it offers to the mouse, and renaming."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.screen import SetsView
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("compare", "sets")


def _view(window: MainWindow, session: Session) -> SetsView:
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "sets")
    window.flush()
    view = window.current_screen.findChild(SetsView)
    assert view is not None
    return view


def test_buttons_do_what_commands_do(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    view = _view(window, session)
    buttons = view.table.buttons
    assert buttons["open_query_sets"].isVisible()
    assert not buttons["keep_filtered"].isVisible()
    session.navigation.filter_queries("heat")
    window.flush()
    assert buttons["keep_filtered"].isVisible()
    buttons["keep_filtered"].grab()
    buttons["keep_filtered"].click()
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    dialog.accept()
    assert [query_set.name for query_set in session.query_sets.every] == ["heat"]


def test_a_set_is_renamed(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    session.query_sets.make_query_set("one", ("1", "2"), "made", "by hand")
    view = _view(window, session)
    view.table.rename_asked.emit("one")
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    assert dialog.line.text() == "one"
    dialog.line.setText("other")
    dialog.accept()
    QApplication.processEvents()
    assert [query_set.name for query_set in session.query_sets.every] == ["other"]


def test_a_very_long_run_name_is_cut_in_its_middle_and_shown_whole(window: MainWindow, session: Session) -> None:
    name = "a_run_of_somebody_who_writes_every_parameter_into_its_name_" * 3 + "at_the_end"
    session.runs.rename_run(session.view.labels()[1].key, name)
    view = _view(window, session)
    table = view.table.table
    screens = [screen for screen, column in enumerate(view.table.model.columns) if column.run is not None]
    widths = [table.columnWidth(screen) for screen in screens]
    assert max(widths) < 2.5 * min(widths)  # what is left over goes to all columns alike
    assert table.horizontalScrollBar().maximum() == 0
    assert name in view.table.model.columns[screens[1]].tooltip


def test_beside_many_runs_only_the_difference_stays(window: MainWindow, session: Session) -> None:
    view = _view(window, session)
    window.resize(900, 560)
    table = view.table.table
    for screen in range(1, view.table.model.columnCount()):
        table.horizontalHeader().resizeSection(screen, 400)
    header = table.horizontalHeader()
    fixed = [column.id for screen, column in enumerate(view.table.model.columns) if header.is_fixed(screen)]  # type: ignore[attr-defined]
    assert fixed == ["difference"]

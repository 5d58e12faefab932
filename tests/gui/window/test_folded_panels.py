"""Side panels of Query: folded by key, by hand and in a narrow window; remembered apart; the room goes to the lists."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.tabbed import TabbedScreen
from irviewer.gui.window import LEAST, MainWindow
from irviewer.session.session import Session


def shown(window: MainWindow) -> tuple[bool, bool]:
    """Return whether the list of queries and the measures are shown; a strip stands where one is not."""
    window.flush()
    QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    sides = not screen.queries.isHidden(), not screen.why.isHidden()
    assert (screen.strip_queries.isHidden(), screen.strip_measures.isHidden()) == sides
    return sides


def test_keys_fold_and_open_and_it_is_said(window: MainWindow, session: Session) -> None:
    window.resize(1280, 800)
    screen = window.current_screen
    assert shown(window) == (True, True)
    before = screen.lists.width()
    assert run_command(session, "fold_queries")
    assert shown(window) == (False, True)
    assert screen.lists.width() > before + 100
    assert "folded" in session.view.messages[-1].text
    assert run_command(session, "fold_measures")
    assert shown(window) == (False, False)
    assert session.settings["folded_panels"] == ["queries", "measures"]
    assert run_command(session, "fold_queries")
    assert shown(window) == (True, False)


def test_the_focus_leaves_a_panel_that_is_folded(window: MainWindow, session: Session) -> None:
    window.resize(1280, 800)
    screen = window.current_screen
    screen.queries.list.setFocus()
    run_command(session, "fold_queries")
    assert shown(window) == (False, True)
    assert not screen.queries.isAncestorOf(window.focusWidget() or window)


def test_a_panel_that_was_folded_shows_what_changed_meanwhile(window: MainWindow, session: Session) -> None:
    window.resize(1280, 800)
    run_command(session, "fold_queries")
    shown(window)
    session.navigation.step_query(1)
    window.flush()
    run_command(session, "fold_queries")
    assert shown(window) == (True, True)
    view_model = window.current_screen.queries.model.view_model
    assert view_model.query_ids[view_model.selected] == session.view.query_id


def test_the_chart_above_a_document_can_be_read(window: MainWindow, session: Session) -> None:
    """It has as much room as the text, where there is little."""
    window.resize(1280, 800)
    window.flush()
    context, query = session.view.context, session.view.query_id
    assert context is not None and query is not None and context.collection.documents is not None
    session.navigation.set_document(context.collection.runs[0].run.ranking(query)[0])
    shown(window)
    screen = window.current_screen
    chart, document = screen.plots[0].height(), screen.document.height()
    assert document > 100
    assert chart >= min(200, 0.95 * document), (chart, document)


def test_in_a_narrow_window_one_is_open_at_most(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    window.resize(*LEAST)
    assert window.size().toTuple() == LEAST
    assert shown(window) == (False, False)
    qtbot.mouseClick(window.current_screen.strip_measures, Qt.MouseButton.LeftButton)
    assert shown(window) == (False, True)
    run_command(session, "fold_queries")
    assert shown(window) == (True, False)
    window.resize(1280, 800)
    assert shown(window) == (True, True), "what was folded for want of room comes back"
    assert session.settings["folded_panels"] == []
    window.resize(*LEAST)
    assert shown(window) == (True, False)


def test_between_both_widths_the_measures_take_the_place_of_the_queries(window: MainWindow, session: Session) -> None:
    window.resize(850, 600)
    assert shown(window) == (True, False)
    run_command(session, "fold_measures")
    assert shown(window) == (False, True)
    run_command(session, "fold_queries")
    assert shown(window) == (True, False)


@pytest.mark.parametrize("place", ["verdict", "systems", "queries", "query", "compare"])
def test_the_views_are_a_menu_where_their_names_have_no_room(
    qtbot: QtBot, window: MainWindow, session: Session, place: str
) -> None:
    window.resize(*LEAST)
    session.navigation.set_place(place)
    window.flush()
    QApplication.processEvents()
    switch = window.top_bar.place_buttons
    assert switch.folded
    menu = switch.menu()
    texts = {action.data(): action.text() for action in menu.actions()}
    assert "collections" not in texts, "one collection is open"
    button = switch.menu_button
    assert button.text() == texts[place]
    qtbot.waitUntil(lambda: button.width() >= button.sizeHint().width())  # the name is whole
    next(action for action in menu.actions() if action.data() == "systems").trigger()
    assert session.view.place == "systems"
    assert window.top_bar.geometry().right() >= window.top_bar.find_button.geometry().right()
    window.resize(1280, 800)
    QApplication.processEvents()
    assert not switch.folded
    assert [name for name, button in switch.buttons.items() if button.isVisible()] == list(texts)


@pytest.mark.parametrize("place", ["queries", "compare"])
def test_tabs_are_no_menu_in_a_window_wide_enough(window: MainWindow, session: Session, place: str) -> None:
    window.resize(1280, 800)
    QApplication.processEvents()
    session.navigation.set_place(place)
    window.flush()
    QApplication.processEvents()
    screen = window.current_screen
    assert isinstance(screen, TabbedScreen)
    assert not screen.strip.folded
    window.resize(*LEAST)
    QApplication.processEvents()
    assert screen.strip.folded


@pytest.mark.opens("query")
def test_a_window_that_grows_shows_two_different_charts(window: MainWindow, session: Session) -> None:
    window.resize(1280, 640)
    shown(window)
    session.appearance.set_query_chart("gain")
    shown(window)
    screen = window.current_screen
    assert isinstance(screen, QueryScreen)
    assert not screen.charts.isHidden()
    window.resize(1280, 1000)
    QApplication.processEvents()
    assert screen.charts.isHidden()
    assert screen.plots[0].title != screen.plots[1].title
    window.resize(1280, 640)
    QApplication.processEvents()
    assert not screen.charts.isHidden()

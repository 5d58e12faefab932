"""Screens with so many runs that their views are refreshed one after another, between events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.compare.matrices import MatricesView
from irviewer.gui.compare.pair import PairView
from irviewer.gui.failures.screen import FailuresView, RelevantView
from irviewer.gui.queries.screen import QueriesView
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens import screen as screens
from irviewer.gui.screens.tabbed import TabbedScreen
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.tables.column_widths import Widths
from irviewer.gui.tables.model import Column
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.fixture
def place(window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QueryScreen:
    """Query in a window where more runs than one are many."""
    monkeypatch.setattr(screens, "MOST_AT_ONCE", 1)
    session.navigation.set_place("query")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    return cast(QueryScreen, window.current_screen)


def tabs_of_queries(window: MainWindow, tab: str) -> TabbedScreen:
    """Show a tab of Queries, whose views wait."""
    window.session.navigation.set_tab("queries", tab)
    window.session.navigation.set_place("queries")
    window.flush()
    return cast(TabbedScreen, window.current_screen)


def shown(place: QueryScreen) -> tuple[object, ...]:
    """What measures and chart show."""
    columns = place.metrics.model.columns
    cells = [[column.text(row) for column in columns] for row in range(len(place.metrics.model.keys))]
    canvas = place.plots[0].canvas
    curves = [] if canvas is None else [np.asarray(curve.y).tolist() for curve in canvas.figure.curves]  # type: ignore[attr-defined]
    return cells, curves


def test_a_window_is_complete_when_all_views_show_the_query(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    before = shown(place)
    session.navigation.step_query(1)
    window.flush()
    assert place.is_waiting and not window.is_complete() and shown(place) == before
    qtbot.waitUntil(window.is_complete)
    in_parts = shown(place)
    assert in_parts != before
    session.navigation.step_query(-1)
    session.navigation.step_query(1)
    window.flush()
    place.complete()
    assert not place.is_waiting and shown(place) == in_parts


def test_a_command_that_asks_sees_what_the_key_before_it_opened(
    place: QueryScreen, window: MainWindow, session: Session
) -> None:
    before = shown(place)
    session.navigation.step_query(1)
    run_command(session, "find_action")
    assert not place.is_waiting and shown(place) != before


def test_a_hidden_view_refreshes_nothing_until_it_is_shown(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    before = shown(place)
    session.navigation.step_query(1)
    window.flush()
    session.navigation.set_place("systems")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    for _ in range(20):
        QApplication.processEvents()
    assert place.is_waiting and shown(place) == before
    session.navigation.set_place("query")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    assert not place.is_waiting and shown(place) != before


def test_a_window_that_closes_refreshes_nothing_more(place: QueryScreen, window: MainWindow, session: Session) -> None:
    before = shown(place)
    session.navigation.step_query(1)
    window.flush()
    assert place.is_waiting
    window.release()
    QApplication.processEvents()
    assert not place.is_waiting and shown(place) == before


def test_relevant_documents_are_shown_once_their_tab_is_in_view(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    screen = tabs_of_queries(window, "relevant")
    table = cast(RelevantView, screen.shown).table
    assert screen.is_waiting and not table.model.keys
    qtbot.waitUntil(window.is_complete)
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None and view_model.doc_ids
    assert tuple(table.model.keys) == view_model.doc_ids
    assert table.table.height() <= screen.height()


def test_relevant_documents_are_measured_once_before_they_are_shown(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To make, measure and paint the columns of 500 runs at once took more than a tenth of a second."""
    view = cast(RelevantView, tabs_of_queries(window, "relevant").shown)
    table, measured = view.table.table, list[Sequence[Column]]()
    shown, measure = list[int](), Widths.measure

    def watch(widths: Widths, columns: Sequence[Column], rows: int) -> None:
        measured.append(columns)
        shown.append(len(view.table.model.keys))
        measure(widths, columns, rows)

    monkeypatch.setattr(Widths, "measure", watch)
    assert view.is_waiting
    qtbot.waitUntil(window.is_complete)
    assert shown == [0] and view.table.model.columns is measured[0]
    sections = range(table.horizontalHeader().count())
    widths = [table.columnWidth(section) for section in sections]
    table.forget_widths()
    table.fit()
    assert widths == [table.columnWidth(section) for section in sections] and len(widths) > 2
    session.navigation.step_query(1)
    window.flush()
    qtbot.waitUntil(window.is_complete)
    view_model = session.list_judging.relevant_view_model()
    assert view_model is not None and tuple(view.table.model.keys) == view_model.doc_ids


def test_failures_are_made_in_one_event_and_filled_in_another(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    view = cast(FailuresView, tabs_of_queries(window, "failures").shown)
    assert view.is_waiting and view.loop is None
    view._refresh_next()  # to wait for it may let the event after it happen, too
    assert view.loop is not None
    assert view.is_waiting and view.focusProxy() is not view.loop
    session.evaluation.set_measure("P@5")  # what comes between fills it at once
    window.flush()
    assert not view.is_waiting and view.focusProxy() is view.loop and view.run.text()
    qtbot.waitUntil(window.is_complete)
    session.failures.show_every_run()
    window.flush()
    assert view.is_waiting and view.overview is None
    qtbot.waitUntil(window.is_complete)
    assert view.focusProxy() is view.overview


def test_a_matrix_is_made_in_one_event_and_shown_in_another(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    session.navigation.set_tab("compare", "matrices")
    session.navigation.set_place("compare")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    view = cast(MatricesView, cast(TabbedScreen, window.current_screen).shown)
    former = view.panel.title
    session.matrices.set_matrix("overlap")
    window.flush()
    assert view.is_waiting and view.panel.title == former
    view_model = session.matrices.matrix_view_model()
    qtbot.waitUntil(window.is_complete)
    assert view_model is not None and view.panel.title == view_model.title != former


def test_systems_are_complete_when_the_curves_are_those_of_the_table(
    place: QueryScreen, window: MainWindow, session: Session, qtbot: QtBot
) -> None:
    session.navigation.set_place("systems")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    systems = cast(SystemsScreen, window.current_screen)
    before = [plot.canvas.figure for plot in systems.plots]  # type: ignore[union-attr]
    session.runs.show_runs([session.view.collection.runs[1].key])  # type: ignore[union-attr]
    window.flush()
    assert systems.is_waiting and not window.is_complete()
    assert [plot.canvas.figure for plot in systems.plots] == before  # type: ignore[union-attr]
    qtbot.waitUntil(window.is_complete)
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    figures = [plot.canvas.figure for plot in systems.plots]  # type: ignore[union-attr]
    assert figures == [view_model.precision_recall, view_model.by_cutoff] != before


def test_the_plots_of_many_queries_follow_the_table(
    window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.navigation.set_place("queries")
    session.navigation.set_tab("queries", "table")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    place = cast(TabbedScreen, window.current_screen)
    bars = place.shown.plots[1]
    pictures = []
    for most in (1, 1000):
        monkeypatch.setattr(screens, "MOST_QUERIES", most)
        for measure in ("P@5", "AP"):
            session.evaluation.set_measure(measure)
            before = bars.title
            window.flush()
            assert place.is_waiting == (most == 1)
            assert (bars.title == before) == place.is_waiting
            qtbot.waitUntil(window.is_complete)
            pictures.append(bars.title)
            assert not place.is_waiting
    assert pictures[:2] == pictures[2:]


@pytest.mark.parametrize(("name", "tab"), [("queries", "table"), ("compare", "pair")])
def test_another_measure_of_many_queries_is_computed_before_the_table_is_filled(
    name: str, tab: str, window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Order, values and rows took 160 ms of a million queries in one event."""
    session.navigation.set_place(name)
    session.navigation.set_tab(name, tab)
    window.flush()
    qtbot.waitUntil(window.is_complete)
    view = cast(TabbedScreen, window.current_screen).shown
    assert isinstance(view, QueriesView | PairView)
    panel = view.table if isinstance(view, QueriesView) else view.tests
    monkeypatch.setattr(screens, "MOST_QUERIES", 1)
    before = panel.title
    session.evaluation.set_measure("P@5")
    window.flush()
    assert view.is_waiting and panel.title == before
    session.navigation.step_query(1)  # the rows still wait
    window.flush()
    assert view.is_waiting and panel.title == before
    qtbot.waitUntil(window.is_complete)
    assert "P@5" in panel.title and panel.title != before
    if isinstance(view, QueriesView):
        session.navigation.step_query(1)
        window.flush()
        row = view.table.table.current_row()
        assert view.table.model.keys[row] == session.view.query_id


def test_the_list_of_many_queries_is_filled_where_resizing_unfolds_it(
    window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "MOST_QUERIES", 1)
    session.navigation.set_place("query")
    window.flush()
    qtbot.waitUntil(window.is_complete)
    screen = cast(QueryScreen, window.current_screen)
    for width in (700, 1500, 700, 1500):
        window.resize(width, 800)
        session.navigation.step_query(1)
        window.flush()
        qtbot.waitUntil(window.is_complete)
        if not screen.queries.isHidden():
            view_model = screen.queries.model.view_model
            assert view_model is not None
            assert view_model.query_ids[view_model.selected] == session.view.query_id
    assert not screen.queries.isHidden()


def test_with_many_queries_a_view_is_made_in_one_event_and_filled_in_the_next(
    window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each took some 30 ms, one after the other."""
    monkeypatch.setattr(screens, "MOST_QUERIES", 1)
    before = window.current_screen
    session.navigation.set_place("queries")
    window._update_visible()
    assert "queries" in window._screens
    assert window.current_screen is before and not window.is_complete()
    qtbot.waitUntil(window.is_complete)
    place = cast(TabbedScreen, window.current_screen)
    assert place is not before
    first = place.stack.currentWidget()
    session.navigation.set_tab("queries", "attributes")
    window.flush()
    assert "attributes" in place.views
    assert place.is_waiting and place.stack.currentWidget() is first
    session.evaluation.set_measure("P@5")  # what comes between is not lost, and fills it at once
    window.flush()
    assert not place._parts and place.stack.currentWidget() is place.views["attributes"]
    qtbot.waitUntil(window.is_complete)


def test_what_is_asked_for_now_is_made_and_filled(
    window: MainWindow, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "MOST_QUERIES", 1)
    session.navigation.set_place("systems")
    window.flush()
    assert window.current_screen is window._screens["systems"]
    session.navigation.set_place("queries")
    window.flush()
    place = cast(TabbedScreen, window.current_screen)
    session.navigation.set_tab("queries", "attributes")
    window.flush()
    place.complete()
    assert place.stack.currentWidget() is place.views["attributes"]


def test_work_goes_on_although_a_new_screen_could_not_be_filled(
    window: MainWindow, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statistics would not begin before the next key."""
    monkeypatch.setattr(screens, "MOST_AT_ONCE", 1)
    qtbot.waitUntil(lambda: not window._painted_timer.isActive())
    session.navigation.set_place("systems")
    window._update_visible()
    assert window.current_screen is not window._screens["systems"]
    assert not window._painted_timer.isActive()

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(window.top_bar, "refresh", fail)
    with pytest.raises(ZeroDivisionError):
        window._update_visible()
    assert window._painted_timer.isActive()

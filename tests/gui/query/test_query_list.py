"""The query list: selection both ways, order and filter through the session, and its model."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from counting import calls
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irviewer.gui.query.query_list import QueryList
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import DARK, LIGHT

EVERYTHING = frozenset({"workspace", "collection", "runs", "measure", "query", "order"})


@pytest.fixture
def session(query_view_models: ModuleType) -> Any:
    return query_view_models.FakeSession(query_view_models.query_view_model(), query_view_models.queries_view_model())


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: Any) -> QueryList:
    panel = QueryList(session, theme)
    qtbot.addWidget(panel)
    panel.resize(200, 500)
    panel.show()
    panel.refresh(EVERYTHING)
    return panel


def test_the_order_is_shortened_and_not_cut_off(view: QueryList) -> None:
    button, metrics = view._order, view._order.fontMetrics()
    for name, descending, arrow in (("consulta", False, " ▴"), ("a_run_with_a_long_name_of_its_own", True, " ▾")):
        button.show_order(name, descending)
        assert button.text() == f"by {name}{arrow}"
        for width in range(40, 320, 20):
            button.resize(width, 22)
            assert metrics.horizontalAdvance(button.shown) <= width
            assert button.shown.endswith(arrow)
    button.show_order("consulta", False)
    button.resize(metrics.horizontalAdvance("by consulta ▴") + 4, 22)
    assert button.shown == "consulta ▴"


@pytest.mark.parametrize("python", [True, False])
def test_the_model_keeps_qts_rules(
    view: QueryList, session: Any, query_view_models: ModuleType, qtmodeltester: ModelTester, python: bool
) -> None:
    qtmodeltester.check(view.model, force_py=python)
    for count in (3, 0, 50):
        session.queries = query_view_models.queries_view_model(count, 0)
        view.refresh(EVERYTHING)
        assert view.model.rowCount() == count
    session.queries = None
    view.refresh(EVERYTHING)
    assert view.model.rowCount() == 0


def test_the_selection_follows_the_session_without_answering(view: QueryList, session: Any) -> None:
    assert view.list.currentIndex().row() == 2
    session.queries = replace(session.queries, selected=180)
    view.refresh(frozenset({"query"}))
    assert view.list.currentIndex().row() == 180
    assert view.list.visualRect(view.list.currentIndex()).intersects(view.list.viewport().rect())
    assert session.calls == []
    session.queries = replace(session.queries, selected=-1)
    view.refresh(frozenset({"query"}))
    assert not view.list.currentIndex().isValid()
    assert not view.grab().isNull()


def test_click_and_arrows_select_and_letters_do_nothing(qtbot: QtBot, view: QueryList, session: Any) -> None:
    spot = view.list.visualRect(view.model.index(5)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    qtbot.keyClick(view.list, Qt.Key.Key_Down)
    qtbot.keyClick(view.list, Qt.Key.Key_W)
    assert session.calls == [("set_query", "6"), ("set_query", "7")]


def test_the_bar_leaves_the_row_that_was_selected(qtbot: QtBot, view: QueryList, session: Any) -> None:
    session.queries = replace(session.queries, selected=2)
    view.refresh(frozenset({"query"}))
    QApplication.processEvents()
    spot = view.list.visualRect(view.model.index(5)).center()
    qtbot.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QApplication.processEvents()  # Qt paints the click before the session has answered
    painted: list[int] = []
    paint = view.delegate.paint
    view.delegate.paint = lambda painter, option, index: (painted.append(index.row()), paint(painter, option, index))[1]  # type: ignore[method-assign]
    session.queries = replace(session.queries, selected=5)
    view.refresh(frozenset({"query"}))
    QApplication.processEvents()
    assert {2, 5} <= set(painted)


def test_the_filter_is_the_sessions_and_its_error_is_shown(qtbot: QtBot, view: QueryList, session: Any) -> None:
    qtbot.keyClicks(view.filter, "d>")  # QTest types ASCII only
    assert session.calls == [("filter_queries", "d"), ("filter_queries", "d>")]
    session.queries = replace(session.queries, filter="d>", filter_error="a number is missing after >")
    view.refresh(frozenset({"order"}))
    assert "a number is missing" in view.error
    session.calls.clear()
    qtbot.keyClick(view.filter, Qt.Key.Key_Escape)
    assert view.filter.text() == ""
    assert session.calls == [("filter_queries", "")]
    session.queries = replace(session.queries, filter="", filter_error="")
    view.refresh(frozenset({"order"}))
    assert view.error == ""


def test_a_filter_set_elsewhere_is_shown(view: QueryList, session: Any) -> None:
    session.queries = replace(session.queries, filter="heat")
    view.refresh(frozenset({"order"}))
    assert view.filter.text() == "heat"
    assert session.calls == []


def test_a_filter_on_its_way_is_shown(view: QueryList, session: Any) -> None:
    session.filter_under_way = "heat"
    session.queries = replace(session.queries, note="more")
    view.refresh(frozenset({"order"}))
    assert view.filter.text() == "heat"
    session.filter_under_way = None
    session.queries = replace(session.queries, note="")
    view.refresh(frozenset({"order"}))
    assert view.filter.text() == ""


def test_a_filter_that_is_cancelled_leaves_the_field(view: QueryList, session: Any) -> None:
    session.filter_under_way = "heat"
    view.refresh(frozenset({"busy"}))
    assert view.filter.text() == "heat"
    session.filter_under_way = None
    view.refresh(frozenset({"busy"}))
    assert view.filter.text() == ""
    assert session.calls == []


def test_the_order_is_chosen_from_a_menu(view: QueryList, session: Any) -> None:
    menu = view.order_menu()
    texts = [action.text() for action in menu.actions()]
    assert texts[0] == "Δ, best first"
    assert "standard_bm25" in texts
    assert menu.actions()[0].isChecked()
    menu.actions()[texts.index("query")].trigger()
    assert session.calls == [("sort_queries", "query", False)]
    menu.close()


def test_only_what_is_in_sight_of_many_queries_is_painted(
    view: QueryList, session: Any, query_view_models: ModuleType
) -> None:
    """The list asks how many rows there are for each of them, which is a handful of calls; a row that is painted
    takes many more. The benchmarks measure."""

    def show(count: int) -> int:
        session.queries = query_view_models.queries_view_model(count, count - 100)

        def work() -> None:
            view.refresh(EVERYTHING)
            view.grab()

        return calls(work)

    show(6980)  # what is made once
    few, many = show(225), show(6980)
    assert 100 < few < 10_000
    assert many < few + 12 * (6980 - 225)


def test_a_scroll_paints_the_rows_that_come_into_view(qtbot: QtBot, view: QueryList, session: Any) -> None:
    """What is on the screen is then what a whole new painting gives, in every theme."""
    painted: list[int] = []
    paint = view.delegate.paint
    view.delegate.paint = lambda painter, option, index: (painted.append(index.row()), paint(painter, option, index))[1]  # type: ignore[method-assign]

    def select(row: int) -> None:
        session.queries = replace(session.queries, selected=row)
        view.refresh(frozenset({"query"}))
        QApplication.processEvents()

    qtbot.waitExposed(view)
    visible = 0
    for palette in (LIGHT, DARK, LIGHT):
        QApplication.instance().setStyleSheet(stylesheet(palette))  # type: ignore[union-attr]
        view._theme.set_palette(palette)
        for row in (0, 60, 61, 62, 40, 39, 41):
            select(row)
            shown = view.screen().grabWindow(view.winId()).toImage()
            painted.clear()
            fresh = view.grab().toImage()
            visible = len(painted)
            assert shown.convertToFormat(fresh.format()) == fresh
            painted.clear()
    select(60)
    for row in (61, 62):
        painted.clear()
        select(row)
        assert len(painted) <= 4 < visible


def test_another_theme_is_the_lists_ground_too(
    view: QueryList, theme: Theme, session: Any, query_view_models: ModuleType
) -> None:
    session.queries = query_view_models.queries_view_model(3, 0)
    view.refresh(EVERYTHING)
    for palette in (DARK, LIGHT, DARK):
        QApplication.instance().setStyleSheet(stylesheet(palette))  # type: ignore[union-attr]
        theme.set_palette(palette)
        below = view.list.mapTo(view, view.list.rect().center())
        assert view.grab().toImage().pixelColor(below) == theme["panel"]


def test_the_title_is_whole_in_the_narrowest_list(view: QueryList) -> None:
    view.resize(1, 500)
    QApplication.processEvents()
    title = view._title
    assert title.width() >= title.fontMetrics().horizontalAdvance("Queries")
    assert title.tip() == ""


def test_an_empty_list_says_why(view: QueryList, session: Any, query_view_models: ModuleType) -> None:
    empty = replace(query_view_models.queries_view_model(0, 0), filter="zzz", filter_error="")
    session.queries = empty
    view.refresh(EVERYTHING)
    assert "No query matches" in view.list.accessibleDescription()
    without = view.list.viewport().grab().toImage()
    view.list.set_empty_words("")
    assert view.list.viewport().grab().toImage() != without
    session.queries = query_view_models.queries_view_model(4, 0)
    view.refresh(EVERYTHING)
    assert view.list.accessibleDescription() == ""

"""The Queries table: selection, order and filter are the session's; the table asks and follows."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.queries.table import QueriesTable
from irviewer.gui.theme import Theme


@pytest.fixture
def session(view_models: ModuleType) -> Any:
    return view_models.FakeSession(view_models.queries(225, 3), query_id="9")


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: Any) -> QueriesTable:
    queries_table = QueriesTable(session, theme)
    qtbot.addWidget(queries_table)
    queries_table.resize(820, 480)
    queries_table.show()
    queries_table.refresh(frozenset())
    return queries_table


def click(qtbot: QtBot, view: QueriesTable, row: int) -> None:
    where = view.table.visualRect(view.model.index(row, 1)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)


def test_the_session_s_query_is_selected_and_followed(
    view: QueriesTable, session: Any, view_models: ModuleType
) -> None:
    assert view.title == "225 queries · nDCG@10"
    assert view.table.selected_rows() == [8]
    session.view_model = view_models.queries(225, 3, selected=100)
    view.refresh(frozenset({"query"}))
    assert view.table.selected_rows() == [100]
    assert 0 <= view.table.rowViewportPosition(100) < view.table.viewport().height()
    assert session.calls == []


def test_a_row_chooses_its_query_and_enter_opens_it(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    click(qtbot, view, 2)
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert session.calls == [("set_query", "3"), ("set_query", "4")]
    session.query_id = "4"
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert session.calls[2:] == [("set_place", "query")]


def test_headers_sort_through_the_session(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    header = view.table.horizontalHeader()
    for place in (1, 4, 6):
        where = QPoint(header.sectionViewportPosition(place) + 30, 12)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.calls == [
        ("sort_queries", "text", False),
        ("sort_queries", "1", True),
        ("sort_queries", "delta", False),
    ]


def test_a_second_click_turns_the_order_that_is_on_its_way(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    """Of very many queries: the header shows the former order until then, and the click asked for the same again."""
    header = view.table.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(4) + 30, 12)
    for coming in (None, ("1", True), ("1", False), ("2", True)):
        session.sort_under_way = coming
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert [descending for *_, descending in session.calls] == [True, False, True, True]


def test_a_filter_on_its_way_stays_in_the_field(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    """What came meanwhile put the former filter in place of what was typed."""
    qtbot.keyClicks(view.filter, "heat")
    qtbot.keyClick(view.filter, Qt.Key.Key_Return)
    session.filter_under_way = "heat"
    session.view_model = replace(session.view_model, selected=3)
    view.refresh(frozenset({"query"}))
    assert view.filter.text() == "heat"
    session.filter_under_way = None
    session.view_model = replace(session.view_model, selected=4)
    view.refresh(frozenset({"query"}))
    assert view.filter.text() == session.view_model.filter == ""


def test_a_filter_that_is_cancelled_leaves_the_field(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    """The field went on showing it above rows that nothing filtered."""
    qtbot.keyClicks(view.filter, "heat")
    qtbot.keyClick(view.filter, Qt.Key.Key_Return)
    session.filter_under_way = "heat"
    view.refresh(frozenset({"busy"}))
    assert view.filter.text() == "heat"
    session.filter_under_way = None
    view.refresh(frozenset({"busy"}))
    assert view.filter.text() == ""
    qtbot.keyClicks(view.filter, "col")  # is being typed
    view.refresh(frozenset({"busy"}))
    assert view.filter.text() == "col"


def test_the_filter_waits_for_a_pause_and_is_used_immediately_with_enter(
    qtbot: QtBot, view: QueriesTable, session: Any
) -> None:
    qtbot.keyClicks(view.filter, "heat")
    assert session.calls == []
    qtbot.waitUntil(lambda: session.calls == [("filter_queries", "heat")])
    session.view_model = replace(session.view_model, filter="heat")
    view.refresh(frozenset({"order"}))
    qtbot.keyClicks(view.filter, " wall")
    qtbot.keyClick(view.filter, Qt.Key.Key_Return)
    assert session.calls[1:] == [("filter_queries", "heat wall")]
    session.view_model = replace(session.view_model, filter="heat wall")
    view.refresh(frozenset({"order"}))
    qtbot.keyClick(view.filter, Qt.Key.Key_Escape)
    assert session.calls[2:] == [("filter_queries", "")]
    assert view.filter.text() == ""


def test_a_filter_from_elsewhere_is_in_the_field_and_its_fault_beside_it(view: QueriesTable, session: Any) -> None:
    fault = "Δ > x: x is not a number"
    session.view_model = replace(session.view_model, filter="Δ > x", filter_error=fault)
    view.refresh(frozenset({"order"}))
    assert view.filter.text() == "Δ > x"
    assert (
        view._note.text() == "filter not understood"
    )  # what, is said once: in the box, and while it is hidden in the tip
    assert view.filter.toolTip() == fault
    assert view.filter.accessibleDescription() == fault
    assert not view.notice.isVisible()  # no row moves
    session.view_model = replace(session.view_model, filter="", filter_error="")
    view.refresh(frozenset({"order"}))
    assert view._note.text() == session.view_model.note


def test_no_match_says_so(view: QueriesTable, session: Any, view_models: ModuleType) -> None:
    session.view_model = replace(view_models.queries(0, 3), filter="nothing like it")
    view.refresh(frozenset({"order"}))
    assert "No query matches" in view.table.accessibleDescription()  # in the middle of the empty table
    assert not view.notice.isVisible()
    assert session.calls == []


def test_a_filtered_out_selection_asks_for_nothing_when_the_table_gets_the_focus(
    qtbot: QtBot, view: QueriesTable, session: Any
) -> None:
    session.view_model = replace(session.view_model, selected=-1)
    view.refresh(frozenset({"order"}))
    view.filter.setFocus()
    view.table.setFocus()
    assert session.calls == []
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert session.calls == [("set_query", "1")]


def test_all_differences_stay_in_sight_beside_many_runs(
    view: QueriesTable, session: Any, view_models: ModuleType
) -> None:
    session.view_model = view_models.queries(20, 30)
    view.resize(900, 300)
    view.refresh(frozenset({"runs"}))
    header = view.table.horizontalHeader()
    behind = [place for place, column in enumerate(view.model.columns) if column.run is None][2:]
    behind = [place for place in behind if place > 4]
    assert view.table.horizontalScrollBar().maximum() > 0
    assert view.model.columns[behind[0]].id == "delta"
    assert all(header.is_fixed(place) for place in behind)  # type: ignore[attr-defined]


def test_the_value_clicked_is_the_one_explained(qtbot: QtBot, view: QueriesTable, session: Any) -> None:
    place = next(n for n, column in enumerate(view.model.columns) if column.run is not None and not column.chosen)
    where = view.table.visualRect(view.model.index(3, place)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert session.calls == [("set_query", "4")]
    session.query_id = "4"
    qtbot.keyClick(view.table, Qt.Key.Key_E)
    assert session.calls[-1] == ("explain_cell", int(view.model.columns[place].id))


def test_the_text_is_read_before_further_numbers_are_shown(
    view: QueriesTable, session: Any, view_models: ModuleType
) -> None:
    def shown(width: int) -> set[str]:
        view.resize(width, 480)
        view.table.fit()
        header = view.table.horizontalHeader()
        return {column.id for place, column in enumerate(view.model.columns) if header.sectionSize(place)}

    every = {column.id for column in view.model.columns}
    assert shown(1400) == every
    narrow = shown(560)
    assert every - narrow == {"spread"}
    text = view.table.horizontalHeader().sectionSize(view.model.column_of("text"))
    assert text > 120
    session.view_model = replace(session.view_model, sort=("spread", True))
    view.refresh(frozenset({"query"}))
    assert "spread" in shown(560), "what the table is sorted by stays"

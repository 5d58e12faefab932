"""The Systems table: what it shows of a view model and what it asks of the session."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.systems.table import SystemsTable
from irviewer.gui.tables.cells import natural_width
from irviewer.gui.tables.column_widths import CLOSER
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.cell_table import CellTable
from irviewer.session.view_models.systems import SystemsStatistics


@pytest.fixture
def session(view_models: ModuleType) -> Any:
    return view_models.FakeSession(view_models.systems(15, 3))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: Any) -> SystemsTable:
    systems_table = SystemsTable(session, theme)
    qtbot.addWidget(systems_table)
    systems_table.resize(1264, 460)
    systems_table.show()
    systems_table.refresh(frozenset())
    return systems_table


def in_row(view: SystemsTable, row: int, x: int) -> QPoint:
    return QPoint(x, view.table.visualRect(view.model.index(row, 0)).center().y())


def test_the_view_model_is_shown(view: SystemsTable, session: Any) -> None:
    assert view.title == "15 systems"
    assert view.model.rowCount() == 15
    # A table entered by keys has a row to begin at: the focus run's.
    assert view.current_run() == 1
    assert session.calls == []
    session.view_model = None
    view.refresh(frozenset())
    assert view.model.rowCount() == 0


def test_the_box_and_space_show_and_hide(qtbot: QtBot, view: SystemsTable, session: Any) -> None:
    viewport = view.table.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=in_row(view, 0, 16))
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=in_row(view, 5, 34))
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=in_row(view, 6, 90))
    qtbot.keyClick(view.table, Qt.Key.Key_Space)
    assert session.calls == [("show_run", 0, False), ("show_run", 5, True), ("show_run", 6, True)]


def test_a_box_among_selected_rows_speaks_for_all(qtbot: QtBot, view: SystemsTable, session: Any) -> None:
    viewport = view.table.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=in_row(view, 2, 90))
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, in_row(view, 4, 90))
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=in_row(view, 3, 16))
    assert session.calls == [("show_run", 3, True), ("show_run", 4, True)]


def test_enter_and_a_double_click_choose_the_focus_run(qtbot: QtBot, view: SystemsTable, session: Any) -> None:
    where = in_row(view, 4, 90)
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseDClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.keyClick(view.table, Qt.Key.Key_Up)
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert session.calls == [("set_focus", 4), ("set_focus", 3)]


def test_headers_sort_and_their_menu_chooses_the_measure(
    qtbot: QtBot, view: SystemsTable, session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irviewer.gui.systems.table.run_command", lambda session, name: session.run_command(name))
    header = view.table.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(1) + 30, 12)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    menu = view.header_menu("AP")
    for action in menu.actions():
        action.trigger()
    assert [action.text() for action in menu.actions()] == [
        "Sort by AP",
        "Select AP in all views",
        "Hide AP",
        "Do not sort",
        "Columns…",
    ]
    assert session.calls == [
        ("sort_systems", "AP", True),
        ("sort_systems", "AP", True),
        ("set_measure", "AP"),
        ("set_column", "AP", False),
        ("sort_systems", "", False),
        ("run_command", "choose_columns"),
    ]
    # The chosen measure needs no choosing, and stays.
    assert [action.text() for action in view.header_menu("nDCG@10").actions()][1].startswith("Do not sort")


def test_the_menu_of_a_run_ends_with_the_table(view: SystemsTable, session: Any) -> None:
    texts = [action.text() for action in view.whole_menu(2).actions()]
    assert any("baseline" in text for text in texts)
    ending = ["Sort by", "Columns", "Copy rows", "Save table…", "What the columns mean…"]
    assert texts[-5:] == ending
    below = view.whole_menu(-1).actions()
    assert [action.text() for action in below] == ending
    by_key = below[0].menu().actions()
    assert [action.text() for action in by_key][:2] == ["run", "AP"]
    by_key[1].trigger()
    assert session.calls == [("sort_systems", "AP", True)]


def test_b_makes_the_current_run_the_baseline(
    qtbot: QtBot, view: SystemsTable, session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irviewer.gui.systems.table.run_command", lambda session, name: session.run_command(name))
    # The window's own B, which asks for a run, must not get there first.
    asked = QShortcut(QKeySequence("B"), view)
    heard: list[str] = []
    asked.activated.connect(lambda: heard.append("B"))
    view.activateWindow()
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    qtbot.keyClick(view.table, Qt.Key.Key_B)
    assert session.calls == [("run_command", "baseline 2")]
    assert heard == []


def test_what_is_missing_is_said_above_the_table(view: SystemsTable, session: Any) -> None:
    assert not view.notice.isVisible()
    session.view_model = replace(session.view_model, explanation="No judgments")
    view.refresh(frozenset({"collection"}))
    assert view.notice.isVisible()
    assert view.notice.text() == "No judgments"


def test_words_of_a_header_give_way_before_the_table_scrolls(
    qtbot: QtBot, theme: Theme, view_models: ModuleType
) -> None:
    view_model = view_models.systems(6, 3)
    nothing, words = np.zeros(6), ("123 · 45 · 67",) * 6
    statistics = SystemsStatistics(
        nothing - 0.1, nothing + 0.1, 0.2, nothing, nothing > 0, "p", "", "95 % interval", "", words, words, nothing,
        nothing, None, "", (), (),
    )  # fmt: skip
    table = SystemsTable(view_models.FakeSession(replace(view_model, statistics=statistics)), theme)
    qtbot.addWidget(table)
    table.show()
    table.refresh(frozenset())
    place = [column.id for column in table.model.columns].index("outcomes")
    header = table.table.horizontalHeader()
    shown = {}
    for width in (2200, 1150):
        table.resize(width, 400)
        QApplication.processEvents()
        shown[width] = header.sectionSize(place)
    assert shown[1150] < header.wanted_width(table.model.columns[place], "better · equal · worse", header.density)
    assert shown[2200] > shown[1150]


def cell(view: SystemsTable, row: int, column_id: str) -> QPoint:
    return view.table.visualRect(view.model.index(row, view.model.column_of(column_id))).center()


def test_the_value_pointed_at_is_the_one_explained(qtbot: QtBot, view: SystemsTable, session: Any) -> None:
    viewport, table = view.table.viewport(), view.table
    assert isinstance(table, CellTable)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_E)  # no cell is pointed at: the row stood on is asked about
    assert session.calls == [("explain_cell", 2, "")]
    bare = viewport.grab().toImage()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=cell(view, 4, "AP"))
    assert (table.cell, session.calls[-1]) == ("AP", ("follow_cell", 4, "AP"))
    assert viewport.grab().toImage() != bare
    measures = [table_column.measure for table_column in session.view_model.columns]
    qtbot.keyClick(table, Qt.Key.Key_Right)
    after = measures[measures.index("AP") + 1]
    assert (table.cell, session.calls[-1]) == (after, ("follow_cell", 4, after))
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert session.calls[-1] == ("follow_cell", 3, after)
    qtbot.keyClick(table, Qt.Key.Key_E)
    assert session.calls[-1] == ("explain_cell", 3, after)
    for _ in measures:
        qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.cell == measures[0]
    view.refresh(frozenset({"measure"}))
    assert table.cell == measures[0]  # it outlasts another view model


def test_the_key_that_asks_why_is_the_table_s_and_not_the_window_s(view: SystemsTable) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_E, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(view.table, event)
    assert event.isAccepted()


def _with_statistics(view_model: Any, outcomes: str = "146 · 13 · 166") -> Any:
    nothing, size = np.zeros(len(view_model.runs)), len(view_model.runs)
    statistics = SystemsStatistics(
        nothing - 0.1, nothing + 0.1, 0.2, nothing, nothing > 0, "p, Holm of 5", "", "95 % interval of Δ", "",
        (outcomes,) * size, ("shown",) * size, nothing, nothing, ("abc",) * size, "", (), (), first=nothing,
    )  # fmt: skip
    return replace(view_model, statistics=statistics)


def _cut(view: SystemsTable) -> list[str]:
    """The columns of numbers in which a cell wants more than its column has."""
    header, density = view.table.horizontalHeader(), view.table.horizontalHeader().density
    return [
        column.id
        for place, column in enumerate(view.model.columns)
        if column.right
        and header.sectionSize(place) < natural_width(column, range(len(view.model.keys)), density) - CLOSER
    ]


def _of_measure(view_model: Any, name: str) -> Any:
    """The view model with one measure more, a long one, which everything is of."""
    columns = tuple(replace(table_column, chosen=False) for table_column in view_model.columns)
    more = replace(view_model.columns[0], measure=name, label=name, chosen=True)
    doubled = {
        part: np.hstack([getattr(view_model, part), getattr(view_model, part)[:, :1]])
        for part in ("means", "heat", "best")
    }
    return replace(view_model, columns=(*columns, more), delta_label=f"Δ {name}", **doubled)


@pytest.mark.parametrize("width", [1264, 1000])
def test_long_measure_names_leave_every_column_its_numbers(
    qtbot: QtBot, theme: Theme, view_models: ModuleType, width: int
) -> None:
    view_model = view_models.systems(6, 3)
    session = view_models.FakeSession(_with_statistics(view_model))
    view = SystemsTable(session, theme)
    qtbot.addWidget(view)
    view.resize(width, 400)
    view.show()
    view.refresh(frozenset())
    assert _cut(view) == []
    # The numbers of another measure come later than its column.
    longer = _of_measure(view_model, "nDCG(dcg='jk')@39")
    session.view_model = replace(longer, pending=True)
    view.refresh(frozenset())
    session.view_model = _with_statistics(longer, "1,146 · 1,113 · 1,166")
    view.refresh(frozenset())
    assert _cut(view) == []
    delta = view.model.column_of("delta")
    header = view.table.horizontalHeader()
    title = view.model.columns[delta].title
    assert title == "Δ nDCG(dcg='jk')@39"
    assert header.sectionSize(delta) < header.wanted_width(view.model.columns[delta], title, header.density)


def test_an_empty_table_has_room_for_what_it_says(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    view_model = view_models.systems(2, 2)
    none = {part: getattr(view_model, part)[:0] for part in ("means", "best", "heat", "delta")}
    view_model = replace(view_model, runs=(), explanation="No runs yet: drop run files here.", **none)
    view = SystemsTable(view_models.FakeSession(view_model), theme)
    qtbot.addWidget(view)
    view.resize(1264, 700)
    view.show()
    view.refresh(frozenset())
    assert view.table.accessibleDescription() == "No runs yet: drop run files here."
    assert view.table.viewport().height() >= 3 * QFontMetrics(theme.font(10.5)).height()


def test_every_column_is_in_view_on_a_screen_at_twice_the_scale(
    qtbot: QtBot, theme: Theme, view_models: ModuleType
) -> None:
    """1920 x 1080 at 200 % are 960 x 540: the type becomes smaller before the table scrolls. Where it scrolls, no
    column lies behind another one at its right."""
    view = SystemsTable(view_models.FakeSession(_with_statistics(view_models.systems(6, 6))), theme)
    qtbot.addWidget(view)
    view.show()
    for width, scrolls in ((944, False), (500, True)):
        view.resize(width, 300)
        view.refresh(frozenset())
        QApplication.processEvents()
        assert (view.table.horizontalScrollBar().maximum() > 0) is scrolls
        assert _cut(view) == []
    header = view.table.horizontalHeader()
    assert header.fixed_right() == 0


def test_rows_that_stay_are_at_the_edge_where_they_would_leave(view: SystemsTable) -> None:
    table, rows = view.table, view.model.rowCount()
    view.setMaximumHeight(10_000)
    view.resize(1200, 34 + 26 + 27 * (rows - 2))
    QApplication.processEvents()
    height = table.viewport().height()
    assert height < 27 * rows
    assert table.staying_places() == []
    last = rows - 1
    table.set_staying([last])
    ((row, top),) = table.staying_places()
    assert (row, top) == (last, height - 27)
    # What is seen there is what a pointer hits.
    assert table.indexAt(QPoint(60, top + 10)).row() == last
    assert table.indexAt(QPoint(60, 10)).row() == 0
    for scrolled in (0, 3, 11, 26):  # between rows and words no half of a row is seen
        table.verticalScrollBar().setValue(scrolled)
        words, box = table.between_words()
        hidden = [
            row
            for row in range(last)
            if table.rowViewportPosition(row) + 27 > box.top() and table.rowViewportPosition(row) < height
        ]
        assert words == f"{last - hidden[0]} more between"
        assert (table.rowViewportPosition(hidden[0]), box.bottom() + 1) == (box.top(), height - 27)
        assert 18 <= box.height() < 18 + 27
    table.verticalScrollBar().setValue(0)
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    assert table.staying_places() == []
    table.set_staying([0])
    assert table.staying_places() == [(0, 0)]
    assert table.indexAt(QPoint(60, 10)).row() == 0


def test_a_run_that_is_pointed_at_elsewhere_is_marked_and_one_here_is_announced(
    qtbot: QtBot, view: SystemsTable
) -> None:
    heard: list[int] = []
    view.table.row_pointed.connect(heard.append)
    bare = view.table.viewport().grab().toImage()
    view.point_at_run(view.run_at(3))
    assert view.table.viewport().grab().toImage() != bare
    view.point_at_run(None)
    assert view.table.viewport().grab().toImage() == bare
    assert heard == []
    qtbot.mouseMove(view.table.viewport(), in_row(view, 1, 60))
    assert heard == [1]


def test_names_are_whole_before_type_is_large(view: SystemsTable, session: Any) -> None:
    """At 1280 "results_english_bm25" was cut, and whole in a narrower window, where the type is smaller."""
    view_model, header = session.view_model, view.table.horizontalHeader()
    named = [replace(label, name=f"results_whitespace_bm25_{number}") for number, label in enumerate(view_model.runs)]
    session.view_model = replace(view_model, runs=tuple(named))
    view.refresh(frozenset())
    place, whole = view.model.column_of("run"), []
    for width in range(700, 1400, 20):
        view.resize(width, 460)
        QApplication.processEvents()
        wanted = natural_width(view.model.columns[place], range(15), header.density)
        whole.append(header.sectionSize(place) >= wanted)
    assert whole == sorted(whole)
    assert whole[-1]

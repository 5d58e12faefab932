"""The table: what keys and clicks announce, what outlasts another view model, what is copied, how wide columns are."""

from __future__ import annotations

from types import ModuleType

import pytest
from counting import calls
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.queries.table import query_columns
from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.column_widths import Widths
from irviewer.gui.tables.model import TableModel
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import ROW_HEIGHT, Table
from irviewer.session.view_models.queries import QueriesViewModel


class Queries:
    """A table of queries and what it announced."""

    def __init__(self, theme: Theme, view_model: QueriesViewModel, size: tuple[int, int]) -> None:
        self.model = TableModel()
        self.table = Table(self.model, theme, stretch="text", frozen=(2, 2))
        self.entered: list[int] = []
        self.activated: list[int] = []
        self.toggled: list[int] = []
        self.sorts: list[tuple[str, bool]] = []
        self.table.row_entered.connect(self.entered.append)
        self.table.row_activated.connect(self.activated.append)
        self.table.row_toggled.connect(self.toggled.append)
        self.table.sort_requested.connect(self._on_sort_requested)
        self.table.resize(*size)
        self.table.show()
        self.show(view_model)

    def show(self, view_model: QueriesViewModel, row: int | None = None) -> None:
        with self.table.keeping(row):
            self.model.show(query_columns(view_model), view_model.query_ids, view_model.sort)

    def _on_sort_requested(self, column: str, descending: bool) -> None:
        self.sorts.append((column, descending))


@pytest.fixture
def small(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> Queries:
    queries = Queries(theme, view_models.queries(225, 3), (820, 460))
    qtbot.addWidget(queries.table)
    return queries


@pytest.fixture
def wide(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> Queries:
    queries = Queries(theme, view_models.queries(6980, 30), (1000, 600))
    qtbot.addWidget(queries.table)
    return queries


def centre(table: Table, row: int, column: int) -> QPoint:
    return table.visualRect(table.model().index(row, column)).center()


def press_header(qtbot: QtBot, table: Table, x: int) -> None:
    header = table.horizontalHeader()
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 12))


def test_keys_walk_the_rows(qtbot: QtBot, small: Queries) -> None:
    table = small.table
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, 2, 1))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_PageDown):
        qtbot.keyClick(table, key)
    assert small.entered[:5] == [2, 3, 2, 224, 0]
    assert 10 <= small.entered[5] <= 20
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert small.activated == small.toggled == [small.entered[5]]
    # A letter is a command of the window, no search by first letter.
    qtbot.keyClick(table, Qt.Key.Key_2)
    assert len(small.entered) == 6


def test_a_double_click_opens_a_row(qtbot: QtBot, small: Queries) -> None:
    where = centre(small.table, 4, 1)
    qtbot.mouseClick(small.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseDClick(small.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert small.activated == [4]


def test_a_click_on_a_header_asks_for_an_order(qtbot: QtBot, small: Queries) -> None:
    table = small.table
    for place in (0, 2, 6):
        press_header(qtbot, table, table.horizontalHeader().sectionViewportPosition(place) + 20)
    # Texts from the first, numbers from the largest; the sorted column turns round.
    assert small.sorts == [("query", False), ("relevant", True), ("delta", False)]


def test_following_announces_nothing(small: Queries, view_models: ModuleType) -> None:
    small.show(view_models.queries(225, 3, selected=40), 40)
    assert small.table.current_row() == 40
    assert 0 <= small.table.rowViewportPosition(40) < small.table.viewport().height()
    small.show(view_models.queries(20, 3), 7)
    small.show(view_models.queries(20, 5), 3)
    assert small.table.selected_rows() == [3]
    small.show(view_models.queries(0, 5), -1)
    assert small.entered == []


def test_the_scroll_position_outlasts_a_view_model_and_a_new_order_starts_at_its_top(
    small: Queries, view_models: ModuleType
) -> None:
    small.show(view_models.queries(225, 3), 8)
    bar = small.table.verticalScrollBar()
    bar.setValue(900)
    small.show(view_models.queries(225, 3), 8)
    assert bar.value() == 900
    small.show(view_models.queries(225, 4), 8)
    assert bar.value() == 900
    small.show(view_models.queries(225, 4, sort=("spread", True)), 8)
    assert bar.value() == 0


def test_rows_stay_selected_by_their_key(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    model = TableModel()
    table = Table(model, theme)
    qtbot.addWidget(table)
    view_model = view_models.systems(6)
    with table.keeping():
        ShownSystems(model).show(view_model)
    table.setCurrentIndex(model.index(1, 0))
    from dataclasses import replace

    turned = replace(view_model, runs=view_model.runs[::-1], means=view_model.means[::-1], sort=("nDCG@10", False))
    with table.keeping():
        ShownSystems(model).show(turned)
    assert table.selected_rows() == [4]


def test_copy_gives_the_selection_as_shown(qtbot: QtBot, small: Queries) -> None:
    table = small.table
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre(table, 0, 1))
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert len(lines) == 3
    assert lines[0].split("\t")[:4] == ["query", "text", "relevant", "standard_bm25"]
    assert lines[1].split("\t")[0] == "1"
    assert lines[1].split("\t")[6].startswith("+0.")


def test_few_runs_fit_and_many_scroll_beside_the_frozen_columns(qtbot: QtBot, small: Queries, wide: Queries) -> None:
    assert small.table.horizontalScrollBar().maximum() == 0
    table, bar = wide.table, wide.table.horizontalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(700)
    # The id and the text stay in place, for the eye and for the pointer.
    assert table.visualRect(wide.model.index(0, 0)).left() == 0
    assert table.indexAt(QPoint(20, 10)).column() == 0
    assert table.indexAt(QPoint(120, 10)).column() == 1
    assert table.indexAt(QPoint(600, 10)).column() > 8
    # So do the difference and the spread, at the other side.
    assert table.visualRect(wide.model.index(0, 34)).right() + 1 == table.viewport().width()
    assert table.indexAt(QPoint(table.viewport().width() - 10, 10)).column() == 34
    assert table.indexAt(QPoint(table.viewport().width() - 120, 10)).column() == 33
    press_header(qtbot, table, 20)
    assert wide.sorts == [("query", False)]
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(120, 3 * ROW_HEIGHT + 5))
    assert wide.entered == [3]
    assert bar.value() == 700
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert bar.value() > 700
    assert table.current_row() == 3


def test_a_width_that_was_dragged_stays(small: Queries, view_models: ModuleType) -> None:
    small.table.horizontalHeader().resizeSection(2, 190)
    small.show(view_models.queries(225, 3, selected=9), 9)
    small.table.resize(900, 460)
    assert small.table.columnWidth(2) == 190
    assert sum(small.table.columnWidth(place) for place in range(8)) == small.table.viewport().width()


def test_all_rows_can_be_selected_in_one_step(qtbot: QtBot, wide: Queries) -> None:
    wide.table.setCurrentIndex(wide.model.index(0, 0))
    qtbot.keyClick(wide.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(wide.table.selected_rows()) == 6980


def test_a_view_model_and_its_paint_ask_only_for_what_is_in_sight(wide: Queries, view_models: ModuleType) -> None:
    """A guard against a slip (per-cell work, asking all rows): thirty times the rows are hardly more calls. The
    benchmarks measure."""
    table = wide.table
    image = QImage(table.viewport().size(), QImage.Format.Format_ARGB32_Premultiplied)

    def show(count: int) -> int:
        view_model = view_models.queries(count, 30, selected=8, sort=("spread", True))

        def work() -> None:
            wide.show(view_model, 8)
            table.viewport().render(image)

        return calls(work)

    show(6980)  # what is made once
    few, many = show(225), show(6980)
    assert few > 500
    assert many < 1.5 * few


def test_another_view_model_is_painted_once(
    qtbot: QtBot, theme: Theme, view_models: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    paints = 0
    paint = Table.paintEvent

    def counted(table: Table, event: QPaintEvent) -> None:
        nonlocal paints
        paints += 1
        paint(table, event)

    monkeypatch.setattr(Table, "paintEvent", counted)
    queries = Queries(theme, view_models.queries(225, 3), (820, 460))
    qtbot.addWidget(queries.table)
    qtbot.waitExposed(queries.table)
    for count, wanted in ((225, 0), (200, 1), (225, 1)):  # the same again needs no paint
        for _ in range(5):
            QApplication.processEvents()
        paints = 0
        queries.show(view_models.queries(count, 3))
        for _ in range(5):
            QApplication.sendPostedEvents()
            QApplication.processEvents()
        assert paints == wanted
        shown = queries.table.screen().grabWindow(queries.table.winId()).toImage()
        fresh = queries.table.grab().toImage()
        assert shown.convertToFormat(fresh.format()) == fresh


def test_columns_are_measured_when_awaited_values_have_come(
    small: Queries, view_models: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits is narrower than what comes: an edit does not measure all columns twice."""
    view_model = view_models.queries(225, 3)
    measured: list[bool] = []
    monkeypatch.setattr(Widths, "measure", lambda *_: measured.append(small.model.awaiting))
    small.show(view_model)
    small.model.awaiting = True
    small.show(view_model)
    assert measured == []
    small.model.awaiting = False
    small.show(view_model)
    small.show(view_model)
    assert measured == [False]
    small.model.awaiting = True
    small.show(view_models.queries(226, 3))
    assert measured == [False, True]

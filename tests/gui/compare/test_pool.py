"""The Pool view: its columns, what stands in the place of an interval, what keys do to a run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.pool import PoolTable, PoolView
from irviewer.gui.query.metrics import MetricsTable
from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import ROW_HEIGHT
from irviewer.model.workspace import Regime
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session
from irviewer.session.view_models.systems_table import REVERSIBLE
from tests.session.helpers import cells


@pytest.fixture
def view(qtbot: QtBot, theme: Theme, session: Session) -> PoolView:
    session.evaluation.set_regime(Regime.POOLED)
    session.navigation.set_place("compare")
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    pool_view = PoolView(session, theme)
    qtbot.addWidget(pool_view)
    pool_view.resize(1200, 400)
    pool_view.show()
    pool_view.refresh(EVERY_CHANGE)
    pool_view.table.grab()
    return pool_view


def _cells(table: PoolTable, name: str) -> list[str]:
    column = table.model.columns[table.model.column_of(name)]
    return [column.text(row) for row in range(table.model.rowCount())]


def _range(model: TableModel) -> ResultColumn:
    column = model.columns[model.column_of("range")]
    assert isinstance(column, ResultColumn)
    return column


def test_its_columns(view: PoolView, session: Session) -> None:
    view_model = session.pooling.pool_view_model()
    assert view_model is not None
    model = view.table.model
    assert _cells(view.table, "run") == ["alpha", "beta"]
    assert _cells(view.table, "least") == [f"{limit:.4f}" for limit in cells(view_model.table, "least").tolist()]
    assert _cells(view.table, "most") == [f"{limit:.4f}" for limit in cells(view_model.table, "most").tolist()]
    shown = _range(model)
    least, most = shown.axis
    assert least <= shown.number(1, "low") <= shown.number(1, "high") <= most
    assert shown.guides == (shown.number(0, "low"), shown.number(0, "high"))
    assert "possible range" in shown.tip(1)
    assert f"({least:g} … {most:g})".replace("0.", ".") in shown.title
    checked = [model.index(row, 0).data(Qt.ItemDataRole.CheckStateRole) for row in range(2)]
    assert checked == [Qt.CheckState.Checked] * 2


@pytest.mark.parametrize(("regime", "words"), [("sparse", "not boundable"), ("complete", "all judged")])
def test_words_in_the_place_of_an_interval(view: PoolView, session: Session, regime: str, words: str) -> None:
    session.evaluation.set_regime(Regime(regime))
    session.compute_now()
    view.refresh(EVERY_CHANGE)
    assert _cells(view.table, "range") == [words, words]
    assert view.table.model.column_of("least") == -1
    assert regime in view.table.notice.text()
    view.table.grab()


def test_rows_are_lower_where_all_of_them_fit_only_so(view: PoolView) -> None:
    """At 200 % the table scrolled by half a row."""
    view.resize(1200, 500)
    full = view.table.maximumHeight()
    for missing, lower in ((0, 0), (3, 2), (14, 0), (1, 1), (0, 0)):
        view.resize(1200, full - missing)
        assert view.table.table.row_height == view.table.table.rowHeight(0) == ROW_HEIGHT - lower
        assert view.table.maximumHeight() == full - 2 * lower


def test_keys_and_headers(qtbot: QtBot, view: PoolView, session: Session) -> None:
    table = view.table.table
    table.setCurrentIndex(view.table.model.index(1, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert session.view.focus == session.view.labels()[1].key
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert session.view.labels()[1].key not in session.view.shown
    table.sort_requested.emit("run", True)
    view.refresh(EVERY_CHANGE)
    assert _cells(view.table, "run") == ["beta", "alpha"]
    assert next(action.text() for action in view.table.row_menu(0).actions()) == "Show in lists and plots"


def test_a_difference_that_could_turn_round_is_marked(view: PoolView, session: Session) -> None:
    view_model = session.view_models.systems_view_model()
    assert view_model is not None
    model = TableModel()
    ShownSystems(model).show(replace(view_model, open_to_judging=frozenset({1})))
    column = model.columns[model.column_of("delta")]
    row = list(model.keys).index(1)
    assert "† " in column.text(row)
    assert column.tip(row).endswith(f"† {REVERSIBLE}")
    assert "†" not in column.copied(row)
    assert "†" not in column.text(1 - row)


def test_a_query_tells_its_interval(view: PoolView, session: Session, theme: Theme) -> None:
    session.navigation.set_place("query")
    session.navigation.set_query("1")
    metrics = MetricsTable(session, theme)
    metrics.refresh(EVERY_CHANGE)
    intervals = session.pooling.value_intervals()
    model = metrics.model
    row = list(model.keys).index(str(session.view.measure))
    for key in session.view.shown:
        column = model.columns[model.column_of(str(key))]
        assert isinstance(column, ResultColumn)
        assert key not in intervals or intervals[key] in column.tip(row).splitlines()
    assert intervals
    metrics.deleteLater()

"""The strips: what a click means where, how wide cells are, and painting up to a hundred runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.query.rankings.strip_painter import AXIS, CELL_LEAST, CELL_MOST, CELL_WRITTEN, LOW, TALLEST
from irviewer.gui.query.rankings.strips import Strips
from irviewer.gui.theme import Theme
from irviewer.model.workspace import Regime

EVERYTHING = frozenset({"workspace", "collection", "runs", "measure", "query", "document", "mode"})

Open = Callable[..., tuple[Strips, Any]]


@pytest.fixture
def open_strips(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> Open:
    def make(width: int = 900, height: int = 460, **view_model: Any) -> tuple[Strips, Any]:
        session = query_view_models.FakeSession(query_view_models.query_view_model(**view_model))
        view = Strips(session, theme)
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        view.refresh(EVERYTHING)
        return view, session

    return make


def cell(view: Strips, row: int, rank: int) -> QPoint:
    """The middle of a cell, found as a person finds it: by what is said of it."""
    for x in range(view.viewport().width()):
        spot = QPoint(x, AXIS + row * view.row_height + view.row_height // 2)
        if f"rank {rank} of " in view.tip_at(spot):
            return spot + QPoint(view.cell_width // 2, 0)
    raise AssertionError(f"no cell for rank {rank}")


def test_a_click_on_a_label_shows_or_hides_and_on_a_cell_selects(qtbot: QtBot, open_strips: Open) -> None:
    view, session = open_strips(runs=2, strips=5)
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(view.viewport(), left, pos=QPoint(17, AXIS + view.row_height // 2))
    qtbot.mouseClick(view.viewport(), left, pos=QPoint(17, AXIS + 3 * view.row_height + 9))
    assert session.calls == [("show_run", 0, False), ("show_run", 3, True)]
    for rank in (1, 7):  # listed or not: the run knows who stands there
        qtbot.mouseClick(view.viewport(), left, pos=cell(view, 1, rank))
        assert session.document_id == session.view_model.columns[1].doc_ids[rank - 1]


def test_hover_names_documents_of_the_qrels(qtbot: QtBot, open_strips: Open) -> None:
    view, session = open_strips(runs=2)
    strip = session.view_model.strips[1]
    qtbot.mouseMove(view.viewport(), cell(view, 1, int(strip.ranks[0])))
    assert session.calls[-1] == ("hover", strip.doc_ids[0])
    assert not view.grab().isNull()


def test_keys_walk_rows_and_listed_documents(qtbot: QtBot, open_strips: Open, query_view_models: ModuleType) -> None:
    view, session = open_strips(runs=2, strips=4)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert session.calls == [("show_run", 1, False)]
    strip = session.view_model.strips[1]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert session.document_id == strip.doc_ids[0]
    session.view_model = query_view_models.query_view_model(2, strips=4, document=strip.doc_ids[0])
    view.refresh(frozenset({"document"}))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert session.document_id == strip.doc_ids[1]
    with qtbot.waitSignal(view.document_asked):
        qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert session.document_id is None


def test_cells_can_be_read_at_first_and_made_narrower(qtbot: QtBot, open_strips: Open) -> None:
    view, _ = open_strips(depth=20)
    assert view.cell_width == CELL_MOST
    assert view.horizontalScrollBar().maximum() == 0
    view, _ = open_strips(depth=1000)
    assert view.cell_width == CELL_WRITTEN
    assert view.horizontalScrollBar().maximum() > 0
    for _ in range(20):
        qtbot.keyClick(view, Qt.Key.Key_Minus)
        assert not view.grab().isNull()
    assert view.cell_width == CELL_LEAST
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.cell_width == CELL_MOST


@pytest.mark.parametrize("regime", list(Regime))
def test_a_hundred_runs_scroll(qtbot: QtBot, open_strips: Open, regime: Regime) -> None:
    view, session = open_strips(runs=3, strips=100, depth=100, regime=regime, document="d3")
    assert view.verticalScrollBar().maximum() == 100 * LOW + 6 - (view.viewport().height() - AXIS)
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.verticalScrollBar().value() > 0
    session.hover("d4")
    assert not view.grab().isNull()


def test_documents_that_share_a_score_are_bracketed_and_the_bracket_is_explained(open_strips: Open) -> None:
    view, session = open_strips(runs=2, strips=3, depth=30)
    plain = view.viewport().grab().toImage()
    strips = list(session.view_model.strips)
    strips[1] = replace(strips[1], tied=np.array([[2, 5], [20, 30]]))
    session.view_model = replace(session.view_model, make_strips=lambda: tuple(strips))
    view.refresh(EVERYTHING)
    image = view.viewport().grab().toImage()
    below = AXIS + 2 * view.row_height - 2  # the last pixels of the second row
    changed = {
        view.tip_at(QPoint(x, AXIS + view.row_height + view.row_height // 2)).split("rank ")[-1].split(" ")[0]
        for x in range(image.width())
        for y in range(below - 3, below + 2)
        if image.pixel(x, y) != plain.pixel(x, y)
    } - {""}
    assert changed == {str(rank) for rank in (*range(2, 6), *range(20, 31))}
    legend = [(x, y) for x in range(100) for y in range(AXIS) if image.pixel(x, y) != plain.pixel(x, y)]
    assert len(legend) > 50  # a bracket and its words
    view.resize(360, 300)
    view.horizontalScrollBar().setValue(120)
    assert not view.grab().isNull()


def test_no_runs_and_no_view_model_paint_too(qtbot: QtBot, theme: Theme, query_view_models: ModuleType) -> None:
    for view_model in (None, query_view_models.query_view_model(runs=0)):
        view = Strips(query_view_models.FakeSession(view_model), theme)
        qtbot.addWidget(view)
        view.refresh(EVERYTHING)
        view.show()
        qtbot.keyClick(view, Qt.Key.Key_Down)
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, AXIS + 8))
        assert not view.grab().isNull()


def test_a_row_has_the_runs_menu(open_strips: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    view, _ = open_strips()
    keys = []

    def menu(session: object, key: int, parent: object) -> QMenu:
        keys.append(key)
        return QMenu(view)

    monkeypatch.setattr("irviewer.gui.query.rankings.strips.run_menu", menu)
    for spot in (QPoint(40, AXIS + view.row_height + 5), QPoint(40, 5)):
        view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, view.mapToGlobal(spot)))
    assert keys == [1]
    for popup in view.findChildren(QMenu):
        popup.close()


def test_few_strips_are_taller_and_many_lower(open_strips: Open) -> None:
    heights = [open_strips(runs=2, strips=count)[0].row_height for count in (3, 12, 40)]
    assert heights == [TALLEST, *sorted(heights[1:], reverse=True)]
    assert heights[-1] == LOW
    view, _ = open_strips(runs=2, strips=3)
    assert view.full_height() >= AXIS + 3 * TALLEST

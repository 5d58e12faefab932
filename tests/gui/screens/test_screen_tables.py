"""Screens that consist of one table: its panel ends where its rows do, and scrolls where they have no room."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.parametrize(
    "place", [pytest.param(place, marks=pytest.mark.opens(*place.split(":"))) for place in (
        "compare:pool", "compare:sets", "queries:relevant", "queries:hubs", "queries:worklist"
    )]
)  # fmt: skip
def test_a_panel_of_few_rows_ends_below_the_last(
    qtbot: QtBot, place: str, window: MainWindow, session: Session
) -> None:
    for _ in range(2):
        session.compute_now()
        window.flush()
    for height in (1400, 520, 1400):
        window.resize(1280, height)
        window.flush()
        qtbot.waitUntil(window.is_complete)
        for _ in range(3):
            QApplication.processEvents()
        (panel,) = [each for each in window.current_screen.findChildren(TablePanel) if each.isVisible()]
        table = panel.table
        rows = table.model().rowCount()
        if rows and height == 1400 and rows * table.row_height < 1000:
            last = table.rowViewportPosition(rows - 1) + table.row_height
            assert last <= table.viewport().height() < last + 2 * table.row_height, place
        screen = panel.parentWidget()
        assert screen is not None
        assert panel.y() == 0, "it stands at the top"
        assert panel.geometry().bottom() < screen.height()

"""The header row: titles that give way to short ones, the arrow of the sorted column, tooltips over frozen columns."""

from __future__ import annotations

from types import ModuleType

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.queries.model import QueriesModel
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table


def test_only_the_sorted_column_has_an_arrow(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    model = QueriesModel()
    table = Table(model, theme, stretch="text")
    qtbot.addWidget(table)
    table.resize(1200, 300)
    pictures = []
    for sort in (("", False), ("spread", True), ("spread", False)):
        with table.keeping():
            model.set_view_model(view_models.queries(20, 2, sort=sort))
        table.show()
        pictures.append(table.horizontalHeader().grab().toImage())
    plain, down, up = pictures
    left = table.horizontalHeader().sectionViewportPosition(model.columnCount() - 1)
    assert plain.copy(0, 0, left, 26) == down.copy(0, 0, left, 26)
    assert plain != down != up


def test_the_menu_of_a_frozen_column_is_its_own(qtbot: QtBot, theme: Theme, view_models: ModuleType) -> None:
    model = QueriesModel()
    table = Table(model, theme, stretch="text", frozen=(2, 2))
    qtbot.addWidget(table)
    table.resize(700, 300)
    with table.keeping():
        model.set_view_model(view_models.queries(20, 30))
    table.show()
    table.horizontalScrollBar().setValue(500)
    header = table.horizontalHeader()
    assert isinstance(header, TableHeader)
    assert header.fixed_left() == table.columnWidth(0) + table.columnWidth(1)
    asked: list[str] = []
    table.has_header_menu = True
    table.header_menu_requested.connect(lambda column, _: asked.append(column))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(10, 10), header.mapToGlobal(QPoint(10, 10)))
    QApplication.sendEvent(header.viewport(), event)
    assert asked == ["query"]

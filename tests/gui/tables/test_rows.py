"""Rows as paint: which ground, where the ink bar."""

from __future__ import annotations

from types import ModuleType

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from irviewer.gui.systems.model import ShownSystems
from irviewer.gui.tables.model import TableModel
from irviewer.gui.tables.rows import BAR
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import ROW_HEIGHT, Table


def test_the_selected_row_has_ground_and_bar_and_shown_runs_have_neither(
    qtbot: QtBot, theme: Theme, view_models: ModuleType
) -> None:
    model = TableModel()
    table = Table(model, theme, frozen=(1, 1))
    qtbot.addWidget(table)
    table.resize(900, 480)
    with table.keeping(4):
        ShownSystems(model).show(view_models.systems(15, 3))
    table.show()
    image = table.viewport().grab().toImage()

    def ground(row: int, x: int) -> QColor:
        return image.pixelColor(x, row * ROW_HEIGHT + 3)

    assert ground(1, 10) == theme["panel"]
    assert ground(3, 10) == theme["panel"]
    assert ground(4, BAR + 4) == theme["selection"]
    assert ground(4, 1) in (theme["ink"], theme["muted"])
    assert ground(3, 1) == theme["panel"]
    assert image.pixelColor(10, ROW_HEIGHT - 1) == theme["line"]
    # Below the last row there is nothing.
    assert image.pixelColor(10, image.height() - 2) == theme["panel"]

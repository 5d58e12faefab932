"""The legend of a table: every column as its header may show it, and the signs of the window."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.tables.model import TableModel
from irviewer.gui.widgets.legend_dialog import SIGNS, LegendDialog, column_meanings
from irviewer.gui.widgets.table_panel import TablePanel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def test_signs_are_those_of_the_language_of_the_window() -> None:
    """In Spanish new, 1st and unj were explained, which the window writes nuevo, 1.ª and s/juzgar."""
    printed = subprocess.run(
        [sys.executable, "-c", "from irviewer.gui.widgets.legend_dialog import SIGNS; print(*SIGNS, sep='\\n')"],
        check=True, capture_output=True, text=True, env={**os.environ, "IRVIEWER_LANGUAGE": "es"},
    ).stdout  # fmt: skip
    for sign in ("('nuevo', ", "('1.ª', ", "('s/juzgar', ", "s/juzgar@10"):
        assert sign in printed
    assert "('unj'" not in printed and "unj@" not in printed


@pytest.mark.parametrize("place", ["systems", "queries"])
def test_a_click_explains_every_column(window: MainWindow, session: Session, qtbot: QtBot, place: str) -> None:
    session.navigation.set_place(place)
    session.compute_now()
    window.flush()
    panel = next(
        table_panel for table_panel in window.current_screen.findChildren(TablePanel) if table_panel.isVisible()
    )
    qtbot.mouseClick(panel.legend_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(LegendDialog)
    assert dialog is not None
    model = panel.table.model()
    assert isinstance(model, TableModel)
    explained = dialog.parts[0][1]
    for column in model.columns:
        if column.run is None and column.title:
            meanings = [meaning for sign, meaning in explained if set(column.titles) <= set(sign.split(" / "))]
            assert column.tooltip in meanings
    text = dialog.text.toPlainText()
    for sign, meaning in SIGNS:
        assert sign in text
        assert meaning in text
    dialog.reject()


def test_the_short_headers_are_explained() -> None:
    signs = {sign for sign, _ in SIGNS}
    assert {"+ · = · −", "1st", "unj", "†", "★", "Δ"} <= {part for sign in signs for part in (sign, *sign.split(" "))}


def test_a_title_with_its_short_form() -> None:
    class Named:
        title, titles, tooltip, run = "better · equal · worse", ("better · equal · worse", "+ · = · −"), "counts", None

    assert column_meanings([Named()]) == [("better · equal · worse / + · = · −", "counts")]  # type: ignore[list-item]


def test_meanings_have_the_room_of_the_dialog(window: MainWindow, session: Session) -> None:
    rows = [("95 % interval of Δ (−.40 … +.40) / 95 % interval of Δ", "where the mean\n" + "lies in most samples " * 5)]
    dialog = LegendDialog(window.theme, window, "Signs", [("Columns", rows)])
    dialog.ensurePolished()
    document = dialog.text.document()
    document.setTextWidth(640)
    layout = document.documentLayout()
    block = document.begin()
    while not block.text().startswith("where"):
        block = block.next()
    # The head of a column must not take the room of what it means.
    assert layout.blockBoundingRect(block).width() > 400
    assert block.text().startswith("where the mean\u2028")


def test_the_keyboard_has_it_in_the_menu(window: MainWindow, session: Session) -> None:
    session.navigation.set_place("systems")
    window.flush()
    panel = next(
        table_panel for table_panel in window.current_screen.findChildren(TablePanel) if table_panel.isVisible()
    )
    menu = panel.whole_menu(0)
    assert menu.actions()[-1].text() == "What the columns mean…"
    menu.actions()[-1].trigger()
    assert window.findChild(LegendDialog) is not None


def test_the_help_menu_has_all_signs(window: MainWindow) -> None:
    window.actions_table.by_id["symbols"].trigger()
    dialog = window.findChild(LegendDialog)
    assert dialog is not None
    assert dialog.parts[0][1] == SIGNS

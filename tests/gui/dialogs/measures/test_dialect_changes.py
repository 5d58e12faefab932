"""Dialects in the window: the menu, the chooser, and the table of what would change."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.measures.dialect_changes import DialectChangesDialog
from irviewer.gui.window import MainWindow
from irviewer.model.dialects import DIALECTS
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def opened(qtbot: QtBot, window: MainWindow) -> DialectChangesDialog:
    window.actions_table.by_id["compare_dialects"].trigger()
    (dialog,) = [shown_dialog for shown_dialog in window.findChildren(DialectChangesDialog) if shown_dialog.isVisible()]
    qtbot.waitUntil(lambda: "comparing" not in dialog.head.text())
    return dialog


def cells(dialog: DialectChangesDialog) -> list[list[str]]:
    columns = dialog.model.columns
    return [[column.text(row) for column in columns] for row in range(dialog.model.rowCount())]


def test_the_table_of_changes(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("systems")
    dialog = opened(qtbot, window)
    rows = cells(dialog)
    assert rows
    assert {row[0] for row in rows} <= {dialect.title for dialect in DIALECTS.values()}
    assert {row[2] for row in rows} == {"all"}
    assert all(row[4] != row[5] and row[6] for row in rows)
    assert f"change {len(rows):,} value" in dialog.head.text()
    dialog.copy_button.click()
    assert rows[0][6] in QGuiApplication.clipboard().text()
    dialog.reject()


def test_of_one_query_too_where_one_is_in_view(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_place("query")
    dialog = opened(qtbot, window)
    assert {row[2] for row in cells(dialog)} <= {"all", session.view.query_id}
    dialog.reject()


def test_what_is_found_after_the_dialog_was_closed_is_dropped(
    qtbot: QtBot, window: MainWindow, session: Session
) -> None:
    dialog = opened(qtbot, window)
    dialog.reject()
    dialog.head.setText("closed")
    session.dialects.find_dialect_changes(dialog._on_found)
    assert dialog.head.text() == "closed"
    window.flush()


@pytest.mark.opens("query")
def test_the_chooser_and_the_menu(window: MainWindow, session: Session) -> None:
    window.actions_table.by_id["choose_dialect"].trigger()
    assert window.picker.isVisible()
    window.make_room()
    assert run_command(session, "dialect ranx")
    window.flush()
    assert session.view.dialect == "ranx"
    assert "ranx 0.3 dialect" in window.status_bar.caveats.text()

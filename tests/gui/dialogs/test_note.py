"""Notes and tags in the window: the dialog writes them, the header shows them."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.note import NoteDialog
from irviewer.gui.query.query_header import QueryPanel
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def opened(window: MainWindow, command: str) -> NoteDialog:
    window.actions_table.by_id[command].trigger()
    (dialog,) = [shown_dialog for shown_dialog in window.findChildren(NoteDialog) if shown_dialog.isVisible()]
    return dialog


@pytest.mark.opens("query")
def test_a_note_of_the_query(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.navigation.set_query("2")
    dialog = opened(window, "note_query")
    dialog.text.setPlainText("the slab again")
    dialog.tags.setText("hard, seen")
    dialog._on_saved()
    assert not dialog.isVisible()
    assert session.notes.note("query", "2").text == "the slab again"
    assert session.notes.note("query", "2").tags == ("hard", "seen")
    window.flush()
    panel = window.current_screen.findChildren(QueryPanel)[0]
    assert panel.text.text() == "“heat in slabs”  #hard  #seen  ✎"
    assert panel.text.toolTip() == "heat in slabs\n\nthe slab again"
    dialog = opened(window, "note_query")
    assert dialog.text.toPlainText() == "the slab again"
    assert dialog.tags.text() == "hard seen"
    dialog.tags.setText('"')
    dialog._on_saved()
    assert dialog.isVisible()
    assert "one word" in dialog.trouble.text()
    dialog.text.clear()
    dialog.tags.clear()
    dialog._on_saved()
    assert len(session.notes.every) == 0
    window.flush()
    assert panel.text.text() == "“heat in slabs”"


def test_a_note_of_a_document_needs_one(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    session.asked.emit("note_document")
    assert "No document is selected" in session.view.messages[-1].text
    session.navigation.set_document("d2")
    dialog = opened(window, "note_document")
    dialog.text.setPlainText("spam")
    dialog._on_saved()
    assert session.notes.note("document", "d2").text == "spam"
    session.navigation.set_document("d1")
    dialog = opened(window, "note_document")
    assert dialog.text.toPlainText() == ""
    dialog.reject()
    assert len(session.notes.every) == 1

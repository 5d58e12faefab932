"""The dialog of what stands above a document: its sentences, its rows, and Enter on one of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.documents.documents_above import DocumentsAboveDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def _open(window: MainWindow, session: Session) -> DocumentsAboveDialog:
    session.navigation.set_query("1")
    session.evaluation.set_cutoff(2)
    session.runs.set_focus(next(label.key for label in session.view.labels() if label.name == "beta"))
    session.runs.set_baseline(next(label.key for label in session.view.labels() if label.name == "alpha"))
    session.navigation.set_document("d1")
    window.flush()
    assert run_command(session, "why_not")
    dialog = window.findChild(DocumentsAboveDialog)
    assert isinstance(dialog, DocumentsAboveDialog)
    assert dialog.isVisible()
    return dialog


def test_sentences_and_rows(window: MainWindow, session: Session) -> None:
    dialog = _open(window, session)
    assert dialog.head.text() == "Title 1\nd1 (grade 2) is at rank 4 of beta, 2 ranks below the top 2."
    # beta ranks d9 d3 d2 d1 with the scores 9, 8, 7, 6; alpha has d1 first
    assert "2 documents above it in the top 2: 1 non-relevant, 1 unjudged" in dialog.summary.text()
    assert "Its score 6 is 2 below that of rank 2 (8)." in dialog.summary.text()
    assert "In other runs: alpha 1." in dialog.summary.text()
    assert "wing 1× (2 of 2 above)" in dialog.terms.text()
    shown = [[column.text(row) for column in dialog.model.columns] for row in range(3)]
    assert [row[:6] for row in shown] == [
        ["1", "?", "d9", "Title 9", "9", "3"],
        ["2", "0", "d3", "Title 3", "8", "2"],
        ["4", "2", "d1", "Title 1", "6", "–"],
    ]
    assert dialog.model.marked == {2}
    dialog.copy_button.click()
    assert QApplication.clipboard().text().count("\n") >= 2
    assert not dialog.grab().isNull()


def test_enter_selects_the_document_of_its_row(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    dialog = _open(window, session)
    dialog.table.setFocus()
    dialog.table.selectRow(1)
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert session.view.document_id == "d3"


def test_escape_leaves_everything_as_it_was(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    dialog = _open(window, session)
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert session.view.document_id == "d1"


def test_no_document_is_known_in_texts(
    make_window: Callable[[Session], MainWindow], empty_session: Session, files: list[str]
) -> None:
    """Without texts nothing is said of terms, and nothing stands where they would."""
    empty_session.files.open_files(files[:3])
    dialog = _open(make_window(empty_session), empty_session)
    assert not dialog.terms.isVisibleTo(dialog)
    assert dialog.head.text().startswith("d1 (grade 2)")

"""The dialog Export for paper: it begins with what is on screen, keys order and tick, and what is copied is shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.paper.dialog import PaperDialog
from irviewer.gui.dialogs.paper.printed_table import fit_text
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.fixture
def dialog(window: MainWindow, session: Session) -> PaperDialog:
    """The dialog over the tiny collection."""
    run_command(session, "export_paper")
    dialog = window.findChild(PaperDialog)
    assert dialog is not None
    return dialog


def test_keys_order_and_tick(qtbot: QtBot, dialog: PaperDialog) -> None:
    assert dialog.choices == dialog._preset.choices
    assert dialog.table is not None
    first, second = dialog.table.runs
    dialog.runs.setFocus()
    qtbot.keyClick(dialog.runs, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: dialog.table is not None and dialog.table.runs == (second, first))
    qtbot.keyClick(dialog.runs, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.table is not None and dialog.table.runs == (second,))
    qtbot.keyClick(dialog.runs, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.runs, Qt.Key.Key_Space)
    assert not dialog.save_button.isEnabled()
    assert dialog.note.text() == "Tick at least one run and one measure."
    dialog.all_button.click()
    qtbot.waitUntil(lambda: dialog.table is not None and dialog.table.runs == (second, first))
    assert dialog.save_button.isEnabled()


def test_formats_and_the_clipboard(qtbot: QtBot, dialog: PaperDialog) -> None:
    assert dialog.table is not None
    assert dialog.text.toPlainText() == dialog.table.latex
    for form in ("markdown", "csv", "html"):
        dialog.formats.buttons[form].click()
        assert dialog.text.toPlainText() == getattr(dialog.table, form)
    dialog.copy_button.click()
    data = QGuiApplication.clipboard().mimeData()
    assert "<table" in data.html()
    assert data.text() == dialog.table.markdown
    dialog.set_form("latex")
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().text() == dialog.table.latex


def test_a_measure_is_added(qtbot: QtBot, dialog: PaperDialog) -> None:
    qtbot.keyClicks(dialog.add_measure, "no measure")
    qtbot.keyClick(dialog.add_measure, Qt.Key.Key_Return)
    assert "no measure" in dialog.trouble.text()
    assert not dialog.findChildren(SaveDialog)
    dialog.add_measure.clear()
    qtbot.keyClicks(dialog.add_measure, "ndcg_cut.3")
    qtbot.keyClick(dialog.add_measure, Qt.Key.Key_Return)
    assert dialog.choices.measures[-1] == "nDCG@3"
    qtbot.waitUntil(lambda: dialog.table is not None and dialog.table.header[-1] == "nDCG@3")
    dialog.baseline.setCurrentIndex(dialog.baseline.count() - 1)
    assert not dialog.test.isEnabled()
    qtbot.waitUntil(lambda: dialog.table is not None and not dialog.table.baseline)


def test_the_page_fits_in_words(qtbot: QtBot, dialog: PaperDialog) -> None:
    picture = dialog.printed.grab().toImage()
    assert picture.pixelColor(5, 5).lightness() > 250  # paper is white in every theme
    assert 5 < dialog.printed.width_cm < 25
    assert fit_text(8.0) == "8.0 cm wide: fits one column of two (8.4 cm)"
    assert fit_text(12.0) == "12.0 cm wide: fits the page, not one column of two (8.4 cm)"
    assert fit_text(20.0) == "20.0 cm wide: does not fit a page (17.8 cm)"

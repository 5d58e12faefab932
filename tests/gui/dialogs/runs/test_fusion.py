"""The dialog that fuses runs: what it offers, what it tells, and that keys are enough."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.runs.fusion import FusionDialog
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma

pytestmark = pytest.mark.opens("start")


def _open(session: Session, theme: Theme, window: MainWindow) -> FusionDialog:
    dialog = FusionDialog(session, theme, window)
    dialog.open()
    return dialog


def test_it_tells_what_it_would_be_worth(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    dialog = _open(session, theme, window)
    assert dialog.keys == [label.key for label in session.view.labels()]
    qtbot.waitUntil(lambda: "the best of these runs, alpha (" in dialog.worth.text())
    assert dialog.worth.text().startswith(str(session.view.measure))
    dialog.reject()
    assert len(session.view.labels()) == 2


def test_keys_are_enough(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    run_command(session, "fuse_runs")
    dialog = window.findChild(FusionDialog)
    assert dialog is not None
    dialog.method.setFocus()
    qtbot.keyClicks(dialog.method, "Borda")
    assert dialog.fusion().method == "borda"
    assert not dialog.form.isRowVisible(dialog.k)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(session.view.labels()) == 3)
    assert session.view.labels()[-1].name == "Borda of alpha and beta"


def test_what_will_not_do_says_why(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    dialog = _open(session, theme, window)
    dialog.k.setText("sixty")
    assert dialog.worth.text() == "k: sixty is not a number"
    assert not dialog.ok.isEnabled()
    dialog.k.setText("10")
    assert dialog.ok.isEnabled()
    dialog.none_button.click()
    assert dialog.worth.text() == "a fusion needs at least two runs"
    dialog.all_button.click()
    dialog.limit.setText("-3")
    assert dialog.worth.text() == "the depth -3 is not a number: type a whole number, or nothing for all documents"
    dialog.reject()


def test_weights_have_fields(qtbot: QtBot, window: MainWindow, session: Session, theme: Theme) -> None:
    dialog = _open(session, theme, window)
    first, second = dialog.weights.values()
    assert not first.isVisible()
    dialog.method.setCurrentIndex(dialog.method.findData("weighted"))
    QApplication.processEvents()
    assert first.isVisible()
    assert dialog.form.isRowVisible(dialog.normalisation)
    use_decimal_comma(True)
    second.setText("0,5")
    half = dialog.fusion().weights
    use_decimal_comma(False)
    second.setText("0.5")
    assert dialog.fusion().weights == half == (1.0, 0.5)
    dialog.accept()
    qtbot.waitUntil(lambda: len(session.view.labels()) == 3)
    assert session.view.labels()[-1].fused_from == "Weighted sum (scores min-max; weights 1, 0.5) of alpha and beta"

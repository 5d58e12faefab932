"""The window's questions about statistics."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize(("command", "rows"), [("save_comparison", 1), ("save_all_pairs", 1)])
def test_a_comparison_is_saved_by_command(
    window: MainWindow, session: Session, tmp_path: Path, command: str, rows: int
) -> None:
    run_command(session, command)
    dialog = window.findChild(SaveDialog)
    assert dialog is not None
    assert Path(dialog.selectedFiles()[0]).suffix == ".csv"
    path = tmp_path / "saved.csv"
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    header, *lines = path.read_text("utf-8").splitlines()
    assert header.startswith("measure,role,run,other,n,mean,other_mean,difference,interval_low")
    assert len(lines) >= rows


def test_a_number_is_typed_and_what_cannot_be_is_not_taken(window: MainWindow, session: Session, qtbot: QtBot) -> None:
    run_command(session, "statistics_alpha")
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    assert dialog.line.text() == ".05"
    dialog.line.setText("2")
    assert "between 0 and 1" in dialog.trouble.text()
    assert not dialog.ok.isEnabled()
    dialog.line.setText(".01")
    assert dialog.ok.isEnabled()
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.protocol.declared.inference.alpha == 0.01)

"""The window's questions about statistics."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.text_prompt import LineDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.translation import use_decimal_comma

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


@pytest.mark.parametrize(
    ("command", "example"),
    [("statistics_confidence", "0,95 or 95 %"), ("statistics_rbo_p", "(0,9: "), ("statistics_epsilon", "0,15 for"),
     ("statistics_looks", "1 of 0,5 1")],
)  # fmt: skip
def test_an_example_has_the_decimal_sign_of_the_field(window: MainWindow, command: str, example: str) -> None:
    use_decimal_comma(True)
    try:
        run_command(window.session, command)
        dialog = window.findChild(LineDialog)
        assert dialog is not None
        assert any(example in label.text() for label in dialog.findChildren(QLabel))
    finally:
        use_decimal_comma(False)


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

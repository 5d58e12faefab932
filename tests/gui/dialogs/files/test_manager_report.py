"""The page for a manager from the window: the command asks for a file, which has the recommendation."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviewer.commands import run_command
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


@pytest.mark.opens("start")
def test_the_command_asks_and_writes(window: MainWindow, session: Session, tmp_path: Path) -> None:
    run_command(session, "export_manager_report")
    dialog = next(child for child in window.findChildren(SaveDialog) if child.isVisible())
    assert dialog.windowTitle() == "Export report for a manager"
    dialog.close()
    session.report.save(str(tmp_path / "page.html"), "manager")
    assert "What was compared" in (tmp_path / "page.html").read_text("utf-8")

"""Saying as what a file is read: the dialog's choices, and what accepting does."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.formats.doctor import ReadOptions
from irviewer.gui.dialogs.files.chooser import OpenFilesDialog
from irviewer.gui.dialogs.files.doctor import DoctorDialog, OtherwiseButton
from irviewer.gui.dialogs.files.open_as import OpenAsDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def visible(window: MainWindow) -> OpenAsDialog:
    (dialog,) = [shown_dialog for shown_dialog in window.findChildren(OpenAsDialog) if shown_dialog.isVisible()]
    return dialog


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_file_is_opened_as_the_user_says(
    qtbot: QtBot, window: MainWindow, session: Session, tmp_path: Path
) -> None:  # fmt: skip
    path = tmp_path / "scores.csv"
    path.write_text("qid,docid,score\n1,d1,1.5\n2,d2,0.5\n3,d5,2.5\n")
    run_command(session, "open_as")
    files = next(opening for opening in window.findChildren(OpenFilesDialog) if opening.isVisible())
    assert files.fileMode() is OpenFilesDialog.FileMode.ExistingFile
    files.filesSelected.emit([str(path)])
    dialog = visible(window)
    assert "scores.csv is read as csv run" in dialog.status.text()
    dialog.format.setCurrentIndex(dialog.format.findData("csv"))
    kinds = [dialog.kind.itemData(place) for place in range(dialog.kind.count())]
    assert kinds[0] is None
    assert {"qrels", "run"} <= set(kinds)
    dialog.kind.setCurrentIndex(dialog.kind.findData("qrels"))
    dialog.accept()
    assert session.view.collection is not None
    assert [judgment_set.qrels.origin for judgment_set in session.view.collection.judgments][-1] == str(path)
    assert session.files.read_options_of(str(path)) == ReadOptions(format="csv", kind="qrels")


def test_formats_leave_the_kinds_that_they_hold(
    qtbot: QtBot, window: MainWindow, session: Session, files: list[str]
) -> None:  # fmt: skip
    window.dialogs.files.read_as(files[1])
    dialog = visible(window)
    dialog.kind.setCurrentIndex(dialog.kind.findData("run"))
    dialog.format.setCurrentIndex(dialog.format.findData("smart-qrels"))
    assert [dialog.kind.itemData(place) for place in range(dialog.kind.count())] == [None, "qrels"]
    assert dialog.kind.currentData() is None
    dialog.reject()


def test_the_doctor_asks_for_a_file_and_a_bad_word_is_reported(
    qtbot: QtBot, window: MainWindow, session: Session, files: list[str]
) -> None:
    run_command(session, "show_reports")
    (doctor,) = [doctor_dialog for doctor_dialog in window.findChildren(DoctorDialog) if doctor_dialog.isVisible()]
    buttons = {
        otherwise_button.accessibleName(): otherwise_button
        for otherwise_button in doctor.area.widget().findChildren(OtherwiseButton)
    }
    buttons["Read alpha.run as…"].click()
    dialog = visible(window)
    dialog.format.setCurrentIndex(dialog.format.findData("ris"))
    dialog.accept()
    assert "alpha.run" in session.view.messages[-1].text
    assert session.view.collection is not None
    assert [entry.name for entry in session.view.collection.runs] == ["alpha", "beta"]

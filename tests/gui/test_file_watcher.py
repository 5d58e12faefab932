"""The clock of the watch on files, and the message with its button."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui import file_watcher
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def test_a_changed_file_is_noticed_and_the_button_reads_it(
    qtbot: QtBot, window: MainWindow, session: Session, files: list[str]
) -> None:
    window.watcher._timer.setInterval(10)
    path = Path(files[1])
    path.write_text(path.read_text() + "3 Q0 d9 9 0 alpha\n")

    def is_announced() -> bool:
        return window.message_bar.text == "alpha.run changed on disk. F5 reads it again."

    qtbot.waitUntil(is_announced)
    assert window.message_bar.action.isVisible()
    assert window.message_bar.action.text() == "Reload changed files"
    assert session.view.collection is not None
    assert session.view.collection.runs[0].run.ranking("3") == ["d5", "d1"]
    window.message_bar.action.click()
    window.flush()
    assert session.view.collection.runs[0].run.ranking("3") == ["d5", "d1", "d9"]
    assert not window.message_bar.isVisible()


def test_the_window_that_comes_to_the_front_checks_immediately(
    qtbot: QtBot, window: MainWindow, session: Session, files: list[str]
) -> None:
    assert file_watcher.EVERY_MS >= 1000
    Path(files[2]).unlink()
    for _ in range(2):
        QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    window.flush()
    assert window.message_bar.text == "beta.run is no longer on disk. Its data stays open."
    assert not window.message_bar.action.isVisible()

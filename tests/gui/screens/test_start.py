"""The start screen opens what it offers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog
from irviewer.gui.screens.start import StartView
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

MakeWindow = Callable[[Session], MainWindow]
LEFT = Qt.MouseButton.LeftButton


def test_samples_by_click(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    assert [card.sample.id for card in window.start.cards] == ["cranfield", "trec"]
    qtbot.mouseClick(window.start.cards[1], LEFT)
    assert empty_session.view.collection is not None
    assert empty_session.view.collection.name == "trec_eval test"


def test_samples_by_key(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    card = window.start.cards[0]
    qtbot.waitUntil(card.hasFocus)
    qtbot.keyClick(card, Qt.Key.Key_Tab)
    assert window.start.cards[1].hasFocus()
    qtbot.keyClick(window.start.cards[1], Qt.Key.Key_Return)
    assert empty_session.view.collection is not None


def test_open_files(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    qtbot.mouseClick(window.start.open_row, LEFT)
    assert window.findChild(OpenFilesDialog) is not None
    window.make_room()


def test_recent_files(qtbot: QtBot, empty_session: Session, make_window: MakeWindow, files: list[str]) -> None:
    empty_session.files.open_files(files)
    empty_session.files.close_collection()
    window = make_window(empty_session)
    assert window.current_screen is window.start
    row = window.start.recent_rows[0]
    assert row.toolTip() == "\n".join(files)
    qtbot.mouseClick(row, LEFT)
    assert empty_session.view.collection is not None


def test_it_paints(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    assert isinstance(window.current_screen, StartView)
    assert not window.grab().isNull()

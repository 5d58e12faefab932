"""The start screen opens what it offers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.files.chooser import OpenFilesDialog, OpenFolderDialog
from irviewer.gui.screens.start import StartView
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

MakeWindow = Callable[[Session], MainWindow]
LEFT = Qt.MouseButton.LeftButton


def test_samples_by_click(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    assert [card.sample.id for card in window.start.cards] == ["fables", "cranfield", "trec"]
    qtbot.mouseClick(window.start.cards[2], LEFT)
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
    qtbot.mouseClick(window.start.open_button, LEFT)
    assert window.findChild(OpenFilesDialog) is not None
    window.make_room()


def test_open_folder(qtbot: QtBot, empty_session: Session, make_window: MakeWindow, files: list[str]) -> None:
    window = make_window(empty_session)
    qtbot.mouseClick(window.start.folder_button, LEFT)
    dialog = window.findChild(OpenFolderDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(Path(files[0]).parent))
    window.make_room()
    assert empty_session.view.collection is not None
    assert len(empty_session.view.collection.runs) == 2


def test_a_folder_is_chosen_beside_the_last_one(
    empty_session: Session, make_window: MakeWindow, tmp_path: Path
) -> None:
    """The dialog lists folders only: in that of the files opened last it was empty."""
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "a.run").touch()
    window = make_window(empty_session)
    for folder in (tmp_path / "first", tmp_path):
        dialog = OpenFolderDialog(window, str(folder), print, title="Open folder")
        assert Path(dialog.directory().absolutePath()) == tmp_path
        dialog.deleteLater()


def test_recent_work_comes_first_and_has_the_focus(
    qtbot: QtBot, empty_session: Session, make_window: MakeWindow, files: list[str]
) -> None:
    for path in files:  # five openings, one collection
        empty_session.files.open_files([path])
    empty_session.files.close_collection()
    window = make_window(empty_session)
    (row,) = window.start.recent_rows
    assert row.text() == Path(files[0]).parent.name
    assert row.accessibleName() == f"{row.text()} 5 files · {Path(files[0]).parent}"
    assert row.y() < window.start.open_button.y() < window.start.cards[0].y()
    qtbot.waitUntil(row.hasFocus)


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


def test_a_name_cannot_hide_what_it_is(qtbot: QtBot, theme: Theme, empty_session: Session, tmp_path: Path) -> None:
    """A character that turns the direction showed "gnp.exe" as "exe.png"."""
    empty_session.settings["recent"] = [[str(tmp_path / "a\u202egnp.exe")]]
    view = StartView(empty_session, theme)
    qtbot.addWidget(view)
    (row,) = view.recent_rows
    assert "\u202e" not in row.text() and "\u202e" not in row.accessibleName()
    assert row.text().startswith("a") and row.text().endswith("gnp.exe")


def test_nothing_is_cut_in_a_low_window(qtbot: QtBot, theme: Theme, empty_session: Session, tmp_path: Path) -> None:
    """960x540, a screen of 1920x1080 at 200 %, leaves some 400 pixels below the bars."""
    empty_session.settings["recent"] = [[str(tmp_path / f"{n}.run")] for n in range(5)]
    window = QWidget()
    view = StartView(empty_session, theme, window)
    qtbot.addWidget(window)
    window.show()
    for height, least, most in ((900, 5, 5), (420, 1, 2)):
        view.setGeometry(0, 0, 940, height)
        QApplication.processEvents()
        assert all(card.height() >= card.HEIGHT for card in view.cards)
        shown = [row for row in view.recent_rows if row.isVisible()]
        assert least <= len(shown) <= most
        assert all(row.height() == row.sizeHint().height() for row in shown)
        assert shown[-1].mapTo(view, QPoint(0, shown[-1].height())).y() <= height


def test_a_low_window_says_how_many_recent_collections_there_are_more(
    qtbot: QtBot, theme: Theme, empty_session: Session, tmp_path: Path
) -> None:
    """At 1024x640 one of five was shown, as if there were no other."""
    empty_session.settings["recent"] = [[str(tmp_path / f"folder{n}" / f"{n}.run")] for n in range(8)]
    window = QWidget()
    view = StartView(empty_session, theme, window)
    qtbot.addWidget(window)
    window.show()
    asked: list[str] = []
    empty_session.asked.connect(asked.append)
    for height in (420, 600, 700, 740, 780, 1200):
        view.setGeometry(0, 0, 940, height)
        QApplication.processEvents()
        shown = [row for row in view.recent_rows if row.isVisible()]
        assert view.more_row.isVisible()
        assert view.more_row.text() == f"{8 - len(shown)} more…"
    assert len(shown) == 6
    qtbot.mouseClick(view.more_row, LEFT)
    assert asked == ["open_recent"]
    empty_session.settings["recent"] = [[str(tmp_path / f"folder{n}" / f"{n}.run")] for n in range(5)]
    view.refresh(frozenset())
    view.setGeometry(0, 0, 940, 900)
    QApplication.processEvents()
    assert all(row.isVisible() for row in view.recent_rows) and not view.more_row.isVisible()


@pytest.mark.parametrize("width", [420, 700, 1280])
def test_every_description_of_a_sample_is_seen_whole(
    qtbot: QtBot, theme: Theme, empty_session: Session, width: int
) -> None:
    """Three cards beside each other cut their texts, and names ran into the notes."""
    window = QWidget()
    view = StartView(empty_session, theme, window)
    qtbot.addWidget(window)
    window.show()
    view.setGeometry(0, 0, width, 800)
    QApplication.processEvents()
    flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
    for card in view.cards:
        inner = card.width() - 2 * card.PADDING
        text = QFontMetrics(theme.font(9.5)).boundingRect(QRect(0, 0, inner, 9999), flags, card.sample.summary)
        name = QFontMetrics(theme.font(11, weight=600)).horizontalAdvance(card.sample.name)
        assert card.ABOVE + card.HEAD + text.height() < card.height()
        assert name + QFontMetrics(theme.font(9)).horizontalAdvance("2 ejecuciones, sin textos") < inner


def test_hover_and_focus_look_different(qtbot: QtBot, empty_session: Session, make_window: MakeWindow) -> None:
    window = make_window(empty_session)
    window.activateWindow()
    card, *_, other = window.start.cards
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    plain = card.grab().toImage()
    card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    hovered = card.grab().toImage()
    card.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    card.setFocus()
    qtbot.waitUntil(card.hasFocus)
    focused = card.grab().toImage()
    middle = card.height() // 2
    edge, ground = (0, middle), (3, middle)
    assert hovered.pixelColor(*edge) == plain.pixelColor(*edge)
    assert hovered.pixelColor(*ground) != plain.pixelColor(*ground)
    assert focused.pixelColor(*ground) == plain.pixelColor(*ground)
    assert focused.pixelColor(*edge).name() == window.theme["ink"].name()

"""Dialogs stay within a small screen: at 200 %, 1920 × 1080 has 960 × 540 pixels and 1280 × 800 has 640 × 400."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.dialogs.choice import Answer, ChoosingDialog
from irviewer.gui.dialogs.opening_size import FRAME
from irviewer.gui.dialogs.preferences.dialog import MARGIN, SCROLL_BAR, PreferencesDialog
from irviewer.gui.dialogs.text_prompt import MOST_WIDE, LineDialog
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.window import MainWindow

pytestmark = pytest.mark.opens("start")


@pytest.mark.parametrize(("room", "size"), [((960, 540), (680, 500)), ((1920, 1080), (680, 560))])
def test_the_preferences_are_within_their_screen(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, room: tuple[int, int], size: tuple[int, int]
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda screen: QRect(0, 0, *room))
    dialog = PreferencesDialog(window.session, window.theme, window)
    qtbot.addWidget(dialog)
    dialog.show()
    # At least as wide as its widest page, in every language.
    widest = max(page.minimumSizeHint().width() for _, page in dialog.pages.values())
    assert dialog.size() == QSize(max(size[0], widest + 2 * MARGIN + SCROLL_BAR), size[1])
    assert dialog.width() <= room[0] - FRAME.width() and dialog.height() <= room[1] - FRAME.height()
    assert dialog.rect().contains(dialog.ok.geometry().translated(dialog.ok.parentWidget().pos()))


@pytest.mark.parametrize("room", [(640, 400), (960, 540), (1920, 1080)])
def test_every_dialog_is_within_its_screen(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, room: tuple[int, int]
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda screen: QRect(0, 0, *room))
    window.resize(*room)
    names = ("export_paper", "symbols", "show_ties", "open_example", "type_ranking", "fuse_runs", "about_measure",
             "protocol", "slice_attributes", "preferences", "compare_dialects", "show_reports")  # fmt: skip
    for name in names:
        run_command(window.session, name)
        QApplication.processEvents()
        dialog = next(dialog for dialog in window.findChildren(QDialog) if dialog.isVisible())
        size = dialog.size()
        assert size.width() <= room[0] and size.height() <= room[1] - FRAME.height(), name
        lowest = max(button.mapTo(dialog, QPoint(0, button.height())).y() for button in visible_buttons(dialog))
        assert lowest <= size.height(), name
        window.make_room()
        QApplication.processEvents()


def test_a_question_with_many_lines_is_within_its_screen(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda screen: QRect(0, 0, 640, 400))
    lines = [f"file {n}" for n in range(40)]
    dialog = ChoosingDialog(window.theme, window, "t", "h", "w", [Answer("Go on", lambda: None)], lines=lines)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.height() <= 400 - FRAME.height()
    assert dialog.rect().contains(dialog.cancel.geometry().translated(dialog.cancel.parentWidget().pos()))


def visible_buttons(dialog: QDialog) -> list[QPushButton]:
    """The buttons of a dialog; those of rows that scroll are reached by scrolling."""
    scrolled = {button for area in dialog.findChildren(QScrollArea) for button in area.findChildren(QPushButton)}
    return [button for button in dialog.findChildren(QPushButton) if button.isVisible() and button not in scrolled]


@pytest.mark.parametrize("name", ["statistics_epsilon", "statistics_looks", "statistics_smallest"])
def test_a_long_question_takes_lines_not_width(window: MainWindow, name: str) -> None:
    run_command(window.session, name)
    QApplication.processEvents()
    dialog = window.findChild(LineDialog)
    assert dialog is not None
    assert dialog.width() <= MOST_WIDE + 40
    question = dialog.findChildren(PlainLabel)[0]
    assert question.height() >= question.heightForWidth(question.width())
    assert dialog.line.geometry().top() >= question.geometry().bottom()

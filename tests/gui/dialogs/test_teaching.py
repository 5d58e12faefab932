"""The dialogs of worked examples and typed rankings, by keyboard, and the ways to them from the start screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from irviewer.gui.dialogs.examples import ExamplesDialog
from irviewer.gui.dialogs.files.inline_ranking import TypingDialog
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def test_an_example_by_keyboard(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    window = make_window(empty_session)
    window.start.example_row.click()
    dialog = window.findChild(ExamplesDialog)
    assert dialog is not None
    lessons = empty_session.lessons.every
    assert dialog.list.model().rowCount() == len(lessons)
    for row, one in enumerate(lessons):
        assert one.title in dialog.list.model().index(row, 0).data()
    assert not dialog.grab().isNull()
    QTest.keyClick(dialog.list, Qt.Key.Key_Down)
    dialog.open_button.click()
    assert empty_session.lessons.lesson == empty_session.lessons.every[1]
    assert empty_session.teaching.is_on


def test_a_ranking_is_typed(empty_session: Session, make_window: Callable[[Session], MainWindow]) -> None:
    window = make_window(empty_session)
    window.start.type_row.click()
    dialog = window.findChild(TypingDialog)
    assert dialog is not None
    assert dialog.ok.isEnabled()
    assert "0.2417" in dialog.values.text()  # (1/1 + 2/3 + 3/4) / 10
    dialog.line.setText("1 0 what")
    assert not dialog.ok.isEnabled()
    assert "not a grade" in dialog.trouble.text()
    assert dialog.values.text() == ""
    dialog.line.setText("a: 3 0 1; b: 0 1 3")
    assert dialog.ok.isEnabled()
    assert "DCG" in dialog.values.text()
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    assert [label.name for label in empty_session.view.labels()] == ["a", "b"]
    assert empty_session.teaching.is_on

"""Wherever the Tab key comes, one sees it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.widgets.focus_edge import _FocusEdge
from irviewer.gui.widgets.table import Table
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


def edges(window: MainWindow) -> list[QWidget]:
    return [widget for widget in window.findChildren(QWidget) if type(widget) is _FocusEdge and widget.isVisible()]


def picture(widget: QWidget) -> QImage:
    QApplication.processEvents()
    return widget.grab().toImage()


@pytest.mark.parametrize(
    "place", [pytest.param(place, marks=pytest.mark.opens(*place.split(":"))) for place in (
        "queries:failures", "queries:vector", "queries:recall", "query", "systems"
    )]
)  # fmt: skip
def test_one_sees_where_tab_comes(place: str, window: MainWindow, session: Session, qtbot: QtBot) -> None:
    session.compute_now()
    window.flush()
    qtbot.waitUntil(window.is_complete)
    seen: list[QWidget] = []
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in seen:
            break
        seen.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        reached = QApplication.focusWidget()
        if isinstance(reached, QAbstractScrollArea):
            reached_picture = picture(reached)
            qtbot.keyClick(reached, Qt.Key.Key_Tab)
            assert reached_picture != picture(reached), reached.accessibleName()
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
            assert QApplication.focusWidget() is reached
    assert any(isinstance(widget, QAbstractScrollArea) for widget in seen)


@pytest.mark.opens("queries", "failures")
def test_the_edge_follows_the_size_and_goes_with_the_focus(window: MainWindow, qtbot: QtBot) -> None:
    areas = [area for area in window.findChildren(Table) if area.isVisible()]
    last = areas[-1]
    for _ in range(60):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if QApplication.focusWidget() is last:
            break
    (edge,) = edges(window)
    last.resize(last.width() + 10, last.height() - 10)
    assert edge.size() == last.size()
    last.clearFocus()
    assert edges(window) == []


def test_one_sees_where_tab_comes_in_a_dialog(window: MainWindow, qtbot: QtBot) -> None:
    dialog = QDialog(window)
    field, listed, button = QLineEdit(), QListWidget(), QPushButton("OK")
    listed.addItems(["one", "two"])
    layout = QVBoxLayout(dialog)
    for widget in (field, listed, button):
        layout.addWidget(widget)
    dialog.show()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert edges(window) == []
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert listed.hasFocus()
    (edge,) = edges(window)
    assert edge.parentWidget() is listed
    qtbot.keyClick(listed, Qt.Key.Key_Tab)
    assert edges(window) == []  # a button shows the focus itself
    plain = button.grab().toImage()
    qtbot.keyClick(button, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert plain != button.grab().toImage()
    assert len(edges(window)) == 1
    dialog.reject()


def test_the_focus_of_the_default_button_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    dialog = QDialog(window)
    dialog.setStyleSheet(stylesheet(window.theme.palette))
    field, button = QLineEdit(), QPushButton("OK")
    layout = QVBoxLayout(dialog)
    layout.addWidget(field)
    layout.addWidget(button)
    button.setDefault(True)
    dialog.show()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    without = button.grab().toImage()
    middle = without.height() // 2
    button.setFocus()
    focused = button.grab().toImage()
    assert focused.pixelColor(0, middle).name() == window.theme["ink"].name() != without.pixelColor(0, middle).name()
    dialog.reject()

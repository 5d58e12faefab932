"""Wherever the Tab key comes, one sees it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

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

"""The context menu of a run does to that run what it says."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from irviewer.gui.dialogs.runs.fields import ColourDialog, RenameDialog
from irviewer.gui.widgets.run_menu import run_menu
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session

pytestmark = pytest.mark.opens("start")


def key_of(session: Session, name: str) -> int:
    return next(label.key for label in session.view.labels() if label.name == name)


def entries(menu: QMenu) -> dict[str, QAction]:
    return {action.text(): action for action in menu.actions() if action.text()}


def test_only_what_can_be_done_is_offered(window: MainWindow, session: Session) -> None:
    alpha = entries(run_menu(session, key_of(session, "alpha"), window))
    beta = entries(run_menu(session, key_of(session, "beta"), window))
    assert "Set as baseline ★" not in alpha
    assert "Set as baseline ★" in beta
    assert "Move up" not in alpha
    assert "Move down" not in beta
    assert run_menu(session, 99, window).actions() == []


def test_each_entry(qtbot: QtBot, window: MainWindow, session: Session) -> None:
    beta = key_of(session, "beta")

    def do(text: str) -> None:
        entries(run_menu(session, beta, window))[text].trigger()

    do("Show in lists and plots")
    assert beta not in session.view.shown
    do("Show in lists and plots")
    assert beta in session.view.shown
    do("Set as baseline ★")
    assert session.view.baseline == beta
    do("Move up")
    assert [label.name for label in session.view.labels()] == ["beta", "alpha"]
    do("Move down")
    assert [label.name for label in session.view.labels()] == ["alpha", "beta"]
    do("Rename…")
    assert window.findChild(RenameDialog) is not None
    do("Colour…")
    assert window.findChild(ColourDialog) is not None
    do("Remove run")
    assert [label.name for label in session.view.labels()] == ["alpha"]

"""Every view says what it can where there is little: no run shown, no runs, no judgments, no query that is judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from irviewer.commands import run_command
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from irviewer.session.state import TABS

VIEWS = [
    (screen, tab) for screen in ("verdict", "systems", "queries", "query", "compare") for tab in TABS.get(screen, ("",))
]

WAYS: dict[str, tuple[list[str] | None, list[int] | None]] = {
    "no run shown": (None, []),
    "no runs": ([".qrels", ".tsv", ".jsonl"], None),
    "qrels alone": ([".qrels"], None),
    "runs alone": ([".run"], None),
    "runs alone, none shown": ([".run"], []),
    "one run": (["alpha.run", ".qrels"], None),
}
RARE = {"no runs", "runs alone, none shown"}
"""Each is nearly another of the ways."""


def low_texts(window: QWidget) -> list[QWidget]:
    """The widgets in view that are lower than their folded text."""
    texts = (each for each in window.findChildren(QWidget) if each.isVisible() and each.layout() is None)
    folded = (each for each in texts if each.hasHeightForWidth() and not (isinstance(each, QLabel) and not each.text()))
    return [each for each in folded if each.height() < each.heightForWidth(each.width())]


def hidden_texts(window: QWidget) -> list[str]:
    """The labels in view whose accessible name replaces their text, which a screen reader then does not read."""
    labels = [each for each in window.findChildren(QLabel) if each.isVisible() and each.accessibleName()]
    return [each.text() for each in labels if plain(each) not in each.accessibleName()]


def plain(label: QLabel) -> str:
    words = QTextDocument()
    (words.setHtml if label.textFormat() == Qt.TextFormat.RichText else words.setPlainText)(label.text())
    return words.toPlainText().strip()


@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", [pytest.param(way, marks=pytest.mark.slow if way in RARE else ()) for way in WAYS])
def test_every_view_opens(
    empty_session: Session, files: list[str], make_window: Callable[[Session], MainWindow], way: str, colours: str
) -> None:
    ends, shown = WAYS[way]
    session = empty_session
    session.files.open_files([name for name in files if ends is None or name.endswith(tuple(ends))])
    window = make_window(session)
    window.resize(914, 640)  # the text of a query is below its header, and sentences fold
    if shown is not None:
        session.runs.show_runs(shown)
    session.appearance.set_theme(colours)
    for screen, tab in VIEWS:
        session.navigation.set_place(screen)
        if tab:
            session.navigation.set_tab(screen, tab)
        session.compute_now()
        QApplication.processEvents()
        window.grab()
        assert not [message.text for message in session.view.messages if "went wrong" in message.text], (screen, tab)
        assert (low_texts(window), hidden_texts(window)) == ([], []), (screen, tab)


def test_a_view_that_comes_under_an_open_sheet_leaves_it_the_keys(
    session: Session, make_window: Callable[[Session], MainWindow], qtbot: QtBot
) -> None:
    window = make_window(session)
    session.navigation.set_place("compare")
    run_command(session, "choose_runs")
    qtbot.waitUntil(window.picker.isVisible)
    keeper = window.focusWidget()
    assert keeper is not None
    assert window.picker.isAncestorOf(keeper)
    session.navigation.set_tab("compare", "pool")
    session.compute_now()
    QApplication.processEvents()
    assert window.focusWidget() is keeper

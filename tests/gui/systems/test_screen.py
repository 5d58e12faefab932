"""The Systems screen: where the legends of its plots stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.theme import Theme
from irviewer.gui.window import MainWindow
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

ANSWERS = Path(__file__).parents[2] / "data" / "answers"


def test_nuggets_alone_have_no_empty_plots(qtbot: QtBot, theme: Theme) -> None:
    session = Session()
    names = ("nuggets.jsonl", "alpha.answers.jsonl", "alpha.assignments.jsonl")
    session.files.open_files([str(ANSWERS / name) for name in names])
    session.navigation.set_place("systems")
    session.compute_now()
    screen = SystemsScreen(session, theme)
    qtbot.addWidget(screen)
    screen.refresh(EVERY_CHANGE)
    assert (screen.below.currentIndex(), screen.why.text()) == (
        2, "No curves of nuggets alone: no document is judged; give judgments of documents.",
    )  # fmt: skip
    screen.resize(1000, 700)
    screen.grab()
    panel = screen.why.parentWidget()
    assert panel is not None
    assert panel.height() <= panel.sizeHint().height() < screen.below.height(), "a sentence needs no more"
    screen.resize(1000, 500)
    screen.grab()
    assert screen.scrolled.verticalScrollBar().maximum() == 0, "a few rows and a sentence do not scroll"
    session.close()


@pytest.mark.opens("systems")
def test_the_legend_of_a_narrow_plot_names_all_runs_below_it(
    qtbot: QtBot, window: MainWindow, session: Session
) -> None:
    window.resize(1280, 900)
    session.compute_now()
    window.flush()
    qtbot.waitUntil(window.is_complete)
    screen = window.current_screen
    assert isinstance(screen, SystemsScreen)
    shown = [label.name for label in session.view.labels() if label.shown]
    for width, narrow in ((640, True), (1600, False), (640, True)):
        window.resize(width, 900)
        for _ in range(3):
            QApplication.processEvents()
        for plot, beside, below in zip(screen.plots, screen._legends, screen._legends_below, strict=True):
            assert (beside.isHidden(), below.isHidden()) == (narrow, not narrow), width
            ends = len(plot.canvas.view.name_places())
            if narrow and ends < len(shown):
                assert len(below.painted_names) == len(plot.canvas.figure.curves)
                assert below.height() > 0

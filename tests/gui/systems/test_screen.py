"""The Systems screen: where the legends of its plots stand."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session


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

"""The charts beside the lists of a query."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.theme import Theme
from irviewer.session.changes import EVERY_CHANGE
from irviewer.session.session import Session

ANSWERS = Path(__file__).parents[2] / "data" / "answers"


def test_nuggets_alone_have_a_reason_in_place_of_empty_plots(qtbot: QtBot, theme: Theme) -> None:
    session = Session()
    names = ("nuggets.jsonl", "alpha.answers.jsonl", "alpha.assignments.jsonl")
    session.files.open_files([str(ANSWERS / name) for name in names])
    session.navigation.set_place("query")
    session.navigation.set_tab("query", "rankings")
    session.compute_now()
    screen = QueryScreen(session, theme)
    qtbot.addWidget(screen)
    screen.resize(1000, 1000)
    screen.refresh(EVERY_CHANGE)
    screen.load_plots()
    for plot in screen.plots:
        assert plot.canvas is not None
        assert plot.reason.text().startswith("No curves of nuggets alone")
        assert (plot.reason.isVisibleTo(plot), plot.canvas.isVisibleTo(plot)) == (True, False)
    session.close()
    session = Session()
    session.files.open_sample("trec")
    session.navigation.set_place("query")
    session.compute_now()
    screen = QueryScreen(session, theme)
    qtbot.addWidget(screen)
    screen.refresh(EVERY_CHANGE)
    screen.load_plots()
    plot = screen.plots[0]
    assert plot.canvas is not None
    assert (plot.reason.isVisibleTo(plot), plot.canvas.isVisibleTo(plot)) == (False, True)
    session.close()

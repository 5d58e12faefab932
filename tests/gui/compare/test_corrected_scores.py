"""Corrected scores on screen: the plots of the selected run, their switch, keys and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from irviewer.gui.compare.corrected_scores import CorrectedView
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.plots.judges.corrected_scores import CorrectedQueries, IntervalWidths
from irviewer.gui.window import MainWindow
from irviewer.session.session import Session
from tests.helpers.judges import random_grades
from tests.session.judges.test_comparison import comparing, judged, with_runs

pytestmark = pytest.mark.opens("compare", "corrected")

MakeWindow = Callable[[Session], MainWindow]


def test_the_plots_show_the_selected_run(qtbot: QtBot, make_window: MakeWindow, tmp_path: Path) -> None:
    model, human = random_grades(5, 2, 80, missing=0.0)
    human = [grade if place % 4 < 3 else None for place, grade in enumerate(human)]  # 3 of the 4 queries
    session = comparing("corrected", with_runs(judged([model, human], ("model", "human"))))
    window = make_window(session)
    screen = window.current_screen
    assert isinstance(screen, CompareScreen)
    view = screen.view("corrected")
    assert isinstance(view, CorrectedView)
    screen.load_plots()
    queries, widths = view.by_query.canvas, view.widths.canvas
    assert isinstance(queries, CorrectedQueries)
    assert isinstance(widths, IntervalWidths)
    view_model = session.judge_comparison.corrected_view_model()
    assert view_model is not None
    run = view_model.run
    assert run is not None
    assert view.by_query.title == run.title
    assert run.query_ids[1] in queries.tip_of(queries.place_at(queries.point(1)))
    qtbot.keyClick(queries, Qt.Key.Key_Right)
    assert session.view.query_id == run.query_ids[0]
    assert widths.widths is run.difference
    qtbot.mouseClick(view.kind.buttons["score"], Qt.MouseButton.LeftButton)
    assert widths.widths is run.score
    for plot, words in ((queries, "judge1"), (widths, "judge1 alone")):
        picture = plot.savable()
        assert picture is not None
        picture.write(str(tmp_path / "plot.svg"))
        assert words in (tmp_path / "plot.svg").read_text("utf-8")
    assert "3 of 4 queries" in view.facts.text()
    session.close()

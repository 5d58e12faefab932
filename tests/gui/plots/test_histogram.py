"""The histogram of differences: what a bar says, and that gains and losses stand on their sides."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from irviewer.figures.pairs import histogram_figure
from irviewer.gui.plots.histogram import HistogramView
from irviewer.gui.theme import Theme
from irviewer.session.palette import LIGHT


@pytest.fixture
def view(qtbot: QtBot, session, theme: Theme) -> HistogramView:  # type: ignore[no-untyped-def]
    made = HistogramView(session, theme)
    qtbot.addWidget(made)
    made.resize(420, 220)
    delta = np.array([0.3, 0.31, 0.32, -0.3, 0.0])
    made.show_figure(histogram_figure(delta, np.array([True, False, False, False, False]), "AP", (-0.1, 0.1, 0.3)))
    made.show()
    return made


def test_bars_tell_their_counts(view: HistogramView, qtbot: QtBot) -> None:
    assert view.figure is not None
    held = view.figure.histogram
    assert held is not None
    tallest = int(np.argmax(held.counts))
    assert f"{held.counts[tallest]} queries" in view.told(tallest) or "3 queries" in view.told(tallest)
    assert "brushed" in view.told(tallest)
    assert view.told(-1) == ""
    frame = view.frame()
    qtbot.mouseMove(view, QPoint(int(frame.x(0.31)), int(frame.area.center().y())))
    view.grab()


def test_gains_are_on_the_right_in_their_colour(view: HistogramView) -> None:
    assert view.figure is not None
    held = view.figure.histogram
    assert held is not None
    frame, image = view.frame(), view.grab().toImage()
    bar = int(np.flatnonzero(held.counts[: len(held.counts) // 2])[0])
    x = int(frame.x(float(held.edges[bar : bar + 2].mean())))
    y = int(frame.y(0.5))
    worse = image.pixelColor(x, y)
    wanted = LIGHT.worse
    assert worse.red() > worse.blue()
    assert int(wanted[1:3], 16) > int(wanted[5:7], 16)

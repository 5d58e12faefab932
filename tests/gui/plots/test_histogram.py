"""The histogram of differences: what a bar says, and that gains and losses stand on their sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from irviewer.figures.run_pair import histogram_figure
from irviewer.gui.plots.histogram import HistogramView
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import LIGHT

DELTA = np.array([0.3, 0.31, 0.32, -0.3, 0.0])


@pytest.fixture
def view(qtbot: QtBot, session, theme: Theme) -> HistogramView:  # type: ignore[no-untyped-def]
    histogram_view = HistogramView(session, theme)
    qtbot.addWidget(histogram_view)
    histogram_view.resize(420, 220)
    figure = histogram_figure(DELTA, np.array([True, False, False, False, False]), "AP", (-0.1, 0.1, 0.3))
    histogram_view.show_figure(figure, ("a", "b", "c", "d", "e"))
    histogram_view.show()
    return histogram_view


def test_bars_tell_their_counts(view: HistogramView, qtbot: QtBot) -> None:
    assert view.figure is not None
    held = view.figure.histogram
    assert held is not None
    tallest = int(np.argmax(held.counts))
    assert f"{held.counts[tallest]} queries" in view.mark_label(tallest)
    assert "brushed" in view.mark_label(tallest)
    assert view.mark_label(-1) == ""
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


def test_sides_keep_their_colours_where_the_axis_is_uneven(qtbot: QtBot, session, theme: Theme) -> None:  # type: ignore[no-untyped-def]
    view = HistogramView(session, theme)
    qtbot.addWidget(view)
    view.resize(420, 220)
    view.show_figure(histogram_figure(np.array([0.1, 0.5, 0.9, -0.1]), np.zeros(4, np.bool_), "AP"), tuple("abcd"))
    view.show()
    held = view.figure.histogram
    frame, image = view.frame(), view.grab().toImage()
    for bar in np.flatnonzero(held.counts).tolist():
        x, y = frame.x(float(held.edges[bar : bar + 2].mean())), frame.y(0.3)
        pixel = image.pixelColor(int(x), int(y))
        assert (pixel.red() > pixel.blue()) == (held.edges[bar] < -1e-9), bar


def test_every_value_is_in_the_bar_that_counts_it() -> None:
    rng = np.random.default_rng(5)
    delta = np.concatenate([rng.normal(0, 0.2, 300).round(2), [np.nan, 0.0, 1.0, -1.0]])
    held = histogram_figure(delta, np.zeros(len(delta), dtype=bool), "AP").histogram
    assert held is not None
    assert held.bars is not None
    assert np.bincount(held.bars[held.bars >= 0], minlength=len(held.counts)).tolist() == held.counts.tolist()
    assert held.bars[300] == held.bars[301] == -1
    for value, bar in zip(delta.tolist(), held.bars.tolist(), strict=True):
        assert bar < 0 or held.edges[bar] <= value <= held.edges[bar + 1]


def test_arrows_walk_the_bars_enter_brushes_and_shift_extends(view: HistogramView, session: Any, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert session.brushes == []
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert "1 query" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert session.brushes[-1] == ["d"]
    qtbot.keyClick(view, Qt.Key.Key_Right)  # over the empty bars
    qtbot.keyClick(view, Qt.Key.Key_Enter)
    chosen = session.brushes[-1]
    assert chosen
    assert set(chosen) <= {"a", "b", "c"}
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    before = view.grab().toImage()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert set(session.brushes[-1]) == {"d", *chosen}
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert set(session.brushes[-1]) == {"a", "b", "c"}  # from where Shift was first held
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert session.brushes[-1] == []
    assert view.chosen == (-1, -1)
    assert view.grab().toImage() != before


def test_a_click_brushes_a_bar_and_a_drag_several(view: HistogramView, session: Any, qtbot: QtBot) -> None:
    frame = view.frame()
    low, high = (QPoint(int(frame.x(value)), int(frame.area.center().y())) for value in (-0.31, 0.315))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=low)
    assert session.brushes[-1] in (["d"], [])
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=low)
    qtbot.mouseMove(view, QPoint(int(frame.area.right()) - 2, high.y()))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(int(frame.area.right()) - 2, high.y()))
    assert {"a", "b", "c"} <= set(session.brushes[-1])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, high.y()))
    assert session.brushes[-1] == []


def test_several_chosen_bars_are_described_as_one_range(view: HistogramView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    first, last = view.chosen
    assert first < last
    description = view.accessibleDescription()
    assert "4 queries" in description
    assert "1 brushed" in description
    assert description == view.mark_label(first, last)
    assert view.mark_label(last, first) == view.mark_label(last)
    assert view.mark_label(0, 99) == ""

"""Scatter and bars by query are zoomed by the wheel and by drags, moved and shown whole, as the curves are."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from irviewer.figures.differences import differences_figure
from irviewer.figures.run_pair import scatter_figure
from irviewer.gui.plots.bars import DifferenceBars
from irviewer.gui.plots.painted_plot import ZOOM_BY
from irviewer.gui.plots.scatter import Scatter
from irviewer.gui.theme import Theme

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
IDS = [f"q{place}" for place in range(100)]
FIRST, SECOND = np.linspace(0.0, 1.0, 100), np.linspace(1.0, 0.0, 100)


NO_KEY, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def wheel(widget: QWidget, point: QPointF, turn: int, held: Qt.KeyboardModifier = NO_KEY) -> bool:
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(point, point, QPoint(0, 0), QPoint(0, turn), Qt.MouseButton.NoButton, held, phase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def dragged(
    qtbot: QtBot, widget: QWidget, first: QPoint, last: QPoint, button: Qt.MouseButton = LEFT,
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:  # fmt: skip
    qtbot.mousePress(widget, button, held, first)
    qtbot.mouseMove(widget, (first + last) / 2)
    qtbot.mouseMove(widget, last)
    qtbot.mouseRelease(widget, button, held, last)


@pytest.fixture
def scatter(qtbot: QtBot, session, theme: Theme) -> Scatter:  # type: ignore[no-untyped-def]
    new_scatter = Scatter(session, theme)
    qtbot.addWidget(new_scatter)
    new_scatter.resize(360, 340)
    new_scatter.show_figure(scatter_figure(FIRST, SECOND, IDS, 50, np.zeros(100, bool), "AP", ("new", "old")))
    new_scatter.show()
    return new_scatter


@pytest.fixture
def bars(qtbot: QtBot, session, theme: Theme) -> DifferenceBars:  # type: ignore[no-untyped-def]
    difference_bars = DifferenceBars(session, theme)
    qtbot.addWidget(difference_bars)
    difference_bars.resize(500, 200)
    difference_bars.show_figure(differences_figure(FIRST - SECOND, IDS, 50, "AP", "b − a"))
    difference_bars.show()
    return difference_bars


def test_the_wheel_keeps_the_point_under_the_pointer_and_a_double_click_shows_all(
    scatter: Scatter, qtbot: QtBot
) -> None:
    point, other = scatter.place_of(30), scatter.place_of(32)
    apart = other.x() - point.x()
    assert not wheel(scatter, point, -120)
    assert wheel(scatter, point, 240)
    assert scatter.place_of(30).x() == pytest.approx(point.x())
    assert scatter.place_of(30).y() == pytest.approx(point.y())
    assert scatter.place_of(32).x() - point.x() == pytest.approx(1.25**2 * apart)
    assert scatter.mark_label(scatter.point_at(point)).startswith("query q30:")
    assert scatter.point_at(scatter.place_of(0)) == -1, "what is not seen is not read out"
    assert not scatter.grab().isNull()
    qtbot.mouseDClick(scatter, LEFT, pos=point.toPoint())
    assert scatter.place_of(32) == other


def test_a_drag_with_ctrl_zooms_and_one_without_brushes_what_is_seen(
    scatter: Scatter,
    session,
    qtbot: QtBot,  # type: ignore[no-untyped-def]
) -> None:
    first, last = scatter.place_of(40), scatter.place_of(60)
    corners = QRectF(first, last).normalized().adjusted(-2, -2, 2, 2)
    dragged(qtbot, scatter, corners.topLeft().toPoint(), corners.bottomRight().toPoint(), held=ZOOM_BY)
    assert scatter.seen.is_zoomed
    assert not session.brushes
    area = scatter.area()
    places = [place for place in range(100) if area.contains(scatter.place_of(place))]
    assert {40, 60} <= set(places) <= set(range(38, 63))
    around = [area.topLeft(), area.topRight(), area.bottomRight(), area.bottomLeft()]
    qtbot.mousePress(scatter, LEFT, pos=around[0].toPoint())
    for corner in around[1:]:
        qtbot.mouseMove(scatter, corner.toPoint())
    qtbot.mouseRelease(scatter, LEFT, pos=around[-1].toPoint())
    assert len(session.brushes[-1]) + 21 >= 40 and set(session.brushes[-1]) <= {IDS[place] for place in places}


@pytest.mark.parametrize(("button", "held"), [
    (LEFT, Qt.KeyboardModifier.ShiftModifier), (MIDDLE, Qt.KeyboardModifier.NoModifier),
])  # fmt: skip
def test_the_part_is_moved(
    scatter: Scatter, bars: DifferenceBars, session, qtbot: QtBot,  # type: ignore[no-untyped-def]
    button: Qt.MouseButton, held: Qt.KeyboardModifier,
) -> None:  # fmt: skip
    for plot in (scatter, bars):
        middle = plot.area().center()
        wheel(plot, middle, 480)
        before = plot.seen.x
        dragged(qtbot, plot, middle.toPoint(), middle.toPoint() - QPoint(20, 0), button, held)
        moved = 20 / plot.area().width() * (before.high - before.low)
        assert plot.seen.x.low == pytest.approx(before.low + moved)
    assert not session.brushes
    assert not session.queries


def test_bars_are_zoomed_to_some_queries_and_stay_selectable(
    bars: DifferenceBars,
    session,
    qtbot: QtBot,  # type: ignore[no-untyped-def]
) -> None:
    whole = bars.place_of(70)
    y, area = round(bars.area().center().y()), bars.area()
    ends = [QPoint(round(bars.place_of(place).center().x()), y) for place in (20, 30)]
    dragged(qtbot, bars, *ends, held=ZOOM_BY)
    assert bars.column_at(area.left() + 1) == 20
    assert bars.column_at(area.right() - 1) == 30
    assert bars.place_of(25).height() == pytest.approx(abs(FIRST[25] - SECOND[25]) * bars.place_of(20).height()
                                                       / abs(FIRST[20] - SECOND[20]))  # fmt: skip
    assert not bars.grab().isNull()
    point = QPoint(round(bars.place_of(25).center().x()), y)
    qtbot.mouseMove(bars, point)
    assert bars.mark_label(bars.hovered).startswith("query q25:")
    qtbot.mouseClick(bars, LEFT, pos=point)
    assert session.queries == ["q25"]
    dragged(qtbot, bars, point, QPoint(round(bars.place_of(27).center().x()), y))
    assert session.brushes[-1] == ["q25", "q26", "q27"]
    bars.show_figure(differences_figure(FIRST - SECOND, IDS, 60, "AP", "b − a"))
    assert bars.area().contains(bars.place_of(60).center()), "another query that is selected is brought into sight"
    qtbot.mouseDClick(bars, LEFT, pos=point)
    assert bars.place_of(70) == whole


def test_keys_zoom_and_escape_shows_all(scatter: Scatter, bars: DifferenceBars, qtbot: QtBot) -> None:
    for plot in (scatter, bars):
        qtbot.keyClicks(plot, "++")
        assert plot.seen.x.high - plot.seen.x.low == pytest.approx(
            (plot.seen.whole_x.high - plot.seen.whole_x.low) / 2.25
        )
        qtbot.keyClick(plot, Qt.Key.Key_Escape)
        assert not plot.seen.is_zoomed


def test_few_bars_are_as_wide_as_they_become(bars: DifferenceBars) -> None:
    bars.show_figure(differences_figure(np.array([0.5, -0.5]), ["a", "b"], 0, "AP", "b − a"))
    wheel(bars, bars.area().center(), 240)
    assert not bars.seen.is_zoomed


def test_small_values_of_bars_are_magnified_around_zero(qtbot: QtBot, bars: DifferenceBars) -> None:
    whole, before = (bars.seen.x, bars.seen.y), bars.place_of(40)
    zero = before.bottom()
    assert wheel(bars, bars.area().center(), 240, CTRL)
    assert bars.seen.x == whole[0]
    assert bars.seen.y.high - bars.seen.y.low == pytest.approx((whole[1].high - whole[1].low) / 1.25**2)
    assert bars.place_of(40).height() == pytest.approx(before.height() * 1.25**2)
    assert bars.place_of(40).left() == before.left()
    assert bars.place_of(40).bottom() == pytest.approx(zero) or bars.place_of(40).top() == pytest.approx(before.top())
    assert not bars.grab().isNull()
    qtbot.keyClick(bars, Qt.Key.Key_Escape)
    assert (bars.seen.x, bars.seen.y) == whole
    qtbot.keyClick(bars, Qt.Key.Key_Up, CTRL)
    assert bars.seen.y.high == pytest.approx(whole[1].high / 1.5)
    qtbot.keyClick(bars, Qt.Key.Key_Down, CTRL)
    assert (bars.seen.x, bars.seen.y) == whole

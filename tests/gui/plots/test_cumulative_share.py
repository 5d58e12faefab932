"""Where a difference lives, on screen: selecting by click and keys, the first queries brushed, what is marked."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPolygonF
from pytestqt.qtbot import QtBot

from irviewer.figures.run_pair import share_figure
from irviewer.gui.plots import cumulative_share, many_points
from irviewer.gui.plots.cumulative_share import ShareView
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import LIGHT

DELTA = np.array([0.1, -0.6, 0.2, 0.1, np.nan, 0.0])
IDS = ["a", "b", "c", "d", "none", "same"]
WORDS = {"b": "brown bears"}


def show(view: ShareView, selected: int = -1, marked: tuple[int, ...] = ()) -> None:
    on = np.isin(np.arange(len(IDS)), marked)
    view.show_figure(share_figure(DELTA, "AP", IDS, selected, on), WORDS)


@pytest.fixture
def share(qtbot: QtBot, session, theme: Theme) -> ShareView:  # type: ignore[no-untyped-def]
    share_view = ShareView(session, theme)
    qtbot.addWidget(share_view)
    share_view.resize(420, 240)
    show(share_view)
    share_view.show()
    return share_view


def middle(view: ShareView, column: int) -> QPoint:
    return view.place_of(column).center().toPoint()


def test_queries_are_in_order_of_the_size_of_their_difference(share: ShareView) -> None:
    points = share.points
    assert points is not None
    assert points.keys == ("b", "c", "a", "d", "same")
    assert points.y.tolist() == pytest.approx([0.6, 0.8, 0.9, 1, 1])
    assert np.sign(points.side).tolist() == [-1, 1, 1, 1, 0]
    assert share.mark_label(0) == "query b: ▼ 60.0 % of all differences · the largest difference · brown bears"
    assert share.mark_label(1) == "query c: ▲ 20.0 % of all differences · 2 largest differences: 80.0 %"
    assert share.mark_label(9) == ""


def test_a_click_and_the_arrows_select(share: ShareView, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    qtbot.mouseClick(share, Qt.MouseButton.LeftButton, pos=middle(share, 1))
    show(share, IDS.index("c"))
    assert share.selected == 1
    qtbot.keyClick(share, Qt.Key.Key_Right)
    qtbot.keyClick(share, Qt.Key.Key_Home)
    assert session.queries == ["c", "a", "b"]
    assert session.brushes == []


def test_a_drag_brushes_the_first_ones_wherever_it_began(share: ShareView, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    for begin, end in ((1, 2), (3, 1)):
        qtbot.mousePress(share, Qt.MouseButton.LeftButton, pos=middle(share, begin))
        qtbot.mouseMove(share, middle(share, end))
        share.grab()
        qtbot.mouseRelease(share, Qt.MouseButton.LeftButton, pos=middle(share, end))
    assert session.brushes == [["b", "c", "a"], ["b", "c"]]


def test_shift_brushes_the_first_ones_by_keys(share: ShareView, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    show(share, IDS.index("c"))
    for _ in range(2):
        qtbot.keyClick(share, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert session.brushes == [["b", "c", "a"], ["b", "c", "a", "d"]]


def test_marked_and_selected_queries_are_seen(share: ShareView) -> None:
    def at(column: int) -> str:
        return share.grab().toImage().pixelColor(middle(share, column)).name()

    plain = at(0), at(1)
    show(share, marked=(1,))  # b
    assert at(0) != plain[0]
    assert at(1) == plain[1]
    edge = share.place_of(1).left()
    show(share, IDS.index("c"))
    image = share.grab().toImage()
    inks = {image.pixelColor(round(edge) + step, middle(share, 1).y()).name() for step in (-1, 0, 1)}
    assert any(int(ink[1:3], 16) < int(LIGHT.muted[1:3], 16) for ink in inks)


def test_a_curve_of_many_queries_is_painted_from_few_points(share: ShareView, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the curve of all points is, but for the edge of the pen."""
    delta = np.random.default_rng(1).normal(size=4000)
    share.show_figure(share_figure(delta, "AP"), {})
    monkeypatch.setattr(many_points, "MOST_POINTS", 10_000)
    whole = share.grab().toImage()
    lines: list[int] = []
    monkeypatch.setattr(many_points, "MOST_POINTS", 100)
    monkeypatch.setattr(cumulative_share, "QPolygonF", lambda line: lines.append(len(line)) or QPolygonF(line))
    few = share.grab().toImage()
    assert 0 < max(lines) <= 2 * (share.width() + 1)
    ink = range(whole.width()), range(whole.height())
    apart = [abs(whole.pixelColor(x, y).lightness() - few.pixelColor(x, y).lightness()) for x in ink[0] for y in ink[1]]
    assert max(apart) <= 30


def test_nothing_yet_and_no_difference(qtbot: QtBot, session, theme: Theme) -> None:  # type: ignore[no-untyped-def]
    share_view = ShareView(session, theme)
    qtbot.addWidget(share_view)
    qtbot.mouseMove(share_view, QPoint(20, 20))
    share_view.grab()
    share_view.show_figure(share_figure(np.array([]), "AP"), {})
    qtbot.keyClick(share_view, Qt.Key.Key_Right)
    share_view.grab()
    assert session.queries == []

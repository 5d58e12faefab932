"""The scatter of two runs: pointing, selecting, drawing around points, and that better and worse differ in shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPolygonF
from pytestqt.qtbot import QtBot

from irviewer.figures.run_pair import scatter_figure
from irviewer.gui.plots import many_points
from irviewer.gui.plots.scatter import Scatter
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import DARK, LIGHT

FIRST = np.array([0.9, 0.2, 0.5, np.nan])
SECOND = np.array([0.1, 0.8, 0.5, 0.5])
IDS = ["up", "down", "same", "none"]


@pytest.fixture
def scatter(qtbot: QtBot, session, theme: Theme) -> Scatter:  # type: ignore[no-untyped-def]
    new_scatter = Scatter(session, theme)
    qtbot.addWidget(new_scatter)
    new_scatter.resize(360, 340)
    show(new_scatter)
    new_scatter.show()
    return new_scatter


def show(scatter: Scatter, selected: int = 2, marked: tuple[int, ...] = ()) -> None:
    on = np.isin(np.arange(4), marked)
    scatter.show_figure(
        scatter_figure(FIRST, SECOND, IDS, selected, on, "AP", ("new", "old")), ["one", "two", "three", "four"]
    )


def test_a_click_selects_the_query_and_one_beside_takes_the_brush_away(scatter: Scatter, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    qtbot.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=scatter.place_of(0).toPoint())
    qtbot.mouseClick(scatter, Qt.MouseButton.LeftButton, pos=scatter.place_of(0).toPoint() + QPoint(0, 60))
    assert session.queries == ["up"]
    assert session.brushes == [[]]


def test_hover_tells_both_values(scatter: Scatter, qtbot: QtBot) -> None:
    qtbot.mouseMove(scatter, scatter.place_of(1).toPoint())
    assert scatter.point_at(scatter.place_of(1)) == 1
    assert [scatter.mark_label(place) for place in range(4)] == [
        "query up: 0.9000 against 0.1000, ▲ 0.8000 · one",
        "query down: 0.2000 against 0.8000, ▼ 0.6000 · two",
        "query same: 0.5000 against 0.5000, = · three",
        "query none: no pair of values",
    ]
    assert scatter.mark_label(7) == ""


def test_what_is_drawn_around_is_brushed(scatter: Scatter, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    middle = scatter.place_of(0)
    corners = [QPointF(-20, -20), QPointF(20, -20), QPointF(20, 20), QPointF(-20, 20)]
    assert scatter.inside(QPolygonF([middle + corner for corner in corners])) == ["up"]
    qtbot.mousePress(scatter, Qt.MouseButton.LeftButton, pos=(middle + corners[0]).toPoint())
    for corner in corners[1:]:
        qtbot.mouseMove(scatter, (middle + corner).toPoint())
    qtbot.mouseRelease(scatter, Qt.MouseButton.LeftButton, pos=(middle + corners[3]).toPoint())
    assert session.brushes == [["up"]]


def test_keys_walk_and_escape_takes_the_brush_away(scatter: Scatter, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    qtbot.keyClick(scatter, Qt.Key.Key_Left)
    qtbot.keyClick(scatter, Qt.Key.Key_Right)
    assert session.queries == ["down", "none"]
    session.brushes[:] = [["down"]]
    show(scatter, marked=(1,))
    qtbot.keyClick(scatter, Qt.Key.Key_Escape)
    assert session.brushes == [["down"], []]


def test_points_are_brushed_by_keys_along_their_order(scatter: Scatter, session, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    show(scatter, selected=0)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(scatter, key, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(scatter, Qt.Key.Key_Space)
    assert [sorted(query_ids) for query_ids in session.brushes] == [
        ["down", "up"],
        ["down", "same", "up"],
        ["down", "up"],
    ]
    assert session.queries == ["down", "same"]
    qtbot.keyClick(scatter, Qt.Key.Key_Return)
    assert session.places == ["query"]


def test_sides_have_their_colours_in_both_themes(scatter: Scatter, theme: Theme) -> None:
    for palette in (LIGHT, DARK):
        theme.set_palette(palette)
        image = scatter.grab().toImage()
        for place, colour in ((0, palette.better), (1, palette.worse)):
            at = scatter.place_of(place).toPoint()
            near = image.pixelColor(at).name()
            assert near != palette.panel
            assert _near(near, colour) < 90


def _near(colour: str, other: str) -> int:
    return sum(abs(int(colour[k : k + 2], 16) - int(other[k : k + 2], 16)) for k in (1, 3, 5))


def test_nothing_is_shown_before_the_first_figure(qtbot: QtBot, session, theme: Theme) -> None:  # type: ignore[no-untyped-def]
    unused = Scatter(session, theme)
    qtbot.addWidget(unused)
    unused.grab()
    assert unused.point_at(QPointF(3, 3)) == -1
    assert unused.inside(QPolygonF()) == []


def test_painting_leaves_the_themes_colours_as_they_are(scatter: Scatter, theme: Theme) -> None:
    show(scatter, marked=(1,))
    scatter.grab()
    assert {name: theme[name].alpha() for name in ("better", "worse", "muted", "ink")} == dict.fromkeys(
        ("better", "worse", "muted", "ink"), 255
    )


@pytest.mark.parametrize("grouped", [False, True])
def test_very_many_points_are_the_same_picture_at_whole_pixels(
    qtbot: QtBot,
    session,
    theme: Theme,
    monkeypatch: pytest.MonkeyPatch,
    grouped: bool,  # type: ignore[no-untyped-def]
) -> None:
    scatter = Scatter(session, theme)
    qtbot.addWidget(scatter)
    dice = np.random.default_rng(2)
    xs, ys = 60.0 + 4 * np.arange(30), 50.0 + 4 * dice.permutation(30)
    monkeypatch.setattr(scatter, "_pixels_x", lambda *_: xs)
    monkeypatch.setattr(scatter, "_pixels_y", lambda *_: ys)
    marked = np.arange(30) % 3 == 0
    ids = [str(row) for row in range(30)]
    points = scatter_figure(dice.random(30), dice.random(30), ids, -1, marked, "AP", ("a", "b")).points
    assert points is not None
    groups = dice.integers(0, 9, 30) if grouped else None
    pictures = []
    for most in (1000, 0):
        monkeypatch.setattr(many_points, "MOST_POINTS", most)
        image = QImage(240, 200, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scatter._paint_points(painter, None, replace(points, groups=groups))  # type: ignore[arg-type]
        painter.end()
        pictures.append(np.array(image.constBits(), dtype=np.int16))
    assert pictures[0].any()
    assert np.abs(pictures[0] - pictures[1]).max() <= 3  # what lies over another is rounded once more


@pytest.mark.parametrize("most", [1000, 1])
@pytest.mark.parametrize("grouped", [False, True])
def test_a_brushed_point_is_above_all_others(
    scatter: Scatter, monkeypatch: pytest.MonkeyPatch, grouped: bool, most: int
) -> None:
    """However many there are, and whichever comes first."""
    monkeypatch.setattr(many_points, "MOST_POINTS", most)

    def painted(*order: int) -> np.ndarray:
        rows = list(order)
        first, second = np.array([0.4, 0.6, 0.4])[rows], np.array([0.6, 0.4, 0.6])[rows]
        marked = np.array([True, False, False])[rows]
        points = scatter_figure(first, second, list("abc")[: len(rows)], -1, marked, "AP", ("a", "b")).points
        assert points is not None
        image = QImage(60, 60, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        for name in ("_pixels_x", "_pixels_y"):
            monkeypatch.setattr(scatter, name, lambda *_: np.full(len(rows), 30.0))
        groups = np.array([0, 1, 1])[rows] if grouped else None
        scatter._paint_points(painter, None, replace(points, groups=groups))  # type: ignore[arg-type]
        painter.end()
        return np.array(image.constBits(), dtype=np.int16).reshape(60, 60, 4)[30, 30]

    for order in ((0, 1, 2), (2, 1, 0)):
        assert np.abs(painted(*order) - painted(0)).max() <= 20  # it lets little through

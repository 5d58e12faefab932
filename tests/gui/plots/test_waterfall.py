"""The waterfall on screen: parts begin where others end, a click selects, parts of nothing do not."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from irviewer.figures.waterfall import waterfall_figure
from irviewer.gui.plots.waterfall import WaterfallView, shortened
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import LIGHT

KEYS = ["d1", "d2", "", "d3"]


@pytest.fixture
def view(qtbot: QtBot, session, theme: Theme) -> WaterfallView:  # type: ignore[no-untyped-def]
    waterfall_view = WaterfallView(session, theme)
    qtbot.addWidget(waterfall_view)
    waterfall_view.resize(520, 180)
    deltas = np.array([0.3, 0.1, -0.05, -0.2])
    waterfall_view.show_figure(
        waterfall_figure(deltas, KEYS, ["one", "two", "others", "three"], "t", "Δ AP", selected=1)
    )
    waterfall_view.show()
    return waterfall_view


def test_parts_begin_where_the_ones_above_end(view: WaterfallView) -> None:
    assert view.bar(1).left() == pytest.approx(view.bar(0).right())
    assert view.bar(2).right() == pytest.approx(view.bar(1).right())
    assert view.bar(3).right() == pytest.approx(view.bar(2).left())
    image = view.grab().toImage()
    assert image.pixelColor(view.bar(0).center().toPoint()).name() == LIGHT.better
    assert image.pixelColor(view.bar(3).center().toPoint()).name() == LIGHT.worse


def test_a_click_and_the_arrows_choose_what_can_be_gone_to(view: WaterfallView, qtbot: QtBot) -> None:
    chosen: list[str] = []
    view.chosen.connect(chosen.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.bar(0).center().toPoint())
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.bar(2).center().toPoint())
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert chosen == ["d1", "d3", "d1"]


def test_a_part_tells_what_it_adds(view: WaterfallView, qtbot: QtBot) -> None:
    assert view.mark_label(3) == "three: −0.2000"
    assert view.mark_label(9) == ""
    qtbot.mouseMove(view, view.bar(1).center().toPoint())
    assert view.toolTip() == "two: +0.1000"
    view.show_figure(None)
    view.grab()


def test_values_are_inside_where_there_is_little_room(view: WaterfallView) -> None:
    long = [f"document {number} · grade 2 · – → 7" for number in range(4)]
    deltas = np.array([0.3, 0.1, -0.05, -0.2])
    view.show_figure(waterfall_figure(deltas, KEYS, long, "t", "Δ AP"))
    view.resize(view.minimumSize())
    metrics = QFontMetricsF(view.font())
    for part, delta in enumerate(deltas.tolist()):
        assert view.bar(part).right() + 6 + metrics.horizontalAdvance(f"{delta:+.4f}") <= view.width()
    view.grab()


def test_the_id_of_a_part_is_elided_and_not_its_grade(theme: Theme) -> None:
    metrics, words = QFontMetricsF(theme.font(8.5)), "WAPO-a000516-4QNU · grade 2 · – → 2"
    for room in range(150, 240, 10):
        text = shortened(words, metrics, room)
        assert text.endswith(" · grade 2 · – → 2")
        assert metrics.horizontalAdvance(text) <= room + 1
    assert shortened(words, metrics, 400) == words
    assert metrics.horizontalAdvance(shortened(words, metrics, 60)) <= 61


def test_a_very_long_id_is_elided_like_any_other_and_hardly_measured(
    view: WaterfallView, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, tail = "".join(str(number) for number in range(30_000)), " · grade 2 · – → 2"
    metrics = QFontMetricsF(theme.font(8.5))
    left = 240 - metrics.horizontalAdvance(tail)
    whole = metrics.elidedText(head, Qt.TextElideMode.ElideMiddle, left) + tail
    assert shortened(head + tail, metrics, 240) == whole
    measured: list[int] = []

    class Counted(QFontMetricsF):
        def horizontalAdvance(self, text: str) -> float:  # type: ignore[override]
            measured.append(len(text))
            return super().horizontalAdvance(text)

    monkeypatch.setattr("irviewer.gui.plots.waterfall.QFontMetricsF", Counted)
    labels = [head + tail, "two", "others", "three"]
    view.show_figure(waterfall_figure(np.array([0.3, 0.1, -0.05, -0.2]), KEYS, labels, "t", "Δ AP"))
    view.grab()
    assert len(measured) == 4 + 2 * 4  # each label once, and twice where it is painted
    assert max(measured) < 3000

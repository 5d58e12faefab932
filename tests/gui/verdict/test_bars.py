"""The painted bars of a verdict."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from irviewer.analysis.verdict.loss import Loss
from irviewer.gui.theme import Theme
from irviewer.gui.verdict.bars import HEAD, LEFT, ROW, SWATCH, LossBars
from irviewer.rendering.run_label import RunLabel


def loss(run: str, *parts: float) -> Loss:
    return Loss(run, *(np.full(4, part) for part in parts))


@pytest.fixture
def bars(qtbot: QtBot, theme: Theme) -> LossBars:
    loss_bars = LossBars(theme)
    qtbot.addWidget(loss_bars)
    loss_bars.resize(700, 180)
    loss_bars.show()
    return loss_bars


@pytest.mark.parametrize("parts", [(0.01, 0.25, 0.08), (0.1, 0.2, 0.1), (0.3, 0.01, 0.01)])
def test_the_names_of_parts_have_their_ground(bars: LossBars, parts: tuple[float, float, float]) -> None:
    bars.show_losses([loss("a", *parts), loss("b", 0.1, 0.3, 0.15)], [None, None], "")
    image = bars.grab().toImage()
    x, scale = LEFT, (bars.width() - 282) / 0.55
    for (_, place), part in zip(bars.headings(), (0.1, 0.3, 0.15), strict=True):
        ground = image.pixel(round(x + 8), round(HEAD + ROW + 9))
        assert image.pixel(round(place + SWATCH / 2), round(2 + HEAD / 2)) == ground
        x += part * scale


def test_the_names_of_parts_are_whole_where_the_last_part_is_small(bars: LossBars) -> None:
    bars.resize(430, 180)
    bars.show_losses([loss("a", 0.4, 0.01, 0.01), loss("b", 0.3, 0.01, 0.01)], [None, None], "")
    metrics, former = QFontMetricsF(bars.theme.font(9)), 0.0
    for words, x in bars.headings():
        assert x >= former
        former = x + SWATCH + 5 + metrics.horizontalAdvance(words)
    assert former <= bars.width()


def test_a_long_name_keeps_what_tells_it_from_others(bars: LossBars) -> None:
    name = "results_of_the_year_english_bm25"
    label = RunLabel(0, name, "…english_bm25", 0, None, True, False, False, name)
    bars.show_losses((loss(name, 0.2, 0.1, 0.1), loss("short", 0.2, 0.1, 0.1)), (label, None), "")
    assert bars.shown_name(0) == "…english_bm25"
    assert bars.shown_name(1) == "short"


def test_a_sentence_alone_has_its_own_height(bars: LossBars, qtbot: QtBot) -> None:
    """A measure without parts of its loss had a panel as high as three bars for one sentence."""
    bars.show_losses([loss("a", 0.2, 0.1, 0.1), loss("b", 0.2, 0.1, 0.1)], [None, None], "")
    high = bars.sizeHint().height()
    bars.show_losses([], [], "V_strict has no best order: its loss has no parts.")
    line = QFontMetricsF(bars.theme.font(9)).height()
    assert line <= bars.heightForWidth(700) <= 3 * line < high
    assert bars.heightForWidth(120) > bars.heightForWidth(700)
    column = QWidget()
    qtbot.addWidget(column)
    layout = QVBoxLayout(column)
    layout.addWidget(bars)
    layout.addStretch(1)
    for width in (700, 140):  # a fixed height cut the last lines in a narrow panel
        column.resize(width, 400)
        column.show()
        assert bars.height() == bars.heightForWidth(bars.width())
    bars.show_losses(
        [loss("a", 0.2, 0.1, 0.1), loss("b", 0.2, 0.1, 0.1)], [None, None], "More of the loss is here. " * 4
    )
    assert bars.minimumHeight() >= HEAD + 3 * ROW
    assert bars.heightForWidth(300) > bars.heightForWidth(900) >= HEAD + 3 * ROW + line, "the sentence is whole"

"""The rows of a verdict."""

from __future__ import annotations

import math

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from irviewer.gui.theme import Theme
from irviewer.gui.verdict.rows import KIND, SIDE, ChangeRow, ChangeTexts, Dot, QueryRow, QueryTexts, kind_width


def test_what_differs_has_the_whole_width_of_a_row(qtbot: QtBot, theme: Theme) -> None:
    """Spanish words were cut before the numbers that they lead to: "relevantes entre los 10 primeros: 10 frente …"."""
    row = QueryRow(theme, QueryTexts("12", "a text", "more relevant in the first ten places " * 3, 0.25), 0.5)
    qtbot.addWidget(row)
    row.resize(424, row.HEIGHT)
    image = row.grab().toImage()
    ground = image.pixel(2, 2)
    last = range(row.width() - SIDE - 40, row.width() - SIDE)
    assert any(image.pixel(x, y) != ground for x in last for y in range(28, 34))
    right = range(row.width() - SIDE - row.VALUE, row.width())
    assert all(image.pixel(x, 18) == ground for x in right)  # the difference stands above


def test_a_long_title_does_not_touch_what_was_found(qtbot: QtBot, theme: Theme) -> None:
    """In Spanish "tipos de consultas" ended where the next text begins."""
    texts = [
        ChangeTexts(title, title, "W" * 8, "● holds", turns=False) for title in ("short", "a long kind of change x")
    ]
    assert kind_width(theme, texts[:1]) == KIND
    width = kind_width(theme, texts)
    row = ChangeRow(theme, texts[1], (0.0, 1.0), 0.0, 0.5, width)
    qtbot.addWidget(row)
    row.resize(700, row.HEIGHT)
    image = row.grab().toImage()
    ground = image.pixel(2, 2)
    between = range(SIDE + width - 8, SIDE + width)
    assert all(image.pixel(x, y) == ground for x in between for y in range(4, row.HEIGHT - 4))
    beside = range(SIDE + width, SIDE + width + 20)
    assert any(image.pixel(x, y) != ground for x in beside for y in range(row.HEIGHT))
    assert row.lines() == ["W" * 8]


def test_a_screen_reader_hears_no_signs(qtbot: QtBot, theme: Theme) -> None:
    row = ChangeRow(
        theme, ChangeTexts("judge", "another judge", "better: b", "◐ too small to tell", False), (0, 1), 0, 0.5
    )
    qtbot.addWidget(row)
    assert row.accessibleName() == "another judge: too small to tell. better: b"


def test_what_is_shown_and_what_is_not_at_the_same_place_are_both_seen(qtbot: QtBot, theme: Theme) -> None:
    """Of three tests of one difference only the last was to be seen, which showed nothing."""
    dots = (Dot("wilcoxon", 0.5, True), Dot("sign", 0.5, True), Dot("randomisation", 0.5, False))
    row = ChangeRow(theme, ChangeTexts("test", "another test", "", "●", False, dots), (0.0, 1.0), 0.0, math.nan)
    qtbot.addWidget(row)
    row.resize(700, row.HEIGHT)
    image = row.grab().toImage()
    axis = row._axis()
    x, middle = round(axis.center().x()), row.HEIGHT // 2
    above, below = (image.pixelColor(x, middle + height) for height in (-5, 5))
    assert above == QColor(theme["ink"]) and below == QColor(theme["panel"])

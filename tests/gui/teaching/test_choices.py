"""Choices can be read whole, and their circles and boxes are seen on the ground of every palette."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QRadioButton

from irviewer.formats.lessons.lesson_file import parse_lesson
from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.teaching.lesson_strip import LessonStrip
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import PALETTES
from irviewer.session.session import Session


def luminance(colour: QColor) -> float:
    """The relative luminance of WCAG 2.2."""
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3])
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("kind", [QRadioButton, QCheckBox])
def test_a_choice_has_an_edge_that_is_seen(kind: type[QAbstractButton], palette: str, qapp: QApplication) -> None:
    button = kind()
    button.setStyleSheet(stylesheet(PALETTES[palette]))
    button.setPalette(Theme(PALETTES[palette]).qt_palette())
    button.setAutoFillBackground(True)
    button.resize(20, 20)
    image = button.grab().toImage()
    ground = luminance(image.pixelColor(image.width() - 1, 0))
    row = [luminance(image.pixelColor(x, image.height() // 2)) for x in range(image.width())]
    assert max((max(ground, each) + 0.05) / (min(ground, each) + 0.05) for each in row) >= 3  # WCAG 1.4.11


@pytest.mark.parametrize("compact", [False, True])
def test_long_lines_are_broken_or_shortened_where_they_are_wider_than_the_window(compact: bool, theme: Theme) -> None:
    long = "word & word " * 40
    text = f"""---
title: {long}
rankings: 1 0 1
---
## Step: {long}
do: swap 2 3

## Question: Which?
- [x] {long}
- [ ] short
"""
    session = Session()
    assert session.teaching.open(parse_lesson(text, "l.md"))
    strip = LessonStrip(session, theme)
    strip.set_compact(compact)
    strip.resize(800, 300)
    session.teaching.go()
    strip.refresh()
    button = strip.do_button
    assert "(Ctrl" in button.text()
    assert "…" in button.text()
    assert button.fontMetrics().horizontalAdvance(button.text().replace("&&", "&")) < 800
    assert strip.minimumSizeHint().width() <= 800  # the title makes the window no wider
    session.teaching.go()
    strip.refresh()
    strip.layout().activate()
    first, second = sorted(strip.question.choices, key=lambda choice: len(choice.text()))
    assert first.text() == "short"
    assert second.text().replace("\n", " ") == long.strip().replace("&", "&&")
    for width in (800, 1600, 600):
        strip.resize(width, 300)
        strip.layout().activate()
        assert strip.width() == width
        assert max(choice.sizeHint().width() for choice in strip.question.choices) <= strip.question.width()
    assert second.accessibleName() == long.strip()

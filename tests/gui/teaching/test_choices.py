"""The circles and boxes of choices are seen on the ground of every palette."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QRadioButton

from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import PALETTES


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

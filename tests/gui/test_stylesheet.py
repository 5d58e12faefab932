"""The stylesheet is whole in every theme."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme
from irviewer.rendering.palette import PALETTES, Palette
from tests.rendering.test_palette import contrast


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_every_token_is_filled_in(palette: Palette) -> None:
    text = stylesheet(palette)
    assert palette.panel in text
    assert text.count("{") == text.count("}")
    assert "{{" not in text
    assert "None" not in text


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_every_picture_is_there_and_in_the_theme_s_own_colours(palette: Palette) -> None:
    paths = set(re.findall(r'url\("([^"]+)"\)', stylesheet(palette)))
    assert {path.rpartition("/")[2].split("-")[0] for path in paths} == {"check", "chevron"}
    for path in paths:
        image = QImage(path)
        assert not image.isNull(), path
        seen = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        drawn = [colour for colour in seen if colour.alpha() > 200]
        assert drawn
        ground = QColor(palette.control).lightness()
        assert min(abs(colour.lightness() - ground) for colour in drawn) > 60


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
@pytest.mark.parametrize("make", [QLineEdit, QPlainTextEdit])
def test_a_placeholder_can_be_read(
    qtbot: QtBot, palette: Palette, make: Callable[[], QLineEdit | QPlainTextEdit]
) -> None:
    field = make()
    qtbot.addWidget(field)
    field.setPalette(Theme(palette).qt_palette())
    field.setStyleSheet(stylesheet(palette))
    field.ensurePolished()
    shown = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert shown.alpha() == 255
    assert contrast(shown.name(), palette.control) >= 4.5

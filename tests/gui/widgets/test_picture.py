"""A saved picture shows what the screen shows: what a widget draws beyond its edges is cut off in every format."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from irviewer.gui.stylesheet import stylesheet
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.picture import SHARPER, savable_picture
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.rendering.palette import DARK

SVG = "{http://www.w3.org/2000/svg}"


class Row(QWidget):
    """Draws a red box that is twice as wide and high as itself."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, 0, 80, 40), QColor("red"))
        painter.end()


@pytest.fixture
def picture(qapp: QApplication, theme: Theme, tmp_path: Path) -> dict[str, Path]:
    whole = QWidget()
    whole.resize(100, 60)
    row = Row(whole)
    row.setGeometry(0, 0, 40, 20)
    files = {suffix: tmp_path / f"p.{suffix}" for suffix in ("svg", "pdf", "png")}
    for path in files.values():
        savable_picture(whole, theme, "t").write(str(path))
    return files


def is_red(image: QImage, x: float, y: float) -> bool:
    colour = image.pixelColor(round(x * image.width()), round(y * image.height()))
    return colour.red() > 200 and colour.green() < 80


def test_a_bitmap_is_cut(picture: dict[str, Path]) -> None:
    image = QImage(str(picture["png"]))
    assert is_red(image, 0.2, 0.2)
    assert not is_red(image, 0.6, 0.2)
    assert not is_red(image, 0.2, 0.5)


def test_a_page_is_cut(picture: dict[str, Path]) -> None:
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", picture["pdf"].read_bytes(), re.S)
    drawn = b"".join(zlib.decompress(stream) for stream in streams if stream.startswith(b"\x78"))
    before_red = drawn[: drawn.index(b"1 0 0 scn")]
    assert re.search(rb"\bW\*?\s+n", before_red)  # a clip path


class Line(QWidget):
    """A label in the colours of the style, on what it lies on."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.resize(200, 40)
        label = PlainLabel(text, self)
        label.setGeometry(0, 0, 200, 40)


def numbers_in(shape: ElementTree.Element) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+", shape.get("d", "") + shape.get("transform", ""))]


def test_a_drawing_is_as_large_as_the_widget_with_its_letters_as_shapes(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    line = Line("M & <b>")
    savable_picture(line, theme, "t", head=("One & two",)).write(str(tmp_path / "p.svg"))
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    width = float(root.get("width", "").removesuffix("mm")) / 25.4 * 96
    assert abs(width - 200) < 1
    assert not list(root.iter(f"{SVG}text"))  # no font has to be installed
    assert root.findtext(f"{SVG}desc") == "One & two"
    letters = [each for each in root.iter(f"{SVG}path") if "scale(" in each.get("transform", "")]
    assert [each.get("aria-label") for each in letters] == ["One & two", "M & <b>"]
    wide = line.fontMetrics().horizontalAdvance("M & <b>")
    *outline, _x, _y, scale = numbers_in(letters[1])
    assert 0.85 * wide < scale * (max(outline[::2]) - min(outline[::2])) < 1.05 * wide
    grounds = [each for each in root.iter(f"{SVG}g") if each.get("fill") == "#ffffff"]
    assert grounds
    for ground in grounds:
        assert numbers_in(ElementTree.Element("g", transform=ground.get("transform", "")))[0] == 1  # not three quarters


def test_a_long_head_has_the_lines_that_it_needs(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    heights = []
    for words in (1, 40):
        savable_picture(Line("x"), theme, "t", head=("word " * words, "second")).write(str(tmp_path / "p.png"))
        heights.append(QImage(str(tmp_path / "p.png")).height() / SHARPER)
    assert heights[1] - heights[0] > 4 * theme.font(9).pointSizeF()


def test_a_dark_screen_is_saved_in_light_colours(qapp: QApplication, theme: Theme, tmp_path: Path) -> None:
    theme.set_palette(DARK)
    former, sheet = qapp.palette(), qapp.styleSheet()
    qapp.setPalette(theme.qt_palette())
    qapp.setStyleSheet(stylesheet(DARK))
    try:
        line = Line("word")
        before = line.grab().toImage()
        savable_picture(line, theme, "t").write(str(tmp_path / "p.png"))
        assert theme.palette is DARK
        assert line.grab().toImage() == before
    finally:
        qapp.setPalette(former)
        qapp.setStyleSheet(sheet)
    image = QImage(str(tmp_path / "p.png"))
    places = [(x, y) for x in range(image.width()) for y in range(image.height())]
    assert min(image.pixelColor(*place).lightness() for place in places) < 80
    assert max(image.pixelColor(*place).lightness() for place in places) > 240


def test_a_drawing_is_cut(picture: dict[str, Path]) -> None:
    root = ElementTree.parse(picture["svg"]).getroot()
    parents = {child: parent for parent in root.iter() for child in parent}
    red = [each for each in root.iter(f"{SVG}g") if each.get("fill") == "#ff0000"]
    assert red
    clips = {path.get("id"): path for path in root.iter(f"{SVG}clipPath")}
    for group in red:
        name = parents[group].get("clip-path", "").removeprefix("url(#").removesuffix(")")
        [shape] = clips[name]
        numbers = [float(part) for part in (shape.get("d") or "").replace(",", " ").split() if part[0].isdigit()]
        assert max(numbers[::2], default=float(shape.get("width", 0))) <= 40

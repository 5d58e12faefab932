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

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.picture import savable_picture

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

"""The column of kinds of failure, and the painter of its cells."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from irviewer.gui.tables.cells import LEFT_PAD, draw_left, elided, text_width
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme

BETWEEN = "   "
"""The separator of kinds of failure, as in the view model."""


class KindsColumn(ResultColumn):
    """The kinds of failure of each row, by sign and name."""

    gives_way = True


class KindsCell:
    """Paints signs and names of kinds of failure; where room is short, the last kinds show their signs only."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        painter.setPen(self._theme["text"])
        size = self._density.size
        room = box.width() - LEFT_PAD - self._density.pad
        draw_left(
            painter, box, LEFT_PAD, elided(fitting(column.text(row), room, size), room, 400, size=size), 400, size
        )


@lru_cache(maxsize=1024)
def fitting(text: str, room: int, size: float) -> str:
    """Return kinds separated by ``BETWEEN``, with as many names from the left as have room, and all signs."""
    kinds = text.split(BETWEEN)
    for words in range(len(kinds), 0, -1):
        signs = [kind.split(" ")[0] for kind in kinds[words:]]
        tried = BETWEEN.join(filter(None, (*kinds[:words], " ".join(signs))))
        if text_width(tried, 400, size) <= room:
            return tried
    return " ".join(kind.split(" ")[0] for kind in kinds)

"""Columns of the failure analysis and the painters of their cells: runs, kinds of failure and ranks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from irviewer.gui.tables.cells import (
    LEFT_PAD,
    STAR,
    draw_left,
    elided,
    metrics_of,
    text_width,
)
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import CellPainter, Column, TextColumn, label_tooltip
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import SWATCH, draw_swatch
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.rendering.run_label import RunLabel

BESIDE = 7
BETWEEN = "   "
"""The separator of kinds of failure, as in the view model."""
WIDEST_NAME = 250
"""The greatest width of a run's name, in pixels."""


class RunNameColumn(TextColumn):
    """Names of runs, each with its swatch; the baseline has a star."""

    beside = SWATCH + 24

    def __init__(self, name: str, title: str, labels: Sequence[RunLabel], tooltip: str) -> None:
        super().__init__(name, title, (), tooltip, widest=WIDEST_NAME)
        self.labels = labels

    def text(self, row: int) -> str:
        return self.labels[row].name

    def value(self, row: int) -> str:
        return self.labels[row].name

    def tip(self, row: int) -> str:
        return label_tooltip(self.labels[row])


class HowColumn(Column):
    """The kinds of failure of each row, by sign and name; ``tips`` explain them."""

    gives_way = True

    def __init__(
        self, name: str, title: str, cells: Sequence[str], tips: Sequence[str], tooltip: str, longest: str
    ) -> None:
        super().__init__(name, title, tooltip)
        self.cells = cells
        self.tips = tips
        self.longest = longest

    def text(self, row: int) -> str:
        return self.cells[row]

    def value(self, row: int) -> str:
        return self.cells[row]

    def tip(self, row: int) -> str:
        return self.tips[row]


class RunNameCell:
    """Paints a run's swatch and its name, shortened where needed; ★ for the baseline."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, RunNameColumn):
            return
        label, size = column.labels[row], self._density.size
        middle = box.top() + box.height() // 2
        swatch = QRect(box.left() + LEFT_PAD, middle - SWATCH // 2, SWATCH, SWATCH)
        draw_swatch(painter, swatch, self._theme.run(label), label.shown, self._theme["control_border"])
        weight = 400
        painter.setPen(self._theme["ink" if label.focus else "text"])
        left = LEFT_PAD + SWATCH + BESIDE
        star = text_width(STAR, weight, size) if label.baseline else 0
        room = box.width() - left - self._density.pad // 2 - int(star)
        name = fitting_name(label, metrics_of(weight, size), room)
        draw_left(painter, box, left, name + STAR if label.baseline else name, weight, size)


class HowCell:
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


def finding_painters(theme: Theme, density: Density) -> dict[type[Column], CellPainter]:
    """Return a painter for each kind of column of these views."""
    return {
        RunNameColumn: RunNameCell(theme, density),
        HowColumn: HowCell(theme, density),
    }

"""How the cells of the views of failures are painted: a run by its swatch and name, a rank or that it was missed.

Knows the theme and the columns, no view."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter

from irviewer.gui.failures.model import FoundColumn, HowColumn, RunNameColumn
from irviewer.gui.tables.cells import (
    LEFT_PAD,
    ROOMY,
    STAR,
    CellPainter,
    Density,
    draw_left,
    draw_right,
    elided,
    text_width,
)
from irviewer.gui.tables.model import Column
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import SWATCH, draw_swatch

BESIDE = 7
BETWEEN = "   "
"""Between two kinds of failure, as the view model has them."""


class RunNameCell:
    """A run's swatch and its name, or its short one, or a cut one; ★ for the baseline, the focus in semibold."""

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
        weight = 600 if label.focus else 400
        painter.setPen(self._theme["ink" if label.focus else "text"])
        left = LEFT_PAD + SWATCH + BESIDE
        star = text_width(STAR, weight, size) if label.baseline else 0
        room = box.width() - left - self._density.pad // 2 - int(star)
        fits = [one for one in (label.name, label.short) if one and text_width(one, weight, size) <= room]
        name = fits[0] if fits else elided(label.name, room, weight, Qt.TextElideMode.ElideMiddle, size)
        draw_left(painter, box, left, name + STAR if label.baseline else name, weight, size)


class HowCell:
    """Signs and words from the left; where there is no room for all words, the last kinds have their signs alone."""

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
    """Kinds "sign word" with ``BETWEEN`` them, with as many words from the left as have room; every sign stays."""
    kinds = text.split(BETWEEN)
    for words in range(len(kinds), 0, -1):
        signs = [kind.split(" ")[0] for kind in kinds[words:]]
        tried = BETWEEN.join(filter(None, (*kinds[:words], " ".join(signs))))
        if text_width(tried, 400, size) <= room:
            return tried
    return " ".join(kind.split(" ")[0] for kind in kinds)


class FoundCell:
    """A rank from the right, those found by one run alone in bold; what was missed is muted."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, FoundColumn):
            return
        missed = column.missed(row)
        alone = column.best is not None and bool(column.best.item(row))
        painter.setPen(self._theme["muted" if missed else "ink" if alone else "text"])
        draw_right(painter, box, column.text(row), self._density, 700 if alone else 400)


def finding_painters(theme: Theme, density: Density = ROOMY) -> dict[type[Column], CellPainter]:
    """A painter for every kind of column of these views."""
    return {
        RunNameColumn: RunNameCell(theme, density),
        HowColumn: HowCell(theme, density),
        FoundColumn: FoundCell(theme, density),
    }

"""How the cells of the views of failures are painted: a run by its swatch and name, a rank or that it was missed.

Knows the theme and the columns, no view."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter

from irviewer.gui.delegates.cells import (
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
from irviewer.gui.models.base import Column
from irviewer.gui.models.failures import FoundColumn, HowColumn, RunNameColumn
from irviewer.gui.painting import SWATCH, draw_swatch
from irviewer.gui.theme import Theme

BESIDE = 7


class RunNameCell:
    """A run's swatch and its name, cut in the middle; ★ for the baseline, the focus run in semibold."""

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
        name = elided(label.name, room, weight, Qt.TextElideMode.ElideMiddle, size)
        draw_left(painter, box, left, name + STAR if label.baseline else name, weight, size)


class HowCell:
    """Signs and words from the left, cut at their end."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        painter.setPen(self._theme["text"])
        size = self._density.size
        text = elided(column.text(row), box.width() - LEFT_PAD - self._density.pad, 400, size=size)
        draw_left(painter, box, LEFT_PAD, text, 400, size)


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

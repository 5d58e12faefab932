"""Sentences side by side in a table: what one has and the other lacks is underlined."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from irviewer.analysis.answers.words import normal
from irviewer.gui.tables.cells import LEFT_PAD, draw_left, elided
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme

OTHERS = {"text_first": "text_second", "text_second": "text_first"}
"""The key of a column of sentences and that of the one beside it."""
_WORD = re.compile(r"\w+(?:['’]\w+)?")


class ComparedText(ResultColumn):
    """A column of sentences beside another one."""

    def other(self, row: int) -> str:
        """Return the sentence beside the one of a row; "" where there is none."""
        place = self.place(row)
        return "" if place < 0 else str(self.table.column(OTHERS[self.id]).values[place])


def own_words(text: str, other: str) -> list[tuple[int, int]]:
    """Return begin and end of the words of a text that another one lacks; none where the other is empty."""
    if not other:
        return []
    known = {normal(match.group()) for match in _WORD.finditer(other)}
    return [match.span() for match in _WORD.finditer(text) if normal(match.group()) not in known]


class ComparedTextCell:
    """Paints a sentence and underlines its own words."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme, self._density = theme, density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        assert isinstance(column, ComparedText)
        whole = column.text(row)
        shown = elided(whole, box.width() - LEFT_PAD - self._density.pad, 400, size=self._density.size)
        painter.setPen(self._theme.colours["text"])
        draw_left(painter, box, LEFT_PAD, shown, 400, self._density.size)
        metrics = QFontMetricsF(painter.font())
        y = round(box.top() + (box.height() + metrics.height()) / 2 - metrics.descent()) + 2
        seen = len(shown) if shown == whole else len(shown) - 1  # without the sign of the cut
        painter.setPen(QPen(self._theme.colours["ink"], 1))
        for begin, end in own_words(whole, column.other(row)):
            if begin >= seen:
                break
            left, right = (metrics.horizontalAdvance(shown[: min(at, seen)]) for at in (begin, end))
            painter.drawLine(box.left() + LEFT_PAD + round(left), y, box.left() + LEFT_PAD + round(right) - 1, y)

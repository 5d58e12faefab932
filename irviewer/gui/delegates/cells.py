"""How each kind of table cell is painted. Plain painters and no QStyledItemDelegates: a table paints hundreds of cells
at every step through the queries, and Qt's way costs several calls between C++ and Python for each of them.

A painter gets its column and row, fetches what the column holds, and computes nothing. Knows the theme, no view."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText, QTransform

from irviewer.gui.models.base import NOTHING, Column, DeltaColumn, NumberColumn, RunColumn, TextColumn
from irviewer.gui.painting import SWATCH, delta_colour, draw_swatch
from irviewer.gui.theme import Theme, make_font

PAD = 10
LEFT_PAD = 12
"""As far in as a panel's title."""
SIZE = 9.5
HEAT_STRENGTH = 0.5
"""How much of the heat colour the darkest cell takes: the number on it stays easy to read."""
_LEVELS = 64
_ELIDED_FROM = 400

CHECK_LEFT = LEFT_PAD
CHECK = 11
SWATCH_LEFT = CHECK_LEFT + CHECK + 6
NAME_LEFT = SWATCH_LEFT + SWATCH + 7
STAR = " ★"


class CellPainter(Protocol):
    """Paints one cell into ``box``; ``ground`` is the colour the row already has."""

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        """Paint the cell; the painter's font and pen may be left changed."""


class TextCell:
    """Text from the left, cut at its end; ids in bold."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        weight = 600 if isinstance(column, TextColumn) and column.bold else 400
        painter.setPen(self._theme["ink" if weight > 400 else "text"])
        text, room = column.text(row), box.width() - LEFT_PAD - PAD
        if isinstance(column, TextColumn) and column.shorts is not column.cells and text_width(text, weight) > room:
            text = column.shorts[row]
        draw_left(painter, box, LEFT_PAD, elided(text, room, weight), weight)


class NumberCell:
    """A number from the right, in figures of equal width, on its heat; the best in bold, what is missing in grey."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        text = column.text(row)
        best = False
        if isinstance(column, NumberColumn):
            best = column.best is not None and bool(column.best.item(row))
            if column.heat is not None:
                heat = column.heat.item(row)
                if heat > 0:
                    painter.fillRect(box, heat_colour(ground.rgb(), self._theme.palette.heat, int(heat * _LEVELS)))
        painter.setPen(self._theme["muted" if text == NOTHING else "ink" if best else "text"])
        draw_right(painter, box, text, 700 if best else 400)


class DeltaCell:
    """▲ better, ▼ worse, a grey "=", or the word that stands for the baseline itself."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        pen = self._theme["muted"]
        if isinstance(column, DeltaColumn) and row not in column.words:
            pen = delta_colour(column.signed(row), column.decimals(row), self._theme)
        painter.setPen(pen)
        draw_right(painter, box, column.text(row))


class RunCell:
    """A run: the box that shows it, its swatch (empty when it is not shown), its name cut in the middle, ★ for the
    baseline; the focus run, whose Δ the other places show, in semibold."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, RunColumn):
            return
        label = column.cells[row]
        middle = box.top() + box.height() // 2
        self._draw_check(painter, box.left() + CHECK_LEFT, middle - CHECK // 2, label.shown)
        swatch = QRect(box.left() + SWATCH_LEFT, middle - SWATCH // 2, SWATCH, SWATCH)
        draw_swatch(painter, swatch, self._theme.run(label), label.shown, self._theme["control_border"])
        weight = 600 if label.focus else 400
        painter.setPen(self._theme["ink" if label.shown else "text"])
        star = text_width(STAR, weight) if label.baseline else 0
        room = box.width() - NAME_LEFT - PAD - math.ceil(star)
        name = elided(label.name, room, weight, Qt.TextElideMode.ElideMiddle)
        draw_left(painter, box, NAME_LEFT, name + STAR if label.baseline else name, weight)

    def _draw_check(self, painter: QPainter, left: int, top: int, ticked: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme["text" if ticked else "muted"], 1.0))
        painter.drawRoundedRect(QRectF(left + 0.5, top + 0.5, CHECK - 1, CHECK - 1), 1.5, 1.5)
        if ticked:
            painter.setPen(QPen(self._theme["ink"], 1.4))
            corners = (QPointF(left + 2.6, top + 5.6), QPointF(left + 4.7, top + 7.8), QPointF(left + 8.6, top + 3.2))
            painter.drawPolyline(corners)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def painters(theme: Theme) -> dict[type[Column], CellPainter]:
    """A painter for every kind of column."""
    return {
        TextColumn: TextCell(theme),
        NumberColumn: NumberCell(theme),
        DeltaColumn: DeltaCell(theme),
        RunColumn: RunCell(theme),
    }


def draw_left(painter: QPainter, box: QRect, pad: int, text: str, weight: int) -> None:
    """``text`` from the left of ``box``, halfway down, in the painter's pen."""
    shaped, font, _, height = _shaped(text, weight, False)
    painter.setFont(font)
    painter.drawStaticText(box.left() + pad, box.top() + round((box.height() - height) / 2), shaped)


def draw_right(painter: QPainter, box: QRect, text: str, weight: int = 400) -> None:
    """``text`` to the right of ``box``, halfway down, in figures of equal width and the painter's pen."""
    shaped, font, width, height = _shaped(text, weight, True)
    painter.setFont(font)
    left = box.right() + 1 - PAD - round(width)
    painter.drawStaticText(left, box.top() + round((box.height() - height) / 2), shaped)


@lru_cache(maxsize=8192)
def _shaped(text: str, weight: int, numbers: bool) -> tuple[QStaticText, QFont, float, float]:
    """A text with its glyphs placed, its font, width and height: placing them is most of the cost of painting a cell,
    and a step through the queries paints much the same texts again."""
    font = make_font(SIZE, weight, numbers)
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.prepare(QTransform(), font)
    size = made.size()
    return made, font, size.width(), size.height()


def on_check_box(x: int) -> bool:
    """True where ``x``, from a run cell's left edge, falls on the box or the swatch."""
    return 0 <= x < NAME_LEFT - 3


def natural_width(column: Column, rows: range) -> int:
    """The pixels that the cells of ``rows`` (a sample) want: of the longest text, as measured once."""
    longest = max((column.text(row) for row in rows), key=len, default="")
    if isinstance(column, RunColumn):
        return NAME_LEFT + math.ceil(text_width(longest, 600) + text_width(STAR, 600)) + PAD
    if column.right:
        weight = 700 if isinstance(column, NumberColumn) and column.best is not None else 400
        return math.ceil(QFontMetricsF(make_font(SIZE, weight, True)).horizontalAdvance(longest)) + 2 * PAD
    weight = 600 if isinstance(column, TextColumn) and column.bold else 400
    return math.ceil(text_width(longest[:_ELIDED_FROM], weight)) + LEFT_PAD + PAD


@lru_cache(maxsize=4096)
def heat_colour(ground: int, heat: str, level: int) -> QColor:
    """The row's ground (as 0xAARRGGBB) shaded with ``level`` of 64 parts of the heat colour."""
    base, shade = QColor(ground), QColor(heat)
    part = HEAT_STRENGTH * min(level, _LEVELS) / _LEVELS

    def between(low: int, high: int) -> int:
        return round(low + (high - low) * part)

    return QColor(
        between(base.red(), shade.red()), between(base.green(), shade.green()), between(base.blue(), shade.blue())
    )


@lru_cache(maxsize=8192)
def elided(text: str, width: int, weight: int, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
    """``text`` cut with "…" to ``width`` pixels; remembered, since the same rows are painted again and again."""
    if width <= 0:
        return ""
    return _metrics(weight).elidedText(
        text[:_ELIDED_FROM] if mode == Qt.TextElideMode.ElideRight else text, mode, width
    )


@lru_cache(maxsize=2048)
def text_width(text: str, weight: int) -> float:
    """The width of a text in a table's type."""
    return _metrics(weight).horizontalAdvance(text)


@lru_cache(maxsize=8)
def _metrics(weight: int) -> QFontMetricsF:
    return QFontMetricsF(cell_font(weight))


def cell_font(weight: int = 400) -> QFont:
    """The type of a table's texts."""
    return make_font(SIZE, weight)

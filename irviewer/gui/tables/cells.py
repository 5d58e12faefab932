"""Painters of table cells. They are no QStyledItemDelegates, since these cost several calls between C++ and Python for
each of the hundreds of cells that a table paints at every step.

A painter gets column and row, and computes nothing. It knows the theme, no view."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText, QTransform

from irviewer.gui.tables.density import ROOMY, Density
from irviewer.gui.tables.model import (
    DECIMALS,
    NOTHING,
    CellPainter,
    Column,
    DeltaColumn,
    NumberColumn,
    TextColumn,
)
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.painting import (
    SWATCH,
    delta_ink,
    delta_text,
    draw_group_mark,
    draw_swatch,
)
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.rendering.run_label import RunLabel

LEFT_PAD = 12
"""The left margin, that of the title of a panel."""
HEAT_STRENGTH = 0.5
"""The share of the heat colour in the darkest cell, on which numbers are still legible."""
_LEVELS = 64
_ELIDED_FROM = 400
KEPT = 400
"""The most letters of a text whose width is kept."""
_NO_DIGITS = str.maketrans("", "", "0123456789")
TEXTS = 16_384
"""Texts whose widths are kept: those of some hundreds of runs in each density."""
_FEW_LETTERS = 12
_SHORT = 24
"""Letters up to which all texts of a sample are measured."""

ARROW = 10
"""The width in pixels of an arrow at the end of an axis."""
CHECK_LEFT = LEFT_PAD
CHECK = 11
SWATCH_LEFT = CHECK_LEFT + CHECK + 6
NAME_LEFT = SWATCH_LEFT + SWATCH + 7
STAR = " ★"
SMALL = 8.5
INTERVAL_WIDTH = 150
GROUP_ROOM = 12
"""The room of the sign of a group before a text."""


class TextCell:
    """Left-aligned text, elided at the end; ids, titles and questions, which often begin alike, in the middle."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        is_id = isinstance(column, TextColumn) and column.bold
        weight = 400
        size = self._density.size
        text = elided(column.text(row), box.width() - LEFT_PAD - self._density.pad, weight, cut_of(column, is_id), size)
        painter.setPen(self._theme.colours["ink" if is_id else "text"])
        draw_left(painter, box, LEFT_PAD, text, weight, size)
        if text and isinstance(column, TextColumn) and column.link:
            metrics = QFontMetricsF(painter.font())
            y = round(box.top() + (box.height() + metrics.height()) / 2 - metrics.descent()) + 2
            left = box.left() + LEFT_PAD
            painter.drawLine(left, y, left + round(metrics.horizontalAdvance(text)) - 1, y)


def draw_group(painter: QPainter, box: QRect, group: int, theme: Theme) -> None:
    """Draw the sign of a group at the left, in the room before a text (``GROUP_ROOM``)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_group_mark(painter, QPointF(box.left() + LEFT_PAD + 3, box.center().y() + 0.5), 3.6, group, theme)
    painter.restore()


class NumberCell:
    """A right-aligned number on its heat; the best in bold, missing values in grey."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        text = column.text(row)
        best = False
        if isinstance(column, NumberColumn):
            best = column.best is not None and bool(column.best.item(row))
            if column.heat is not None:
                heat = column.heat.item(row)
                if heat > 0:
                    painter.fillRect(box, heat_colour(ground.rgb(), self._theme.palette.heat, int(heat * _LEVELS)))
        painter.setPen(self._theme.colours["muted" if text == NOTHING else "ink" if best else "text"])
        draw_right(painter, box, text, self._density, 700 if best else 400)


class DeltaCell:
    """▲ better, ▼ worse, a grey "=", grey △ ▽ for what a test does not show, or the word of the baseline row."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        text = column.text(row)
        is_good_or_bad = isinstance(column, DeltaColumn) and row not in column.words and column.is_shown(row)
        painter.setPen(self._theme.colours[delta_ink(text) if is_good_or_bad else "muted"])
        draw_right(painter, box, text, self._density)


def draw_run(painter: QPainter, box: QRect, label: RunLabel, theme: Theme, density: Density) -> None:
    """Draw a run: check box, swatch (empty for a hidden run), name (the short one where room is short), ★ for the
    baseline."""
    middle = box.top() + box.height() // 2
    _draw_check(painter, box.left() + CHECK_LEFT, middle - CHECK // 2, label.shown, theme)
    swatch = QRect(box.left() + SWATCH_LEFT, middle - SWATCH // 2, SWATCH, SWATCH)
    draw_swatch(painter, swatch, theme.run(label), label.shown, theme.colours["control_border"])
    painter.setPen(theme.colours["muted" if label.left_out else "ink" if label.shown else "text"])
    star = text_width(STAR, 400, density.size) if label.baseline else 0
    room = box.width() - NAME_LEFT - density.pad - math.ceil(star)
    name = fitting_name(label, metrics_of(400, density.size), room)
    draw_left(painter, box, NAME_LEFT, name + STAR if label.baseline else name, 400, density.size)


def _draw_check(painter: QPainter, left: int, top: int, ticked: bool, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.colours["text" if ticked else "muted"], 1.0))
    painter.drawRoundedRect(QRectF(left + 0.5, top + 0.5, CHECK - 1, CHECK - 1), 1.5, 1.5)
    if ticked:
        painter.setPen(QPen(theme.colours["ink"], 1.4))
        corners = (QPointF(left + 2.6, top + 5.6), QPointF(left + 4.7, top + 7.8), QPointF(left + 8.6, top + 3.2))
        painter.drawPolyline(corners)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def painters(theme: Theme, density: Density = ROOMY) -> dict[type[Column], CellPainter]:
    """Return a painter for each type of column that several tables have."""
    return {
        TextColumn: TextCell(theme, density),
        NumberColumn: NumberCell(theme, density),
        DeltaColumn: DeltaCell(theme, density),
    }


def draw_left(painter: QPainter, box: QRect, pad: int, text: str, weight: int, size: float) -> None:
    """Draw a text left-aligned and vertically centred, in the painter's pen."""
    shaped, font, _, height = _shaped(text, weight, False, size)
    painter.setFont(font)
    painter.drawStaticText(box.left() + pad, box.top() + round((box.height() - height) / 2), shaped)


def draw_right(painter: QPainter, box: QRect, text: str, density: Density, weight: int = 400) -> None:
    """Draw a text right-aligned and vertically centred, with tabular figures, in the painter's pen; elided if it is too
    wide."""
    shaped, font, width, height = _shaped(text, weight, True, density.size)
    room = box.width() - density.pad
    if width > room + 1:
        cut = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, room))
        shaped, font, width, height = _shaped(cut, weight, True, density.size)
    painter.setFont(font)
    left = box.right() + 1 - density.pad - round(width)
    painter.drawStaticText(left, box.top() + round((box.height() - height) / 2), shaped)


@lru_cache(maxsize=8192)
def _shaped(text: str, weight: int, numbers: bool, size: float) -> tuple[QStaticText, QFont, float, float]:
    """Return the cached layout of a text, with font, width and height: the layout is most of the cost of a cell."""
    font = make_font(size, weight, numbers)
    layout = QStaticText(text)
    layout.setTextFormat(Qt.TextFormat.PlainText)
    layout.prepare(QTransform(), font)
    room = layout.size()
    return layout, font, room.width(), room.height()


def on_check_box(x: int) -> bool:
    """Return whether ``x``, from the left edge of a run's cell, is on the check box or swatch."""
    return 0 <= x < NAME_LEFT - 3


def natural_width(column: Column, rows: range, density: Density = ROOMY) -> int:
    """Return the width in pixels of the longest text in ``rows`` (a sample)."""
    return texts_width(column, measured_texts(column, rows), density, sampled=rows.step != 1)


def measured_texts(column: Column, rows: range) -> list[str]:
    """Return the texts by which a column is measured: those of ``rows``, and others that it may have."""
    in_shapes = column.right and not (column.drawn or column.ticks)
    sample = column.telling(rows) if in_shapes else rows
    texts = [*[column.text(row) for row in sample], column.measured_too()]
    if isinstance(column, DeltaColumn) and not all(column.words.get(row) for row in rows):
        texts.append(delta_text(1.0, DECIMALS))  # equal values may differ later
    # Once for all densities: of hundreds of columns it takes longest.
    return shapes(texts) if in_shapes else texts


def shapes(texts: Sequence[str]) -> list[str]:
    """Return a text of each shape of numbers. Digits are equally wide, but a word, such as that of the baseline's row,
    may be narrower than fewer of them."""
    return list({(len(text), _digits(text)): text for text in texts}.values())


def _digits(text: str) -> int:
    return len(text) - len(text.translate(_NO_DIGITS)) if text.isascii() else sum(map(str.isdigit, text))


def texts_width(column: Column, texts: Sequence[str], density: Density, *, sampled: bool) -> int:
    """Return the width in pixels of the longest of a column's texts; with slack where they are those of a sample."""
    longest = max(texts, key=len, default="")
    if column.drawn:
        return INTERVAL_WIDTH
    if column.ticks:
        words = text_width(longest, 600, density.size) + text_width(STAR, 600, density.size)
        return NAME_LEFT + math.ceil(words) + density.pad
    if column.right:
        weight = 700 if column.is_bold else 400
        room = 0 if column.groups is None else GROUP_ROOM + 6
        near = [text for text in texts if len(text) >= 0.6 * len(longest)]
        widest = max(text_width(text, weight, density.size, True) for text in shapes(near))
        return math.ceil(widest) + 2 * density.pad + room
    weight = 600 if column.is_strong or (isinstance(column, TextColumn) and column.bold) else 400
    # A text of fewer letters may be wider. Short ones, such as ids, are measured all, since they are not to be cut.
    near = [text for text in texts if len(text) >= 0.7 * len(longest)]
    near = near if len(longest) <= _SHORT else near[:12]
    widest = max((text_width(text[:_ELIDED_FROM], weight, density.size) for text in [longest, *near]), default=0.0)
    # The sample may not have the widest text; of few letters, one wide letter more is much.
    slack = 1.0 if not sampled else 1.15 if len(longest) <= _FEW_LETTERS else 1.05
    room = 0 if column.groups is None else GROUP_ROOM
    return math.ceil(slack * widest) + LEFT_PAD + density.pad + column.beside + room


@lru_cache(maxsize=4096)
def heat_colour(ground: int, heat: str, level: int) -> QColor:
    """Return the background of a row (0xAARRGGBB) with ``level`` of 64 parts of the heat colour."""
    base, shade = QColor(ground), QColor(heat)
    part = HEAT_STRENGTH * min(level, _LEVELS) / _LEVELS

    def between(low: int, high: int) -> int:
        return round(low + (high - low) * part)

    return QColor(
        between(base.red(), shade.red()), between(base.green(), shade.green()), between(base.blue(), shade.blue())
    )


def cut_of(column: Column, is_id: bool) -> Qt.TextElideMode:
    """Return where the texts of a column are elided: what tells ids, titles and the texts of queries apart is often
    last."""
    middle = is_id or column.id in ("title", "text", "question", "nugget")
    return Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight


@lru_cache(maxsize=8192)
def elided(
    text: str,
    width: int,
    weight: int,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    size: float = ROOMY.size,
) -> str:
    """Return the text elided to ``width`` pixels, cached."""
    if width <= 0:
        return ""
    return metrics_of(weight, size).elidedText(
        text[:_ELIDED_FROM] if mode == Qt.TextElideMode.ElideRight else text, mode, width
    )


def text_width(text: str, weight: int, size: float = ROOMY.size, numbers: bool = False) -> float:
    """Return the width of a text in the type of tables, which is kept unless it is long."""
    return (_width if len(text) <= KEPT else _width.__wrapped__)(text, weight, size, numbers)


@lru_cache(maxsize=TEXTS)
def _width(text: str, weight: int, size: float, numbers: bool) -> float:
    return metrics_of(weight, size, numbers).horizontalAdvance(text)


@lru_cache(maxsize=16)
def metrics_of(weight: int, size: float, numbers: bool = False) -> QFontMetricsF:
    """Return the metrics of the type of tables."""
    return QFontMetricsF(make_font(size, weight, numbers))

"""The signs of answers: circles of labels, boxes of ranks, swatches with names, and texts in lines.

A label is ink, not a hue: the hues of grades and of runs keep their meaning. All text is data and is drawn as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption

from irviewer.gui.theme import Theme, aligned, make_font
from irviewer.gui.widgets.painting import draw_hatch, draw_swatch
from irviewer.gui.widgets.titles import CachedMetrics
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED
from irviewer.translation import trn

MOST_CUT = 8_192
LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
CENTRE = Qt.AlignmentFlag.AlignCenter
MOST_LETTERS = 4_000
"""Letters of a text that are laid out; of a longer one the beginning is shown, and how much more there is."""
RADIUS = 5.5
BOX = 20
BOX_HEIGHT = 18


@lru_cache(maxsize=64)
def metrics_of(size: float, weight: int = 400, numbers: bool = False) -> CachedMetrics:
    """Return the metrics of a size and weight, which remember the widths of texts; ``numbers`` as of ``make_font``."""
    return CachedMetrics(make_font(size, weight, numbers))


@lru_cache(maxsize=MOST_CUT)
def cut(
    text: str, room: int, size: float, weight: int = 400, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle, *,
    numbers: bool = False,
) -> str:  # fmt: skip
    """Return a text elided to ``room`` pixels, in the middle unless ``mode`` says otherwise."""
    return metrics_of(size, weight, numbers).elidedText(text[:2_000], mode, max(0, room))


def draw_label(painter: QPainter, centre: QPointF, label: int, theme: Theme, radius: float = RADIUS) -> None:
    """Draw a label as a circle: full said, half in part, pale and empty not said, hatched and dashed not judged."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    ink = theme["ink"]
    if label == FULL:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawEllipse(circle)
    elif label == PARTIAL:
        painter.setPen(QPen(ink, 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPie(circle, 90 * 16, 180 * 16)
    elif label == UNJUDGED:
        pen = QPen(theme["control_border"], 1)
        pen.setDashPattern([2.0, 1.8])
        draw_hatch(painter, circle.adjusted(2.5, 2.5, -2.5, -2.5), theme)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        painter.setPen(QPen(theme["faint"], 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_rank(painter: QPainter, box: QRectF, text: str, theme: Theme, *, strong: bool, nowhere: bool) -> None:
    """Draw the rank that a sentence cites as a small box; dashed where the citation leads nowhere."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme["ink" if strong else "control_border"], 1.5 if strong else 1)
    if nowhere:
        pen.setDashPattern([2.5, 2.0])
        pen.setColor(theme["worse"])
    painter.setPen(pen)
    painter.setBrush(theme["panel"])
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setFont(theme.font(8.5, weight=700 if strong else 400, numbers=True))
    painter.setPen(theme["worse" if nowhere else "ink" if strong else "text"])
    painter.drawText(box, int(CENTRE), text)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_none(painter: QPainter, box: QRectF, text: str, theme: Theme) -> None:
    """Draw the box of a sentence without a citation: dashed and hatched, with its word."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_hatch(painter, box.adjusted(1, 1, -1, -1), theme)
    pen = QPen(theme["control_border"], 1)
    pen.setDashPattern([2.5, 2.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setFont(theme.font(8.5))
    width = painter.fontMetrics().horizontalAdvance(text) + 4
    ground = QRectF(box.center().x() - width / 2, box.top() + 3, width, box.height() - 6)
    painter.fillRect(ground, theme["panel"])
    painter.setPen(theme["text"])
    painter.drawText(box, int(CENTRE), text)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_named(painter: QPainter, x: float, middle: float, name: str, colour: QColor, theme: Theme) -> float:
    """Draw a swatch and a name from ``x``; return where they end."""
    draw_swatch(painter, QRect(round(x), round(middle) - 5, 9, 9), colour, True)
    width = painter.fontMetrics().horizontalAdvance(name)
    painter.setPen(theme["text"])
    painter.drawText(QRectF(x + 13, middle - 10, width + 2, 20), int(LEFT), name)
    return x + 13 + width


@dataclass(frozen=True)
class Block:
    """A text in lines of a width, as it is painted; ``height`` in pixels."""

    layout: QTextLayout
    height: float
    cut: str = ""


class Blocks:
    """Texts laid out in lines, each once for a width and a font. A text without end shows its beginning."""

    MOST = 4_000

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int, int, int], Block] = {}

    def get(self, text: str, font: QFont, width: int, marks: Sequence[tuple[int, int]] = (), kind: int = 0) -> Block:
        """Return a text laid out; ``marks`` (start, length) are underlined, and ``kind`` tells texts of other marks
        apart."""
        start, stop = (marks[0][0], sum(marks[-1])) if marks else (0, 0)
        key = (text, width, hash((font.weight(), font.pointSizeF(), len(marks), kind)), start, stop)
        block = self._known.get(key)
        if block is None:
            if len(self._known) > self.MOST:
                self._known.clear()
            block = self._known[key] = lay_out(text, font, width, marks)
        return block


def lay_out(text: str, font: QFont, width: int, marks: Sequence[tuple[int, int]] = ()) -> Block:
    """Return a text in lines. Hidden characters are shown as escapes, line breaks as blanks; nothing is markup."""
    more = len(text) - MOST_LETTERS
    shown = escape_hidden(" ".join(text[:MOST_LETTERS].split()) if not marks else text[:MOST_LETTERS], keep="\t\n")
    shown = shown.replace("\n", " ").replace("\t", " ")
    cut = trn("… {n:,} more character", "… {n:,} more characters", more) if more > 0 else ""
    layout = QTextLayout(f"{shown} {cut}".rstrip() if cut else shown, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    if marks:
        formats = []
        for start, length in marks:
            part = QTextLayout.FormatRange()
            part.start, part.length = start, length
            underlined = QTextCharFormat()
            underlined.setFontUnderline(True)
            part.format = underlined
            formats.append(part)
        layout.setFormats(formats)
    layout.beginLayout()
    height = 0.0
    step = QFontMetricsF(font).lineSpacing() + 1
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(20, width))
        line.setPosition(QPointF(0, height))
        height += step
    layout.endLayout()
    return Block(layout, max(height, step), cut)


def draw_block(painter: QPainter, block: Block, x: float, y: float, ink: QColor) -> None:
    """Draw a text in lines with its top left corner at (x, y)."""
    painter.setPen(ink)
    block.layout.draw(painter, QPointF(x, y))

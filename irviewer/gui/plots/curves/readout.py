"""The box beside the hair line with its position and the value of each curve, from top to bottom as drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from irviewer.figures.figure import Figure
from irviewer.figures.readout import ReadOut
from irviewer.gui.theme import Theme
from irviewer.hidden_characters import escape_hidden
from irviewer.translation import tr, trn

SIZE = 8.5
PAD, COLUMN, SWATCH, NAME = 8.0, 12.0, 9.0, 170.0
SAMPLES = 10
SHORT = {tr("documents to read"): tr("to read")}
"""Title of a column of a read-out -> its short form."""


class Surface(Protocol):
    """The view that the box is painted on."""

    figure: Figure
    colours: Mapping[int, QColor]
    area: QRectF

    def at(self, x: float, y: float) -> QPointF: ...

    def x_at(self, pixel: float) -> float: ...

    def rect(self) -> QRect: ...


def paint_read_out(painter: QPainter, view: Surface, out: ReadOut, theme: Theme) -> QRectF:
    """Paint the box inside the view; return its rectangle. Curves without room are counted."""
    whole = QRectF(view.rect()).adjusted(4, 4, -4, -4)
    font, bold = theme.font(SIZE, numbers=True), theme.font(SIZE, weight=600, numbers=True)
    metrics, strong = QFontMetricsF(font), QFontMetricsF(bold)
    line = metrics.height() + 2
    room = int((whole.height() - 2 * PAD) / line) - 1
    entries = out.entries if len(out.entries) <= room else out.entries[: max(0, room - 1)]
    hidden = len(out.entries) - len(entries)
    titles = [SHORT.get(title, title) for title in out.columns]
    cells = [[entry.value, entry.extra][: len(titles)] for entry in entries]
    widths = [
        max([metrics.horizontalAdvance(title), *(strong.horizontalAdvance(row[i]) for row in cells)])
        for i, title in enumerate(titles)
    ]
    beside = sum(widths) + COLUMN * len(widths)
    widest = max((metrics.horizontalAdvance(entry.label) for entry in entries), default=0.0)
    most = max(30.0, whole.width() - 2 * PAD - beside - SWATCH - 6)
    name = max(min(widest, NAME, most), min(most, strong.horizontalAdvance(out.head) - SWATCH - 6))
    box = QRectF(0, 0, SWATCH + 6 + name + beside + 2 * PAD, line * (len(entries) + 1 + bool(hidden)) + 2 * PAD - 2)
    hair = view.at(out.x, 0).x()
    right = hair + 10 + box.width() <= whole.right() or hair - 10 - box.width() < whole.left()
    box.moveTo(hair + 10 if right else hair - 10 - box.width(), whole.top() + 4)
    box.moveLeft(max(whole.left(), min(box.left(), whole.right() - box.width())))
    below = box.translated(0, max(0.0, view.area.bottom() - 8 - box.bottom()))
    if _covered(view, below) < _covered(view, box):
        box = below
    painter.setPen(QPen(theme["frame"], 1))
    ground = QColor(theme["panel"])
    ground.setAlpha(240)
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 5, 5)

    centre = Qt.AlignmentFlag.AlignVCenter
    at_right = Qt.AlignmentFlag.AlignRight | centre
    y = box.top() + PAD - 1
    painter.setFont(bold)
    painter.setPen(theme["ink"])
    painter.drawText(QRectF(box.left() + PAD, y, SWATCH + 6 + name, line), centre, escape_hidden(out.head))
    painter.setFont(font)
    painter.setPen(theme["muted"])
    for title, cell in zip(titles, _columns(box, widths, y, line), strict=True):
        painter.drawText(cell, at_right, title)
    for entry, row in zip(entries, cells, strict=True):
        y += line
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(view.colours[entry.place])
        painter.drawRoundedRect(QRectF(box.left() + PAD, y + (line - SWATCH) / 2, SWATCH, SWATCH), 2, 2)
        painter.setPen(theme["text"])
        label = metrics.elidedText(escape_hidden(entry.label), Qt.TextElideMode.ElideMiddle, name)
        painter.drawText(QRectF(box.left() + PAD + SWATCH + 6, y, name + 2, line), centre, label)
        ended = entry.y != entry.y
        for i, (text, cell) in enumerate(zip(row, _columns(box, widths, y, line), strict=True)):
            painter.setFont(bold if i == 0 and not ended else font)
            painter.setPen(theme["muted" if ended else "ink"])
            painter.drawText(cell, at_right, text)
        painter.setFont(font)
    if hidden:
        painter.setPen(theme["muted"])
        left = box.left() + PAD + SWATCH + 6
        painter.drawText(
            QRectF(left, y + line, box.right() - left - PAD, line), centre, trn("and {n} more", "and {n} more", hidden)
        )
    return box


def _covered(view: Surface, box: QRectF) -> int:
    """Return how many sample points of the curves a box covers."""
    pixels = [box.left() + box.width() * (i + 0.5) / SAMPLES for i in range(SAMPLES)]
    places = [view.x_at(pixel) for pixel in pixels if view.area.left() <= pixel <= view.area.right()]
    hidden = 0
    for curve in view.figure.curves:
        for place in places:
            y = curve.at(place)
            hidden += y == y and box.top() <= view.at(place, y).y() <= box.bottom()
    return hidden


def _columns(box: QRectF, widths: list[float], y: float, line: float) -> list[QRectF]:
    cells, right = [], box.right() - PAD
    for width in reversed(widths):
        cells.append(QRectF(right - width - 1, y, width + 1, line))
        right -= width + COLUMN
    return cells[::-1]

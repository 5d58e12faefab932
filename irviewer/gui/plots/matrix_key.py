"""The key above a matrix: what its shades stand for, and what a box around cells is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from irviewer.figures.figure import Matrix
from irviewer.gui.plots.frame import SIZE
from irviewer.gui.theme import Theme
from irviewer.session.styles import matrix_colours

WIDE, TALL, GAP, APART = 18.0, 11.0, 5.0, 14.0


def key_height(matrix: Matrix, theme: Theme) -> float:
    """The pixels that the key takes, 0 where there is nothing to say."""
    return QFontMetricsF(theme.font(SIZE)).height() + GAP if matrix.key or matrix.grouped else 0.0


def paint_key(painter: QPainter, matrix: Matrix, theme: Theme, room: QRectF) -> None:
    """Paint swatches and words from the left of ``room``, as many as fit."""
    painter.save()
    painter.setFont(theme.font(SIZE, numbers=True))
    metrics = QFontMetricsF(painter.font())
    x, middle = room.left(), room.top() + metrics.height() / 2
    entries: list[tuple[QColor | None, str]] = [
        *zip(_colours(matrix, theme), (text for _, text in matrix.key), strict=True)
    ]
    if matrix.grouped:
        entries.append((None, matrix.grouped))
    for colour, text in entries:
        needed = WIDE + GAP + metrics.horizontalAdvance(text)
        if x + needed > room.right():
            break
        box = QRectF(x, middle - TALL / 2, WIDE, TALL)
        painter.setPen(QPen(theme["text" if colour is None else "line"], 1))
        painter.setBrush(Qt.BrushStyle.NoBrush if colour is None else colour)
        painter.drawRect(box)
        painter.setPen(theme["muted"])
        painter.drawText(QPointF(box.right() + GAP, middle + metrics.ascent() / 2 - 1.5), text)
        x += needed + APART
    painter.restore()


def _colours(matrix: Matrix, theme: Theme) -> list[QColor]:
    shades = np.array([[shade for shade, _ in matrix.key]], dtype=np.float64)
    if not shades.size:
        return []
    found = matrix_colours(theme.palette, replace(matrix, shade=shades))
    return [QColor(*(int(one) for one in colour)) for colour in found[0]]

"""A matrix of pairs as cells: hovering shows a value, a click and arrow keys select a cell, a double click or Enter
opens the pair. Numbers are written if cells have room; the names of many runs are staggered.

The picture of the cells is made once per view model and theme. An edit changes few cells: where all else is as before,
those alone are painted again."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Matrix
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import SIZE, paint_label
from irviewer.gui.plots.painted_plot import ARROWS, PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.model.arrays import Bools
from irviewer.rendering.palette import ink_on
from irviewer.rendering.styles import matrix_colours, matrix_key
from irviewer.session.session import Session
from irviewer.translation import tr

# The key above a matrix: the meaning of shades, and of a box around cells.

WIDE, TALL, GAP, APART = 18.0, 11.0, 5.0, 14.0


def key_height(matrix: Matrix, theme: Theme) -> float:
    """Return the height of the key in pixels, 0 without one."""
    return QFontMetricsF(theme.font(SIZE)).height() + GAP if matrix.key or matrix.grouped else 0.0


def paint_key(painter: QPainter, matrix: Matrix, theme: Theme, room: QRectF) -> None:
    """Paint swatches and texts from the left of ``room``, as many as fit."""
    painter.save()
    painter.setFont(theme.font(SIZE, numbers=True))
    metrics = QFontMetricsF(painter.font())
    x, middle = room.left(), room.top() + metrics.height() / 2
    entries: list[tuple[QColor | None, str]] = [
        (QColor(*colour), words) for colour, words in matrix_key(theme.palette, matrix)
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


LONGEST_NAME = 190.0
_WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
NO_VALUE = tr("no value")
LEAST_NAME = 11.0
"""The least distance of names, in pixels: closer ones cannot be read."""
MOST_TIERS = 3
"""The greatest number of columns of row names; with more rows, some names are left out."""
MOST_NAMES = 0.4
"""The greatest share of the width for names."""
MARGIN, HIGHEST, WIDER = 12.0, 130.0, 1.8
ROOM_BELOW = 8.0
ZEROS = str.maketrans("123456789", "0" * 9)
NUMBER_GAP = 3.0
"""Pixels by which a cell is wider than its number."""
LEAST_SIZE, NUMBER_SIZE, LARGEST = 6.5, 8.0, 11.5
"""Font sizes in points: of names, of numbers, and of both in large cells."""


@guarded
class MatrixView(PaintedFigure):
    """``figure.matrix``; ``chosen`` carries row and column of a pair."""

    chosen = Signal(int, int)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._cell = (-1, -1)
        self._hovered = (-1, -1)
        self._words = ""
        self._image = QImage()
        self._colours = np.empty((0, 0, 3), dtype=np.uint8)
        self._palette = theme.palette
        """The palette that the cells were drawn in."""
        self._measured: tuple[object, tuple[float, float, float, int]] = (None, (1.0, 1.0, 0.0, 1))
        self._numbered: tuple[object, bool] = (None, False)
        self.setMinimumSize(240, 160)

    @property
    def matrix(self) -> Matrix | None:
        """The matrix shown."""
        return None if self._figure is None else self._figure.matrix

    @property
    def cell(self) -> tuple[int, int]:
        """The current pair: row and column, -1 for none."""
        return self._cell

    def show_figure(self, figure: Figure | None, words: str = "") -> None:
        """Show the matrix of ``figure``, or without one the words that say why."""
        before, colours = self._frame_of_cells(), self._colours
        former, known = self.matrix, None if before is None else self._shown_cells()
        self._figure, self._words = figure, words
        self._hovered = (-1, -1)
        matrix = self.matrix
        self._cell = matrix.selected if matrix is not None else (-1, -1)
        self.setAccessibleName("" if figure is None else figure.title)
        self.setAccessibleDescription(words if matrix is None else self.mark_label(self._cell))
        self._paint_image()
        if former is None or matrix is None or known is None or before != self._frame_of_cells():
            self.update()
        else:
            self.update(self._changed_cells(former, matrix, np.any(colours != self._colours, axis=2), known))

    def _frame_of_cells(self) -> tuple[object, ...] | None:
        """Return all that the picture depends on besides colours and numbers of cells; None while a cell is pointed at,
        whose label lies over others."""
        matrix = self.matrix
        if matrix is None or not len(matrix.names) or self._image.isNull() or self._hovered != (-1, -1):
            return None
        key = matrix_key(self._theme.palette, matrix)
        names = (matrix.names, matrix.full_names, matrix.groups.tolist(), matrix.grouped)
        return (*names, key, self._cell, self._shape(), self.area(), self._has_numbers())

    def _shown_cells(self) -> Bools:
        """Return bool[n, n]: which numbers are strong."""
        matrix = self.matrix
        strong = None if matrix is None else matrix.shown
        return np.zeros(self._colours.shape[:2], dtype=bool) if strong is None else strong

    def _changed_cells(self, former: Matrix, matrix: Matrix, recoloured: Bools, strong: Bools) -> QRegion:
        """Return the pixels of the cells whose colour, number or type differs from those of ``former``."""
        changed = recoloured | (strong != self._shown_cells())
        if self._has_numbers():
            for row, (old, new) in enumerate(zip(former.texts, matrix.texts, strict=True)):
                if old != new:
                    changed[row] |= [cell != other for cell, other in zip(old, new, strict=True)]
        cells, region = self.area().toAlignedRect(), QRegion()
        for row, column in np.argwhere(changed).tolist():
            region += self._pixels((row, column)) & cells
        return region

    def _pixels(self, cell: tuple[int, int]) -> QRect:
        """Return the pixels that a cell may have a part in."""
        return self.box(cell).toAlignedRect().adjusted(-1, -1, 1, 1)

    def mark_label(self, cell: tuple[int, int]) -> str:
        """Return the label of a pair."""
        matrix, (row, column) = self.matrix, cell
        if matrix is None or self._figure is None or not (0 <= row < len(matrix.names)):
            return ""
        if not 0 <= column < len(matrix.names):
            return ""
        label = tr(
            "{run} and {other}: {quantity} {value}",
            run=matrix.full_name(row),
            other=matrix.full_name(column),
            quantity=self._figure.quantity,
            value=matrix.texts[row][column] or NO_VALUE,
        )
        tested = matrix.shown is not None and bool(matrix.texts[row][column]) and row != column
        if not tested or matrix.shown is None:
            return label
        if matrix.shown[row, column]:
            return tr("{pair}, the test shows a difference", pair=label)
        return tr("{pair}, the test does not show a difference", pair=label)

    # --- geometry ---

    def _shape(self) -> tuple[float, float, float, int]:
        """Return width and height of a cell, the width left of the rows, and the number of columns of names there."""
        known = (self._figure, self.width(), self.height())
        if self._measured[0] != known:
            self._measured = (known, self._measure())
        return self._measured[1]

    def named_rows(self) -> range:
        """Return the rows whose names are always painted: all, if three columns of names have room."""
        _, high, _, tiers = self._shape()
        every = max(1, math.ceil(LEAST_NAME / (high * tiers) - 1e-9))
        return range(0, 0 if self.matrix is None else len(self.matrix.names), every)

    def named_columns(self) -> list[int]:
        """Return the columns whose names are painted: those of the current and the hovered cell, then every, second,
        third … column, with enough distance."""
        n, wide = 0 if self.matrix is None else len(self.matrix.names), self.cell_size()[0]
        every = max(1, math.ceil(LEAST_NAME / wide - 1e-9))
        columns: list[int] = []
        for place in (self._cell[1], self._hovered[1], self._cell[0], self._hovered[0]):
            if 0 <= place < n and all(abs(place - other) >= every for other in columns):
                columns.append(place)
        first = tuple(columns)
        columns += [column for column in range(0, n, every) if all(abs(column - other) >= every for other in first)]
        return sorted(columns)

    def _measure(self) -> tuple[float, float, float, int]:
        names = () if self.matrix is None else self.matrix.names
        n = max(1, len(names))
        metrics = QFontMetricsF(self._theme.font(SIZE))
        longest = min(LONGEST_NAME, max((metrics.horizontalAdvance(name) for name in names), default=0.0))
        free = self.height() - 2 * MARGIN - self.key_height()
        below = min(longest + 2 * ROOM_BELOW, self.height() * 0.3)
        whole = min(max(below, self._longest_whole_name() + 2 * ROOM_BELOW), self.height() * 0.3)
        if (free - whole) / n >= 2 * LEAST_NAME:  # cells are high enough for whole names below them
            below = whole
        upward = free - below
        tiers = min(MOST_TIERS, math.ceil(LEAST_NAME / max(1.0, min(HIGHEST, upward / n))))
        room = min(tiers * (longest + 2 * ROOM_BELOW), MOST_NAMES * self.width())
        across = self.width() - room - 2 * MARGIN
        height = max(1.0, min(HIGHEST, across / n, upward / n))
        # Low cells have no room for numbers, but are as wide as the names below them need.
        wanted = max(WIDER * height, self._number_width() + NUMBER_GAP if height >= LEAST_NAME else LEAST_NAME)
        return max(1.0, min(across / n, wanted)), height, room, tiers

    def _longest_whole_name(self) -> float:
        """Return the width in pixels of the longest name that is not shortened, at most ``LONGEST_NAME``."""
        metrics = QFontMetricsF(self._theme.font(SIZE))
        names = () if self.matrix is None else tuple(map(self.matrix.full_name, range(len(self.matrix.names))))
        return min(LONGEST_NAME, max((metrics.horizontalAdvance(name[:400]) for name in names), default=0.0))

    def _number_width(self) -> float:
        """Return the width in pixels of the widest number in the smallest type."""
        return self._widest(QFontMetricsF(self._theme.font(NUMBER_SIZE, weight=700, numbers=True)))

    def cell_size(self) -> tuple[float, float]:
        """Return width and height of a cell in pixels; cells are wider than high if there is room for numbers."""
        wide, high, _, _ = self._shape()
        return wide, high

    def area(self) -> QRectF:
        """Return the area of the cells."""
        n = 0 if self.matrix is None else len(self.matrix.names)
        wide, high, room, _ = self._shape()
        free = self.width() - room - 2 * MARGIN - n * wide
        return QRectF(MARGIN + room + max(0.0, free) * 0.4, MARGIN + self.key_height(), n * wide, n * high)

    def key_height(self) -> float:
        """Return the height of the key above the cells, in pixels."""
        return 0.0 if self.matrix is None else key_height(self.matrix, self._theme)

    def cell_at(self, where: QPointF) -> tuple[int, int]:
        """Return row and column at a pixel, -1 outside."""
        area, (wide, high) = self.area(), self.cell_size()
        if not area.contains(where):
            return -1, -1
        n = round(area.width() / wide)
        column, row = int((where.x() - area.left()) // wide), int((where.y() - area.top()) // high)
        return (row, column) if row < n and column < n else (-1, -1)

    def box(self, cell: tuple[int, int]) -> QRectF:
        """Return the rectangle of a cell."""
        area, (wide, high) = self.area(), self.cell_size()
        return QRectF(area.left() + cell[1] * wide, area.top() + cell[0] * high, wide, high)

    # --- paint ---

    def _paint_image(self) -> None:
        matrix = self.matrix
        if matrix is None or not len(matrix.names):
            self._image = QImage()
            return
        self._palette = self._theme.palette
        self._colours = np.ascontiguousarray(matrix_colours(self._palette, matrix))
        n = len(matrix.names)
        self._image = QImage(self._colours.tobytes(), n, n, 3 * n, QImage.Format.Format_RGB888).copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        matrix = self.matrix
        if self._palette is not self._theme.palette:  # not before: a theme reaches hidden views too
            self._paint_image()
        painter = QPainter(self)
        if matrix is None or self._image.isNull():
            painter.setFont(self._theme.font(10))
            painter.setPen(self._theme["text"])
            painter.drawText(self.rect().adjusted(20, 20, -20, -20), int(_WRAPPED), self._words)
            return
        area = self.area()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        if area.toAlignedRect().contains(event.region().boundingRect()):
            painter.drawImage(QPointF(0.0, 0.0), self._scaled(area))
        else:
            painter.drawImage(area, self._image)
            paint_key(painter, matrix, self._theme, QRectF(MARGIN, MARGIN / 2, self.width() - 2 * MARGIN, area.top()))
            self._paint_names(painter, matrix, area)
        if self._has_numbers():
            self._paint_numbers(painter, matrix, event.region())
        self._paint_clusters(painter, matrix)
        if self._hovered[0] >= 0:
            self._paint_cross(painter, area)
        for cell, name, width in ((self._hovered, "muted", 1.2), (self._cell, "ink", 2.0)):
            if cell[0] >= 0:
                painter.setPen(QPen(self._theme[name], width))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.box(cell).adjusted(0.5, 0.5, -0.5, -0.5))
        if self._hovered[0] >= 0:
            paint_label(painter, self, self._theme, self.mark_label(self._hovered), self.box(self._hovered).topRight())
        self.paint_focus(painter)

    def _scaled(self, area: QRectF) -> QImage:
        """Return the cells in their size. Where only a part is painted, Qt scales the image to other pixels."""
        ratio = self.devicePixelRatioF()
        scaled = QImage(self.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        scaled.setDevicePixelRatio(ratio)
        scaled.fill(Qt.GlobalColor.transparent)
        painter = QPainter(scaled)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(area, self._image)
        painter.end()
        return scaled

    def _paint_cross(self, painter: QPainter, area: QRectF) -> None:
        """Paint the row and the column of the pointer, which lead to their names."""
        box = self.box(self._hovered)
        painter.setPen(QPen(self._theme["muted"], 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(area.left() - 6, box.top(), area.width() + 6, box.height()))
        painter.drawRect(QRectF(box.left(), area.top(), box.width(), area.height() + 6))

    def _paint_names(self, painter: QPainter, matrix: Matrix, area: QRectF) -> None:
        """Beside every row and below every column; beside every second, third … where not even columns of names have
        room for all. Those of the cells pointed at and stood on come last, over what is in their way."""
        high = self.cell_size()[1]
        size = min(LARGEST, max(SIZE, high * 0.11)) if high > LEAST_NAME else self._row_name_size()
        painter.setFont(self._theme.font(size))
        known = {*self._cell, *self._hovered}
        order = sorted(range(len(matrix.names)), key=lambda place: place in known)
        for place in order:
            if place in self.named_rows() or place in known:
                painter.setPen(QPen(self._theme["muted" if place in known else "line"], 1))
                self._paint_leader(painter, area, place)
        for place in order:
            painter.setPen(self._theme["ink" if place in known else "muted"])
            self._paint_row_name(painter, matrix, area, place, place in known)
        wide = self.cell_size()[0]
        painter.setFont(self._theme.font(self._column_name_size()))
        flat = self._names_lie(matrix, wide)
        for place in self.named_columns():
            painter.setPen(self._theme["ink" if place in known else "muted"])
            self._paint_column_name(painter, matrix, area, place, flat)

    def _names_lie(self, matrix: Matrix, wide: float) -> bool:
        """Return whether short names have room below their columns without being turned."""
        metrics = QFontMetricsF(self._theme.font(self._column_name_size()))
        # Every name of a row asks: among hundreds of columns the first name is too long already.
        return all(metrics.horizontalAdvance(name) <= wide - ROOM_BELOW for name in matrix.names)

    def _column_name_size(self) -> float:
        wide, high = self.cell_size()
        size = min(LARGEST, max(SIZE, high * 0.11)) if high > LEAST_NAME else self._row_name_size()
        return max(LEAST_SIZE, min(size, wide * 0.66))

    def row_name(self, matrix: Matrix, place: int, metrics: QFontMetricsF, room: float) -> str:
        """Return the name beside a row: in the form of those below the columns."""
        if self._names_lie(matrix, self.cell_size()[0]):
            return metrics.elidedText(matrix.names[place], Qt.TextElideMode.ElideMiddle, room)
        return matrix_name(matrix, place, metrics, room)

    def _row_name_size(self) -> float:
        """Return the size in points of names of low rows: the largest at which names in one column do not overlap."""
        _, high, _, tiers = self._shape()
        distance, size = high * tiers * self.named_rows().step, SIZE
        while size > LEAST_SIZE and QFontMetricsF(self._theme.font(size)).height() > distance:
            size -= 0.25
        return max(LEAST_SIZE, size)

    def _paint_leader(self, painter: QPainter, area: QRectF, place: int) -> None:
        """The line from a name that does not stand beside its row; it passes behind the names that do."""
        _, high, _, tiers = self._shape()
        tier, y = place // self.named_rows().step % tiers, area.top() + (place + 0.5) * high
        if tier:
            right = area.left() - ROOM_BELOW - tier * (area.left() - MARGIN / 2) / tiers
            painter.drawLine(QPointF(right + 3, y), QPointF(area.left() - 2, y))

    def _paint_row_name(self, painter: QPainter, matrix: Matrix, area: QRectF, place: int, known: bool) -> None:
        _, high, _, tiers = self._shape()
        named = self.named_rows()
        if place not in named and not known:
            return
        metrics, tier = QFontMetricsF(painter.font()), place // named.step % tiers
        room = (area.left() - MARGIN / 2) / tiers
        text = self.row_name(matrix, place, metrics, room - ROOM_BELOW - 2)
        right, y = area.left() - ROOM_BELOW - tier * room, area.top() + (place + 0.5) * high
        tall = max(high, metrics.height())
        box = QRectF(right - room, y - tall / 2, room, tall)
        if named.step > 1 or tiers > 1:
            width = metrics.horizontalAdvance(text) + 4
            painter.fillRect(QRectF(box.right() - width, box.top(), width + 2, tall), self._theme["panel"])
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_column_name(self, painter: QPainter, matrix: Matrix, area: QRectF, place: int, flat: bool) -> None:
        wide, below = self.cell_size()[0], self.height() - area.bottom() - ROOM_BELOW
        if below < 24:
            return
        metrics, middle = QFontMetricsF(painter.font()), area.left() + (place + 0.5) * wide
        if flat:
            box = QRectF(middle - wide / 2, area.bottom() + ROOM_BELOW, wide, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, matrix.names[place])
            return
        text = matrix_name(matrix, place, metrics, min(below, LONGEST_NAME))
        tall = max(wide, metrics.height())
        painter.save()
        painter.translate(middle, area.bottom() + ROOM_BELOW)
        painter.rotate(90)
        beside = QRectF(0, -tall / 2, below, tall)
        painter.drawText(beside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _number_size(self) -> float:
        """Return the size in points of the numbers in cells."""
        return min(LARGEST, max(NUMBER_SIZE, 0.14 * min(self.cell_size())))

    def _has_numbers(self) -> bool:
        """Return whether cells have room for their numbers: for all or none."""
        known = (self._figure, self.width(), self.height())
        if self._numbered[0] != known:
            wide, high = self.cell_size()
            fits = wide >= 28 and high >= LEAST_NAME
            if fits:
                fits = (
                    self._widest(QFontMetricsF(self._theme.font(self._number_size(), numbers=True)))
                    <= wide - NUMBER_GAP
                )
            self._numbered = (known, fits)
        return self._numbered[1]

    def _widest(self, metrics: QFontMetricsF) -> float:
        """Return the width in pixels of the widest number. Digits are equally wide: one of each shape is measured."""
        texts = () if self.matrix is None else self.matrix.texts
        forms = {text.translate(ZEROS) for row in texts for text in row}
        return max(map(metrics.horizontalAdvance, forms), default=0.0)

    def _paint_numbers(self, painter: QPainter, matrix: Matrix, region: QRegion) -> None:
        """Paint the numbers of the cells that ``region`` has a part of."""
        area, (wide, high), size = self.area(), self.cell_size(), self._number_size()
        plain = self._theme.font(size, numbers=True)
        strong = self._theme.font(size, weight=700, numbers=True)
        shown, whole = self._shown_cells(), region.contains(area.toAlignedRect()) and region.rectCount() == 1
        for font, places in ((plain, ~shown), (strong, shown)):
            painter.setFont(font)
            for row, column in np.argwhere(places).tolist():
                text = matrix.texts[row][column]
                if text and (whole or region.intersects(self._pixels((row, column)))):
                    red, green, blue = self._colours[row, column].tolist()
                    painter.setPen(QColor(ink_on(f"#{red:02x}{green:02x}{blue:02x}")))
                    box = QRectF(area.left() + column * wide, area.top() + row * high, wide, high)
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_clusters(self, painter: QPainter, matrix: Matrix) -> None:
        """Paint a square around each cluster of two or more runs, unless it has all runs."""
        painter.setPen(QPen(self._theme["text"], 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        borders = np.flatnonzero(np.diff(matrix.groups)) + 1
        ends = [0, *borders.tolist(), len(matrix.groups)]
        if len(ends) < 3:
            return
        for first, last in pairwise(ends):
            if last - first > 1:
                painter.drawRect(self.box((first, first)).united(self.box((last - 1, last - 1))))

    # --- pointer and keys ---

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self.cell_at(event.position())
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell[0] >= 0:
            self._cell = cell
            self.setAccessibleDescription(self.mark_label(cell))
            self.update()
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell[0] >= 0:
            self._cell = cell
            self.chosen.emit(*cell)
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        matrix = self.matrix
        step = ARROWS.get(Qt.Key(event.key()))
        if matrix is None or not len(matrix.names):
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._cell[0] >= 0:
            self.chosen.emit(*self._cell)
        elif step is None:
            super().keyPressEvent(event)
        else:
            last = len(matrix.names) - 1
            row, column = max(0, self._cell[0]), max(0, self._cell[1])
            self._cell = (max(0, min(last, row + step[0])), max(0, min(last, column + step[1])))
            self.setAccessibleDescription(self.mark_label(self._cell))
            self.update()

    def _point_nowhere(self) -> None:
        self._hovered = (-1, -1)


def matrix_name(matrix: Matrix, place: int, metrics: QFontMetricsF, room: float) -> str:
    """Return the whole name of a run where ``room`` pixels hold it, else its short name, elided if need be."""
    whole = matrix.full_name(place)
    if len(whole) <= room and metrics.horizontalAdvance(whole) <= room:  # no letter is narrower than a pixel
        return whole
    return metrics.elidedText(matrix.names[place], Qt.TextElideMode.ElideMiddle, room)

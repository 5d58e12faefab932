"""How the tables of Collections are painted where they differ from others: means with marks at their right, and the
shapes of a forest plot."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from irviewer.gui.tables.cells import draw_right, heat_colour
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column, OwnPainters
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme, aligned, make_font
from irviewer.gui.widgets.painting import draw_hatch
from irviewer.tables.show import plain

MARK_ROOM = 12
"""Pixels right of the numbers in which † and ‡ hang, so that figures align."""
GAP = 8
"""Pixels between the collections and the means over them."""
LEVELS = 64
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


class MeansColumn(ResultColumn):
    """Means of the systems on a collection, or over collections: marks hang right of them."""

    @property
    def is_apart(self) -> bool:
        """Whether a gap sets the column apart from the one before."""
        return self.id == "macro"

    def text(self, row: int) -> str:
        mark, text = self.table.marks.get((self.place(row), self.id)), plain(self.values, self.place(row))
        return text if mark is None else f"{text}{mark.sign}"

    def measured_too(self) -> str:
        """Return the longest number with a mark for the room of marks, and one more where there is a gap."""
        longest = max((plain(self.values, self.place(row)) for row in range(self.table.n_rows)), key=len, default="")
        return f"{longest}‡‡‡" if self.is_apart else f"{longest}‡‡"

    def is_by_hand(self, row: int) -> bool:
        """Return whether the run was matched by hand: the tip of the cell says it."""
        tips = self.values.tips
        return tips is not None and bool(tips(self.place(row)))


class MeansCell:
    """A number on its shade with a mark at its right; without a value, a hatch with the reason. A run that was matched
    by hand is underlined with dots."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        assert isinstance(column, MeansColumn)
        theme = self._theme
        if column.is_apart:
            painter.fillRect(QRect(box.left(), box.top(), GAP, box.height() + 1), theme["window"])
            box = box.adjusted(GAP, 0, 0, 0)
        text = plain(column.values, column.place(row))
        if math.isnan(column.number(row)):
            self._hatch(painter, box, text, ground)
            return
        heat, best = column.heat_of(row) or 0.0, column.is_best(row)
        if heat > 0:
            painter.fillRect(box, heat_colour(ground.rgb(), theme.palette.heat, int(heat * LEVELS)))
        weight = 700 if best else 400
        painter.setPen(theme["ink" if best else "text"])
        number = box.adjusted(0, 0, -MARK_ROOM, 0)
        draw_right(painter, number, text, self._density, weight)
        right = number.right() + 1 - self._density.pad
        if column.is_by_hand(row):
            width = QFontMetricsF(make_font(self._density.size, weight, True)).horizontalAdvance(text)
            painter.setPen(QPen(theme["text"], 1, Qt.PenStyle.DotLine))
            y = box.center().y() + 9
            painter.drawLine(QPointF(right - width, y), QPointF(right, y))
        mark = column.table.marks.get((column.place(row), column.id))
        if mark is not None:
            painter.setFont(theme.font(9.5, weight=600))
            painter.setPen(theme[mark.code])
            painter.drawText(QRect(right + 2, box.top(), MARK_ROOM + 8, box.height()), int(_LEFT), mark.sign)

    def _hatch(self, painter: QPainter, box: QRect, why: str, ground: QColor) -> None:
        inside = QRectF(box).adjusted(6, 4, -6, -4)
        draw_hatch(painter, inside, self._theme)
        painter.setFont(self._theme.font(8.5))
        width = QFontMetricsF(painter.font()).horizontalAdvance(why) + 10
        words = QRectF(inside.center().x() - width / 2, inside.top(), width, inside.height())
        painter.fillRect(words, ground)
        painter.setPen(self._theme["muted"])
        painter.drawText(words, int(_CENTRE), why)


class ForestColumn(ResultColumn):
    """The intervals of a forest plot."""

    def kind(self, row: int) -> str:
        """Return what a row is: a collection, the mean, or where a further collection would lie."""
        return str(self.table.column("kind").values[self.place(row)])

    def weight(self, row: int) -> float:
        """Return the share of a row in the mean, 0 for none."""
        share = float(self.table.column("weight").numbers[""][self.place(row)])
        return 0.0 if math.isnan(share) else share


class ForestCell(ResultCell):
    """Squares sized by weight, a diamond for the mean, a dashed range for a further collection."""

    def interval_pen(self, column: ResultColumn, row: int, ink: QColor) -> QPen:
        pen = super().interval_pen(column, row, ink)
        if isinstance(column, ForestColumn) and column.kind(row) == "new":
            pen.setDashPattern([3.0, 2.5])
        return pen

    def draw_middle(
        self, painter: QPainter, at: QPointF, ends: tuple[float, float], column: ResultColumn, row: int
    ) -> None:
        assert isinstance(column, ForestColumn)
        if column.kind(row) == "mean":
            low, high = ends
            painter.drawPolygon(QPolygonF([QPointF(low, at.y()), QPointF(at.x(), at.y() - 7), QPointF(high, at.y()),
                                           QPointF(at.x(), at.y() + 7)]))  # fmt: skip
            return
        half = 3.0 + 6.0 * math.sqrt(column.weight(row))
        square = QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)
        painter.fillRect(square, painter.brush())
        # An interval may be narrower than its square.
        painter.setPen(QPen(self._theme["panel"], 1.4))
        left, right = max(ends[0], square.left()), min(ends[1], square.right())
        painter.drawLine(QPointF(left, at.y()), QPointF(right, at.y()))


COLLECTION_PAINTERS: OwnPainters = {MeansColumn: MeansCell, ForestColumn: ForestCell}
"""How the columns are painted that only Collections has."""

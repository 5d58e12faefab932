"""Painting of strips: a row per run, a cell per rank."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from irviewer.gui.tables.cells import STAR
from irviewer.gui.theme import Theme, colour
from irviewer.gui.widgets.painting import SWATCH, draw_grade_chip, draw_swatch
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.gui.widgets.titles import TextCache
from irviewer.model.workspace import Regime
from irviewer.session.view_models.query import QueryViewModel, StripRow
from irviewer.translation import tr

AXIS = 30
TALLEST, TALL, LOW = 38, 27, 21
CELL_LEAST, CELL_READABLE, CELL_WRITTEN, CELL_MOST = 4, 11, 13, 22
CHECK = 11
_PADDING = 12
_NAME_MOST = 190
TIED = tr("same score")
"""The meaning of the bracket under cells, left of the axis."""
_REACH = 3


class StripPainter:
    """Paints the strips of a query view model; ``cell`` is the width of a cell with its gap."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._name = TextCache(theme.font(9.5))
        self._value = TextCache(theme.font(9.5, weight=600, numbers=True))
        self._tick = TextCache(theme.font(9, numbers=True))
        self._view_model: QueryViewModel | None = None
        self._values: list[str] = []
        self._name_width = 60
        self._value_width = 40
        self.rows: tuple[StripRow, ...] = ()
        self.places: list[dict[str, int]] = []
        self.depth = 0
        self.cell = CELL_WRITTEN
        self.row_height = TALL

    def set_view_model(self, view_model: QueryViewModel | None) -> None:
        self._view_model = view_model
        self.rows = () if view_model is None else view_model.strips
        self.places = [dict(zip(row.doc_ids, row.ranks.tolist(), strict=True)) for row in self.rows]
        self.depth = max((row.returned for row in self.rows), default=0)
        self._values = [] if view_model is None else _values(view_model)
        names = [self._name.metrics.horizontalAdvance(_name(row)) for row in self.rows]
        self._name_width = min(_NAME_MOST, math.ceil(max(names, default=40.0)))
        widths = [self._value.metrics.horizontalAdvance(value) for value in self._values]
        self._value_width = math.ceil(max(widths, default=30.0))

    # geometry

    @property
    def left(self) -> int:
        """The x where the cells begin, right of checkbox, swatch, name and value."""
        return _PADDING + CHECK + 7 + SWATCH + 7 + self._name_width + 16 + self._value_width + 16

    def lay_out(self, size: QSize, wanted: int = 0) -> None:
        """Choose the width of cells: all ranks visible if the digits fit, otherwise readable cells with a scroll bar;
        ``wanted`` pixels if the user chose. Many rows are lower."""
        room = size.width() - self.left - _PADDING
        fitting = room // max(1, self.depth)
        suited = fitting if fitting >= CELL_READABLE else CELL_WRITTEN
        self.cell = max(CELL_LEAST, min(CELL_MOST, wanted or suited))
        each = (size.height() - AXIS - 6) // max(1, len(self.rows))
        self.row_height = min(each, TALLEST) if each >= TALL else LOW

    def full_height(self) -> int:
        """Return the height of the rows if there is enough room, in pixels."""
        return AXIS + len(self.rows) * TALLEST + 6

    def content(self) -> QSize:
        """Return the size of all cells, without labels and axis."""
        return QSize(self.depth * self.cell + _PADDING, len(self.rows) * self.row_height + 6)

    def cell_rect(self, row: int, rank: int, scroll: QPoint) -> QRect:
        """Return the rectangle of a rank (from 1) in the viewport."""
        gap = 1 if self.cell > 6 else 0
        inset = 2 if self.row_height == LOW else 3
        return QRect(
            self.left + (rank - 1) * self.cell - scroll.x(),
            AXIS + row * self.row_height - scroll.y() + inset,
            self.cell - gap,
            self.row_height - 2 * inset,
        )

    # painting

    def paint(
        self, painter: QPainter, size: QSize, scroll: QPoint, *, hovered: str, selected: str, cursor: int
    ) -> None:
        """Paint everything visible. ``cursor`` is the current row, -1 for none."""
        if self._view_model is None:
            return
        first = scroll.y() // self.row_height
        stop = min(len(self.rows), -(-(scroll.y() + size.height() - AXIS) // self.row_height))
        rows = range(first, stop)
        cells = QRect(self.left, AXIS, size.width() - self.left, size.height() - AXIS)
        painter.setClipRect(cells)
        for row in rows:
            self._paint_ground(painter, row, scroll, size.width())
        if selected:  # below the grades, which stay readable
            self._paint_trace(painter, selected, scroll)
        for row in rows:
            self._paint_grades(painter, row, scroll, size.width())
        for row in rows:
            self._paint_ties(painter, row, scroll, size.width())
        self._paint_cutoff(painter, scroll, size)
        if hovered and hovered != selected:
            self._paint_outlines(painter, hovered, rows, scroll, 1.5)
        if selected:
            self._paint_outlines(painter, selected, rows, scroll, 2.0)
        painter.setClipRect(QRect(0, AXIS, self.left, size.height() - AXIS))
        for row in rows:
            self._paint_label(painter, row, scroll, cursor == row)
        painter.setClipRect(QRect(self.left - 12, 0, size.width(), AXIS))
        self._paint_axis(painter, scroll, size.width())
        painter.setClipping(False)
        if any(len(row.tied) for row in self.rows):
            self._paint_legend(painter)

    def _in_sight(self, row: StripRow, scroll: QPoint, width: int) -> tuple[int, int]:
        """Return the first and the last visible rank; last < first if there is none."""
        return scroll.x() // self.cell + 1, min(row.returned, (scroll.x() + width - self.left) // self.cell + 1)

    def _paint_ground(self, painter: QPainter, place: int, scroll: QPoint, width: int) -> None:
        first, last = self._in_sight(self.rows[place], scroll, width)
        if last < first:
            return
        start = self.cell_rect(place, first, scroll)
        ground = self._ground(self.cell, start.width(), start.height(), painter.device().devicePixelRatio())
        for number in range(last - first + 1):
            painter.drawImage(QPoint(start.x() + number * self.cell, start.y()), ground)

    def _paint_grades(self, painter: QPainter, place: int, scroll: QPoint, width: int) -> None:
        assert self._view_model is not None
        row = self.rows[place]
        first, last = self._in_sight(row, scroll, width)
        ranks = row.ranks.tolist()
        grades = row.grades.tolist()
        for rank, grade, doc_id in zip(ranks, grades, row.doc_ids, strict=True):
            if first <= rank <= last:
                rect = self.cell_rect(place, rank, scroll)
                yours = doc_id in self._view_model.differing
                draw_grade_chip(painter, rect, grade, self._view_model.max_grade, self._theme, yours=yours)

    def _paint_ties(self, painter: QPainter, place: int, scroll: QPoint, width: int) -> None:
        """Paint brackets under cells with the same score; a group that continues outside the viewport is not closed."""
        row = self.rows[place]
        first, last = self._in_sight(row, scroll, width)
        if last < first or not len(row.tied):
            return
        start = int(np.searchsorted(row.tied[:, 1], first, side="left"))
        stop = int(np.searchsorted(row.tied[:, 0], last, side="right"))
        painter.setPen(self._theme.colours["muted"])
        for begin, end in row.tied[start:stop].tolist():
            left, right = self.cell_rect(place, begin, scroll), self.cell_rect(place, end, scroll)
            self._draw_bracket(painter, max(left.left() + 1, -_REACH), min(right.right() - 1, width + _REACH), left)

    def _draw_bracket(self, painter: QPainter, left: int, right: int, cell: QRect) -> None:
        y = cell.bottom() + 2
        painter.drawLine(left, y, right, y)
        for x in (left, right):
            painter.drawLine(x, y - _REACH, x, y)

    def _paint_legend(self, painter: QPainter) -> None:
        """Paint the legend of brackets, left of the ranks."""
        y = AXIS - self._tick.metrics.height() - 4
        painter.setPen(self._theme.colours["muted"])
        width = 26
        sign = QRect(_PADDING, round(y), width, round(self._tick.metrics.height()) - 5)
        self._draw_bracket(painter, sign.left(), sign.right(), sign)
        self._tick.draw(painter, _PADDING + width + 6, y, TIED)

    def _ground(self, cell: int, width: int, height: int, ratio: float) -> QImage:
        """Return the image of a cell outside the qrels: plain with complete judgments, otherwise hatched."""
        assert self._view_model is not None
        unjudged = self._view_model.regime is not Regime.COMPLETE
        theme = self._theme
        edge = theme.colours["frame" if unjudged else "panel_border"].name()
        return _ground_image(width, height, theme.colours["hover"].name(), edge, unjudged and cell > 6, ratio)

    def _paint_cutoff(self, painter: QPainter, scroll: QPoint, size: QSize) -> None:
        assert self._view_model is not None
        if self._view_model.cutoff and self.rows:
            x = self.left + self._view_model.cutoff * self.cell - scroll.x()
            bottom = min(size.height(), AXIS + len(self.rows) * self.row_height - scroll.y())
            painter.fillRect(QRect(x - 1, AXIS, 2, bottom - AXIS), self._theme.colours["ink"])

    def _paint_outlines(self, painter: QPainter, doc_id: str, rows: range, scroll: QPoint, width: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colours["ink"], width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row in rows:
            rank = self._rank(row, doc_id)
            if rank:
                painter.drawRoundedRect(QRectF(self.cell_rect(row, rank, scroll)), 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _rank(self, row: int, doc_id: str) -> int:
        """Return the rank of a judged document, or of the selected one; 0 if the run does not retrieve it."""
        assert self._view_model is not None
        if doc_id == self._view_model.document:
            return self.rows[row].selected_rank
        return self.places[row].get(doc_id, 0)

    def _paint_trace(self, painter: QPainter, doc_id: str, scroll: QPoint) -> None:
        """Paint the dashed line through the cells of a document."""
        points = []
        for row in range(len(self.rows)):
            rank = self._rank(row, doc_id)
            if rank:
                points.append(QPointF(self.cell_rect(row, rank, scroll).center()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.colours["ink"], 1)
        pen.setDashPattern([3.0, 3.0])
        painter.setPen(pen)
        painter.drawPolyline(points)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_label(self, painter: QPainter, place: int, scroll: QPoint, cursor: bool) -> None:
        row, theme = self.rows[place], self._theme
        top = AXIS + place * self.row_height - scroll.y()
        middle = top + self.row_height / 2
        if row.run.shown:
            painter.fillRect(0, top, self.left - 10, self.row_height, theme.colours["selection" if cursor else "hover"])
        elif cursor:
            painter.fillRect(0, top, self.left - 10, self.row_height, theme.colours["selection"])
        if cursor:
            painter.fillRect(0, top, 3, self.row_height, theme.colours["ink"])
        box = QRect(_PADDING, round(middle - CHECK / 2), CHECK, CHECK)
        draw_check(painter, box, row.run.shown, theme)
        x = _PADDING + CHECK + 7
        swatch = QRect(x, round(middle - SWATCH / 2), SWATCH, SWATCH)
        draw_swatch(painter, swatch, theme.run(row.run), row.run.shown, theme.colours["control_border"])
        x += SWATCH + 7
        star = STAR if row.run.baseline else ""
        room = self._name_width - self._name.metrics.horizontalAdvance(star)
        name = fitting_name(row.run, self._name.metrics, room) + star
        painter.setPen(theme.colours["ink" if row.run.shown else "text"])
        self._name.draw(painter, x, middle - self._name.metrics.height() / 2, name)
        painter.setPen(theme.colours["ink"])
        right = self.left - 16
        self._value.draw_right(painter, right, middle - self._value.metrics.height() / 2, self._values[place])

    def _paint_axis(self, painter: QPainter, scroll: QPoint, width: int) -> None:
        step = 10 if self.cell >= 7 else 50 if self.depth > 60 else 10
        ranks = [1, *([5] if self.cell >= CELL_READABLE else []), *range(step, self.depth + 1, step)]
        painter.setPen(self._theme.colours["muted"])
        y = AXIS - self._tick.metrics.height() - 4
        for rank in ranks:
            x = self.left + (rank - 0.5) * self.cell - scroll.x()
            if -20 < x < width + 20 and rank <= self.depth:
                text = str(rank)
                self._tick.draw(painter, x - self._tick.metrics.horizontalAdvance(text) / 2, y, text)


def draw_check(painter: QPainter, box: QRect, checked: bool, theme: Theme) -> None:
    """Draw a checkbox."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colours["muted"], 1.2))
    painter.setBrush(theme.colours["control"])
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    if checked:
        painter.setPen(QPen(theme.colours["ink"], 1.6))
        left, top = float(box.left()), float(box.top())
        painter.drawPolyline(
            [QPointF(left + 2.6, top + 5.6), QPointF(left + 4.7, top + 8), QPointF(left + 8.6, top + 3)]
        )
    painter.restore()


@lru_cache(maxsize=64)
def _ground_image(width: int, height: int, ground: str, edge: str, hatched: bool, ratio: float) -> QImage:
    size = (max(1, round(width * ratio)), max(1, round(height * ratio)))
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(0, 0, width, height)
    if width < 6:
        painter.fillRect(box, colour(ground))
        painter.fillRect(QRectF(width - 1, 0, 1, height), colour(edge))
    else:
        pen = QPen(colour(edge), 1)
        painter.setPen(pen)
        painter.setBrush(colour(ground))
        box.adjust(0.5, 0.5, -0.5, -0.5)
        if hatched:  # one stroke per cell: more would be too dark in hundreds of cells
            middle = box.center()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            reach = QPointF(box.width() / 2 - 2.5, -min(box.height() / 2 - 3, box.width() / 2))
            painter.drawLine(middle - reach, middle + reach)
            pen.setDashPattern([2.5, 2.0])
            painter.setPen(pen)
        painter.drawRoundedRect(box, 3, 3)
    painter.end()
    return image


def _name(row: StripRow) -> str:
    return row.run.name + (STAR if row.run.baseline else "")


def _values(view_model: QueryViewModel) -> list[str]:
    chosen = next((row for row in view_model.metrics if row.chosen), None)
    counts = chosen is not None and chosen.counts
    form = ",.0f" if counts else ".4f"
    return ["–" if math.isnan(row.value) else format(row.value, form) for row in view_model.strips]

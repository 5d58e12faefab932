"""The differences of all queries as bars in the table's order; hovering shows values, clicks and arrow keys select,
dragging or Shift with arrow keys brushes. The wheel and drags with Ctrl zoom to some of the queries.

With more queries than pixels, each column of pixels shows the largest and the smallest of its bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Bars, Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import paint_y_title
from irviewer.gui.plots.point_picker import SIZE, QueryPicker
from irviewer.gui.theme import Theme
from irviewer.model.arrays import Floats
from irviewer.session.session import Session
from irviewer.session.view_models.queries import QueriesViewModel
from irviewer.translation import tr

TOP, RIGHT, BOTTOM, GAP = 14.0, 16.0, 28.0, 6.0
WIDEST = 72.0
FADED = 0.25
"""The opacity of bars that are not brushed, while others are."""
NO_PAIR = tr("no pair of values")


@guarded
class DifferenceBars(QueryPicker):
    """``figure.bars`` in the colours of better and worse. The selected query is outlined; if queries are brushed, the
    others are faded."""

    ACROSS = True

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.setMinimumSize(180, 72)

    @property
    def bars(self) -> Bars:
        """The bars shown; none before the first figure."""
        none = Bars(np.empty(0), ())
        return none if self._figure is None or self._figure.bars is None else self._figure.bars

    def show_figure(self, figure: Figure, texts: Sequence[str] = ()) -> None:
        """Show the bars of ``figure``; ``texts`` are the texts of the queries."""
        self._figure = figure
        self.seen.set_axes(figure.x, figure.y)
        self.seen.least = self.area().width() / WIDEST
        if self.bars.selected != self._selected and self.bars.selected >= 0:
            for edge in (self.bars.selected, self.bars.selected + 1):
                self.seen.show_point(float(edge), self.seen.y.low)
        self.setAccessibleName(figure.title)
        self.show_queries(self.bars.keys, texts, self.bars.selected)

    def show_view_model(self, view_model: QueriesViewModel) -> None:
        self.show_figure(view_model.bars, view_model.texts)

    def mark_label(self, column: int) -> str:
        """Return the label of a bar: query id, value, text of the query."""
        if self._figure is None or not 0 <= column < len(self.bars.keys):
            return ""
        height = float(self.bars.heights[column])
        if math.isnan(height):
            value = NO_PAIR
        else:
            text = self._figure.change_text(height)
            value = "=" if text in (self._figure.change_text(0.0), self._figure.change_text(-0.0)) else text
        return self.with_text(tr("query {query}: {value}", query=self.bars.keys[column], value=value), column)

    def place_of(self, column: int) -> QRectF:
        """Return the rectangle of a bar, at least a pixel wide."""
        area, step = self.area(), self.step()
        zero, end = self._y(0.0, area), self._y(float(np.nan_to_num(self.bars.heights[column])), area)
        return QRectF(self.origin() + column * step, min(zero, end), max(1.0, step), abs(end - zero))

    def area(self) -> QRectF:
        """Return the area of the plot without its axes."""
        metrics = QFontMetricsF(self._theme.font(SIZE, numbers=True))
        ticks = () if self._figure is None else self._figure.y.shown_ticks or ()
        wide = max((metrics.horizontalAdvance(text) for _, text in ticks), default=20.0)
        left = math.ceil(wide + metrics.height() + 3 * GAP)
        return QRectF(left, TOP, max(10.0, self.width() - left - RIGHT), max(10.0, self.height() - TOP - BOTTOM))

    def step(self) -> float:
        """Return the width of a bar with its gap."""
        if self.seen.x != self.seen.whole_x:
            return self.area().width() / (self.seen.x.high - self.seen.x.low)
        return min(WIDEST, self.area().width() / max(1, len(self.bars.keys)))

    def origin(self) -> float:
        return self.area().left() - self.seen.x.low * self.step()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.seen.least = self.area().width() / WIDEST

    def _y(self, value: float, area: QRectF) -> float:
        axis = self.seen.y
        return area.bottom() - (value - axis.low) / (axis.high - axis.low) * area.height()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._figure is None:
            return
        painter = QPainter(self)
        area, step = self.area(), self.step()
        self._paint_axes(painter, area, self.seen_figure)
        if self.seen.is_zoomed:
            painter.setClipRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, step >= 2)
        painter.setPen(Qt.PenStyle.NoPen)
        marked = self.bars.marked
        if marked is None or not marked.any():
            self._paint_bars(painter, self._rects(area, step, self.bars.heights))
        else:
            self._paint_bars(painter, self._rects(area, step, self.bars.heights), FADED)
            self._paint_bars(painter, self._rects(area, step, np.where(marked, self.bars.heights, 0.0)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self._theme["faint"])
        zero = round(self._y(0.0, area))
        painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._selected >= 0:
            self._outline(painter, self._selected, self._theme["ink"], 1.6)
        if self._hovered >= 0 and self._hovered != self._selected:
            self._outline(painter, self._hovered, self._theme["muted"], 1.0)
        painter.setClipping(False)
        self.seen.paint(painter, self._theme, area)
        if self._hovered >= 0:
            self.paint_label(painter, self.place_of(self._hovered))
        self.paint_band(painter)
        self.paint_focus(painter)

    def _paint_bars(self, painter: QPainter, rects: tuple[list[QRectF], list[QRectF]], strength: float = 1.0) -> None:
        names = ("better", "worse") if self.bars.better_up else ("worse", "better")
        for name, held in zip(names, rects, strict=True):
            colour = QColor(self._theme[name])  # a copy: the theme's colour is shared
            colour.setAlphaF(strength)
            painter.setBrush(colour)
            painter.drawRects(held)

    def _paint_axes(self, painter: QPainter, area: QRectF, figure: Figure) -> None:
        painter.setFont(self._theme.font(SIZE, numbers=True))
        metrics = QFontMetricsF(painter.font())
        line, last = metrics.height(), -math.inf
        for place, text in figure.y.shown_ticks or ():
            y = round(self._y(place, area))
            if abs(y - last) < line and place != 0:
                continue
            last = y
            painter.setPen(self._theme["line"])
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(self._theme["muted"])
            at_right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y - line / 2, area.left() - GAP, line), at_right, text)
        painter.setPen(self._theme["muted"])
        below = QRectF(area.left(), area.bottom() + GAP, area.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, figure.x.label)
        paint_y_title(painter, figure.y.label, GAP + line / 2, area, QRectF(self.rect()))

    def _rects(self, area: QRectF, step: float, bars: Floats) -> tuple[list[QRectF], list[QRectF]]:
        """Return the rectangles above and below the line; bars narrower than a pixel share it."""
        first = math.floor(self.seen.x.low)
        heights = np.nan_to_num(bars[first : math.ceil(self.seen.x.high)])
        left = self.origin() + first * step
        if step < 1.0:
            columns, left = math.ceil(area.width()), area.left()
            starts = (np.arange(columns) * len(heights)) // columns
            above, below = np.maximum.reduceat(heights, starts), np.minimum.reduceat(heights, starts)
            step = area.width() / columns
        else:
            above, below = np.maximum(heights, 0), np.minimum(heights, 0)
        gap = 1.0 if step >= 4 else 0.25 * step if step >= 2 else 0.0
        zero, scale = self._y(0.0, area), self._y(0.0, area) - self._y(1.0, area)
        rects = []
        for ends in (above, below):
            held = np.flatnonzero(ends > 0 if ends is above else ends < 0)
            lefts, lengths = (left + held * step + gap / 2).tolist(), (ends[held] * scale).tolist()
            rects.append(
                [QRectF(x, zero - max(d, 0.0), step - gap, abs(d)) for x, d in zip(lefts, lengths, strict=True)]
            )
        return rects[0], rects[1]

    def _outline(self, painter: QPainter, bar: int, colour: QColor, width: float) -> None:
        box = self.place_of(bar)
        if box.width() < 4:  # the outline of a thin bar is drawn around it
            box.adjust(-1.5, 0, 1.5, 0)
        box = box.adjusted(0, -1.5, 0, 1.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, width))
        painter.drawRect(box)

"""The histogram of differences, with the confidence interval of their mean above. Hovering shows counts; clicking,
dragging over bars, or arrow keys and Enter brush the queries of bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Histogram
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import Frame, paint_label
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.session.session import Session
from irviewer.translation import tr, trn


@guarded
class HistogramView(PaintedFigure):
    """``figure.histogram`` in the colours of better and worse; brushed queries are darker, selected bars are framed."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._session = session
        self._keys: Sequence[str] = ()
        self._hovered = -1
        self._cursor = self._anchor = -1
        self._pressed = -1
        self.setMinimumSize(180, 72)

    def show_figure(self, figure: Figure, keys: Sequence[str] = ()) -> None:
        """Show the histogram of ``figure``; ``keys`` are the ids of its queries."""
        before, self._figure, self._keys = self._figure, figure, keys
        edges = [
            None if shown is None or shown.histogram is None else shown.histogram.edges for shown in (before, figure)
        ]
        if edges[0] is None or edges[1] is None or not np.array_equal(edges[0], edges[1]):
            self._cursor = self._anchor = self._pressed = self._hovered = -1
        self.setAccessibleName(figure.title)
        self.setAccessibleDescription(self.mark_label(*self.chosen))
        self.update()

    @property
    def chosen(self) -> tuple[int, int]:
        """The first and the last selected bar; -1 for none."""
        return min(self._cursor, self._anchor), max(self._cursor, self._anchor)

    def queries(self, first: int, last: int) -> list[str]:
        """Return the queries of the bars from ``first`` to ``last``."""
        held = None if self._figure is None else self._figure.histogram
        if held is None or held.bars is None or len(held.bars) != len(self._keys):
            return []
        inside = np.flatnonzero((held.bars >= max(0, first)) & (held.bars <= last))
        return [self._keys[place] for place in inside.tolist()]

    def mark_label(self, bar: int, last: int = -1) -> str:
        """Return the label of a bar, or of the bars to ``last``: range of differences, number of queries."""
        held = None if self._figure is None else self._figure.histogram
        last = max(bar, last)
        if held is None or not 0 <= bar <= last < len(held.counts):
            return ""
        low, high, count = float(held.edges[bar]), float(held.edges[last + 1]), int(held.counts[bar : last + 1].sum())
        assert self._figure is not None
        write = self._figure.change_text
        difference = tr("ratio") if self._figure.ratios else "Δ"
        if held.marked.any():
            return trn(
                "{difference} from {low} to {high}: {n:,} query, {brushed:,} brushed",
                "{difference} from {low} to {high}: {n:,} queries, {brushed:,} brushed",
                count,
                difference=difference,
                low=write(low),
                high=write(high),
                brushed=int(held.marked[bar : last + 1].sum()),
            )
        return trn(
            "{difference} from {low} to {high}: {n:,} query",
            "{difference} from {low} to {high}: {n:,} queries",
            count,
            difference=difference,
            low=write(low),
            high=write(high),
        )

    def frame(self) -> Frame:
        """Return the frame for the current size."""
        assert self._figure is not None
        return Frame(self._figure, self._theme, QRectF(self.rect()))

    def _bar(self, frame: Frame, held: Histogram, bar: int, count: int) -> QRectF:
        left, right = frame.x(float(held.edges[bar])), frame.x(float(held.edges[bar + 1]))
        top = frame.y(float(count))
        return QRectF(left + 0.5, top, max(1.0, right - left - 1), frame.area.bottom() - top)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._figure is None or self._figure.histogram is None:
            return
        held, painter, frame = self._figure.histogram, QPainter(self), self.frame()
        frame.paint(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        zero = held.zero
        any_marked = bool(held.marked.any())
        for bar, count in enumerate(held.counts.tolist()):
            better = (bar >= zero) == held.better_up
            colour = QColor(self._theme["better" if better else "worse"])
            colour.setAlphaF(0.3 if any_marked else 0.85)
            painter.setBrush(colour)
            painter.drawRect(self._bar(frame, held, bar, count))
            if any_marked and held.marked[bar]:
                colour.setAlphaF(0.95)
                painter.setBrush(colour)
                painter.drawRect(self._bar(frame, held, bar, int(held.marked[bar])))
        painter.setPen(self._theme["faint"])
        zero = round(frame.x(0.0))
        painter.drawLine(QPointF(zero, frame.area.top()), QPointF(zero, frame.area.bottom()))
        if held.interval is not None:
            self._paint_interval(painter, frame, held.interval)
        if self._cursor >= 0:
            self._paint_chosen(painter, frame, held)
        bars = (self._hovered, self._hovered) if self._hovered >= 0 else self.chosen if self.hasFocus() else (-1, -1)
        if bars[0] >= 0:
            near = self._bar(frame, held, bars[1], int(held.counts[bars[1]]))
            paint_label(painter, self, self._theme, self.mark_label(*bars), near.topRight())
        self.paint_focus(painter)

    def _paint_chosen(self, painter: QPainter, frame: Frame, held: Histogram) -> None:
        first, last = self.chosen
        left, right = frame.x(float(held.edges[first])), frame.x(float(held.edges[last + 1]))
        top = frame.y(float(held.counts[first : last + 1].max(initial=0))) - 2
        ground = QColor(self._theme["ink"])  # a copy: the theme's colour is shared
        ground.setAlphaF(0.06)
        painter.fillRect(QRectF(left, frame.area.top(), right - left, frame.area.height()), ground)
        painter.setPen(QPen(self._theme["ink"], 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left - 0.5, top, right - left + 1, frame.area.bottom() - top))

    def _paint_interval(self, painter: QPainter, frame: Frame, interval: tuple[float, float, float]) -> None:
        low, mean, high = (frame.x(value) for value in interval)
        y = frame.area.top() + 5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["ink"], 1.4))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme["ink"])
        painter.drawEllipse(QPointF(mean, y), 3.2, 3.2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # --- pointer and keys ---

    def bar_at(self, x: float) -> int:
        """Return the bar at a pixel, -1 outside the plot."""
        held = None if self._figure is None else self._figure.histogram
        if held is None:
            return -1
        area = self.frame().area
        bar = int((x - area.left()) // (area.width() / max(1, len(held.counts))))
        return bar if 0 <= bar < len(held.counts) else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hovered = self.bar_at(event.position().x())
        if self._pressed >= 0 and self._hovered >= 0:
            self._anchor, self._cursor = self._pressed, self._hovered
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._pressed = bar = self.bar_at(event.position().x())
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor >= 0
        if shift and bar >= 0:
            self._pressed = self._anchor
        self._cursor, self._anchor = bar, self._pressed
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        self._pressed = -1
        self._brush_chosen()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = None if self._figure is None else self._figure.histogram
        full = [] if held is None else np.flatnonzero(held.counts).tolist()
        if not full or held is None:
            super().keyPressEvent(event)
            return
        key, now = Qt.Key(event.key()), self._cursor
        middle = min(full, key=lambda bar: abs(bar - held.zero))
        places = {
            Qt.Key.Key_Left: middle if now < 0 else max((bar for bar in full if bar < now), default=full[0]),
            Qt.Key.Key_Right: middle if now < 0 else min((bar for bar in full if bar > now), default=full[-1]),
            Qt.Key.Key_Home: full[0],
            Qt.Key.Key_End: full[-1],
        }
        if key in places:
            self._cursor = places[key]
            if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier or self._anchor < 0:
                self._anchor = self._cursor
            self.setAccessibleDescription(self.mark_label(*self.chosen))
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and now >= 0:
            self._brush_chosen()
        elif key == Qt.Key.Key_Escape and (now >= 0 or held.marked.any()):
            self._cursor = self._anchor = -1
            self._brush_chosen()
        else:
            super().keyPressEvent(event)

    def _brush_chosen(self) -> None:
        """Brush the queries of the selected bars; none if no bar is selected."""
        self._session.query_sets.brush(self.queries(*self.chosen) if self._cursor >= 0 else [])
        self.update()

    def _point_nowhere(self) -> None:
        self._hovered = -1

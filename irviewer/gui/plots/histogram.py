"""How often differences of which size occur, with the interval of their mean above. Hover tells a bar's count.

Changes nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Figure, Histogram
from irviewer.gui.plots.frame import Frame, paint_told
from irviewer.gui.plots.labelled import PlotSession
from irviewer.gui.plots.saving import FigureWidget
from irviewer.gui.theme import Theme

MINUS = "\N{MINUS SIGN}"


class HistogramView(FigureWidget):
    """``figure.histogram`` in the colours of better and worse; what is brushed is darker."""

    def __init__(self, session: PlotSession, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._theme = theme
        self._figure: Figure | None = None
        self._hovered = -1
        self.setMouseTracking(True)
        self.setMinimumSize(180, 110)
        theme.changed.connect(self._on_theme_changed)

    @property
    def figure(self) -> Figure | None:
        """What is shown, None before the first."""
        return self._figure

    def show_figure(self, figure: Figure) -> None:
        """Show the histogram of ``figure``."""
        self._figure = figure
        self.setAccessibleName(figure.title)
        self.update()

    def told(self, bar: int) -> str:
        """What is said of a bar: between which differences it lies, how many queries it holds."""
        held = None if self._figure is None else self._figure.histogram
        if held is None or not 0 <= bar < len(held.counts):
            return ""
        low, high, count = float(held.edges[bar]), float(held.edges[bar + 1]), int(held.counts[bar])
        queries = "1 query" if count == 1 else f"{count:,} queries"
        some = f", {int(held.marked[bar]):,} brushed" if held.marked.any() else ""
        return f"Δ from {low:+.4f} to {high:+.4f}: {queries}{some}".replace("-", MINUS)

    def frame(self) -> Frame:
        """Where values stand now."""
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
        middle = len(held.counts) // 2
        any_marked = bool(held.marked.any())
        for bar, count in enumerate(held.counts.tolist()):
            better = (bar >= middle) == held.better_up
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
        if self._hovered >= 0:
            near = self._bar(frame, held, self._hovered, int(held.counts[self._hovered]))
            paint_told(painter, self, self._theme, self.told(self._hovered), near.topRight())

    def _paint_interval(self, painter: QPainter, frame: Frame, interval: tuple[float, float, float]) -> None:
        low, mean, high = (frame.x(one) for one in interval)
        y = frame.area.top() + 5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme["ink"], 1.4))
        painter.drawLine(QPointF(low, y), QPointF(high, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme["ink"])
        painter.drawEllipse(QPointF(mean, y), 3.2, 3.2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        held = None if self._figure is None else self._figure.histogram
        if held is not None:
            frame = self.frame()
            x = event.position().x()
            step = frame.area.width() / max(1, len(held.counts))
            bar = int((x - frame.area.left()) // step)
            self._hovered = bar if 0 <= bar < len(held.counts) and x >= frame.area.left() else -1
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.update()

    def _on_theme_changed(self) -> None:
        self.update()

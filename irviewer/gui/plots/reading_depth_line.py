"""Recall by number of documents read, with a stop line that is moved by mouse or keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Curve, Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots import end_names
from irviewer.gui.plots.axes_frame import RIGHT, SIZE, Frame, paint_label
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.rendering.styles import role_style, run_styles
from irviewer.session.session import Session
from irviewer.translation import decimal, trn

GRIP = 7.0
BIG = 10


@guarded
class ReadingDepthLineView(PaintedFigure):
    """``figure`` with its cursor as the stop line; ``moved`` carries the new number of documents read."""

    moved = Signal(int)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._dragging = False
        self._hovered = -1.0
        self.setMinimumSize(260, 150)

    @property
    def stop(self) -> int:
        """The number of documents read at the stop line."""
        cursor = None if self._figure is None else self._figure.cursor
        return 0 if cursor is None else int(cursor)

    def show_figure(self, figure: Figure) -> None:
        """Show the recall of a figure, and tell a screen reader where reading stops."""
        self._figure = figure
        self.setAccessibleName(figure.full_title)
        self.setAccessibleDescription(
            trn("stop line at {n:,} document read", "stop line at {n:,} documents read", self.stop)
        )
        self.update()

    def frame(self) -> Frame:
        """Return the frame for the current size."""
        assert self._figure is not None
        names = self.names().values()
        metrics = QFontMetricsF(self._theme.font(SIZE))
        beside = max((end_names.GAP + metrics.horizontalAdvance(name) + 6 - RIGHT for name in names), default=8.0)
        return Frame(self._figure, self._theme, QRectF(self.rect()).adjusted(0, 0, -max(8.0, beside), 0))

    def names(self) -> dict[int, str]:
        """Return the name of each run by the index of its curve, as it fits at the curve's end; none without room."""
        figure = self._figure
        if figure is None or self.width() < end_names.FROM_WIDTH:
            return {}
        labels = {label.key: label for label in self._session.view.labels()}
        named = {
            place: labels[curve.role.run]
            for place, curve in enumerate(figure.curves)
            if curve.role.kind == "run" and curve.role.run in labels and len(curve.x)
        }
        metrics = QFontMetricsF(self._theme.font(SIZE))
        if not 2 <= len(named) <= end_names.MOST or (len(named) + 3) * metrics.height() > self.height():
            return {}
        room = self.width() * end_names.SHARE
        return {
            place: label.name if metrics.horizontalAdvance(label.name) <= room else label.short
            for place, label in named.items()
        }

    def name_places(self) -> list[tuple[int, float, float]]:
        """Return (index of the curve, y of its end, y of its name) in pixels, moved apart; none without room."""
        figure, names, frame = self._figure, self.names(), self.frame()
        if figure is None:
            return []
        ends = [(frame.y(float(figure.curves[place].y[-1])), place) for place in names]
        line = QFontMetricsF(self._theme.font(SIZE)).height()
        return end_names.spread(ends, line, frame.area.top(), frame.area.bottom())

    def mark_label(self, read: float) -> str:
        """Return the label of a number of documents read: the recall of each run."""
        figure = self._figure
        if figure is None:
            return ""
        values = [
            f"{curve.label} {decimal(f'{value_at(curve, read):.3f}')}"
            for curve in figure.curves
            if curve.role.kind == "run"
        ]
        if not values:
            return ""
        listed = ", ".join(values[:4])
        return trn("{n:,} read: recall {values}", "{n:,} read: recall {values}", round(read), values=listed)

    def paintEvent(self, event: QPaintEvent) -> None:
        figure = self._figure
        if figure is None:
            return
        painter, frame = QPainter(self), self.frame()
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        runs = run_styles(self._session.view.labels(), self._theme.palette)
        for curve in reversed(figure.curves):
            colour, dash = role_style(curve.role, self._theme.palette, runs)
            paint_curve(painter, frame, curve, QColor(colour), dash, 1.8 if curve.role.kind == "run" else 1.2)
        self._paint_names(painter, frame, figure)
        if figure.cursor is not None:
            self._paint_line(painter, frame, figure.cursor)
        if self._hovered >= 0 and not self._dragging:
            near = QPointF(frame.x(self._hovered), frame.area.top() + 34)
            paint_label(painter, self, self._theme, self.mark_label(self._hovered), near)
        self.paint_focus(painter)

    def _paint_names(self, painter: QPainter, frame: Frame, figure: Figure) -> None:
        """Paint the names of runs at the ends of their curves, with a thin line to a name that was moved."""
        names, runs = self.names(), run_styles(self._session.view.labels(), self._theme.palette)
        painter.setFont(self._theme.font(SIZE))
        line, right = QFontMetricsF(painter.font()).height(), frame.area.right()
        for place, end, y in self.name_places():
            colour = QColor(role_style(figure.curves[place].role, self._theme.palette, runs)[0])
            if float(figure.curves[place].x[-1]) >= figure.x.high:  # a curve that ends before ends with its ring
                painter.setPen(QPen(colour, 1))
                painter.drawLine(QPointF(right + 1, end), QPointF(right + end_names.GAP - 2, y))
            painter.setPen(end_names.legible(colour.rgb(), self._theme["panel"].rgb(), self._theme["ink"].rgb()))
            box = QRectF(right + end_names.GAP, y - line / 2, self.width() - right - end_names.GAP, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, names[place])

    def _paint_line(self, painter: QPainter, frame: Frame, stop: float) -> None:
        x, area = round(frame.x(stop)), frame.area
        painter.setPen(QPen(self._theme["ink"], 1.6))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme["ink"])
        grip = QRectF(x - GRIP / 2 - 1, area.center().y() - 12, GRIP + 2, 24)
        painter.drawRoundedRect(grip, 4, 4)

    def _read_at(self, x: float) -> int:
        frame = self.frame()
        axis = frame.figure.x
        share = (x - frame.area.left()) / max(1.0, frame.area.width())
        return round(max(axis.low, min(axis.high, axis.low + share * (axis.high - axis.low))))

    def _move_to(self, read: int) -> None:
        high = 1 if self._figure is None else int(self._figure.x.high)
        read = max(1, min(high, read))
        if read != self.stop:
            self.moved.emit(read)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._figure is not None and event.button() == Qt.MouseButton.LeftButton:
            self._dragging = True
            self._move_to(self._read_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._figure is None:
            return
        x = event.position().x()
        area = self.frame().area
        self._hovered = float(self._read_at(x)) if area.left() <= x <= area.right() else -1.0
        near = abs(x - self.frame().x(self.stop)) <= GRIP
        self.setCursor(Qt.CursorShape.SplitHCursor if near or self._dragging else Qt.CursorShape.ArrowCursor)
        if self._dragging:
            self._move_to(self._read_at(x))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False
        self.update()

    def _point_nowhere(self) -> None:
        self._hovered = -1.0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._figure is None:
            super().keyPressEvent(event)
            return
        high = int(self._figure.x.high)
        step = max(1, round(high / 200))
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            step *= BIG
        places = {
            Qt.Key.Key_Left: self.stop - step,
            Qt.Key.Key_Right: self.stop + step,
            Qt.Key.Key_Home: 1,
            Qt.Key.Key_End: high,
        }
        place = places.get(Qt.Key(event.key()))
        if place is None:
            super().keyPressEvent(event)
        else:
            self._move_to(place)


def value_at(curve: Curve, x: float) -> float:
    """Return the value of a step curve at ``x``."""
    at = int(curve.x.searchsorted(x, side="right")) - 1
    return float(curve.y[at]) if at >= 0 else 0.0


def paint_curve(
    painter: QPainter, frame: Frame, curve: Curve, colour: QColor, dash: tuple[float, ...], width: float
) -> None:
    """Paint a curve in a frame, with a ring at an open end."""
    if not len(curve.x):
        return
    pen = QPen(colour, width)
    if dash:
        pen.setDashPattern(list(dash))
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    points = [QPointF(frame.x(x), frame.y(y)) for x, y in zip(curve.x.tolist(), curve.y.tolist(), strict=True)]
    painter.drawPolyline(QPolygonF(points))
    if curve.ends_open:
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(points[-1], 3.0, 3.0)

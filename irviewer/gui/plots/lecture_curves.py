"""The curves beside the lecture's table, which grow with its rows: precision by recall, and DCG by rank.

They have no read-out, and no point of a cell that is covered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.axes import Ticks
from irviewer.figures.figure import IDEAL, Axis, Curve, Figure, Role
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import SIZE, Frame
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.model.arrays import frozen
from irviewer.model.number_text import limit
from irviewer.session.lecture_table.columns import short
from irviewer.session.session import Session
from irviewer.session.view_models.lecture_table import LectureTableViewModel, Point, TableHalf
from irviewer.translation import decimal_points, tr

_UNIT = tuple((step / 5, f"{step / 5:.1f}" if step % 5 else f"{step // 5}") for step in range(6))
DOT = 3.4


@guarded
class LectureCurve(PaintedFigure):
    """A curve for each ranking that has the columns of it: ``kind`` is "precision" or "gain"."""

    def __init__(self, session: Session, theme: Theme, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._kind = kind
        self._lines: tuple[tuple[TableHalf, tuple[Point, ...], tuple[Point, ...]], ...] = ()
        self.setMinimumSize(150, 90)

    def sizeHint(self) -> QSize:
        return QSize(280, 220)

    def show_view_model(self, view_model: LectureTableViewModel | None) -> None:
        """Show the points that are uncovered."""
        halves = () if view_model is None else curve_halves(view_model, self._kind)
        lines: list[tuple[TableHalf, tuple[Point, ...], tuple[Point, ...]]] = []
        for number in halves:
            assert view_model is not None
            half = view_model.halves[number]
            if self._kind == "precision":
                lines.append((half, view_model.precision_points(number), ()))
            else:
                sums = view_model.gain_points(number, gain_column(half))
                lines.append((half, sums, view_model.gain_points(number, "ideal")))
        self._lines = tuple(lines)
        self._figure = self._made() if lines else None
        self.setAccessibleName("" if self._figure is None else self._figure.title)
        self.update()

    def _made(self) -> Figure:
        curves = []
        for half, points, ideal in self._lines:
            if ideal:
                curves.append(Curve(IDEAL, tr("ideal order"), *_arrays(ideal)))
            curves.append(Curve(Role("run", half.run.key), half.title, *_arrays(points)))
        if self._kind == "precision":
            axes = Axis("R@K", 0.0, 1.0, _UNIT), Axis("P@K", 0.0, 1.0, _UNIT)
            return Figure(tr("Precision and recall"), *axes, curves=tuple(curves), quantity=tr("precision"))
        n = max(half.rows for half, _, _ in self._lines)
        top, up = upward_ticks(max(_highest(half) for half, _, _ in self._lines))
        every = max(1, math.ceil(n / 6))
        along = ((1.0, "1"), *((float(rank), str(rank)) for rank in range(every, n + 1, every) if rank > 1))
        column = gain_column(self._lines[0][0])
        axes = Axis("K", 1.0, float(max(2, n)), along, integer=True), Axis(f"{column}@K", 0.0, top, up)
        return Figure(column, *axes, curves=tuple(curves), quantity=column)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._figure is None:
            return
        painter = QPainter(self)
        frame = Frame(self._figure, self._theme, QRectF(self.rect()))
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for half, points, ideal in self._lines:
            pen = QPen(self._theme["muted"], 1.6)
            pen.setDashPattern([3.0, 2.5])
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF([QPointF(frame.x(point.x), frame.y(point.y)) for point in ideal]))
            self._paint_line(painter, frame, self._theme.run(half.run), points)
        self.paint_focus(painter)

    def _paint_line(self, painter: QPainter, frame: Frame, colour: QColor, points: Sequence[Point]) -> None:
        places = [QPointF(frame.x(point.x), frame.y(point.y)) for point in points]
        painter.setPen(QPen(colour, 1.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(places))
        for point, place in zip(points, places, strict=True):
            hollow = self._kind == "precision" and not point.filled
            painter.setPen(QPen(colour, 1.4))
            painter.setBrush(self._theme["panel"] if hollow else colour)
            painter.drawEllipse(place, DOT, DOT)
        if not places:
            return
        painter.setPen(QPen(self._theme["ink"], 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(places[-1], DOT + 3.5, DOT + 3.5)
        painter.setFont(self._theme.font(SIZE + 0.5, weight=600, numbers=True))
        last = points[-1]
        text = f"K = {last.rank}" if self._kind == "precision" else short(last.y)
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text)
        left = max(frame.area.left() + 2, min(places[-1].x() - wide / 2, frame.area.right() - wide - 2))
        below = places[-1].y() + 22
        painter.drawText(QPointF(left, below if below < frame.area.bottom() - 2 else places[-1].y() - 11), text)


def curve_halves(view_model: LectureTableViewModel, kind: str) -> tuple[int, ...]:
    """Return the rankings that have the columns of a curve."""
    wanted = []
    for number, half in enumerate(view_model.halves):
        has = {"P", "R"} <= set(half.column_ids) if kind == "precision" else bool(gain_column(half))
        if has:
            wanted.append(number)
    return tuple(wanted)


def gain_column(half: TableHalf) -> str:
    """Return the sum that is drawn: "DCG", else "CG", "" without either."""
    return next((column for column in ("DCG", "CG") if column in half.column_ids), "")


def _highest(half: TableHalf) -> float:
    ranking, last = half.ranking, half.rows
    ideal = ranking.at("ideal", last) if "ideal" in half.column_ids else 0.0
    return max(ranking.at(gain_column(half), last), ideal)


def upward_ticks(value: float) -> tuple[float, Ticks]:
    """Return the end of an axis from 0 that holds a value, and its ticks, with no more digits than each needs."""
    top, step = _ceiling(value)
    with decimal_points():  # the ticks of a figure get their decimal sign when they are painted
        return top, tuple([(step * n, limit(round(step * n, 12))) for n in range(round(top / step) + 1)])


def _ceiling(value: float) -> tuple[float, float]:
    """Return the end of an axis that holds a value, and the step of its ticks."""
    if not value > 0 or not math.isfinite(value):
        return 1.0, 0.5
    size = 10.0 ** math.floor(math.log10(value / 4))
    step = next(size * factor for factor in (1, 2, 2.5, 3, 5, 10) if size * factor * 4 >= value)
    return step * math.ceil(value / step - 1e-9), step


def _arrays(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray]:
    return (
        frozen(np.array([point.x for point in points], dtype=np.float64)),
        frozen(np.array([point.y for point in points], dtype=np.float64)),
    )

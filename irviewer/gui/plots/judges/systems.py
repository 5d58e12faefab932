"""Runs under two judges, painted: a scatter plot with both intervals, or slopes between two axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.axes import ended_at_one, nice_step, ticks_between
from irviewer.figures.figure import Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import paint_y_title
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.plain_text import show_tooltip, visible
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.model.arrays import Floats
from irviewer.session.session import Session
from irviewer.session.view_models.judges.systems import JudgeColumn, SystemsByJudgeViewModel
from irviewer.translation import decimal, interval, tr

LEFT, TOP, RIGHT, BELOW = 58.0, 12.0, 18.0, 42.0
SLOPE_NAMES = 130.0
NEAR = 10.0
MARK = 4.0
"""The radius of the point of a run in pixels."""
GROUND = 200
"""How far, of 255, the ground of a name hides the lines behind it."""
_CENTRE = Qt.AlignmentFlag.AlignCenter
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


@guarded
class JudgeScatter(PaintedFigure):
    """The runs of a :class:`SystemsByJudgeViewModel` under the reference and the chosen judge; ``chosen`` carries the
    index of a run."""

    chosen = Signal(int)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: SystemsByJudgeViewModel | None = None
        self._slopes = False
        self._hovered = -1
        self.setMinimumSize(240, 200)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The two judges; "" before there are any."""
        return "" if self._view_model is None or not self._view_model.columns else self.accessibleName()

    def show_view_model(self, view_model: SystemsByJudgeViewModel, slopes: bool) -> None:
        """Show a view model, as slopes or as points."""
        self._view_model, self._slopes = view_model, slopes and view_model.slopes
        self._hovered = -1
        first, second = self._judges()
        if first is not None and second is not None:
            self.setAccessibleName(tr("{first} and {second}", first=first.shown_name, second=second.shown_name))
        self.setAccessibleDescription(self._described())
        self.update()

    def _described(self) -> str:
        """Return what is said of all runs, the best under the chosen judge first, for who does not see them."""
        second = self._judges()[1]
        if second is None:
            return ""
        return "\n".join(visible(self.tip_of(run).replace("\n", "; ")) for run in _descending(second.values))

    def _judges(self) -> tuple[JudgeColumn | None, JudgeColumn | None]:
        view_model = self._view_model
        if view_model is None or not view_model.columns:
            return None, None
        return view_model.columns[0], view_model.columns[view_model.chosen]

    @staticmethod
    def _range(column: JudgeColumn) -> tuple[float, float]:
        ends = np.concatenate([column.low, column.high, column.values])
        ends = ends[np.isfinite(ends)]
        if not len(ends):
            return 0.0, 1.0
        low, high = float(ends.min()), float(ends.max())
        room = 0.06 * (high - low) or 0.05
        return ended_at_one(low - room, high + room, low, high)

    def _area(self) -> QRectF:
        left, right = (SLOPE_NAMES, SLOPE_NAMES) if self._slopes else (LEFT, RIGHT)
        return QRectF(left, TOP, max(10.0, self.width() - left - right), max(10.0, self.height() - TOP - BELOW))

    def point(self, run: int) -> QPointF:
        """Return the pixel of a run in the scatter plot, or of its end under the chosen judge."""
        first, second = self._judges()
        assert first is not None
        assert second is not None
        y = self._scaled(second, float(second.values[run]), vertical=True)
        if self._slopes:
            return QPointF(self._area().right(), y)
        return QPointF(self._scaled(first, float(first.values[run]), vertical=False), y)

    def _scaled(self, column: JudgeColumn, value: float, *, vertical: bool) -> float:
        low, high = self._range(column)
        share, area = (value - low) / (high - low), self._area()
        return area.bottom() - share * area.height() if vertical else area.left() + share * area.width()

    # --- paint ---

    def paintEvent(self, event: QPaintEvent) -> None:
        first, second = self._judges()
        if self._view_model is None or first is None or second is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._slopes:
            self._paint_slopes(painter, first, second)
        else:
            self._paint_axes(painter, first, second)
            self._paint_points(painter, first, second)
        self.paint_focus(painter)

    def _colour(self, run: int) -> QColor:
        assert self._view_model is not None
        label = self._view_model.runs[run]
        return self._theme.run(label) if label.shown or label.baseline else self._theme["faint"]

    def _paint_axes(self, painter: QPainter, first: JudgeColumn, second: JudgeColumn) -> None:
        area, theme = self._area(), self._theme
        painter.setFont(theme.font(8.5, numbers=True))
        for column, vertical in ((first, False), (second, True)):
            low, high = self._range(column)
            for value, text in ticks_between(low, high, nice_step(high - low, 6)):
                if not low <= value <= high:
                    continue
                at = self._scaled(column, value, vertical=vertical)
                painter.setPen(theme["line"])
                if vertical:
                    painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
                    box, side = QRectF(18, at - 8, LEFT - 24, 16), _RIGHT
                else:
                    painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
                    box, side = QRectF(at - 30, area.bottom() + 4, 60, 16), _CENTRE
                painter.setPen(theme["muted"])
                painter.drawText(box, int(side), decimal(text))
        assert self._view_model is not None
        measure = self._view_model.measure
        below = QRectF(area.left(), area.bottom() + 20, area.width(), 16)
        painter.drawText(
            below, int(_CENTRE), tr("{measure} judged by {judge}", measure=measure, judge=first.shown_name)
        )
        title = tr("{measure} judged by {judge}", measure=measure, judge=second.shown_name)
        paint_y_title(painter, title, 9, area, QRectF(self.rect()))

    def _paint_points(self, painter: QPainter, first: JudgeColumn, second: JudgeColumn) -> None:
        assert self._view_model is not None
        runs = self._view_model.runs
        order = sorted(range(len(runs)), key=lambda run: (runs[run].shown or runs[run].baseline, run == self._hovered))
        for run in order:
            point, colour = self.point(run), self._colour(run)
            painter.setPen(QPen(colour, 1.6 if runs[run].shown else 1.0))
            ends = [self._scaled(first, float(end[run]), vertical=False) for end in (first.low, first.high)]
            if all(map(math.isfinite, ends)):
                painter.drawLine(QPointF(ends[0], point.y()), QPointF(ends[1], point.y()))
            ends = [self._scaled(second, float(end[run]), vertical=True) for end in (second.low, second.high)]
            if all(map(math.isfinite, ends)):
                painter.drawLine(QPointF(point.x(), ends[0]), QPointF(point.x(), ends[1]))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(point, MARK, MARK)
        self._paint_names(painter, order)

    def name_boxes(self, order: Sequence[int]) -> dict[int, QRectF]:
        """Return where names have room, those of the last runs first: beside no other name and on no other run's
        point."""
        assert self._view_model is not None
        boxes: dict[int, QRectF] = {}
        area = self._area()
        points = {run: self.point(run) for run in order}
        marks = {run: QRectF(at.x() - MARK, at.y() - MARK, 2 * MARK, 2 * MARK) for run, at in points.items()}
        for run in reversed(order):
            metrics, point = QFontMetricsF(self._name_font(run)), points[run]
            wide, high = metrics.horizontalAdvance(self._name(run)), metrics.height()
            others = [mark for other, mark in marks.items() if other != run]
            for dx, dy in ((6, -high - 2), (-wide - 6, -high - 2), (6, 3), (-wide - 6, 3)):
                box = QRectF(point.x() + dx, point.y() + dy, wide, high)
                beside = [*(other.adjusted(-4, 0, 4, 0) for other in boxes.values()), *others]
                if area.contains(box) and not any(box.intersects(other) for other in beside):
                    boxes[run] = box
                    break
        return boxes

    def _name_font(self, run: int) -> QFont:
        assert self._view_model is not None
        return self._theme.font(8.5, weight=600 if self._view_model.runs[run].shown else 400)

    def _name(self, run: int) -> str:
        assert self._view_model is not None
        label = self._view_model.runs[run]
        return label.name + (" ★" if label.baseline else "")

    def _paint_names(self, painter: QPainter, order: list[int]) -> None:
        """Paint the names of runs that have room, those of shown runs first, on a ground that hides the lines."""
        assert self._view_model is not None
        ground = QColor(self._theme["panel"])
        ground.setAlpha(GROUND)
        for run, box in self.name_boxes(order).items():
            shown = self._view_model.runs[run].shown or run == self._hovered
            painter.fillRect(box.adjusted(-2, 1, 2, -1), ground)
            painter.setFont(self._name_font(run))
            painter.setPen(self._theme["ink" if shown else "muted"])
            painter.drawText(box, int(_LEFT), self._name(run))

    def _paint_slopes(self, painter: QPainter, first: JudgeColumn, second: JudgeColumn) -> None:
        assert self._view_model is not None
        area, theme = self._area(), self._theme
        painter.setPen(theme["muted"])
        for x in (area.left(), area.right()):
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setFont(theme.font(8.5, weight=600))
        for x, column in ((area.left(), first), (area.right(), second)):
            painter.drawText(QRectF(x - 110, area.bottom() + 6, 220, 18), int(_CENTRE), column.shown_name)
        sides = ((first, area.left(), _RIGHT), (second, area.right(), _LEFT))
        for run, label in enumerate(self._view_model.runs):
            heights = [self._scaled(column, float(column.values[run]), vertical=True) for column in (first, second)]
            painter.setPen(QPen(self._colour(run), 2.0 if label.shown else 1.2))
            painter.drawLine(QPointF(area.left(), heights[0]), QPointF(area.right(), heights[1]))
        for column, x, side in sides:
            self._paint_slope_names(painter, column, x, side)

    def _paint_slope_names(self, painter: QPainter, column: JudgeColumn, x: float, side: Qt.AlignmentFlag) -> None:
        assert self._view_model is not None
        painter.setFont(self._theme.font(8))
        metrics, last = QFontMetricsF(painter.font()), -math.inf
        for run in _descending(column.values):
            label = self._view_model.runs[run]
            y = max(self._scaled(column, float(column.values[run]), vertical=True), last + metrics.height() - 2)
            last = y
            painter.setPen(self._theme["ink" if label.shown else "muted"])
            text = fitting_name(label, metrics, SLOPE_NAMES - 14)
            box = QRectF(x - SLOPE_NAMES + 2 if side == _RIGHT else x + 8, y - 8, SLOPE_NAMES - 10, 16)
            painter.drawText(box, int(side), text)

    # --- pointer ---

    def run_at(self, where: QPointF) -> int:
        """Return the run near a pixel, -1 for none."""
        view_model = self._view_model
        if view_model is None or not view_model.runs:
            return -1
        distances = [
            math.hypot(self.point(run).x() - where.x(), self.point(run).y() - where.y())
            for run in range(len(view_model.runs))
        ]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        return nearest if distances[nearest] < NEAR else -1

    def tip_of(self, run: int) -> str:
        """Return what is said of a run: its values and ranks under both judges."""
        first, second = self._judges()
        if run < 0 or first is None or second is None or self._view_model is None:
            return ""
        lines = [self._view_model.runs[run].whole_name or self._view_model.runs[run].name]
        for column in (first, second):
            ends = (
                interval(decimal(f"{column.low[run]:.4f}"), decimal(f"{column.high[run]:.4f}"))
                if math.isfinite(column.low[run])
                else ""
            )
            lines.append(
                tr("{judge}: {value:.4f} {interval}, rank {rank}", judge=column.shown_name,
                   value=float(column.values[run]), interval=ends, rank=int(column.ranks[run]))
            )  # fmt: skip
        return "\n".join(lines)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tip_of(self.run_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        run = self.run_at(event.position())
        if run != self._hovered:
            self._hovered = run
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        run = self.run_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and run >= 0:
            self.chosen.emit(run)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        view_model = self._view_model
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if view_model is None or step is None or not view_model.runs:
            super().keyPressEvent(event)
            return
        self._hovered = max(0, min(len(view_model.runs) - 1, self._hovered + step))
        self.setAccessibleDescription(visible(self.tip_of(self._hovered)))
        self.update()

    def _point_nowhere(self) -> None:
        self._hovered = -1


def _descending(values: Floats) -> list[int]:
    return [int(run) for run in np.argsort(-values, kind="stable")]

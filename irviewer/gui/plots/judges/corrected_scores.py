"""Corrected scores, painted: the queries of a run under the model and the human, and how the interval would narrow with
more of the human's judging."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from irviewer.figures.axes import nice_step, ticks_between
from irviewer.figures.figure import Axis, Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import Frame
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.model.arrays import Floats
from irviewer.session.session import Session
from irviewer.session.view_models.judges.corrected_scores import CorrectedRun, CorrectedViewModel, HalfWidths
from irviewer.translation import tr

NEAR = 9.0
TICK = 7.0
LINE = 15.0
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@guarded
class CorrectedQueries(PaintedFigure):
    """The queries of a run: those judged twice as points, the others as ticks at the foot; ``chosen`` carries a query.
    The solid line is equal values, the dashed one the mean difference."""

    chosen = Signal(str)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: CorrectedViewModel | None = None
        self._hovered = -1
        self.setMinimumSize(200, 120)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The measure and the run; "" before there is one."""
        return "" if self._view_model is None or self._view_model.run is None else self._view_model.run.title

    def show_view_model(self, view_model: CorrectedViewModel) -> None:
        """Show the queries of the view model's selected run."""
        self._view_model, self._hovered = view_model, -1
        self.setAccessibleName(self.picture_title)
        self.setAccessibleDescription("" if view_model.run is None else view_model.run.note)
        self.update()

    def _frame(self, run: CorrectedRun) -> Frame:
        assert self._view_model is not None
        low, high = _ends(np.concatenate([run.model, run.human, run.unsampled]))
        ticks = ticks_between(low, high, nice_step(high - low, 5))
        across = Axis(tr("judged by {judge}", judge=self._view_model.judge), low, high, ticks)
        upward = Axis(tr("judged by {judge}", judge=self._view_model.human), low, high, ticks)
        return Frame(Figure(run.title, across, upward), self._theme, QRectF(self.rect()), square=True)

    def point(self, place: int) -> QPointF:
        """Return the pixel of a query that both judged."""
        assert self._view_model is not None
        run = self._view_model.run
        assert run is not None
        frame = self._frame(run)
        return QPointF(frame.x(float(run.model[place])), frame.y(float(run.human[place])))

    def paintEvent(self, event: QPaintEvent) -> None:
        run = None if self._view_model is None else self._view_model.run
        if run is None:
            return
        painter, theme = QPainter(self), self._theme
        frame = self._frame(run)
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = frame.figure.x.low, frame.figure.x.high
        painter.save()
        painter.setClipRect(frame.area)
        painter.setPen(QPen(theme["muted"], 1.0))
        painter.drawLine(QPointF(frame.x(low), frame.y(low)), QPointF(frame.x(high), frame.y(high)))
        painter.setPen(QPen(theme["ink"], 1.4, Qt.PenStyle.DashLine))
        shifted = [QPointF(frame.x(end), frame.y(end + run.shift)) for end in (low, high)]
        painter.drawLine(*shifted)
        painter.setPen(QPen(theme["muted"], 1.2))
        for value in run.unsampled.tolist():
            x = frame.x(value)
            painter.drawLine(QPointF(x, frame.area.bottom()), QPointF(x, frame.area.bottom() - TICK))
        painter.restore()
        for position in range(len(run.model)):
            painter.setPen(QPen(theme["ink"], 1.6) if position == self._hovered else Qt.PenStyle.NoPen)
            painter.setBrush(theme.run(run.label))
            painter.drawEllipse(self.point(position), 4.0, 4.0)
        self.paint_focus(painter)
        painter.end()

    # --- pointer and keys ---

    def place_at(self, where: QPointF) -> int:
        """Return the query that both judged near a pixel, -1 for none."""
        run = None if self._view_model is None else self._view_model.run
        if run is None:
            return -1
        apart = [
            math.hypot(self.point(position).x() - where.x(), self.point(position).y() - where.y())
            for position in range(len(run.model))
        ]
        nearest = min(range(len(apart)), key=apart.__getitem__, default=-1)
        return nearest if nearest >= 0 and apart[nearest] < NEAR else -1

    def tip_of(self, place: int) -> str:
        """Return a query's values under both judges."""
        view_model = self._view_model
        if view_model is None or view_model.run is None or place < 0:
            return ""
        run = view_model.run
        return tr(
            "{query}: {first:.4f} under {model}, {second:.4f} under {human}", query=run.query_ids[place],
            first=float(run.model[place]), model=view_model.judge, second=float(run.human[place]),
            human=view_model.human,
        )  # fmt: skip

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tip_of(self.place_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        if place != self._hovered:
            self._hovered = place
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        run = None if self._view_model is None else self._view_model.run
        if event.button() == Qt.MouseButton.LeftButton and place >= 0 and run is not None:
            self.chosen.emit(run.query_ids[place])
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run = None if self._view_model is None else self._view_model.run
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if run is None or step is None:
            super().keyPressEvent(event)
            return
        self._hovered = max(0, min(len(run.query_ids) - 1, self._hovered + step))
        self.setAccessibleDescription(self.tip_of(self._hovered))
        self.chosen.emit(run.query_ids[self._hovered])
        self.update()

    def _point_nowhere(self) -> None:
        self._hovered = -1


@guarded
class IntervalWidths(PaintedFigure):
    """Half the interval by the number of queries that the human judges: corrected (solid) and the human alone
    (dashed), with the sample's number as a dotted line."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: CorrectedViewModel | None = None
        self._of_difference = False
        self.setMinimumSize(200, 120)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """What the plot shows; "" before there is a run."""
        view_model = self._view_model
        if view_model is None or view_model.run is None:
            return ""
        return tr("Interval by queries judged by {judge}", judge=view_model.human)

    @property
    def widths(self) -> HalfWidths | None:
        """The curves shown: of the run's score, or of its difference to the baseline."""
        run = None if self._view_model is None else self._view_model.run
        if run is None:
            return None
        return run.difference if self._of_difference and run.difference is not None else run.score

    def show_view_model(self, view_model: CorrectedViewModel, of_difference: bool) -> None:
        """Show the selected run's score, or its difference to the baseline."""
        self._view_model, self._of_difference = view_model, of_difference
        self.setAccessibleName(self.picture_title)
        self.setAccessibleDescription("\n".join(self._lines()))
        self.update()

    def _lines(self) -> tuple[str, ...]:
        widths, view_model = self.widths, self._view_model
        if widths is None or view_model is None:
            return ()
        return (
            tr("{judge} alone ±{half:.3f}", judge=view_model.human, half=widths.alone_now),
            tr("corrected ±{half:.3f}, worth {n:.0f} queries of {judge} alone", half=widths.corrected_now,
               n=widths.worth, judge=view_model.human),
        )  # fmt: skip

    def paintEvent(self, event: QPaintEvent) -> None:
        widths, view_model = self.widths, self._view_model
        if widths is None or view_model is None or view_model.run is None or not len(widths.queries):
            return
        painter, theme = QPainter(self), self._theme
        first, last = float(widths.queries[0]), float(widths.queries[-1])
        last = max(last, first + 1)
        # Few queries give very wide intervals: the axis ends where the curves are still told apart.
        top = min(float(widths.human.max()), 4 * widths.alone_now) * 1.05 or 1.0
        ticks = ticks_between(0.0, top, nice_step(top, 5))
        across = Axis(
            tr("queries judged by {judge}, of {total}", judge=view_model.human, total=widths.total), first, last,
            ticks_between(first, last, max(1.0, nice_step(last - first, 6))),
        )  # fmt: skip
        upward = Axis(tr("half-width of the interval"), 0.0, top, tuple((value, f"±{text}") for value, text in ticks))
        frame = Frame(Figure(self.picture_title, across, upward), theme, QRectF(self.rect()))
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = theme.run(view_model.run.label)
        painter.save()
        painter.setClipRect(frame.area)
        at = frame.x(widths.n)
        painter.setPen(QPen(theme["ink"], 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at, frame.area.top()), QPointF(at, frame.area.bottom()))
        for values, pen in (
            (widths.human, QPen(theme["muted"], 1.8, Qt.PenStyle.DashLine)),
            (widths.corrected, QPen(colour, 2.0)),
        ):
            painter.setPen(pen)
            pairs = zip(widths.queries.tolist(), values.tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(frame.x(n), frame.y(half)) for n, half in pairs]))
        painter.setPen(Qt.PenStyle.NoPen)
        for half, fill in ((widths.alone_now, theme["muted"]), (widths.corrected_now, colour)):
            painter.setBrush(fill)
            painter.drawEllipse(QPointF(at, frame.y(half)), 4.0, 4.0)
        painter.restore()
        painter.setFont(theme.font(8.5, numbers=True))
        for line, (text, name) in enumerate(zip(self._lines(), ("muted", "ink"), strict=True)):
            painter.setPen(theme[name])
            box = QRectF(frame.area.left(), frame.area.top() + line * LINE, frame.area.width() - 6, LINE)
            painter.drawText(box, int(_RIGHT.value), text)
        self.paint_focus(painter)
        painter.end()


def _ends(values: Floats) -> tuple[float, float]:
    low, high = min(0.0, float(values.min(initial=0.0))), max(0.0, float(values.max(initial=0.0)))
    if high <= 1.0:
        high = 1.0
    return low, high

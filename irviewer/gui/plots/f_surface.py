"""F by precision and recall as a shaded surface with contour lines, and the path of a ranking, rank by rank.

Hovering shows the values at a point; arrow keys go through the ranks."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from irviewer.figures.f_surface import LEVELS, f_figure, f_grid, f_measure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import SIZE, Frame, paint_label
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme
from irviewer.model.half_up import HalfUp
from irviewer.session.session import Session
from irviewer.session.view_models.lesson import LessonViewModel
from irviewer.translation import decimal, tr

GRID = 96
SQUARE_FROM = 260
STRENGTH = 150
"""The opacity of the surface where F is 1, of 255."""


@guarded
class FSurface(PaintedFigure):
    """The surface for one beta."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._view_model: LessonViewModel | None = None
        self._beta = 1.0
        self._rank = 0
        self._pointer: QPointF | None = None
        self._ground: tuple[tuple[float, str], QImage] | None = None
        self.setMinimumSize(170, 130)

    @property
    def rank(self) -> int:
        """The current rank, 0 without a ranking."""
        return self._rank

    def sizeHint(self) -> QSize:
        return QSize(320, 260)

    def show_view_model(self, view_model: LessonViewModel | None, beta: float, rank: int) -> None:
        """Show the path of a ranking, and the current rank."""
        self._view_model, self._beta = view_model, beta
        if view_model is None:
            self._figure, self._rank = None, 0
        else:
            self._rank = min(rank, len(view_model.trail))
            self._figure = f_figure(
                view_model.trail, view_model.run.key, view_model.run.name, beta, len(view_model.trail)
            )
        self._tell()

    def mark_label(self) -> str:
        """Return the label of the current rank: precision, recall and F."""
        view_model = self._view_model
        if view_model is None or not 0 < self._rank <= len(view_model.trail):
            return ""
        recall, precision = view_model.trail[self._rank - 1].tolist()
        return tr("rank {rank}: {values}", rank=self._rank, values=self._words(precision, recall))

    def _words(self, precision: float, recall: float) -> str:
        f = float(f_measure(np.array([precision]), np.array([recall]), self._beta)[0])
        precision, recall, value = map(HalfUp, (precision, recall, f))
        return decimal(f"P {precision:.4f}  R {recall:.4f}  F{self._beta:g} {value:.4f}")

    def _tell(self) -> None:
        self.setAccessibleName("" if self._figure is None else self._figure.title)
        self.setAccessibleDescription(self.mark_label())
        self.update()

    def _surface(self) -> QImage:
        key = (self._beta, self._theme.palette.name)
        if self._ground is None or self._ground[0] != key:
            colour = self._theme["heat"]
            alpha = f_grid(self._beta, GRID) * STRENGTH
            pixels = np.empty((GRID, GRID, 4), dtype=np.uint8)
            for channel, value in enumerate((colour.red(), colour.green(), colour.blue())):
                pixels[..., channel] = value
            pixels[..., 3] = np.rint(alpha).astype(np.uint8)
            image = QImage(pixels.tobytes(), GRID, GRID, 4 * GRID, QImage.Format.Format_RGBA8888).copy()
            self._ground = (key, image)
        return self._ground[1]

    def paintEvent(self, event: QPaintEvent) -> None:
        figure, view_model = self._figure, self._view_model
        if figure is None or view_model is None:
            return
        painter = QPainter(self)
        # Square as in textbooks, unless the panel is low.
        frame = Frame(figure, self._theme, QRectF(self.rect()), square=self.height() >= SQUARE_FROM)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(frame.area, self._surface())
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(SIZE, numbers=True))
        metrics = QFontMetricsF(painter.font())
        for level, line in zip(LEVELS, figure.curves, strict=False):
            painter.setPen(QPen(self._theme["faint"], 1))
            painter.drawPolyline(_polygon(frame, line.x, line.y))
            middle = len(line.x) // 2  # the name is where the line bends
            at = QPointF(frame.x(float(line.x[middle])), frame.y(float(line.y[middle])))
            text = decimal(f".{round(level * 10)}")
            painter.setPen(self._theme["muted"])
            half = metrics.horizontalAdvance(text) / 2
            painter.drawText(QPointF(at.x() - half, at.y() - 3), text)
        self._paint_way(painter, frame, view_model)
        near = self._pointer
        if near is not None and frame.area.contains(near):
            recall = (near.x() - frame.area.left()) / frame.area.width()
            precision = (frame.area.bottom() - near.y()) / frame.area.height()
            paint_label(painter, self, self._theme, self._words(precision, recall), near)
        elif self._rank:
            recall, precision = view_model.trail[self._rank - 1].tolist()
            paint_label(painter, self, self._theme, self.mark_label(), QPointF(frame.x(recall), frame.y(precision)))
        self.paint_focus(painter)

    def _paint_way(self, painter: QPainter, frame: Frame, view_model: LessonViewModel) -> None:
        if not len(view_model.trail):
            return
        colour = self._theme.run(view_model.run)
        painter.setPen(QPen(colour, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(_polygon(frame, view_model.trail[:, 0], view_model.trail[:, 1]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for recall, precision in view_model.trail.tolist():
            painter.drawEllipse(QPointF(frame.x(recall), frame.y(precision)), 2.2, 2.2)
        if self._rank:
            recall, precision = view_model.trail[self._rank - 1].tolist()
            painter.setPen(QPen(self._theme["ink"], 1.6))
            painter.drawEllipse(QPointF(frame.x(recall), frame.y(precision)), 5, 5)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = 0 if self._view_model is None else len(self._view_model.trail)
        key = Qt.Key(event.key())
        wanted = {
            Qt.Key.Key_Left: self._rank - 1, Qt.Key.Key_Up: self._rank - 1, Qt.Key.Key_Right: self._rank + 1,
            Qt.Key.Key_Down: self._rank + 1, Qt.Key.Key_Home: 1, Qt.Key.Key_End: count,
        }.get(key)  # fmt: skip
        if wanted is None or not count:
            super().keyPressEvent(event)
            return
        self._rank = max(1, min(count, wanted))
        self._tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        self.update()

    def _point_nowhere(self) -> None:
        self._pointer = None


def _polygon(frame: Frame, x: np.ndarray, y: np.ndarray) -> QPolygonF:
    return QPolygonF([QPointF(frame.x(across), frame.y(up)) for across, up in zip(x.tolist(), y.tolist(), strict=True)])

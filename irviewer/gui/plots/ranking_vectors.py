"""Ranking vectors: a row per run and a cell per rank, with the grade and the distance to the ideal ranking."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, SWATCH, draw_grade_chip, draw_swatch, grade_text
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.session.view_models.reading_effort import VectorRow, VectorViewModel
from irviewer.translation import tr, trn

AXIS, ROW, NAMES, CELL_LEAST, CELL_MOST = 24, 58, 204, 26, 44
PAD = 12
MOVED, BETWEEN = 8.5, 6
"""The font size of texts under ranks in points, and their distance in pixels."""
RANK = tr("rank")


@guarded
class VectorStrips(QAbstractScrollArea):
    """The strips. ``chosen`` carries the document that was selected by mouse or key; ``menu_asked`` the document of a
    context menu, after ``chosen``, and its position on the screen."""

    chosen = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._view_model: VectorViewModel | None = None
        self._at = (0, 0)
        self._widest = CELL_LEAST
        self._names = NAMES
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Ranking vectors"))
        self.setMinimumHeight(AXIS + ROW + 8)
        theme.changed.connect(self.viewport().update)

    def show_view_model(self, view_model: VectorViewModel) -> None:
        """Show how far documents moved; the column of moves is as wide as the longest one."""
        self._view_model = view_model
        farthest = max((int(np.abs(row.displacement).max(initial=0)) for row in view_model.rows), default=0)
        metrics = QFontMetricsF(self._theme.font(MOVED, numbers=True))
        self._widest = math.ceil(metrics.horizontalAdvance(f"▼{farthest}")) + BETWEEN
        summary_width = max(
            (math.ceil(metrics.horizontalAdvance(summary_of(row))) for row in view_model.rows), default=0
        )
        self._names = max(NAMES, PAD + SWATCH + 7 + summary_width + BETWEEN)
        self._lay_out()
        self.viewport().update()

    @property
    def full_height(self) -> int:
        """The height of all rows, in pixels."""
        rows = 0 if self._view_model is None else len(self._view_model.rows)
        return AXIS + rows * ROW + self.horizontalScrollBar().sizeHint().height() + 6

    @property
    def cell_width(self) -> int:
        """The width of a rank in pixels: all ranks fit if possible, and the text under each of them."""
        depth = 1 if self._view_model is None else max(1, self._view_model.depth)
        return max(CELL_LEAST, self._widest, min(CELL_MOST, (self.viewport().width() - self._names - PAD) // depth))

    def mark_label(self, row: int, rank: int) -> str:
        """Return the tooltip of a rank of a row."""
        view_model = self._view_model
        if view_model is None or not (
            0 <= row < len(view_model.rows) and 1 <= rank <= len(view_model.rows[row].displacement)
        ):
            return ""
        vector = view_model.rows[row]
        moved = int(vector.displacement[rank - 1])
        if moved > 0:
            place = trn("▲ {n} rank too low", "▲ {n} ranks too low", moved)
        elif moved < 0:
            place = trn("▼ {n} rank too high", "▼ {n} ranks too high", -moved)
        else:
            place = tr("= at its ideal rank")
        return tr(
            "{run}, rank {rank}: {document}\ngrade {grade} · {place}",
            run=vector.run.name,
            rank=rank,
            document=vector.doc_ids[rank - 1],
            grade=grade_text(float(vector.grades[rank - 1])),
            place=place,
        )

    def _lay_out(self) -> None:
        view_model = self._view_model
        wide = 0 if view_model is None else self._names + view_model.depth * self.cell_width + PAD
        tall = 0 if view_model is None else AXIS + len(view_model.rows) * ROW
        across, down, room = self.horizontalScrollBar(), self.verticalScrollBar(), self.viewport().size()
        across.setPageStep(room.width())
        across.setSingleStep(self.cell_width)
        across.setRange(0, max(0, wide - room.width()))
        down.setPageStep(room.height())
        down.setSingleStep(ROW // 2)
        down.setRange(0, max(0, tall - room.height()))

    def _left(self, rank: int) -> int:
        return self._names + (rank - 1) * self.cell_width - self.horizontalScrollBar().value()

    def _top(self, row: int) -> int:
        return AXIS + row * ROW - self.verticalScrollBar().value()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, view_model = QPainter(self.viewport()), self._theme, self._view_model
        whole = self.viewport().rect()
        painter.fillRect(whole, theme["panel"])
        if view_model is None:
            return
        painter.setClipRect(whole.adjusted(self._names, AXIS, 0, 0))
        for number, row in enumerate(view_model.rows):
            if -ROW < self._top(number) < whole.height():
                self._paint_row(painter, view_model, row, number)
        self._paint_marks(painter, view_model, whole)
        painter.setClipRect(whole.adjusted(0, AXIS, 0, 0))
        for number, row in enumerate(view_model.rows):
            self._paint_name(painter, row, self._top(number))
        painter.setClipRect(whole)
        self._paint_axis(painter, view_model)

    def _paint_row(self, painter: QPainter, view_model: VectorViewModel, row: VectorRow, number: int) -> None:
        theme, cell, top = self._theme, self.cell_width, self._top(number)
        painter.setFont(theme.font(MOVED, numbers=True))
        for position, moved in enumerate(row.displacement.tolist()):
            left = self._left(position + 1)
            if left + cell < self._names or left > self.viewport().width():
                continue
            if view_model.document is not None and row.doc_ids[position] == view_model.document:
                painter.fillRect(left, top, cell, ROW - 4, theme["selection"])
            chip = QRect(left + (cell - CHIP_WIDTH) // 2, top + 6, CHIP_WIDTH, CHIP_HEIGHT)
            draw_grade_chip(painter, chip, float(row.grades[position]), view_model.max_grade, theme)
            painter.setPen(theme["better" if moved > 0 else "worse" if moved < 0 else "muted"])
            text = f"▲{moved}" if moved > 0 else f"▼{-moved}" if moved < 0 else "="
            below = QRect(left - 2, top + 6 + CHIP_HEIGHT, cell + 4, 20)
            painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), text if abs(moved) < 1000 else text[0] + "…")
        painter.fillRect(self._names, top + ROW - 2, self.viewport().width(), 1, theme["line"])

    def _paint_marks(self, painter: QPainter, view_model: VectorViewModel, whole: QRect) -> None:
        """Paint the last rank of relevant documents in the ideal ranking, and the cutoff."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for rank, dash in ((view_model.n_relevant, True), (view_model.cutoff, False)):
            if 0 < rank < view_model.depth:
                x = self._left(rank + 1)
                pen = QPen(self._theme["muted" if dash else "ink"], 1)
                if dash:
                    pen.setDashPattern([3.0, 3.0])
                painter.setPen(pen)
                painter.drawLine(x, AXIS, x, min(whole.height(), self._top(len(view_model.rows)) - 2))

    def _paint_name(self, painter: QPainter, row: VectorRow, top: int) -> None:
        theme = self._theme
        painter.fillRect(0, top, self._names, ROW, theme["panel"])
        draw_swatch(painter, QRect(PAD, top + 10, SWATCH, SWATCH), theme.run(row.run), True)
        painter.setFont(theme.font(9.5, weight=600 if row.run.focus else 400))
        painter.setPen(theme["ink"])
        room = self._names - PAD - SWATCH - 14
        metrics, star = QFontMetricsF(painter.font()), " ★" if row.run.baseline else ""
        name = fitting_name(row.run, metrics, room - metrics.horizontalAdvance(star)) + star
        left = PAD + SWATCH + 7
        painter.drawText(QRectF(left, top + 4, room, 22), Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(theme.font(MOVED, numbers=True))
        painter.setPen(theme["muted"])
        painter.drawText(QRectF(left, top + 25, room + 8, 20), Qt.AlignmentFlag.AlignVCenter, summary_of(row))
        painter.fillRect(0, top + ROW - 2, self._names, 1, theme["line"])

    def _paint_axis(self, painter: QPainter, view_model: VectorViewModel) -> None:
        theme, whole = self._theme, self.viewport().rect()
        painter.fillRect(0, 0, whole.width(), AXIS, theme["panel"])
        painter.setFont(theme.font(MOVED, numbers=True))
        painter.setPen(theme["muted"])
        painter.drawText(QRect(PAD, 0, self._names - PAD, AXIS), int(Qt.AlignmentFlag.AlignVCenter), RANK)
        painter.setClipRect(whole.adjusted(self._names, 0, 0, 0))
        for rank in range(1, view_model.depth + 1):
            if rank == 1 or rank % 5 == 0:
                box = QRect(self._left(rank) - 6, 0, self.cell_width + 12, AXIS)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), str(rank))
        painter.setClipRect(whole)
        painter.fillRect(0, AXIS - 1, whole.width(), 1, theme["line"])

    def _place_at(self, position: QPointF) -> tuple[int, int]:
        row = int((position.y() - self._top(0)) // ROW)
        rank = int((position.x() - self._left(1)) // self.cell_width) + 1
        inside = position.x() >= self._names and position.y() >= AXIS
        return (row, rank) if inside else (-1, 0)

    def _choose(self, row: int, rank: int) -> None:
        view_model = self._view_model
        if (
            view_model is not None
            and 0 <= row < len(view_model.rows)
            and 1 <= rank <= len(view_model.rows[row].doc_ids)
        ):
            self._at = (row, rank)
            self.chosen.emit(view_model.rows[row].doc_ids[rank - 1])

    def viewportEvent(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.mark_label(*self._place_at(QPointF(event.pos()))), self.viewport())
            return True
        return super().viewportEvent(event)  # type: ignore[arg-type]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choose(*self._place_at(event.position()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row, rank = self._at if by_key else self._place_at(QPointF(event.pos()))
        view_model = self._view_model
        if (
            view_model is not None
            and 0 <= row < len(view_model.rows)
            and 1 <= rank <= len(view_model.rows[row].doc_ids)
        ):
            self._choose(row, rank)
            self.menu_asked.emit(view_model.rows[row].doc_ids[rank - 1], event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, rank = self._at
        places = {
            Qt.Key.Key_Left: (row, rank - 1), Qt.Key.Key_Right: (row, rank + 1),
            Qt.Key.Key_Up: (row - 1, rank), Qt.Key.Key_Down: (row + 1, rank),
        }  # fmt: skip
        place = places.get(Qt.Key(event.key()))
        if place is None or self._view_model is None:
            super().keyPressEvent(event)
            return
        self._choose(place[0], max(1, place[1]))
        left, bar = self._left(self._at[1]), self.horizontalScrollBar()
        if left < self._names:
            bar.setValue(bar.value() + left - self._names)
        elif left + self.cell_width > self.viewport().width():
            bar.setValue(bar.value() + left + self.cell_width - self.viewport().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


def summary_of(row: VectorRow) -> str:
    """Return the line below the name of a run: its value, and how many documents are in place and missed."""
    if not row.missed:
        return tr("{value:.4f} · {count:,} in place", value=row.value, count=row.in_place)
    return tr(
        "{value:.4f} · {count:,} in place · {missed:,} missed", value=row.value, count=row.in_place, missed=row.missed
    )

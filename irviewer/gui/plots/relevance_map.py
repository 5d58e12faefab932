"""The relevance map: the rankings of one run for all queries, one column per query in the table's order.

The picture is made once per view model and size; with more cells than pixels, each pixel shows its highest grade."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.figures.figure import Cells
from irviewer.figures.relevance_map import relevance_map_figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.point_picker import SIZE, QueryPicker
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import grade_text
from irviewer.rendering.palette import ink_on
from irviewer.rendering.styles import ABSENT, NONRELEVANT, UNLISTED, cell_codes, cell_colours
from irviewer.session.session import Session
from irviewer.session.view_models.queries import QueriesViewModel, RelevanceMap
from irviewer.translation import tr

TOP, RIGHT, GAP, LEGEND = 12.0, 16.0, 6.0, 34.0
WIDEST = 24.0
CHIP = 18.0
FEW = 6
MARK = 4.0
"""The height of the bar above the column of a brushed query, in pixels."""
NOT_IN_QRELS = tr("not in the qrels")
NOT_RETRIEVED = tr("not retrieved")
GRADE = tr("grade")
OUTLINED = tr("outlined: selected query")
JUDGED_0 = tr("judged 0")
NON_RELEVANT = tr("non-relevant")


@guarded
class RelevanceMapView(QueryPicker):
    """The map. A click selects a query; the selected column is outlined, brushed ones have a bar above; hovering shows
    query, rank and grade."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._cells: Cells | None = None
        self._grades_shown: object = None
        self._codes = np.empty((0, 0), dtype=np.uint8)
        self._image = QImage()
        self._made_for: tuple[object, ...] = ()
        self._brushes = session
        self._marked: tuple[int, ...] = ()
        self.setMinimumSize(180, 90)

    def show_map(
        self, relevance: RelevanceMap | None, query_ids: Sequence[str], texts: Sequence[str], selected: int
    ) -> None:
        """Show a map, or none; ``query_ids`` and ``texts`` are those of its columns."""
        if relevance is None:
            self._figure = self._cells = None
            self._marked = ()
            self.show_queries((), (), -1)
            return
        self._figure = relevance_map_figure(
            relevance.cells, query_ids, relevance.max_grade, selected, relevance.run.name
        )
        self._cells = self._figure.cells
        if self._grades_shown is not relevance.cells:  # a new selection keeps the picture
            self._grades_shown = relevance.cells
            self._codes = cell_codes(relevance.cells, relevance.max_grade)
            self._made_for = ()
        self.setAccessibleName(self._figure.title)
        brushed = self._brushes.query_sets.brushed
        self._marked = tuple(column for column, query in enumerate(query_ids) if query in brushed) if brushed else ()
        self.show_queries(tuple(query_ids), texts, selected)

    def show_view_model(self, view_model: QueriesViewModel) -> None:
        self.show_map(view_model.map, view_model.query_ids, view_model.texts, view_model.selected)

    def mark_label(self, column: int) -> str:
        """Return the label of the hovered cell, or of a column: query, rank, grade, text."""
        if self._cells is None or not 0 <= column < len(self._keys):
            return ""
        rank = self.rank_at(self._pointer.y()) if column == self._hovered else 0
        if rank:
            label = tr(
                "query {query}, rank {rank}: {judgment}",
                query=self._keys[column],
                rank=rank,
                judgment=self._cell_text(rank, column),
            )
        else:
            label = tr("query {query}", query=self._keys[column])
        return self.with_text(label, column)

    def _cell_text(self, rank: int, column: int) -> str:
        assert self._cells is not None
        grade = float(self._cells.grades[rank - 1, column])
        if math.isnan(grade):
            return NOT_IN_QRELS
        return tr("grade {grade}", grade=grade_text(grade)) if grade != -math.inf else NOT_RETRIEVED

    def rank_at(self, y: float) -> int:
        """Return the rank at a pixel, 0 outside the map."""
        area, depth = self.area(), len(self._codes)
        rank = math.floor((y - area.top()) / area.height() * depth) + 1
        return rank if 1 <= rank <= depth else 0

    def area(self) -> QRectF:
        """Return the area of the map without axis and legend."""
        metrics = QFontMetricsF(self._theme.font(SIZE, numbers=True))
        depth = len(self._codes)
        left = math.ceil(metrics.horizontalAdvance(f"{max(depth, 10):,}") + metrics.height() + 3 * GAP)
        width = max(10.0, self.width() - left - RIGHT)
        height = max(10.0, self.height() - TOP - LEGEND - GAP)
        return QRectF(left, TOP, min(width, WIDEST * max(1, len(self._keys))), min(height, WIDEST * max(1, depth)))

    def step(self) -> float:
        """Return the width of a column."""
        return self.area().width() / max(1, len(self._keys))

    def image(self) -> QImage:
        """Return the map at its size on screen, cached for cells, colours and size."""
        size = self.area().size().toSize() * self.devicePixelRatioF()
        wanted = (self._grades_shown, self._theme.palette.name, size.width(), size.height())
        if wanted != self._made_for and self._cells is not None and self._codes.size:
            self._made_for = wanted
            codes = _reduced(_reduced(self._codes, size.width(), 1), size.height(), 0)
            colours = cell_colours(self._theme.palette, self._cells.max_grade, self._codes)
            padded = np.zeros((codes.shape[0], (codes.shape[1] + 3) // 4 * 4), dtype=np.uint8)
            padded[:, : codes.shape[1]] = codes
            picture = QImage(
                padded.data, codes.shape[1], codes.shape[0], padded.shape[1], QImage.Format.Format_Indexed8
            )
            picture.setColorTable([0xFF000000 | (int(r) << 16) | (int(g) << 8) | int(b) for r, g, b in colours])
            # convertToFormat copies: the array may be freed.
            self._image = picture.convertToFormat(QImage.Format.Format_RGB32)
        return self._image

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._cells is None or not self._codes.size:
            return
        painter = QPainter(self)
        area = self.area()
        painter.drawImage(area, self.image())
        self._paint_ranks(painter, area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._selected >= 0:
            self._outline(painter, area, self._selected, self._theme["ink"], 1.4)
        self._paint_legend(painter)
        if self._hovered >= 0:
            if self._hovered != self._selected:
                self._outline(painter, area, self._hovered, self._theme["muted"], 1.0)
            self.paint_label(painter, QRectF(self._pointer.x() - 4, self._pointer.y() - 4, 8, 8))
        self._paint_marked(painter, area)
        self.paint_band(painter)
        self.paint_focus(painter)

    def _paint_marked(self, painter: QPainter, area: QRectF) -> None:
        """Paint a bar above the column of each brushed query; cells keep the colours of grades."""
        step = self.step()
        for column in self._marked:
            left = area.left() + column * step
            painter.fillRect(QRectF(left, area.top() - MARK - 3, max(1.0, step), MARK), self._theme["ink"])

    def _paint_ranks(self, painter: QPainter, area: QRectF) -> None:
        assert self._figure is not None
        painter.setFont(self._theme.font(SIZE, numbers=True))
        painter.setPen(self._theme["muted"])
        line, last = QFontMetricsF(painter.font()).height(), -math.inf
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for rank, text in self._figure.y.shown_ticks or ():
            y = area.top() + (rank - 0.5) / len(self._codes) * area.height()
            if y - last >= line:
                last = y
                painter.drawText(QRectF(0, y - line / 2, area.left() - GAP, line), right, text)
        painter.save()
        painter.translate(GAP + line / 2, area.center().y())
        painter.rotate(-90)
        painter.drawText(QRectF(-60, -line / 2, 120, line), Qt.AlignmentFlag.AlignCenter, self._figure.y.label)
        painter.restore()

    def _outline(self, painter: QPainter, area: QRectF, column: int, colour: QColor, width: float) -> None:
        step = self.step()
        box = QRectF(area.left() + column * step, area.top(), step, area.height()).adjusted(-0.5, -1.5, 0.5, 1.5)
        if step < 4:
            box.adjust(-1.2, 0, 1.2, 0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, width))
        painter.drawRect(box)

    def _paint_legend(self, painter: QPainter) -> None:
        """Paint the legend below: the grades, and the other colours that the map has."""
        assert self._cells is not None
        colours = [
            QColor(*colour) for colour in cell_colours(self._theme.palette, self._cells.max_grade, self._codes).tolist()
        ]
        painter.setFont(self._theme.font(9))
        y = self.height() - LEGEND + (LEGEND - CHIP) / 2
        x = 12.0
        top = max(1, math.ceil(self._cells.max_grade))
        for grade in range(1, top + 1) if top <= FEW else (1, top):
            code = int(cell_codes(np.array([float(grade)]), self._cells.max_grade)[0])
            x = self._chip(painter, QRectF(x, y, CHIP + 2, CHIP), colours[code], str(grade)) + 4
        x = self._word(painter, x, y, GRADE)
        judged_0 = JUDGED_0 if np.any(self._codes == UNLISTED) else NON_RELEVANT
        metrics = QFontMetricsF(painter.font())
        names = ((NONRELEVANT, judged_0), (UNLISTED, NOT_IN_QRELS), (ABSENT, NOT_RETRIEVED))
        for code, name in names:
            if np.any(self._codes == code):
                if x + CHIP - 1 + metrics.horizontalAdvance(name) > self.width() - 4:
                    break  # a sign without its meaning says nothing
                x = self._chip(painter, QRectF(x, y + 3, CHIP - 6, CHIP - 6), colours[code], "") + 5
                x = self._word(painter, x, y, name)
        if self._selected >= 0:
            self._word(painter, x, y, OUTLINED)

    def _chip(self, painter: QPainter, box: QRectF, colour: QColor, text: str) -> float:
        painter.setPen(Qt.PenStyle.NoPen if text else QPen(self._theme["frame"], 1))
        painter.setBrush(colour)
        painter.drawRoundedRect(box, 3, 3)
        if text:
            painter.setPen(QColor(ink_on(colour.name())))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return box.right()

    def _word(self, painter: QPainter, x: float, y: float, text: str) -> float:
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        if x + width <= self.width() - 4:
            painter.setPen(self._theme["muted"])
            painter.drawText(QPointF(x, y + CHIP / 2 + QFontMetricsF(painter.font()).capHeight() / 2), text)
        return x + width + 12

    def sizeHint(self) -> QSize:
        return QSize(420, 360)


def _reduced(codes: np.ndarray, most: int, axis: int) -> np.ndarray:
    """Return at most ``most`` cells along ``axis``; neighbours that share a pixel become the highest of them."""
    n = codes.shape[axis]
    if n <= most or most < 1:
        return codes
    return np.maximum.reduceat(codes, (np.arange(most) * n) // most, axis=axis)

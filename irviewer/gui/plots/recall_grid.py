"""The recall of each query by number of documents read, as small plots, worst first; a click selects a query.

Only visible plots are painted."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import show_tooltip
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.hidden_characters import escape_hidden
from irviewer.model.number_text import share_of_all
from irviewer.rendering.elision import start_of_all, without_start
from irviewer.session.view_models.reading_effort import RecallViewModel
from irviewer.translation import tr, trn

CELL_WIDTH, CELL_HEIGHT, GAP, EDGE = 132, 92, 8, 10
HEAD = 17


@guarded
class RecallGrid(QAbstractScrollArea):
    """The small plots. ``chosen`` carries the query that was selected by mouse or key."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._view_model: RecallViewModel | None = None
        self.start = ""
        """What all ids begin with, which the plots leave out: it is said above them."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Recall by documents read for each query, worst first"))
        self.setMinimumHeight(CELL_HEIGHT + 2 * EDGE)
        theme.changed.connect(self.viewport().update)

    def show_view_model(self, view_model: RecallViewModel) -> None:
        """Show a view model, and scroll to a newly selected query."""
        before, self._view_model = self._view_model, view_model
        if before is None or before.query_ids is not view_model.query_ids:
            self.start = start_of_all(view_model.query_ids)
        self._lay_out()
        if before is None or before.selected != view_model.selected or before.order is not view_model.order:
            self._show_selected()
        self.viewport().update()

    @property
    def columns(self) -> int:
        """The number of plots side by side."""
        return max(1, (self.viewport().width() - 2 * EDGE + GAP) // (CELL_WIDTH + GAP))

    @property
    def step(self) -> float:
        """The distance from one plot to the next; the plots of a row share its width."""
        return (self.viewport().width() - 2 * EDGE + GAP) / self.columns

    def cell(self, place: int) -> QRectF:
        """Return the rectangle of a plot in the viewport."""
        row, column = divmod(place, self.columns)
        top = EDGE + row * (CELL_HEIGHT + GAP) - self.verticalScrollBar().value()
        return QRectF(EDGE + column * self.step, top, self.step - GAP, CELL_HEIGHT)

    def mark_label(self, place: int) -> str:
        """Return the tooltip of a plot."""
        view_model = self._view_model
        if view_model is None or view_model.effort is None or not 0 <= place < len(view_model.query_ids):
            return ""
        query = int(view_model.order[place])
        retrieved = int(view_model.effort.found(view_model.stop)[query])
        counts = trn(
            "{count:,} of {relevant:,} relevant documents in {n:,} document read",
            "{count:,} of {relevant:,} relevant documents in {n:,} documents read",
            view_model.stop,
            count=retrieved,
            relevant=int(view_model.effort.relevant[query]),
        )
        lines = (tr("query {query}", query=view_model.query_ids[place]), view_model.texts[place], counts)
        return "\n".join(filter(None, lines))

    def _lay_out(self) -> None:
        count = 0 if self._view_model is None else len(self._view_model.query_ids)
        rows = -(-count // self.columns)
        height = 2 * EDGE + rows * (CELL_HEIGHT + GAP) - GAP
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(CELL_HEIGHT // 2)
        bar.setRange(0, max(0, height - self.viewport().height()))

    def _show_selected(self) -> None:
        if self._view_model is None or self._view_model.selected < 0:
            return
        box, bar = self.cell(self._view_model.selected), self.verticalScrollBar()
        if box.top() < EDGE:
            bar.setValue(bar.value() + int(box.top()) - EDGE)
        elif box.bottom() > self.viewport().height() - EDGE:
            bar.setValue(bar.value() + int(box.bottom()) - self.viewport().height() + EDGE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme["panel"])
        view_model = self._view_model
        if view_model is None or view_model.effort is None:
            return
        recall = view_model.effort.recall(view_model.stop)
        step = CELL_HEIGHT + GAP
        first = max(0, (self.verticalScrollBar().value() - EDGE) // step) * self.columns
        last = (self.verticalScrollBar().value() + self.viewport().height()) // step * self.columns + self.columns
        for position in range(first, min(last, len(view_model.query_ids))):
            self._paint_cell(painter, view_model, position, float(recall[int(view_model.order[position])]))

    def _paint_cell(self, painter: QPainter, view_model: RecallViewModel, place: int, recall: float) -> None:
        assert view_model.effort is not None
        theme, box, query = self._theme, self.cell(place), int(view_model.order[place])
        chosen = place == view_model.selected
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme["ink" if chosen else "line"], 1.6 if chosen else 1.0))
        painter.setBrush(theme["selection"] if chosen else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setFont(theme.font(8.5, weight=600))
        painter.setPen(theme["ink"])
        head = QRectF(box.left() + 6, box.top() + 2, box.width() - 12, HEAD)
        share = share_of_all(recall)
        name = QFontMetricsF(painter.font()).elidedText(
            escape_hidden(without_start(view_model.query_ids[place], self.start)),
            Qt.TextElideMode.ElideMiddle, head.width() - 44,
        )  # fmt: skip
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(theme.font(8.5, numbers=True))
        painter.setPen(theme["text"])
        painter.drawText(head, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, share)
        area = QRectF(box.left() + 6, box.top() + HEAD + 4, box.width() - 12, box.height() - HEAD - 11)
        painter.setPen(QPen(theme["line"], 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.drawLine(area.topLeft(), area.topRight())
        x, y = view_model.effort.curve(query, view_model.deepest)

        def at(read: float, share: float) -> QPointF:
            return QPointF(
                area.left() + read / view_model.deepest * area.width(), area.bottom() - share * area.height()
            )

        colour = theme.run(view_model.run) if view_model.run is not None else theme["ink"]
        painter.setPen(QPen(colour, 1.5))
        painter.drawPolyline(QPolygonF([at(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]))
        if view_model.stop <= view_model.deepest:
            painter.setPen(QPen(theme["ink"], 1))
            painter.drawLine(at(view_model.stop, 0), at(view_model.stop, 1))

    def _place_at(self, position: QPointF) -> int:
        count = 0 if self._view_model is None else len(self._view_model.query_ids)
        row = int((position.y() - EDGE + self.verticalScrollBar().value()) // (CELL_HEIGHT + GAP))
        column = int((position.x() - EDGE) // self.step)
        place = row * self.columns + column
        inside = row >= 0 and 0 <= column < self.columns and place < count
        return place if inside and self.cell(place).contains(position) else -1

    def viewportEvent(self, event: object) -> bool:
        if isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.mark_label(self._place_at(QPointF(event.pos()))), self.viewport())
            return True
        return super().viewportEvent(event)  # type: ignore[arg-type]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._choose(self._place_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        view_model = self._view_model
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -self.columns, Qt.Key.Key_Down: self.columns
        }  # fmt: skip
        step = steps.get(Qt.Key(event.key()))
        if view_model is None or step is None or not view_model.query_ids:
            super().keyPressEvent(event)
            return
        self._choose(
            max(0, min(len(view_model.query_ids) - 1, view_model.selected + step)) if view_model.selected >= 0 else 0
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()
        self._show_selected()

    def _choose(self, place: int) -> None:
        if self._view_model is not None and place >= 0:
            self.chosen.emit(self._view_model.query_ids[place])

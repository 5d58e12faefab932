"""The measures of the answers to a topic: a line each, a column for each system, and the difference."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from irviewer.gui.actions import is_key_of
from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.painted_rows import PaintedRows
from irviewer.gui.query.answer.signs import LEFT, RIGHT, cut, draw_label, draw_named, metrics_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import delta_ink
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import UNJUDGED
from irviewer.session.view_models.answers import AnswerViewModel
from irviewer.translation import tr

ROW, HEAD, SIDE, VALUE, DELTA = 19, 22, 9, 58, 66
NAME_ROOM, GAP = 17, 8
"""Pixels of the swatch before the name of a system, and between the titles and the first system."""


@guarded
class MeasureList(PaintedRows):
    """The measures; the key of "Why this number?" explains the current line.

    explained  the row that the user asked about"""

    explained = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Measures of this answer"))
        self._view_model: AnswerViewModel | None = None
        self.activated.connect(self.explained)

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        former = self._view_model
        self._view_model = view_model
        if former is None or view_model is None or former.measures is not view_model.measures:
            self.show_rows()
        if view_model is None:
            self.paint_other()
        else:
            self.paint_other(view_model.measures, view_model.labels, self._places(), view_model.compared)

    def n_rows(self) -> int:
        return 0 if self._view_model is None or not self._view_model.measures else len(self._view_model.measures) + 1

    def can_choose(self, row: int) -> bool:
        return row > 0

    def height_of(self, row: int, width: int) -> int:
        return ROW if row else HEAD

    def full_height(self) -> int:
        """Return the height of all rows."""
        return HEAD + ROW * max(0, self.n_rows() - 1) + 4

    def _places(self) -> list[int]:
        """Return the systems that have a column: the baseline, those shown, others as far as there is room."""
        view_model = self._view_model
        if view_model is None:
            return []
        most = max(1, (self.viewport().width() - 120 - DELTA) // VALUE)
        compared = [view_model.compared] if view_model.compared > 0 else []
        order = dict.fromkeys((0, *compared, *view_model.shown, *range(len(view_model.labels))))
        return sorted(list(order)[:most])

    def value_width(self, places: list[int]) -> int:
        """Return the pixels of a system: those of its name, as far as the titles of the measures leave them."""
        view_model = self._view_model
        if view_model is None or not places:
            return VALUE
        names = [
            metrics_of(8.5, 600).horizontalAdvance(escape_hidden(view_model.labels[place].name[:99]))
            for place in places
        ]
        titles = max((metrics_of(8.5).horizontalAdvance(line.title) for line in view_model.measures), default=0)
        delta = DELTA if view_model.compared > 0 else 0
        room = (self.viewport().width() - 2 * SIDE - math.ceil(titles) - GAP - delta) // len(places)
        return max(VALUE, min(math.ceil(max(names)) + NAME_ROOM, room))

    def paint_row(self, painter: QPainter, row: int, box: QRect) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None:
            return
        places, colours = self._places(), theme.colours
        right = box.width() - SIDE
        delta = DELTA if view_model.compared > 0 else 0
        value = self.value_width(places)
        first = right - delta - value * len(places)
        painter.setFont(theme.font(8.5, weight=600))
        if not row:
            painter.setPen(colours["muted"])
            painter.drawText(QRectF(SIDE, box.top(), first - SIDE, HEAD), int(LEFT), tr("measure"))
            for column, place in enumerate(places):
                label = view_model.labels[place]
                name = cut(escape_hidden(label.name), value - NAME_ROOM, 8.5, 600)
                width = metrics_of(8.5, 600).horizontalAdvance(name) + 13
                draw_named(
                    painter, first + value * (column + 1) - width, box.center().y(), name, theme.run(label), theme
                )
            if delta:
                painter.setPen(colours["muted"])
                painter.drawText(QRectF(right - delta, box.top(), delta, HEAD), int(RIGHT), "Δ")
            painter.setPen(colours["line"])
            painter.drawLine(box.bottomLeft(), box.bottomRight())
            return
        line = view_model.measures[row - 1]
        self.ground(painter, row, box, row == self.current)
        painter.setFont(theme.font(8.5))
        painter.setPen(colours["text"])
        title = cut(line.title, first - SIDE, 8.5)
        painter.drawText(QRectF(SIDE, box.top(), first - SIDE, ROW), int(LEFT), title)
        painter.setFont(theme.font(8.5, numbers=True))
        if line.unjudged:
            painter.setPen(colours["muted"])
            text = line.texts[0]
            painter.drawText(QRectF(SIDE, box.top(), right - SIDE, ROW), int(RIGHT), text)
            width = metrics_of(8.5, numbers=True).horizontalAdvance(text)
            draw_label(painter, QPointF(right - width - 12, box.center().y()), UNJUDGED, theme)
            return
        for column, place in enumerate(places):
            at = QRectF(first + value * column, box.top(), value, ROW)
            painter.setPen(colours["ink"])
            painter.drawText(at, int(RIGHT), line.texts[place])
        if delta and line.delta:
            painter.setPen(colours[delta_ink(line.delta)])
            painter.drawText(QRectF(right - delta, box.top(), delta, ROW), int(RIGHT), line.delta)

    def words_of(self, row: int) -> str:
        view_model = self._view_model
        if view_model is None or not row:
            return tr("measure")
        line = view_model.measures[row - 1]
        values = [line.texts[0]] if line.unjudged else [
            f"{view_model.labels[place].name} {line.texts[place]}" for place in range(len(line.texts))
        ]  # fmt: skip
        return ", ".join((line.title, *values, *([f"Δ {line.delta}"] if line.delta else ())))

    def tip_of(self, row: int) -> str:
        view_model = self._view_model
        return "" if view_model is None or not row else view_model.measures[row - 1].tip

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._asks(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._asks(event):
            self.explained.emit(self.current)
        else:
            super().keyPressEvent(event)

    def _asks(self, event: QKeyEvent) -> bool:
        return is_key_of(event, "explain") and self.current > 0

    def sizeHint(self) -> QSize:
        return QSize(332, 220)

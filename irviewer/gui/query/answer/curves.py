"""The curves from sentences to the ranks that they cite, in the hue of the grade."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.segments import SegmentList
from irviewer.gui.query.answer.sentences import SentenceList
from irviewer.gui.query.rankings.links import link_colour
from irviewer.gui.theme import Theme
from irviewer.session.view_models.answers import AnswerViewModel

WIDTH = 54


@guarded
class Curves(QWidget):
    """A curve for each citation; those of the selection are thick and drawn last. A citation beside the list ends in a
    dashed stub."""

    def __init__(self, theme: Theme, sentences: SentenceList, segments: SegmentList) -> None:
        super().__init__()
        self._theme, self._sentences, self._segments = theme, sentences, segments
        self._view_model: AnswerViewModel | None = None
        self.setFixedWidth(WIDTH)
        sentences.moved.connect(self.update)
        segments.moved.connect(self.update)
        theme.changed.connect(self.update)

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        """Show the citations of the leading system."""
        self._view_model = view_model
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        view_model = self._view_model
        if view_model is None or not view_model.shown or not self._segments.n_rows():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.rect().adjusted(0, 34, 0, -2))
        system = view_model.lead
        above, across = self._sentences.top_in(self), self._segments.top_in(self)
        bold: list[tuple[QPainterPath, QPen, QPointF, QPointF]] = []
        for sentence in view_model.topic.systems[system].sentences:
            if sentence.number > self._sentences.n_rows():
                break
            y, seen = self._sentences.middle_of(sentence.number - 1)
            for each in sentence.cites:
                end, listed = self._segments.middle_of(each.segment) if each.segment >= 0 else (0.0, False)
                if not seen and not listed:
                    continue
                path, pen, ends = self._curve(view_model, above + y, across + end, each.segment)
                strong = self._is_lit(view_model, sentence.number, each.segment)
                if strong:
                    pen.setWidthF(3.2)
                    bold.append((path, pen, *ends))
                else:
                    self._draw(painter, path, pen, *ends, 2.2)
        for path, pen, first, last in bold:
            self._draw(painter, path, pen, first, last, 3.4)

    def _is_lit(self, view_model: AnswerViewModel, number: int, segment: int) -> bool:
        kind, lit = view_model.selection.kind, view_model.lit_sentences[view_model.lead]
        if kind == "sentence":
            return number in lit
        return bool(kind) and segment in view_model.lit_segments and segment >= 0

    def _curve(
        self, view_model: AnswerViewModel, start: float, end: float, segment: int
    ) -> tuple[QPainterPath, QPen, tuple[QPointF, QPointF]]:
        theme, width = self._theme, float(self.width())
        first = QPointF(2, start)
        if segment < 0:
            last = QPointF(width * 0.45, min(first.y() + 16, self.height() - 4))
            pen = QPen(theme["worse"], 1.4)
            pen.setDashPattern([2.5, 2.5])
        else:
            last = QPointF(width - 2, end)
            grade = view_model.topic.segments[segment].grade
            if math.isnan(grade):
                pen = QPen(theme["faint"], 1.3)
                pen.setDashPattern([3.0, 2.5])
            elif grade <= 0:
                pen = QPen(theme["nonrelevant_ink"], 1.2)
            else:
                pen = QPen(link_colour(theme, grade, view_model.max_grade), 1.6)
        path = QPainterPath(first)
        middle = (first.x() + last.x()) / 2
        path.cubicTo(QPointF(middle, first.y()), QPointF(middle, last.y()), last)
        return path, pen, (first, last)

    @staticmethod
    def _draw(painter: QPainter, path: QPainterPath, pen: QPen, first: QPointF, last: QPointF, dot: float) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pen.color())
        painter.drawEllipse(first, dot, dot)
        painter.drawEllipse(last, dot, dot)

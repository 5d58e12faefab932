"""The list that answers were made from: rank, grade, segment, and which sentences of each system cite it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from irviewer.analysis.answers.context_ranks import bounds_text
from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.painted_rows import PaintedRows
from irviewer.gui.query.answer.signs import LEFT, RIGHT, cut, metrics_of
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip, draw_swatch, grade_text
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import UNJUDGED
from irviewer.session.view_models.answers import SEGMENT, STAGES, AnswerViewModel, number_list
from irviewer.translation import decimal, tr, trn

ROW, ROW_LEAST, TITLED = 29, 22, 36
RANK, CITED = 24, 50
ID = 100
"""The room of an id that more columns of systems leave, in pixels."""
NOT_CITED = tr("not cited")


def shared_beginning(documents: Sequence[str]) -> int:
    """Return how many letters of ids are the same in all of them, up to a separator."""
    if len(documents) < 2:
        return 0
    first, last = min(documents), max(documents)
    same = first[: next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))]
    return max((same.rfind(sign) + 1 for sign in "_-/.:"), default=0)


def chunk_of(document: str) -> tuple[str, str]:
    """Return the beginning of an id and its part of the document: of ``doc_05_1587#3_303`` ``doc_05_1587`` and
    ``#3``."""
    head, hash_sign, tail = document.rpartition("#")
    return (head, f"#{tail.split('_')[0]}") if hash_sign else (document, "")


def cited_width() -> int:
    """Return the pixels of what cites a segment, at least those of “not cited” in the user's language."""
    return max(CITED, math.ceil(metrics_of(8.5, numbers=True).horizontalAdvance(NOT_CITED)) + 4)


BOUNDS = "≥ 10, ≤ 20"
"""Bounds of a rank, which are as wide; without a context only the lower one."""


def bounds_width(theme: Theme, both: bool) -> int:
    """Return the pixels of the bounds of a rank, or of the lower one alone, with a space behind them."""
    return math.ceil(QFontMetricsF(theme.font(8, numbers=True)).horizontalAdvance(BOUNDS if both else BOUNDS[:4])) + 7


@guarded
class SegmentList(PaintedRows):
    """The segments; a heavy line where the context ends, and below what is cited beside the list."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("The list that answers were made from"))
        self._view_model: AnswerViewModel | None = None
        self._shared = 0

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        former = self._view_model
        self._view_model = view_model
        if former is None or view_model is None or former.topic is not view_model.topic:
            segments = () if view_model is None else view_model.topic.segments
            self._shared = shared_beginning([segment.document for segment in segments])
            self.current = -1
            self.verticalScrollBar().setValue(0)
            self.show_rows()
        if view_model is not None and (former is None or former.selection != view_model.selection):
            chosen = view_model.selection
            lit = sorted(view_model.lit_segments)
            if chosen.kind == SEGMENT:
                self.set_current(chosen.place)
            elif lit:
                self.current = -1
                self.bring_into_sight(lit[0])
        if view_model is None:
            self.paint_other()
        else:
            self.paint_other(view_model.topic, view_model.labels, self._systems(), view_model.lit_segments,
                             view_model.max_grade, view_model.titles)  # fmt: skip

    def n_rows(self) -> int:
        return 0 if self._view_model is None else len(self._view_model.topic.segments)

    def height_of(self, row: int, width: int) -> int:
        if self._view_model is not None and self._view_model.titles:
            return TITLED
        fits = self.viewport().height() // max(1, self.n_rows())  # all ranks at once, if low rows show them
        return max(ROW_LEAST, min(ROW, fits))

    def paint_row(self, painter: QPainter, row: int, box: QRect) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None:
            return
        topic = view_model.topic
        segment, colours = topic.segments[row], theme.colours
        lit = row in view_model.lit_segments
        self.ground(painter, row, box, lit)
        if lit:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height() - 1), colours["ink"])
        painter.setFont(theme.font(9, numbers=True))
        painter.setPen(colours["muted"])
        rank = str(segment.rank) if segment.rank else "+" if topic.listed else str(row + 1)
        painter.drawText(QRectF(0, box.top(), RANK, box.height()), int(RIGHT), rank)
        middle = box.top() + (box.height() - CHIP_HEIGHT) // 2
        chip = QRect(RANK + 5, middle, CHIP_WIDTH, CHIP_HEIGHT)
        draw_grade_chip(painter, chip, segment.grade, view_model.max_grade, theme)
        systems = self._systems()
        left = RANK + CHIP_WIDTH + 12
        wide = cited_width()
        cells = box.width() - len(systems) * wide - 4
        cited_by = any(segment.cited[place] for place in systems)
        bounds = bounds_text(segment.low, segment.high)
        if bounds is not None:
            painter.setFont(theme.font(8, numbers=True))
            painter.setPen(colours["muted"])
            width = bounds_width(theme, bool(topic.context))
            painter.drawText(QRect(left, box.top(), width, box.height()), int(LEFT), bounds)
            left += width
        self._paint_id(painter, row, QRect(left, box.top(), cells - left - 4, box.height()), cited_by)
        for number, place in enumerate(systems):
            self._paint_cited(painter, QRect(cells + number * wide, box.top(), wide, box.height()), row, place)
        if topic.listed and topic.context and segment.rank == topic.context:
            painter.fillRect(QRect(0, box.bottom() - 1, box.width(), 2), colours["ink"])
        elif topic.listed and row == topic.listed_count - 1 and row + 1 < len(topic.segments):
            painter.fillRect(QRect(0, box.bottom() - 1, box.width(), 2), colours["control_border"])

    def _systems(self) -> list[int]:
        """Return the systems that have a column: as many as have room, the leading ones first."""
        view_model = self._view_model
        if view_model is None:
            return []
        most = max(1, (self.viewport().width() - RANK - CHIP_WIDTH - 14 - ID) // cited_width())
        order = [*view_model.shown, *(n for n in range(len(view_model.labels)) if n not in view_model.shown)]
        return sorted(order[:most])

    def _paint_id(self, painter: QPainter, row: int, box: QRect, cited: bool) -> None:
        view_model, theme = self._view_model, self._theme
        assert view_model is not None
        segment = view_model.topic.segments[row]
        head, chunk = chunk_of(escape_hidden(segment.document[self._shared :]))
        title = view_model.titles.get(segment.document, "")
        line = QRect(
            box.left(), box.top() + (3 if title else 0), box.width(), box.height() // 2 if title else box.height()
        )
        bold, plain = theme.font(9, weight=700), theme.font(9)
        room = line.width() - metrics_of(9, 700).horizontalAdvance(f" {chunk}") if chunk else line.width()
        shown = cut(head, max(10, int(room) - 2), 9, 400, Qt.TextElideMode.ElideLeft)
        painter.setFont(plain)
        painter.setPen(theme.colours["text" if cited else "muted"])
        painter.drawText(line, int(LEFT), shown)
        if chunk:
            at = line.left() + round(metrics_of(9).horizontalAdvance(shown)) + 4
            painter.setFont(bold)
            painter.drawText(QRect(at, line.top(), line.right() - at + 4, line.height()), int(LEFT), chunk)
        if title:
            painter.setFont(theme.font(8.5))
            painter.setPen(theme.colours["muted"])
            below = QRect(box.left(), line.bottom(), box.width(), box.height() - line.height() - 4)
            text = cut(escape_hidden(title), below.width(), 8.5)
            painter.drawText(below, int(LEFT), text)

    def _paint_cited(self, painter: QPainter, box: QRect, row: int, place: int) -> None:
        view_model, theme = self._view_model, self._theme
        assert view_model is not None
        numbers = view_model.topic.segments[row].cited[place]
        painter.setFont(theme.font(8.5, numbers=True))
        if not numbers:
            painter.setPen(theme.colours["muted"])
            text = cut(NOT_CITED, box.width() - 2, 8.5, numbers=True)
            painter.drawText(box, int(LEFT), text if view_model.topic.systems[place].answered else "–")
            return
        draw_swatch(painter, QRect(box.left(), box.center().y() - 4, 8, 8), theme.run(view_model.labels[place]), True)
        painter.setPen(theme.colours["text"])
        text = cut(number_list(numbers, 3), box.width() - 13, 8.5, mode=Qt.TextElideMode.ElideRight, numbers=True)
        painter.drawText(box.adjusted(12, 0, 0, 0), int(LEFT), text)

    def words_of(self, row: int) -> str:
        view_model = self._view_model
        if view_model is None:
            return ""
        segment = view_model.topic.segments[row]
        bounds = bounds_text(segment.low, segment.high)
        if segment.rank:
            rank = tr("rank {rank}", rank=segment.rank)
        elif bounds is not None:
            rank = tr("rank {rank} of the list, as far as references tell", rank=bounds)
        else:
            rank = tr("not in the list")
        grade = tr("unjudged") if math.isnan(segment.grade) else tr("grade {grade}", grade=grade_text(segment.grade))
        cited = [
            tr("{run} cites it in {sentences}", run=view_model.labels[place].name, sentences=number_list(numbers, 99))
            for place, numbers in enumerate(segment.cited) if numbers
        ]  # fmt: skip
        return ", ".join((rank, segment.document, grade, *(cited or [NOT_CITED])))

    def tip_of(self, row: int) -> str:
        return self.words_of(row).replace(", ", "\n", 1)

    def empty_words(self) -> str:
        return tr("Nothing is cited, and no list is open.")

    def sizeHint(self) -> QSize:
        return QSize(260, 400)


def lost_words(view_model: AnswerViewModel) -> tuple[str, ...]:
    """Return where the leading system lost vital nuggets, in lines: a head, then the stages."""
    total = sum(count for _, count in view_model.lost)
    if not view_model.topic.nuggets:
        return ()
    head = tr("Lost vital nuggets: {n:,}", n=total)
    known = [(stage, count) for stage, count in view_model.lost if stage != "unknown"]
    unknown = sum(count for stage, count in view_model.lost if stage == "unknown")
    parts = [
        ("≈ " if view_model.topic.by_grades and stage != "partly" else "")
        + f"{STAGES.get(stage, stage)} {decimal(f'{count:,}')}"
        for stage, count in known
    ]
    if unknown and not view_model.topic.listed:
        parts.append(f"{tr('cannot be known')} {decimal(f'{unknown:,}')}")
    elif unknown:
        parts.append(trn("not said {n:,}: no segment is linked to it", "not said {n:,}: no segment is linked to them",
                         unknown))  # fmt: skip
    vital = [row.labels[view_model.lead] for row in view_model.topic.nuggets if row.is_vital]
    unjudged = sum(label == UNJUDGED for label in vital)
    if unjudged:
        said = trn("{n:,} vital nugget is not judged", "{n:,} vital nuggets are not judged", unjudged)
        if unjudged == len(vital):
            return (tr("Which vital nuggets were lost is not known."), said)
        parts.append(said)
    if not vital:
        return (tr("The topic has no vital nugget."),)
    return (head, " · ".join(parts)) if total or unjudged else (tr("No vital nugget was lost."),)

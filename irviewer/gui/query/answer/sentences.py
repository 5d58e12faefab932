"""The sentences of one answer, with the ranks that each cites."""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QPainter

from irviewer.analysis.answers.topic_answers import Sentence
from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.painted_rows import PaintedRows
from irviewer.gui.query.answer.signs import (
    BOX,
    BOX_HEIGHT,
    RIGHT,
    Blocks,
    draw_block,
    draw_none,
    draw_rank,
    metrics_of,
)
from irviewer.gui.theme import Theme
from irviewer.model.answers.labels import UNJUDGED
from irviewer.session.view_models.answers import LABELS, SENTENCE, AnswerViewModel
from irviewer.translation import tr

NUMBER, ROOM, GAP, PAD = 28, 52, 3, 5
MOST_BOXES = 9
LONGEST_MARK = 3
"""The characters of a number in brackets that a box has room for."""
NONE = tr("none")
_WORD = re.compile(r"\S+")


@guarded
class SentenceList(PaintedRows):
    """The sentences of the system at ``place`` among those shown."""

    def __init__(self, theme: Theme, place: int) -> None:
        super().__init__(theme, tr("Sentences of the answer"))
        self._view_model: AnswerViewModel | None = None
        self.place = place
        self._blocks = Blocks()
        self._font = theme.font(9)

    @property
    def system(self) -> int:
        """The place of the system that is shown, -1 for none."""
        view_model = self._view_model
        return view_model.shown[self.place] if view_model is not None and self.place < len(view_model.shown) else -1

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        former, before = self._view_model, self.system
        self._view_model = view_model
        same = former is not None and view_model is not None and former.topic is view_model.topic
        budgets = [None if each is None else each.budget for each in (former, view_model)]
        if not same or before != self.system or budgets[0] != budgets[1]:
            self.current = -1
            self.verticalScrollBar().setValue(0)
            self.show_rows()
        if view_model is None:
            return
        lit = sorted(view_model.lit_sentences[self.system]) if self.system >= 0 else []
        chosen = view_model.selection
        if lit and (former is None or former.selection != chosen or not same):
            self.set_current(lit[0] - 1)
            if chosen.kind != SENTENCE:
                self.current = -1
        self.viewport().update()

    def _sentences(self) -> tuple[Sentence, ...]:
        view_model, system = self._view_model, self.system
        return () if view_model is None or system < 0 else view_model.topic.systems[system].sentences

    def n_rows(self) -> int:
        return len(self._sentences())

    def _marks(self, row: int) -> list[tuple[int, int]]:
        """Return the words beyond the budget, as (start, length) in the text."""
        sentence, budget = self._sentences()[row], self._view_model.budget if self._view_model else 0
        if not budget or sentence.words_before + sentence.words <= budget:
            return []
        words = list(_WORD.finditer(sentence.text[:4000]))
        kept = max(0, budget - sentence.words_before)
        return [(words[kept].start(), words[-1].end() - words[kept].start())] if kept < len(words) else []

    def _block(self, row: int, width: int):  # type: ignore[no-untyped-def]
        text = self._sentences()[row].text
        return self._blocks.get(
            text if text.strip() else tr("(empty)"), self._font, width - NUMBER - self._room() - 12, self._marks(row)
        )

    def _room(self) -> int:
        return max(ROOM, round(metrics_of(9).horizontalAdvance(NONE)) + 16)

    def height_of(self, row: int, width: int) -> int:
        count = min(MOST_BOXES, len(self._sentences()[row].cites))
        per_line = max(1, (self._room() + GAP) // (BOX + GAP))
        lines = -(-count // per_line) if count else 1
        return round(max(self._block(row, width).height, lines * (BOX_HEIGHT + GAP))) + 2 * PAD

    def paint_row(self, painter: QPainter, row: int, box: QRect) -> None:
        view_model, theme = self._view_model, self._theme
        if view_model is None:
            return
        sentence, number = self._sentences()[row], row + 1
        lit = number in view_model.lit_sentences[self.system]
        self.ground(painter, row, box, lit)
        chosen = view_model.selection
        mine = chosen.kind == SENTENCE and chosen.system == self.system and chosen.place == number
        if lit:
            painter.fillRect(QRect(box.left(), box.top(), 3 if mine else 2, box.height() - 1), theme.colours["ink"])
        painter.setFont(theme.font(9, numbers=True))
        painter.setPen(theme.colours["muted"])
        block = self._block(row, box.width())
        top = box.top() + PAD + max(0.0, (box.height() - 2 * PAD - block.height) / 2)
        painter.drawText(QRectF(0, box.top(), NUMBER - 7, box.height()), int(RIGHT), str(number))
        draw_block(painter, block, NUMBER, top, theme.colours["text" if sentence.text.strip() else "muted"])
        self._paint_boxes(painter, row, box, lit)

    def _paint_boxes(self, painter: QPainter, row: int, box: QRect, lit: bool) -> None:
        view_model, sentence = self._view_model, self._sentences()[row]
        assert view_model is not None
        right = box.right() - 8
        if not sentence.cites:
            width = round(metrics_of(9).horizontalAdvance(NONE)) + 12
            draw_none(painter, QRectF(right - width, box.center().y() - 8, width, 17), NONE, self._theme)
            return
        cites = sentence.cites[:MOST_BOXES]
        per_line = max(1, (self._room() + GAP) // (BOX + GAP))
        lines = [cites[start : start + per_line] for start in range(0, len(cites), per_line)]
        y = box.center().y() - len(lines) * (BOX_HEIGHT + GAP) / 2 + 1
        painter.setFont(self._theme.font(8.5))
        shown = 0
        for line in lines:
            x = float(right - len(line) * (BOX + GAP) + GAP)
            for each in line:
                shown += 1
                text = view_model.cited_text(each)
                if each.segment < 0 and len(text) > LONGEST_MARK:
                    text = "?"
                if shown == MOST_BOXES and len(sentence.cites) > MOST_BOXES:
                    text = "…"
                strong = each.segment in view_model.lit_segments if each.segment >= 0 else lit
                draw_rank(painter, QRectF(x, y, BOX, BOX_HEIGHT), text, self._theme, strong=strong and lit,
                          nowhere=each.segment < 0)  # fmt: skip
                x += BOX + GAP
            y += BOX_HEIGHT + GAP

    def words_of(self, row: int) -> str:
        view_model, sentence = self._view_model, self._sentences()[row]
        if view_model is None:
            return ""
        cites = ", ".join(view_model.cited_text(each) for each in sentence.cites)
        said = tr("cites {ranks}", ranks=cites) if cites else tr("cites nothing")
        return f"{row + 1}: {sentence.text[:2000]} – {said}"

    def tip_of(self, row: int) -> str:
        sentence = self._sentences()[row]
        lines = []
        for each in sentence.cites[:12]:
            words = each.document
            if each.segment < 0 and each.document.startswith("["):
                words = tr("{mark} in the text: no reference has this number", mark=each.document)
            elif each.segment < 0:
                words = tr("{place}: no reference has this place", place=each.document)
            if each.support != UNJUDGED:
                words += f" – {tr('support')}: {LABELS[each.support]}"
            if each.score == each.score:
                words += f" ({each.score:g})"
            lines.append(words)
        if self._marks(row):
            lines.append(tr("Underlined: beyond the budget"))
        return "\n".join(lines)

    def empty_words(self) -> str:
        view_model = self._view_model
        if view_model is None or self.system < 0:
            return ""
        if not view_model.topic.systems[self.system].answered:
            return "\n\n".join((tr("There is no answer of this system to the topic."), *view_model.missing[:1]))
        return tr("The answer is empty.")

    def sizeHint(self) -> QSize:
        return QSize(440, 400)

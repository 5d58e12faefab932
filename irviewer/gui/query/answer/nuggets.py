"""The nuggets of a topic, by importance and label, with a circle for each system."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QPainter

from irviewer.gui.guard import guarded
from irviewer.gui.query.answer.painted_rows import PaintedRows
from irviewer.gui.query.answer.signs import RIGHT, Block, Blocks, cut, draw_block, draw_label
from irviewer.gui.theme import Theme
from irviewer.hidden_characters import escape_hidden
from irviewer.session.view_models.answers import IMPORTANCES, LABELS, NUGGET, STAGES, AnswerViewModel, number_list
from irviewer.translation import tr

HEADING, CIRCLE, ALIKE, SIDE, PAD = 18, 23, 50, 9, 3


@guarded
class NuggetList(PaintedRows):
    """Headings and nuggets. ``nuggets`` of a row are negative for a heading."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("Nuggets"))
        self._view_model: AnswerViewModel | None = None
        self._rows: list[int] = []
        self._titles: list[str] = []
        self._near: dict[int, str] = {}
        self._blocks = Blocks()

    def show_view_model(self, view_model: AnswerViewModel | None) -> None:
        former = self._view_model
        self._view_model = view_model
        if former is None or view_model is None or (former.topic, former.lead, former.hints) != (
            view_model.topic, view_model.lead, view_model.hints
        ):  # fmt: skip
            self._near = {}
        rows: list[int] = []
        titles: list[str] = []
        for group in () if view_model is None else view_model.groups:
            titles.append(group.title)
            rows.append(-len(titles))
            rows += group.rows
        other = former is None or view_model is None or former.topic is not view_model.topic
        shape = former is not None and view_model is not None and former.hints != view_model.hints
        if rows != self._rows or titles != self._titles or other or shape:
            self._rows, self._titles = rows, titles
            if other:
                self.current = -1
                self.verticalScrollBar().setValue(0)
            self.show_rows()
        if view_model is not None and (former is None or former.selection != view_model.selection):
            lit = [row for row, nugget in enumerate(rows) if nugget in view_model.lit_nuggets]
            if lit:
                self.bring_into_sight(lit[0])
            chosen = view_model.selection
            self.current = rows.index(chosen.place) if chosen.kind == NUGGET and chosen.place in rows else -1
        self.viewport().update()

    def nugget_of(self, row: int) -> int:
        """Return the place of a row's nugget in the topic, -1 for a heading."""
        return max(-1, self._rows[row])

    def n_rows(self) -> int:
        return len(self._rows)

    def can_choose(self, row: int) -> bool:
        return self._rows[row] >= 0

    def _circles(self) -> int:
        return 0 if self._view_model is None else CIRCLE * len(self._view_model.labels) + 4

    def _room(self, width: int) -> int:
        alike = ALIKE if self._view_model is not None and self._view_model.hints else 4
        return width - SIDE - alike - self._circles()

    def _block(self, nugget: int, width: int) -> Block:
        assert self._view_model is not None
        row = self._view_model.topic.nuggets[nugget]
        font = self._theme.font(9, weight=600 if row.is_vital else 400)
        return self._blocks.get(row.text if row.text.strip() else tr("(empty)"), font, self._room(width))

    def _below(self, nugget: int) -> list[tuple[str, str]]:
        """Return the lines below a nugget with their colours: the check, where it was lost, and which sentence comes
        nearest where none is like it."""
        view_model = self._view_model
        if view_model is None:
            return []
        row, lines = view_model.topic.nuggets[nugget], []
        lacking = row.lacks[view_model.lead] if row.lacks else ()
        if lacking:
            quoted = ", ".join(f"“{text}”" for text in lacking)
            other = view_model.topic.systems[view_model.lead].judged_text
            lines.append((
                tr("▸ {texts} is nowhere in the text that was judged: check", texts=quoted) if other
                else tr("▸ {texts} is nowhere in the answer: check", texts=quoted), "worse",
            ))  # fmt: skip
        stage = row.stages[view_model.lead] if row.stages else ""
        if stage not in ("", "unknown", "partly"):
            sign = "≈ " if view_model.topic.by_grades else ""
            lines.append((tr("lost: {stage}", stage=sign + STAGES[stage]), "muted"))
        if nugget not in self._near:
            self._near[nugget] = view_model.near_words(nugget)
        if self._near[nugget]:
            lines.append((self._near[nugget], "muted"))
        return lines

    def height_of(self, row: int, width: int) -> int:
        nugget = self._rows[row]
        if nugget < 0:
            return HEADING
        return round(self._block(nugget, width).height) + 2 * PAD + 14 * len(self._below(nugget))

    def paint_row(self, painter: QPainter, row: int, box: QRect) -> None:
        view_model, theme, nugget = self._view_model, self._theme, self._rows[row]
        if view_model is None:
            return
        colours = theme.colours
        if nugget < 0:
            painter.setFont(theme.font(8.5, weight=600))
            painter.setPen(colours["muted"])
            painter.drawText(QRectF(SIDE, box.top() + 2, box.width() - SIDE, HEADING - 2), 0, self._titles[-nugget - 1])
            return
        item = view_model.topic.nuggets[nugget]
        lit = nugget in view_model.lit_nuggets
        self.ground(painter, row, box, lit)
        if lit:
            painter.fillRect(QRect(box.left(), box.top(), 3, box.height() - 1), colours["ink"])
        block = self._block(nugget, box.width())
        draw_block(painter, block, SIDE, box.top() + PAD, colours["ink" if item.is_vital else "text"])
        y = box.top() + PAD + block.height
        painter.setFont(theme.font(8.5))
        for text, colour in self._below(nugget):
            painter.setPen(colours[colour])
            shown = cut(escape_hidden(text), self._room(box.width()) + ALIKE - 4, 8.5)
            painter.drawText(QRectF(SIDE, y - 1, box.width() - SIDE, 14), 0, shown)
            y += 14
        left = box.width() - self._circles()
        middle = box.top() + PAD + block.height / 2
        if view_model.hints and item.alike and item.alike[view_model.lead]:
            painter.setPen(colours["muted"])
            painter.setFont(theme.font(8.5, numbers=True))
            room = QRectF(left - ALIKE - 4, middle - 9, ALIKE, 18)
            text = "≈ " + number_list(item.alike[view_model.lead], 2)
            painter.drawText(room, int(RIGHT), cut(text, ALIKE, 8.5, numbers=True))
        for place, label in enumerate(item.labels):
            draw_label(painter, QPointF(left + CIRCLE * (place + 0.5), middle), label, theme)

    def words_of(self, row: int) -> str:
        view_model, nugget = self._view_model, self._rows[row]
        if view_model is None:
            return ""
        if nugget < 0:
            return self._titles[-nugget - 1]
        item = view_model.topic.nuggets[nugget]
        said = [f"{view_model.labels[place].name}: {LABELS[label]}" for place, label in enumerate(item.labels)]
        return ", ".join((item.text[:2000], IMPORTANCES.get(item.importance, item.importance_text), *said,
                          *(text for text, _ in self._below(nugget))))  # fmt: skip

    def tip_of(self, row: int) -> str:
        view_model, nugget = self._view_model, self._rows[row]
        if view_model is None or nugget < 0:
            return ""
        item = view_model.topic.nuggets[nugget]
        lines = []
        if item.importance not in (0, 1):
            lines.append(tr("importance in the file: {text}", text=item.importance_text or "–"))
        for place, label in enumerate(item.labels):
            name = view_model.labels[place].name
            line = f"{name}: {LABELS[label]}"
            if item.alike[place]:
                line += " · " + tr("≈ sentences {numbers}: at least half of its words",
                                   numbers=number_list(item.alike[place], 12))  # fmt: skip
            if item.reasons[place]:
                line += f" · {item.reasons[place]}"
            lines.append(line)
        if item.stages and item.stages[view_model.lead] == "unknown":
            lines.append(tr("Where it was lost cannot be known: no document is known to hold it, or the list is not."))
        return "\n".join(lines)

    def empty_words(self) -> str:
        view_model = self._view_model
        if view_model is None:
            return ""
        return "\n\n".join(view_model.missing) or tr("This topic has no nuggets.")

    def sizeHint(self) -> QSize:
        return QSize(332, 420)

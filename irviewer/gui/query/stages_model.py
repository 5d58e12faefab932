"""The columns of Stages: queries with what their last stage keeps and loses, and documents with their ranks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from irviewer.gui.tables.cells import draw_right
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.ledger_model import GradeColumn
from irviewer.gui.tables.model import NOTHING, CellPainter, Column, NumberColumn, TableModel, TextColumn
from irviewer.gui.tables.statistics_columns import IntervalColumn
from irviewer.gui.theme import Theme
from irviewer.model.arrays import Floats, Ints
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.stages import StagesViewModel, fate_text
from irviewer.translation import decimal, tr

LOST_FILL = 0.16
"""How much of the colour of losses is in their pale fill."""
BAR_HEIGHT = 11


class CountColumn(NumberColumn):
    """Counts; those of a loss with ▼, "–" for none."""

    def __init__(self, name: str, title: str, cells: Ints, tooltip: str, *, loss: bool = False) -> None:
        super().__init__(name, title, cells, tooltip, counts=True)
        self.loss = loss

    def text(self, row: int) -> str:
        number = int(self.cells.item(row))
        if not self.loss:
            return decimal(f"{number:,}")
        return f"▼ {number:,}" if number else NOTHING


class OfColumn(CountColumn):
    """Counts out of a largest possible count: "3 of 10"."""

    def __init__(self, name: str, title: str, cells: Ints, possible: Ints, tooltip: str) -> None:
        super().__init__(name, title, cells, tooltip)
        self.possible = possible

    def text(self, row: int) -> str:
        return tr("{n:,} of {possible:,}", n=int(self.cells.item(row)), possible=int(self.possible.item(row)))


class RankColumn(NumberColumn):
    """Ranks of a stage; "–" where it does not return the document."""

    def __init__(self, name: str, letter: str, run: RunLabel, cells: Floats, tooltip: str) -> None:
        super().__init__(name, letter, cells, tooltip, counts=True, missing=tr("not returned"), descending_first=False)
        self.run = replace(run, name=letter, short=letter, shown=True)  # the letter identifies it, and needs less room
        self.titles = (letter,)


class ChangeColumn(NumberColumn):
    """Ranks won (▲) or lost (▼) from the first stage to the last; "=" for none."""

    def text(self, row: int) -> str:
        number = float(self.cells.item(row))
        if math.isnan(number):
            return NOTHING
        return "=" if not number else f"{'▲' if number > 0 else '▼'}{abs(number):.0f}"


class SumColumn(IntervalColumn):
    """Bars float64[3, n]: the last stage's value, lost by its order, out of reach; ``first`` float64[n] is the first
    stage's value. ``most`` is the end of the axis, ``run`` and ``first_run`` the stages."""

    def __init__(self, view_model: StagesViewModel, values: Floats, first: Floats) -> None:
        title = tr("{measure}: kept, lost", measure=view_model.measure)
        last = view_model.letters[-1]
        tip = tr(
            "{last}’s value, what its order loses, and what is out of its reach; the line is {first}’s value",
            last=last, first=view_model.letters[0],
        )  # fmt: skip
        super().__init__("order", title, values[0], first, values[0] + values[1], view_model.most, tip)
        self.parts, self.first, self.most = values, first, view_model.most
        self.last_run, self.first_run = view_model.stages[-1], view_model.stages[0]
        self.higher_is_better = view_model.higher_is_better
        self.titles = (title, view_model.measure)

    def text(self, row: int) -> str:
        value, order, reach = self.parts[:, row].tolist()
        return tr("{value:.4f} kept, {order:.4f} lost by order, {reach:.4f} out of reach",
                  value=value, order=order, reach=reach)  # fmt: skip

    def value(self, row: int) -> str | None:
        return " ".join(f"{part:.10g}" for part in self.parts[:, row].tolist())

    def tip(self, row: int) -> str:
        return f"{self.text(row)}\n{self.tooltip}"


class SumCell:
    """Bars of a :class:`SumColumn`: filled, pale amber with an edge, dashed; a line for the first stage."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SumColumn):
            return
        room = QRectF(box).adjusted(12, 0, -14, 0)
        top = round(box.top() + (box.height() - BAR_HEIGHT) / 2)
        scale = room.width() / column.most
        value, order, reach = (0.0 if math.isnan(part) else part for part in column.parts[:, row].tolist())
        x = room.left()
        kept = QRectF(x, top, value * scale, BAR_HEIGHT)
        painter.fillRect(kept, self._theme.run(column.last_run))
        if column.higher_is_better:
            draw_lost(painter, QRectF(kept.right(), top, order * scale, BAR_HEIGHT), self._theme)
            draw_room(painter, QRectF(kept.right() + order * scale, top, reach * scale, BAR_HEIGHT), self._theme)
        first = float(column.first.item(row))
        if not math.isnan(first):
            at = round(x + first * scale)
            painter.fillRect(QRectF(at - 2, top - 3, 4, BAR_HEIGHT + 6), ground)
            painter.fillRect(QRectF(at - 1, top - 3, 2, BAR_HEIGHT + 6), self._theme.run(column.first_run))


class LossCell:
    """A right-aligned text in the colour of losses, muted where there is none; changes of rank by their side."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        text = column.text(row)
        name = "worse" if text.startswith("▼") else "better" if text.startswith("▲") else "text"
        painter.setPen(self._theme["muted" if text in (NOTHING, "=") else name])
        draw_right(painter, box, text, self._density)


def draw_lost(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Draw what is lost: pale amber with an amber edge; nothing below half a pixel."""
    if bar.width() < 0.5:
        return
    fill = QColor(theme["worse"])
    fill.setAlphaF(LOST_FILL)
    painter.fillRect(bar, fill)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme["worse"], 1))
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


def draw_room(painter: QPainter, bar: QRectF, theme: Theme) -> None:
    """Draw what nobody could have: dashed and empty."""
    if bar.width() < 0.5:
        return
    pen = QPen(theme["faint"], 1)
    pen.setDashPattern([3.0, 2.5])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


class StageQueriesModel(TableModel):
    """The queries of a :class:`StagesViewModel`. The keys of the rows are their ids."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return stage_painters(theme, density)

    def set_view_model(self, view_model: StagesViewModel) -> None:
        """Show a view model."""
        if view_model.counts is None or view_model.room is None or view_model.lost is None:
            self.clear()
            return
        assert view_model.values is not None
        assert view_model.first_values is not None
        steps = view_model.steps
        columns: list[Column] = [
            TextColumn("query", tr("query"), view_model.query_ids, tr("Query id"), bold=True),
            TextColumn("text", tr("text"), view_model.texts, tr("Query text")),
            CountColumn("step-0", tr("relevant"), view_model.counts[0], steps[0].title),
        ]
        for step in steps[1:-1]:
            if step.number > 1 and np.array_equal(view_model.counts[step.number], view_model.counts[step.number - 1]):
                continue  # it re-orders the documents of the stage before
            letter = view_model.letters[step.number - 1]
            columns.append(
                CountColumn(f"step-{step.number}", tr("in {stage}", stage=letter), view_model.counts[step.number],
                            tr("relevant documents {where}", where=step.title))
            )  # fmt: skip
        columns += [
            OfColumn(
                f"step-{len(steps) - 1}",
                tr("{stage}’s top {top}", stage=view_model.letters[-1], top=view_model.top),
                view_model.counts[-1],
                view_model.room,
                tr("relevant documents {where}, of those for which there is room", where=steps[-1].title),
            ),
            CountColumn(
                "lost",
                tr("lost"),
                view_model.lost,
                tr("relevant documents lost: {where}", where=view_model.filter_text or tr("by all stages")),
                loss=True,
            ),
            TextColumn(
                "cause",
                tr("most by"),
                view_model.causes,
                tr("The stage at which the query loses most relevant documents"),
            ),
            SumColumn(view_model, view_model.values, view_model.first_values),
        ]
        self.show(tuple(columns), view_model.query_ids, view_model.sort)


class StageDocumentsModel(TableModel):
    """The documents of the selected query. The keys of the rows are their ids."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return stage_painters(theme, density)

    def set_view_model(self, view_model: StagesViewModel) -> None:
        """Show a view model."""
        documents = view_model.documents
        if not view_model.steps:
            self.clear()
            return
        ids = tuple(document.doc_id for document in documents)
        names = tuple(title or document.doc_id for document, title in zip(documents, view_model.titles, strict=True))
        tips = tuple(
            f"{document.doc_id}\n{title}" for document, title in zip(documents, view_model.titles, strict=True)
        )
        grades = np.array([document.grade for document in documents], dtype=np.float64)
        columns: list[Column] = [
            GradeColumn("grade", tr("grade"), grades, ids, view_model.max_grade, tr("grade")),
            TextColumn("document", tr("document"), names, tr("Title or beginning of the document"), tips=tips),
        ]
        for place, (letter, run) in enumerate(zip(view_model.letters, view_model.stages, strict=True)):
            ranks = np.array([document.ranks[place] or math.nan for document in documents], dtype=np.float64)
            columns.append(RankColumn(f"rank-{place}", letter, run, ranks, tr("Rank in {run}", run=run.name)))
        changes = np.array(
            [math.nan if document.change is None else document.change for document in documents], dtype=np.float64
        )
        columns += [
            ChangeColumn("change", tr("change"), changes, tr("Ranks by which the document rises or falls")),
            TextColumn("fate", tr("top {top}", top=view_model.top),
                       tuple(fate_text(document, view_model) for document in documents),
                       tr("What became of the document between the first stage and the last")),
        ]  # fmt: skip
        self.line_below = view_model.line
        self.show(tuple(columns), ids, ("rank", False))


def stage_painters(theme: Theme, density: Density) -> dict[type[Column], CellPainter]:
    """Return a painter for each kind of column of this view that other tables do not have."""
    loss = LossCell(theme, density)
    return {SumColumn: SumCell(theme), CountColumn: loss, OfColumn: loss, ChangeColumn: loss, RankColumn: loss}

"""The columns of Collections, and of the forest plot below it, with their painters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from irviewer.gui.tables.cells import draw_right, heat_colour
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import (
    NOTHING,
    CellPainter,
    Column,
    NumberColumn,
    RunColumn,
    TableModel,
    TextColumn,
    number_text,
)
from irviewer.gui.tables.statistics_columns import IntervalColumn, PColumn
from irviewer.gui.theme import Theme, aligned, make_font
from irviewer.gui.widgets.painting import draw_hatch
from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.number_text import MINUS, percent
from irviewer.session.view_models.collections import BETTER, WORSE, CollectionsViewModel, ForestLine, tick_step
from irviewer.translation import decimal, tr

MARK_ROOM = 12
"""Pixels right of the numbers in which † and ‡ hang, so that figures align."""
LEVELS = 64
NO_RUN = tr("no run")
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)


class ValueColumn(NumberColumn):
    """Means of the systems on a collection, or over collections. ``marks`` int64[n] hang right of them, ``by_hand``
    bool[n] are underlined with dots; a cell without a value is hatched with its reason ``why``. ``place`` is that of
    the collection, -1 for means over collections; ``gap`` sets the column apart from the one before."""

    def __init__(
        self,
        name: str,
        title: str,
        under: str,
        cells: Floats,
        tooltip: str,
        *,
        place: int = -1,
        marks: Ints | None = None,
        best: Bools | None = None,
        by_hand: Bools | None = None,
        heat: Floats | None = None,
        why: str = NO_RUN,
        gap: bool = False,
    ) -> None:
        super().__init__(name, title, cells, tooltip, heat=heat, best=best, missing=why)
        self.under, self.place, self.why, self.gap = under, place, why, gap
        self.marks = np.zeros(len(cells), dtype=np.int64) if marks is None else marks
        self.by_hand = np.zeros(len(cells), dtype=np.bool_) if by_hand is None else by_hand
        self.longest = f"{under}  "

    def mark(self, row: int) -> str:
        """Return † better, ‡ worse, or nothing."""
        side = int(self.marks.item(row))
        return BETTER if side > 0 else WORSE if side < 0 else ""

    def text(self, row: int) -> str:
        value = float(self.cells.item(row))
        return self.why if math.isnan(value) else f"{number_text(value)}{self.mark(row)}"

    def tip(self, row: int) -> str:
        lines = [super().tip(row)]
        if self.mark(row):
            words = {BETTER: tr("better than the baseline here"), WORSE: tr("worse than the baseline here")}
            lines.append(f"{self.mark(row)} {words[self.mark(row)]}")
        if bool(self.by_hand.item(row)):
            lines.append(tr("The run was matched by hand"))
        return "\n".join(lines)


class ValueCell:
    """A number on its shade with a mark at its right; without a value, a hatch with the reason."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, ValueColumn):
            return
        theme = self._theme
        if column.gap:
            painter.fillRect(QRect(box.left(), box.top(), 8, box.height() + 1), theme["window"])
            box = box.adjusted(8, 0, 0, 0)
        value = float(column.cells.item(row))
        if math.isnan(value):
            inside = QRectF(box).adjusted(6, 4, -6, -4)
            draw_hatch(painter, inside, theme)
            painter.setFont(theme.font(8.5))
            width = QFontMetricsF(painter.font()).horizontalAdvance(column.why) + 10
            words = QRectF(inside.center().x() - width / 2, inside.top(), width, inside.height())
            painter.fillRect(words, ground)
            painter.setPen(theme["muted"])
            painter.drawText(words, int(_CENTRE), column.why)
            return
        if column.heat is not None and column.heat.item(row) > 0:
            painter.fillRect(box, heat_colour(ground.rgb(), theme.palette.heat, int(column.heat.item(row) * LEVELS)))
        best = column.best is not None and bool(column.best.item(row))
        text, weight = number_text(value), 700 if best else 400
        painter.setPen(theme["ink" if best else "text"])
        number = box.adjusted(0, 0, -MARK_ROOM, 0)
        draw_right(painter, number, text, self._density, weight)
        right = number.right() + 1 - self._density.pad
        if bool(column.by_hand.item(row)):
            width = QFontMetricsF(make_font(self._density.size, weight, True)).horizontalAdvance(text)
            painter.setPen(QPen(theme["text"], 1, Qt.PenStyle.DotLine))
            y = box.center().y() + 9
            painter.drawLine(QPointF(right - width, y), QPointF(right, y))
        mark = column.mark(row)
        if mark:
            painter.setFont(theme.font(9.5, weight=600))
            painter.setPen(theme["better" if mark == BETTER else "worse"])
            painter.drawText(QRect(right + 2, box.top(), MARK_ROOM + 8, box.height()), int(_LEFT), mark)


class ForestColumn(IntervalColumn):
    """The intervals of a forest plot on one axis; ``lines`` are its rows."""

    def __init__(self, title: str, lines: Sequence[ForestLine], axis: tuple[float, float], overall: float) -> None:
        low, middle, high = (
            np.array([getattr(line, name) for line in lines], dtype=np.float64)
            for name in ("low", "difference", "high")
        )
        tip = tr("Square: the share in the mean. Diamond: the random-effects mean. Dashed: where the difference on a "
                 "further collection would lie. Dotted line: the mean; solid line: no difference.")  # fmt: skip
        super().__init__("interval", title, low, middle, high, 1.0, tip)
        self.lines, self.axis, self.overall = lines, axis, overall


MOST_TICKS = 7
TICK_GAP = 8
"""The least room in pixels between the texts of two ticks."""


class ForestCell:
    """The parts of a forest plot: squares sized by weight, a diamond, a dashed range, and the ticks of the axis."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, ForestColumn) or not column.axis[1] > column.axis[0]:
            return
        theme, line = self._theme, column.lines[row]
        room = QRectF(box).adjusted(18, 0, -18, 0)
        low, high = column.axis
        scale = room.width() / (high - low)

        def at(value: float) -> float:
            return room.left() + (value - low) * scale

        bottom = box.top() + 4 if line.kind == "axis" else box.bottom() + 1  # the numbers of the axis stay free
        painter.setPen(QPen(theme["faint"], 1))
        painter.drawLine(QPointF(at(0), box.top()), QPointF(at(0), bottom))
        if not math.isnan(column.overall):
            painter.setPen(QPen(theme["text"], 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(at(column.overall), box.top()), QPointF(at(column.overall), bottom))
        if line.kind == "axis":
            self._paint_axis(painter, box, column, at)
            return
        if math.isnan(line.low) or math.isnan(line.high):
            return
        y = box.center().y() + 0.5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme["ink"], 1.4)
        if line.kind == "new":
            pen.setDashPattern([3.0, 2.5])
        painter.setPen(pen)
        if line.kind == "mean":
            corners = [QPointF(at(line.low), y), QPointF(at(line.difference), y - 7), QPointF(at(line.high), y),
                       QPointF(at(line.difference), y + 7)]  # fmt: skip
            painter.setBrush(theme["ink"])
            painter.drawPolygon(QPolygonF(corners))
        else:
            painter.drawLine(QPointF(at(line.low), y), QPointF(at(line.high), y))
        if line.kind == "new":
            painter.setPen(QPen(theme["ink"], 1.4))
            for end in (line.low, line.high):
                painter.drawLine(QPointF(at(end), y - 4), QPointF(at(end), y + 4))
        if line.kind == "collection":
            half = 3.0 + 6.0 * math.sqrt(0.0 if math.isnan(line.weight) else line.weight)
            square = QRectF(at(line.difference) - half, y - half, 2 * half, 2 * half)
            painter.fillRect(square, theme["ink"])
            # An interval may be narrower than its square.
            painter.setPen(QPen(ground, 1.4))
            ends = (max(at(line.low), square.left()), min(at(line.high), square.right()))
            painter.drawLine(QPointF(ends[0], y), QPointF(ends[1], y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_axis(self, painter: QPainter, box: QRect, column: ForestColumn, at: object) -> None:
        assert callable(at)
        low, high = column.axis
        painter.setFont(self._theme.font(8.5, numbers=True))
        widest = QFontMetricsF(painter.font()).horizontalAdvance
        for most in range(MOST_TICKS, 1, -1):
            step = tick_step(low, high, most)
            if at(step) - at(0.0) > max(widest(tick_text(-step * place)) for place in (1, 2)) + TICK_GAP:
                break
        painter.setPen(self._theme["muted"])
        for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
            x = at(number * step)
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.top() + 4))
            painter.drawText(QRectF(x - 30, box.top() + 5, 60, 18), int(_CENTRE), tick_text(number * step))


def tick_text(value: float) -> str:
    """Return a number of an axis: −.2, 0, +.1."""
    text = f"{abs(value):.6g}"
    text = text[1:] if text.startswith("0.") else text
    return "0" if not float(f"{value:.9f}") else f"{MINUS if value < 0 else '+'}{decimal(text)}"


class ShareColumn(NumberColumn):
    """Shares as per cent, nothing for none."""

    def text(self, row: int) -> str:
        value = float(self.cells.item(row))
        return "" if math.isnan(value) else percent(value)


class MaybeColumn(NumberColumn):
    """Means of one of the two systems; "no run" on a collection without one, nothing in the rows of the mean."""

    def __init__(self, name: str, title: str, cells: Floats, lines: Sequence[ForestLine], tooltip: str) -> None:
        super().__init__(name, title, cells, tooltip, missing=NO_RUN)
        self.lines = lines

    def text(self, row: int) -> str:
        if self.lines[row].kind != "collection":
            return ""
        value = float(self.cells.item(row))
        return NO_RUN if math.isnan(value) else number_text(value)


class SideColumn(NumberColumn):
    """Differences with the sign of what is shown: ▲ ▼ a test shows it, △ ▽ it does not."""

    def __init__(self, title: str, lines: Sequence[ForestLine] | None, cells: Floats, sides: Floats, shown: Bools,
                 tooltip: str) -> None:  # fmt: skip
        super().__init__("difference", title, cells, tooltip, missing="")
        self.lines, self.sides, self.shown = lines, sides, shown

    def side(self, row: int) -> int:
        """Return 1 if it is shown to be better, -1 worse, 0 not shown."""
        side = float(self.sides.item(row))
        return 0 if not bool(self.shown.item(row)) else 1 if side > 0 else -1

    def text(self, row: int) -> str:
        value, side = float(self.cells.item(row)), float(self.sides.item(row))
        if math.isnan(value):
            return ""
        if not float(f"{value:.4f}"):
            return "="
        arrows = "▲▼" if bool(self.shown.item(row)) else "△▽"
        return f"{arrows[0] if side > 0 else arrows[1]} {decimal(f'{abs(value):.4f}')}"


class SideCell:
    """A difference in the colour of its side where it is shown, else in grey."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SideColumn):
            return
        side = column.side(row)
        painter.setPen(self._theme["better" if side > 0 else "worse" if side < 0 else "muted"])
        draw_right(painter, box, column.text(row), self._density)


class FaintCell:
    """A right-aligned number, or a muted text where there is none."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._density = density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        text = column.text(row)
        painter.setPen(self._theme["muted" if text in (NO_RUN, NOTHING) else "text"])
        draw_right(painter, box, text, self._density)


class CollectionsModel(TableModel):
    """The systems of a :class:`CollectionsViewModel`. The keys of the rows are their names."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return collection_painters(theme, density)

    def set_view_model(self, view_model: CollectionsViewModel) -> None:
        """Show a view model."""
        columns: list[Column] = [
            RunColumn("system", tr("system"), view_model.systems, tr("Systems; tick those to draw"))
        ]
        for position, head in enumerate(view_model.heads):
            queries = tr("{n:,} queries", n=head.queries) if head.queries else head.why
            columns.append(
                ValueColumn(
                    f"collection-{position}", head.name, queries, view_model.means[:, position],
                    tr("Mean {measure} on {collection}. A click opens it in Systems.", measure=view_model.measure,
                       collection=head.name),
                    place=head.place, marks=view_model.marks[:, position], best=view_model.best[:, position],
                    by_hand=view_model.by_hand[:, position], heat=view_model.heat[:, position], why=head.why or NO_RUN,
                )
            )  # fmt: skip
        columns += [
            ValueColumn("macro", tr("macro"), view_model.inside[0], view_model.macro,
                        tr("The mean of the collections that every system has, each counting the same"),
                        best=view_model.macro_best, why=NOTHING, gap=True),
            ValueColumn("micro", tr("micro"), view_model.inside[1], view_model.micro,
                        tr("The mean of the queries of these collections, each counting the same"),
                        marks=view_model.micro_marks, best=view_model.micro_best, why=NOTHING),
        ]  # fmt: skip
        self.show(tuple(columns), [label.name for label in view_model.systems], view_model.sort)


class ForestModel(TableModel):
    """The rows of the forest plot, and its axis."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return collection_painters(theme, density)

    def set_view_model(self, view_model: CollectionsViewModel) -> None:
        """Show a view model."""
        if not view_model.forest:
            self.clear()
            return
        nan = math.nan
        axis = ForestLine("axis", "", 0, nan, nan, nan, nan, nan, nan, nan, 0.0, False)
        lines = (*view_model.forest, axis)

        def numbers(name: str) -> Floats:
            return np.array([getattr(line, name) for line in lines], dtype=np.float64)

        system, other = view_model.pair
        queries = np.array([line.queries if line.kind == "collection" else nan for line in lines], dtype=np.float64)
        shown = np.array([line.shown for line in lines], dtype=np.bool_)
        others = MaybeColumn("other", other, numbers("other_mean"), lines, tr("Mean of {run}", run=other))
        own = MaybeColumn("mean", system, numbers("mean"), lines, tr("Mean of {run}", run=system))
        own.run, others.run = view_model.pair_labels
        for column in (own, others):
            column.titles = (column.title, column.title[:8])
        columns: list[Column] = [
            TextColumn("collection", tr("collection"), [line.title for line in lines], tr("Collections"),
                       tips=[f"{line.title}\n{line.why}".strip() for line in lines], widest=260),
            EmptyColumn("n", "n", queries, tr("Number of queries that both have"), counts=True),
            others,
            own,
            SideColumn(f"Δ {view_model.measure}", lines, numbers("difference"), numbers("side"), shown,
                       tr("{system} minus {other}; ▲ ▼ where the test shows it", system=system, other=other)),
            ForestColumn(tr("{level} interval of Δ", level=view_model.level), lines, view_model.axis,
                         view_model.overall),
            PColumn("p", tr("p"), numbers("p"), tr("p-value, corrected over the systems of the collection"),
                    below=shown),
            ShareColumn("weight", tr("weight"), numbers("weight"), tr("Share in the random-effects mean"), missing=""),
        ]  # fmt: skip
        columns[0].whole = True
        self.show(tuple(columns), [f"{line.kind} {line.title}" for line in lines])


class EmptyColumn(NumberColumn):
    """Numbers, nothing where there is none."""

    def text(self, row: int) -> str:
        return "" if math.isnan(float(self.cells.item(row))) else super().text(row)


class PairsModel(TableModel):
    """Every two systems over the complete collections."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return collection_painters(theme, density)

    def set_view_model(self, view_model: CollectionsViewModel) -> None:
        """Show a view model."""
        pairs = view_model.pairs
        if not pairs:
            self.clear()
            return
        sides = np.array([pair.side for pair in pairs], dtype=np.float64)
        signs = np.array([pair.sign for pair in pairs], dtype=np.float64)
        ranked = np.array([pair.wilcoxon for pair in pairs], dtype=np.float64)
        nothing = np.zeros(len(pairs), dtype=np.bool_)
        columns: list[Column] = [
            TextColumn("pair", tr("pair"), [pair.title for pair in pairs], tr("Pairs of systems")),
            SideColumn(tr("mean Δ"), None, np.array([pair.difference for pair in pairs]), sides, nothing,
                       tr("Mean of the differences of the collections")),
            TextColumn("better", tr("better on"), [pair.better for pair in pairs],
                       tr("Collections on which it is better")),
            PColumn("sign", tr("sign"), signs, tr("p of the sign test after Holm"), below=signs < view_model.alpha),
            PColumn("wilcoxon", tr("Wilcoxon"), ranked, tr("p of Wilcoxon's test after Holm"),
                    below=ranked < view_model.alpha),
        ]  # fmt: skip
        self.show(tuple(columns), [pair.title for pair in pairs])


def collection_painters(theme: Theme, density: Density) -> dict[type[Column], CellPainter]:
    """Return a painter for each kind of column of this view that other tables do not have."""
    faint = FaintCell(theme, density)
    return {
        ValueColumn: ValueCell(theme, density), ForestColumn: ForestCell(theme), SideColumn: SideCell(theme, density),
        MaybeColumn: faint, ShareColumn: faint, EmptyColumn: faint,
    }  # fmt: skip

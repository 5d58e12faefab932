"""The columns of Slices: the slices with an interval on a common axis, two attributes crossed, queries of a slice."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from irviewer.gui.tables.cells import LEFT_PAD, draw_left, draw_right, text_width
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import (
    DECIMALS,
    NOTHING,
    CellPainter,
    Column,
    DeltaColumn,
    NumberColumn,
    TableModel,
    TextColumn,
    label_tooltip,
)
from irviewer.gui.tables.statistics_columns import IntervalColumn
from irviewer.gui.theme import Theme
from irviewer.session.view_models.slices import CrossedCell, CrossedViewModel, SliceLine, SliceQueries, SlicesViewModel
from irviewer.translation import decimal, tr

INDENT = 16
FAR = 4000
"""Pixels by which the ground of a heading reaches beyond its cell."""


class LineColumn(Column):
    """A column of the lines of slices: their texts."""

    right = True

    def __init__(
        self, name: str, title: str, lines: tuple[SliceLine, ...], texts: list[str], tooltip: str = ""
    ) -> None:
        super().__init__(name, title, tooltip)
        self.lines = lines
        self.texts = texts

    def text(self, row: int) -> str:
        return self.texts[row]

    def value(self, row: int) -> str | None:
        return self.texts[row] or None

    def tip(self, row: int) -> str:
        return self.lines[row].tip


class SliceNameColumn(LineColumn):
    """The names of slices, under the names of attributes with their meaning."""

    right = False
    whole = True


class SliceNumberColumn(LineColumn):
    """Means of a run by slice."""

    def __init__(self, name: str, title: str, lines: tuple[SliceLine, ...], cells: list[float], tooltip: str) -> None:
        texts = ["" if line.is_heading else _number(cell) for line, cell in zip(lines, cells, strict=True)]
        super().__init__(name, title, lines, texts, tooltip)
        self.cells = cells

    def value(self, row: int) -> float | None:  # type: ignore[override]
        number = self.cells[row]
        return None if math.isnan(number) else number


class SliceDeltaColumn(SliceNumberColumn):
    """Differences by slice: a filled arrow where the test shows it, else a hollow one."""

    def __init__(self, title: str, lines: tuple[SliceLine, ...], ratio: bool) -> None:
        super().__init__("delta", title, lines, [line.difference for line in lines], tr("Mean difference by slice"))
        self.texts = [_delta_text(line, ratio) for line in lines]


class SliceIntervalColumn(IntervalColumn):
    """Intervals on the common axis of a view model."""

    def __init__(self, view_model: SlicesViewModel) -> None:
        lines = view_model.lines
        low, middle, high = (
            np.array([getattr(line, name) for line in lines], dtype=np.float64)
            for name in ("low", "difference", "high")
        )
        title = view_model.interval_title
        super().__init__("interval", title, low, middle, high, 1.0, title, tips=[line.tip for line in lines])
        self.lines = lines
        self.axis = view_model.axis


class InteractionColumn(LineColumn):
    """Queries better, equal and worse; in the row of an attribute the test of interaction."""


def _number(value: float) -> str:
    return NOTHING if math.isnan(value) else decimal(f"{value:.{DECIMALS}f}")


def _delta_text(line: SliceLine, ratio: bool) -> str:
    if line.is_heading:
        return ""
    if math.isnan(line.difference):
        return NOTHING
    size = decimal(f"×{math.exp(line.difference):.3f}" if ratio else f"{abs(line.difference):.{DECIMALS}f}")
    if not line.toward:
        return f"= {size}" if line.difference else "="
    return f"{arrow(line.toward, line.shown)} {size}"


def arrow(toward: int, shown: bool) -> str:
    """Return the arrow of a difference: filled where the test shows it, else hollow."""
    return ("▲" if shown else "△") if toward > 0 else ("▼" if shown else "▽")


class SlicesModel(TableModel):
    """The lines of a :class:`SlicesViewModel`. The keys of the rows are (kind, parts or the attribute)."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[SliceLine, ...] = ()

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return slice_painters(theme, density)

    def set_view_model(self, view_model: SlicesViewModel) -> None:
        """Show a view model."""
        lines = self.lines = view_model.lines
        base, run = view_model.baseline, view_model.run
        columns: list[Column] = [
            SliceNameColumn("slice", tr("slice"), lines, [line.name for line in lines], tr("Slices of the queries")),
            LineColumn("n", tr("n"), lines, ["" if line.is_heading else decimal(f"{line.n:,}") for line in lines],
                       tr("Queries of the slice that both runs have")),
        ]  # fmt: skip
        for label, name, cells in (
            (base, "base", [line.base for line in lines]),
            (run, "mean", [line.mean for line in lines]),
        ):
            if label is not None:
                title = f"{label.name} ★" if label.baseline else label.name
                column = SliceNumberColumn(name, title, lines, cells, label_tooltip(label))
                column.run = label
                column.titles = (title, label.short)
                columns.append(column)
        delta = tr("ratio") if view_model.ratio else tr("Δ {measure}", measure=view_model.measure)
        columns += [
            SliceDeltaColumn(delta, lines, view_model.ratio),
            SliceIntervalColumn(view_model),
            LineColumn("p", "p", lines, [line.p for line in lines], view_model.p_tip),
            LineColumn("corrected", view_model.p_title, lines, [line.corrected for line in lines], view_model.p_tip),
            InteractionColumn(
                "outcomes", tr("better · equal · worse"), lines,
                ["" if line.is_heading else line.outcomes for line in lines],
                tr("Number of queries on which the run is better than, equal to and worse than the baseline"),
            ),
        ]  # fmt: skip
        columns[-1].titles = (columns[-1].title, "+ · = · −")
        columns[4].titles = (delta, delta.partition(" ")[0])
        self.show(tuple(columns), [(line.kind, line.parts or line.name) for line in lines])


class CrossColumn(Column):
    """A column of crossed slices: difference and n."""

    right = True

    def __init__(self, name: str, title: str, cells: list[CrossedCell], chosen: int) -> None:
        super().__init__(name, title)
        self.cells = cells
        self.chosen_row = chosen

    def text(self, row: int) -> str:
        cell = self.cells[row]
        if not cell.n:
            return tr("no query")
        return tr("{change} · n {n:,}", change=cross_text(cell), n=cell.n)

    def value(self, row: int) -> float | None:
        cell = self.cells[row]
        return None if math.isnan(cell.difference) else cell.difference

    def tip(self, row: int) -> str:
        return self.cells[row].tip


def cross_text(cell: CrossedCell) -> str:
    """Return the difference of a cell with its arrow."""
    if math.isnan(cell.difference):
        return NOTHING
    return f"{arrow(cell.toward, cell.shown)} {_short(abs(cell.difference))}" if cell.toward else "="


def _short(size: float) -> str:
    """Return a size with three decimals and no zero before the point."""
    return decimal(f"{size:.3f}".removeprefix("0"))


class CrossedModel(TableModel):
    """The cells of a :class:`CrossedViewModel`; the keys of the rows are the names of the slices."""

    def own_painters(self, theme: Theme, density: Density) -> Mapping[type[Column], CellPainter]:
        return slice_painters(theme, density)

    def set_view_model(self, view_model: CrossedViewModel, chosen: tuple[tuple[str, str], ...]) -> None:
        """Show a view model with the chosen cell outlined."""
        columns: list[Column] = [TextColumn("name", view_model.row_title, view_model.rows)]
        for position, title in enumerate(view_model.columns):
            cells = [line[position] for line in view_model.cells]
            row = next((row for row, cell in enumerate(cells) if cell.parts == chosen), -1)
            columns.append(CrossColumn(f"cell-{position}", title, cells, row))
        self.show(tuple(columns), view_model.rows)


class SliceQueriesModel(TableModel):
    """The queries of :class:`SliceQueries`; the keys of the rows are query ids."""

    def set_view_model(self, view_model: SlicesViewModel, queries: SliceQueries) -> None:
        """Show the queries of the chosen slice."""
        columns: list[Column] = [
            TextColumn("query", tr("query"), queries.query_ids, tr("Query id"), bold=True, tips=queries.texts)
        ]
        if any(queries.texts):
            columns.append(TextColumn("text", tr("text"), queries.texts, tr("Text of the query")))
        for label, name, cells in ((view_model.baseline, "base", queries.base), (view_model.run, "mean", queries.mean)):
            if label is not None:
                columns.append(NumberColumn(name, label.name, cells, label_tooltip(label), run=label))
        columns.append(
            DeltaColumn(
                "delta", tr("ratio") if view_model.ratio else "Δ", queries.difference,
                tr("Difference in {measure}", measure=view_model.measure), better_up=view_model.higher_is_better,
                ratios=view_model.ratio,
            )
        )  # fmt: skip
        self.show(tuple(columns), queries.query_ids)


# --- painting ---


class SliceNameCell:
    """Attributes in bold on their ground with what they are, slices indented; grey with too few queries."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme, self._density = theme, density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SliceNameColumn):
            return
        line, size = column.lines[row], self._density.size
        if line.is_heading:
            painter.fillRect(QRect(box.left() + 3, box.top(), FAR, box.height()), self._theme.colours["hover"])
            painter.setPen(self._theme.colours["ink"])
            draw_left(painter, box, LEFT_PAD, line.name, 600, size)
            painter.setPen(self._theme.colours["muted"])
            left = LEFT_PAD + math.ceil(text_width(line.name, 600, size)) + 9
            draw_left(painter, QRect(box.left(), box.top(), FAR, box.height()), left, line.words, 400, size)
            return
        strong = line.kind == "all"
        painter.setPen(self._theme.colours["ink" if strong else "text" if line.tested else "muted"])
        draw_left(painter, box, LEFT_PAD + (0 if strong else INDENT), line.name, 600 if strong else 400, size)


class SliceTextCell:
    """Right-aligned texts: grey with too few queries, bold for a p below alpha."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme, self._density = theme, density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, LineColumn):
            return
        line = column.lines[row]
        strong = line.shown and column.id == ("p" if line.kind == "all" else "corrected")
        painter.setPen(self._theme.colours["ink" if strong else "text" if line.tested else "muted"])
        draw_right(painter, box, column.texts[row], self._density, 700 if strong else 400)


class SliceDeltaCell(SliceTextCell):
    """Differences: in the colours of better and worse only where the test shows them."""

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SliceDeltaColumn):
            return
        line = column.lines[row]
        side = {1: "better", -1: "worse"}.get(line.toward, "muted") if line.shown else "muted"
        painter.setPen(self._theme.colours[side])
        draw_right(painter, box, column.texts[row], self._density)


class InteractionCell(SliceTextCell):
    """The test of interaction, right-aligned across the row of its attribute."""

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, InteractionColumn):
            return
        line = column.lines[row]
        if not line.interaction:
            super().paint(painter, box, column, row, ground)
            return
        painter.setPen(self._theme.colours["text"])
        width = math.ceil(text_width(line.interaction, 400, self._density.size)) + 24
        wide = QRect(box.right() + 1 - width - self._density.pad, box.top(), width + self._density.pad, box.height())
        painter.fillRect(wide, self._theme.colours["hover"])
        draw_right(painter, wide, line.interaction, self._density)


class SliceIntervalCell:
    """An interval as a line with a dot; a solid line at zero, a dotted one at the difference over all queries."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, SliceIntervalColumn) or column.axis is None:
            return
        axis, line = column.axis, column.lines[row]
        if line.is_heading:  # its words go on into this cell
            return
        room = QRectF(box).adjusted(LEFT_PAD, 0, -LEFT_PAD, 0)

        def at(value: float) -> float:
            share = (value - axis.low) / (axis.high - axis.low)
            return room.left() + min(1.0, max(0.0, share)) * room.width()

        painter.setPen(QPen(self._theme.colours["faint"], 1.4))
        painter.drawLine(QPointF(round(at(0.0)), box.top()), QPointF(round(at(0.0)), box.bottom() + 1))
        if not math.isnan(axis.overall):
            pen = QPen(self._theme.colours["ink"], 1, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([1.0, 2.0])
            painter.setPen(pen)
            x = round(at(axis.overall))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom() + 1))
        if math.isnan(line.low):
            return
        colour = self._theme.colours["ink" if line.tested else "muted"]
        y = box.top() + box.height() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1.4))
        painter.drawLine(QPointF(at(line.low), y), QPointF(at(line.high), y))
        for end, beyond, sign in ((line.low, line.low < axis.low, -1), (line.high, line.high > axis.high, 1)):
            if beyond:
                tip = at(end)
                painter.drawPolyline([QPointF(tip - 4 * sign, y - 3), QPointF(tip, y), QPointF(tip - 4 * sign, y + 3)])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(at(line.difference), y), 3.3, 3.3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class CrossCell:
    """A cell of two attributes: shaded where the test shows the difference, grey with too few queries."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme, self._density = theme, density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, CrossColumn):
            return
        cell = column.cells[row]
        if cell.shown and cell.shade > 0:
            shade = QColor(self._theme.colours["better" if cell.toward > 0 else "worse"])
            shade.setAlphaF(0.12 + 0.32 * cell.shade)
            painter.fillRect(box, shade)
        name = "ink" if cell.shown else "text" if cell.tested else "muted"
        painter.setPen(self._theme.colours[name])
        draw_right(painter, box, column.text(row), self._density)
        if row == column.chosen_row:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colours["ink"], 1.5))
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))


def slice_painters(theme: Theme, density: Density) -> dict[type[Column], CellPainter]:
    """Return a painter for each type of column of Slices."""
    text = SliceTextCell(theme, density)
    return {
        SliceNameColumn: SliceNameCell(theme, density),
        LineColumn: text,
        SliceNumberColumn: text,
        SliceDeltaColumn: SliceDeltaCell(theme, density),
        SliceIntervalColumn: SliceIntervalCell(theme, density),
        InteractionColumn: InteractionCell(theme, density),
        CrossColumn: CrossCell(theme, density),
    }

"""Two attributes crossed: the rows of the table ``crossed`` as cells, a column for each slice of the second one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from irviewer.gui.tables.cells import draw_right
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import NOTHING, Column
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme
from irviewer.tables import column as kinds
from irviewer.tables.show import EQUAL, arrow, plain
from irviewer.tables.table import Status, Table
from irviewer.translation import decimal, tr

CELL = "cell-"
"""Columns of cells are ``cell-0``, ``cell-1`` …"""


class CrossedColumn(ResultColumn):
    """The cells of a slice of the second attribute: difference and number of queries. ``chosen_row`` is the cell that
    is outlined, -1 for none."""

    right = True
    chosen_row = -1

    def text(self, row: int) -> str:
        place = self.place(row)
        n = int(self.table.column("n").numbers[""][place])
        if not n:
            return tr("no query")
        return tr("{change} · n {n:,}", change=change_text(self.table, self.values, place), n=n)

    def tip(self, row: int) -> str:
        place = self.place(row)
        shown = [column for column in self.table.columns if not column.show.detail]
        return "\n".join(f"{column.title}: {plain(column, place)}" for column in shown)

    def share(self, row: int) -> float:
        """Return how large a difference is beside the largest of the table, 0..1, where p is below alpha; else 0."""
        place, p = self.place(row), self.table.column("p_corrected")
        sizes = abs(self.values.numbers[""])
        largest = float(np.nanmax(sizes)) if np.isfinite(sizes).any() else 0.0
        below = p.family is not None and float(p.numbers[""][place]) < p.family.alpha
        return float(sizes[place]) / largest if below and largest else 0.0


def change_text(table: Table, column: kinds.Column, place: int) -> str:
    """Return a difference with its arrow, with three decimals and no zero before the point; a ratio as it is."""
    value, sign = float(column.numbers[""][place]), arrow(table, column, place)
    if math.isnan(value) or sign in ("", EQUAL):
        return sign or NOTHING
    return f"{sign} {plain(column, place) if column.show.log else decimal(f'{abs(value):.3f}'.removeprefix('0'))}"


class CrossedCell:
    """A cell of two attributes: shaded where p is below alpha, grey with too few queries."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme, self._density = theme, density

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        if not isinstance(column, CrossedColumn):
            return
        share = column.share(row)
        if share > 0:
            better = column.signed(row) > 0
            shade = QColor(self._theme.colours["better" if better else "worse"])
            shade.setAlphaF(0.12 + 0.32 * share)
            painter.fillRect(box, shade)
        weak = column.status(row) is Status.WEAK
        painter.setPen(self._theme.colours["ink" if share > 0 else "muted" if weak else "text"])
        draw_right(painter, box, column.text(row), self._density)
        if row == column.chosen_row:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colours["ink"], 1.5))
            painter.drawRect(QRectF(box).adjusted(1, 1, -1, -1))


def crossed_columns(table: Table, chosen: tuple[tuple[str, str], ...]) -> tuple[tuple[Column, ...], list[str]]:
    """Return the columns of a table with the chosen cell outlined, and the keys of its rows, which are the slices of
    the first attribute."""
    own, other = table.column("slice"), table.column("slice_2")
    across, down = (list(dict.fromkeys(column.values)) for column in (own, other))
    places = np.arange(table.n_rows, dtype=np.int64).reshape(len(across), len(down))
    change = next(column for column in table.columns if column.kind == "difference")
    columns: list[Column] = [ResultColumn(table, own, places[:, 0])]
    for number, cells in enumerate(places.T):
        title = str((other.show.texts or other.values)[number])
        column = CrossedColumn(table, replace(change, title=title, tip=title), cells)
        column.id = f"{CELL}{number}"
        rows = enumerate(cells.tolist())
        column.chosen_row = next((row for row, place in rows if table.keys[place][1:] == chosen), -1)
        columns.append(column)
    return tuple(columns), across

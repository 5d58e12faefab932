"""Painting of the rows of tables: background, cells, line below, and bar of the current row.

It knows the model, the header and the theme; not scroll bars, keys or clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter

from irviewer.gui.tables.cells import painters
from irviewer.gui.tables.density import DENSITIES
from irviewer.gui.tables.header import TableHeader
from irviewer.gui.tables.model import CellPainter, TableModel
from irviewer.gui.tables.result_cells import result_painters
from irviewer.gui.theme import Theme

BAR = 3

_Section = tuple[int, int, int, CellPainter]
"""Index, left edge, width and painter of a column."""

CURSORS = {False: Qt.CursorShape.ArrowCursor, True: Qt.CursorShape.PointingHandCursor}
"""The cursor over a cell, by whether it is a link."""


@dataclass(frozen=True)
class Marks:
    """The highlighted rows: selected (first and last of each range), current, under the pointer (-1 for none);
    ``focused`` while the table has the focus."""

    selected: Sequence[tuple[int, int]]
    current: int
    hovered: int
    focused: bool


class Rows:
    """Paints rows of equal height."""

    def __init__(self, model: TableModel, header: TableHeader, theme: Theme, height: int) -> None:
        self._model = model
        self._header = header
        self._theme = theme
        self.height = height
        self._every = {
            density: {
                **painters(theme, density),
                **result_painters(theme, density),
                **{kind: painter(theme, density) for kind, painter in model.own_painters.items()},
            }
            for density in DENSITIES
        }

    def paint(self, painter: QPainter, area: QRect, rows: range, top: int, marks: Marks) -> None:
        """Paint the part of ``rows`` in ``area``; the first row is at ``top``."""
        moving, staying = self._sections(area)
        width, line = self._header.viewport().width(), self._theme.colours["line"]
        cell, start = self.height - 1, top
        chosen = {row for low, high in marks.selected for row in range(max(low, rows.start), min(high + 1, rows.stop))}
        for row in rows:
            selected = row in chosen
            ground = self._ground(row, selected, marks)
            painter.fillRect(0, top, width, cell, ground)
            self._paint_cells(painter, moving, row, top, ground)
            for section in staying:
                painter.fillRect(section[1], top, section[2], cell, ground)
            if staying:
                self._paint_cells(painter, staying, row, top, ground)
            painter.fillRect(0, top + cell, width, 1, line)
            if row == self._model.line_below:
                painter.fillRect(0, top + cell - 1, width, 2, self._theme["ink"])
            if selected or row == marks.current:
                painter.fillRect(0, top, BAR, cell, self._theme.colours["ink" if marks.focused else "muted"])
            top += self.height
        self._header.draw_edges(painter, start, top - start)

    def _sections(self, area: QRect) -> tuple[list[_Section], list[_Section]]:
        """Return the visible columns: those that scroll, and those that do not."""
        header, cells = self._header, self._every[self._header.density]
        moving: list[_Section] = []
        staying: list[_Section] = []
        begin = max(header.fixed_left(), area.left())
        end = min(header.viewport().width() - header.fixed_right(), area.right() + 1)
        for section, column in enumerate(self._model.columns):
            cell = cells[type(column)]
            width = header.sectionSize(section) - header.edge_of(section)
            if width <= 0:
                continue  # left out
            if header.is_fixed(section):
                staying.append((section, header.left_of(section), width, cell))
                continue
            left = header.sectionViewportPosition(section)
            if left + width > begin and left < end:
                moving.append((section, left, width, cell))
        return moving, staying

    def _paint_cells(self, painter: QPainter, sections: list[_Section], row: int, top: int, ground: QColor) -> None:
        columns = self._model.columns
        for section, left, width, cell in sections:
            cell.paint(painter, QRect(left, top, width, self.height - 1), columns[section], row, ground)

    def _ground(self, row: int, selected: bool, marks: Marks) -> QColor:
        if row in self._model.marked:
            return self._theme.colours["selection"]
        if selected:
            return self._theme.colours["hover" if self._model.marked else "selection"]
        return self._theme.colours["hover" if row == marks.hovered else "panel"]

"""Strips of cells in a table: a cell is the label of a nugget, ink for said, half for in part, an outline for not said.

A row of topics has two strips, of the baseline above and of another system below, with tall cells of vital nuggets and
low ones of okay ones; a row of nuggets has a strip with a cell for each system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from irviewer.gui.guard import guarded
from irviewer.gui.tables.density import Density
from irviewer.gui.tables.model import Column
from irviewer.gui.tables.result_cells import ResultCell
from irviewer.gui.tables.result_columns import ResultColumn
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.table import Table
from irviewer.hidden_characters import escape_hidden
from irviewer.model.answers.labels import FULL, PARTIAL, UNJUDGED

TALL, LOW = 9.0, 5.0
WIDEST, NARROWEST = 8.0, 2.0
GROUP = 1.0
"""Cells between vital and okay nuggets."""
PAD = 8


@dataclass(frozen=True)
class Strip:
    """The cells of a row: ``lines`` of labels, one a system, of equal length; the first ``tall`` of them are vital
    nuggets, those that follow okay ones. ``words`` say the same; ``places`` are the nuggets in their topic, from 0;
    where cells are systems ``runs`` are their names."""

    lines: tuple[tuple[int, ...], ...]
    tall: int
    words: str
    places: tuple[int, ...] = ()
    runs: tuple[str, ...] = ()

    @property
    def units(self) -> float:
        """The width in cells."""
        count = len(self.lines[0]) if self.lines else 0
        return count + (GROUP if 0 < self.tall < count else 0.0)


class StripColumn(ResultColumn):
    """A column of strips, whose texts are what they show in words."""

    current = (-1, -1)
    """The row and the cell that the keyboard is at."""

    def strip(self, row: int) -> Strip | None:
        """Return the cells of a row; None for a heading."""
        place = self.place(row)
        return None if place < 0 else self.values.values[place]

    def text(self, row: int) -> str:
        strip = self.strip(row)
        return "" if strip is None else escape_hidden(strip.words)

    def copied(self, row: int) -> str:
        return self.text(row)

    def value(self, row: int) -> str | None:
        return self.text(row) or None

    def spoken(self, row: int) -> str:
        strip = self.strip(row)
        return super().spoken(row) if strip is None else f"{self.title} {self.text(row)}"

    def tip(self, row: int) -> str:
        return self.text(row)

    @property
    def units(self) -> float:
        """The width of the widest strip in cells."""
        if not hasattr(self, "_units"):
            self._units = max((strip.units for strip in self.values.values), default=1.0)
        return self._units

    def step(self, width: int) -> float:
        """Return the width of a cell in a column of a width, in pixels."""
        return min(WIDEST, max(NARROWEST, (width - 2 * PAD) / max(1.0, self.units)))

    def cell_at(self, row: int, x: float, width: int) -> int:
        """Return the cell of a row that is ``x`` pixels from the left of the column; -1 for none."""
        strip = self.strip(row)
        if strip is None or not strip.lines:
            return -1
        unit = (x - PAD) / self.step(width)
        if 0 < strip.tall < len(strip.lines[0]) and unit >= strip.tall:
            unit = unit - GROUP if unit >= strip.tall + GROUP else -1
        return int(unit) if 0 <= unit < len(strip.lines[0]) else -1


@guarded
class StripCursor(QObject):
    """The current cell of the strips of a table: Left and Right move it within the current row, Enter opens it. Another
    row has none until they do.

    moved   row and cell, -1 for none; ``opened`` the same"""

    moved = Signal(int, int)
    opened = Signal(int, int)

    def __init__(self, table: Table, columns: Callable[[], Sequence[Column]]) -> None:
        super().__init__(table)
        self._table, self._columns = table, columns
        self.cell = -1
        table.installEventFilter(self)
        table.row_entered.connect(self._on_row_entered)

    def column(self) -> StripColumn | None:
        """Return the column of strips, None without one."""
        return next((each for each in self._columns() if isinstance(each, StripColumn)), None)

    def show(self) -> None:
        """Mark the current cell, also in a column that was made anew."""
        column, row = self.column(), self._table.current_row()
        strip = None if column is None or row < 0 else column.strip(row)
        count = len(strip.lines[0]) if strip is not None and strip.lines else 0
        self.cell = min(self.cell, count - 1)
        if column is not None:
            column.current = (row, self.cell)
        self._table.viewport().update()

    def _on_row_entered(self, row: int) -> None:
        if self.cell >= 0:
            self.cell = -1
            self.show()
            self.moved.emit(row, -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or watched is not self._table:
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        row, column = self._table.current_row(), self.column()
        if column is None or row < 0 or column.strip(row) is None:
            return False
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.cell >= 0:
            self.opened.emit(row, self.cell)
            return True
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return False
        step = 1 if key == Qt.Key.Key_Right else -1
        self.cell = max(0, self.cell + step) if self.cell >= 0 or step > 0 else -1
        self.show()
        self.moved.emit(row, self.cell)
        return True


class StripCell:
    """Paints the strips of a row."""

    def __init__(self, theme: Theme, density: Density) -> None:
        self._theme = theme
        self._plain = ResultCell(theme, density)

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        assert isinstance(column, StripColumn)
        heading = column.heading(row)
        strip = column.strip(row)
        if heading is not None or strip is None:
            self._plain.paint(painter, box, column, row, ground)
            return
        step = column.step(box.width())
        height = sum([TALL] * len(strip.lines)) + len(strip.lines) - 1
        top = box.top() + (box.height() - height) / 2
        painter.save()
        painter.setClipRect(box)
        for line in strip.lines:
            draw_line(painter, box.left() + PAD, top, step, line, strip.tall, self._theme)
            top += TALL + 1
        self._ring(painter, QRectF(box.left() + PAD, box.top(), 0, box.height()), strip, column, row, step)
        painter.restore()

    def _ring(
        self, painter: QPainter, box: QRectF, strip: Strip, column: StripColumn, row: int, step: float
    ) -> None:  # fmt: skip
        """Draw a ring around the current cell of all lines."""
        at, cell = column.current
        if at != row or cell < 0:
            return
        left = box.left() + step * (cell + (GROUP if cell >= strip.tall > 0 else 0.0))
        painter.setPen(QPen(self._theme["ink"], 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(left - 1.5, box.top() + 1.5, step + 1.5, box.height() - 3.5))


def draw_line(
    painter: QPainter, left: float, top: float, step: float, labels: Sequence[int], tall: int, theme: Theme
) -> None:
    """Draw one strip: full ink said, the left half in part, an outline not said, a dotted one not returned."""
    gap = 1.0 if step >= 4 else 0.0
    for place, label in enumerate(labels):
        is_tall = place < tall
        ink = theme["ink" if is_tall else "muted"]
        edge = theme["control_border" if label not in (FULL, PARTIAL) else "ink" if is_tall else "muted"]
        high = TALL if is_tall else LOW
        x = left + step * (place + (GROUP if not is_tall and tall > 0 else 0.0))
        cell = QRectF(x, top + (TALL - high) / 2, step - gap, high)
        if step < 4:  # no room for outlines
            painter.fillRect(cell, ink if label == FULL else theme["faint"] if label == PARTIAL else theme["hover"])
            continue
        if label == FULL:
            painter.fillRect(cell, ink)
            continue
        if label == PARTIAL:
            painter.fillRect(QRectF(cell.left(), cell.top(), cell.width() / 2, cell.height()), ink)
        pen = QPen(edge, 1)
        if label == UNJUDGED:
            pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5))

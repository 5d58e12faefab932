"""A table as it prints: painted in the type of a paper, with the rules of booktabs, on white paper in every theme."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irviewer.gui.guard import guarded
from irviewer.hidden_characters import escape_hidden
from irviewer.tables.emphasis import best
from irviewer.tables.grid import grid_of
from irviewer.translation import decimal, tr

if TYPE_CHECKING:
    from irviewer.views.paper import PaperTable

POINTS_PER_CM = 72.27 / 2.54
"""TeX's points."""
TYPE_SIZE = 10.0
GAP = 12.0
"""Between columns, in points: twice LaTeX's \\tabcolsep."""
LINE = 12.0
RULE, THIN_RULE = 0.8, 0.5
RAISED = 0.7
"""The size of marks, of that of the type."""
MARGIN = 18.0
COLUMN_CM, PAGE_CM = 8.4, 17.8
"""The width of a column of two, and of both."""
ZOOM = 1.6
"""Pixels per point at most."""
LEAST_ZOOM = 0.8
PAPER, INK = QColor("#ffffff"), QColor("#101010")


@cache
def serif_family() -> str:
    """Return the family of a serif type that is always there: STIX, which comes with matplotlib; else the system's."""
    spec = importlib.util.find_spec("matplotlib")
    folders = [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]
    family = "serif"
    for folder in folders:
        for file in ("STIXGeneral.ttf", "STIXGeneralBol.ttf", "STIXGeneralItalic.ttf"):
            number = QFontDatabase.addApplicationFont(str(folder / "mpl-data" / "fonts" / "ttf" / file))
            families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
            family = families[0] if families else family
    return family


def fit_text(width_cm: float) -> str:
    """Return in words whether a table fits a column or a page."""
    width, column, page = (decimal(f"{wide:.1f}") for wide in (width_cm, COLUMN_CM, PAGE_CM))
    if width_cm <= COLUMN_CM:
        return tr("{width} cm wide: fits one column of two ({column} cm)", width=width, column=column)
    if width_cm <= PAGE_CM:
        return tr("{width} cm wide: fits the page, not one column of two ({column} cm)", width=width, column=column)
    return tr("{width} cm wide: does not fit a page ({page} cm)", width=width, page=page)


@guarded
class PrintedTable(QWidget):
    """Paints a table; its size follows from the table and from the room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: PaperTable | None = None
        self._room = 700
        self._zoom = ZOOM
        self._size = QSize(0, 0)
        self._wrapped = 0.0
        self._widths: list[float] = []
        self._rooms: list[float] = []
        self.setAccessibleName(tr("Table as it prints"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_table(self, table: PaperTable) -> None:
        self._table = table
        self.setAccessibleDescription(table.caption)
        self._measure()

    def set_room(self, width: int) -> None:
        """Set the width of the surroundings in pixels."""
        if width != self._room:
            self._room = width
            self._measure()

    @property
    def width_cm(self) -> float:
        """The printed width of the table without its caption."""
        return (sum(self._widths) + GAP * max(0, len(self._widths) - 1)) / POINTS_PER_CM

    def sizeHint(self) -> QSize:
        return self._size

    def _font(self, bold: bool = False, scale: float = 1.0) -> QFont:
        font = QFont(serif_family())
        font.setStyleHint(QFont.StyleHint.Serif)
        # Metrics of large type, divided again, are those of the printed one.
        font.setPixelSize(round(TYPE_SIZE * scale))
        font.setBold(bold)
        return font

    def _cells(self) -> list[list[tuple[str, bool, str]]]:
        """Return the rows with header: text, whether bold, mark."""
        assert self._table is not None
        table = self._table.table
        grid = grid_of(table, arrows=False)
        tops = [best(table, column) if column.kind == "number" else None for column in grid.columns]
        rows = [[(title, False, "") for title in grid.header]]
        for place, texts, signs in zip(grid.numbers, grid.rows, grid.signs, strict=True):
            bold = [top is not None and bool(top[place]) for top in tops]
            rows.append(list(zip(texts, bold, signs, strict=True)))
        return rows

    def _measure(self) -> None:
        if self._table is None:
            return
        scale = 16.0
        metrics = {bold: QFontMetricsF(self._font(bold, scale)) for bold in (False, True)}
        rows = self._cells()
        columns = list(zip(*rows, strict=True))
        # Daggers hang between columns; letters of several groups need room of their own.
        longest = [max((mark for _, _, mark in column), key=len) for column in columns]
        self._rooms = [
            metrics[False].horizontalAdvance(mark) * RAISED / scale if len(mark) > 1 else 0.0 for mark in longest
        ]
        self._widths = [
            max(metrics[bold].horizontalAdvance(text) for text, bold, _ in column) / scale + room
            for column, room in zip(columns, self._rooms, strict=True)
        ]
        width = sum(self._widths) + GAP * (len(self._widths) - 1)
        page = max(width, COLUMN_CM * POINTS_PER_CM)
        self._zoom = max(LEAST_ZOOM, min(ZOOM, (self._room - 4) / (page + 2 * MARGIN)))
        caption = QFontMetricsF(self._font(scale=scale)).boundingRect(
            QRectF(0, 0, page * scale, 1e6), int(Qt.TextFlag.TextWordWrap), self._caption()
        )
        self._wrapped = caption.height() / scale
        height = 2 * MARGIN + self._wrapped + 10 + LINE * len(rows) + 8
        self._size = QSize(round((page + 2 * MARGIN) * self._zoom), round(height * self._zoom))
        self.setFixedSize(self._size)
        self.updateGeometry()
        self.update()

    def _caption(self) -> str:
        return "" if self._table is None else escape_hidden(tr("Table 1: {caption}", caption=self._table.caption))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._table is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), PAPER)
        painter.setPen(QPen(QColor("#d0d4d8"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        zoom = self._zoom
        painter.setPen(INK)
        page = self.width() / zoom - 2 * MARGIN
        painter.setFont(self._font(scale=zoom))
        box = QRectF(MARGIN * zoom, MARGIN * zoom, page * zoom + 1, (self._wrapped + LINE) * zoom)
        painter.drawText(box, int(Qt.TextFlag.TextWordWrap), self._caption())
        width = sum(self._widths) + GAP * (len(self._widths) - 1)
        left, top = MARGIN + (page - width) / 2, MARGIN + self._wrapped + 10
        rows = self._cells()
        self._rule(painter, left, top, width, RULE)
        y = top + 2
        for number, row in enumerate(rows):
            x = left
            for position, ((text, bold, mark), wide, room) in enumerate(
                zip(row, self._widths, self._rooms, strict=True)
            ):
                font = self._font(bold, zoom)
                painter.setFont(font)
                advance = QFontMetricsF(font).horizontalAdvance(text) / zoom
                end = x + wide - room
                start = x if not position else end - advance
                baseline = y + 0.78 * LINE
                painter.drawText(QPointF(start * zoom, baseline * zoom), text)
                if mark:
                    painter.setFont(self._font(scale=RAISED * zoom))
                    painter.drawText(QPointF((end + 0.6) * zoom, (baseline - 0.32 * LINE) * zoom), mark)
                x += wide + GAP
            y += LINE
            if not number:
                self._rule(painter, left, y + 1, width, THIN_RULE)
                y += 3
        self._rule(painter, left, y + 1, width, RULE)

    def _rule(self, painter: QPainter, left: float, y: float, width: float, weight: float) -> None:
        zoom = self._zoom
        painter.fillRect(QRectF(left * zoom, y * zoom, width * zoom, max(1.0, weight * zoom)), INK)

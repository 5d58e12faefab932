"""Painters of the cells of result tables, one for each kind of column.

A painter takes the role of a cell (better, weak, best, missing), and the theme gives the colour. No role is colour
alone: an arrow, weight, shape or word says it too."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import get_args

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from irviewer.gui.tables.cells import (
    ARROW,
    GROUP_ROOM,
    LEFT_PAD,
    SMALL,
    STAR,
    cut_of,
    draw_group,
    draw_left,
    draw_right,
    draw_run,
    elided,
    heat_colour,
    metrics_of,
    text_width,
)
from irviewer.gui.tables.density import ROOMY, Density
from irviewer.gui.tables.model import CellPainter, Column
from irviewer.gui.tables.result_columns import INDENT, BarRuns, Heading, ResultColumn
from irviewer.gui.theme import Theme, make_font
from irviewer.gui.widgets.painting import (
    CHIP_HEIGHT,
    CHIP_WIDTH,
    SWATCH,
    draw_grade_chip,
    draw_lost,
    draw_room,
    draw_swatch,
)
from irviewer.gui.widgets.run_names import fitting_name
from irviewer.tables.column import ColumnKind
from irviewer.tables.show import NOTHING, plain
from irviewer.tables.table import Status

INKS: Mapping[str, str] = {"better": "better", "worse": "worse", "equal": "muted", "": "text"}
"""The colour of a difference by its role; weak ones are muted."""
HATCHES = (
    Qt.BrushStyle.SolidPattern, Qt.BrushStyle.BDiagPattern, Qt.BrushStyle.Dense5Pattern, Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.CrossPattern, Qt.BrushStyle.Dense7Pattern,
)  # fmt: skip
"""How the parts of a bar differ beside their tone."""
PART_COLOURS = ("ink", "muted", "faint", "text", "muted", "faint")
WARNING = "⚠"
"""The sign of a cell whose number may be wrong; it has the colour of warnings."""
THICK = 11.0
BESIDE = 7
"""Pixels between the swatch of a run and its name."""
FAR = 4000
"""Pixels by which the ground of a heading reaches beyond its cell."""

Paint = Callable[[QPainter, QRect, ResultColumn, int, QColor], None]


def fitting_words(words: str, metrics: QFontMetricsF, room: float) -> str:
    """Return the clauses of ``words`` ("a; b; c") that have room, from the first; cut where it has none."""
    clauses = words.split("; ")
    forms = ("; ".join(clauses[:n]) for n in range(len(clauses), 0, -1))
    fitting = next((form for form in forms if metrics.horizontalAdvance(form) <= room), "")
    return fitting or metrics.elidedText(clauses[0], Qt.TextElideMode.ElideRight, max(0.0, room))


class ResultCell:
    """Paints a cell of any kind."""

    def __init__(self, theme: Theme, density: Density = ROOMY) -> None:
        self._theme = theme
        self._density = density
        self.by_kind: Mapping[ColumnKind, Paint] = {
            "id": self._id, "text": self._text, "tags": self._text, "flag": self._text, "outcome": self._text,
            "run": self._run, "number": self._number, "count": self._number, "share": self._number,
            "rank": self._number, "difference": self._difference, "p": self._p, "interval": self._interval,
            "grade": self._grade, "parts": self._parts,
        }  # fmt: skip
        assert set(self.by_kind) == set(get_args(ColumnKind))

    def paint(self, painter: QPainter, box: QRect, column: Column, row: int, ground: QColor) -> None:
        assert isinstance(column, ResultColumn)
        heading = column.heading(row) if column.headings else None
        if heading is not None:
            self._heading(painter, box, column, heading)
        elif column.pending:
            self._words(painter, box, column, "…", "muted", 400)
        elif column.groups is not None:
            draw_group(painter, box, column.groups[row], self._theme)
            box = box if column.right else box.adjusted(GROUP_ROOM, 0, 0, 0)
            self.by_kind[column.values.kind](painter, box, column, row, ground)
        else:
            self.by_kind[column.values.kind](painter, box, column, row, ground)

    def _end_width(self, heading: Heading) -> int:
        """Return the width in pixels of the words at the right end of a heading."""
        if not heading.end:
            return 0
        return math.ceil(text_width(heading.end, 400, self._density.size)) + 24 + self._density.pad

    def _heading(self, painter: QPainter, box: QRect, column: ResultColumn, heading: Heading) -> None:
        """A heading across its row: its title and words from the left, its last words at the right."""
        ground, size = self._theme.colours["heading"], self._density.size
        if column.is_first:
            far = QRect(box.left() + 3, box.top(), FAR, box.height())
            painter.fillRect(far, ground)
            painter.setPen(self._theme.colours["ink"])
            draw_left(painter, box, LEFT_PAD, heading.title, 600, size)
            painter.setPen(self._theme.colours["muted"])
            left = LEFT_PAD + math.ceil(text_width(heading.title, 600, size)) + 9
            room = painter.viewport().width() - box.left() - left - self._density.pad - self._end_width(heading)
            words = fitting_words(heading.words, metrics_of(400, size), room)
            draw_left(painter, QRect(box.left(), box.top(), FAR, box.height()), left, words, 400, size)
        elif column.is_last and heading.end:
            width = self._end_width(heading)
            wide = QRect(box.right() + 1 - width, box.top(), width, box.height())
            painter.fillRect(wide, ground)
            painter.setPen(self._theme.colours["text"])
            draw_right(painter, wide, heading.end, self._density)

    # --- texts ---

    def _words(self, painter: QPainter, box: QRect, column: ResultColumn, text: str, ink: str, weight: int) -> None:
        painter.setPen(self._theme.colours[ink])
        if column.right:
            draw_right(painter, box, text, self._density, weight)
            return
        is_id = column.values.kind in ("id", "run", "tags")  # several end with how many more there are
        # Rows below a heading are indented.
        left = LEFT_PAD + (INDENT if column.headings and column.is_first and weight == 400 else 0)
        text = elided(text, box.width() - left - self._density.pad, weight, cut_of(column, is_id), self._density.size)
        draw_left(painter, box, left, text, weight, self._density.size)
        if text and column.link:
            width = round(text_width(text, weight, self._density.size))
            y = box.center().y() + round(self._density.size * 0.75)
            painter.drawLine(box.left() + left, y, box.left() + left + width - 1, y)

    def _ink(self, column: ResultColumn, row: int, text: str, usual: str = "text") -> tuple[str, int]:
        """Return the colour and the weight of a text by what its row is."""
        status = column.status(row)
        if text == NOTHING or status in (Status.WEAK, Status.ABSENT, Status.UNKNOWN):
            return "muted", 400
        return ("ink", 600) if status is Status.TOTAL else (usual, 400)

    def _text(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        text = column.text(row)
        self._words(painter, box, column, text, *self._ink(column, row, text))

    def _id(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        text = column.text(row)
        self._words(painter, box, column, text, *self._ink(column, row, text, "ink"))

    def _run(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        label = column.label(row)
        if label is None:
            self._id(painter, box, column, row, ground)
            return
        if column.ticks:
            draw_run(painter, box.adjusted(column.indent(row), 0, 0, 0), label, self._theme, self._density)
            return
        top = box.top() + (box.height() - SWATCH) // 2
        swatch = QRect(box.left() + LEFT_PAD, top, SWATCH, SWATCH)
        draw_swatch(painter, swatch, self._theme.run(label), label.shown, self._theme.colours["control_border"])
        ink, weight = self._ink(column, row, column.text(row), "ink")
        star, size = STAR if label.baseline else "", self._density.size
        left = LEFT_PAD + SWATCH + BESIDE + (INDENT if column.headings and column.is_first and weight == 400 else 0)
        room = box.width() - left - self._density.pad // 2 - math.ceil(text_width(star, weight, size))
        painter.setPen(self._theme.colours[ink])
        draw_left(painter, box, left, fitting_name(label, metrics_of(weight, size), room) + star, weight, size)

    # --- numbers ---

    def _number(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        text = column.text(row)
        ink, weight = self._ink(column, row, text)
        values, place = column.values, column.place(row)
        if values.show.texts is not None and "" in values.parts and math.isnan(column.number(row)):
            ink = "muted"
        elif ink == "text" and values.kind == "count" and column.is_loss(row):
            ink = "worse"
        if values.key in column.table.marked:
            mark = column.table.marks.get((place, values.key))
            ink = "warning" if mark is not None and mark.sign == WARNING else ink
        if values.show.heat:
            shade = column.heat.item(place)
            if shade > 0:  # not NaN
                painter.fillRect(box, heat_colour(ground.rgba(), self._theme.palette.heat, round(shade * 64)))
        if column.has_best and column.best[place]:
            ink, weight = "ink", 700
        if column.whisker:
            self._whisker(painter, box, column, row)
        self._words(painter, box, column, text, ink, weight)

    def _whisker(self, painter: QPainter, box: QRect, column: ResultColumn, row: int) -> None:
        """The interval of a number below it, on an axis that the column has in common."""
        low, middle, high = column.whiskers[:, column.place(row)].tolist()
        if math.isnan(low) or math.isnan(high):
            return
        left, width = box.left() + self._density.pad, box.width() - 2 * self._density.pad
        y = box.bottom() - 2
        painter.setPen(QPen(self._theme.colours["muted"], 1))
        painter.drawLine(QPointF(left + low * width, y), QPointF(left + high * width, y))
        painter.setPen(QPen(self._theme.colours["ink"], 3))
        painter.drawPoint(QPointF(left + middle * width, y))

    def _difference(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        text = column.text(row)
        ink, weight = self._ink(column, row, text, "muted" if math.isnan(column.number(row)) else "text")
        role = column.role(row)
        self._words(painter, box, column, text, INKS.get(role, "muted") if ink != "muted" else ink, weight)

    def _p(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        family, text = column.values.family, column.text(row)
        # Of a total, p is of the declared family, also where that of its parts is exploratory.
        below = family is not None and column.number(row) < family.alpha
        declared = family is not None and (not family.exploratory or column.status(row) is Status.TOTAL)
        proves = column.values.show.proves
        proven = declared and (proves if isinstance(proves, bool) else bool(proves[column.place(row)]))
        self._words(painter, box, column, text, "ink" if below else "muted", 700 if below and proven else 400)

    def _grade(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        if not column.text(row):
            return
        most = column.max_grade
        if math.isnan(most):
            most = max((value for value in column.values.numbers[""].tolist() if not math.isnan(value)), default=1.0)
        left = box.right() + 1 - self._density.pad - CHIP_WIDTH
        chip = QRect(left, box.top() + (box.height() - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        draw_grade_chip(painter, chip, column.number(row), most, self._theme)

    # --- drawn ---

    def _interval(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        if not column.drawn:
            self._number(painter, box, column, row, ground)
            return
        low, high = column.number(row, "low"), column.number(row, "high")
        least, greatest = column.axis
        room = QRectF(box).adjusted(LEFT_PAD, 0, -LEFT_PAD, 0)
        y = box.top() + box.height() / 2

        def at(value: float) -> float:
            share = (value - least) / (greatest - least)
            return room.left() + min(1.0, max(0.0, share)) * room.width()

        if column.is_of_difference:
            painter.setPen(QPen(self._theme.colours["faint"], 1))
            zero = round(at(0.0))
            painter.drawLine(QPointF(zero, box.top()), QPointF(zero, box.bottom() + 1))
        if not math.isnan(column.total):
            pen = QPen(self._theme.colours["ink"], 1, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([1.0, 2.0])
            painter.setPen(pen)
            x = round(at(column.total))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom() + 1))
        for guide in column.guides:
            painter.setPen(QPen(self._theme.colours["muted"], 1, Qt.PenStyle.DotLine))
            x = round(at(guide))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom() + 1))
        if low > greatest or high < least:
            self._beyond(painter, box, room, column, row)
            return
        if math.isnan(low) and math.isnan(high):
            text = column.text(row)
            if text != NOTHING:
                self._words(painter, box, column, text, "muted", 400)
            return
        low, high = (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)
        ink = self._theme.colours["muted" if column.status(row) is Status.WEAK else "ink"]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.interval_pen(column, row, ink))
        painter.drawLine(QPointF(at(low), y), QPointF(at(high), y))
        for end, sign in ((low, -1), (high, 1)):
            if end < least or end > greatest:  # it goes on beyond the axis
                tip = at(end)
                painter.drawPolyline([QPointF(tip - 4 * sign, y - 3), QPointF(tip, y), QPointF(tip - 4 * sign, y + 3)])
        of = column.values.show.of
        middle = float(column.table.column(of).numbers[""][column.place(row)]) if of else math.nan
        if least <= middle <= greatest:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            self.draw_middle(painter, QPointF(at(middle), y), (at(low), at(high)), column, row)
        second = float(column.table.column(column.second).numbers[""][column.place(row)]) if column.second else math.nan
        if not math.isnan(second):
            painter.setPen(QPen(self._theme.colours["muted"], 1.3))
            painter.setBrush(ground)
            painter.drawEllipse(QPointF(at(second), y), 3.2, 3.2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _beyond(self, painter: QPainter, box: QRect, room: QRectF, column: ResultColumn, row: int) -> None:
        """An interval that lies wholly beyond the axis: an arrow, with the middle as a number if there is room."""
        sign = 1 if column.number(row, "low") > column.axis[1] else -1
        tip, y = (room.right() if sign > 0 else room.left()), box.top() + box.height() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colours["ink"], 1.3))
        painter.drawLine(QPointF(tip - ARROW * sign, y), QPointF(tip, y))
        painter.drawPolyline([QPointF(tip - 4 * sign, y - 3), QPointF(tip, y), QPointF(tip - 4 * sign, y + 3)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        of = column.values.show.of
        text = plain(column.table.column(of), column.place(row)) if of else ""
        away = ARROW + 4
        if QFontMetricsF(make_font(SMALL, numbers=True)).horizontalAdvance(text) > room.width() / 2 - away - 4:
            return
        painter.setPen(self._theme.colours["muted"])
        if sign < 0:
            draw_left(painter, box, LEFT_PAD + away, text, 400, SMALL)
        else:
            draw_right(painter, box, text, Density(SMALL, LEFT_PAD + away))

    def draw_middle(
        self, painter: QPainter, at: QPointF, ends: tuple[float, float], column: ResultColumn, row: int
    ) -> None:
        """Draw the value that an interval is of, in the painter's brush; ``ends`` are those of the interval."""
        painter.drawEllipse(at, 3.2, 3.2)

    def interval_pen(self, column: ResultColumn, row: int, ink: QColor) -> QPen:
        """Return the pen that draws the line from end to end; a subclass marks rows by it."""
        return QPen(ink, 1.4)

    def _parts(self, painter: QPainter, box: QRect, column: ResultColumn, row: int, ground: QColor) -> None:
        most = column.most
        if not most > 0:
            return
        room = QRectF(box).adjusted(LEFT_PAD, 0, -LEFT_PAD, 0)
        left, top = room.left(), room.center().y() - THICK / 2
        if column.bar_runs is not None:
            self._losses(painter, QRectF(left, round(top), room.width(), THICK), column, column.bar_runs, row, ground)
            return
        painter.setPen(QPen(self._theme.colours["frame"], 1))
        for number, part in enumerate(column.values.parts):
            value = column.number(row, part)
            if not value > 0:
                continue
            width = value / most * room.width()
            kind = number % len(HATCHES)
            painter.setBrush(QBrush(self._theme.colours[PART_COLOURS[kind]], HATCHES[kind]))
            painter.drawRect(QRectF(left, top, width, THICK))
            left += width
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _losses(
        self, painter: QPainter, room: QRectF, column: ResultColumn, runs: BarRuns, row: int, ground: QColor
    ) -> None:
        """A bar of what a run has, what it loses, and what it could not reach; a line at the value of another run."""
        left, scale = room.left(), room.width() / column.most
        for part in column.values.parts:
            value = column.number(row, part)
            if not value > 0:
                continue
            bar = QRectF(left, room.top(), value * scale, room.height())
            if part.startswith("lost"):
                draw_lost(painter, bar, self._theme)
            elif part == "out_of_reach":
                draw_room(painter, bar, self._theme)
            else:
                painter.fillRect(bar, self._theme.run(runs.run))
            left = bar.right()
        other = float(column.table.column(runs.other_key).numbers[""][column.place(row)])
        if not math.isnan(other):
            at = round(room.left() + other * scale)
            painter.fillRect(QRectF(at - 2, room.top() - 3, 4, room.height() + 6), ground)
            painter.fillRect(QRectF(at - 1, room.top() - 3, 2, room.height() + 6), self._theme.run(runs.other))


def result_painters(theme: Theme, density: Density) -> dict[type[Column], CellPainter]:
    """Return the painter of result columns, as :func:`irviewer.gui.tables.cells.painters` does for others."""
    return {ResultColumn: ResultCell(theme, density)}

"""The pictures of a judge's page, painted: rows of values with intervals on one axis, grades under two judges as bars,
pairs of systems as one bar, and half-widths by the number of queries."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from irviewer.figures.axes import ended_at_one, nice_step, ticks_between
from irviewer.figures.figure import Axis, Figure
from irviewer.gui.guard import guarded
from irviewer.gui.plots.axes_frame import Frame
from irviewer.gui.plots.painted_plot import PaintedFigure
from irviewer.gui.theme import Theme, aligned, colour
from irviewer.gui.widgets.painting import draw_grade_chip, draw_hatch, full_lines
from irviewer.gui.widgets.plain_text import show_tooltip, visible
from irviewer.model.number_text import count_text, limit, quantity, signed_quantity
from irviewer.rendering.palette import ink_on
from irviewer.session.session import Session
from irviewer.translation import decimal, tr

SIDE, AXIS, NUMBER = 12.0, 20.0, 52.0
"""Pixels at both sides, of the axis, and of the numbers at the right."""
HIGHEST, LEAST = 26.0, 17.0
"""Heights of rows in pixels."""
FOLDED = 8
"""The size in points of a name in two lines, which have room in the highest row."""
MOST_STEPS = 5
MOST_NAME = 0.42
"""The share of the width that names have at most."""
DOT = 3.6
_NO_CURVES = tr("No half-width is known.")
ALIKE = 1e-6
"""Ends that differ by less are one value."""
_CENTRE = aligned(Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True)
class IntervalRow:
    """A value with an interval (NaN ends: none), a ``mark`` as a tick, and an ``other`` value as a hollow dot, in the
    colour of warnings where it is ``outside``. ``words`` say all of it."""

    key: str
    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    mark: float = math.nan
    other: float = math.nan
    outside: bool = False
    words: str = ""
    known: bool = False

    @property
    def filled(self) -> bool:
        """Whether the dot of the value is filled: it has an interval, or is ``known`` and needs none."""
        return self.known or math.isfinite(self.low)

    @property
    def numbers(self) -> tuple[float, ...]:
        """What is drawn on the axis."""
        every = (self.value, self.low, self.high, self.mark, self.other)
        return tuple(number for number in every if math.isfinite(number))


@guarded
class _Rows(PaintedFigure):
    """Painted rows, one of which can be current: the arrows move it, Enter and a click open it."""

    opened = Signal(str)
    """The key of a row."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._title = ""
        self._words: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._current = -1

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The title; "" before there are rows."""
        return self._title if self._words else ""

    def tell(self, title: str, keys: Sequence[str], words: Sequence[str]) -> None:
        """Take the title, and keys and words of the rows."""
        self._title, self._keys, self._words, self._current = title, tuple(keys), tuple(words), -1
        self.setAccessibleName(visible(title))
        self.setAccessibleDescription(visible("\n".join(words)))
        self.update()

    @property
    def current(self) -> int:
        """The current row, -1 for none."""
        return self._current

    def row_at(self, where: QPointF) -> int:
        """Return the row at a pixel, -1 for none."""
        return next((row for row in range(len(self._keys)) if self.row_box(row).contains(where)), -1)

    @abstractmethod
    def row_box(self, row: int) -> QRectF:
        """Return where a row is in the widget, in pixels."""

    def tip_of(self, row: int) -> str:
        """Return the words of a row."""
        return self._words[row] if 0 <= row < len(self._words) else ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tip_of(self.row_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._move_to(self.row_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self.opened.emit(self._keys[row])
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key)
        if step is not None and self._keys:
            self._move_to(max(0, min(len(self._keys) - 1, self._current + step)))
            self.setAccessibleDescription(visible(self.tip_of(self._current)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._current < len(self._keys):
            self.opened.emit(self._keys[self._current])
        else:
            super().keyPressEvent(event)

    def _move_to(self, row: int) -> None:
        if row != self._current:
            self._current = row
            self.update()

    def _point_nowhere(self) -> None:
        self._current = -1

    def _paint_current(self, painter: QPainter, row: int) -> None:
        if row == self._current:
            painter.fillRect(self.row_box(row), self._theme["hover"])


@guarded
class IntervalRows(_Rows):
    """Rows of :class:`IntervalRow` on one axis, their names at the left and their values at the right."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._rows: tuple[IntervalRow, ...] = ()
        self._ends: tuple[float, float] | None = None
        self.setMinimumWidth(220)

    def show_rows(self, title: str, rows: Sequence[IntervalRow], ends: tuple[float, float] | None) -> None:
        """Show rows; the axis has the ``ends`` at least, None for those of the values."""
        self._rows, self._ends = tuple(rows), ends
        self._set_least_height()
        self.tell(title, [row.key for row in rows], [row.words for row in rows])

    def sizeHint(self) -> QSize:
        return QSize(300, self.minimumHeight())

    @property
    def rows(self) -> tuple[IntervalRow, ...]:
        """The rows shown."""
        return self._rows

    # --- geometry ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_least_height()

    def _set_least_height(self) -> None:
        """Have the height of the rows, higher ones where a name takes two lines."""
        folded = any(len(self.name_lines(row)) > 1 for row in self._rows)
        self.setMinimumHeight(round(len(self._rows) * (HIGHEST if folded else LEAST) + AXIS + 6))

    def name_lines(self, row: IntervalRow) -> list[str]:
        """Return the name of a row as it is painted: in two lines of smaller type where one has no room for it."""
        room, name = self._name_room(), visible(row.name)
        if QFontMetricsF(self._theme.font(9)).horizontalAdvance(name) <= room:
            return [name]
        metrics = QFontMetricsF(self._theme.font(FOLDED))
        first, rest = full_lines(name, metrics, room, 1)
        return [*first, metrics.elidedText(rest, Qt.TextElideMode.ElideMiddle, room)] if rest else first

    def _name_room(self) -> float:
        return self.area().left() - SIDE - 8

    def row_height(self) -> float:
        """Return the height of a row in pixels."""
        return max(LEAST, min(HIGHEST, (self.height() - AXIS - 6) / max(1, len(self._rows))))

    def row_box(self, row: int) -> QRectF:
        return QRectF(2, 4 + row * self.row_height(), self.width() - 4, self.row_height())

    def _scale(self) -> tuple[float, float, float]:
        """Return the ends of the axis, which have room for all that is drawn, and the step of its names, which have
        room beside each other."""
        numbers = [number for row in self._rows for number in row.numbers]
        low, high = self._ends or (min(numbers, default=0.0), max(numbers, default=1.0))
        low, high = min([low, *numbers]), max([high, *numbers])
        if high - low < ALIKE:  # all values are one
            low, high = (low - 0.5, high) if high > 0 else (low, high + 0.5)
        room = self.area().width() / QFontMetricsF(self._theme.font(8.5, numbers=True)).horizontalAdvance("0.000")
        for most in range(MOST_STEPS, 0, -1):
            step = nice_step(high - low, most)
            first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
            if last - first <= room:
                break
        return *ended_at_one(first * step, last * step, low, high), step

    def axis_ends(self) -> tuple[float, float]:
        """Return the ends of the axis."""
        return self._scale()[:2]

    def ticks(self) -> Sequence[tuple[float, str]]:
        """Return the values that the axis names, with their texts."""
        return ticks_between(*self._scale())

    def area(self) -> QRectF:
        """Return the area of the axis."""
        metrics = QFontMetricsF(self._theme.font(9))
        names = max((metrics.horizontalAdvance(visible(row.name)) for row in self._rows), default=0.0)
        left = SIDE + min(names, self.width() * MOST_NAME) + 12
        return QRectF(left, 4, max(20.0, self.width() - left - NUMBER - SIDE), self.row_height() * len(self._rows))

    def pixel(self, value: float) -> float:
        """Return where a value is on the axis."""
        (low, high), area = self.axis_ends(), self.area()
        return area.left() + (value - low) / ((high - low) or 1.0) * area.width()

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        painter, theme, area = QPainter(self), self._theme, self.area()
        painter.setFont(theme.font(8.5, numbers=True))
        for value, text in self.ticks():
            at = round(self.pixel(value)) + 0.5
            painter.setPen(QPen(theme["line"], 1))
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            painter.setPen(theme["muted"])
            painter.drawText(QRectF(at - 30, area.bottom() + 1, 60, AXIS - 2), int(_CENTRE), decimal(text))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, row in enumerate(self._rows):
            self._paint_current(painter, number)
            self._paint_row(painter, row, self.row_box(number), area)
        self.paint_focus(painter)
        painter.end()

    def _paint_row(self, painter: QPainter, row: IntervalRow, box: QRectF, area: QRectF) -> None:
        theme, y = self._theme, box.center().y()
        lines = self.name_lines(row)
        whole = QFontMetricsF(theme.font(9)).horizontalAdvance("".join(lines)) <= self._name_room()
        painter.setFont(theme.font(9 if whole else FOLDED))
        painter.setPen(theme["text"])
        line = painter.fontMetrics().height()
        top = box.center().y() - line * len(lines) / 2
        for number, text in enumerate(lines):
            painter.drawText(QRectF(SIDE, top + number * line, self._name_room() + 2, line), int(_LEFT), text)
        if math.isfinite(row.low) and math.isfinite(row.high):
            painter.setPen(QPen(theme["ink"], 1.6))
            painter.drawLine(QPointF(self.pixel(row.low), y), QPointF(self.pixel(row.high), y))
        if math.isfinite(row.mark):
            at = self.pixel(row.mark)
            painter.setPen(QPen(theme["muted"], 2.0))
            painter.drawLine(QPointF(at, y - 7), QPointF(at, y + 7))
        if math.isfinite(row.other):
            painter.setPen(QPen(theme["worse" if row.outside else "muted"], 1.8))
            painter.setBrush(theme["panel"])
            painter.drawEllipse(QPointF(self.pixel(row.other), y), DOT + 0.4, DOT + 0.4)
        if math.isfinite(row.value):
            painter.setPen(QPen(theme["ink"], 1.6))
            painter.setBrush(theme["ink" if row.filled else "panel"])
            painter.drawEllipse(QPointF(self.pixel(row.value), y), DOT, DOT)
        painter.setPen(theme["ink"])
        painter.setFont(theme.font(9, weight=600, numbers=True))
        text = quantity(row.value) if math.isfinite(row.value) else "–"
        painter.drawText(QRectF(area.right() + 8, box.top(), NUMBER + SIDE - 14, box.height()), int(_RIGHT), text)


@dataclass(frozen=True)
class GradeBar:
    """How a judge grades the documents of one grade of the reference; ``shares`` are grades with their shares."""

    grade: float
    pairs: int
    mean: float
    bias: float
    shares: tuple[tuple[float, float], ...]
    words: str = ""


@guarded
class GradeBars(_Rows):
    """A row for each grade of the reference: the judge's grades of these documents as one bar, framed where equal."""

    HEAD = 20.0
    CHIP, COUNT, MEAN, BIAS = 34.0, 46.0, 54.0, 56.0

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._bars: tuple[GradeBar, ...] = ()
        self._judge = self._reference = ""
        self.setMinimumWidth(260)

    def show_bars(self, title: str, bars: Sequence[GradeBar], reference: str, judge: str) -> None:
        """Show a row for each grade of the reference."""
        self._bars, self._reference, self._judge = tuple(bars), reference, judge
        self.setMinimumHeight(round(self.HEAD + len(bars) * LEAST + 8))
        self.tell(title, [limit(bar.grade) for bar in bars], [bar.words for bar in bars])

    def row_height(self) -> float:
        """Return the height of a row in pixels."""
        return max(LEAST, min(HIGHEST, (self.height() - self.HEAD - 8) / max(1, len(self._bars))))

    def row_box(self, row: int) -> QRectF:
        return QRectF(2, self.HEAD + 2 + row * self.row_height(), self.width() - 4, self.row_height())

    def bar_area(self) -> tuple[float, float]:
        """Return the left end of the bars and their width."""
        left = SIDE + self.CHIP + self.COUNT
        return left, max(40.0, self.width() - left - self.MEAN - self.BIAS - SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._bars:
            return
        painter, theme = QPainter(self), self._theme
        left, room = self.bar_area()
        painter.setFont(theme.font(8.5))
        painter.setPen(theme["muted"])
        metrics = painter.fontMetrics()
        judged = (visible(tr("grades of {judge}, %", judge=self._judge)), tr("grades, %"))
        columns = (
            (SIDE, self.CHIP + self.COUNT - 6, _LEFT, self._reference),
            (
                left,
                room,
                _LEFT,
                next((words for words in judged if metrics.horizontalAdvance(words) <= room), judged[-1]),
            ),
            (left + room, self.MEAN, _RIGHT, tr("mean")),
            (left + room + self.MEAN, self.BIAS, _RIGHT, tr("bias")),
        )
        for x, wide, side, text in columns:
            shown = metrics.elidedText(visible(text), Qt.TextElideMode.ElideMiddle, int(wide))
            painter.drawText(QRectF(x, 2, wide, self.HEAD - 2), int(side), shown)
        highest = max([bar.grade for bar in self._bars] + [grade for bar in self._bars for grade, _ in bar.shares])
        for number, bar in enumerate(self._bars):
            self._paint_current(painter, number)
            self._paint_bar(painter, bar, self.row_box(number), left, room, highest)
        self.paint_focus(painter)
        painter.end()

    def _paint_bar(
        self, painter: QPainter, bar: GradeBar, box: QRectF, left: float, room: float, highest: float
    ) -> None:
        theme = self._theme
        chip = QRectF(SIDE, box.center().y() - 8, 20, 16).toRect()
        draw_grade_chip(painter, chip, bar.grade, highest, theme)
        painter.setFont(theme.font(9, numbers=True))
        painter.setPen(theme["muted"])
        count = QRectF(SIDE + 20, box.top(), self.CHIP + self.COUNT - 28, box.height())
        painter.drawText(count, int(_RIGHT), count_text(bar.pairs))
        x, framed = left, QRectF()
        painter.setFont(theme.font(8.5, numbers=True))
        for grade, share in bar.shares:
            part = QRectF(x, box.top() + 2, share * room, box.height() - 4)
            ground, ink = theme.grade(grade, highest)
            painter.fillRect(part.adjusted(0, 0, -1 if part.width() > 2 else 0, 0), ground)
            text = f"{share * 100:.0f}"
            if painter.fontMetrics().horizontalAdvance(text) + 4 <= part.width():
                painter.setPen(ink)
                painter.drawText(part, int(_CENTRE), text)
            if grade == bar.grade:
                framed = part
            x += share * room
        if not framed.isEmpty():
            painter.setPen(QPen(theme["ink"], 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(framed.adjusted(0.5, 0.5, -1.5, -0.5))
        painter.setPen(theme["text"])
        painter.setFont(theme.font(9, numbers=True))
        painter.drawText(QRectF(left + room, box.top(), self.MEAN, box.height()), int(_RIGHT), quantity(bar.mean))
        painter.setPen(theme["ink"])
        painter.setFont(theme.font(9, weight=600, numbers=True))
        bias = QRectF(left + room + self.MEAN, box.top(), self.BIAS, box.height())
        painter.drawText(bias, int(_RIGHT), signed_quantity(bar.bias))


@dataclass(frozen=True)
class PairPart:
    """A part of the pairs of systems: ``strength`` from 0, pale, to 1, dark; ``turned`` are hatched and amber."""

    name: str
    count: int
    strength: float
    turned: bool = False


@guarded
class PairBar(PaintedFigure):
    """The pairs of systems as one bar, their numbers in it and their names below."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._parts: tuple[PairPart, ...] = ()
        self._title = ""
        self.setFixedHeight(50)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The title; "" before there are pairs."""
        return self._title if self._parts else ""

    def show_parts(self, title: str, parts: Sequence[PairPart]) -> None:
        """Show the parts that have pairs."""
        self._title, self._parts = title, tuple(part for part in parts if part.count)
        self.setAccessibleName(title)
        self.setAccessibleDescription("\n".join(f"{part.name}: {decimal(f'{part.count:,}')}" for part in parts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        total = sum(part.count for part in self._parts)
        if not total:
            return
        painter, theme = QPainter(self), self._theme
        room, x = self.width() - 2 * SIDE, SIDE
        names = []
        for part in self._parts:
            wide = room * part.count / total
            box = QRectF(x, 8, max(2.0, wide - 1.5), 18)
            ground = _between(theme["recess"], theme["muted"], part.strength)
            if part.turned:
                painter.fillRect(box, theme["panel"])
                draw_hatch(painter, box, theme)
                painter.setPen(QPen(theme["worse"], 1.6))
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            else:
                painter.fillRect(box, ground)
            painter.setFont(theme.font(9, weight=600, numbers=True))
            text = count_text(part.count)
            needed = painter.fontMetrics().horizontalAdvance(text) + 6.0
            if needed <= wide:
                ink = theme["ink"] if part.turned else colour(ink_on(ground.name()))
                if part.turned:
                    middle = QRectF(box.center().x() - needed / 2, box.top() + 2, needed, box.height() - 4)
                    painter.fillRect(middle, theme["panel"])
                painter.setPen(ink)
                painter.drawText(box, int(_CENTRE), text)
            names.append((part.name if needed <= wide else f"{part.name} {text}", x))
            x += wide
        painter.setFont(theme.font(8.5))
        painter.setPen(theme["muted"])
        metrics = painter.fontMetrics()
        widths = [metrics.horizontalAdvance(name) + 10.0 for name, _ in names]
        for (name, _), left, wide in zip(names, beside([x for _, x in names], widths, SIDE, room), widths, strict=True):
            wide = min(wide, SIDE + room - left)
            painter.drawText(
                QRectF(left, 28, wide, 18), int(_LEFT), metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(wide))
            )
        self.paint_focus(painter)
        painter.end()


def beside(wanted: Sequence[float], widths: Sequence[float], start: float, room: float) -> list[float]:
    """Return left edges nearest to those wanted at which texts of these widths do not overlap; those that have no room
    stand after the others."""
    lefts, end = [], start + room
    for left, width in zip(reversed(wanted), reversed(widths), strict=True):
        end = min(left, end - width)
        lefts.append(end)
    placed, last = [], start
    for left, width in zip(reversed(lefts), widths, strict=True):
        placed.append(max(left, last))
        last = placed[-1] + width
    return placed


def _line(frame: Frame, queries: Sequence[float], halves: Sequence[float]) -> QPolygonF:
    return QPolygonF([QPointF(frame.x(n), frame.y(half)) for n, half in zip(queries, halves, strict=True)])


def _between(pale: QColor, dark: QColor, strength: float) -> QColor:
    """Return a colour between two, ``strength`` from 0, the pale one, to 1."""
    parts = ((pale.red(), dark.red()), (pale.green(), dark.green()), (pale.blue(), dark.blue()))
    red, green, blue = (round(own + (other - own) * strength) for own, other in parts)
    return QColor(red, green, blue)


@dataclass(frozen=True, eq=False)
class HalfWidthCurves:
    """Half-widths by numbers of queries, corrected and by the reference alone; ``half`` is the one wanted, NaN for
    none, with the queries that it takes of each, NaN where there are none."""

    queries: Sequence[float]
    corrected: Sequence[float]
    alone: Sequence[float]
    half: float
    needed: tuple[float, float]
    reference: str
    words: str


@guarded
class HalfWidthPlot(PaintedFigure):
    """Half-widths by numbers of queries: corrected a solid line, by the reference alone a dashed one, the wanted one
    dotted."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._curves: HalfWidthCurves | None = None
        self._title = ""
        self.setMinimumSize(220, 110)

    @property
    def figure(self) -> Figure | None:
        return None

    @property
    def picture_title(self) -> str:
        """The title; "" before there are curves."""
        return self._title if self._curves is not None else ""

    def show_curves(self, title: str, curves: HalfWidthCurves | None) -> None:
        """Show curves; None shows nothing."""
        self._title, self._curves = title, curves
        self.setAccessibleName(visible(title))
        self.setAccessibleDescription(_NO_CURVES if curves is None else visible(curves.words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        curves = self._curves
        if curves is None or not len(curves.queries):
            painter = QPainter(self)
            painter.setPen(self._theme["muted"])
            painter.setFont(self._theme.font(9))
            painter.drawText(self.rect(), int(_CENTRE), _NO_CURVES)
            self.paint_focus(painter)
            painter.end()
            return
        painter, theme = QPainter(self), self._theme
        first, last = float(curves.queries[0]), max(float(curves.queries[-1]), float(curves.queries[0]) + 1)
        finite = [each for each in (*curves.corrected, *curves.alone) if math.isfinite(each)]
        top = max(finite, default=1.0)
        if math.isfinite(curves.half):
            top = max(curves.half * 1.2, min(top, curves.half * 5))
        ticks = ticks_between(0.0, top, nice_step(top, 4))
        across = Axis(tr("queries judged by {judge}", judge=curves.reference), first, last,
                      ticks_between(first, last, max(1.0, nice_step(last - first, 6))))  # fmt: skip
        upward = Axis("", 0.0, top, tuple((value, f"±{decimal(text)}") for value, text in ticks))
        frame = Frame(Figure(self._title, across, upward), theme, QRectF(self.rect()))
        frame.paint(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(frame.area)
        if math.isfinite(curves.half):
            painter.setPen(QPen(theme["ink"], 1.2, Qt.PenStyle.DotLine))
            y = frame.y(curves.half)
            painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y))
        painter.setPen(QPen(theme["muted"], 1.8, Qt.PenStyle.DashLine))
        painter.drawPolyline(_line(frame, curves.queries, curves.alone))
        painter.setPen(QPen(theme["ink"], 2.0))
        painter.drawPolyline(_line(frame, curves.queries, curves.corrected))
        painter.restore()
        self._paint_needed(painter, frame, curves)
        self.paint_focus(painter)
        painter.end()

    def _paint_needed(self, painter: QPainter, frame: Frame, curves: HalfWidthCurves) -> None:
        theme = self._theme
        painter.setFont(theme.font(9, weight=600, numbers=True))
        for n, fill in zip(curves.needed, ("ink", "panel"), strict=True):
            if not math.isfinite(n) or not curves.queries[0] <= n <= curves.queries[-1]:
                continue
            at = QPointF(frame.x(n), frame.y(curves.half))
            painter.setPen(QPen(theme["ink"], 1.6))
            painter.setBrush(theme[fill])
            painter.drawEllipse(at, 4.0, 4.0)
            painter.drawText(QRectF(at.x() - 30, at.y() - 20, 60, 15), int(_CENTRE), count_text(int(n)))

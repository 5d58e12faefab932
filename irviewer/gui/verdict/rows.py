"""Rows of a verdict that lead to their evidence: what could turn it, the queries that decide it, what to do next. Each
row is a button."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip, visible
from irviewer.model.number_text import signed_quantity
from irviewer.translation import tr

_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)
KIND, STATUS = 118, 138
"""The least width of a row's title, and that of its status, in pixels."""
RADIUS = 4
"""Half the width of a dot, in pixels."""
GAP = 10
"""Pixels between a row's title and what was found."""
AXIS_SHARE = 0.22
"""The part of a row that the axis of the differences takes."""
SIDE = 12
FOUND_SIZE, LINE = 8.5, 16
"""The size of type of what was found, in points, and the height of its lines in pixels."""
MOST_LINES = 8


@dataclass(frozen=True)
class Dot:
    """A thing that was tried: its name, the difference, and whether a test shows it."""

    name: str
    difference: float
    shown: bool


@dataclass(frozen=True)
class ChangeTexts:
    """What a row of changes shows, in words, and its dots; ``kind`` names the row."""

    kind: str
    title: str
    found: str
    status: str
    turns: bool
    dots: tuple[Dot, ...] = ()


@dataclass(frozen=True)
class QueryTexts:
    """What a row of deciding queries shows."""

    query: str
    text: str
    cause: str
    gain: float


@guarded
class ChangeRow(ThemedButton):
    """What was changed, what was found, every difference that was tried on one axis, and what became of the verdict.

    ``whole`` is the difference of the verdict itself, dotted; NaN where there is none."""

    HEIGHT = 36

    def __init__(
        self, theme: Theme, texts: ChangeTexts, ends: tuple[float, float], band: float, whole: float, kind: int = KIND
    ) -> None:
        """``kind`` is the width in pixels of the title, the same in all rows."""
        super().__init__(theme)
        self.texts = texts
        self._kind = kind
        self._ends, self._band, self._whole = ends, band, whole
        self.air = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{texts.title}: {without_sign(texts.status)}. {texts.found}")
        dots = [f"{dot.name or texts.title}: {signed_quantity(dot.difference)}" for dot in texts.dots]
        set_tooltip(self, "\n".join([texts.found, *dots]))

    def sizeHint(self) -> QSize:
        return QSize(self._kind + STATUS + 200, self.HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def set_air(self, air: int) -> None:
        """Set what the row is higher than it need be, in pixels."""
        if air != self.air:
            self.air = air
            self._fit_height()

    def _fit_height(self) -> None:
        self.setFixedHeight(self.HEIGHT + max(0, len(self.lines()) - 2) * LINE + self.air)

    def lines(self) -> list[str]:
        """Return the lines of what was found, all of it."""
        metrics = QFontMetrics(self.theme.font(FOUND_SIZE))
        return wrapped(visible(self.texts.found), metrics, self._room())

    def _axis(self) -> QRectF:
        width = self.width()
        return QRectF(width - STATUS - width * AXIS_SHARE, 0, width * AXIS_SHARE - 10, self.height())

    def _room(self) -> int:
        """Return the width in pixels of what was found."""
        return max(0, int(self._axis().left() - SIDE - self._kind - 8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, texts = QPainter(self), self.theme, self.texts
        self.paint_box(painter, framed=False)
        width, full, axis = self.width(), self.height(), self._axis()
        painter.setFont(theme.font(9.5, weight=600))
        painter.setPen(theme["ink"])
        painter.drawText(QRect(SIDE, 0, self._kind, full), int(_LEFT), texts.title)
        painter.setFont(theme.font(FOUND_SIZE))
        painter.setPen(theme["text"])
        lines = self.lines()
        top = (full - LINE * len(lines)) // 2
        for number, line in enumerate(lines):
            painter.drawText(QRect(SIDE + self._kind, top + number * LINE, self._room(), LINE), int(_LEFT), line)
        self._paint_dots(painter, axis)
        painter.setFont(theme.font(9, weight=600))
        painter.setPen(theme["warning" if texts.turns else "ink"])
        painter.drawText(QRectF(width - STATUS + 4, 0, STATUS - 8, full), int(_LEFT), texts.status)

    def _paint_dots(self, painter: QPainter, axis: QRectF) -> None:
        theme, (low, high) = self.theme, self._ends
        if not high > low:
            return

        def x(value: float) -> float:
            return axis.left() + axis.width() * (value - low) / (high - low)

        if self._band:
            painter.fillRect(QRectF(x(-self._band), 0, x(self._band) - x(-self._band), axis.height()), theme["recess"])
        painter.setPen(QPen(theme["muted"], 1))
        painter.drawLine(QPointF(x(0), 0), QPointF(x(0), axis.height()))
        if math.isfinite(self._whole):
            painter.setPen(QPen(theme["muted"], 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x(self._whole), 0), QPointF(x(self._whole), axis.height()))
        painter.setPen(QPen(theme["ink"], 1.2))
        for dot, height in zip(self.texts.dots, self._heights(x), strict=True):
            if math.isfinite(dot.difference):
                painter.setBrush(theme["ink"] if dot.shown else theme["panel"])
                painter.drawEllipse(QPointF(x(dot.difference), axis.height() / 2 + height), RADIUS, RADIUS)

    def _heights(self, x: Callable[[float], float]) -> list[float]:
        """Return how far below the middle each dot stands: dots of the same place are two, one shown and one not."""
        kinds: dict[int, set[bool]] = {}
        places = [round(x(dot.difference)) if math.isfinite(dot.difference) else -1 for dot in self.texts.dots]
        for place, dot in zip(places, self.texts.dots, strict=True):
            kinds.setdefault(place, set()).add(dot.shown)
        apart = RADIUS + 1
        return [0.0 if len(kinds[place]) < 2 else -apart if dot.shown else apart
                for place, dot in zip(places, self.texts.dots, strict=True)]  # fmt: skip


@guarded
class QueryRow(ThemedButton):
    """A query that decides: its text with the difference as a bar; below, in the whole width, its id and what differs
    in the lists."""

    HEIGHT = 36
    BAR, VALUE = 70, 70

    def __init__(self, theme: Theme, texts: QueryTexts, most: float) -> None:
        super().__init__(theme)
        self.texts = texts
        self._most = most
        self.setFixedHeight(self.HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words = [texts.text or texts.query, f"{texts.query}: {signed_quantity(texts.gain)}", texts.cause]
        self.setAccessibleName(visible(". ".join(filter(None, words))))
        set_tooltip(self, "\n".join(filter(None, words)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, texts = QPainter(self), self.theme, self.texts
        self.paint_box(painter, framed=False)
        whole = self.width() - 2 * SIDE
        first = " ".join((texts.text or texts.query).split())
        second = " · ".join(filter(None, (texts.query if texts.text else "", texts.cause)))
        beside = whole - self.BAR - self.VALUE - 8
        for text, top, size, name, room in ((first, 2, 9.5, "ink", beside), (second, 18, 8.5, "muted", whole)):
            painter.setFont(theme.font(size))
            painter.setPen(theme[name])
            cut = painter.fontMetrics().elidedText(visible(text), Qt.TextElideMode.ElideMiddle, max(0, room))
            painter.drawText(QRect(SIDE, top, max(0, room), 17), int(_LEFT), cut)
        better = texts.gain > 0
        colour = theme["better" if better else "worse"]
        left = self.width() - SIDE - self.BAR - self.VALUE
        painter.fillRect(QRectF(left, 6, max(1.0, self.BAR * abs(texts.gain) / self._most), 10), colour)
        painter.setPen(colour)
        painter.setFont(theme.font(9.5, weight=600, numbers=True))
        sign = "▲" if better else "▼"
        painter.drawText(QRect(self.width() - SIDE - self.VALUE, 2, self.VALUE, 17), int(_RIGHT),
                         f"{sign} {signed_quantity(texts.gain).lstrip('+−')}")  # fmt: skip


@guarded
class StepRow(ThemedButton):
    """What to do next: its number, a sentence, and where it leads."""

    HEIGHT = 28

    def __init__(self, theme: Theme, number: int, text: str, step: str, where: str) -> None:
        super().__init__(theme)
        self.step = step
        self._number, self._where = number, where
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"{number}. {text} {where}")

    def sizeHint(self) -> QSize:
        return QSize(240, self.HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.HEIGHT + max(0, len(self.lines()) - 1) * LINE)

    def lines(self) -> list[str]:
        """Return the lines of the sentence, all of it."""
        return wrapped(self.text(), QFontMetrics(self.theme.font(9.5)), self._room())

    def _where_width(self) -> int:
        return QFontMetrics(self.theme.font(9)).horizontalAdvance(self._where) + 4

    def _room(self) -> int:
        """Return the width in pixels of the sentence."""
        return max(0, self.width() - 2 * SIDE - 20 - self._where_width() - 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self.theme
        self.paint_box(painter, framed=False)
        painter.setFont(theme.font(9))
        painter.setPen(theme["muted"])
        painter.drawText(QRect(SIDE, 0, 16, self.HEIGHT), int(_LEFT), str(self._number))
        where = self._where_width()
        painter.drawText(QRect(self.width() - SIDE - where, 0, where, self.HEIGHT), int(_RIGHT), self._where)
        painter.setPen(theme["ink" if self.underMouse() or self.hasFocus() else "text"])
        painter.setFont(theme.font(9.5))
        for number, line in enumerate(self.lines()):
            painter.drawText(QRect(SIDE + 20, number * LINE, self._room(), self.HEIGHT), int(_LEFT), line)


def wrapped(text: str, metrics: QFontMetrics, room: int) -> list[str]:
    """Return a text in lines of at most ``room`` pixels, cut between words; a word without room is elided, and so is
    the last of ``MOST_LINES``."""
    lines: list[str] = []
    rest = text.split(" ")
    while rest:
        first = 1
        last = len(lines) + 1 == MOST_LINES
        while first < len(rest) and (last or metrics.horizontalAdvance(" ".join(rest[: first + 1])) <= room):
            first += 1
        line = " ".join(rest[:first])
        fits = metrics.horizontalAdvance(line) <= room  # which rounds otherwise than what elides
        lines.append(line if fits else metrics.elidedText(line, Qt.TextElideMode.ElideRight, room))
        rest = rest[first:]
    return lines


class RowsPanel(Panel):
    """A panel of rows below each other, with headings between them."""

    chosen = Signal(str)
    """The name of the row that was clicked."""

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__(theme, title)
        self.rows: list[tuple[str, ThemedButton]] = []
        self.headings: list[PlainLabel] = []
        self._body = QWidget()
        self._rows_layout = QVBoxLayout(self._body)
        self._rows_layout.setContentsMargins(0, 2, 0, 4)
        self._rows_layout.setSpacing(0)
        self._rows_layout.addStretch(1)
        self.set_body(self._body)

    def clear(self) -> None:
        """Remove all rows and headings."""
        for widget in (*(row for _, row in self.rows), *self.headings):
            self._rows_layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.rows, self.headings = [], []

    def add_heading(self, text: str) -> None:
        """Add a small title above the rows that follow."""
        label = PlainLabel(text)
        label.setFont(self._theme.font(8.5))
        label.setContentsMargins(SIDE, 3, SIDE, 2)
        self.headings.append(label)
        self._rows_layout.insertWidget(self._rows_layout.count() - 1, label)

    def add_row(self, name: str, row: ThemedButton) -> None:
        self.rows.append((name, row))
        row.clicked.connect(self._on_clicked)
        self._rows_layout.insertWidget(self._rows_layout.count() - 1, row)

    def settle(self) -> None:
        """Let the size that the panel wants follow its rows at once, not some turns of the event loop later."""
        self._rows_layout.activate()
        self._layout.activate()

    def _on_clicked(self) -> None:
        sender = self.sender()
        for name, row in self.rows:
            if row is sender:
                self.chosen.emit(name)
                return


def without_sign(status: str) -> str:
    """Return a status without its sign, which a screen reader calls a circle."""
    return status.lstrip("●◐○ ")


def kind_width(theme: Theme, changes: Sequence[ChangeTexts]) -> int:
    """Return the width in pixels that the longest title of the rows needs, with a gap."""
    metrics = QFontMetrics(theme.font(9.5, weight=600))
    return max([KIND, *(metrics.horizontalAdvance(change.title) + GAP for change in changes)])


def axis_of(changes: Sequence[ChangeTexts], band: float) -> tuple[float, float]:
    """Return the ends of the axis that all dots have."""
    values = [dot.difference for change in changes for dot in change.dots if math.isfinite(dot.difference)]
    ends = [0.0, band, -band, *values]
    room = (max(ends) - min(ends)) * 0.08 or 1.0
    return min(ends) - room, max(ends) + room


def names_of_places() -> dict[str, str]:
    """Return where a row leads, by the name of the evidence."""
    return {
        "pool": tr("Compare › Pool"), "judge": tr("Compare › Judge"),
        "judges": tr("Compare › Systems by judge"), "assigners": tr("Compare › Agreement of assigners"),
        "comparison": tr("Compare › Pair"),
        "systems": tr("Systems"), "slices": tr("Compare › Slices"), "queries": tr("Queries"),
        "failures": tr("Queries › Failures"),
        "gate": tr("Compare › Gate"), "plan": tr("Compare › Plan"),
    }  # fmt: skip

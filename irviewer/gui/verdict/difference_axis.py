"""The axis of a verdict: the difference with its interval, and the band of differences that are too small to matter."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from irviewer.analysis.verdict.headline import Headline
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.gui.widgets.screen_reader import set_role
from irviewer.model.number_text import limit, quantity
from irviewer.translation import tr

SIDE, TOP, FOOT = 16, 26, 40
LOW_TOP, LOW_BOX = 4, 58
"""Where it lies low: the pixels above the drawing, and the height of the drawing."""
_HIGHEST = 16_777_215
"""Qt's largest height."""
DOT = 5.0
TICKS = 5
_CENTRE = aligned(Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignVCenter)
_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_RIGHT = aligned(Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter)


def ticks(low: float, high: float, most: int = TICKS) -> list[float]:
    """Return round numbers from ``low`` to ``high``, at most about ``most`` of them."""
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return []
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(factor * power for factor in (1, 2, 5, 10) if span / (factor * power) <= most)
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


def beside(wanted: float, line: float, half: float) -> float:
    """Return the centre of a label nearest to a wanted one through which an upright line does not go: ``half`` is half
    its width with the air at a side, in pixels."""
    away = wanted - line
    if abs(away) >= half:
        return wanted
    return line + (half if away > 0 or line < 2 * half else -half)


def _tick(value: float) -> str:
    """Return a tick's number with its sign, as short as it is."""
    text = limit(round(value, 12))
    return f"+{text}" if value > 1e-12 else text


@guarded
class DifferenceAxis(QWidget):
    """Δ with its interval on one axis with 0; a filled dot where the test shows a difference. Better is always to the
    right: of a measure where less is better the axis is turned."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_role(self, QAccessible.Role.Chart)
        self._theme = theme
        self._answer: Headline | None = None
        self._names = ("", "")
        self._low = False
        self.setMinimumWidth(260)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(480, 132)

    def lie_low(self, low: bool) -> None:
        """Take no more height than is drawn: below the sentences there would be an empty band between."""
        if low != self._low:
            self._low = low
            self._take_height()

    @property
    def _top(self) -> int:
        """The pixels above the drawing, which words about a band need."""
        return LOW_TOP if self._low and (self._answer is None or not self._answer.margin) else TOP

    def _take_height(self) -> None:
        self.setMinimumHeight(self._top + LOW_BOX + FOOT if self._low else 0)
        self.setMaximumHeight(self._top + LOW_BOX + FOOT if self._low else _HIGHEST)

    def show_answer(self, answer: Headline | None, names: tuple[str, str]) -> None:
        """Show the difference of an answer, with the names of the run and of the other one."""
        self._answer, self._names = answer, names
        self._take_height()
        text = self.words
        self.setAccessibleName(tr("Difference"))
        self.setAccessibleDescription(text)
        set_tooltip(self, text)
        self.update()

    @property
    def words(self) -> str:
        """What is drawn, in words, or why nothing is; "" without an answer."""
        answer = self._answer
        if answer is None:
            return ""
        if not self.drawable:
            pair = answer.pair
            if pair is None or pair.by_signs or not math.isfinite(pair.difference):
                return tr("There is no difference to draw.")
            return tr(
                "{measure} {difference}, without an interval", measure=pair.change.name, difference=pair.change.text
            )
        words = [f"{answer.pair.change.name} {answer.pair.change.text} {answer.pair.change.ends}"]
        if answer.margin is not None:
            words.append(tr("Differences below {m} are too small to matter.", m=limit(answer.margin)))
        if self._together is not None:
            words.append(tr("For a run so chosen: {interval}.", interval=answer.change.ends))
        return "\n".join(words)

    @property
    def drawable(self) -> bool:
        """Whether there is a difference with an interval."""
        pair = None if self._answer is None else self._answer.pair
        return pair is not None and not pair.by_signs and all(
            math.isfinite(each) for each in (pair.difference, pair.interval.low, pair.interval.high)
        )  # fmt: skip

    @property
    def _together(self) -> tuple[float, float] | None:
        answer = self._answer
        return None if answer is None or not answer.is_simultaneous else (answer.change.low, answer.change.high)

    def _range(self, answer: Headline) -> tuple[float, float]:
        pair, margin = answer.pair, answer.margin or 0.0
        ends = [0.0, -margin, margin, pair.difference, pair.interval.low, pair.interval.high, *(self._together or ())]
        low, high = min(ends), max(ends)
        room = (high - low or 1.0) * 0.08
        return low - room, high + room

    def paintEvent(self, event: QPaintEvent) -> None:
        answer, theme = self._answer, self._theme
        if answer is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(9))
        if not self.drawable:
            painter.setPen(theme["muted"])
            painter.drawText(self.rect(), int(_CENTRE), self.words)
            return
        pair = answer.pair
        low, high = self._range(answer)
        turned = not pair.higher_is_better
        top = self._top
        box = QRectF(SIDE, top, max(1, self.width() - 2 * SIDE), max(1, self.height() - top - FOOT))

        def x(value: float) -> float:
            share = (value - low) / (high - low)
            return box.left() + box.width() * (1 - share if turned else share)

        self._paint_band(painter, box, answer.margin, x)
        painter.setPen(QPen(theme["line"], 1))
        painter.drawLine(QPointF(box.left(), box.bottom()), QPointF(box.right(), box.bottom()))
        painter.setPen(QPen(theme["muted"], 1.4))
        painter.drawLine(QPointF(x(0), box.top() - 4), QPointF(x(0), box.bottom()))
        painter.setPen(theme["muted"])
        painter.setFont(theme.font(8.5, numbers=True))
        for tick in ticks(low, high):
            painter.drawText(QRectF(x(tick) - 40, box.bottom() + 2, 80, 16), int(_CENTRE), _tick(tick))
        self._paint_interval(painter, box, answer, x)
        self._paint_foot(painter, box, turned)

    def _paint_band(self, painter: QPainter, box: QRectF, margin: float | None, x: object) -> None:
        if not margin or not callable(x):
            return
        theme = self._theme
        left, right = sorted((x(-margin), x(margin)))
        painter.fillRect(QRectF(left, box.top(), right - left, box.height()), theme["recess"])
        pen = QPen(theme["muted"], 1)
        pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        for edge in (left, right):
            painter.drawLine(QPointF(edge, box.top()), QPointF(edge, box.bottom()))
        painter.setPen(theme["muted"])
        painter.setFont(theme.font(8.5))
        words, centre = tr("too small to matter"), (left + right) / 2
        width = painter.fontMetrics().horizontalAdvance(words) + 4
        start = min(max(2.0, centre - width / 2), self.width() - width - 2)
        painter.drawText(QRectF(start, 4, width, 18), int(_CENTRE), words)

    def _paint_interval(self, painter: QPainter, box: QRectF, answer: Headline, x: object) -> None:
        if not callable(x):
            return
        theme, pair = self._theme, answer.pair
        middle = box.center().y() + 8
        colour = self._colour(answer)
        if self._together is not None:
            painter.setPen(QPen(theme["ink"], 1))
            painter.drawLine(QPointF(x(self._together[0]), middle), QPointF(x(self._together[1]), middle))
        painter.setPen(QPen(theme["ink"], 2.4))
        painter.drawLine(QPointF(x(pair.interval.low), middle), QPointF(x(pair.interval.high), middle))
        painter.setPen(QPen(theme["ink"], 1.6))
        painter.setBrush(theme["ink"] if answer.form.side else theme["panel"])
        painter.drawEllipse(QPointF(x(pair.difference), middle), DOT, DOT)
        sign = {1: "▲", -1: "▼", 0: "△"}[answer.form.side]
        if not answer.form.side and pair.difference * (1 if pair.higher_is_better else -1) < 0:
            sign = "▽"
        painter.setPen(colour)
        painter.setFont(theme.font(10.5, weight=600, numbers=True))
        text = f"{sign} {pair.change.text}"
        centre = beside(x(pair.difference), x(0), painter.fontMetrics().horizontalAdvance(text) / 2 + 4)
        painter.drawText(QRectF(centre - 80, middle - 28, 160, 20), int(_CENTRE), text)
        painter.setPen(theme["muted"])
        painter.setFont(theme.font(8.5, numbers=True))
        low, high = pair.shown_interval.low, pair.shown_interval.high
        for end, at in ((low, pair.interval.low), (high, pair.interval.high)):
            text = quantity(end)
            centre = beside(x(at), x(0), painter.fontMetrics().horizontalAdvance(text) / 2 + 4)
            painter.drawText(QRectF(centre - 40, middle + 5, 80, 16), int(_CENTRE), text)

    def _colour(self, answer: Headline) -> QColor:
        return self._theme[{1: "better", -1: "worse", 0: "ink"}[answer.form.side]]

    def _paint_foot(self, painter: QPainter, box: QRectF, turned: bool) -> None:
        theme = self._theme
        painter.setPen(theme["muted"])
        painter.setFont(theme.font(8.5))
        metrics, room = painter.fontMetrics(), int(box.width() / 2 - 8)
        run, other = (visible(name) for name in self._names)
        top = box.bottom() + 20
        left = metrics.elidedText("◀ " + tr("{run} better", run=other), Qt.TextElideMode.ElideMiddle, room)
        right = metrics.elidedText(tr("{run} better", run=run) + " ▶", Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(box.left(), top, room, 16), int(_LEFT), left)
        painter.drawText(QRectF(box.right() - room, top, room, 16), int(_RIGHT), right)

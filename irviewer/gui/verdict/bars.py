"""Painted bars of a verdict: on how many queries the run is better, equal and worse; and where the rest is lost."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from irviewer.analysis.failures.losses import PART_TITLES, PARTS
from irviewer.analysis.verdict.loss import Loss
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme, aligned
from irviewer.gui.widgets.controls import ThemedButton
from irviewer.gui.widgets.painting import draw_swatch
from irviewer.gui.widgets.plain_text import set_tooltip, visible
from irviewer.model.number_text import quantity
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import tr, trn

_LEFT = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter)
_TOP = aligned(Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignTop)
_CENTRE = Qt.AlignmentFlag.AlignCenter
BAR = 14
NAMES = 132
ROW = 32
HEAD = 24
BELOW = HEAD + 3 * ROW + 24
"""The top of the sentence below the bars, in pixels."""
LEFT = NAMES + 20.0
SWATCH, APART = 10.0, 12.0
STRENGTHS = (0.0, 0.55, 0.25)
"""How much of the colour of losses is in each part of a loss."""


@guarded
class CountBar(ThemedButton):
    """The numbers of queries on which a run is better, equal and worse, as one bar with its words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._counts = (0, 0, 0)
        self._words = ""
        self.setFixedHeight(22)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_counts(self, better: int, equal: int, worse: int) -> None:
        """Show the three counts."""
        self._counts = (better, equal, worse)
        self._words = trn(
            "better on {better:,} · equal on {equal:,} · worse on {worse:,} of {n:,} query",
            "better on {better:,} · equal on {equal:,} · worse on {worse:,} of {n:,} queries",
            better + equal + worse, better=better, equal=equal, worse=worse,
        )  # fmt: skip
        self.setAccessibleName(self._words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        self.paint_box(painter, framed=False)
        whole = sum(self._counts)
        painter.setFont(theme.font(9))
        words = painter.fontMetrics().horizontalAdvance(self._words)
        room = min(300.0, max(60.0, self.width() - words - 16.0))
        x = 0.0
        if whole:
            for count, name in zip(self._counts, ("better", "recess", "worse"), strict=True):
                width = room * count / whole
                painter.fillRect(QRectF(x, 4, max(0.0, width - (1 if count else 0)), BAR), theme[name])
                x += width
        painter.setPen(theme["text"])
        painter.drawText(QRectF(room + 10, 0, self.width() - room - 10, 22), int(_LEFT), self._words)


@guarded
class LossBars(ThemedButton):
    """Where a run and the other one lose, in three parts that add up, and what the run gains in each. The names of the
    parts have the ground of the part, since a small part has no room below its name."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._theme = theme
        self._losses: tuple[Loss, ...] = ()
        self._labels: tuple[RunLabel | None, ...] = ()
        self._note = ""
        self._set_height()

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(400))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the bars, with the lines of the sentence below them, or of the sentence alone."""
        room = QRect(0, 0, max(1, width - 24), 10_000)
        metrics = QFontMetrics(self._theme.font(9))
        words = metrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), visible(self._note)).height() + 16
        return BELOW + words if self._losses else words

    def _set_height(self) -> None:
        """Have the height of the bars, or of the sentence that stands alone."""
        # A fixed height would be that of the sentence at the width of sizeHint.
        vertical = QSizePolicy.Policy.Expanding if self._losses else QSizePolicy.Policy.Preferred
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, vertical)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_least()
        self.updateGeometry()

    def _set_least(self) -> None:
        """Keep the height of all lines also where what is around scrolls, which asks for no height for a width."""
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._set_least()

    def show_losses(self, losses: Sequence[Loss], labels: Sequence[RunLabel | None], note: str) -> None:
        """Show the losses of two runs, and a sentence below, which stands alone without losses."""
        self._losses, self._labels, self._note = tuple(losses), tuple(labels), note
        self._set_height()
        self.setAccessibleName(tr("Where the rest is lost"))
        text = "\n".join([*self._lines(), note])
        self.setAccessibleDescription(text)
        set_tooltip(self, text)
        self.update()

    def _lines(self) -> list[str]:
        return [
            tr("{run}: not retrieved {first}, retrieved too low {second}, wrong order in the top {third}",
               run=self._name(number), first=quantity(loss.means[0]), second=quantity(loss.means[1]),
               third=quantity(loss.means[2]))
            for number, loss in enumerate(self._losses)
        ]  # fmt: skip

    def _name(self, number: int) -> str:
        label = self._labels[number] if number < len(self._labels) else None
        return visible(label.name if label is not None else self._losses[number].run)

    def shown_name(self, number: int) -> str:
        """Return the name beside a bar: the longest form that has room."""
        metrics, room = QFontMetricsF(self._theme.font(9.5)), NAMES - 18.0
        label = self._labels[number] if number < len(self._labels) else None
        forms = (self._name(number), *(map(visible, label.shorter_names) if label is not None else ()))
        fitting = next((form for form in forms if metrics.horizontalAdvance(form) <= room), forms[-1])
        return metrics.elidedText(fitting, Qt.TextElideMode.ElideMiddle, room)

    def _scale(self) -> float:
        """Return the pixels of a loss of 1."""
        most = max((sum(loss.means) for loss in self._losses), default=0.0) or 1.0
        return max(60.0, self.width() - NAMES - 150.0) / most

    def headings(self) -> list[tuple[str, float]]:
        """Return the name of each part and the left edge in pixels of its swatch: above its part in the first bar,
        beside it where an earlier name takes the room, and so far left that the last one is whole."""
        metrics = QFontMetricsF(self._theme.font(9))
        names = [PART_TITLES[name] for name in PARTS]
        needed = [SWATCH + 5 + metrics.horizontalAdvance(name) + APART for name in names]
        places, x = [], LEFT
        for width, mean in zip(needed, self._losses[0].means, strict=True):
            places.append(x)
            x += max(width, mean * self._scale())
        end = self.width() - 12.0 + APART
        for part in reversed(range(len(places))):
            end = places[part] = min(places[part], end - needed[part])
        return list(zip(names, places, strict=True))

    def _set_part(self, painter: QPainter, strength: float) -> None:
        """Set ground and frame of a part; that of documents which are not retrieved is empty and dashed."""
        worse = self._theme["worse"]
        ground = QColor(worse)
        ground.setAlphaF(strength)
        painter.setBrush(ground)
        pen = QPen(worse, 1)
        if not strength:
            pen.setDashPattern([3.0, 2.5])
        painter.setPen(pen)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        self.paint_box(painter, framed=False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(9))
        painter.setPen(theme["muted"])
        if not self._losses:
            box = self.rect().adjusted(12, 0, -12, 0)
            painter.drawText(box, int(_LEFT | Qt.TextFlag.TextWordWrap), visible(self._note))
            return
        rows = [loss.means for loss in self._losses]
        left, scale = LEFT, self._scale()
        for (words, x), strength in zip(self.headings(), STRENGTHS, strict=True):
            self._set_part(painter, strength)
            painter.drawRect(QRectF(x, 2 + (HEAD - SWATCH) / 2, SWATCH, SWATCH))
            painter.setPen(theme["muted"])
            painter.drawText(QRectF(x + SWATCH + 5, 2, self.width() - x, HEAD), int(_LEFT), words)
        for number, row in enumerate(rows):
            self._paint_row(painter, number, row, left, scale)
        self._paint_gain(painter, rows, left, scale)
        painter.setPen(theme["text"])
        painter.setFont(theme.font(9))
        box = self.rect().adjusted(12, BELOW, -12, 0)
        painter.drawText(box, int(_TOP | Qt.TextFlag.TextWordWrap), visible(self._note))

    def _paint_row(self, painter: QPainter, number: int, row: tuple[float, ...], left: float, scale: float) -> None:
        theme, top = self._theme, HEAD + number * ROW
        label = self._labels[number] if number < len(self._labels) else None
        if label is not None:
            draw_swatch(painter, QRectF(12, top + 10, 10, 10).toRect(), theme.run(label), True)
        painter.setPen(theme["text"])
        painter.setFont(theme.font(9.5))
        painter.drawText(QRectF(28, top, NAMES - 16, ROW), int(_LEFT), self.shown_name(number))
        x = left
        for value, strength in zip(row, STRENGTHS, strict=True):
            box = QRectF(x, top + 6, max(1.0, value * scale), ROW - 12)
            self._set_part(painter, strength)
            painter.drawRect(box)
            painter.setPen(theme["ink"])
            painter.setFont(theme.font(9, numbers=True))
            text = quantity(value)
            if painter.fontMetrics().horizontalAdvance(text) + 6 <= box.width():
                painter.drawText(box, int(_CENTRE), text)
            x += value * scale
        painter.setPen(theme["text"])
        painter.drawText(QRectF(x + 8, top, 140, ROW), int(_LEFT), f"= {quantity(sum(row))}")

    def _paint_gain(self, painter: QPainter, rows: Sequence[tuple[float, ...]], left: float, scale: float) -> None:
        theme, top = self._theme, HEAD + 2 * ROW
        gains = [other - own for own, other in zip(*rows, strict=True)]
        painter.setPen(theme["muted"])
        painter.setFont(theme.font(9.5))
        painter.drawText(QRectF(28, top, NAMES - 16, ROW), int(_LEFT), tr("gained"))
        x = left
        for gain, strength in zip(gains, (0.25, 0.55, 1.0), strict=True):
            colour = QColor(theme["better" if gain >= 0 else "worse"])
            ground = QColor(colour)
            ground.setAlphaF(strength)
            painter.setPen(QPen(colour, 1))
            painter.setBrush(ground)
            painter.drawRect(QRectF(x, top + 8, max(1.0, abs(gain) * scale), ROW - 16))
            x += abs(gain) * scale
        painter.setPen(theme["text"])
        painter.setFont(theme.font(9, numbers=True))
        words = tr("= {whole}: {first} by what it finds, {second} by how high, {third} by order",
                   whole=quantity(sum(gains)), first=quantity(gains[0]), second=quantity(gains[1]),
                   third=quantity(gains[2]))  # fmt: skip
        # Beside the bar where there is room, else below it: no number is cut.
        needed = painter.fontMetrics().horizontalAdvance(words)
        x, top = (x + 8, top) if needed <= self.width() - x - 20 else (left, top + ROW - 10)
        x = max(12.0, min(x, self.width() - needed - 12.0))
        text = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, self.width() - 24)
        painter.drawText(QRectF(x, top, self.width() - x, ROW), int(_LEFT), text)

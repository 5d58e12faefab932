"""The line at the bottom: caveats of what is shown on the left, what the signs mean on the right.

Reads the session; knows no view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from irviewer.gui.painting import CHIP_HEIGHT, CHIP_WIDTH, draw_grade_chip
from irviewer.gui.panel import ElidedLabel
from irviewer.gui.theme import Theme
from irviewer.model.workspace import JudgmentSet, Regime

if TYPE_CHECKING:
    from irviewer.session.session import Session

HEIGHT = 32
MOST_GRADES = 6
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
UNLISTED = float("nan")


@dataclass(frozen=True)
class Sign:
    """Chips that mean one thing, and the words for it; None among the chips is "…"."""

    grades: tuple[float | None, ...]
    meaning: str


def signs(judgments: JudgmentSet | None) -> tuple[Sign, ...]:
    """The signs that can occur under these judgments: their own grades, non-relevant, unjudged; no other."""
    if judgments is None:
        return ()
    levels = judgments.qrels.levels
    relevant: list[float | None] = [float(level) for level in levels if level > 0]
    if len(relevant) > MOST_GRADES:
        relevant = [*relevant[: MOST_GRADES // 2], None, *relevant[-2:]]
    complete = judgments.regime is Regime.COMPLETE
    found = [Sign(tuple(relevant), "grade" if len(relevant) > 1 else "relevant")] if relevant else []
    if complete or 0 in levels:
        found.append(Sign((0.0,), "non-relevant" if complete else "judged non-relevant"))
    below: list[float | None] = [float(level) for level in levels if level < 0]
    if not complete:
        below.append(UNLISTED)
    if below:
        found.append(Sign(tuple(below), "unjudged"))
    return tuple(found)


class Legend(QWidget):
    """The signs in a row, painted as the lists paint them."""

    GAP = 16
    CHIP_GAP = 3
    WORD_GAP = 4

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._signs: tuple[Sign, ...] = ()
        self._max_grade = 1.0
        self.setFont(theme.font(9))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def shown(self) -> tuple[Sign, ...]:
        """What is shown now."""
        return self._signs

    def show_judgments(self, judgments: JudgmentSet | None) -> None:
        """Show the signs of these judgments, none for None."""
        found = signs(judgments)
        max_grade = judgments.qrels.max_grade if judgments is not None else 1.0
        # NaN is not equal to itself, so the words are compared, not the grades.
        if repr((found, max_grade)) == repr((self._signs, self._max_grade)):
            return
        self._signs, self._max_grade = found, max_grade
        self.setToolTip("" if judgments is None else f"{judgments.regime.value} judgments: {judgments.regime.meaning}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = 0
        for sign in self._signs:
            width += len(sign.grades) * (CHIP_WIDTH + self.CHIP_GAP) + self.WORD_GAP
            width += metrics.horizontalAdvance(sign.meaning) + self.GAP
        return QSize(max(0, width - self.GAP + 2), CHIP_HEIGHT + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        x = 0
        for sign in self._signs:
            for grade in sign.grades:
                rect = QRect(x, 1, CHIP_WIDTH, CHIP_HEIGHT)
                if grade is None:
                    painter.setPen(self._theme["muted"])
                    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), "…")
                else:
                    draw_grade_chip(painter, rect, grade, self._max_grade, self._theme)
                x += CHIP_WIDTH + self.CHIP_GAP
            x += self.WORD_GAP
            wide = metrics.horizontalAdvance(sign.meaning)
            painter.setPen(self._theme["muted"])
            painter.setFont(self.font())
            painter.drawText(QRect(x, 0, wide + 2, self.height()), int(_LEFT), sign.meaning)
            x += wide + self.GAP


class StatusBar(QWidget):
    """Caveats left, legend right."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self.setFixedHeight(HEIGHT)
        self.caveats = ElidedLabel()
        self.caveats.setFont(theme.font(9))
        self.legend = Legend(theme)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 0, 14, 0)
        layout.setSpacing(24)
        layout.addWidget(self.caveats, 1)
        layout.addWidget(self.legend)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.refresh()

    def refresh(self) -> None:
        """Show the session as it is now."""
        session = self._session
        shown = session.collection is not None and session.place != "start"
        text = ""
        if shown:
            parts = list(session.caveats)
            if not parts and session.baseline is not None:
                parts = ["arrows and Δ: against the baseline ★"]
            text = "     ".join(parts)
        if text != self.caveats.text():
            self.caveats.setText(text)
            self.caveats.setToolTip("\n".join(session.caveats))
        # The other places write numbers or carry their own legend; chips stand only where chips are drawn.
        self.legend.show_judgments(session.judgments if shown and session.place == "query" else None)

    def _on_theme_changed(self) -> None:
        palette = self.caveats.palette()
        palette.setColor(self.caveats.foregroundRole(), self._theme["muted"])
        self.caveats.setPalette(palette)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["panel"])
        painter.setPen(self._theme["panel_border"])
        painter.drawLine(0, 0, self.width(), 0)

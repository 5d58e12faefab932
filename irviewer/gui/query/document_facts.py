"""The lines above a document's text: its grade and its rank in each run, and what a person judged otherwise.

Know a document card; nothing of the session."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, SWATCH, draw_grade_chip, draw_swatch, grade_text
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.judgments.overlay import PatchRow
from irviewer.session.judging.authors import whose
from irviewer.session.view_models.judging import own_words
from irviewer.session.view_models.query import DocumentCard

_MARGIN = 12
_LINE = 22
MOST_LINES = 3
"""Lines that the ranks may take before the text."""
MOST_NAME = 24
"""So many signs of a judge's name are written; the tooltip has it whole."""
_VERTICAL = int(Qt.AlignmentFlag.AlignVCenter)


class DocumentFacts(QWidget):
    """Grade and ranks in one or more lines: a chip with its words, then every run's swatch, name and rank, muted
    where a run is not shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._plain = theme.font(9)
        self._bold = theme.font(9, weight=600, numbers=True)
        self._plain_metrics = QFontMetricsF(self._plain)
        self._bold_metrics = QFontMetricsF(self._bold)
        self._card: DocumentCard | None = None
        self._most = MOST_LINES
        self._other: dict[int, int] | None = None
        self._grade = math.nan
        self._max_grade = 1.0
        self._words = ""
        self.setFixedHeight(_LINE + 8)

    def show_card(
        self, card: DocumentCard | None, grade: float, max_grade: float, words: str, other: DocumentCard | None = None
    ) -> None:
        """Show a card; ``grade`` is the one to draw, ``words`` what it means. Beside an ``other`` card a rank says by
        how much it is above (▲) or below (▼) that one's."""
        self._other = None if other is None else {label.key: rank for label, rank in other.ranks}
        self._card, self._grade, self._max_grade, self._words = card, grade, max_grade, words
        self._fit()
        said = (words, *(f"{name} {rank}" for name, rank, _ in self._ranks()))
        set_tooltip(self, "\n".join(filter(None, said)))
        self.update()

    @property
    def written(self) -> str:
        """What there is room for."""
        return " ".join([self._words, *(f"{name} {rank}".strip() for _, _, name, rank, _ in self._flow())])

    @property
    def words(self) -> str:
        """All that is written, in one line."""
        return " ".join([self._words, *(f"{name} {rank}" for name, rank, _ in self._ranks())])

    def _ranks(self) -> list[tuple[str, str, int]]:
        """(name, rank in words, place among the runs) of every run, the shown ones first."""
        if self._card is None:
            return []
        return [
            (label.short, (f"{rank:,}" if rank else "not retrieved") + self._against(label.key, rank), place)
            for place, (label, rank) in enumerate(self._card.ranks)
        ]

    def _against(self, key: int, rank: int) -> str:
        """Where a run has the document against where it has the other one, as ranks have it everywhere: ▲ is better."""
        other = 0 if self._other is None else self._other.get(key, 0)
        if self._other is None or not rank or rank == other:
            return ""
        if not other:
            return " ▲"
        return f" {'▲' if rank < other else '▼'}{abs(rank - other):,}"

    def _width(self, name: str, rank: str) -> float:
        return (
            SWATCH + 5 + self._plain_metrics.horizontalAdvance(name + " ") + self._bold_metrics.horizontalAdvance(rank)
        )

    def _flow(self) -> list[tuple[float, int, str, str, int]]:
        """(x, line, name, rank, place) of what is written, broken into lines that fit; place -1: words of no run.
        Where all runs would take more lines than there may be, those come that have the document, shown ones before
        others, the best first, and the rest is counted."""
        ranks = self._ranks()
        placed = self._broken(ranks)
        if self._card is None or not placed or placed[-1][1] < self._most:
            return placed
        found = sorted((one for one in ranks if self._card.ranks[one[2]][1]), key=self._rank_of)
        lacking = len(ranks) - len(found)
        for count in range(len(found), -1, -1):
            parts = [f"{len(found) - count:,} more" if count < len(found) else ""]
            parts.append(f"not retrieved by {lacking:,} {'run' if lacking == 1 else 'runs'}" if lacking else "")
            said = " · ".join(filter(None, parts))
            placed = self._broken([*found[:count], *([(said, "", -1)] if said else [])])
            if not placed or placed[-1][1] < self._most:
                break
        return placed

    def _rank_of(self, one: tuple[str, str, int]) -> tuple[bool, int]:
        if self._card is None:
            return False, 0
        label, rank = self._card.ranks[one[2]]
        return not label.shown, rank

    def _broken(self, ranks: list[tuple[str, str, int]]) -> list[tuple[float, int, str, str, int]]:
        x = _MARGIN + CHIP_WIDTH + 7 + self._plain_metrics.horizontalAdvance(self._words) + 16
        line, placed = 0, []
        for name, rank, place in ranks:
            width = self._width(name, rank) if place >= 0 else self._plain_metrics.horizontalAdvance(name)
            if x + width > self.width() - _MARGIN and x > _MARGIN:
                x, line = float(_MARGIN), line + 1
            placed.append((x, line, name, rank, place))
            x += width + 14
        return placed

    def fit_into(self, height: int) -> None:
        """Take no more lines than a height has room for, at least one."""
        most = max(1, min(MOST_LINES, (height - 8) // _LINE))
        if most != self._most:
            self._most = most
            self._fit()
            self.update()

    def _fit(self) -> None:
        lines = max((line for _, line, *_ in self._flow()), default=0) + 1
        self.setFixedHeight(lines * _LINE + 8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._card is None:
            return
        painter = QPainter(self)
        theme = self._theme
        chip = QRect(_MARGIN, 4 + (_LINE - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
        yours = self._card.own is not None and self._card.own.differs
        draw_grade_chip(painter, chip, self._grade, self._max_grade, theme, yours=yours)
        painter.setFont(self._plain)
        painter.setPen(theme["muted"])
        room = self.width() - _MARGIN - chip.right() - 8
        words = self._plain_metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(chip.right() + 8, 4, room, _LINE), _VERTICAL, words)
        for x, line, name, rank, place in self._flow():
            top = 4 + line * _LINE
            if place < 0:
                painter.setFont(self._plain)
                painter.setPen(theme["muted"])
                painter.drawText(QRect(round(x), top, self.width(), _LINE), _VERTICAL, name)
                continue
            label = self._card.ranks[place][0]
            swatch = QRect(round(x), top + (_LINE - SWATCH) // 2, SWATCH, SWATCH)
            draw_swatch(painter, swatch, theme.run(label), label.shown)
            left = x + SWATCH + 5
            painter.setFont(self._plain)
            painter.setPen(theme["text" if label.shown else "muted"])
            painter.drawText(QRect(round(left), top, self.width(), _LINE), _VERTICAL, name)
            left += self._plain_metrics.horizontalAdvance(name + " ")
            retrieved = self._card.ranks[place][1] > 0
            painter.setFont(self._bold if retrieved else self._plain)
            painter.setPen(theme["ink" if retrieved and label.shown else "muted"])
            painter.drawText(QRect(round(left), top, self.width(), _LINE), _VERTICAL, rank)


class _OwnWords(QWidget):
    """``2 from the file → 4 yours``, or ``4 Ada's``, chips and words; the tooltip says who, when and why."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._row: PatchRow | None = None
        self._max_grade = 1.0
        self._assessor = ""
        self.setFont(theme.font(9))
        self._bold = theme.font(9, weight=600)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_row(self, row: PatchRow, max_grade: float, assessor: str) -> None:
        """Show a judgment made here; another's than the ``assessor``'s is called by its judge's name."""
        self._row, self._max_grade, self._assessor = row, max_grade, assessor
        set_tooltip(self, own_words(row, assessor))
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """What is written, grades as figures."""
        return " ".join(text if text else grade_text(grade) for text, grade, _ in self._parts())

    def _parts(self) -> list[tuple[str, float, bool]]:
        """(words, or "" for the chip of a grade, whether it is yours) in order."""
        if self._row is None:
            return []
        former, now = self._row.former, self._row.judgment.grade
        parts: list[tuple[str, float, bool]] = []
        if former is None:
            parts.append(("not in the file", 0.0, False))
        else:
            parts += [("", former, False), ("from the file", 0.0, False)]
        parts += [("→", 0.0, False), ("", math.nan if now is None else now, self._row.differs)]
        words = whose(self._row.judgment, self._assessor)
        return [*parts, (words if len(words) <= MOST_NAME else f"{words[: MOST_NAME - 1]}…", 0.0, True)]

    def _width(self, text: str, yours: bool) -> int:
        if not text:
            return CHIP_WIDTH
        metrics = QFontMetricsF(self._bold if yours else self.font())
        return math.ceil(metrics.horizontalAdvance(text))

    def sizeHint(self) -> QSize:
        return QSize(sum(self._width(text, yours) + 6 for text, _, yours in self._parts()), _LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        x = 0
        for text, grade, yours in self._parts():
            width = self._width(text, yours)
            if text:
                painter.setFont(self._bold if yours else self.font())
                painter.setPen(self._theme["ink" if yours else "muted"])
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.width() - x)
                painter.drawText(QRect(x, 0, width + 2, _LINE), _VERTICAL, shown)
            else:
                chip = QRect(x, (_LINE - CHIP_HEIGHT) // 2, CHIP_WIDTH, CHIP_HEIGHT)
                draw_grade_chip(painter, chip, grade, self._max_grade, self._theme, yours=yours)
            x += width + 6


class KeyCap(QWidget):
    """A shortcut as a cap."""

    def __init__(self, theme: Theme, keys: str) -> None:
        super().__init__()
        self._theme = theme
        self._keys = keys
        self.setFixedSize(key_cap_width(keys, theme), 18)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_key_cap(QPainter(self), self.rect(), self._keys, self._theme)


class OwnJudgment(QWidget):
    """What a person judged here: beside what the file says, the way back, and a field for a note.

    ``undo_asked``: the file's judgment is to hold again. ``note_written``: the note in the field is to be kept."""

    undo_asked = Signal()
    note_written = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = _OwnWords(theme)
        self.undo = LinkButton(theme, "undo")
        set_tooltip(self.undo, "Let the file's judgment hold again")
        self.undo.clicked.connect(self.undo_asked)
        self.note = QLineEdit()
        self.note.setFont(theme.font(9))
        self.note.setPlaceholderText("note: why this grade")
        self.note.setAccessibleName("Note of the judgment")
        self.note.editingFinished.connect(self._on_note_finished)
        self._kept = ""
        first = QHBoxLayout()
        first.setSpacing(4)
        for widget in (self.words, self.undo, KeyCap(theme, command_keys("revert_judgment"))):
            first.addWidget(widget)
        first.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_MARGIN, 0, _MARGIN, 4)
        layout.setSpacing(3)
        layout.addLayout(first)
        layout.addWidget(self.note)

    def height_with(self, note: bool) -> int:
        """The pixels that it takes, with the field for a note or without; 0 while there is nothing."""
        if self.isHidden():
            return 0
        return self.words.sizeHint().height() + 4 + (self.note.sizeHint().height() + 3 if note else 0)

    def show_note(self, shown: bool) -> None:
        """Leave the field for a note out where there is no room for it; not while somebody writes there."""
        if shown or not self.note.hasFocus():
            self.note.setVisible(shown)

    def show_row(self, row: PatchRow | None, max_grade: float, assessor: str) -> None:
        """Show a judgment, of the ``assessor`` or of another; None takes no room."""
        self.setVisible(row is not None)
        if row is None:
            return
        self.words.show_row(row, max_grade, assessor)
        if row.judgment.note != self._kept or not self.note.hasFocus():
            self._kept = row.judgment.note
            self.note.setText(self._kept)

    def _on_note_finished(self) -> None:
        if self.note.text().strip() != self._kept:
            self._kept = self.note.text().strip()
            self.note_written.emit(self._kept)

"""The lines above a document's text: its grade, its rank in each run, and the user's own judgment."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import LinkButton, command_keys, draw_key_cap, key_cap_width
from irviewer.gui.widgets.painting import CHIP_HEIGHT, CHIP_WIDTH, SWATCH, draw_grade_chip, draw_swatch, grade_text
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.judgments.overlay import PatchRow
from irviewer.session.judging.authors import whose
from irviewer.session.view_models.judges.judging import own_words
from irviewer.session.view_models.query import DocumentCard
from irviewer.translation import decimal, tr, trn

_MARGIN = 12
_LINE = 22
MOST_LINES = 3
"""The greatest number of lines with ranks."""
FEW, NOT_LONG = 8, 20
"""The number of runs up to which names up to so many letters are whole."""
MOST_NAME = 24
"""The greatest number of characters of a judge's name; the tooltip has the whole name."""
NOT_RETRIEVED = tr("not retrieved")
NOT_IN_FILE = tr("not in the file")
FROM_FILE = tr("from the file")
_VERTICAL = int(Qt.AlignmentFlag.AlignVCenter)


@guarded
class DocumentFacts(QWidget):
    """Grade and ranks in one or more lines: a chip with its meaning, then swatch, name and rank of each run; runs that
    are not shown are muted."""

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
        """Show a document with the grade to draw and its meaning (``words``). With an ``other`` document, ranks show
        how much they are above (▲) or below (▼) its ranks."""
        self._other = None if other is None else {label.key: rank for label, rank in other.ranks}
        self._card, self._grade, self._max_grade, self._words = card, grade, max_grade, words
        self._fit()
        lines = (words, *(f"{name} {rank}" for name, rank, _ in self._ranks()))
        set_tooltip(self, "\n".join(filter(None, lines)))
        self.update()

    @property
    def written(self) -> str:
        """The text that is painted."""
        return " ".join([self._words, *(f"{name} {rank}".strip() for _, _, name, rank, _ in self._flow())])

    @property
    def words(self) -> str:
        """The text with all runs, in one line."""
        return " ".join([self._words, *(f"{name} {rank}" for name, rank, _ in self._ranks())])

    def _ranks(self) -> list[tuple[str, str, int]]:
        """Return (name, text of the rank, index) of each run, shown runs first."""
        if self._card is None:
            return []
        few = len(self._card.ranks) <= FEW
        return [
            (
                label.name if few and len(label.name) <= NOT_LONG else label.short,
                (decimal(f"{rank:,}") if rank else NOT_RETRIEVED) + self._against(label.key, rank),
                place,
            )
            for place, (label, rank) in enumerate(self._card.ranks)
        ]

    def _against(self, key: int, rank: int) -> str:
        """Return the difference of the two documents' ranks in a run: ▲ if this document is ranked higher."""
        other = 0 if self._other is None else self._other.get(key, 0)
        if self._other is None or not rank or rank == other:
            return ""
        if not other:
            return " ▲"
        return f" {'▲' if rank < other else '▼'}{decimal(f'{abs(rank - other):,}')}"

    def _width(self, name: str, rank: str) -> float:
        return (
            SWATCH + 5 + self._plain_metrics.horizontalAdvance(name + " ") + self._bold_metrics.horizontalAdvance(rank)
        )

    def _flow(self) -> list[tuple[float, int, str, str, int]]:
        """Return (x, line, name, rank, index of the run or -1) of each text, broken into lines.

        If all runs need too many lines, the runs that retrieve the document come first (shown runs before others, best
        rank first), and the others are counted."""
        ranks = self._ranks()
        flowed = self._broken(ranks)
        if self._card is None or not flowed or flowed[-1][1] < self._most:
            return flowed
        retrieving = sorted((entry for entry in ranks if self._card.ranks[entry[2]][1]), key=self._rank_of)
        missing = len(ranks) - len(retrieving)
        for count in range(len(retrieving), -1, -1):
            counts = _counts(len(retrieving) - count, missing)
            flowed = self._broken([*retrieving[:count], *([(counts, "", -1)] if counts else [])])
            if not flowed or flowed[-1][1] < self._most:
                break
        return flowed

    def _rank_of(self, entry: tuple[str, str, int]) -> tuple[bool, int]:
        if self._card is None:
            return False, 0
        label, rank = self._card.ranks[entry[2]]
        return not label.shown, rank

    def _broken(self, ranks: list[tuple[str, str, int]]) -> list[tuple[float, int, str, str, int]]:
        x = _MARGIN + CHIP_WIDTH + 7 + self._plain_metrics.horizontalAdvance(self._words) + 16
        line, flowed = 0, []
        for name, rank, place in ranks:
            width = self._width(name, rank) if place >= 0 else self._plain_metrics.horizontalAdvance(name)
            if x + width > self.width() - _MARGIN and x > _MARGIN:
                x, line = float(_MARGIN), line + 1
            flowed.append((x, line, name, rank, place))
            x += width + 14
        return flowed

    def fit_into(self, height: int) -> None:
        """Use only as many lines as fit into a height, at least one."""
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


def _counts(others: int, missing: int) -> str:
    """Return the numbers of runs that are not listed: those that retrieve the document, and those that do not."""
    parts = [trn("{n:,} more", "{n:,} more", others)] if others else []
    parts += [trn("not retrieved by {n:,} run", "not retrieved by {n:,} runs", missing)] if missing else []
    return " · ".join(parts)


@guarded
class _OwnWords(QWidget):
    """``2 from the file → 4 yours``: grades as chips, with words; the tooltip has judge, date and note."""

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
        """Show a judgment; that of another judge than the ``assessor`` has the judge's name."""
        self._row, self._max_grade, self._assessor = row, max_grade, assessor
        set_tooltip(self, own_words(row, assessor))
        self.updateGeometry()
        self.update()

    @property
    def text(self) -> str:
        """The text that is painted, with grades as numbers."""
        return " ".join(text if text else grade_text(grade) for text, grade, _ in self._parts())

    def _parts(self) -> list[tuple[str, float, bool]]:
        """Return (text or "", grade of a chip, whether it is the user's) in order."""
        if self._row is None:
            return []
        former, now = self._row.former, self._row.judgment.grade
        parts: list[tuple[str, float, bool]] = []
        if former is None:
            parts.append((NOT_IN_FILE, 0.0, False))
        else:
            parts += [("", former, False), (FROM_FILE, 0.0, False)]
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


@guarded
class KeyCap(QWidget):
    """A shortcut drawn as a key."""

    def __init__(self, theme: Theme, keys: str) -> None:
        super().__init__()
        self._theme = theme
        self._keys = keys
        self.setFixedSize(key_cap_width(keys, theme), 18)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_key_cap(QPainter(self), self.rect(), self._keys, self._theme)


@guarded
class NoteField(QLineEdit):
    """A field whose text is entered at once. While nothing is typed that is not entered, undo and redo are those of the
    window, which take the note back; they would only empty the field, which then looked as if there were no note."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable()
            redo = event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()
            if undo or redo:
                event.ignore()
                return True
        return super().event(event)


class OwnJudgment(QWidget):
    """The user's judgment beside that of the file, with an undo button and a note field.

    ``undo_asked``: the user wants the file's judgment back. ``note_written``: the user entered a note."""

    undo_asked = Signal()
    note_written = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = _OwnWords(theme)
        self.undo = LinkButton(theme, tr("undo"))
        set_tooltip(self.undo, tr("Restore the judgment of the file"))
        self.undo.clicked.connect(self.undo_asked)
        self.note = NoteField()
        self.note.setFont(theme.font(9))
        self.note.setPlaceholderText(tr("note: reason for this grade"))
        self.note.setAccessibleName(tr("Note on the judgment"))
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
        """Return the height in pixels, with or without the note field; 0 if there is no judgment."""
        if self.isHidden():
            return 0
        return self.words.sizeHint().height() + 4 + (self.note.sizeHint().height() + 3 if note else 0)

    def show_note(self, shown: bool) -> None:
        """Show or hide the note field; it is not hidden while it has the keyboard focus."""
        if shown or not self.note.hasFocus():
            self.note.setVisible(shown)

    def show_row(self, row: PatchRow | None, max_grade: float, assessor: str) -> None:
        """Show a judgment of the ``assessor`` or another judge; None hides the widget."""
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
            self.note.setText(self._kept)  # nothing of it is left to undo here
            self.note_written.emit(self._kept)

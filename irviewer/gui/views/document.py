"""The selected document: title, grade, its rank in each run, its text with the query's terms marked.

Pulls the document card; takes no room where nothing is selected. Knows no other view."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QUrl
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QVBoxLayout, QWidget

from irviewer.gui.controls import CloseButton
from irviewer.gui.painting import CHIP_HEIGHT, CHIP_WIDTH, SWATCH, draw_grade_chip, draw_swatch
from irviewer.gui.panel import Panel
from irviewer.gui.theme import Theme
from irviewer.model.workspace import Regime
from irviewer.session.pages.query import DocumentCard

if TYPE_CHECKING:
    from irviewer.session.session import Session

ASPECTS = frozenset({"workspace", "collection", "runs", "query", "document"})

_MARGIN = 12
_LINE = 22
_PICTURE = 120


class DocumentFacts(QWidget):
    """Grade and ranks in one or more lines: a chip with its words, then every shown run's swatch, name and rank."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._plain = theme.font(9)
        self._bold = theme.font(9, weight=600, numbers=True)
        self._plain_metrics = QFontMetricsF(self._plain)
        self._bold_metrics = QFontMetricsF(self._bold)
        self._card: DocumentCard | None = None
        self._grade = math.nan
        self._max_grade = 1.0
        self._words = ""
        self.setFixedHeight(_LINE + 8)

    def show_card(self, card: DocumentCard | None, grade: float, max_grade: float, words: str) -> None:
        """Show a card; ``grade`` is the one to draw, ``words`` what it means."""
        self._card, self._grade, self._max_grade, self._words = card, grade, max_grade, words
        self._fit()
        self.update()

    @property
    def words(self) -> str:
        """All that is written, in one line."""
        return " ".join([self._words, *(f"{name} {rank}" for name, rank, _ in self._ranks())])

    def _ranks(self) -> list[tuple[str, str, int]]:
        """(name, rank in words, place among the runs) of every shown run."""
        if self._card is None:
            return []
        return [
            (label.short, f"{rank:,}" if rank else "not retrieved", place)
            for place, (label, rank) in enumerate(self._card.ranks)
        ]

    def _width(self, name: str, rank: str) -> float:
        return (
            SWATCH + 5 + self._plain_metrics.horizontalAdvance(name + " ") + self._bold_metrics.horizontalAdvance(rank)
        )

    def _flow(self) -> list[tuple[float, int, str, str, int]]:
        """(x, line, name, rank, place) of every run, broken into lines that fit."""
        x = _MARGIN + CHIP_WIDTH + 7 + self._plain_metrics.horizontalAdvance(self._words) + 16
        line, placed = 0, []
        for name, rank, place in self._ranks():
            width = self._width(name, rank)
            if x + width > self.width() - _MARGIN and x > _MARGIN:
                x, line = float(_MARGIN), line + 1
            placed.append((x, line, name, rank, place))
            x += width + 14
        return placed

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
        draw_grade_chip(painter, chip, self._grade, self._max_grade, theme)
        vertical = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(self._plain)
        painter.setPen(theme["muted"])
        painter.drawText(QRect(chip.right() + 8, 4, self.width(), _LINE), vertical, self._words)
        for x, line, name, rank, place in self._flow():
            top = 4 + line * _LINE
            label = self._card.ranks[place][0]
            swatch = QRect(round(x), top + (_LINE - SWATCH) // 2, SWATCH, SWATCH)
            draw_swatch(painter, swatch, theme.run(label), True)
            left = x + SWATCH + 5
            painter.setFont(self._plain)
            painter.setPen(theme["text"])
            painter.drawText(QRect(round(left), top, self.width(), _LINE), vertical, name)
            left += self._plain_metrics.horizontalAdvance(name + " ")
            retrieved = self._card.ranks[place][1] > 0
            painter.setFont(self._bold if retrieved else self._plain)
            painter.setPen(theme["ink" if retrieved else "muted"])
            painter.drawText(QRect(round(left), top, self.width(), _LINE), vertical, rank)


class Document(Panel):
    """The document panel."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Document", parent=parent)
        self._session = session
        self._theme = theme
        self._card: DocumentCard | None = None
        self._facts = DocumentFacts(theme)
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.viewport().setAutoFillBackground(False)  # the panel's ground shows, whatever the theme
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setFont(theme.font(9.5))
        self.text.document().setDocumentMargin(0)
        self.text.setViewportMargins(_MARGIN, 0, 4, 0)
        self.text.setAccessibleName("Document text")
        self.text.installEventFilter(self)
        self._close = CloseButton(theme)
        self._close.setToolTip("Close the document (Esc)")
        self._close.setAccessibleName("Close the document")
        self._close.clicked.connect(self._on_close_clicked)
        self.header_layout.addWidget(self._close)
        self.header_layout.setContentsMargins(12, 0, 6, 0)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(2)
        layout.addWidget(self._facts)
        layout.addWidget(self.text, 1)
        self.set_body(body)
        self.setMinimumSize(200, 110)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    @property
    def card(self) -> DocumentCard | None:
        """What is shown, None where nothing is selected."""
        return self._card

    @property
    def facts(self) -> str:
        """Grade and ranks as words."""
        return self._facts.words

    def refresh(self, aspects: frozenset[str]) -> None:
        """Pull the card and show it."""
        if not aspects & ASPECTS:
            return
        card = self._session.document_card()
        if card is self._card:
            return
        self._card = card
        if card is None:
            return
        self.set_title(f"Document {card.doc_id}")
        self.set_note(" · ".join(f"{name}: {value}" for name, value in card.fields if len(value) <= 60))
        self._show_facts(card)
        self.text.setHtml(self._html(card))

    def focus_text(self) -> None:
        """Let the keys scroll the text."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_facts(self, card: DocumentCard) -> None:
        page = self._session.query_page()
        judgments = self._session.judgments
        complete = judgments is not None and judgments.regime is Regime.COMPLETE
        grade = card.grade
        if math.isnan(grade):
            words = "not in the qrels: non-relevant" if complete else "unjudged"
            grade = 0.0 if complete else grade
        else:
            words = "relevant" if grade > 0 else "judged non-relevant"
        self._facts.show_card(card, grade, 1.0 if page is None else page.max_grade, words)

    def _html(self, card: DocumentCard) -> str:
        muted = self._theme["muted"].name()
        if not card.known:
            collection = self._session.collection
            none = collection is None or collection.documents is None
            words = "no document text is loaded; drop a documents file" if none else "the documents file lacks it"
            return f'<p style="color:{muted}">{words}</p>'
        parts = []
        if card.title:
            parts.append(
                f'<p style="margin:0 0 4px 0; font-weight:600">{marked_html(card.title, card.title_marks)}</p>'
            )
        if card.picture:
            source = html.escape(QUrl.fromLocalFile(card.picture).toString(), quote=True)
            parts.append(f'<p style="margin:0 0 4px 0"><img src="{source}" height="{_PICTURE}"></p>')
        if card.text:
            parts.append(f'<p style="margin:0; line-height:125%">{marked_html(card.text, card.marks)}</p>')
        elif not card.title:
            parts.append(f'<p style="color:{muted}">the documents file has no text for it</p>')
        for name, value in card.fields:
            if len(value) > 60:
                parts.append(
                    f'<p style="margin:6px 0 0 0"><span style="color:{muted}">{html.escape(name)}</span> '
                    f"{html.escape(value)}</p>"
                )
        return "".join(parts)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        pressed = watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self._session.set_document(None)
            return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _on_close_clicked(self) -> None:
        self._session.set_document(None)

    def _on_colours_changed(self) -> None:
        palette = self.text.palette()
        palette.setColor(palette.ColorRole.Text, self._theme["text"])
        self.text.setPalette(palette)
        if self._card is not None:
            self.text.setHtml(self._html(self._card))


def marked_html(text: str, marks: tuple[tuple[int, int], ...]) -> str:
    """``text`` as HTML with each (start, length) of ``marks`` bold and underlined; marks ascend and do not overlap."""
    parts = []
    at = 0
    for start, length in marks:
        parts.append(html.escape(text[at:start]))
        parts.append(f"<b><u>{html.escape(text[start : start + length])}</u></b>")
        at = start + length
    parts.append(html.escape(text[at:]))
    return "".join(parts).replace("\n", "<br>")

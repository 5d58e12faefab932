"""The selected document, or the pinned one: title, grade, its rank in each run, its text with the query's terms marked.

Pulls the document card; takes no room where nothing is selected. Knows no other view, but where a second document is in
view as well it says how grade and ranks differ."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QVBoxLayout, QWidget

from irviewer.gui.query.document_facts import DocumentFacts, OwnJudgment
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import CloseButton, LinkButton, command_keys
from irviewer.gui.widgets.grade_buttons import GradeButtons
from irviewer.gui.widgets.panel import HEADER_HEIGHT, Panel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.workspace import Regime
from irviewer.session.changes import Change
from irviewer.session.view_models.query import DocumentCard, ScoreRow, number

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset({Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.QUERY, Change.DOCUMENT})

_MARGIN = 12
_PICTURE = 120
_GRADES_LEAST = 250
_TEXT_LEAST, _FACTS_LEAST, BELOW = 18, 30, 12
"""Pixels that a line of text and one of ranks take, and those below and between."""


class Document(Panel):
    """The document panel; ``pinned``: of the document that stays while others are selected."""

    def __init__(
        self, session: Session, theme: Theme, parent: QWidget | None = None, *, pinned: bool = False
    ) -> None:  # fmt: skip
        super().__init__(theme, "Document", parent=parent)
        self._session = session
        self._pinned = pinned
        self._other: DocumentCard | None = None
        self._theme = theme
        self._card: DocumentCard | None = None
        self._said = ""
        self._facts = DocumentFacts(theme)
        self.own = OwnJudgment(theme)
        self.own.undo_asked.connect(self._on_undo_asked)
        self.own.note_written.connect(self._on_note_written)
        self.own.hide()
        self.grades = GradeButtons(theme, padding=1)
        self.grades.given.connect(self._on_grade_given)
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
        self.text.setMinimumHeight(1)  # the panel sees to its room; asked for more, lines would be painted over others
        self.text.setAccessibleName("Document text")
        self.text.installEventFilter(self)
        self._close = CloseButton(theme)
        set_tooltip(self._close, "Let go of the pinned document" if pinned else "Close the document (Esc)")
        self._close.setAccessibleName("Let go of the pinned document" if pinned else "Close the document")
        self._close.clicked.connect(self._on_close_clicked)
        self.pin = LinkButton(theme, "pin")
        self.pin.clicked.connect(self._on_pin_clicked)
        self.header_layout.addWidget(self.grades)
        self.header_layout.addWidget(self.pin)
        self.header_layout.addWidget(self._close)
        self.header_layout.setContentsMargins(12, 0, 6, 0)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(2)
        layout.addWidget(self._facts)
        layout.addWidget(self.own)
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

    def refresh(self, changes: frozenset[Change]) -> None:
        """Pull the card and show it."""
        if not changes & CHANGES:
            return
        session = self._session
        cards = (session.view_models.document_card(), session.documents.pinned_card())
        card, other = cards[self._pinned], cards[not self._pinned] if session.documents.beside else None
        self._show_pin()
        if card is self._card and other is self._other:
            return
        self._card, self._other = card, other
        if card is None:
            return
        self.set_title(f"Pinned {card.doc_id}" if self._pinned else f"Document {card.doc_id}")
        self.set_note(" · ".join(f"{name}: {value}" for name, value in card.fields if len(value) <= 60))
        self._show_facts(card)
        said = self._html(card)
        if said != self._said:  # a judgment leaves the text as it is, and where one reads
            self._said = said
            self.text.setHtml(said)

    def focus_text(self) -> None:
        """Let the keys scroll the text."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_facts(self, card: DocumentCard) -> None:
        view_model = self._session.view_models.query_view_model()
        judgments = self._session.view.judgments
        complete = judgments is not None and judgments.regime is Regime.COMPLETE
        grade = card.grade
        if not card.listed or math.isnan(grade):
            words = "not in the qrels: counts as non-relevant" if complete else "unjudged"
            grade = 0.0 if complete else grade
        else:
            words = "relevant" if grade > 0 else "judged non-relevant"
        max_grade = 1.0 if view_model is None else view_model.max_grade
        self._facts.show_card(card, grade, max_grade, words + self._grade_words(grade), self._other)
        self.own.show_row(card.own, max_grade, self._session.judging.assessor)
        now = card.grade if card.listed and not math.isnan(card.grade) else None
        self.grades.show_grades(self._session.judging.grades, max_grade, now, judged=bool(self._session.view.query_id))
        self._fit_height()

    def _grade_words(self, grade: float) -> str:
        """How the grade differs from the other document's; "" where it does not, or there is none."""
        if self._other is None:
            return ""
        other = self._other.grade
        if math.isnan(other) or math.isnan(grade):
            return ""
        return "" if grade == other else f", {abs(grade - other):g} {'above' if grade > other else 'below'} the other"

    def _show_pin(self) -> None:
        pinned, keys = self._session.documents.pinned_document, command_keys("pin_document")
        self.pin.setText("unpin" if pinned is not None else "pin")
        self.pin.setVisible(not self._pinned and (pinned is None or not self._session.documents.beside))
        tip = "The next document selected stands beside it" if pinned is None else "It does not stay any more"
        set_tooltip(self.pin, f"{tip} ({keys})")

    def _fit_height(self) -> None:
        """What stands above the text gives way where the panel is low: the field for a note, then lines of ranks."""
        room = self.height() - HEADER_HEIGHT - BELOW - _TEXT_LEAST
        noted = room >= self.own.height_with(True) + _FACTS_LEAST
        self.own.show_note(noted)
        self._facts.fit_into(room - self.own.height_with(noted))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()
        self.grades.setVisible(self.width() >= _GRADES_LEAST)  # below, which document it is says more

    def _html(self, card: DocumentCard) -> str:
        muted = self._theme["muted"].name()
        remark = f'<p style="margin:0 0 4px 0">{html.escape(card.remark)}</p>' if card.remark else ""
        aspects = f'<p style="margin:0 0 4px 0; color:{muted}">{html.escape(card.aspects)}</p>' if card.aspects else ""
        aspects = remark + aspects
        if not card.known:
            collection = self._session.view.collection
            none = collection is None or collection.documents is None
            words = "no document text is loaded; drop a documents file" if none else "the documents file lacks it"
            return f'{aspects}<p style="color:{muted}">{words}</p>{scores_html(card.scores, muted)}'
        parts = [aspects]
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
            words = "the documents file has no text for it"
            if card.lost:
                words = html.escape(f"its text can no longer be read: {card.lost}")
            parts.append(f'<p style="color:{muted}">{words}</p>')
        for name, value in card.fields:
            if len(value) > 60:
                parts.append(
                    f'<p style="margin:6px 0 0 0"><span style="color:{muted}">{html.escape(name)}</span> '
                    f"{html.escape(value)}</p>"
                )
        return "".join(parts) + scores_html(card.scores, muted)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        pressed = watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self._session.documents.leave_document()
            return True
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _on_grade_given(self, grade: float | None) -> None:
        if self._card is not None:
            self._session.list_judging.judge_document(self._session.view.query_id, self._card.doc_id, grade)

    def _on_undo_asked(self) -> None:
        if self._card is not None:
            self._session.judging.revert_judgment(self._card.doc_id)

    def _on_note_written(self, note: str) -> None:
        if self._card is not None:
            self._session.judging.write_judgment_note(self._card.doc_id, note)

    def _on_close_clicked(self) -> None:
        if self._pinned:
            self._session.documents.pin_document(None)
        else:
            self._session.navigation.set_document(None)

    def _on_pin_clicked(self) -> None:
        self._session.documents.switch_pin()

    def _on_colours_changed(self) -> None:
        palette = self.text.palette()
        palette.setColor(palette.ColorRole.Text, self._theme["text"])
        self.text.setPalette(palette)
        if self._card is not None:
            self._said = self._html(self._card)
            self.text.setHtml(self._said)


def scores_html(rows: tuple[ScoreRow, ...], muted: str) -> str:
    """A table of scores, a run a row, a part of the score a column; "" without rows."""
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows for name, _ in row.parts))
    heads = "".join(f'<td align="right" style="color:{muted}">{html.escape(name)}</td>' for name in ("score", *names))
    lines = []
    for row in rows:
        parts = dict(row.parts)
        values = [number(row.score), *(number(parts[name]) if name in parts else "" for name in names)]
        cells = "".join(f'<td align="right">{value}</td>' for value in values)
        lines.append(f"<tr><td>{html.escape(row.run.name)}</td>{cells}</tr>")
    head = f'<tr><td style="color:{muted}">run</td>{heads}</tr>'
    return f'<table cellspacing="0" cellpadding="3" style="margin-top:8px">{head}{"".join(lines)}</table>'


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

"""The panel of the selected or pinned document: grade, rank in each run, and text with the query terms marked.

Hidden while no document is selected. If a second document is shown, differences of grade and ranks are shown too."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.document_facts import DocumentFacts, OwnJudgment
from irviewer.gui.query.document_text import DocumentText, fields_html, marked_html, picture_html
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import CloseButton, LinkButton, command_keys
from irviewer.gui.widgets.grade_buttons import GradeButtons
from irviewer.gui.widgets.panel import HEADER_HEIGHT, Panel
from irviewer.gui.widgets.plain_text import set_tooltip
from irviewer.model.workspace import Regime
from irviewer.session.changes import Change
from irviewer.session.view_models.query import DocumentCard, ScoreRow, number
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

CHANGES = frozenset({Change.WORKSPACE, Change.COLLECTION, Change.RUNS, Change.QUERY, Change.DOCUMENT})

LEAST = 110
"""The least height of the panel with a text, in pixels."""
_MOST = 16_777_215
"""Qt's largest height."""
_MARGIN = 12
_GRADES_LEAST = 250
_TEXT_LEAST, _FACTS_LEAST, BELOW = 18, 30, 12
"""The heights of a line of text, of a line of ranks and of the margins, in pixels."""


@guarded
class Document(Panel):
    """The document panel. ``pinned``: it shows the pinned document, which stays while others are selected."""

    def __init__(
        self, session: Session, theme: Theme, parent: QWidget | None = None, *, pinned: bool = False
    ) -> None:  # fmt: skip
        super().__init__(theme, tr("Document"), parent=parent)
        self._session = session
        self._pinned = pinned
        self._other: DocumentCard | None = None
        self._theme = theme
        self._card: DocumentCard | None = None
        self._html = ""
        self._facts = DocumentFacts(theme)
        self.own = OwnJudgment(theme)
        self.own.undo_asked.connect(self._on_undo_asked)
        self.own.note_written.connect(self._on_note_written)
        self.own.hide()
        self.grades = GradeButtons(theme, padding=1)
        self.grades.given.connect(self._on_grade_given)
        self.text = DocumentText(theme, 9.5)
        self.text.setViewportMargins(_MARGIN, 0, 4, 0)
        self.text.setMinimumHeight(1)  # the panel shares the room; a larger minimum would make lines overlap
        self.text.installEventFilter(self)
        self._close = CloseButton(theme)
        set_tooltip(self._close, tr("Unpin document") if pinned else tr("Close document (Esc)"))
        self._close.setAccessibleName(tr("Unpin document") if pinned else tr("Close document"))
        self._close.clicked.connect(self._on_close_clicked)
        self.pin = LinkButton(theme, tr("pin"))
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
        self._body = body
        self._line = False
        self.set_body(body)
        self.setMinimumSize(200, LEAST)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    @property
    def card(self) -> DocumentCard | None:
        """The document shown; None if no document is selected."""
        return self._card

    @property
    def is_line(self) -> bool:
        """Whether the document has nothing to read, and is shown in the line of the header."""
        return self._line

    def _show_line(self, card: DocumentCard) -> None:
        """Show a document that has nothing but a grade and ranks in one line."""
        said = (card.text, card.title, card.fields, card.picture, card.remark, card.explained, card.scores, card.lost)
        self._line = not any(said) and card.own is None and self._other is None and not self._pinned
        self._body.setVisible(not self._line)
        self.setMinimumHeight(HEADER_HEIGHT + 2 if self._line else LEAST)
        self.setMaximumHeight(HEADER_HEIGHT + 2 if self._line else _MOST)
        if self._line:
            self.set_note(self._facts.words)

    @property
    def facts(self) -> str:
        """Grade and ranks as text."""
        return self._facts.words

    def refresh(self, changes: frozenset[Change]) -> None:
        """Show the document if it may have changed."""
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
        if self._pinned:
            self.set_title(tr("Pinned {document}", document=card.doc_id))
        else:
            self.set_title(tr("Document {document}", document=card.doc_id))
        self.set_note(" · ".join(f"{name}: {value}" for name, value in card.fields if len(value) <= 60))
        self._show_facts(card)
        self._show_line(card)
        content = self._make_html(card)
        if content != self._html:  # a judgment leaves the text, and the scroll position, unchanged
            self._html = content
            self.text.setHtml(content)

    def focus_text(self) -> None:
        """Give the text the keyboard focus, if there is one."""
        if self._line:
            return
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_facts(self, card: DocumentCard) -> None:
        view_model = self._session.view_models.query_view_model()
        judgments = self._session.view.judgments
        complete = judgments is not None and judgments.regime is Regime.COMPLETE
        grade = card.grade
        if not card.listed or math.isnan(grade):
            words = tr("not in the qrels: counts as non-relevant") if complete else tr("unjudged")
            grade = 0.0 if complete else grade
        else:
            relevant = grade > 0 if view_model is None else view_model.is_relevant(grade)
            words = tr("relevant") if relevant else tr("unjudged") if grade < 0 else tr("judged non-relevant")
        max_grade = 1.0 if view_model is None else view_model.max_grade
        self._facts.show_card(card, grade, max_grade, self._compared(words, grade), self._other)
        self.own.show_row(card.own, max_grade, self._session.judging.assessor)
        now = card.grade if card.listed and not math.isnan(card.grade) else None
        self.grades.show_grades(self._session.judging.grades, max_grade, now, judged=bool(self._session.view.query_id))
        self._fit_height()

    def _compared(self, words: str, grade: float) -> str:
        """Return the words for a grade, with the difference to the other document's grade, if there is one."""
        other = math.nan if self._other is None else self._other.grade
        if math.isnan(other) or math.isnan(grade) or grade == other:
            return words
        if grade > other:
            return tr("{judged}, {difference:g} above the other document", judged=words, difference=grade - other)
        return tr("{judged}, {difference:g} below the other document", judged=words, difference=other - grade)

    def _show_pin(self) -> None:
        pinned, keys = self._session.documents.pinned_document, command_keys("pin_document")
        self.pin.setText(tr("unpin") if pinned is not None else tr("pin"))
        self.pin.setVisible(not self._pinned and (pinned is None or not self._session.documents.beside))
        if pinned is None:
            set_tooltip(self.pin, tr("Keep this document beside the next selected one ({keys})", keys=keys))
        else:
            set_tooltip(self.pin, tr("Unpin the document ({keys})", keys=keys))

    def _fit_height(self) -> None:
        """Hide parts above the text if the panel is low: first the note field, then lines of ranks."""
        room = self.height() - HEADER_HEIGHT - BELOW - _TEXT_LEAST
        noted = room >= self.own.height_with(True) + _FACTS_LEAST
        self.own.show_note(noted)
        self._facts.fit_into(room - self.own.height_with(noted))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()
        self.grades.setVisible(self.width() >= _GRADES_LEAST)  # in a narrower panel the title needs the room

    def _make_html(self, card: DocumentCard) -> str:
        muted = self._theme["muted"].name()
        remark = f'<p style="margin:0 0 4px 0">{html.escape(card.remark)}</p>' if card.remark else ""
        aspects = f'<p style="margin:0 0 4px 0; color:{muted}">{html.escape(card.aspects)}</p>' if card.aspects else ""
        judge, explained = self._session.view.judgments, ""
        judged_by = "" if judge is None else judge.name
        for what, text in () if self._session.judging.blind else card.explained:
            name = tr("{judge}, {what}:", judge=judged_by, what=what)
            explained += (
                f'<p style="margin:0 0 4px 0"><span style="color:{muted}">{html.escape(name)}</span> '
                f"{html.escape(text).replace(chr(10), '<br>')}</p>"
            )
        aspects = remark + aspects + explained
        if not card.known:
            collection = self._session.view.collection
            none = collection is None or collection.documents is None
            words = (
                tr("No documents file is open. Drop one on the window to see texts.")
                if none
                else tr("The documents file does not have this document.")
            )
            return aspects + f'<p style="color:{muted}">{html.escape(words)}</p>' + scores_html(card.scores, muted)
        parts = [picture_html(card), aspects]
        if card.title and not _begins_with(card.text, card.title):
            parts.append(
                f'<p style="margin:0 0 4px 0; font-weight:600">{marked_html(card.title, card.title_marks)}</p>'
            )
        if card.text:
            parts.append(f'<p style="margin:0; line-height:125%">{marked_html(card.text, card.marks)}</p>')
        elif not card.title:
            words = tr("The documents file has no text for this document.")
            if card.lost:
                words = tr("The text can no longer be read: {reason}", reason=card.lost)
            parts.append(f'<p style="color:{muted}">{html.escape(words)}</p>')
        parts.append(fields_html(card, self._theme))
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
            self._html = self._make_html(self._card)
            self.text.setHtml(self._html)


def _begins_with(text: str, title: str) -> bool:
    """Return whether a title is the beginning of the text, as that of a document without a title of its own."""
    return " ".join(text.split()).startswith(" ".join(title.split()).rstrip("…. "))


def scores_html(rows: tuple[ScoreRow, ...], muted: str) -> str:
    """Return a table of scores as HTML: a row per run, a column per part of the score; "" without rows."""
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows for name, _ in row.parts))
    heads = "".join(
        f'<td align="right" style="color:{muted}">{html.escape(name)}</td>' for name in (tr("score"), *names)
    )
    lines = []
    for row in rows:
        parts = dict(row.parts)
        values = [number(row.score), *(number(parts[name]) if name in parts else "" for name in names)]
        cells = "".join(f'<td align="right">{value}</td>' for value in values)
        lines.append(f"<tr><td>{html.escape(row.run.name)}</td>{cells}</tr>")
    head = f'<tr><td style="color:{muted}">{html.escape(tr("run"))}</td>{heads}</tr>'
    return f'<table cellspacing="0" cellpadding="3" style="margin-top:8px">{head}{"".join(lines)}</table>'

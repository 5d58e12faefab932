"""Blind judging: the query and one document from the top of the shown runs, without runs, ranks and values.

Covers the Query view during blind judging. The order of documents depends on their ids only."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from irviewer.gui.guard import guarded
from irviewer.gui.query.document_facts import OwnJudgment
from irviewer.gui.query.document_text import DocumentText, fields_html, marked_html, picture_html
from irviewer.gui.query.query_header import QueryHint
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import command_keys
from irviewer.gui.widgets.grade_buttons import GradeButton, GradeButtons
from irviewer.gui.widgets.panel import Panel
from irviewer.gui.widgets.plain_text import HtmlLabel, PlainLabel
from irviewer.session.changes import Change
from irviewer.session.view_models.query import DocumentCard
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

_WIDEST = 860
_MARGIN = 14
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
NOTHING_RETRIEVED = tr("The shown runs retrieve no documents for this query.")
NO_TEXT = tr("The text of this document is not available.")


@guarded
class BlindJudging(Panel):
    """The query, the document and the grades; hides the Query view while it is shown."""

    def __init__(self, session: Session, theme: Theme, place: QWidget) -> None:
        super().__init__(theme, tr("Judging blind"), parent=place)
        self._session = session
        self._theme = theme
        self._place = place
        self._beneath: list[QWidget] = []
        self._missed: frozenset[Change] = frozenset()
        self._html = ""
        self.query = HtmlLabel()
        self.query.setWordWrap(True)
        self.query.setFont(theme.font(10))
        self.text = DocumentText(theme, 10.5)
        self.text.installEventFilter(self)
        self.own = OwnJudgment(theme)
        self.own.undo_asked.connect(self._on_undo_asked)
        self.own.note_written.connect(self._on_note_written)
        self.words = PlainLabel()
        self.words.setFont(theme.font(9.5))
        self.grades = GradeButtons(theme)
        self.grades.given.connect(self._on_grade_given)
        hint = QueryHint(theme, folds=True)
        hint.show_parts(
            (
                (True, command_keys("next_unjudged")),
                (True, command_keys("previous_unjudged")),
                (False, tr("next, previous unjudged ·")),
                (True, "←"),
                (True, "→"),
                (False, tr("all ·")),
                (True, command_keys("next_query")),
                (False, tr("next query ·")),
                (True, "Esc"),
                (False, tr("end")),
            )
        )
        self.set_note(tr("documents of the shown runs, in random order"))
        bottom = QHBoxLayout()
        bottom.addWidget(self.grades)
        bottom.addSpacing(8)
        bottom.addWidget(self.words)
        bottom.addStretch(1)
        bottom.addWidget(hint)
        column = QWidget()
        column.setMaximumWidth(_WIDEST)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        layout.setSpacing(10)
        layout.addWidget(self.query)
        self._line = QFrame()
        self._line.setFixedHeight(1)
        self._line.setAutoFillBackground(True)
        layout.addWidget(self._line)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.own)
        layout.addLayout(bottom)
        body = QWidget()
        across = QHBoxLayout(body)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(column, 100)
        across.addStretch(1)
        self.set_body(body)
        self.hide()
        place.installEventFilter(self)
        theme.changed.connect(self._on_colours_changed)
        self._on_colours_changed()

    @property
    def buttons(self) -> list[GradeButton]:
        """The grades to click."""
        return self.grades.buttons

    # --- the cover ---

    def covers(self, changes: frozenset[Change]) -> bool:
        """Show the document to judge and hide the view's own parts during blind judging; return whether it is on."""
        blind, place = self._session.judging.blind, self._place
        if blind:
            self._missed |= changes
            self._hide_beneath(place)
            self._refresh()
        if blind != self.isHidden():
            return blind
        self.setVisible(blind)
        if blind:
            self.setGeometry(place.rect())
            self.raise_()
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)
            place.setFocusProxy(self.text)
            return True
        for widget in self._beneath:
            widget.show()
        self._beneath = []
        return False

    def take_missed(self) -> frozenset[Change]:
        """Return what changed while the view was covered, once."""
        missed, self._missed = self._missed, frozenset()
        return missed

    def _hide_beneath(self, place: QWidget) -> None:
        layout = place.layout()
        items = [] if layout is None else [layout.itemAt(number) for number in range(layout.count())]
        for item in items:
            widget = None if item is None else item.widget()
            if widget is not None and not widget.isHidden():
                widget.hide()
                self._beneath.append(widget)

    # --- contents ---

    def _refresh(self) -> None:
        session, progress = self._session, self._session.judging.judged_progress
        query = session.view.query_id
        if progress is None:
            self.set_title(tr("Judging blind: query {query}", query=query))
        else:
            self.set_title(
                tr(
                    "Judging blind: query {query} · {judged:,} of {count:,} judged",
                    query=query,
                    judged=progress.judged,
                    count=progress.pool,
                )
            )
        self._show_query()
        card = session.view_models.document_card()
        self._show_document(card)
        self._show_grades(session.judging.grades, card)

    def _show_query(self) -> None:
        session, muted = self._session, self._theme["muted"].name()
        context = session.view.context
        text = "" if context is None else context.collection.query_text(session.view.query_id)
        parts = [f'<p style="margin:0; font-weight:600">{html.escape(text)}</p>'] if text else []
        parts += [
            f'<p style="margin:5px 0 0 0"><span style="color:{muted}">{html.escape(name)}</span> '
            f"{html.escape(value)}</p>"
            for name, value in session.judging.query_details
        ]
        self.query.setText("".join(parts))
        self.query.setVisible(bool(parts))

    def _show_document(self, card: DocumentCard | None) -> None:
        muted = self._theme["muted"].name()
        if card is None:
            content = f'<p style="color:{muted}">{html.escape(NOTHING_RETRIEVED)}</p>'
        else:
            title = marked_html(card.title, card.title_marks) if card.title else html.escape(card.doc_id)
            text = marked_html(card.text, card.marks) if card.text else html.escape(NO_TEXT)
            content = (
                f"{picture_html(card)}"
                f'<p style="margin:0; color:{muted}">{html.escape(card.doc_id)}</p>'
                f'<p style="margin:0 0 6px 0; font-weight:600">{title}</p>'
                f'<p style="margin:0; line-height:130%">{text}</p>'
                f"{fields_html(card, self._theme)}"
            )
        if content != self._html:
            self._html = content
            self.text.setHtml(content)

    def _show_grades(self, grades: tuple[float, ...], card: DocumentCard | None) -> None:
        context = self._session.view.context
        max_grade = max((1.0, *grades)) if context is None else context.max_grade
        listed = self._session.view.judgments
        known = {} if listed is None else listed.qrels.judgments(self._session.view.query_id)
        now = None if card is None else known.get(card.doc_id)
        self.grades.show_grades(grades, max_grade, now, judged=card is not None)
        self.words.setText("" if card is None else tr("unjudged") if now is None else tr("grade {grade:g}", grade=now))
        self.own.show_row(None if card is None else card.own, max_grade, self._session.judging.assessor)

    # --- input ---

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._place:
            if event.type() == QEvent.Type.Resize:
                self.setGeometry(self._place.rect())
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._session.judging.step_blind(step)
                return True
        return False

    def _on_grade_given(self, grade: float | None) -> None:
        doc_id = self._session.view.document_id
        if doc_id is not None and self._session.judging.takes(grade):
            self._session.judging.judge(doc_id, grade)
            self._refresh()

    def _on_undo_asked(self) -> None:
        if self._session.view.document_id is not None:
            self._session.judging.revert_judgment(self._session.view.document_id)

    def _on_note_written(self, note: str) -> None:
        if self._session.view.document_id is not None:
            self._session.judging.write_judgment_note(self._session.view.document_id, note)

    def _on_colours_changed(self) -> None:
        for widget, name in ((self.text, "text"), (self.query, "ink"), (self.words, "muted")):
            palette = widget.palette()
            palette.setColor(palette.ColorRole.Text, self._theme[name])
            palette.setColor(palette.ColorRole.WindowText, self._theme[name])
            widget.setPalette(palette)
        palette = self._line.palette()
        palette.setColor(palette.ColorRole.Window, self._theme["line"])
        self._line.setPalette(palette)
        self._html = ""
        if not self.isHidden():
            self._refresh()

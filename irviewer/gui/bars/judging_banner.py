"""The banner of judging mode: what keys do, to which document, in which judgment set, and how to leave the mode.

It is shown in all views while the mode is on. It reads the session and calls its methods, and knows no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from irviewer.gui.bars.message_bar import Line
from irviewer.gui.guard import guarded
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import TextButton, command_keys
from irviewer.gui.widgets.overlay import OverlaySheet
from irviewer.gui.widgets.panel import Note, Title
from irviewer.gui.widgets.plain_text import PlainLabel, set_tooltip
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

GROUND = 0.16
"""The opacity of the warning colour of the background: visible at a glance, with text that is easy to read."""


@guarded
class JudgingBanner(Line):
    """ "Judging  0–9 grade document 184 for query 12 · U unjudged · …  in qrels.txt, by Ada  [End judging (Esc)]"."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._session = session
        self.title = PlainLabel()
        self.title.setFont(theme.font(9.5, weight=700))
        self.keys = Note()
        self.keys.setFont(theme.font(9.5))
        self.whose = Title()
        self.whose.setFont(theme.font(9.5))
        self.end = TextButton(
            theme, tr("End judging (Esc)"), tr("Leave judging mode ({keys})", keys=command_keys("judging_mode"))
        )
        self.end.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for widget in (self.title, self.keys, self.whose, self.end):
            self.row.addWidget(widget, 1 if widget is self.keys else 0)
        self.row.setSpacing(14)
        # Escape leaves the mode before any view handles it, except in a text field.
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.activated.connect(self._on_end)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)
        self.end.clicked.connect(self._on_end)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.hide()
        self.refresh()

    @property
    def text(self) -> str:
        return "  ".join((self.title.text(), self.keys.text(), self.whose.text()))

    def refresh(self) -> None:
        """Update from the session. The banner is hidden outside judging mode."""
        session = self._session
        shown = session.judging.is_on and session.view.collection is not None
        if shown:
            self.title.setText(tr("Judging blind") if session.judging.blind else tr("Judging"))
            self._say(self.keys, self._keys_text())
            judgments = session.view.judgments
            name = tr("a new judgment set") if judgments is None else judgments.name
            judge = session.judging.assessor
            self._say(
                self.whose,
                tr("in {qrels}, by {judge}", qrels=name, judge=judge) if judge else tr("in {qrels}", qrels=name),
            )
        self.setVisible(shown)

    def _keys_text(self) -> str:
        target = self._session.list_judging.judging_target
        unjudged, as_read = command_keys("unjudge"), command_keys("revert_judgment")
        if target is None:
            return tr("No document is selected. Select a document to judge.")
        query, document = target
        scale = self._session.judging.scale
        return tr(
            "{digits} grade document {document} for query {query} · {unjudged} unjudged · {as_read} as in the file",
            digits="0–9" if scale is None else scale.text,
            document=document,
            query=query,
            unjudged=unjudged,
            as_read=as_read,
        )

    def _say(self, label: QLabel, text: str) -> None:
        if text != label.text():
            label.setText(text)
            set_tooltip(label, text)

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Leave Escape to a text field with the focus, and to an open sheet."""
        over = now
        while over is not None and not isinstance(over, OverlaySheet):
            over = over.parentWidget()
        text = isinstance(now, QTextEdit | QPlainTextEdit) and not now.isReadOnly()
        self._escape.setEnabled(not isinstance(now, QLineEdit) and not text and over is None)

    def _on_end(self) -> None:
        self._session.judging.set_judging(False)

    def _on_theme_changed(self) -> None:
        for label, name in ((self.title, "warning"), (self.keys, "ink"), (self.whose, "ink")):
            label.set_ink(self.theme[name])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, ground = QPainter(self), QColor(self.theme["warning"])
        painter.fillRect(self.rect(), self.theme["panel"])
        ground.setAlphaF(GROUND)
        painter.fillRect(self.rect(), ground)
        painter.fillRect(0, 0, 4, self.height(), self.theme["warning"])
        painter.fillRect(0, 0, self.width(), 1, self.theme["warning"])

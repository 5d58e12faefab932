"""The dialog in which a note and tags of a query or a document are written. It asks, calls the session, and is gone.

Knows the session's methods, no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.model.notes import NoteError, Subject, parse_tags
from irviewer.session.messages import info

if TYPE_CHECKING:
    from irviewer.session.session import Session


class NoteDialog(QDialog):
    """A note of any length, and tags in a line; both empty take back what was written."""

    def __init__(self, session: Session, theme: Theme, subject: Subject, one: str, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Note of {subject} {one}")
        self._session = session
        self._subject: Subject = subject
        self._one = one
        note = session.notes.note(subject, one)
        self.tags = QLineEdit(" ".join(note.tags))
        self.tags.setAccessibleName("Tags")
        self.tags.setPlaceholderText("words, parted by spaces")
        self.text = QPlainTextEdit(note.text)
        self.text.setAccessibleName("Note")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumSize(460, 120)
        known = session.notes.every.tags()
        told = f"In use: {', '.join(known[:12])}" if known else "The filter of the queries finds them: tag:hard"
        by = f"   Written by {note.who or 'someone'}, {note.when[:10]}" if note else ""
        help_text = PlainLabel(told + by)
        help_text.setFont(theme.font(9))
        help_text.setWordWrap(True)
        self.trouble = PlainLabel(" ")
        self.trouble.setFont(theme.font(9))
        palette = self.trouble.palette()
        palette.setColor(self.trouble.foregroundRole(), theme["warning"])
        self.trouble.setPalette(palette)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Keep")
        buttons.accepted.connect(self._on_kept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(PlainLabel("Note:"))
        layout.addWidget(self.text, 1)
        layout.addWidget(PlainLabel("Tags:"))
        for widget in (self.tags, help_text, self.trouble, buttons):
            layout.addWidget(widget)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_kept(self) -> None:
        try:
            tags = parse_tags(self.tags.text())
            if len(tags) == 0 and self.tags.text().strip():
                raise NoteError("a tag is one word, without quotes")
        except NoteError as trouble:
            self.trouble.setText(str(trouble))
            return
        self._session.notes.write_note(self._subject, self._one, self.text.toPlainText(), tags)
        self.accept()


class NoteDialogs:
    """Made with the window; each method opens one note."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def query(self) -> None:
        """The selected query's."""
        session = self._session
        if session.view.query_id:
            self._host.show_dialog(
                NoteDialog(session, self._theme, "query", session.view.query_id, self._host.window())
            )

    def document(self) -> None:
        """The selected document's."""
        session = self._session
        if session.view.document_id is None:
            session.say(info("No document is selected: select one to write a note about it."))
            return
        self._host.show_dialog(
            NoteDialog(session, self._theme, "document", session.view.document_id, self._host.window())
        )

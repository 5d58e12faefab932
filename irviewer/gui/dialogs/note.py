"""The dialogs for the note and tags of a query or document, and for a file of all notes.

It uses the session's methods and knows no view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from irviewer.errors import IrviewerError
from irviewer.gui.dialogs.files.chooser import SaveDialog
from irviewer.gui.dialogs.host import DialogHost
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.plain_text import PlainLabel
from irviewer.gui.widgets.warning_label import WarningLabel
from irviewer.hidden_characters import escape_hidden
from irviewer.model.notes import NoteError, Subject, parse_tags
from irviewer.session.messages import error, info
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

NOTES = ((tr("Comma-separated values"), ".csv"), (tr("Tab-separated values"), ".tsv"), (tr("JSON lines"), ".jsonl"))


class NoteDialog(QDialog):
    """A note and its tags. If both are empty, the note is removed."""

    def __init__(self, session: Session, theme: Theme, subject: Subject, name: str, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(
            tr("Note on query {query}", query=escape_hidden(name))
            if subject == "query"
            else tr("Note on document {document}", document=escape_hidden(name))
        )
        self._session = session
        self._subject: Subject = subject
        self._name = name
        note = session.notes.note(subject, name)
        self.tags = QLineEdit(" ".join(note.tags))
        self.tags.setAccessibleName(tr("Tags"))
        self.tags.setPlaceholderText(tr("words, separated by spaces"))
        self.text = QPlainTextEdit(note.text)
        self.text.setAccessibleName(tr("Note"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumSize(460, 120)
        known = session.notes.every.tags()
        lines = [
            tr("Tags in use: {tags}", tags=", ".join(known[:12]))
            if known
            else tr("The filter of the queries can search for tags, such as tag:hard")
        ]
        if note and note.who:
            lines.append(tr("Written by {author}, {date}", author=note.who, date=note.when[:10]))
        elif note:
            lines.append(tr("Written on {date}", date=note.when[:10]))
        help_text = PlainLabel("\n".join(lines))
        help_text.setFont(theme.font(9))
        help_text.setWordWrap(True)
        self.trouble = WarningLabel(theme)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Save"))
        buttons.accepted.connect(self._on_saved)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 18, 18, 14)
        layout.addWidget(PlainLabel(tr("Note:")))
        layout.addWidget(self.text, 1)
        layout.addWidget(PlainLabel(tr("Tags:")))
        for widget in (self.tags, help_text, self.trouble, buttons):
            layout.addWidget(widget)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_saved(self) -> None:
        try:
            tags = parse_tags(self.tags.text())
            if len(tags) == 0 and self.tags.text().strip():
                raise NoteError(tr("A tag is one word, without quotes"))
        except NoteError as trouble:
            self.trouble.setText(str(trouble))
            return
        self._session.notes.write_note(self._subject, self._name, self.text.toPlainText(), tags)
        self.accept()


class NoteDialogs:
    """Opens the dialogs for notes. Made with the window."""

    def __init__(self, session: Session, theme: Theme, host: DialogHost) -> None:
        self._session = session
        self._theme = theme
        self._host = host

    def query(self) -> None:
        """Edit the note on the selected query."""
        session = self._session
        if session.view.query_id:
            self._host.show_dialog(
                NoteDialog(session, self._theme, "query", session.view.query_id, self._host.window())
            )

    def document(self) -> None:
        """Edit the note on the selected document."""
        session = self._session
        if session.view.document_id is None:
            session.say(info(tr("No document is selected. Select one to write a note on it.")))
            return
        self._host.show_dialog(
            NoteDialog(session, self._theme, "document", session.view.document_id, self._host.window())
        )

    def save(self) -> None:
        """Ask for the file of notes and tags."""
        folder = self._session.saving.file_folder()
        self._host.show_dialog(
            SaveDialog(self._host.window(), tr("Save notes and tags"), folder, "notes", NOTES, self._save)
        )

    def _save(self, path: str) -> None:
        try:
            self._session.notes.save_notes(path)
        except IrviewerError as trouble:
            self._session.say(error(str(trouble)))

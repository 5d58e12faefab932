"""Notes and tags of queries and documents, and saving them as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from irviewer.model.judgments.overlay import now
from irviewer.model.notes import Note, Notes, Subject, checked_tags
from irviewer.rendering.atomic import write_atomically
from irviewer.session.judging.history import HistoryService
from irviewer.session.notes.changes import notes_of, notes_text, with_note
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.view import View
from irviewer.translation import tr


class NoteService:
    """Changes notes and tags. ``subject`` is "query" or "document"."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._settings = store.settings
        self._view = view
        self._saving = saving
        self._history = history

    @property
    def every(self) -> Notes:
        """All notes of the collection in view."""
        return notes_of(self._view.collection)

    def note(self, subject: Subject, subject_id: str) -> Note:
        """Return the note of a query or a document; an empty note if there is none."""
        return self.every.of(subject, subject_id)

    def set_note(self, subject: Subject, subject_id: str, text: str) -> None:
        """Set the text of a note, "" removes it; tags stay."""
        self._set(subject, subject_id, replace(self.note(subject, subject_id), text=text.strip()))

    def set_tags(self, subject: Subject, subject_id: str, tags: Iterable[str]) -> None:
        """Replace the tags of a query or a document; the text stays. Raises NoteError for a tag that could not be used
        in a filter."""
        self._set(subject, subject_id, replace(self.note(subject, subject_id), tags=checked_tags(tags)))

    def write_note(self, subject: Subject, subject_id: str, text: str, tags: Iterable[str]) -> None:
        """Set text and tags in one step. Raises NoteError."""
        note = self.note(subject, subject_id)
        self._set(subject, subject_id, replace(note, text=text.strip(), tags=checked_tags(tags)))

    def save_notes(self, path: str) -> None:
        """Save the notes of all open collections as a table, by the ending of the name: .csv, .tsv or .jsonl. Raises
        IrviewerError for another ending."""
        text = notes_text(self._view.workspace.collections, Path(path).suffix.lower())

        def write(target: str) -> None:
            write_atomically(Path(target), lambda stream: stream.write(text.encode("utf-8", "surrogateescape")))

        self._saving.save_file(path, write)

    def _set(self, subject: Subject, subject_id: str, note: Note) -> None:
        collection = self._view.collection
        if collection is None or not subject_id:
            return
        former = notes_of(collection).of(subject, subject_id)
        if (former.text, former.tags) == (note.text, note.tags):
            return
        label = _label(subject, subject_id, former, note)
        note = replace(note, who=str(self._settings["assessor"]), when=now())
        self._history.do(label, self._store.state.with_collection(with_note(collection, subject, subject_id, note)))


def _label(subject: Subject, subject_id: str, former: Note, note: Note) -> str:
    """The name of the undo step."""
    if subject == "query":
        if former.tags == note.tags:
            return tr("note of query {id}", id=subject_id)
        if former.text == note.text:
            return tr("tags of query {id}", id=subject_id)
        return tr("note and tags of query {id}", id=subject_id)
    if former.tags == note.tags:
        return tr("note of document {id}", id=subject_id)
    if former.text == note.text:
        return tr("tags of document {id}", id=subject_id)
    return tr("note and tags of document {id}", id=subject_id)

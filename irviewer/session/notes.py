"""What a person can write about queries and documents: notes and tags, and saving them as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from irviewer.model.judgments.overlay import now
from irviewer.model.notes import Note, Notes, Subject, checked_tags
from irviewer.rendering.export import write_atomically
from irviewer.session.judging.history import HistoryService
from irviewer.session.note_changes import remarks_of, remarks_text, with_remark
from irviewer.session.saving import FileSaving
from irviewer.session.store import Store
from irviewer.session.view import View


class NoteService:
    """Notes and tags; ``subject`` is "query" or "document"."""

    def __init__(self, store: Store, view: View, saving: FileSaving, history: HistoryService) -> None:
        self._store = store
        self._settings = store.settings
        self._view = view
        self._saving = saving
        self._history = history

    @property
    def remarks(self) -> Notes:
        """What was written about the queries and documents of the collection in view."""
        return remarks_of(self._view.collection)

    def note(self, subject: Subject, one: str) -> Note:
        """What is said of a query or a document; an empty note where nothing is."""
        return self.remarks.of(subject, one)

    def set_note(self, subject: Subject, one: str, text: str) -> None:
        """Write a note, "" takes it back; tags stay."""
        self._remark(subject, one, replace(self.note(subject, one), text=text.strip()))

    def set_tags(self, subject: Subject, one: str, tags: Iterable[str]) -> None:
        """Give a query or a document these tags and no others; the note stays. Raises NoteError for one that could not
        be asked for in a filter."""
        self._remark(subject, one, replace(self.note(subject, one), tags=checked_tags(tags)))

    def write_remark(self, subject: Subject, one: str, text: str, tags: Iterable[str]) -> None:
        """A note and its tags at once. Raises NoteError."""
        self._remark(subject, one, replace(self.note(subject, one), text=text.strip(), tags=checked_tags(tags)))

    def save_notes(self, path: str) -> None:
        """Write the notes of all open collections as a table, by the name's ending: .csv, .tsv or .jsonl. Raises
        IrviewerError for another."""
        text = remarks_text(self._view.workspace.collections, Path(path).suffix.lower())

        def write(target: str) -> None:
            write_atomically(Path(target), lambda stream: stream.write(text.encode("utf-8", "surrogateescape")))

        self._saving.save_file(path, write)

    def _remark(self, subject: Subject, one: str, note: Note) -> None:
        collection = self._view.collection
        if collection is None or not one:
            return
        former = remarks_of(collection).of(subject, one)
        if (former.text, former.tags) == (note.text, note.tags):
            return
        who = str(self._settings["assessor"])
        note = replace(note, who=who, when=now())
        what = "note" if former.tags == note.tags else "tags" if former.text == note.text else "note and tags"
        self._history.do(
            f"{what} of {subject} {one}", self._store.state.with_collection(with_remark(collection, subject, one, note))
        )

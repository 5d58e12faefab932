"""Notes and tags of a collection's queries and documents: reading, changing and writing them as a table.

They are stored in the collection's notes under ``NOTES_KEY``."""

from __future__ import annotations

import json
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.formats.delimited_text import delimited_text
from irviewer.model.notes import Note, Notes, Subject
from irviewer.model.workspace import Collection
from irviewer.tables.writers.delimited import copied
from irviewer.translation import tr

NOTES_KEY = "remarks"
"""The key under which older project files store notes, too."""
COLUMNS = ("collection", "subject", "id", "tags", "note", "who", "when")
ENDINGS = (".csv", ".tsv", ".jsonl")


NO_NOTES = Notes()
"""The notes of every collection without any: one object, so that they are the same after an edit."""


def notes_of(collection: Collection | None) -> Notes:
    """Return the notes about a collection's queries and documents, the same object while they are the same."""
    notes: Notes = NO_NOTES if collection is None else collection.notes.get(NOTES_KEY, NO_NOTES)
    return notes


def note_sign(note: Note) -> str:
    """Return a note as a table cell: ✎ if it has text, and its tags; "" for an empty note."""
    return " ".join([*(["✎"] if note.text else []), *(f"#{tag}" for tag in note.tags)])


def note_line(note: Note) -> str:
    """Return a note as one line: ``✎ its text #tag``; "" for an empty note."""
    words = [*(["✎", " ".join(note.text.split())] if note.text else []), *(f"#{tag}" for tag in note.tags)]
    return " ".join(words)


def note_text(note: Note) -> str:
    """Return the whole note: text, tags, author and date; "" for an empty note."""
    if not note:
        return ""
    tags = " ".join(f"#{tag}" for tag in note.tags)
    signature = " ".join(part for part in (note.who, note.when) if part)
    return "\n".join(line for line in (note.text, tags, signature) if line)


def with_note(collection: Collection, subject: Subject, subject_id: str, note: Note) -> Collection:
    """Return the collection with a new note of a query or a document."""
    notes = notes_of(collection).with_note(subject, subject_id, note)
    return replace(collection, notes={**collection.notes, NOTES_KEY: notes})


def notes_text(collections: tuple[Collection, ...], ending: str) -> str:
    """Return the notes of collections as a table with ``COLUMNS``, a note per row, in the format of a file name ending:
    ".csv", ".tsv" or ".jsonl" (tags as a list).

    In a .tsv, tabs and line ends within a cell become spaces. Raises IrviewerError for another ending."""
    rows = [
        (collection.name, subject, subject_id, note.tags, note.text, note.who, note.when)
        for collection in collections
        for subject, subject_id, note in notes_of(collection).rows()
    ]
    if ending == ".jsonl":
        return "".join(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
    cells = [(*row[:3], " ".join(row[3]), *row[4:]) for row in rows]
    if ending == ".tsv":
        return copied([COLUMNS, *cells])
    if ending == ".csv":
        return delimited_text(COLUMNS, cells, ",")
    if not ending:
        raise IrviewerError(tr("Add an ending to the file name: {endings}.", endings=", ".join(ENDINGS)))
    raise IrviewerError(
        tr("Notes cannot be saved as {ending}; use {endings}.", ending=ending, endings=", ".join(ENDINGS))
    )

"""Notes and tags of a collection's queries and documents, and writing them as a table. Frozen collections in and out.

They are kept in the collection's notes, as what a person chose for single files is."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from irviewer.errors import IrviewerError
from irviewer.model.notes import Note, Notes, Subject
from irviewer.model.workspace import Collection

REMARKS = "remarks"
COLUMNS = ("collection", "subject", "id", "tags", "note", "who", "when")
ENDINGS = (".csv", ".tsv", ".jsonl")


def remarks_of(collection: Collection | None) -> Notes:
    """What was written about the queries and documents of a collection."""
    found: Notes = Notes() if collection is None else collection.notes.get(REMARKS, Notes())
    return found


def remark_sign(note: Note) -> str:
    """A note in a table: ✎ where something is written, and the tags; "" where nothing is said."""
    return " ".join([*(["✎"] if note.text else []), *(f"#{tag}" for tag in note.tags)])


def remark_words(note: Note) -> str:
    """A note in a line: ``✎ what is written #tag``; "" where nothing is said."""
    words = [*(["✎", " ".join(note.text.split())] if note.text else []), *(f"#{tag}" for tag in note.tags)]
    return " ".join(words)


def remark_told(note: Note) -> str:
    """A note in full: what is written, the tags, who and when; "" where nothing is said."""
    if not note:
        return ""
    tags = " ".join(f"#{tag}" for tag in note.tags)
    return "\n".join(one for one in (note.text, tags, " ".join(one for one in (note.who, note.when) if one)) if one)


def with_remark(collection: Collection, subject: Subject, one: str, note: Note) -> Collection:
    """The collection with another note of a query or a document."""
    remarks = remarks_of(collection).with_note(subject, one, note)
    return replace(collection, notes={**collection.notes, REMARKS: remarks})


def remarks_text(collections: tuple[Collection, ...], ending: str) -> str:
    """The notes of collections as a table, a row a note, by ``COLUMNS``: ".csv", ".tsv" or ".jsonl" (tags as a list).

    Tabs and line ends within a cell of a .tsv are spaces. Raises IrviewerError for another ending."""
    rows = [
        (collection.name, subject, one, note.tags, note.text, note.who, note.when)
        for collection in collections
        for subject, one, note in remarks_of(collection).rows()
    ]
    if ending == ".jsonl":
        return "".join(json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n" for row in rows)
    told = [(*row[:3], " ".join(row[3]), *row[4:]) for row in rows]
    if ending == ".tsv":
        lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in [COLUMNS, *told]]
        return "\n".join(lines) + "\n"
    if ending == ".csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *told])
        return stream.getvalue()
    raise IrviewerError(f"notes are written as {', '.join(ENDINGS)}, not as {ending or 'a file without an ending'}")

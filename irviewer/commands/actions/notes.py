"""Commands for notes and tags of queries and documents."""

from __future__ import annotations

from irviewer.commands.command import Command, has_document, has_queries
from irviewer.translation import tr

ROWS: tuple[Command, ...] = (
    Command("note_query", tr("Query note and tags…"), "Edit",
            tr("Write a note and tags, which are kept in the project; the filter tag:hard finds queries tagged hard"),
            ask=lambda dialogs: dialogs.notes.query(), shortcuts=("T",), enabled=has_queries),
    Command("note_document", tr("Document note and tags…"), "Edit",
            tr("Write a note and tags for the selected document"),
            ask=lambda dialogs: dialogs.notes.document(), shortcuts=("Shift+T",), enabled=has_document),
    Command("save_notes", tr("Save notes and tags…"), "Export", tr("Save notes and tags as CSV, TSV or JSON lines"),
            ask=lambda dialogs: dialogs.notes.save(), enabled=lambda session: bool(session.notes.every)),
)  # fmt: skip

"""Notes and tags of what is selected."""

from __future__ import annotations

from irviewer.commands.command import Command, has_document, has_queries

ROWS: tuple[Command, ...] = (
    Command("note_query", "Note and tags of the query…", "Query",
            "Kept in the project; tag:hard in a filter finds it",
            ask=lambda dialogs: dialogs.notes.query(), shortcuts=("T",), enabled=has_queries),
    Command("note_document", "Note and tags of the document…", "Query", "What is said of the selected document",
            ask=lambda dialogs: dialogs.notes.document(), shortcuts=("Shift+T",), enabled=has_document),
)  # fmt: skip

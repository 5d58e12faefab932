"""Walking the queries and finding one."""

from __future__ import annotations

from irviewer.commands.command import Command, has_document, has_queries
from irviewer.session.shortcuts import SHORTCUTS

ROWS: tuple[Command, ...] = (
    Command("next_query", "Next query", "Query", "The next query in the table's order",
            run=lambda session: session.navigation.step_query(1), shortcuts=SHORTCUTS["next_query"],
            enabled=has_queries),
    Command("previous_query", "Previous query", "Query", "The query before, in the table's order",
            run=lambda session: session.navigation.step_query(-1), shortcuts=SHORTCUTS["previous_query"],
            enabled=has_queries),
    Command("go_to_query", "Go to query…", "Query", "A query by its id or a part of its text",
            ask=lambda dialogs: dialogs.navigation.go_to_query(), shortcuts=("Ctrl+G",), enabled=has_queries),
    Command("filter_queries", "Filter queries…", "Query", "Words, id:3, Δ > 0.1, relevant < 5",
            ask=lambda dialogs: dialogs.navigation.filter_queries(), shortcuts=("/", "Ctrl+F"), enabled=has_queries),
    Command("widest_query", "Query of the widest difference", "Query",
            "The query in which focus and baseline differ most",
            run=lambda session: session.navigation.go_to_widest(), shortcuts=("W",), enabled=has_queries),
    Command("clear_document", "Select no document", "Query", "Take the selection of a document back",
            run=lambda session: session.navigation.set_document(None), enabled=has_document),
)  # fmt: skip

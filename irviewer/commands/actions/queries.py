"""Commands that select and filter queries."""

from __future__ import annotations

from irviewer.commands.command import Command, has_document, has_queries
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.translation import tr

ROWS: tuple[Command, ...] = (
    Command("next_query", tr("Next query"), "Go", tr("Select the next query in the order of the table"),
            run=lambda session: session.navigation.step_query(1), shortcuts=SHORTCUTS["next_query"],
            enabled=has_queries, group="query"),
    Command("previous_query", tr("Previous query"), "Go", tr("Select the previous query in the order of the table"),
            run=lambda session: session.navigation.step_query(-1), shortcuts=SHORTCUTS["previous_query"],
            enabled=has_queries, group="query"),
    Command("go_to_query", tr("Go to query…"), "Go", tr("Find a query by its id or by words of its text"),
            ask=lambda dialogs: dialogs.navigation.go_to_query(), shortcuts=("Ctrl+G",), enabled=has_queries,
            group="query"),
    Command("filter_queries", tr("Filter queries…"), "Go",
            tr("Filter by words or conditions, such as id:3, Δ > 0.1, relevant < 5"),
            ask=lambda dialogs: dialogs.navigation.filter_queries(), shortcuts=("/", "Ctrl+F"), enabled=has_queries,
            group="query"),
    Command("widest_query", tr("Query with the largest difference"), "Go",
            tr("Select the query on which the focus run and the baseline differ most"),
            run=lambda session: session.navigation.go_to_widest(), shortcuts=("W",), enabled=has_queries,
            group="query"),
    Command("clear_document", tr("Clear document selection"), "Edit", tr("Select no document"),
            run=lambda session: session.navigation.set_document(None), enabled=has_document, group="clear"),
)  # fmt: skip

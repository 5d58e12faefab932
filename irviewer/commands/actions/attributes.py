"""Commands about attributes of queries and runs: tables of them, and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_collection
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_tables(session: Session) -> bool:
    return bool(session.attributes.tables)


ROWS: tuple[Command, ...] = (
    Command("open_attributes", tr("Open attributes…"), "File",
            tr("Open a table of attributes of queries or runs: a row for each, a column for each attribute"),
            ask=lambda dialogs: dialogs.sets.open_attributes(), enabled=has_collection,
            words=tr("metadata columns segments language latency cost family"), group="open"),
    Command("remove_attributes", tr("Remove attributes…"), "Edit", tr("Remove a table of attributes"),
            ask=lambda dialogs: dialogs.sets.remove_attributes(), enabled=_has_tables, group="clear"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each attribute that can be a column of the Queries or the Systems table."""
    queries = [_query_column(attribute.name, attribute.shown) for attribute in session.attributes.of_queries]
    return queries + [_run_column(attribute.name) for attribute in session.attributes.of_runs]


def _query_column(name: str, title: str) -> Command:
    return Command(
        f"querycolumn attribute {name}",
        tr("Queries column: {attribute}", attribute=title),
        "View",
        tr("Show or hide an attribute as a column of the Queries table"),
        short=title,
        run=lambda session: session.attributes.set_column(name, name not in session.attributes.columns),
        checked=lambda session: name in session.attributes.columns,
        listed=False,
    )


def _run_column(name: str) -> Command:
    return Command(
        f"column attribute {name}",
        tr("Systems column: {attribute}", attribute=name),
        "View",
        tr("Show or hide an attribute as a column of the Systems table"),
        short=name,
        run=lambda session: session.attributes.set_run_column(name, name not in session.attributes.run_columns),
        checked=lambda session: name in session.attributes.run_columns,
        listed=False,
    )

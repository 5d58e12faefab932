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
    Command("colour_runs", tr("Colour and group runs by…"), "Run",
            tr("Give runs with the same value of an attribute the same colour, and list them together"),
            ask=lambda dialogs: dialogs.runs.colour_by(), submenu="runcolour ", group="change",
            enabled=lambda session: bool(session.attributes.of_runs), words=tr("attribute family group legend")),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each attribute that can be a column of the Queries or the Systems table."""
    colours = [_run_colour(attribute.name) for attribute in session.attributes.of_runs]
    if colours:
        colours = [_run_colour(""), *colours]
    queries = [_query_column(attribute.name, attribute.shown) for attribute in session.attributes.of_queries]
    return queries + [_run_column(attribute.name) for attribute in session.attributes.of_runs] + colours


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


def _run_colour(name: str) -> Command:
    return Command(
        f"runcolour {name}",
        tr("Colour and group runs by {attribute}", attribute=name) if name else tr("A colour for each run"),
        "Run",
        tr("Give runs with the same value of an attribute the same colour, and list them together"),
        short=name or tr("A colour for each run"),
        run=lambda session: session.attributes.colour_runs(name),
        checked=lambda session: session.attributes.run_colour == name,
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

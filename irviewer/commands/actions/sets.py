"""Commands that make, choose, open and save query sets, and weight queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_queries
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_sets(session: Session) -> bool:
    return bool(session.query_sets.every)


def _has_brush(session: Session) -> bool:
    return bool(session.query_sets.brushed)


ROWS: tuple[Command, ...] = (
    Command("choose_query_set", tr("Use query set…"), "Statistics",
            tr("Compute every table, curve and test over one query set"),
            ask=lambda dialogs: dialogs.sets.choose(), shortcuts=("S",), enabled=_has_sets, group="sets"),
    Command("sets_by", tr("Query sets by column…"), "Statistics",
            tr("Make one query set for each value of an attribute: language, type, length in words, turn"),
            ask=lambda dialogs: dialogs.sets.by_column(),
            enabled=lambda session: bool(session.query_sets.query_attributes), group="sets"),
    Command("keep_filtered", tr("Save filtered queries as set…"), "Statistics",
            tr("Make a query set of the queries that pass the filter in Queries"),
            ask=lambda dialogs: dialogs.sets.keep_filtered(),
            enabled=lambda session: has_queries(session) and bool(session.state.chosen.queries_filter.strip()),
            group="sets"),
    Command("keep_brushed", tr("Save brushed queries as set…"), "Statistics",
            tr("Make a query set of the queries that were selected in a plot"),
            ask=lambda dialogs: dialogs.sets.keep_brushed(), shortcuts=("Ctrl+B",), enabled=_has_brush, group="sets"),
    Command("clear_brush", tr("Clear brush"), "Edit", tr("Deselect the queries that were selected in a plot"),
            run=lambda session: session.query_sets.brush(()), enabled=_has_brush, group="clear"),
    Command("open_query_sets", tr("Open query sets…"), "Statistics",
            tr("Open a file of query ids with the names of their sets"),
            ask=lambda dialogs: dialogs.sets.open(), enabled=has_queries, group="sets"),
    Command("save_query_sets", tr("Save query sets…"), "Export",
            tr("Save a file of query ids with the names of their sets"),
            ask=lambda dialogs: dialogs.sets.save(), enabled=_has_sets),
    Command("remove_query_set", tr("Remove query set…"), "Statistics", tr("Remove a query set; its queries are kept"),
            ask=lambda dialogs: dialogs.sets.remove(), enabled=_has_sets, group="sets"),
    Command("weight_queries", tr("Weight queries…"), "Statistics",
            tr("Weight queries by an attribute or a file, such as traffic: the weighted mean is shown beside the "
               "plain one"),
            ask=lambda dialogs: dialogs.sets.weight(), enabled=has_judgments, group="sets"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each query set, and for each attribute that divides the queries into sets."""
    rows = []
    if session.query_sets.every:
        rows.append(
            _choose(
                "", tr("Use all queries"), tr("all queries"), tr("Compute tables, curves and tests over all queries")
            )
        )
    rows += [
        _choose(
            query_set.name,
            tr("Use query set {name}", name=query_set.name),
            query_set.name,
            trn("{n:,} query, {origin}", "{n:,} queries, {origin}", len(query_set.query_ids), origin=query_set.how),
        )
        for query_set in session.query_sets.every
    ]
    return rows + [_by(column) for column in session.query_sets.query_attributes]


def _choose(name: str, title: str, short: str, tip: str) -> Command:
    return Command(
        f"queryset {name}",
        title,
        "Statistics",
        tip,
        short=short,
        run=lambda session: session.query_sets.set_query_set(name),
        checked=lambda session: session.query_sets.query_set == name,
    )


def _by(column: str) -> Command:
    return Command(
        f"setsby {column}",
        tr("Query sets by {attribute}", attribute=column),
        "Statistics",
        tr("Make one query set for each value"),
        short=column,
        run=lambda session: session.query_sets.make_sets_by(column),
    )

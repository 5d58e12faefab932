"""Query sets and weights: making, choosing, reading and writing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Command, has_judgments, has_queries

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _has_sets(session: Session) -> bool:
    return bool(session.query_sets.every)


def _has_brush(session: Session) -> bool:
    return bool(session.query_sets.brushed)


ROWS: tuple[Command, ...] = (
    Command("choose_query_set", "Numbers of a query set…", "Query", "Have every table, curve and test be of a set",
            ask=lambda dialogs: dialogs.sets.choose(), shortcuts=("S",), enabled=_has_sets),
    Command("sets_by", "Query sets by a column…", "Query",
            "A set for each value: language, type, length in words, turn",
            ask=lambda dialogs: dialogs.sets.by_column(),
            enabled=lambda session: bool(session.query_sets.query_attributes)),
    Command("keep_filtered", "Keep the filtered queries as a set…", "Query",
            "What the filter of the Queries place lets through",
            ask=lambda dialogs: dialogs.sets.keep_filtered(),
            enabled=lambda session: has_queries(session) and bool(session.state.chosen.queries_filter.strip())),
    Command("keep_brushed", "Keep the brushed queries as a set…", "Query",
            "What was drawn around or dragged over in a plot",
            ask=lambda dialogs: dialogs.sets.keep_brushed(), shortcuts=("Ctrl+B",), enabled=_has_brush),
    Command("clear_brush", "Take the brush away", "Query", "No query is brushed",
            run=lambda session: session.query_sets.brush(()), enabled=_has_brush),
    Command("open_query_sets", "Open query sets…", "Query", "A file of query ids, with the name of their set",
            ask=lambda dialogs: dialogs.sets.open(), enabled=has_queries),
    Command("save_query_sets", "Save the query sets…", "Query", "A file of query ids with their sets",
            ask=lambda dialogs: dialogs.sets.save(), enabled=_has_sets),
    Command("remove_query_set", "Remove a query set…", "Query", "The queries stay",
            ask=lambda dialogs: dialogs.sets.remove(), enabled=_has_sets),
    Command("weight_queries", "Weight the queries…", "Query",
            "By a column or a file, such as traffic: the weighted mean stands beside the plain one",
            ask=lambda dialogs: dialogs.sets.weight(), enabled=has_judgments),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """A command for every set, and for every column that parts the queries."""
    found = []
    if session.query_sets.every:
        found.append(_choose("", "Numbers of all queries", "Every query counts"))
    found += [
        _choose(one.name, f"Numbers of {one.name}", f"{len(one.query_ids):,} queries, {one.how}")
        for one in session.query_sets.every
    ]
    return found + [_by(column) for column in session.query_sets.query_attributes]


def _choose(name: str, title: str, told: str) -> Command:
    return Command(
        f"queryset {name}",
        title,
        "Query",
        told,
        run=lambda session: session.query_sets.set_query_set(name),
        checked=lambda session: session.query_sets.query_set == name,
    )


def _by(column: str) -> Command:
    return Command(
        f"setsby {column}",
        f"Query sets by {column}",
        "Query",
        "A set for each value",
        run=lambda session: session.query_sets.make_sets_by(column),
    )

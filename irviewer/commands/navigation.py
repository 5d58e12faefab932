"""To another place, another collection, and to every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_several_collections
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.session.state import TABS

if TYPE_CHECKING:
    from irviewer.session.session import Session


def _place(name: str) -> tuple[Action, Test]:
    def run(session: Session) -> None:
        session.navigation.set_place(name)

    def checked(session: Session) -> bool:
        return session.view.place == name

    return run, checked


def _has_tabs(session: Session) -> bool:
    return has_collection(session) and len(TABS.get(session.view.place, ())) > 1


def _next_collection(session: Session) -> None:
    session.files.set_collection((session.state.current + 1) % len(session.view.workspace.collections))


def _rows() -> tuple[Command, ...]:
    systems, on_systems = _place("systems")
    queries, on_queries = _place("queries")
    query, on_query = _place("query")
    compare, on_compare = _place("compare")
    return (
        Command("go_systems", "Systems", "Go", "Runs by measures, and their averaged curves", systems,
                ("Ctrl+1",), has_collection, on_systems),
        Command("go_queries", "Queries", "Go", "Queries by runs, differences and the relevance map", queries,
                ("Ctrl+2",), has_collection, on_queries),
        Command("go_query", "Query", "Go", "One query's rankings side by side", query,
                ("Ctrl+3",), has_collection, on_query),
        Command("go_compare", "Compare", "Go", "Systems against each other, and sets of queries", compare,
                ("Ctrl+4",), has_collection, on_compare),
        Command("next_tab", "Next view of the place", "Go", "Where a place has several views",
                lambda session: session.navigation.step_tab(1), ("Ctrl+PgDown",), _has_tabs),
        Command("previous_tab", "View before", "Go", "Where a place has several views",
                lambda session: session.navigation.step_tab(-1), ("Ctrl+PgUp",), _has_tabs),
        Command("open_menu", "Menu", "Go", "All actions by kind", None, ("F10",)),
        Command("find_action", "Find an action…", "Go", "Every action by name", None, SHORTCUTS["find_action"]),
        Command("next_collection", "Next collection", "Go", "Bring the next open collection into view",
                _next_collection, ("Ctrl+Tab",), has_several_collections),
    )  # fmt: skip


ROWS = _rows()


def dynamic(session: Session) -> list[Command]:
    """A command for every open collection, where there are several."""
    if not has_several_collections(session):
        return []
    return [_collection(number, one.name) for number, one in enumerate(session.view.workspace.collections)]


def _collection(number: int, name: str) -> Command:
    return Command(
        f"collection {number}",
        f"Collection {name}",
        "Go",
        "Bring this collection into view",
        lambda session: session.files.set_collection(number),
        checked=lambda session: session.state.current == number,
    )

"""Commands that go to another view, tab or collection, and to every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_several_collections
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.session.state import TABS
from irviewer.translation import tr

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
        Command("go_systems", tr("Systems"), "Go", tr("Runs by measures, and their averaged curves"),
                run=systems, shortcuts=("Ctrl+1",), enabled=has_collection, checked=on_systems),
        Command("go_queries", tr("Queries"), "Go", tr("Queries by runs, differences, and the relevance map"),
                run=queries, shortcuts=("Ctrl+2",), enabled=has_collection, checked=on_queries),
        Command("go_query", tr("Query"), "Go", tr("The rankings of one query side by side"),
                run=query, shortcuts=("Ctrl+3",), enabled=has_collection, checked=on_query),
        Command("go_compare", tr("Compare"), "Go", tr("Runs against each other, and query sets"),
                run=compare, shortcuts=("Ctrl+4",), enabled=has_collection, checked=on_compare),
        Command("next_tab", tr("Next tab"), "Go", tr("Show the next tab of this view"),
                run=lambda session: session.navigation.step_tab(1), shortcuts=("Ctrl+PgDown",), enabled=_has_tabs),
        Command("previous_tab", tr("Previous tab"), "Go", tr("Show the previous tab of this view"),
                run=lambda session: session.navigation.step_tab(-1), shortcuts=("Ctrl+PgUp",), enabled=_has_tabs),
        Command("open_menu", tr("Menu"), "Go", tr("Open the menu with all actions"),
                ask=lambda dialogs: dialogs.window.menu(), shortcuts=("F10",), listed=False),
        Command("find_action", tr("Find action…"), "Go", tr("Search all actions by name"),
                ask=lambda dialogs: dialogs.navigation.find_action(), shortcuts=SHORTCUTS["find_action"]),
        Command("next_collection", tr("Next collection"), "Go", tr("Show the next open collection"),
                run=_next_collection, shortcuts=("Ctrl+Tab",), enabled=has_several_collections),
    )  # fmt: skip


ROWS = _rows()


def dynamic(session: Session) -> list[Command]:
    """Return a command for each open collection where several are open."""
    if not has_several_collections(session):
        return []
    return [
        _collection(number, collection.name) for number, collection in enumerate(session.view.workspace.collections)
    ]


def _collection(number: int, name: str) -> Command:
    return Command(
        f"collection {number}",
        tr("Collection {name}", name=name),
        "Go",
        tr("Show this collection"),
        run=lambda session: session.files.set_collection(number),
        checked=lambda session: session.state.current == number,
    )

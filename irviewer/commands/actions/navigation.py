"""Commands that go to another view, tab or collection, and to every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.commands.command import Action, Command, Test, has_collection, has_several_collections
from irviewer.session.navigation.places import COMPARE_TABS, PLACE_TEXTS, PlaceTexts, TabTexts
from irviewer.session.shortcuts import SHORTCUTS
from irviewer.session.state import TABS
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session

MOST_DIGITS = 9
"""The number of places that have a shortcut."""


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


def _go(number: int, place: PlaceTexts) -> Command:
    run, checked = _place(place.name)
    return Command(f"go_{place.name}", place.title, "Go", place.shows, run=run,
                   enabled=has_several_collections if place.name == "collections" else has_collection,
                   shortcuts=(f"Ctrl+{number}",) if number <= MOST_DIGITS else (), checked=checked,
                   group="places")  # fmt: skip


ROWS: tuple[Command, ...] = (
    *(_go(number, place) for number, place in enumerate(PLACE_TEXTS, start=1)),
    Command("next_tab", tr("Next tab"), "Go", tr("Show the next tab of this view"),
            run=lambda session: session.navigation.step_tab(1), shortcuts=("Ctrl+PgDown",), enabled=_has_tabs,
            group="next"),
    Command("previous_tab", tr("Previous tab"), "Go", tr("Show the previous tab of this view"),
            run=lambda session: session.navigation.step_tab(-1), shortcuts=("Ctrl+PgUp",), enabled=_has_tabs,
            group="next"),
    Command("open_menu", tr("Menu"), "Go", tr("Open the menu with all actions"),
            ask=lambda dialogs: dialogs.window.menu(), shortcuts=("F10",), listed=False),
    Command("find_action", tr("Find action…"), "Help", tr("Search all actions by name"),
            ask=lambda dialogs: dialogs.navigation.find_action(), shortcuts=SHORTCUTS["find_action"], group="find"),
    Command("next_collection", tr("Next collection"), "Go", tr("Show the next open collection"),
            run=_next_collection, shortcuts=("Ctrl+Tab",), enabled=has_several_collections, group="next"),
)  # fmt: skip


def dynamic(session: Session) -> list[Command]:
    """Return a command for each tab of Compare, and for each open collection where several are open."""
    if not has_collection(session):
        return []
    tabs = [_tab(texts) for texts in COMPARE_TABS if session.answers.is_here or not texts.of_answers]
    if not has_several_collections(session):
        return tabs
    collections = session.view.workspace.collections
    return [*tabs, *(_collection(number, collection.name) for number, collection in enumerate(collections))]


def _tab(texts: TabTexts) -> Command:
    def run(session: Session) -> None:
        session.navigation.set_tab("compare", texts.name)
        session.navigation.set_place("compare")

    return Command(
        f"tab {texts.name}",
        tr("Compare › {tab}", tab=texts.title),
        "Go",
        texts.shows,
        run=run,
        checked=lambda session: session.view.place == "compare" and session.view.tab("compare") == texts.name,
        words=texts.words,
    )


def _collection(number: int, name: str) -> Command:
    return Command(
        f"collection {number}",
        tr("Collection {name}", name=name),
        "Go",
        tr("Show this collection"),
        run=lambda session: session.files.set_collection(number),
        checked=lambda session: session.state.current == number,
    )

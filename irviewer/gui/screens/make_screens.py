"""Making the screens of the window. A new screen needs a module and a line in ``make_screens``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.collections.screen import CollectionsScreen
from irviewer.gui.compare.screen import CompareScreen
from irviewer.gui.queries.screen import QueriesScreen
from irviewer.gui.query.screen import QueryScreen
from irviewer.gui.screens.screen import Screen
from irviewer.gui.systems.screen import SystemsScreen
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session


def make_screens(session: Session, theme: Theme) -> dict[str, Screen]:
    """Return the screens by name, in the order of the top bar."""
    return {
        "systems": SystemsScreen(session, theme),
        "queries": QueriesScreen(session, theme),
        "query": QueryScreen(session, theme),
        "compare": CompareScreen(session, theme),
        "collections": CollectionsScreen(session, theme),
    }

"""The places of the window as they are made. A further place is one more module and its line in ``make_places``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irviewer.gui.compare.place import ComparePlace
from irviewer.gui.places.place import Place
from irviewer.gui.queries.place import QueriesPlace
from irviewer.gui.query.place import QueryPlace
from irviewer.gui.systems.place import SystemsPlace
from irviewer.gui.theme import Theme

if TYPE_CHECKING:
    from irviewer.session.session import Session


def make_places(session: Session, theme: Theme) -> dict[str, Place]:
    """The places by name, in the order of the top bar."""
    return {
        "systems": SystemsPlace(session, theme),
        "queries": QueriesPlace(session, theme),
        "query": QueryPlace(session, theme),
        "compare": ComparePlace(session, theme),
    }

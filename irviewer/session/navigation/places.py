"""The places of the window that a user can go to, with their texts, in the order of the top bar.

The Go menu, the top bar and the shortcuts are made from this table, the screens by ``gui.screens.make_screens``."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.session.state import Place
from irviewer.translation import tr


@dataclass(frozen=True)
class PlaceTexts:
    """A place: its name in the state, title, and what it shows."""

    name: Place
    title: str
    shows: str


PLACE_TEXTS = (
    PlaceTexts("verdict", tr("Verdict"), tr("Whether one run is better than another, and what could change that")),
    PlaceTexts("systems", tr("Systems"), tr("Runs by measures, and their averaged curves")),
    PlaceTexts("queries", tr("Queries"), tr("Queries by runs, differences, and the relevance map")),
    PlaceTexts("query", tr("Query"), tr("The rankings of one query side by side")),
    PlaceTexts("compare", tr("Compare"), tr("Runs against each other, and query sets")),
    PlaceTexts("collections", tr("Collections"), tr("The same systems on every open collection")),
)
"""All places but the start screen. The first nine have the shortcuts Ctrl+1 … Ctrl+9."""

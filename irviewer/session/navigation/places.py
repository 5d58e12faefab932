"""The places of the window that a user can go to, with their texts, in the order of the top bar.

The Go menu, the top bar and the shortcuts are made from this table, the screens by ``gui.screens.make_screens``."""

from __future__ import annotations

from dataclasses import dataclass

from irviewer.session.state import Place
from irviewer.translation import tr, trc


@dataclass(frozen=True)
class PlaceTexts:
    """A place: its name in the state, title, and what it shows."""

    name: Place
    title: str
    shows: str


@dataclass(frozen=True)
class TabTexts:
    """A tab of a place: its name in the state, title, and what it shows; ``of_answers``: only where runs have some;
    ``words`` that people use for it."""

    name: str
    title: str
    shows: str
    of_answers: bool = False
    words: str = ""


PLACE_TEXTS = (
    PlaceTexts("verdict", tr("Verdict"), tr("Whether one run is better than another, and what could change that")),
    PlaceTexts("systems", tr("Systems"), tr("Runs by measures, and their averaged curves")),
    PlaceTexts("queries", tr("Queries"), tr("Queries by runs, differences, and the relevance map")),
    PlaceTexts("query", tr("Query"), tr("The rankings of one query side by side")),
    PlaceTexts("compare", tr("Compare"), tr("Runs against each other, and query sets")),
    PlaceTexts("collections", tr("Collections"), tr("The same systems on every open collection")),
)
"""All places but the start screen. The first nine have the shortcuts Ctrl+1 … Ctrl+9."""

COMPARE_TABS = (
    TabTexts("pair", tr("Pair"), tr("Two runs, query by query")),
    TabTexts("slices", tr("Slices"), tr("Where one run is better, by attributes of the queries")),
    TabTexts("matrices", tr("Matrices"), tr("All pairs of runs: differences, p-values, similarity")),
    TabTexts("pool", tr("Pool"), tr("What is unjudged, and what judging it could change")),
    TabTexts("sets", tr("Query sets"), tr("The measure on every query set")),
    TabTexts("judge", trc("who judges", "Judge"), tr("Can this judge stand for the reference, and for what?")),
    TabTexts("agreement", tr("Agreement"), tr("How far the judges agree on grades")),
    TabTexts("confusion", tr("Confusion"), tr("Two judges grade by grade, with the documents of each cell")),
    TabTexts("judges", tr("Systems by judge"), tr("The order of the runs under each judge")),
    TabTexts("corrected", tr("Corrected"), tr("Scores under a model, corrected by a human's sample")),
    TabTexts(
        "nuggets",
        tr("Nuggets"),
        tr("Nuggets by topic and system: what each answer says"),
        of_answers=True,
        words=tr("vital facts said missing topics"),
    ),
    TabTexts(
        "lost",
        tr("Where lost"),
        tr("Where vital nuggets were lost that answers do not say"),
        of_answers=True,
        words=tr("vital nuggets facts missing retrieved stage"),
    ),
    TabTexts("sentences", tr("Sentences"), tr("Sentences without a citation or without support"), of_answers=True),
    TabTexts("versions", tr("Versions"), tr("Two answers sentence by sentence"), of_answers=True),
    TabTexts("views", tr("More"), tr("Further views, also of other packages")),
)
"""The tabs of Compare, in their order."""

"""What the picker offers: queries, measures, runs, some commands, and every action.

Reads the session and calls its methods; knows no widget but the item's form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from irviewer.commands import CATEGORIES, COMMANDS, dynamic, every, run_command
from irviewer.errors import MeasureError
from irviewer.gui.dialogs.picker.fuzzy_match import score
from irviewer.gui.dialogs.picker.picker import MOST_ITEMS, Item
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import keys_text
from irviewer.measures.parser import parse_measure
from irviewer.rendering.run_label import RunLabel

if TYPE_CHECKING:
    from irviewer.session.session import Session


FAR = 55
"""A word found further on than this would be cut off."""
BELOW = 8
"""So many queries, runs and measures are offered below the actions."""


class QuerySource:
    """Queries by id or text; the ids first."""

    placeholder = "Go to query: id or words of its text"
    footer = "Enter goes to the query · ↑ ↓ choose · Esc leaves"

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ids: Sequence[str] = ()
        self._texts: list[str] = []
        self._folded: list[str] = []

    def begin(self) -> None:
        """Take the queries of the collection in view."""
        collection = self._session.view.collection
        context = self._session.view.context
        self._ids = () if context is None else context.query_ids
        self._texts = [] if collection is None else [collection.query_text(one) for one in self._ids]
        self._folded = [text.lower() for text in self._texts]

    def items(self, text: str) -> list[Item]:
        """The exact id, ids that begin so, then texts that hold every word; all in order for nothing typed."""
        typed = text.strip().lower()
        places = self._places(typed) if typed else list(range(min(MOST_ITEMS, len(self._ids))))
        if not places:
            known = bool(self._ids)
            return [Item(f"No query answers “{text.strip()}”" if known else "There are no queries", None)]
        return [self._item(place, typed.split()) for place in places]

    def _places(self, typed: str) -> list[int]:
        words = typed.split()
        exact, begin, within, by_text = [], [], [], []
        for place, query in enumerate(self._ids):
            folded = query.lower()
            if folded == typed:
                exact.append(place)
            elif folded.startswith(typed):
                begin.append(place)
            elif typed in folded:
                within.append(place)
            elif all(word in self._folded[place] for word in words):
                by_text.append(place)
        return [*exact, *begin, *within, *by_text][:MOST_ITEMS]

    def _item(self, place: int, words: Sequence[str]) -> Item:
        query, folded = self._ids[place], self._folded[place]
        found = min((at for word in words if (at := folded.find(word)) >= 0), default=0)
        return Item(_from_near(self._texts[place], found), partial(self._go, query), lead=query)

    def _go(self, query: str) -> None:
        self._session.navigation.set_query(query)
        if self._session.view.place != "query":
            self._session.navigation.set_place("query")


class MeasureSource:
    """The common measures, and whatever else can be written as one."""

    placeholder = "Measure: nDCG@10, AP, P@5, RBP(p=0.8), Success@1 …"
    footer = "Any measure of trec_eval or ir_measures by name, with @cutoff and (parameters)"

    def __init__(self, session: Session) -> None:
        self._session = session

    def items(self, text: str) -> list[Item]:
        """What was typed, where it is a measure; the common ones that answer it; else why it is none."""
        typed = text.strip()
        names = list(self._session.view.common_measures)
        found = [name for name in names if score(typed, name) is not None]
        offered: list[Item] = []
        if typed:
            try:
                exact = parse_measure(typed)
            except MeasureError as error:
                found = list(dict.fromkeys([*found, *error.suggestions]))
                if not found or error.suggestions:
                    offered.append(Item(str(error), None))
            else:
                found = [str(exact), *(name for name in found if name != str(exact))]
        items = [self._item(name) for name in found]
        return [*items, *offered]

    def exactly(self, typed: str) -> list[Item]:
        """The measure that was typed, nothing where it is none, or a common one, which is offered as a command."""
        try:
            name = str(parse_measure(typed))
        except MeasureError:
            return []
        return [] if name in self._session.view.common_measures else [self._item(name)]

    def _item(self, name: str) -> Item:
        try:
            detail = parse_measure(name).family.title
        except MeasureError:
            detail = ""
        chosen = name == str(self._session.view.measure)
        return Item(
            name, partial(self._session.evaluation.set_measure, name), detail="chosen now" if chosen else detail
        )


class CommandSource:
    """A few commands of the registry, by the beginning of their ids: samples, recent openings, baselines."""

    def __init__(self, session: Session, beginning: str, placeholder: str, *, stays: bool = False) -> None:
        """With ``stays`` the list remains open, to switch several commands."""
        self._stays = stays
        self.footer = f"Enter {'switches' if stays else 'chooses'} · ↑ ↓ walk · Esc leaves"
        self._session = session
        self._beginning = beginning
        self.placeholder = placeholder

    def items(self, text: str) -> list[Item]:
        """In the registry's order."""
        found = []
        for one in dynamic(self._session):
            title = one.short_title
            if one.id.startswith(self._beginning) and score(text, f"{title} {one.help}") is not None:
                chosen = one.checked is not None and one.checked(self._session)
                told = ("shown" if self._stays else "now") if chosen else one.help
                found.append(Item(title, partial(run_command, self._session, one.id), told, stays=self._stays))
        return found or [Item("Nothing to choose from", None)]


class ChoiceSource:
    """A few items made beforehand."""

    footer = "Enter chooses · ↑ ↓ walk · Esc leaves"

    def __init__(self, placeholder: str, items: Sequence[Item]) -> None:
        self._items = items
        self.placeholder = placeholder

    def items(self, text: str) -> list[Item]:
        """Those that what is typed answers, in their order."""
        found = [one for one in self._items if score(text, one.title) is not None]
        return found or [Item("Nothing to choose from", None)]


class RunSource:
    """The collection's runs, and what choosing one does. With ``stays`` the list remains, to choose several."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        placeholder: str,
        act: Callable[[int], object],
        *,
        detail: Callable[[RunLabel], str] | None = None,
        stays: bool = False,
    ) -> None:
        self._session = session
        self._theme = theme
        self._act = act
        self._detail = detail
        self._stays = stays
        self.placeholder = placeholder
        self.footer = f"Enter {'switches' if stays else 'chooses'} · ↑ ↓ walk · Esc leaves"

    def items(self, text: str) -> list[Item]:
        """Runs by name, in the person's order."""
        found = [
            Item(
                label.name,
                partial(self._act, label.key),
                self._detail(label) if self._detail is not None else "★" if label.baseline else "",
                swatch=self._theme.run(label),
                hollow=not label.shown,
                stays=self._stays,
            )
            for label in self._session.view.labels()
            if score(text, label.name) is not None
        ]
        return found or [Item(f"No run is called “{text.strip()}”", None)]


@dataclass(frozen=True)
class Offer:
    """A command that can be done now: its title and menu, its first shortcut as it is read, what it does, whether it is
    offered before anything is typed, further words to find it by."""

    title: str
    category: str
    keys: str
    act: Callable[[], object]
    fixed: bool
    words: str


def offers(session: Session) -> list[Offer]:
    """Every command that can be done now, in menu order, the dynamic ones last."""
    fixed = {command.id for command in COMMANDS}
    return [
        Offer(
            title=one.title_in(session),
            category=CATEGORIES[one.category],
            keys=keys_text(one.shortcuts[0]) if one.shortcuts else "",
            act=partial(run_command, session, one.id),
            fixed=one.id in fixed,
            words=one.words,
        )
        for one in every(session)
        if one.id != "find_action" and one.enabled(session)
    ]


class ActionSource:
    """Every action with its shortcut; below them runs, any measure, queries of that name; "?…" for queries alone."""

    placeholder = "Find an action, a query, a run or a measure"
    footer = "Enter does it · ↑ ↓ walk · ? looks among queries only · Esc leaves"

    def __init__(self, session: Session, theme: Theme, queries: QuerySource, measures: MeasureSource) -> None:
        self._session = session
        self._queries = queries
        self._measures = measures
        self._runs = RunSource(session, theme, "", session.runs.set_focus, detail=_compare)
        self._actions: Sequence[Offer] = ()

    def begin(self) -> None:
        """Take the actions that can be done now."""
        self._actions = offers(self._session)
        self._queries.begin()

    def items(self, text: str) -> list[Item]:
        """The best answers first; the fixed commands in menu order for nothing typed."""
        typed = text.strip()
        if typed.startswith("?"):
            return self._queries.items(typed[1:])
        ranked = []
        for place, offer in enumerate(self._actions):
            if not typed and not offer.fixed:
                continue
            points = score(typed, offer.title)
            if points is None and (wider := score(typed, f"{offer.category} {offer.title}")) is not None:
                points = wider - 40
            if points is None and offer.words and (more := score(typed, f"{offer.title} {offer.words}")) is not None:
                points = more - 40
            if points is not None:
                detail = "" if offer.keys else offer.category
                ranked.append((-points, place, Item(offer.title, offer.act, detail, offer.keys)))
        found = [item for _, _, item in sorted(ranked, key=_by_points)]
        if typed:
            found += self._below(typed)
        return found or [Item(f"Nothing answers “{typed}”", None)]

    def _below(self, typed: str) -> list[Item]:
        parts = (
            ("", self._runs.items(typed)),
            ("measure", self._measures.exactly(typed)),
            ("query", self._queries.items(typed)),
        )
        found = []
        for detail, items in parts:
            named = [replace(item, detail=detail) if detail else item for item in items if item.act is not None]
            found += named[:BELOW]
        return found


def _from_near(text: str, place: int) -> str:
    """The text, begun late enough that what was found at ``place`` stands in a line of the list."""
    if place < FAR:
        return text
    return "… " + text[text.rfind(" ", 0, place - 20) + 1 :]


def _compare(label: RunLabel) -> str:
    return "run, the baseline ★" if label.baseline else "run: compare with the baseline"


def _by_points(ranked: tuple[int, int, Item]) -> tuple[int, int]:
    return ranked[0], ranked[1]

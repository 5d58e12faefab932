"""The sources of the picker: queries, measures, runs, commands and all actions.

They read the session and call its methods, and know no widget."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from irviewer.commands import CATEGORIES, COMMANDS, dynamic, every, run_command
from irviewer.commands.synonyms import content_of, folded, words_for
from irviewer.errors import MeasureError
from irviewer.gui.dialogs.picker.fuzzy_match import nearest_text, score
from irviewer.gui.dialogs.picker.picker import MOST_ITEMS, Item
from irviewer.gui.theme import Theme
from irviewer.gui.widgets.controls import keys_text
from irviewer.measures.parser import parse_measure
from irviewer.rendering.run_label import RunLabel
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.session.session import Session


WORDS = re.compile(r"[\w@-]+")
FAR = 55
"""Beyond this many characters, a match would be cut off in the list."""
OF_MEASURE = 1000
"""Points more than any title gets, for the measure whose name is typed."""
BELOW = 8
CHOOSE = tr("Enter: choose · ↑ ↓: select · Esc: close")
SWITCH = tr("Enter: show or hide · ↑ ↓: select · Esc: close")
CURRENT = tr("current")
BASELINE = tr("run, the baseline ★")
COMPARE = tr("run: compare with the baseline")
SHOWN = tr("shown")
NOTHING = tr("No matching entry")
"""The number of queries, runs and measures that are listed below the actions."""


class QuerySource:
    """Queries by id or text; matches of ids come first."""

    placeholder = tr("Go to query: id or words of its text")
    footer = tr("Enter: go to query · ↑ ↓: select · Esc: close")

    def __init__(self, session: Session) -> None:
        self._session = session
        self._ids: Sequence[str] = ()
        self._texts: list[str] = []
        self._folded: list[str] = []

    def begin(self) -> None:
        """Read the queries of the current collection."""
        collection = self._session.view.collection
        context = self._session.view.context
        self._ids = () if context is None else context.query_ids
        self._texts = [] if collection is None else [collection.query_text(query_id) for query_id in self._ids]
        self._folded = [text.lower() for text in self._texts]

    def items(self, text: str) -> list[Item]:
        """Return the exact id, ids that start with the text, ids and texts that contain it; all for an empty text."""
        typed = text.strip().lower()
        indexes = self._matching(typed) if typed else list(range(min(MOST_ITEMS, len(self._ids))))
        if not indexes:
            known = bool(self._ids)
            return [
                Item(tr("No query matches “{text}”", text=text.strip()) if known else tr("There are no queries"), None)
            ]
        return [self._item(index, typed.split()) for index in indexes]

    def _matching(self, typed: str) -> list[int]:
        words = typed.split()
        exact, begin, within, by_text = [], [], [], []
        for index, query in enumerate(self._ids):
            folded = query.lower()
            if folded == typed:
                exact.append(index)
            elif folded.startswith(typed):
                begin.append(index)
            elif typed in folded:
                within.append(index)
            elif all(word in self._folded[index] for word in words):
                by_text.append(index)
        return [*exact, *begin, *within, *by_text][:MOST_ITEMS]

    def _item(self, index: int, words: Sequence[str]) -> Item:
        query, folded = self._ids[index], self._folded[index]
        matches = min((at for word in words if (at := folded.find(word)) >= 0), default=0)
        return Item(_from_near(self._texts[index], matches), partial(self._go, query), lead=query)

    def _go(self, query: str) -> None:
        self._session.navigation.set_query(query)
        if self._session.view.place != "query":
            self._session.navigation.set_place("query")


class MeasureSource:
    """The common measures, and any other that is typed."""

    placeholder = tr("Measure: nDCG@10, AP, P@5, RBP(p=0.8), Success@1 …")
    footer = tr("Any measure of trec_eval or ir_measures by name, with @cutoff and (parameters)")

    def __init__(self, session: Session) -> None:
        self._session = session

    def items(self, text: str) -> list[Item]:
        """Return the typed measure, and the common ones that match; else why the text is not a measure, and then those
        that resemble it."""
        typed = text.strip()
        names = list(self._session.view.common_measures)
        matches = [name for name in names if score(typed, name) is not None]
        refused: list[Item] = []
        if typed:
            try:
                exact = parse_measure(typed)
            except MeasureError as error:
                # A name that is typed in part is completed; anything else is not replaced by what it resembles.
                completed = [name for name in names if name.lower().startswith(typed.lower())]
                if not completed:
                    refused.append(Item(str(error), None))
                matches = list(dict.fromkeys([*completed, *matches, *error.suggestions]))
            else:
                matches = [str(exact), *(name for name in matches if name != str(exact))]
        items = [self._item(name) for name in matches]
        return [*refused, *items]

    def exactly(self, typed: str) -> list[Item]:
        """Return the typed measure; nothing if it is not one, or is a common one, which is listed as a command."""
        try:
            name = str(parse_measure(typed))
        except MeasureError:
            return []
        return [] if name in self._session.view.common_measures else [self._item(name)]

    def common_title(self, typed: str) -> str:
        """Return the title of the command of the common measure that is typed; "" if it is none."""
        try:
            name = str(parse_measure(typed))
        except MeasureError:
            return ""
        return tr("Measure {measure}", measure=name) if name in self._session.view.common_measures else ""

    def _item(self, name: str) -> Item:
        try:
            detail = parse_measure(name).family.title
        except MeasureError:
            detail = ""
        chosen = name == str(self._session.view.measure)
        return Item(name, partial(self._session.evaluation.set_measure, name), detail=CURRENT if chosen else detail)


class CommandSource:
    """The commands whose ids start with a prefix: samples, recent files, baselines."""

    def __init__(self, session: Session, beginning: str, placeholder: str, *, stays: bool = False) -> None:
        """With ``stays`` the list stays open after a choice."""
        self._stays = stays
        self.footer = SWITCH if stays else CHOOSE
        self._session = session
        self._beginning = beginning
        self.placeholder = placeholder

    def items(self, text: str) -> list[Item]:
        """Return the matching commands in the order of the registry."""
        matches = []
        for command in dynamic(self._session):
            title = command.short_title
            if command.id.startswith(self._beginning) and score(text, f"{title} {command.help}") is not None:
                chosen = command.checked is not None and command.checked(self._session)
                detail = (SHOWN if self._stays else CURRENT) if chosen else command.help
                matches.append(Item(title, partial(run_command, self._session, command.id), detail, stays=self._stays))
        return matches or [Item(NOTHING, None)]


class ChoiceSource:
    """A fixed list of items."""

    footer = CHOOSE

    def __init__(self, placeholder: str, items: Sequence[Item]) -> None:
        self._items = items
        self.placeholder = placeholder

    def items(self, text: str) -> list[Item]:
        """Return the matching items in their order."""
        matches = [item for item in self._items if score(text, item.title) is not None]
        return matches or [Item(NOTHING, None)]


class RunSource:
    """The runs of the collection; ``act`` is called with the chosen one. With ``stays`` the list stays open."""

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
        self.footer = SWITCH if stays else CHOOSE

    def items(self, text: str) -> list[Item]:
        """Return the matching runs, best first."""
        matches = [
            Item(
                label.name,
                partial(self._act, label.key),
                self._detail(label) if self._detail is not None else "★" if label.baseline else "",
                swatch=self._theme.run(label),
                hollow=not label.shown,
                stays=self._stays,
            )
            for label, _ in self._session.view.best_first(self._session.view.labels())
            if score(text, label.name) is not None
        ]
        return matches or [Item(tr("No run matches “{text}”", text=text.strip()), None)]


@dataclass(frozen=True)
class Offer:
    """An enabled command: title, menu, first shortcut, action, whether it is listed before anything is typed, and more
    words that it is found by."""

    title: str
    category: str
    keys: str
    act: Callable[[], object]
    fixed: bool
    words: str


def offers(session: Session) -> list[Offer]:
    """Return the enabled commands in menu order, the dynamic ones last."""
    fixed = {command.id for command in COMMANDS}
    return [
        Offer(
            title=command.title_in(session),
            category=CATEGORIES[command.category],
            keys=keys_text(command.keys[0]) if command.keys else "",
            act=partial(run_command, session, command.id),
            fixed=command.id in fixed,
            words=folded(f"{command.words} {words_for(command.id)}".strip()),
        )
        for command in every(session)
        if command.id != "find_action" and command.enabled(session)
    ]


def titles_of_disabled(session: Session) -> list[str]:
    """Return the titles of the commands that cannot run now, in menu order."""
    return [command.title_in(session) for command in COMMANDS if not command.enabled(session)]


class ActionSource:
    """All actions with their shortcuts, then matching runs, measures and queries; "?…" lists queries only."""

    placeholder = tr("Find an action, query, run or measure")
    footer = tr("Enter: choose · ↑ ↓: select · ?: queries only · Esc: close")

    def __init__(self, session: Session, theme: Theme, queries: QuerySource, measures: MeasureSource) -> None:
        self._session = session
        self._queries = queries
        self._measures = measures
        self._runs = RunSource(session, theme, "", self._ask_about, detail=_compare)
        self._actions: Sequence[Offer] = ()
        self._disabled: Sequence[str] = ()

    def begin(self) -> None:
        """Read the enabled actions, and the titles of the others."""
        self._actions = offers(self._session)
        self._disabled = titles_of_disabled(self._session)
        self._queries.begin()

    def items(self, text: str) -> list[Item]:
        """Return the best matches first; for an empty text the fixed commands in menu order."""
        typed = text.strip()
        if typed.startswith("?"):
            return self._queries.items(typed[1:])
        matches = self._matching(typed)
        if typed:  # what has the very name that is typed comes before all that only contains it
            matches = sorted(matches + self._below(typed), key=lambda item: folded(item.title) != folded(typed))
        disabled = self._not_now(typed)  # one of the very name comes first: Enter does nothing that was not meant
        named = [item for item in disabled if folded(item.title.rstrip("…")) == folded(typed)]
        return [*named, *matches] if matches else disabled or self._nearest(typed)

    def _matching(self, typed: str) -> list[Item]:
        """Return the actions that match, the best first: the measure of this name, then by title, else by menu or by
        what people call them."""
        ranked, sought = [], folded(typed)
        content = content_of(sought)
        measure = self._measures.common_title(typed)
        for index, offer in enumerate(self._actions):
            if not typed and not offer.fixed:
                continue
            title = folded(offer.title)
            points = _points(sought, title, offer)
            if points is None and content != sought:
                less = _points(content, title, offer)
                points = None if less is None else less - 80
            if points is not None:
                points += OF_MEASURE if offer.title == measure else 0
                detail = "" if offer.keys else offer.category
                ranked.append((-points, index, Item(offer.title, offer.act, detail, offer.keys)))
        return [item for _, _, item in sorted(ranked, key=_by_points)]

    def _ask_about(self, key: int) -> None:
        """Compare a run with the baseline; where the verdict is shown, it is asked about this run, too."""
        view = self._session.view
        self._session.runs.set_focus(key)
        asked = next((label for label in view.taking_part_labels() if label.key == key and not label.baseline), None)
        if view.place == "verdict" and asked is not None:
            self._session.result_views.set_parameter("run", asked.whole_name, "verdict")

    def _not_now(self, typed: str) -> list[Item]:
        """Return the actions of the menus that match and cannot run now; Enter chooses none of them."""
        titles = [title for title in self._disabled if score(folded(typed), folded(title)) is not None]
        return [Item(title, None, tr("not possible now")) for title in titles[:BELOW]]

    def _nearest(self, typed: str) -> list[Item]:
        """Return that nothing matches, and the actions of the nearest words below; Enter chooses none of them."""
        known = WORDS.findall(folded(" ".join(f"{offer.title} {offer.words}" for offer in self._actions)))
        nearest = nearest_text(folded(typed), known)
        matches = self._matching(nearest) if nearest else []
        if not matches:
            return [Item(tr("Nothing matches “{text}”", text=typed), None)]
        return [Item(tr("Nothing matches “{text}”. Nearest: {words}", text=typed, words=nearest), None), *matches]

    def _below(self, typed: str) -> list[Item]:
        parts = (
            ("", self._runs.items(typed)),
            (tr("measure"), self._measures.exactly(typed)),
            (tr("query"), self._queries.items(typed)),
        )
        matches = []
        for detail, items in parts:
            named = [replace(item, detail=detail) if detail else item for item in items if item.act is not None]
            matches += named[:BELOW]
        return matches


def _points(sought: str, title: str, offer: Offer) -> int | None:
    """Return how well an action matches by its title, else by its menu or by what people call it."""
    points = score(sought, title)
    further = [score(sought, f"{words} {title}") for words in (folded(offer.category), offer.words) if words]
    if points is None and any(more is not None for more in further):
        points = max(more for more in further if more is not None) - 40
    return points


def _from_near(text: str, index: int) -> str:
    """Return the text from a word before ``index``, so that the match there is visible in the list."""
    if index < FAR:
        return text
    return "… " + text[text.rfind(" ", 0, index - 20) + 1 :]


def _compare(label: RunLabel) -> str:
    return BASELINE if label.baseline else COMPARE


def _by_points(ranked: tuple[int, int, Item]) -> tuple[int, int]:
    return ranked[0], ranked[1]

"""What a clause can be about, and whether something holds of the rankings that it means, in one of the ways in which it
can be meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from irviewer.session.teaching.checking.claims.phrases import Token
from irviewer.session.teaching.checking.claims.states import State

Reading = tuple[State, str, str]
"""(state, ranking, query); a query "" is the mean, or all queries."""


@dataclass(frozen=True)
class Scene:
    """What a clause can be about.

    states      the rankings as they are; of a step before and after it
    is_step     whether the last state is what a step leads to
    in_view     the measures that the lesson shows
    runs        the rankings that the context names, () for none; ``queries`` the same of queries
    """

    states: Sequence[State]
    is_step: bool = False
    in_view: Sequence[str] = ()
    runs: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, what is computed, and whether it is so in whatever way it is meant."""

    holds: bool
    computed: str = ""
    is_sure: bool = True


@dataclass
class Bag:
    """The tokens of a clause by their kinds."""

    tokens: Sequence[Token]
    of: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for token in self.tokens:
            self.of.setdefault(token.kind, []).append(token.value)

    def first(self, kind: str) -> Any:
        """Return the value of the first token of a kind; None without one."""
        return next(iter(self.of.get(kind, ())), None)

    def has(self, kinds: str) -> bool:
        """Return whether there is a token of one of some kinds."""
        return any(kind in self.of for kind in kinds)

    @property
    def claim(self) -> str:
        """The kinds that a claim must use, each as often as it is there."""
        return "".join(sorted(token.kind for token in self.tokens if token.kind in _CLAIMED))

    @property
    def finds(self) -> bool:
        """Whether it says that something is found."""
        return not {"find", "gather"}.isdisjoint(self.of.get("v", ()))


_CLAIMED = "MNRHhEAUdCXSc12psu"
"""Kinds of tokens that say something; the others choose rankings, or nothing."""


NOT_UNDERSTOOD = "?#~FOTGJKkqW0yalf+>=/"
"""Kinds that are left only where a phrase is not understood."""


def states_of(bag: Bag, scene: Scene) -> Sequence[State]:
    when = bag.first("w")
    return scene.states if when is None else [scene.states[0 if when == "before" else -1]]


def queries_of(bag: Bag, scene: Scene, state: State) -> list[str]:
    """Return the queries that can be meant; [] for one that there is not."""
    named = bag.first("Q") or (() if bag.has("m") else scene.queries)
    if named:
        return [each for each in named if each in state.queries] if {*named} <= {*state.queries} else []
    return [""] if bag.has("m") else ["", *state.queries]


def subjects_of(bag: Bag, scene: Scene) -> tuple[str, tuple[str, ...]] | None:
    """Return how rankings are meant, and which: ("all" of these, "neither", "only", or "any"); None if that is not
    known."""
    every, quantity, named = scene.states[0].runs, bag.first("B"), bag.first("r")
    if named is not None and not {*named} <= {*every}:
        return None
    if bag.has("Y"):
        return ("only", named) if named and quantity is None else None
    if quantity == "neither":
        return "neither", named if named else every
    if isinstance(quantity, int):
        quantity = "all" if quantity == len(every) and len(scene.states[0].queries) == 1 else "other"
    if quantity == "all" and bag.has("m"):
        return None  # a mean over rankings
    if quantity == "all":
        return ("all", named) if named and len(named) > 1 else None if named else ("all", every)
    if quantity in ("other", "others", "former", "latter"):
        others = [each for each in every if each not in scene.runs]
        if quantity == "others" and len(scene.runs) == 1 and len(others) > 1 and not named:
            return "all", tuple(others)
        if quantity == "other" and len(scene.runs) == 1 and len(others) == 1 and not named:
            return "all", tuple(others)
        return None
    if named:
        return "all", named
    if len(scene.runs) == 1:
        return "all", scene.runs
    return ("all", every) if len(every) == 1 else ("any", every)


Holds = Callable[[State, str, str], bool | None]


def decide(bag: Bag, scene: Scene, holds: Holds, stated: Callable[[State, Sequence[str], str], str]) -> Verdict | None:
    """Return whether something holds of the rankings that are meant, in one of the ways in which it can be meant."""
    subjects = subjects_of(bag, scene)
    is_denied = len(bag.of.get("n", ())) % 2 == 1
    if subjects is None or (
        is_denied and (subjects[0] not in ("all", "any") or (len(subjects[1]) > 1 and subjects[0] == "all"))
    ):
        return None
    how, runs = subjects
    outcomes: list[bool] = []
    computed = ""
    for state in states_of(bag, scene):
        queries = queries_of(bag, scene, state)
        named = bag.first("Q")
        groups = [queries] if named and len(named) > 1 else [[query] for query in queries]
        for group in groups:
            by_run = {
                run: _of_all([holds(state, run, query) for query in group])
                for run in dict.fromkeys((*runs, *(state.runs if how == "only" else ())))
            }
            own = _combined(how, runs, by_run)
            outcomes += [each != is_denied for each in own]
            if own and not computed:
                computed = stated(state, list(by_run), group[0])
    return Verdict(any(outcomes), computed, all(outcomes)) if outcomes else None


def _of_all(results: Sequence[bool | None]) -> bool | None:
    return None if None in results or not results else all(results)


def _combined(how: str, runs: Sequence[str], by_run: dict[str, bool | None]) -> list[bool]:
    """Return whether it holds of the rankings as they are meant; for each if any of them can be; [] if not known."""
    known = [each for each in by_run.values() if each is not None]
    if how == "any":
        return known
    if len(known) < len(by_run):
        return []
    if how == "only":
        return [all(value == (run in runs) for run, value in by_run.items())]
    return [all(known) if how == "all" else not any(known)]

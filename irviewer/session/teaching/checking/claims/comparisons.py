"""Clauses that compare: rankings, queries, ranks, and what was before a step with what it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from irviewer.session.teaching.checking.claims.phrases import Number
from irviewer.session.teaching.checking.claims.quantities import NEAR, Quantity, quantity_of
from irviewer.session.teaching.checking.claims.scenes import (
    Bag,
    Reading,
    Scene,
    Verdict,
    decide,
    queries_of,
    states_of,
    subjects_of,
)
from irviewer.session.teaching.checking.claims.states import State

CLOSE = 0.00501
"""Values that are not further apart may be called equal, or not."""


ABOUT = 0.1
"""The part of a ratio that it may be off."""


def _holds_between(relation: str, own: float, other: float, difference: Number | None) -> bool | None:
    """Return whether a value is to another one as it is said; None where they are too close to say."""
    gap = own - other
    if relation == "same":
        return True if abs(gap) <= NEAR else None if abs(gap) <= CLOSE else False
    if relation == "differ":
        return abs(gap) > NEAR if difference is None else _is_difference(difference, abs(gap), other)
    gap = -gap if relation in ("down", "early") else gap
    return gap > NEAR if difference is None else _is_difference(difference, gap, other)


def _is_difference(said: Number, gap: float, other: float) -> bool:
    """Return whether a difference is as it is said: of rounded values, or in per cent of the other one."""
    if said.is_share and other and abs(gap / other - said.value) <= 4 * said.within + NEAR:
        return True
    return abs(gap - said.value) <= _off(said)


def _off(said: Number) -> float:
    """Return what a difference may be off: twice as much as a value, where it is said of rounded ones."""
    return said.within * (2 if said.within < 0.01 else 1) + NEAR


_TWO = 2


@dataclass(frozen=True)
class Relation:
    """How a value is to another one: higher ("up") and so on, so many times as high, the best; by how much."""

    way: str | None = None
    ratio: float | None = None
    best: str | None = None
    difference: Number | None = None
    side: str = ""
    """Where a ratio is said to be exceeded, "up", or not reached, "down"."""
    values: tuple[Number, ...] = ()
    """The values of both, or of one of them, where they are said beside the comparison."""


def comparison(bag: Bag, scene: Scene) -> Verdict | None:
    """A ranking against another one: "north has a higher AP than south", "north finds two more than south", "both have
    the same P@5", "twice that of south"; "the highest of all"."""
    if bag.has("S") and bag.has("r") and (bag.first("B") == "all" or bag.first("U") == (len(scene.states[0].runs), "")):
        bag = Bag([each for each in bag.tokens if each.kind not in "BU"])  # "the best of the three"
    relation, said_ratio = bag.first("C"), bag.first("X")
    side = said_ratio[1] if isinstance(said_ratio, tuple) else ""
    ratio = None if said_ratio is None else float(said_ratio[0] if side else said_ratio)
    best, standard = bag.first("S"), bag.first("s")
    share = [each for each in bag.of.get("N", []) if not each.is_count]
    if standard and ratio is None and relation is None and len(share) == 1 and len(bag.of["N"]) == 1:
        ratio = share[0].value
    if sum(each is not None for each in (relation, ratio, best)) != 1 or bag.has("uc12"):
        return None
    if ratio == 0.5 and not bag.has("M") and (standard is None or not bag.finds):
        return None  # "half are relevant", "it finds half of them"
    difference: Number | None = bag.first("p")
    extra = ("X" if bag.has("X") else "N" if ratio is not None else "") + "C" * bag.has("C") + "S" * bag.has("S")
    extra += "s" * len(bag.of.get("s", ())) + "p" * len(bag.of.get("p", ()))
    values = tuple(bag.of.get("N", ())) if ratio is None and bag.has("M") else ()
    if relation == "gap":
        relation, difference = "differ", values[0] if len(values) == 1 else None
        extra, values = extra + "N", ()
        if difference is None:
            return None
    extra += "N" * len(values)
    quantity = quantity_of(bag, scene)
    if quantity is None or "".join(sorted(quantity.used + extra)) != bag.claim or len(bag.of.get("s", ())) > 1:
        return None
    # A rank that is higher can be a lower number, or a higher one.
    if relation not in ("same", "differ") and quantity.is_rank != (relation in ("early", "late")):
        return None
    return _against(bag, scene, quantity, Relation(relation, ratio, best, difference, side, values), standard)


def _against(bag: Bag, scene: Scene, quantity: Quantity, relation: Relation, standard: Any) -> Verdict | None:
    """Return whether rankings are to others as it is said; ``standard`` are those that are named as such."""
    every = scene.states[0].runs
    subjects = subjects_of(bag, scene)
    if subjects == ("any", every) and relation.way in ("same", "differ") and standard is None and not scene.is_step:
        if len(every) != _TWO:
            return None
        subjects = "all", every
    if subjects is None or subjects[0] == "any":
        return None
    how, runs = subjects
    if relation.way in ("same", "differ") and standard is None:
        if len(runs) < 2 or how == "only" or (how == "neither"):
            return None
        pairs = [(runs[0], other) for other in runs[1:]]
    else:
        if len(runs) != 1 and (standard is None or how != "all"):
            return None
        others = {run: _standards(standard, run, every) for run in runs}
        pairs = [(run, other) for run in runs for other in others[run]]
        if how == "neither" or not pairs:
            return None
    is_any = relation.difference is not None and standard is None
    if relation.values and (len(pairs) != 1 or len(relation.values) > len(pairs[0])):
        return None
    if relation.ratio is not None and len(pairs) != len({first for first, _ in pairs}):
        return None
    is_denied = len(bag.of.get("n", ())) % 2 == 1
    outcomes: list[bool] = []
    computed = ""
    for state in states_of(bag, scene):
        for query in queries_of(bag, scene, state):
            own = [_pair(quantity, relation, *((state, run, query) for run in pair)) for pair in pairs]
            if None in own:
                continue
            outcomes.append((any if is_any else all)(own) != is_denied)
            computed = computed or quantity.stated(
                state, list(dict.fromkeys(run for pair in pairs for run in pair)), query
            )
    return Verdict(any(outcomes), computed) if outcomes else None


def _standards(standard: Any, run: str, every: Sequence[str]) -> list[str]:
    """Return the rankings with which one is compared: those that are named, else all others."""
    others = [each for each in every if each != run]
    if isinstance(standard, tuple):
        return [each for each in standard if each in others] if run not in standard else []
    return others if standard is None or len(others) == 1 else []


def _pair(quantity: Quantity, relation: Relation, first: Reading, second: Reading) -> bool | None:
    """Return whether a value is to another one as it is said; None where that is not known."""
    own, other = quantity.values(*first), quantity.values(*second)
    if not own or len(own) != len(other):
        return None
    results: list[bool | None] = []
    for value, its in zip(own, other, strict=True):
        if not _has_values(relation.values, value, its):
            results.append(False)
        elif relation.ratio is not None and relation.side:
            gap = value - relation.ratio * its
            results.append(gap > NEAR if relation.side == "up" else gap < -NEAR)
        elif relation.ratio is not None:
            is_close = abs(value - relation.ratio * its) <= ABOUT * abs(relation.ratio * its) + NEAR
            results.append(None if not value and not its else is_close)
        elif relation.best is not None:
            results.append(value >= its - NEAR if relation.best == "up" else value <= its + NEAR)
        else:
            results.append(_holds_between(str(relation.way), value, its, relation.difference))
    if True in results:
        return True
    return False if False in results and None not in results else None


def _has_values(said: Sequence[Number], own: float, other: float) -> bool:
    """Return whether two values are as they are said, one after the other; one alone is that of either."""
    if len(said) == 1:
        return said[0].is_equal(own) or said[0].is_equal(other)
    return not said or (said[0].is_equal(own) and said[1].is_equal(other))


def of_queries(bag: Bag, scene: Scene) -> Verdict | None:
    """A query against another one: "AP of new is higher on query 1 than on query 2", "twice that of query 2"."""
    way, ratio, first, second = bag.first("C"), bag.first("X"), bag.first("Q"), bag.first("u")
    if (way is None) == (ratio is None) or way not in (None, "up", "down", "same") or isinstance(ratio, tuple):
        return None
    if not first or not second or len(first) != 1 or len(second) != 1:
        return None
    relation = Relation(way, None if ratio is None else float(ratio))
    alone = Bag([each for each in bag.tokens if each.kind not in "uCX"])
    quantity = quantity_of(alone, scene)
    if quantity is None or quantity.is_rank or "".join(sorted(quantity.used)) != alone.claim:
        return None

    def holds(state: State, run: str, query: str) -> bool | None:
        return _pair(quantity, relation, (state, run, first[0]), (state, run, second[0]))

    def stated(state: State, runs: Sequence[str], query: str) -> str:
        return "; ".join(quantity.stated(state, runs, each) for each in (*first, *second))

    return decide(alone, scene, holds, stated)


def highest_at(bag: Bag, scene: Scene) -> Verdict | None:
    """The rank at which a measure is highest, or the highest value: "P@K is highest at rank 3"."""
    best, ranks = bag.first("S"), bag.first("A")
    if bag.claim == "AMS" and "@" not in str(bag.first("M")) and len(ranks) == 1:
        name = str(bag.first("M"))

        def holds(state: State, run: str, query: str) -> bool | None:
            lists = state.lists(run, query) or ()
            n = min((each.n for each in lists), default=0)
            values = [state.value(f"{name}@{k}", run, query) for k in range(1, n + 1)]
            known = [each for each in values if each is not None]
            if len(known) < len(values) or not 1 <= ranks[0] <= n:
                return None
            highest = max(known) if best == "up" else min(known)
            return bool(abs(known[ranks[0] - 1] - highest) <= NEAR)

        return decide(bag, scene, holds, lambda state, runs, query: name)
    return None


def change(bag: Bag, scene: Scene) -> Verdict | None:
    """What a step does: "AP of north rises from .7 to .8", "P@5 stays"."""
    if not (scene.is_step and len(scene.states) > 1) or not bag.has("c") or bag.has("CSXswB"):
        return None
    way, start, end, by = bag.first("c"), bag.first("1"), bag.first("2"), bag.first("p")
    if len(bag.of["c"]) > 1:
        return None
    before, after = scene.states[0], scene.states[-1]
    extra = "c" + "".join(kind * len(bag.of.get(kind, ())) for kind in "12p")
    at = bag.first("N") if way == "same" and len(bag.of.get("N", ())) == 1 else None
    quantity = quantity_of(bag, scene)
    if quantity is None or "".join(sorted(quantity.used + extra + "N" * (at is not None))) != bag.claim:
        return None

    def holds(state: State, run: str, query: str) -> bool | None:
        pairs = [*zip(quantity.values(before, run, query), quantity.values(after, run, query), strict=False)]
        pairs += _in_view(str(bag.first("M")), before, after, run, query)
        ways = ("up", "down") if quantity.is_rank and way in ("up", "down") else (way,)  # up is to a lower number
        results = [_changes(each, old, new, start, end, by, at) for old, new in pairs for each in ways]
        return any(results) if results else None

    def stated(state: State, runs: Sequence[str], query: str) -> str:
        texts = (quantity.stated(each, runs, query) for each in (before, after))
        return " → ".join(filter(None, texts))

    return decide(bag, Scene([after], False, scene.in_view, scene.runs, scene.queries), holds, stated)


def _in_view(name: str, before: State, after: State, run: str, query: str) -> Iterator[tuple[float, float]]:
    """Yield the values of the measure in view, before and after a step that chooses another one of the same name."""
    own = [each.context.measure for each in (before, after)]
    if all(each.name == name for each in own):
        values = before.value(own[0].text, run, query), after.value(own[1].text, run, query)
        if values[0] is not None and values[1] is not None:
            yield values[0], values[1]


def _changes(way: str, old: float, new: float, start: Any, end: Any, by: Any, at: Any) -> bool:
    gap = new - old
    is_way = {"up": gap > NEAR, "down": gap < -NEAR, "same": abs(gap) <= NEAR}.get(way, abs(gap) > NEAR)
    if way.startswith("x"):
        is_way = abs(new - float(way[1:]) * old) <= ABOUT * abs(float(way[1:]) * old) + NEAR
    if by is not None:
        is_way = is_way and abs(abs(gap) - by.value) <= _off(by)
    ends = ((start, old), (end, new), (at, new))
    return is_way and all(said is None or bool(said.is_equal(value)) for said, value in ends)

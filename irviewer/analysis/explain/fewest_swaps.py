"""The fewest exchanges of neighbours after which a list reaches a value: how far from a wish a ranking is.

The cost of an order is the number of exchanges of two neighbouring documents that lead to it (Kendall's distance); a
document that moves up five ranks costs five. Only the order changes: no document comes or goes. An exchange that brings
the better document down never helps, so that only those that bring it up are looked at.

For two gains (every measure of binary relevance; nDCG and DCG of ungraded qrels) relevant documents never overtake each
other: a table over (document, rank, cost) finds the least cost exactly. For more gains all orders are searched by
rising cost, exactly, while there are few; beyond that each step takes the move up that gains most for its cost, the
last one the cheapest that suffices, and the result says that it may not be the least."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.gains import discount_of, gains_of
from irviewer.model.arrays import Floats, Ints

MEASURES = ("nDCG", "DCG", "AP", "P", "RR")
MOST_CELLS = 20_000_000
MOST_ORDERS = 20_000
CLOSE = 1e-12


@dataclass(frozen=True)
class Move:
    """A document brought up from a rank to another, each counted when it is its turn; ``value`` is what the list has
    then."""

    doc_id: str
    start: int
    stop: int
    value: float


@dataclass(frozen=True)
class FewestSwaps:
    """order    the list that reaches the target, or the best order where none does
    cost     exchanges of neighbours from the list as it is
    moves    documents brought up, from the top of the new list down; their ranks passed add up to ``cost``
    best     the value of the best order
    reached  False where no order of these documents reaches the target
    exact    False where a cheaper way may exist
    """

    measure: Measure
    target: float
    before: float
    value: float
    best: float
    order: tuple[str, ...]
    cost: int
    moves: tuple[Move, ...]
    reached: bool
    exact: bool

    @property
    def text(self) -> str:
        """The answer in a sentence."""
        if not self.reached:
            return (
                f"No order of these documents reaches {self.measure} {self.target:g}: the best has {self.best:.4f}. "
                "What is missed would have to be found."
            )
        if not self.cost:
            return f"{self.measure} is {self.before:.4f} already."
        fewest = "" if self.exact else " (found step by step: fewer may do)"
        documents = "1 document" if len(self.moves) == 1 else f"{len(self.moves):,} documents"
        ranks = "1 rank" if self.cost == 1 else f"{self.cost:,} ranks"
        return f"{documents} up {ranks} in all: {self.measure} {self.before:.4f} → {self.value:.4f}{fewest}."


def fewest_swaps(order: Sequence[str], grades: Mapping[str, float], measure: Measure, target: float) -> FewestSwaps:
    """The cheapest order of a list that reaches ``target``. ``grades`` are all of the query's judgments.

    ``measure`` is nDCG, DCG, AP, P or RR with its parameters bound. Raises MeasureError for another."""
    worth = _worth(measure, grades)
    gains = worth.gains(np.array([grades.get(doc, np.nan) for doc in order], dtype=np.float64))
    before, best = worth.value(gains), worth.value(np.sort(gains)[::-1])
    reached = best >= target - CLOSE
    target_now = target if reached else best
    exact = True
    if before >= target_now - CLOSE:
        places = np.arange(len(gains))
    else:
        found = (
            _by_table(gains, worth, target_now) if worth.weights is not None and len(np.unique(gains)) == 2 else None
        )
        if found is None:
            found = _by_search(gains, worth, target_now)
        if found is None:
            found, exact = _by_steps(gains, worth, target_now), False
        places = found
    moves = _moves(order, places, gains, worth)
    return FewestSwaps(
        measure, target, before, worth.value(gains[places]), best, tuple(order[place] for place in places.tolist()),
        sum(one.start - one.stop for one in moves), tuple(moves), reached, exact,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Worth:
    """What a measure makes of gains in rank order. ``weights(i, n)``: what the i-th relevant document adds at each of
    n ranks, for a measure that is such a sum over binary gains."""

    gains: Callable[[Floats], Floats]
    value: Callable[[Floats], float]
    weights: Callable[[int, int], Floats] | None


def _worth(measure: Measure, grades: Mapping[str, float]) -> _Worth:
    if measure.name not in MEASURES or measure.parameter("judged_only"):
        raise MeasureError(f"{measure}: cheapest changes are known for {', '.join(MEASURES)} of the whole list")
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    every = np.array(list(grades.values()), dtype=np.float64)
    return _graded(measure, every, cutoff) if measure.name in ("nDCG", "DCG") else _binary(measure, every, cutoff)


def _binary(measure: Measure, every: Floats, cutoff: int | None) -> _Worth:
    level = float(measure.parameter("rel"))
    relevant = int(np.count_nonzero((every >= level) & (every >= 0)))

    def gains(listed: Floats) -> Floats:
        return np.asarray((listed >= level) & (listed >= 0), dtype=np.float64)

    def weights(number: int, n: int) -> Floats:
        ranks = np.arange(1, n + 1)
        inside = ranks <= (n if cutoff is None else cutoff)
        if measure.name == "P":
            return inside / (cutoff or n)
        if measure.name == "RR":
            return np.where(inside & (number == 1), 1.0 / ranks, 0.0)
        return np.where(inside, number / ranks, 0.0) / max(relevant, 1)

    def value(found: Floats) -> float:
        places = np.flatnonzero(found > 0)
        return float(sum(weights(i, len(found))[place] for i, place in enumerate(places.tolist(), start=1)))

    return _Worth(gains, value, weights)


def _graded(measure: Measure, every: Floats, cutoff: int | None) -> _Worth:
    kind, base = str(measure.parameter("dcg")), float(measure.parameter("base"))
    prices: Any = measure.parameter("gains")
    least = measure.parameter("rel")
    retrieved = measure.parameter("ideal") == "retrieved"

    def gains(listed: Floats) -> Floats:
        known = np.where(np.isnan(listed), 0.0, listed)
        found = gains_of(known, kind, prices)
        found = found if least is None else np.where(known >= least, found, 0.0)
        return np.where(np.isnan(listed), 0.0, found)

    ideal_gains = np.sort(gains(every))[::-1]

    def discounted(found: Floats) -> float:
        found = found[:cutoff]
        return float(np.sum(found / discount_of(np.arange(1, len(found) + 1), kind, base)))

    normalised = measure.name == "nDCG"

    def ideal(found: Floats) -> float:
        if not normalised:
            return 1.0
        return discounted(np.sort(found)[::-1] if retrieved else ideal_gains)

    def value(found: Floats) -> float:
        best = ideal(found)
        return discounted(found) / best if best else 0.0

    two = len(np.unique(np.append(ideal_gains, 0.0))) == 2 and not retrieved and ideal_gains[-1:] >= 0
    unit = float(ideal_gains[0]) if len(ideal_gains) else 0.0
    best = discounted(ideal_gains) if normalised else 1.0

    def weights(number: int, n: int) -> Floats:
        ranks = np.arange(1, n + 1)
        inside = ranks <= (n if cutoff is None else cutoff)
        return np.where(inside, unit / discount_of(ranks, kind, base), 0.0) / best

    return _Worth(gains, value, weights if two and unit > 0 else None)


def _by_table(gains: Floats, worth: _Worth, target: float) -> Ints | None:
    """The least cost for two gains: the best value of the first i relevant documents with the i-th at each rank, by
    cost; None where the table would be too large."""
    assert worth.weights is not None
    n = len(gains)
    start = np.flatnonzero(gains > gains.min())
    limit = int((start - np.arange(len(start))).sum())
    if len(start) * n * (limit + 1) > MOST_CELLS:
        return None
    nothing = np.full((n, limit + 1), -np.inf)
    best = nothing.copy()
    tables = []
    for i, place in enumerate(start.tolist()):
        gained = worth.weights(i + 1, n)
        above = np.maximum.accumulate(best, axis=0)  # the best with the document before at this rank or higher
        table = nothing.copy()
        for to in range(i, place + 1):
            cost = place - to
            if i == 0:
                table[to, cost] = gained[to]
            else:
                table[to, cost:] = above[to - 1, : limit + 1 - cost] + gained[to]
        tables.append(table)
        best = table
    enough = np.flatnonzero(best.max(axis=0) >= target - CLOSE)
    cost = int(enough[0])
    to = n
    final = []
    for i in range(len(start) - 1, -1, -1):  # back through the tables
        to = int(np.argmax(tables[i][:to, cost]))
        final.append(to)
        cost -= int(start[i]) - to
    places = np.full(n, -1, dtype=np.int64)
    places[final[::-1]] = start
    places[places < 0] = np.flatnonzero(gains == gains.min())
    return places


def _by_search(gains: Floats, worth: _Worth, target: float) -> Ints | None:
    """The least cost by looking at all orders of rising cost; None where there are too many."""
    kinds = np.unique(gains)
    first = tuple(np.searchsorted(kinds, gains).tolist())
    level, seen = [first], {first}
    while level:
        following = []
        for one in level:
            for place in range(len(one) - 1):
                if one[place] < one[place + 1]:
                    other = (*one[:place], one[place + 1], one[place], *one[place + 2 :])
                    if other in seen:
                        continue
                    seen.add(other)
                    if len(seen) > MOST_ORDERS:
                        return None
                    if worth.value(kinds[list(other)]) >= target - CLOSE:
                        return _places(first, other)
                    following.append(other)
        level = following
    return None


def _places(first: tuple[int, ...], wanted: tuple[int, ...]) -> Ints:
    """Which document stands at each rank: those of one gain keep their order."""
    waiting = {kind: [place for place, one in enumerate(first) if one == kind] for kind in set(first)}
    return np.array([waiting[kind].pop(0) for kind in wanted], dtype=np.int64)


def _by_steps(gains: Floats, worth: _Worth, target: float) -> Ints:
    """Step by step the move up that gains most for its cost, and the cheapest as soon as one suffices."""
    places = np.arange(len(gains))
    while (value := worth.value(gains[places])) < target - CLOSE:
        steps = _steps_up(gains[places])
        tried = [(worth.value(gains[_up(places, *step)]) - value, step) for step in steps]
        enough = [
            (start - stop, -gained, (start, stop))
            for gained, (start, stop) in tried
            if value + gained >= target - CLOSE
        ]
        if enough:
            step = min(enough)[2]
        else:
            step = max(tried, key=lambda one: (one[0] / (one[1][0] - one[1][1]), one[1][1] - one[1][0]))[1]
        places = _up(places, *step)
    return places


def _steps_up(gains: Floats) -> list[tuple[int, int]]:
    """Every move of a document up to above a stretch of lesser ones, and each rank on the way."""
    found = []
    for start in range(1, len(gains)):
        stop = start
        while stop and gains[stop - 1] < gains[start]:
            stop -= 1
            found.append((start, stop))
    return found


def _up(places: Ints, start: int, stop: int) -> Ints:
    return np.concatenate([places[:stop], places[start : start + 1], places[stop:start], places[start + 1 :]])


def _moves(order: Sequence[str], places: Ints, gains: Floats, worth: _Worth) -> list[Move]:
    """The moves up that make the order, from the top down."""
    now = np.arange(len(places))
    found = []
    for stop, place in enumerate(places.tolist()):
        start = int(np.flatnonzero(now == place)[0])
        if start != stop:
            now = _up(now, start, stop)
            found.append(Move(order[place], start + 1, stop + 1, worth.value(gains[now])))
    return found

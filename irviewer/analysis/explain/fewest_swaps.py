"""The fewest swaps of neighbours after which a list reaches a target value.

The cost of an order is the number of swaps of two neighbouring documents that lead to it (Kendall's distance); a
document that moves up five ranks costs five. Only the order changes; no document is added or removed. Moving the better
of two documents down never helps, so only moves up are considered.

For two gains (every measure of binary relevance; nDCG and DCG of ungraded qrels) relevant documents never pass each
other: a table over (document, rank, cost) gives the least cost exactly. For more gains all orders are searched by
increasing cost, exactly, while there are few; beyond that each step takes the move up with the best gain for its cost,
the last one the cheapest that is enough, and the result says that fewer swaps may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.measures.gains import discount_of, gains_of
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import documents_text
from irviewer.translation import tr, trn

MEASURES = ("nDCG", "DCG", "AP", "P", "RR")
MOST_CELLS = 20_000_000
MOST_ORDERS = 20_000
CLOSE = 1e-12


@dataclass(frozen=True)
class Move:
    """A document that moves up from one rank to another, counted at the time of the move; ``value`` is the value of the
    list after it."""

    doc_id: str
    start: int
    stop: int
    value: float


@dataclass(frozen=True)
class FewestSwaps:
    """The order of a list that reaches a target with the fewest swaps.

    order    the order that reaches the target, or the best order where none does
    cost     swaps of neighbours from the original order
    moves    documents that move up, from the top of the new list down; their ranks add up to ``cost``
    best     the value of the best order
    reached  False where no order of these documents reaches the target
    exact    False where fewer swaps may do
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
        """The result as a sentence."""
        if not self.reached:
            return tr(
                "No order of these documents reaches {measure} {target:g}; the best has {best:.4f}. Missed documents "
                "would have to be retrieved.",
                measure=self.measure,
                target=self.target,
                best=self.best,
            )
        if not self.cost:
            return tr("{measure} is already {value:.4f}.", measure=self.measure, value=self.before)
        text = trn(
            "{documents} up by {n:,} rank: {measure} {before:.4f} → {value:.4f}.",
            "{documents} up by {n:,} ranks in total: {measure} {before:.4f} → {value:.4f}.",
            self.cost,
            documents=documents_text(len(self.moves)),
            measure=self.measure,
            before=self.before,
            value=self.value,
        )
        return (
            text
            if self.exact
            else tr("{text} The moves were found step by step; fewer ranks may be enough.", text=text)
        )


def fewest_swaps(order: Sequence[str], grades: Mapping[str, float], measure: Measure, target: float) -> FewestSwaps:
    """Return the order of a list that reaches ``target`` with the fewest swaps; ``grades`` are all judgments.

    ``measure`` is nDCG, DCG, AP, P or RR with its parameters bound. Raises MeasureError for another."""
    worth = _worth(measure, grades)
    gains = worth.gains(np.array([grades.get(doc, np.nan) for doc in order], dtype=np.float64))
    before, best = worth.value(gains), worth.value(np.sort(gains)[::-1])
    reached = best >= target - CLOSE
    target_now = target if reached else best
    exact = True
    if before >= target_now - CLOSE:
        positions = np.arange(len(gains))
    else:
        result = (
            _by_table(gains, worth, target_now) if worth.weights is not None and len(np.unique(gains)) == 2 else None
        )
        if result is None:
            result = _by_search(gains, worth, target_now)
        if result is None:
            result, exact = _by_steps(gains, worth, target_now), False
        positions = result
    moves = _moves(order, positions, gains, worth)
    return FewestSwaps(
        measure, target, before, worth.value(gains[positions]), best,
        tuple(order[position] for position in positions.tolist()),
        sum(move.start - move.stop for move in moves), tuple(moves), reached, exact,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Worth:
    """The value of a measure from gains in rank order. ``weights(i, n)``: what the i-th relevant document adds at each
    of n ranks, for a measure that is a sum over binary gains."""

    gains: Callable[[Floats], Floats]
    value: Callable[[Floats], float]
    weights: Callable[[int, int], Floats] | None


def _worth(measure: Measure, grades: Mapping[str, float]) -> _Worth:
    if measure.name not in MEASURES or measure.parameter("judged_only"):
        raise MeasureError(
            tr(
                "{measure}: the fewest swaps can be computed only for {measures} of the whole list",
                measure=measure,
                measures=", ".join(MEASURES),
            )
        )
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

    def value(gains_in_order: Floats) -> float:
        positions = np.flatnonzero(gains_in_order > 0)
        return float(
            sum(weights(i, len(gains_in_order))[position] for i, position in enumerate(positions.tolist(), start=1))
        )

    return _Worth(gains, value, weights)


def _graded(measure: Measure, every: Floats, cutoff: int | None) -> _Worth:
    kind, base = str(measure.parameter("dcg")), float(measure.parameter("base"))
    prices: Any = measure.parameter("gains")
    least = measure.parameter("rel")
    retrieved = measure.parameter("ideal") == "retrieved"

    def gains(listed: Floats) -> Floats:
        grades = np.where(np.isnan(listed), 0.0, listed)
        gains_in_order = gains_of(grades, kind, prices)
        gains_in_order = gains_in_order if least is None else np.where(grades >= least, gains_in_order, 0.0)
        return np.where(np.isnan(listed), 0.0, gains_in_order)

    ideal_gains = np.sort(gains(every))[::-1]

    def discounted(gains_in_order: Floats) -> float:
        gains_in_order = gains_in_order[:cutoff]
        return float(np.sum(gains_in_order / discount_of(np.arange(1, len(gains_in_order) + 1), kind, base)))

    normalised = measure.name == "nDCG"

    def ideal(gains_in_order: Floats) -> float:
        if not normalised:
            return 1.0
        return discounted(np.sort(gains_in_order)[::-1] if retrieved else ideal_gains)

    def value(gains_in_order: Floats) -> float:
        best = ideal(gains_in_order)
        return discounted(gains_in_order) / best if best else 0.0

    binary = len(np.unique(np.append(ideal_gains, 0.0))) == 2 and not retrieved and ideal_gains[-1:] >= 0
    unit = float(ideal_gains[0]) if len(ideal_gains) else 0.0
    best = discounted(ideal_gains) if normalised else 1.0

    def weights(number: int, n: int) -> Floats:
        ranks = np.arange(1, n + 1)
        inside = ranks <= (n if cutoff is None else cutoff)
        return np.where(inside, unit / discount_of(ranks, kind, base), 0.0) / best

    return _Worth(gains, value, weights if binary and unit > 0 else None)


def _by_table(gains: Floats, worth: _Worth, target: float) -> Ints | None:
    """The least cost for two gains: the best value of the first i relevant documents with the i-th at each rank, by
    cost; None if the table would be too large."""
    assert worth.weights is not None
    n = len(gains)
    start = np.flatnonzero(gains > gains.min())
    limit = int((start - np.arange(len(start))).sum())
    if len(start) * n * (limit + 1) > MOST_CELLS:
        return None
    nothing = np.full((n, limit + 1), -np.inf)
    best = nothing.copy()
    tables = []
    for i, position in enumerate(start.tolist()):
        gained = worth.weights(i + 1, n)
        above = np.maximum.accumulate(best, axis=0)  # the best with the document before at this rank or higher
        table = nothing.copy()
        for to in range(i, position + 1):
            cost = position - to
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
    positions = np.full(n, -1, dtype=np.int64)
    positions[final[::-1]] = start
    positions[positions < 0] = np.flatnonzero(gains == gains.min())
    return positions


def _by_search(gains: Floats, worth: _Worth, target: float) -> Ints | None:
    """The least cost by searching all orders of increasing cost; None if there are too many."""
    kinds = np.unique(gains)
    first = tuple(np.searchsorted(kinds, gains).tolist())
    level, seen = [first], {first}
    while level:
        following = []
        for arrangement in level:
            for position in range(len(arrangement) - 1):
                if arrangement[position] < arrangement[position + 1]:
                    neighbour = (
                        *arrangement[:position],
                        arrangement[position + 1],
                        arrangement[position],
                        *arrangement[position + 2 :],
                    )
                    if neighbour in seen:
                        continue
                    seen.add(neighbour)
                    if len(seen) > MOST_ORDERS:
                        return None
                    if worth.value(kinds[list(neighbour)]) >= target - CLOSE:
                        return _positions(first, neighbour)
                    following.append(neighbour)
        level = following
    return None


def _positions(first: tuple[int, ...], arrangement: tuple[int, ...]) -> Ints:
    """The document at each rank; documents of equal gain keep their order."""
    waiting = {kind: [index for index, kind_at in enumerate(first) if kind_at == kind] for kind in set(first)}
    return np.array([waiting[kind].pop(0) for kind in arrangement], dtype=np.int64)


def _by_steps(gains: Floats, worth: _Worth, target: float) -> Ints:
    """Take the move up with the best gain for its cost, step by step, and the cheapest as soon as one is enough."""
    positions = np.arange(len(gains))
    while (value := worth.value(gains[positions])) < target - CLOSE:
        steps = _steps_up(gains[positions])
        tried = [(worth.value(gains[_up(positions, *step)]) - value, step) for step in steps]
        enough = [
            (start - stop, -gained, (start, stop))
            for gained, (start, stop) in tried
            if value + gained >= target - CLOSE
        ]
        if enough:
            step = min(enough)[2]
        else:
            step = max(tried, key=lambda trial: (trial[0] / (trial[1][0] - trial[1][1]), trial[1][1] - trial[1][0]))[1]
        positions = _up(positions, *step)
    return positions


def _steps_up(gains: Floats) -> list[tuple[int, int]]:
    """Every move of a document up past documents of lower gain."""
    steps = []
    for start in range(1, len(gains)):
        stop = start
        while stop and gains[stop - 1] < gains[start]:
            stop -= 1
            steps.append((start, stop))
    return steps


def _up(positions: Ints, start: int, stop: int) -> Ints:
    return np.concatenate(
        [positions[:stop], positions[start : start + 1], positions[stop:start], positions[start + 1 :]]
    )


def _moves(order: Sequence[str], positions: Ints, gains: Floats, worth: _Worth) -> list[Move]:
    """The moves up that produce the order, from the top down."""
    now = np.arange(len(positions))
    moves = []
    for stop, position in enumerate(positions.tolist()):
        start = int(np.flatnonzero(now == position)[0])
        if start != stop:
            now = _up(now, start, stop)
            moves.append(Move(order[position], start + 1, stop + 1, worth.value(gains[now])))
    return moves

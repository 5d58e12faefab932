"""The greatest ratio of a gain and its ideal over all grades that unjudged (open) documents could have: the bounds of
nDCG, and of the difference of two nDCG with the same ideal.

The numerator is linear in the gains of the open documents, the ideal is convex in them (the greatest of linear sums),
and both are sums over levels: a gain is the sum of the steps up to its grade, and at each step the ideal depends only
on how many documents reach it. So for a price λ the maximum of numerator − λ · ideal takes, at each step, the first m
open documents by weight for the best m; a higher step takes no more, as fewer known documents reach it. Dinkelbach's
iteration (On nonlinear fractional programming, Management Science 1967) raises λ to the greatest ratio. Where no
assignment makes the numerator positive, numerator − λ · ideal is convex for λ below 0 and its maximum is at an
extreme: some first m at the highest grade, the others at 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Floats, Ints, group_of_each, offsets_of, safe_divide, sizes_of, sums_within

ROUNDS = 100
AT_A_TIME = 1_000_000


@dataclass(frozen=True, eq=False)
class Ideal:
    """The known part of E queries' ideal rankings.

    gains     float64, flat by query, each query's descending and above 0
    offsets   int64[E+1] into them
    shares    float64: the weight of each rank of an ideal ranking, 1 / discount, 0 below the cutoff; as long as
              any list
    top       the gain of the highest grade that an open document could have
    """

    gains: Floats
    offsets: Ints
    shares: Floats
    top: float


def greatest(start: Floats, weights: Floats, offsets: Ints, ideal: Ideal) -> Floats:
    """Return the greatest ratio of each query, float64[E]; 0 / 0 is 0.

    start     float64[E]: the numerator without the open documents
    weights   float64: what a gain of 1 of each open document adds to it, flat by query; ``offsets`` int64[E+1]"""
    result = np.zeros(len(start))
    work = (sizes_of(offsets) + 1) * (sizes_of(ideal.offsets) + 1)
    first, n = 0, len(start)
    while first < n:
        last = max(first + 1, int(np.searchsorted(np.cumsum(work[first:]), AT_A_TIME)) + first)
        open_rows = slice(int(offsets[first]), int(offsets[last]))
        known_rows = slice(int(ideal.offsets[first]), int(ideal.offsets[last]))
        part = Ideal(
            ideal.gains[known_rows], ideal.offsets[first : last + 1] - known_rows.start, ideal.shares, ideal.top
        )
        result[first:last] = _greatest(
            start[first:last], weights[open_rows], offsets[first : last + 1] - open_rows.start, part
        )
        first = last
    return result


def _greatest(start: Floats, weights: Floats, offsets: Ints, ideal: Ideal) -> Floats:
    steps = _Steps(weights, offsets, ideal)
    best = steps.at_the_top(start)
    active = np.flatnonzero(best > 0)
    for _ in range(ROUNDS):
        if not len(active):
            break
        value, norm = steps.best_for(best)
        ratio = safe_divide(start + value, norm)[active]
        higher = ratio > best[active] + 1e-15 * np.abs(best[active])
        best[active[higher]] = ratio[higher]
        active = active[higher]
    return best


class _Steps:
    """The rows (query, step, m): m open documents reach the step, from 0 to all of the query's. Steps of a query are
    between its distinct known gains, up to the top; known gains above the top are a constant."""

    def __init__(self, weights: Floats, offsets: Ints, ideal: Ideal) -> None:
        n = len(offsets) - 1
        query = group_of_each(offsets)
        order = np.lexsort((-weights, query))
        sums = sums_within(weights[order], offsets)
        self.counts = sizes_of(offsets)
        self.top = ideal.top
        reach = np.concatenate([[0.0], np.cumsum(ideal.shares)])

        def norm(number: Ints) -> Floats:
            return reach[np.minimum(number, len(reach) - 1)]

        # Each distinct known gain of a query ends a step, and so does the top.
        of = group_of_each(ideal.offsets)
        last = np.ones(len(ideal.gains), dtype=np.bool_)  # the last document with its gain
        last[:-1] = (ideal.gains[1:] != ideal.gains[:-1]) | (of[1:] != of[:-1])
        number = np.arange(1, len(of) + 1) - ideal.offsets[of]
        gains, reached, owner = ideal.gains[last], number[last], of[last]
        above = np.bincount(of[ideal.gains >= ideal.top], minlength=n) if ideal.top > 0 else np.zeros(n, np.int64)
        missing = np.ones(n, dtype=np.bool_)
        missing[owner[gains == ideal.top]] = False
        if ideal.top > 0:
            added = np.flatnonzero(missing)
            gains = np.concatenate([gains, np.full(len(added), ideal.top)])
            reached = np.concatenate([reached, above[added]])
            owner = np.concatenate([owner, added])
        order = np.lexsort((gains, owner))
        gains, reached, owner = gains[order], reached[order], owner[order]
        before = np.zeros(len(gains))
        before[1:] = np.where(owner[1:] == owner[:-1], gains[:-1], 0.0)
        heights = gains - before
        beyond = gains > ideal.top
        self.fixed = _sums(owner[beyond], (heights * norm(reached))[beyond], n)
        owner, heights, reached = owner[~beyond], heights[~beyond], reached[~beyond]
        # Rows
        self.owner, self.heights = owner, heights
        sizes = self.counts[owner] + 1
        self.starts = offsets_of(sizes)
        row = group_of_each(self.starts)
        m = np.arange(len(row)) - self.starts[:-1][row]
        self.value = np.zeros(len(row))
        self.value[m > 0] = sums[(offsets[:-1][owner[row]] + m - 1)[m > 0]]
        self.norm = norm(reached[row] + m)
        self.row_query, self.m, self.row = owner[row], m, row
        self.n = n

    def at_the_top(self, start: Floats) -> Floats:
        """Return the greatest ratio with the first m at the top and the others at 0, for any m: float64[E]."""
        if not len(self.owner):
            return safe_divide(start, self.fixed)
        sizes = self.counts + 1
        starts = offsets_of(sizes)
        cell = starts[:-1][self.row_query] + self.m
        total = int(starts[-1])
        value = _sums(cell, self.value * self.heights[self.row], total)
        norm = _sums(cell, self.norm * self.heights[self.row], total)
        query = group_of_each(starts)
        ratios = safe_divide(start[query] + value, self.fixed[query] + norm)
        return np.maximum.reduceat(ratios, starts[:-1])

    def best_for(self, price: Floats) -> tuple[Floats, Floats]:
        """Return the numerator of the open documents and the ideal of all, float64[E] each, where each step takes the
        number of documents that is best for a price."""
        if not len(self.owner):
            return np.zeros(self.n), self.fixed
        worth = self.value - price[self.row_query] * self.norm
        most = np.maximum.reduceat(worth, self.starts[:-1])
        m = np.minimum.reduceat(np.where(worth == most[self.row], self.m, len(self.m)), self.starts[:-1])
        chosen = self.starts[:-1] + m
        value = _sums(self.owner, self.heights * self.value[chosen], self.n)
        return value, self.fixed + _sums(self.owner, self.heights * self.norm[chosen], self.n)


def _sums(group: Ints, values: Floats, n: int) -> Floats:
    return np.bincount(group, weights=values, minlength=n).astype(np.float64, copy=False)

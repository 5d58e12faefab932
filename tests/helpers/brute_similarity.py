"""Similarity of two lists by the book, one depth and one pair at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def agreements(first: list[str], other: list[str]) -> list[int]:
    """How many documents are common to the first d of both, for d = 1 … the longer length."""
    return [len(set(first[:d]) & set(other[:d])) for d in range(1, max(len(first), len(other)) + 1)]


def rbo_sum(ours: list[str], other: list[str], p: float, depth: int) -> float:
    """The sum of rank-biased overlap's definition, down to a depth."""
    total, first, second = 0.0, set[str](), set[str]()
    for d in range(1, depth + 1):
        first.update(ours[d - 1 : d])
        second.update(other[d - 1 : d])
        total += p ** (d - 1) * len(first & second) / d
    return (1 - p) * total


def rbo_ext(ours: list[str], other: list[str], p: float) -> float:
    """Webber's eq. 32, term by term."""
    short, long = sorted((ours, other), key=len)
    s, n = len(short), len(long)
    x = [0, *agreements(short, long)]
    first = sum(x[d] / d * p**d for d in range(1, n + 1))
    second = sum(x[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (first + second) + ((x[n] - x[s]) / n + x[s] / s) * p**n


def rbo_least_and_most(first: list[str], other: list[str], p: float, far: int = 260) -> tuple[float, float]:
    """Both lists continued to where nothing counts any more: by documents of their own, and by each other's."""
    short, long = sorted((first, other), key=len)
    least = rbo_sum([*short, *(f"s{n}" for n in range(far))], [*long, *(f"l{n}" for n in range(far))], p, far)
    # The longer list's documents fill up the shorter one, in their order; then each list takes the other's leftovers.
    rest = [document for document in long if document not in short]
    filled = short + rest[: len(long) - len(short)]
    left, right = [d for d in filled if d not in long], [d for d in long if d not in filled]
    more = [f"x{n}" for n in range(far)]
    return least, rbo_sum(filled + right + more, long + left + more, p, far)


def discordant(first: list[float], second: list[float]) -> tuple[int, int, int, int]:
    """Concordant and discordant pairs, and those tied in the first and in the second alone or both."""
    counts = [0, 0, 0, 0]
    for i in range(len(first)):
        for j in range(i):
            a, b = first[i] - first[j], second[i] - second[j]
            counts[0] += a * b > 0
            counts[1] += a * b < 0
            counts[2] += a == 0
            counts[3] += b == 0
    return counts[0], counts[1], counts[2], counts[3]


def tau_b(first: list[float], second: list[float]) -> float:
    """Kendall's tau-b by all pairs."""
    more, less, tied_first, tied_second = discordant(first, second)
    pairs = len(first) * (len(first) - 1) // 2
    bottom = math.sqrt((pairs - tied_first) * (pairs - tied_second))
    return (more - less) / bottom if bottom else math.nan


def tau_ap(evaluated: list[str], reference: list[str]) -> float:
    """Yilmaz's eq. of tau_AP: for each item but the first, the share of those above it that belong above it."""
    n = len(evaluated)
    total = sum(
        sum(reference.index(above) < reference.index(evaluated[i]) for above in evaluated[:i]) / i for i in range(1, n)
    )
    return 2 / (n - 1) * total - 1


def tau_ap_over_ties(reference: Sequence[float], other: Sequence[float]) -> float:
    """The mean of tau_AP over every order of the items that agrees with ``other``, high values first, and every one
    that agrees with ``reference``; NaN where one side has no order."""
    if len(set(reference)) < 2 or len(set(other)) < 2:
        return math.nan
    values = [
        tau_ap([str(item) for item in evaluated], [str(item) for item in truth])
        for evaluated in orders(other)
        for truth in orders(reference)
    ]
    return math.fsum(values) / len(values)


def orders(values: Sequence[float]) -> list[list[int]]:
    """Every order of the items 0, 1 … in which the values do not rise."""
    ties = [
        list(itertools.permutations([item for item, own in enumerate(values) if own == value]))
        for value in sorted(set(values), reverse=True)
    ]
    return [list(itertools.chain(*parts)) for parts in itertools.product(*ties)]

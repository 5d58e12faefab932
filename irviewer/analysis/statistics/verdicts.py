"""What the user is warned of about a comparison, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from irviewer.errors import name_some
from irviewer.model.arrays import Floats, Ints
from irviewer.model.geometric import GEOMETRIC_FLOOR
from irviewer.model.number_text import counted, limit, p_value

MOST_TOLD = 6
"""Runs that a note names; of more it tells the number."""
FEW = 25
"""Queries below which a comparison is called a small one (Voorhees and Buckley 2002 want 25 at least, better 50)."""
CHOSEN = (
    "These queries were chosen after looking at the results: p-values and intervals do not hold for them, for a set "
    "chosen because it shows a difference always shows one. Test it on queries that had no part in the choice."
)
WEIGHTED = "Tests count every query once; the weighted means and their intervals know the weights."


def few_queries(n: int) -> str:
    """The warning that there are few queries."""
    return (
        f"{counted(n, 'query is', 'queries are')} few: means jump with each of them, a real difference is easily "
        f"missed; {FEW} at least are advised."
    )


def few_warnings(names: tuple[str, ...], first: Ints, second: Ints, n: Floats, queries: int) -> list[str]:
    """Warnings of pairs with few queries or none in common, out of so many queries."""
    if not len(n) or not queries:
        return [few_queries(queries)] if queries < FEW else []
    none, most = np.flatnonzero(n == 0), int(n.max())
    found = []
    if len(none):
        one, two = names[int(first[none[0]])], names[int(second[none[0]])]
        others = len(none) - 1
        more = f", nor do {counted(others, 'more pair', 'more pairs')}" if others else ""
        found.append(f"{one} and {two} share no query{more}: there is nothing to compare.")
    if 0 < most < FEW:
        return [*found, few_queries(most)]
    few = np.flatnonzero((n < FEW) & (n > 0))
    if len(few):
        least = int(few[np.argmin(n[few])])
        others = len(few) - 1
        more = f", and {counted(others, 'more pair has', 'more pairs have')} fewer than {FEW}" if others else ""
        one, two = names[int(first[least])], names[int(second[least])]
        held = counted(int(n[least]), "query", "queries")
        found.append(f"{one} and {two} have {held} in common{more}: too few to rely on.")
    return found


def lacking(names: tuple[str, ...], present: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> tuple[str, ...]:
    """A warning for each run that lacks queries which others have: they are left out of its pairs."""
    missing = (~present).sum(axis=1)
    return tuple(
        f"{names[run]} lacks {counted(int(missing[run]), 'query', 'queries')}: left out wherever it is compared."
        for run in np.flatnonzero(missing).tolist()
    )


def floor_notes(names: Sequence[str], at_floor: Ints, queries: Ints) -> list[str]:
    """How many queries of each run stand at the floor of a geometric mean."""
    told = [f"{name} on {some:,} of {n:,}" for name, some, n in zip(names, at_floor, queries, strict=True) if some]
    floor = f"{GEOMETRIC_FLOOR:.5f}".removeprefix("0")
    if not told:
        return [f"Geometric means: no value stands at the floor of {floor}."]
    shown, more = told[:MOST_TOLD], len(told) - MOST_TOLD
    others = f", and {counted(more, 'more run does', 'more runs do')}" if more > 0 else ""
    return [
        f"Geometric means: values below {floor} count as {floor}. At that floor stand{'s' if len(told) == 1 else ''} "
        f"{', '.join(shown)} queries{others}."
    ]


def not_reached(measure: str, names: Sequence[str], reached: Ints, queries: Ints) -> str:
    """That some runs never reach a value, how many queries each of them does reach, and how they are compared."""
    pairs = [(name, int(some), int(n)) for name, some, n in zip(names, reached, queries, strict=True)]
    told = [f"{name} on {some:,} of {n:,}" for name, some, n in pairs if some < n]
    more = len(told) - MOST_TOLD
    others = f", and so {counted(more, 'more run', 'more runs')}" if more > 0 else ""
    return (
        f"{measure or 'The measure'} is not always reached: {', '.join(told[:MOST_TOLD])} queries{others}. Runs are "
        "compared by signs, not reached being the worst; a run that does not reach all has no mean."
    )


def too_few_samples(title: str, samples: int, least: float, after: str, comparisons: int, alpha: float) -> str:
    """The warning that no difference can look significant, for so many samples go no lower and are corrected: ``least``
    is the least p-value after it."""
    wanted = math.ceil(least * (samples + 1) / alpha / 1000) * 1000
    return (
        f"{title}: {samples:,} samples show no p below 1/{samples + 1:,}, which after {after} over {comparisons:,} "
        f"comparisons is {p_value(least)}: p that is marked ≤ may be far less, and {wanted:,} samples can show one "
        f"below {limit(alpha)}."
    )


def only_complete(complete: int, queries: int) -> str:
    """The warning that a test of all runs at once takes fewer queries than the pairs do."""
    return f"Tukey's test takes the {complete:,} of {queries:,} queries that every run has."


def weights_given(queries: int, weighed: int, unknown: Sequence[str]) -> list[str]:
    """What has to be told of weights: how many queries have none, and those that nobody knows."""
    found = []
    if weighed < queries:
        without = queries - weighed
        others = "the other counts 0" if without == 1 else f"the other {without:,} count 0"
        found.append(f"{weighed:,} of {counted(queries, 'query has', 'queries have')} a weight: {others}.")
    if unknown:
        which = counted(len(unknown), "query", "queries")
        found.append(f"Weights are given for {which} that nobody evaluated: {name_some(unknown)}.")
    return found


OF_SET = "Only the queries of "
AS_ZERO = ": compared as 0"


def of_set(name: str, queries: int, every: int) -> str:
    """Says that a comparison is of a query set."""
    return f"{OF_SET}{name}: {queries:,} of {every:,}."

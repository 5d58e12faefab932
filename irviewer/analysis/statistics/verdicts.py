"""The verdict on a pair, and what a person is warned of, in words. Knows a pair's numbers, computes none of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.statistics.test_results import LEAST, TESTS
from irviewer.errors import name_some
from irviewer.model.arrays import Floats, Ints
from irviewer.model.geometric import GEOMETRIC_FLOOR
from irviewer.model.number_text import counted, limit, p_text, p_value

if TYPE_CHECKING:
    from irviewer.analysis.statistics.comparison import Pair
    from irviewer.analysis.statistics.test_results import TestResult

MOST_TOLD = 6
"""Runs that a note names; of more it tells the number."""
FEW = 25
"""Queries below which a comparison is called a small one (Voorhees and Buckley 2002 want 25 at least, better 50)."""
CHOSEN = (
    "These queries were chosen after looking at the results: p-values and intervals do not hold for them, for a set "
    "chosen because it shows a difference always shows one. Test it on queries that had no part in the choice."
)
WEIGHTED = "Tests count every query once; the weighted means and their intervals know the weights."


def verdict(pair: Pair) -> str:
    """``a is better on 107 queries, equal on 39, worse on 79; the mean difference .0157 [−.0003, .0317]: the test
    shows none, a Δ from −.0080 to +.0395 remains possible (paired t-test: p = .055, .275 after Holm over 14
    comparisons)``."""
    name = pair.run_name if pair.baseline else f"{pair.run_name} against {pair.other_name}"
    if not pair.n:
        return f"{name}: no query that both have, nothing to compare"
    if pair.ties == pair.n and (pair.difference == 0 or pair.by_signs):
        return f"{name} is equal on all of {counted(pair.n, 'query', 'queries')}"
    won = counted(pair.wins, "query", "queries")
    counts = f"{name} is better on {won}, equal on {pair.ties:,}, worse on {pair.losses:,}"
    if pair.by_signs:
        return f"{counts}, not reached being the worst: {_decision(pair)}"
    change = pair.change
    means = change.name if pair.higher_is_better else f"{change.name} (less is better)"
    means += f" {change.text}"
    if pair.n < 2:
        return f"{counts}; {means} is of one query, which cannot tell it from chance"
    return f"{counts}; {means} {change.ends}: {_decision(pair)}"


def _decision(pair: Pair) -> str:
    """What the declared test shows, and its p before and after the correction."""
    found = pair.decision
    how = "" if math.isnan(found.p) else f" ({found.title}: {p_text(found.p, at_most=found.at_most)}{_after(found)})"
    if pair.chosen:
        said = "the test proves nothing, for these queries were chosen after looking"
    elif pair.undecided:
        said = f"no verdict, for {pair.undecided}"
    elif pair.significant:
        said = "the test shows a difference"
    elif pair.by_signs:
        said = "the test shows none"
    else:
        said = f"the test shows none, {pair.possible.span} remains possible"
    return f"{said}{how}"


def undecided(pair: Pair) -> str:
    """Why the declared test says nothing of a pair; "" where it does."""
    if math.isinf(pair.decision.statistic):
        return f"all {pair.n:,} differences are the same, and without spread there is no test"
    if 0 < pair.differing < LEAST:
        only = "one query differs" if pair.differing == 1 else f"{pair.differing:,} queries differ"
        return f"only {only}, too few for an exact p below .05"
    return ""


def _after(found: TestResult) -> str:
    if TESTS[found.name].family:
        return f" for {counted(found.comparisons, 'pair', 'pairs')} at once"
    if found.comparisons < 2:
        return ""
    if not found.correction:
        return f", not corrected for {found.comparisons:,} comparisons"
    after = p_value(found.p_corrected, at_most=found.at_most)
    return f", {after} after {found.correction} over {found.comparisons:,} comparisons"


def disagreement(pair: Pair) -> str:
    """Where the interval leaves 0 out and the declared test at the same level shows nothing, or the other way round."""
    found = pair.decision
    if pair.n < 2 or pair.by_signs or pair.undecided or TESTS[found.name].family:
        return ""
    outside = not pair.interval.low <= 0 <= pair.interval.high
    if outside == (found.p < 1 - pair.interval.level):
        return ""
    none = "1" if pair.geometric else "0"
    said = f"leaves {none} out, though the {found.title}" if outside else f"holds {none}, though the {found.title}"
    shows = "shows no difference" if outside else "shows a difference"
    return (
        f"The {pair.interval.title} interval {said} before correction {shows} ({p_text(found.p)}): the two treat "
        "skewed differences otherwise, and this pair is at the edge."
    )


def relative_change(difference: float, base: float) -> float:
    """difference / base; NaN where the base is 0."""
    return float(difference / abs(base)) if base else float("nan")


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

"""Comparison by signs, for what some runs never reach: the rank at a recall that a run does not get to has no value,
and leaving it out would flatter.

What is not reached is worse than whatever is reached, and equal to what is not reached either; by how much nobody
knows, so that there are wins and losses, the sign test, and no differences of means. Knows arrays, no names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.bayes import BayesMethod, Posteriors
from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.paired import sign_column
from irviewer.analysis.statistics.resampling import decimals_of, differences, patterns
from irviewer.analysis.statistics.test_results import Column, put_together
from irviewer.model.arrays import Bools, Floats, Ints

TEST = "sign"
"""The test that decides then, whichever was declared."""


def as_worst(values: Floats, unreached: Bools, higher_is_better: bool) -> Floats:
    """The values with what was not reached worse than every other by 1; NaN where there is none stays."""
    known = values[np.isfinite(values)]
    if higher_is_better:
        worst = float(known.min(initial=0.0)) - 1
    else:
        worst = float(known.max(initial=0.0)) + 1
    return np.where(unreached, worst, values)


@dataclass(frozen=True, eq=False)
class Signs:
    """Of P pairs: queries, wins, ties, losses int64[P]; the sign test; ``superiority`` float64[P]. ``first_mean``,
    ``second_mean`` and ``difference`` float64[P] are NaN unless both runs reach all that they have in common."""

    n: Ints
    wins: Ints
    ties: Ints
    losses: Ints
    superiority: Floats
    first_mean: Floats
    second_mean: Floats
    difference: Floats
    column: Column


def signs_of(values: Floats, unreached: Bools, first: Ints, second: Ints, tie: float, higher_is_better: bool) -> Signs:
    """Pairs (first, second) int64[P] of runs over the queries that both have: float64[R, Q], NaN where a run lacks one,
    ``unreached`` bool[R, Q] where it has it and does not reach it. Differences up to ``tie`` count as none; not so
    between what is reached and what is not."""
    filled = as_worst(values, unreached, higher_is_better)
    present = ~np.isnan(filled)
    size, decimals = len(first), decimals_of(filled)
    counts = np.zeros((4, size), np.int64)
    means = np.full((3, size), np.nan)
    parts: list[tuple[Ints, Column]] = []
    for pattern in patterns(present[first] & present[second]) if size else ():
        mine, its = (
            np.ascontiguousarray(filled[np.ix_(runs[pattern.pairs], pattern.queries)]) for runs in (first, second)
        )
        gone = [unreached[np.ix_(runs[pattern.pairs], pattern.queries)] for runs in (first, second)]
        difference = differences(mine, its, decimals)
        one_only = gone[0] != gone[1]
        equal = (np.abs(difference) <= tie) & ~one_only
        side = np.where(equal, 0.0, np.sign(difference)) * (1 if higher_is_better else -1)
        held = len(pattern.queries)
        wins, losses = (side > 0).sum(axis=1), (side < 0).sum(axis=1)
        counts[:, pattern.pairs] = np.stack([np.full(len(wins), held), wins, held - wins - losses, losses])
        # The test is told the values as they are, whatever counts as a tie.
        parts.append((pattern.pairs, sign_column(difference, higher_is_better)))
        whole = ~(gone[0].any(axis=1) | gone[1].any(axis=1))
        found = np.stack([average(mine), average(its), average(difference)])
        means[:, pattern.pairs] = np.where(whole, found, np.nan)
    n, won, ties, lost = counts
    superiority = np.divide(won + ties / 2, n, out=np.full(size, np.nan), where=n > 0)
    column = put_together(parts, size) if parts else sign_column(np.empty((size, 0)))
    return Signs(n, won, ties, lost, superiority, means[0], means[1], means[2], column)


def no_posteriors(size: int, method: BayesMethod, level: float, rope: float) -> Posteriors:
    """Of P pairs of which nothing is known but signs."""
    none = np.full(size, np.nan)
    return Posteriors(method, level, rope, none, none, none, none, none, none, none)

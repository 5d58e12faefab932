"""Comparison by signs, for measures that some runs never reach, such as the rank at a recall, which has no value where
a run does not get to that recall: leaving such queries out would flatter the run.

A value that is not reached is worse than every value that is, and equal to another that is not; the size of the
difference is unknown, so there are wins and losses and the sign test, but no differences of means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.bayes import BayesMethod, Posteriors
from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.significance.paired import sign_column
from irviewer.analysis.statistics.significance.resampling import differences, patterns
from irviewer.analysis.statistics.significance.test_results import Column, put_together
from irviewer.model.arrays import Bools, Floats, Ints

TEST = "sign"
"""The test that then decides, whichever was declared."""


def as_worst(values: Floats, unreached: Bools, higher_is_better: bool) -> Floats:
    """Return the values with unreached ones worse than every other by 1; other NaNs stay."""
    finite = values[np.isfinite(values)]
    if higher_is_better:
        worst = float(finite.min(initial=0.0)) - 1
    else:
        worst = float(finite.max(initial=0.0)) + 1
    return np.where(unreached, worst, values)


@dataclass(frozen=True, eq=False)
class Signs:
    """The comparison of P pairs by signs: queries, wins, ties, losses int64[P]; the sign test; ``superiority``
    float64[P]. ``first_mean``, ``second_mean`` and ``difference`` float64[P] are NaN unless both runs reach a value on
    all queries that they have in common."""

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
    """Compare pairs (first, second) int64[P] of runs over the queries that both have.

    ``values`` float64[R, Q] are NaN where a run lacks a query, and where it has it but does not reach a value,
    ``unreached`` bool[R, Q]. Differences up to ``tie`` are ties, but not between a reached and an unreached value."""
    filled = as_worst(values, unreached, higher_is_better)
    present = ~np.isnan(filled)
    size = len(first)
    counts = np.zeros((4, size), np.int64)
    means = np.full((3, size), np.nan)
    parts: list[tuple[Ints, Column]] = []
    for pattern in patterns(present[first] & present[second]) if size else ():
        first_values, second_values = (
            np.ascontiguousarray(filled[np.ix_(runs[pattern.pairs], pattern.queries)]) for runs in (first, second)
        )
        missed = [unreached[np.ix_(runs[pattern.pairs], pattern.queries)] for runs in (first, second)]
        difference = differences(first_values, second_values)
        one_only = missed[0] != missed[1]
        equal = (np.abs(difference) <= tie) & ~one_only
        side = np.where(equal, 0.0, np.sign(difference)) * (1 if higher_is_better else -1)
        n_queries = len(pattern.queries)
        wins, losses = (side > 0).sum(axis=1), (side < 0).sum(axis=1)
        counts[:, pattern.pairs] = np.stack([np.full(len(wins), n_queries), wins, n_queries - wins - losses, losses])
        # The test uses the values as they are, without ``tie``.
        parts.append((pattern.pairs, sign_column(difference, higher_is_better)))
        whole = ~(missed[0].any(axis=1) | missed[1].any(axis=1))
        pattern_means = np.stack([average(first_values), average(second_values), average(difference)])
        means[:, pattern.pairs] = np.where(whole, pattern_means, np.nan)
    n, won, ties, lost = counts
    superiority = np.divide(won + ties / 2, n, out=np.full(size, np.nan), where=n > 0)
    column = put_together(parts, size) if parts else sign_column(np.empty((size, 0)))
    return Signs(n, won, ties, lost, superiority, means[0], means[1], means[2], column)


def no_posteriors(size: int, method: BayesMethod, level: float, rope: float) -> Posteriors:
    """Return empty posteriors, NaN, for P pairs that have signs only."""
    nan = np.full(size, np.nan)
    return Posteriors(method, level, rope, nan, nan, nan, nan, nan, nan, nan)

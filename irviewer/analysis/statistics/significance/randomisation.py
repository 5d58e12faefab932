"""Fisher's randomisation test for many pairs: exact where few queries differ, else drawn at random; where too few draws
reach the difference for a usable p, an upper bound is counted on a grid."""

from __future__ import annotations

import math

import numpy as np

from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, signed_sums
from irviewer.analysis.statistics.significance.test_results import RARE, Column, column
from irviewer.model.arrays import Floats

MOST = 256
"""Queries with a difference up to which sums are counted on a grid: beyond, a grid that is fine enough takes too
long."""
LEAST_CELLS = 4096


def share_at_most(values: Floats, total: float, slack: float = 0.0) -> float:
    """Return an upper bound, close to the share of the 2^n assignments of signs to ``values`` float64[n] whose absolute
    sum is at least ``total`` > 0.

    A sum reaches the total where the values with the other sign add up to at most half of Σ|values| - total. Those
    subset sums are counted by dynamic programming on a grid that ends there, every value rounded down to it: no sum is
    missed, and those counted in excess lie within a few cells of the edge. ``slack`` is the rounding of sums, within
    which a tie counts."""
    sizes = np.sort(np.abs(values))
    n = len(sizes)
    room = (float(sizes.sum()) - total) / 2 + slack
    if room < 0:
        return 0.0
    cells = max(LEAST_CELLS, 1 << math.ceil(math.log2(4 * max(n, 1) ** 1.5)))
    steps = np.full(n, cells + 1.0) if room == 0 else np.minimum(np.floor(sizes / room * cells), cells + 1.0)
    counts = np.zeros(cells + 1)
    counts[0] = 1.0
    top = 0
    for step in steps.astype(np.int64).tolist():
        if step > cells:
            break  # neither this value nor any larger one can have the other sign
        top = min(cells, top + step)
        counts[step : top + 1] += counts[: top + 1 - step].copy()
    return float(min(1.0, math.ldexp(float(counts[: top + 1].sum()), 1 - n)))


EXACT = 25
"""Queries with a difference up to which all 2^n assignments are counted, each half against the other, which costs
2^(n/2)."""


def randomisation_column(
    difference: Floats, *, samples: int = SAMPLES, seed: int = SEED, scale: float = 1.0, drawn: Floats | None = None,
    exact_up_to: int = EXACT,
) -> Column:  # fmt: skip
    """Return the two-sided p of the mean difference for P rows float64[P, n] without NaN (Fisher 1935; Smucker et al.
    2007).

    Signs change at random; p is the share of assignments whose absolute mean is at least the observed one, ties
    included. Where drawn, the observed assignment is one of the draws: (b+1)/(B+1). Where fewer than RARE draws reach
    it, too few for a correction over many pairs, and at most MOST queries differ, p is counted on a grid of sums: never
    below the exact p, and near it. ``drawn`` float64[P, samples] are the sums under drawn signs, where the caller has
    them; ``scale`` is the largest value, which bounds the rounding; up to ``exact_up_to`` differences p is exact."""
    size, n = difference.shape
    used = (difference != 0).sum(axis=1)
    total = difference.sum(axis=1)
    p = np.ones(size)
    exact = used <= exact_up_to
    grid = np.zeros(size, bool)
    slack = 1e-12 * scale * max(n, 1)
    for row in np.flatnonzero(exact):
        values = difference[row]
        p[row] = _counted(values[values != 0], abs(float(total[row])), slack)
    drawn_rows = np.flatnonzero(~exact)
    if len(drawn_rows):
        sums = signed_sums(difference[drawn_rows], samples, seed) if drawn is None else drawn[drawn_rows]
        least = np.abs(total[drawn_rows])[:, None] - slack
        reached = ((sums >= least) | (sums <= -least)).sum(axis=1)
        samples = sums.shape[1]
        p[drawn_rows] = (reached + 1) / (samples + 1)
        for row in drawn_rows[(reached < RARE) & (used[drawn_rows] <= MOST)].tolist():
            values = difference[row]
            p[row], grid[row] = share_at_most(values[values != 0], abs(float(total[row])), slack), True
    mean = total / max(n, 1)
    return column("randomisation", n, used, mean, p, total, exact=exact, grid=grid, seed=seed, samples=samples)


def _counted(values: Floats, total: float, slack: float) -> float:
    """The share of all assignments of signs whose absolute sum is at least ``total``."""
    if total <= slack:
        return 1.0
    half = len(values) // 2
    first_sums, second_sums = _sums(values[:half]), np.sort(_sums(values[half:]))
    # The sums lie symmetrically about 0: those at or below -total are as many as those at or above total.
    reached = len(second_sums) - np.searchsorted(second_sums, total - slack - first_sums)
    return float(min(1.0, 2 * int(reached.sum()) / 2.0 ** len(values)))


def _sums(values: Floats) -> Floats:
    """All 2^n sums of the values under signs."""
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate([sums + value, sums - value])
    return sums

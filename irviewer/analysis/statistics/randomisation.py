"""Fisher's randomisation test for many pairs at once: counted out where few queries differ, else drawn; and where too
few of the drawn reach the difference to tell how seldom that is, counted on a grid.

Knows arrays of differences, nothing of runs."""

from __future__ import annotations

import math

import numpy as np

from irviewer.analysis.statistics.resampling import SAMPLES, SEED, signed_sums
from irviewer.analysis.statistics.test_results import RARE, Column, column
from irviewer.model.arrays import Floats

# How seldom random signs reach a large sum: counted on a grid of sums, where drawing would have to go on for hours.
#
# Knows one pair's differences, nothing of runs.

MOST = 256
"""Queries with a difference up to which sums are counted: beyond, a grid that is fine enough takes too long."""
LEAST_CELLS = 4096


def share_at_most(values: Floats, total: float, slack: float = 0.0) -> float:
    """At least, and nearly, the share of the 2^n assignments of signs to ``values`` float64[n] whose absolute sum is at
    least ``total`` > 0.

    A sum reaches the total where the values that are turned round add up to half of what is missing to Σ|values| at
    most. Those subset sums are counted one value after the other (dynamic programming) on a grid that ends there, every
    value rounded down to it: nothing that counts is lost, and what is counted too much lies within a few cells of the
    edge. ``slack`` is the rounding of sums, within which a tie counts."""
    sizes = np.sort(np.abs(values))
    n = len(sizes)
    room = (float(sizes.sum()) - total) / 2 + slack
    if room < 0:
        return 0.0
    cells = max(LEAST_CELLS, 1 << math.ceil(math.log2(4 * max(n, 1) ** 1.5)))
    steps = np.full(n, cells + 1.0) if room == 0 else np.minimum(np.floor(sizes / room * cells), cells + 1.0)
    found = np.zeros(cells + 1)
    found[0] = 1.0
    top = 0
    for step in steps.astype(np.int64).tolist():
        if step > cells:
            break  # neither this nor any larger one may be turned round
        top = min(cells, top + step)
        found[step : top + 1] += found[: top + 1 - step].copy()
    return float(min(1.0, math.ldexp(float(found[: top + 1].sum()), 1 - n)))


EXACT = 25
"""Queries with a difference up to which all 2^n assignments are counted: half of them against the other half, so that
it costs 2^(n/2)."""


def randomisation_column(
    difference: Floats, *, samples: int = SAMPLES, seed: int = SEED, scale: float = 1.0, drawn: Floats | None = None
) -> Column:
    """Two-sided p of the mean difference for P rows float64[P, n] without NaN (Fisher 1935; Smucker et al. 2007).

    Signs change at random; p is the share of assignments whose absolute mean is at least the observed one, a tie
    counting. Where drawn, the observed assignment is one of them: (b+1)/(B+1). Where fewer than RARE of the drawn reach
    it, which says little after a correction over many pairs, and at most MOST queries differ, p is counted on a grid of
    sums: never below the exact one, and near it. ``drawn`` float64[P, samples] are the sums under drawn signs, where
    the caller has them; ``scale`` is the largest value, which bounds the rounding."""
    size, n = difference.shape
    used = (difference != 0).sum(axis=1)
    total = difference.sum(axis=1)
    p = np.ones(size)
    exact = used <= EXACT
    grid = np.zeros(size, bool)
    slack = 1e-12 * scale * max(n, 1)
    for row in np.flatnonzero(exact):
        values = difference[row]
        p[row] = _counted(values[values != 0], abs(float(total[row])), slack)
    rest = np.flatnonzero(~exact)
    if len(rest):
        sums = signed_sums(difference[rest], samples, seed) if drawn is None else drawn[rest]
        least = np.abs(total[rest])[:, None] - slack
        reached = ((sums >= least) | (sums <= -least)).sum(axis=1)
        samples = sums.shape[1]
        p[rest] = (reached + 1) / (samples + 1)
        for row in rest[(reached < RARE) & (used[rest] <= MOST)].tolist():
            values = difference[row]
            p[row], grid[row] = share_at_most(values[values != 0], abs(float(total[row])), slack), True
    mean = total / max(n, 1)
    return column("randomisation", n, used, mean, p, total, exact=exact, grid=grid, seed=seed, samples=samples)


def _counted(values: Floats, total: float, slack: float) -> float:
    """The share of all assignments of signs whose absolute sum is at least ``total``."""
    if total <= slack:
        return 1.0
    half = len(values) // 2
    one, two = _sums(values[:half]), np.sort(_sums(values[half:]))
    # The sums lie symmetrically about 0: those at or below -total are as many as those at or above total.
    reached = len(two) - np.searchsorted(two, total - slack - one)
    return float(min(1.0, 2 * int(reached.sum()) / 2.0 ** len(values)))


def _sums(values: Floats) -> Floats:
    """All 2^n sums under signs."""
    found = np.zeros(1)
    for value in values.tolist():
        found = np.concatenate([found + value, found - value])
    return found

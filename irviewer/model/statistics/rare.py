"""How seldom random signs reach a large sum: counted on a grid of sums, where drawing would have to go on for hours.

Knows one pair's differences, nothing of runs."""

from __future__ import annotations

import math

import numpy as np

from irviewer.model.arrays import Floats

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

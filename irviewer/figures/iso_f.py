"""Lines of equal F1 in a plot of precision against recall: F = 2PR / (P + R), so P = FR / (2R - F)."""

from __future__ import annotations

from functools import cache

import numpy as np

from irviewer.figures.figure import Guide
from irviewer.model.arrays import frozen

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
POINTS = 60


@cache
def iso_f_lines() -> tuple[Guide, ...]:
    """A line for each of LEVELS, from precision 1 to recall 1; the highest says what they are."""
    found = []
    for level in LEVELS:
        first = level / (2 - level)  # the recall that precision 1 wants, and the precision that recall 1 wants
        # Even steps in recall would leave the steep beginning with corners: the line is even in P / R's logarithm.
        ratio = np.exp(np.linspace(np.log(1 / first), np.log(first), POINTS))
        recall = level * (1 + ratio) / (2 * ratio)
        label = f"{level:.1f}".removeprefix("0")
        found.append(Guide(f"F1 = {label}" if level == LEVELS[-1] else label, frozen(recall), frozen(ratio * recall)))
    return tuple(found)

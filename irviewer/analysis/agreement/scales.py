"""The scales of two judges: the grades that either gives, and whether grades of both can be compared."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints
from irviewer.model.judgments.panel import Panel

FARTHEST = 1.5
"""If the highest grades differ by a larger factor, the judges have different scales."""
RARE, STRAY = 0.01, 0.001
"""A smaller share of grades above all others does not make a scale higher. Of the judge with the lower scale, grades
up to the end of the other scale count from the second share on."""
FEWEST = 20
"""A judge with fewer judgments may not have used all of its scale; it is taken to be the other's."""


def scale_of(panel: Panel, first: int, second: int) -> Floats:
    """Return float64[K]: the grades that either of two judges gives, ascending, whatever other judges give."""
    both = panel.grades[:, [first, second]]
    return np.unique(both[~np.isnan(both)])


def positions(panel: Panel, first: int, second: int, levels: Ints) -> Floats:
    """Return the positions of grades, indices of the panel's scale, in the scale of two judges."""
    return np.searchsorted(scale_of(panel, first, second), panel.scale[levels]).astype(np.float64)


def top_of(panel: Panel, judge: int) -> float:
    """Return the highest grade that a judge gives, without rare ones; 0 if it has judged nothing."""
    own = panel.grades[panel.judged[:, judge], judge]
    return float(np.quantile(own, 1 - RARE)) if len(own) else 0.0


def scales_differ(panel: Panel, first: int, second: int) -> bool:
    """Return whether two judges' grades cannot be compared: yes and no against grades, 0 to 3 against 0 to 100."""
    low, high = sorted((first, second), key=lambda judge: top_of(panel, judge))
    top = top_of(panel, high)
    own = panel.grades[panel.judged[:, low], low]
    if len(own) < FEWEST:
        return False
    # One grade 3 among 500 makes a scale of four grades, one among 5,000 is a slip.
    least = max(top_of(panel, low), min(top, float(np.quantile(own, 1 - STRAY, method="higher"))))
    if least <= 0:
        return False
    return top / least > FARTHEST or least <= 1 < top


def apart(panel: Panel) -> Bools:
    """Return bool[J, J]: the pairs of judges whose scales differ."""
    size = len(panel.sets)
    result = np.zeros((size, size), dtype=np.bool_)
    for row in range(size):
        for column in range(row):
            result[row, column] = result[column, row] = scales_differ(panel, row, column)
    return result


def ends_apart(panel: Panel, different: Bools) -> list[tuple[int, int, float, float]]:
    """Return (first, second, low, high) for judges whose scales may differ, though their grades cannot show it: both
    have judged enough, the first gives ``low`` at most and the second ``high``, not rarely. ``different`` are the pairs
    whose scales do differ."""
    enough = np.flatnonzero(panel.judged.sum(axis=0) >= FEWEST).tolist()
    highest = {judge: float(np.nanmax(panel.grades[:, judge])) for judge in enough}
    return [
        (first, second, highest[first], top_of(panel, second))
        for first in enough
        for second in enough
        if not different[first, second] and highest[first] < top_of(panel, second)
    ]

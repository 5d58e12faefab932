"""Gain and discount: what a grade is worth, and what a rank takes from it. Shared by measures, curves and ideals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.model.arrays import Floats, Ints


def gains_of(grades: Floats, dcg: str, gains: Mapping[float, float] | None) -> Floats:
    """The gain of each grade, float64; negative grades gain nothing."""
    if gains:
        result = grades.copy()
        for grade, gain in gains.items():
            result[grades == grade] = gain
    else:
        result = 2.0**grades - 1.0 if dcg.startswith("exp") else grades
    return np.where((grades < 0) if not gains else (grades < 0) & ~np.isin(grades, list(gains)), 0.0, result)


def discount_of(ranks: Ints, dcg: str, base: float) -> Floats:
    """What the gain at each rank is divided by, float64."""
    if dcg.endswith("jk"):
        return np.asarray(np.log(np.maximum(ranks, base)) / np.log(base))
    return np.asarray(np.log2(ranks + 1.0))

"""Logarithms for geometric means, with a lower bound for the values."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats, Ints

GEOMETRIC_FLOOR = 0.00001
"""The lowest value under the logarithm, trec_eval's MIN_GEO_MEAN."""


def logarithms(values: Floats) -> Floats:
    """Return the natural logarithms of values, none below GEOMETRIC_FLOOR; NaN stays NaN."""
    return np.asarray(np.log(np.maximum(values, GEOMETRIC_FLOOR)))


def at_floor(values: Floats) -> Ints:
    """Return how many of the values float64[R, Q] count as GEOMETRIC_FLOOR, int64[R]."""
    return np.asarray((values <= GEOMETRIC_FLOOR).sum(axis=1), np.int64)  # NaN is not less

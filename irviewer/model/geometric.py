"""What a geometric mean is made of: the logarithms of its values, none of which counts as less than a floor."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats, Ints

GEOMETRIC_FLOOR = 0.00001
"""trec_eval's MIN_GEO_MEAN: no value is less under the logarithm."""


def logarithms(values: Floats) -> Floats:
    """The natural logarithms that a geometric mean is the mean of; NaN stays."""
    return np.asarray(np.log(np.maximum(values, GEOMETRIC_FLOOR)))


def at_floor(values: Floats) -> Ints:
    """int64[R]: of float64[R, Q] how many values count as GEOMETRIC_FLOOR."""
    return np.asarray((values <= GEOMETRIC_FLOOR).sum(axis=1), np.int64)  # NaN is not less

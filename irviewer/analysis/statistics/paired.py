"""Tests of two runs over the same queries, paired t and sign: columns of many pairs at once, from differences
float64[P, n] without NaN.

Knows no correction, no file and no window. The p-values are those of scipy.stats, which is not imported, for it takes
half a second."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.statistics.test_results import Column, column
from irviewer.model.arrays import Floats


def t_column(difference: Floats) -> Column:
    """Student's t of the mean difference, n - 1 degrees of freedom, P pairs (Student 1908). Equal differences that are
    not zero make it infinite, and there is no p (NaN); all zero, or one query, make p 1."""
    from scipy.special import stdtr

    size, n = difference.shape
    if n < 2:
        return column("t", n, n, np.zeros(size), np.ones(size), np.zeros(size), df=0)
    mean = difference.mean(axis=1)
    error = standard_error(difference)
    t = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.copysign(np.inf, mean)), where=error > 0)
    p = np.where(np.isinf(t), np.nan, np.minimum(1.0, 2 * stdtr(n - 1, -np.abs(t))))
    used = np.where(np.any(difference != 0, axis=1), n, 0)
    return column("t", n, used, t, p, mean, df=n - 1)


def standard_error(difference: Floats) -> Floats:
    """Of the mean, float64[P], n - 1 in the denominator; exactly 0 where all differences are the same."""
    n = difference.shape[1]
    found = difference.std(axis=1, ddof=1) / np.sqrt(n)
    found[np.ptp(difference, axis=1) == 0] = 0
    return np.asarray(found)


def sign_column(difference: Floats, higher_is_better: bool = True) -> Column:
    """The binomial test of wins against losses, ties left out (Conover 1999, 3.4). The statistic is the wins, of a cost
    the differences below 0."""
    from scipy.special import bdtr

    more = (difference > 0).sum(axis=1)
    less = (difference < 0).sum(axis=1)
    wins, losses = (more, less) if higher_is_better else (less, more)
    used = wins + losses
    p = np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses).astype(np.float64), np.maximum(used, 1), 0.5))
    p = np.where(used == 0, 1.0, p)
    return column("sign", difference.shape[1], used, wins.astype(np.float64), p, more - less, exact=True)

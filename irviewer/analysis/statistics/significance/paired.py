"""Paired t-test and sign test for many pairs, from differences float64[P, n] without NaN.

The p-values are those of scipy.stats, which is not imported because that takes half a second."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.statistics.significance.test_results import Column, column
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats


def t_column(difference: Floats) -> Column:
    """Return Student's t of the mean difference, n - 1 degrees of freedom, for P pairs (Student 1908). Differences that
    are equal and not zero make t infinite and p NaN; with all zero, or one query, p is 1."""
    size, n = difference.shape
    if n < 2:
        return column("t", n, n, np.zeros(size), np.ones(size), np.zeros(size), df=0)
    mean = difference.mean(axis=1)
    t, p = t_and_p(mean, standard_error(difference), n)
    used = np.where(np.any(difference != 0, axis=1), n, 0)
    return column("t", n, used, t, p, mean, df=n - 1)


def t_and_p(mean: Floats, error: Floats, n: int) -> tuple[Floats, Floats]:
    """Return Student's t and its two-sided p, float64[P], of means of n >= 2 differences and their standard errors."""
    stdtr = special().stdtr

    t = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.copysign(np.inf, mean)), where=error > 0)
    return t, np.where(np.isinf(t), np.nan, np.minimum(1.0, 2 * stdtr(n - 1, -np.abs(t))))


def standard_error(difference: Floats) -> Floats:
    """Return the standard error of the mean, float64[P], n - 1 in the denominator; exactly 0 where all differences are
    the same."""
    n = difference.shape[1]
    error = difference.std(axis=1, ddof=1) / np.sqrt(n)
    error[np.ptp(difference, axis=1) == 0] = 0
    return np.asarray(error)


def sign_column(difference: Floats, higher_is_better: bool = True) -> Column:
    """Return the binomial test of wins against losses, ties left out (Conover 1999, 3.4). The statistic is the number
    of wins, which are differences below 0 where less is better."""
    bdtr = special().bdtr

    above = (difference > 0).sum(axis=1)
    below = (difference < 0).sum(axis=1)
    wins, losses = (above, below) if higher_is_better else (below, above)
    used = wins + losses
    p = np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses).astype(np.float64), np.maximum(used, 1), 0.5))
    p = np.where(used == 0, 1.0, p)
    return column("sign", difference.shape[1], used, wins.astype(np.float64), p, above - below, exact=True)

"""Tests of two runs over the same queries: paired t, sign, Wilcoxon, Fisher's randomisation. One pair gives a record;
many pairs at once give columns, from differences float64[P, n] without NaN.

Knows no correction, no file and no window. Where scipy.stats has the test the p-value is scipy's; it is not imported,
for it takes half a second."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.randomisation import randomisation_column
from irviewer.analysis.statistics.resampling import SAMPLES, SEED, decimals_of, differences
from irviewer.analysis.statistics.test_results import Column, TestResult, column
from irviewer.analysis.statistics.wilcoxon import wilcoxon_column
from irviewer.errors import OptionError
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


def paired_t(first: npt.ArrayLike, second: npt.ArrayLike) -> TestResult:
    """The paired t-test of two runs' values float64[Q] by query. Queries where either is NaN are left out and counted
    in ``dropped``. Raises OptionError where the two are not over the same queries."""
    difference, dropped, _ = _complete(first, second)
    return t_column(difference).result(0, dropped)


def sign_test(first: npt.ArrayLike, second: npt.ArrayLike) -> TestResult:
    """The sign test, as :func:`paired_t`."""
    difference, dropped, _ = _complete(first, second)
    return sign_column(difference).result(0, dropped)


def wilcoxon(
    first: npt.ArrayLike, second: npt.ArrayLike, *, zeros: Literal["wilcox", "pratt"] = "wilcox"
) -> TestResult:
    """Wilcoxon's signed-rank test, as :func:`paired_t`. ``zeros``: queries without a difference are left out before
    ranking ("wilcox") or after ("pratt"). Exact or approximated as scipy chooses (``method="auto"``)."""
    if zeros not in ("wilcox", "pratt"):
        raise OptionError(f"zeros: {zeros!r} is neither 'wilcox' nor 'pratt'")
    difference, dropped, _ = _complete(first, second)
    return wilcoxon_column(difference, zeros).result(0, dropped)


def fisher_randomisation(
    first: npt.ArrayLike, second: npt.ArrayLike, *, samples: int = SAMPLES, seed: int = SEED
) -> TestResult:
    """Fisher's randomisation test of the mean difference, as :func:`paired_t`: every assignment of signs is counted
    where at most 25 queries differ, else ``samples`` of them are drawn and p is (b+1)/(B+1) (Smucker et al. 2007).
    Where fewer than 10 of the drawn reach the difference and at most 256 queries differ, sums are counted on a grid,
    and p is at least the exact one (``at_most``)."""
    difference, dropped, scale = _complete(first, second)
    return randomisation_column(difference, samples=samples, seed=seed, scale=scale).result(0, dropped)


def _complete(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Floats, int, float]:
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.ndim != 1 or one.shape != two.shape:
        raise OptionError(f"two runs are compared query by query; there are {one.shape} and {two.shape} values")
    kept = ~(np.isnan(one) | np.isnan(two))
    both = np.stack([one[kept], two[kept]])
    scale = float(np.max(np.abs(both), initial=1.0))
    return differences(both[:1], both[1:], decimals_of(both)), int((~kept).sum()), scale

"""The tests of two runs and their power, each of one pair alone: what the columns of many pairs are compared with.

Goes to the columns of ``irviewer.analysis.statistics`` by the shortest way; scipy is the oracle of both."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.analysis.planning.detectable import POWER, Detectable, detectable
from irviewer.analysis.statistics.significance.paired import sign_column, t_column
from irviewer.analysis.statistics.significance.randomisation import randomisation_column
from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, differences
from irviewer.analysis.statistics.significance.test_results import TestResult
from irviewer.analysis.statistics.significance.wilcoxon import wilcoxon_column
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats


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
    ours, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if ours.ndim != 1 or ours.shape != two.shape:
        raise OptionError(f"two runs are compared query by query; there are {ours.shape} and {two.shape} values")
    kept = ~(np.isnan(ours) | np.isnan(two))
    both = np.stack([ours[kept], two[kept]])
    scale = float(np.max(np.abs(both), initial=1.0))
    return differences(both[:1], both[1:]), int((~kept).sum()), scale


def detectable_of(
    difference: npt.ArrayLike, *, alpha: float = 0.05, power: float = POWER, smallest: float | None = None
) -> Detectable:
    """What the queries of one pair can show, from its differences, float64[Q]; NaN is left out. For a test among m,
    give Bonferroni's alpha / m."""
    values = np.asarray(difference, np.float64)
    values = values[~np.isnan(values)]
    n = len(values)
    deviation = float("nan") if n < 2 else 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
    return detectable(n, deviation, alpha=alpha, power=power, smallest=smallest)

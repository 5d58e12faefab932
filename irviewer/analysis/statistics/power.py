"""How many queries it takes to see a difference, and what difference these queries can see, with the paired t-test.

Knows numbers only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.number_text import counted, limit, percent, quantity, times

POWER = 0.8
MOST_QUERIES = 10**9
"""Queries beyond which a difference counts as none."""


@dataclass(frozen=True)
class Power:
    """For one pair of runs over n queries.

    difference, deviation   mean and standard deviation of the differences seen
    reached                 the chance that a test of n queries shows a true difference of this size
    needed                  queries at which that chance is ``power``; None where no number is enough (no difference)
    detectable              the true difference that n queries show with that chance; NaN for fewer than two
    geometric               all three are of logarithms: what is said of them are ratios of geometric means
    """

    n: int
    difference: float
    deviation: float
    alpha: float
    power: float
    reached: float
    needed: int | None
    detectable: float
    geometric: bool = False

    def _size(self, difference: float) -> str:
        """A difference without its direction, as a ratio where means are geometric."""
        return f"a ratio of {times(ratio_of(abs(difference)))}" if self.geometric else quantity(abs(difference))

    @property
    def sentence(self) -> str:
        """In words."""
        chance, queries = percent(self.power), counted(self.n, "query", "queries")
        if np.isnan(self.difference):
            return "Without a difference of means nothing can be said of power."
        if self.deviation == 0:
            same = "zero" if self.difference == 0 else self._size(self.difference)
            return f"All {self.n:,} differences are {same}: without spread nothing can be said of power."
        if np.isnan(self.detectable):
            return f"{queries} cannot say how much differences vary."
        true = self._size(self.detectable) if self.geometric else f"a true difference of {self._size(self.detectable)}"
        seen = f"These {queries} show {true} with a chance of {chance}."
        if self.needed is None:
            return f"No number of queries shows a difference of nothing. {seen}"
        needed = counted(self.needed, "query", "queries")
        true = f"{self._size(self.difference)} is the true {'one' if self.geometric else 'difference'}"
        return (
            f"If {true}, {needed} would show it with a chance of {chance} (paired t-test, "
            f"p < {limit(float(f'{self.alpha:.2g}'))}); with these {queries} the chance is {percent(self.reached)}. "
            f"{seen}"
        )


def power_from(
    n: int, mean: float, deviation: float, *, alpha: float = 0.05, power: float = POWER, geometric: bool = False
) -> Power:
    """Power from the number of queries, the mean of their differences and its standard deviation (n - 1); with
    ``geometric`` they are differences of logarithms. Differences without spread say nothing of power: nothing is
    reached, needed or seen."""
    _check(alpha, power)
    if n < 2:
        return Power(n, mean, float("nan"), alpha, power, 0.0, None, float("nan"), geometric)
    if deviation == 0 or np.isnan(deviation):
        return Power(n, mean, deviation, alpha, power, float("nan"), None, float("nan"), geometric)
    d = abs(mean) / deviation
    return Power(
        n, mean, deviation, alpha, power, float(t_power(d, n, alpha)), needed_queries(d, alpha, power),
        detectable_d(n, alpha, power) * deviation, geometric,
    )  # fmt: skip


def t_power(d: npt.ArrayLike, n: npt.ArrayLike, alpha: float = 0.05) -> Floats:
    """The chance that a two-sided paired t-test of n queries has p < alpha where Cohen's d_z is d: the noncentral t
    distribution (Cohen 1988). Broadcasts d and n; n is 2 or more."""
    from scipy.special import nctdtr, ndtr, stdtrit

    size = np.asarray(n, np.float64)
    df = size - 1
    shift = np.abs(np.asarray(d, np.float64)) * np.sqrt(size)
    critical = stdtrit(df, 1 - alpha / 2)
    missed = np.asarray(nctdtr(df, shift, critical))
    # Far out the series gives up: there the normal approximation is exact enough (Abramowitz and Stegun 26.7.10), and
    # nothing is left below the other critical value.
    near = ndtr((critical * (1 - 1 / (4 * df)) - shift) / np.sqrt(1 + critical**2 / (2 * df)))
    wrong = np.nan_to_num(nctdtr(df, shift, -critical))
    return np.asarray(1 - np.where(np.isnan(missed), near, missed) + wrong)


def needed_queries(d: float, alpha: float = 0.05, power: float = POWER) -> int | None:
    """The least number of queries with which the test has that power for Cohen's d_z; None where a thousand million are
    not enough."""
    _check(alpha, power)
    d = abs(d)
    if d == 0:
        return None
    low, high = 1, 2
    while high <= MOST_QUERIES and t_power(d, high, alpha) < power:
        low, high = high, high * 2
    if high > MOST_QUERIES:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if t_power(d, middle, alpha) < power else (low, middle)
    return high


def detectable_d(n: int, alpha: float = 0.05, power: float = POWER) -> float:
    """The least Cohen's d_z that n >= 2 queries show with that power."""
    _check(alpha, power)
    low, high = 0.0, 1.0
    while t_power(high, n, alpha) < power:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_power(middle, n, alpha) < power else (low, middle)
    return high


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < power < 1:
        raise OptionError(f"alpha is {alpha} and power {power}; 0 < alpha < power < 1 is wanted")

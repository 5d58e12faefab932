"""Power of the paired t-test: the queries needed for a difference, and the difference that a number of queries can
show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import limit, percent, quantity, times
from irviewer.translation import tr, trn

POWER = 0.8
MOST_QUERIES = 10**9
"""Queries beyond which a difference counts as not detectable."""


@dataclass(frozen=True)
class Power:
    """The power of a test of two runs over n queries.

    difference, deviation   mean and standard deviation of the observed differences
    reached                 the probability that a test of n queries shows a true difference of this size
    needed                  queries at which that probability is ``power``; None if no number is enough
    detectable              the true difference that n queries show with that probability; NaN for fewer than two
    geometric               all three are of logarithms and shown as ratios of geometric means
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
        size = abs(difference)
        return times(ratio_of(size)) if self.geometric else quantity(size)

    @property
    def sentence(self) -> str:
        """The power in words."""
        chance = percent(self.power)
        if np.isnan(self.difference):
            return tr("No power: there is no difference of means.")
        if self.deviation == 0:
            same = quantity(0) if self.difference == 0 else self._size(self.difference)
            return tr("No power: all {n:,} differences are {value}, without spread.", n=self.n, value=same)
        if np.isnan(self.detectable):
            return trn(
                "{n:,} query does not show how much differences vary.",
                "{n:,} queries do not show how much differences vary.",
                self.n,
            )
        detectable = self._size(self.detectable)
        can_show = (
            trn(
                "This {n:,} query shows a true ratio of {size} with a probability of {chance}.",
                "These {n:,} queries show a true ratio of {size} with a probability of {chance}.",
                self.n,
                size=detectable,
                chance=chance,
            )
            if self.geometric
            else trn(
                "This {n:,} query shows a true difference of {size} with a probability of {chance}.",
                "These {n:,} queries show a true difference of {size} with a probability of {chance}.",
                self.n,
                size=detectable,
                chance=chance,
            )
        )
        if self.needed is None:
            return tr("No number of queries shows a difference of 0. {can_show}", can_show=can_show)
        size, alpha = self._size(self.difference), limit(float(f"{self.alpha:.2g}"))
        needed = (
            trn(
                "If the true ratio is {size}, {n:,} query shows it with a probability of {chance} (paired t-test, "
                "p < {alpha}); with these {queries:,} the probability is {reached}.",
                "If the true ratio is {size}, {n:,} queries show it with a probability of {chance} (paired t-test, "
                "p < {alpha}); with these {queries:,} the probability is {reached}.",
                self.needed, size=size, chance=chance, alpha=alpha, queries=self.n, reached=percent(self.reached),
            )
            if self.geometric
            else trn(
                "If the true difference is {size}, {n:,} query shows it with a probability of {chance} (paired t-test, "
                "p < {alpha}); with these {queries:,} the probability is {reached}.",
                "If the true difference is {size}, {n:,} queries show it with a probability of {chance} (paired "
                "t-test, p < {alpha}); with these {queries:,} the probability is {reached}.",
                self.needed, size=size, chance=chance, alpha=alpha, queries=self.n, reached=percent(self.reached),
            )
        )  # fmt: skip
        return f"{needed} {can_show}"


def power_from(
    n: int, mean: float, deviation: float, *, alpha: float = 0.05, power: float = POWER, geometric: bool = False
) -> Power:
    """Return the power from the number of queries and the mean and standard deviation (n - 1) of their differences,
    with ``geometric`` differences of logarithms. Differences without spread give NaN and None."""
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
    """Return the probability that a two-sided paired t-test of n queries has p < alpha where Cohen's d_z is d, from the
    noncentral t distribution (Cohen 1988). Broadcasts d and n; n is 2 or more."""
    functions = special()
    nctdtr, ndtr, stdtrit = functions.nctdtr, functions.ndtr, functions.stdtrit

    size = np.asarray(n, np.float64)
    df = size - 1
    shift = np.abs(np.asarray(d, np.float64)) * np.sqrt(size)
    critical = stdtrit(df, 1 - alpha / 2)
    missed = np.asarray(nctdtr(df, shift, critical))
    # Far out the series is NaN: there the normal approximation is exact enough (Abramowitz and Stegun 26.7.10), and the
    # probability below the other critical value is 0.
    near = ndtr((critical * (1 - 1 / (4 * df)) - shift) / np.sqrt(1 + critical**2 / (2 * df)))
    wrong = np.nan_to_num(nctdtr(df, shift, -critical))
    return np.asarray(1 - np.where(np.isnan(missed), near, missed) + wrong)


def needed_queries(d: float, alpha: float = 0.05, power: float = POWER) -> int | None:
    """Return the least number of queries with which the test has that power for Cohen's d_z; None if 10^9 are not
    enough."""
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
    """Return the least Cohen's d_z that n >= 2 queries show with that power."""
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
        raise OptionError(
            tr("alpha is {alpha} and power is {power}; give 0 < alpha < power < 1", alpha=alpha, power=power)
        )

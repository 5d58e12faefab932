"""What a number of queries can show: the smallest true difference that a paired t-test of them shows with a given
probability, and how many queries a smallest difference that matters needs.

Both come from the spread alone. The power of the difference that was seen is no part of it: it is a function of the
p-value (Hoenig and Heisey, The American Statistician 55(1), 2001)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from irviewer.analysis.planning.designs import Design
from irviewer.analysis.planning.powers import t_power
from irviewer.analysis.statistics.log_ratios import ratio_of
from irviewer.errors import OptionError
from irviewer.model.number_text import alpha_text, percent, quantity, times, units_text
from irviewer.translation import tr, trn

POWER = 0.8


@dataclass(frozen=True)
class Detectable:
    """What n queries can show, and what they would need to.

    deviation   standard deviation of the paired differences (n - 1)
    size        the true difference that n queries show with the probability ``power``; NaN where it is not known
    smallest    the smallest difference that matters; None: not declared
    needed      queries that show ``smallest`` with that probability; None without it, and if no number is enough
    geometric   differences are of logarithms and shown as ratios of geometric means
    unit, units  what queries count together by, and how many units they are; "" where each is one
    """

    n: int
    deviation: float
    alpha: float
    power: float
    size: float
    smallest: float | None = None
    needed: int | None = None
    geometric: bool = False
    by_signs: bool = False
    unit: str = ""
    units: int = 0

    def _shown(self, difference: float) -> str:
        """A difference without its direction, as a ratio where means are geometric."""
        return times(ratio_of(abs(difference))) if self.geometric else quantity(abs(difference))

    @property
    def shown_size(self) -> str:
        """The size as text."""
        return self._shown(self.size)

    def _said_of_units(self, size: str, chance: str, alpha: str) -> str:
        """What queries that count by units can show, in words."""
        queries = units_text(self.n, self.unit, self.units)
        if self.geometric:
            return tr("{queries} can show a true ratio of {size} or more, with a probability of {chance} (paired "
                      "t-test by {unit}, p < {alpha}).",
                      queries=queries, size=size, chance=chance, unit=self.unit, alpha=alpha)  # fmt: skip
        return tr("{queries} can show a true difference of {size} or more, with a probability of {chance} (paired "
                  "t-test by {unit}, p < {alpha}).",
                  queries=queries, size=size, chance=chance, unit=self.unit, alpha=alpha)  # fmt: skip

    @property
    def sentence(self) -> str:
        """Both in words."""
        if self.by_signs:
            return tr("There is no difference of means, so nothing is said of what these queries can show.")
        if self.n < 2:
            return trn(
                "{n:,} query does not show how much differences vary.",
                "{n:,} queries do not show how much differences vary.",
                self.n,
            )
        if math.isnan(self.size):
            return tr("All {n:,} differences are equal: without spread nothing is said of what these queries can show.",
                      n=self.n)  # fmt: skip
        size, chance, alpha = self._shown(self.size), percent(self.power), alpha_text(self.alpha)
        said = (
            self._said_of_units(size, chance, alpha)
            if self.unit
            else trn(
                "This {n:,} query can show a true ratio of {size} or more, with a probability of {chance} (paired "
                "t-test, p < {alpha}).",
                "These {n:,} queries can show a true ratio of {size} or more, with a probability of {chance} (paired "
                "t-test, p < {alpha}).",
                self.n, size=size, chance=chance, alpha=alpha,
            )
            if self.geometric
            else trn(
                "This {n:,} query can show a true difference of {size} or more, with a probability of {chance} (paired "
                "t-test, p < {alpha}).",
                "These {n:,} queries can show a true difference of {size} or more, with a probability of {chance} "
                "(paired t-test, p < {alpha}).",
                self.n, size=size, chance=chance, alpha=alpha,
            )
        )  # fmt: skip
        if self.smallest is None or self.needed is None:
            return said
        needed = trn(
            "For {size}, the smallest that matters, about {n:,} query would be needed, at the spread of these.",
            "For {size}, the smallest that matters, about {n:,} queries would be needed, at the spread of these.",
            self.needed, size=self._shown(self.smallest),
        )  # fmt: skip
        return f"{said} {needed}"


def detectable(
    n: float,
    deviation: float,
    *,
    alpha: float = 0.05,
    power: float = POWER,
    smallest: float | None = None,
    geometric: bool = False,
) -> Detectable:
    """Return what n queries can show whose differences have this standard deviation; with ``geometric`` the difference
    that matters is by how much a ratio is above 1; ``n`` is one more than the degrees of freedom, which may be no whole
    number. Without spread it is NaN. Raises OptionError for alpha and power."""
    _check(alpha, power)
    known = n >= 2 and deviation > 0
    size = detectable_d(n, alpha, power) * deviation if known else math.nan
    matters = math.log1p(smallest) if smallest is not None and geometric else smallest
    needed = Design("difference", matters, 0.0, alpha, power).needed(deviation) if known and matters else None
    return Detectable(int(n), deviation, alpha, power, size, matters, needed, geometric)


def needed_queries(d: float, alpha: float = 0.05, power: float = POWER) -> int | None:
    """Return the least number of queries with which a two-sided paired t-test shows a true difference of d standard
    deviations with that power; None if 10^9 are not enough."""
    _check(alpha, power)
    return Design("difference", abs(d), 0.0, alpha, power).needed(1.0) if d else None


def detectable_d(n: float, alpha: float = 0.05, power: float = POWER) -> float:
    """Return the least true difference, in standard deviations, that n >= 2 queries show with that power."""
    _check(alpha, power)
    return _detectable_d(n, alpha, power)


@lru_cache(maxsize=512)
def _detectable_d(n: float, alpha: float, power: float) -> float:
    low, high = 0.0, 4.0 / math.sqrt(n)
    below, above = alpha - power, t_power(high, n, alpha) - power
    while above < 0:
        low, high, below = high, high * 2, above
        above = t_power(high, n, alpha) - power
    side = 0
    for _ in range(100):  # false position, halving the end that stays (Illinois)
        middle = (low * above - high * below) / (above - below)
        value = t_power(middle, n, alpha) - power
        if abs(value) < 1e-14 or high - low <= 1e-14 * high:
            return middle
        if value < 0:
            low, below, above = middle, value, above / 2 if side < 0 else above
            side = -1
        else:
            high, above, below = middle, value, below / 2 if side > 0 else below
            side = 1
    return high


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < power < 1:
        raise OptionError(
            tr("alpha is {alpha} and power is {power}; give 0 < alpha < power < 1", alpha=alpha, power=power)
        )

"""How many queries a design needs: for a difference, non-inferiority, equivalence, an interval, or several systems.

The number holds for this difference, this spread and this alpha, all chosen before the data (Sakai, Topic set size
design, Information Retrieval Journal 19(3), 2016; his book, 2018). The spread of a pilot is itself an estimate: its
limits from the chi-square distribution give the limits of the number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.planning.powers import (
    anova_power,
    equivalence_power,
    paired_width,
    t_power,
    t_power_one_sided,
    unpaired_t_power,
    unpaired_width,
)
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.translation import tr

DesignName = Literal[
    "difference", "one-sided", "non-inferiority", "equivalence", "width", "systems", "unpaired", "unpaired-width"
]
WITHIN: tuple[DesignName, ...] = ("systems", "unpaired", "unpaired-width")
"""Designs whose standard deviation is that within a system; the others have that of the paired differences."""
WIDTHS: tuple[DesignName, ...] = ("width", "unpaired-width")
BY_MARGIN: tuple[DesignName, ...] = ("non-inferiority", "equivalence")
MOST_QUERIES = 10**9
"""Queries beyond which a design counts as impossible."""
WIDER = 1.5
"""The factor by which the standard deviation is taken larger, to see what the number of queries hangs on."""
POINTS = 25
"""Points of a curve."""


@dataclass(frozen=True)
class Design:
    """What is asked of an experiment, besides the spread.

    name      "difference" (two-sided paired t), "one-sided", "non-inferiority", "equivalence" (two one-sided tests,
              each at alpha), "width" (of the interval of a paired difference), "systems" (one-way analysis of variance
              of m systems), "unpaired", "unpaired-width" (two independent samples)
    size      the smallest difference that matters; of non-inferiority and equivalence the margin; of a width the most
              that the interval is to be expected wide
    true      of non-inferiority and equivalence: the true difference that is assumed, above 0 where better
    alpha     of the test; an interval has the confidence 1 - alpha
    power     the probability wanted; a width has none
    systems   of "systems"
    """

    name: DesignName
    size: float
    true: float = 0.0
    alpha: float = 0.05
    power: float = 0.8
    systems: int = 2

    def __post_init__(self) -> None:
        if not (math.isfinite(self.size) and self.size > 0):
            raise OptionError(tr("the difference to plan for is {size:g}; it must be above 0", size=self.size))
        if not 0 < self.alpha < 1 or not (self.alpha < self.power < 1 or self.name in WIDTHS):
            text = tr("alpha is {alpha:g} and power is {power:g}; give 0 < alpha < power < 1",
                      alpha=self.alpha, power=self.power)  # fmt: skip
            raise OptionError(text)
        if not math.isfinite(self.true):
            raise OptionError(tr("the true difference that is assumed is {value:g}; give a number", value=self.true))
        if self.systems < 2:
            raise OptionError(tr("{n} system cannot be compared; give 2 or more", n=self.systems))

    @property
    def possible(self) -> bool:
        """Whether any number of queries could reach it: the assumed difference lies inside the margin."""
        if self.name == "non-inferiority":
            return self.true > -self.size
        return self.name != "equivalence" or abs(self.true) < self.size

    def value(self, n: int, sd: float) -> float:
        """Return the power with n >= 2 queries, or the expected width."""
        if self.name == "width":
            return paired_width(sd, n, self.alpha)
        if self.name == "unpaired-width":
            return unpaired_width(sd, n, self.alpha)
        if self.name == "equivalence":
            return equivalence_power(self.size, self.true, sd, n, self.alpha)
        if self.name == "non-inferiority":
            return t_power_one_sided((self.size + self.true) / sd, n, self.alpha)
        if self.name == "systems":
            return anova_power(self.size / sd, self.systems, n, self.alpha)
        by_size = {"difference": t_power, "one-sided": t_power_one_sided, "unpaired": unpaired_t_power}
        return by_size[self.name](self.size / sd, n, self.alpha)

    def reached(self, n: int, sd: float) -> bool:
        """Return whether n queries are enough."""
        value = self.value(n, sd)
        return value <= self.size if self.name in WIDTHS else value >= self.power

    def needed(self, sd: float) -> int | None:
        """Return the least number of queries; None if 10^9 are not enough. Raises OptionError for no spread."""
        if not (math.isfinite(sd) and sd > 0):
            raise OptionError(tr("the standard deviation is {sd:g}; it must be above 0", sd=sd))
        if not self.possible:
            return None
        low, high = 1, 2
        while high <= MOST_QUERIES and not self.reached(high, sd):
            low, high = high, high * 2
        if high > MOST_QUERIES:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.reached(middle, sd) else (middle, high)
        return high


FEWEST_FOR_KURTOSIS = 5
"""Queries from which the kurtosis of a pilot is used."""


@dataclass(frozen=True)
class Spread:
    """A standard deviation to plan with.

    sd        of the paired differences, or within a system
    df        the degrees of freedom that it is estimated from; 0: it was given
    queries   that it is estimated from
    kurtosis  of the values (:func:`kurtosis_of`); NaN where they are taken to be normal
    """

    sd: float
    df: int = 0
    queries: int = 0
    kurtosis: float = math.nan

    @property
    def by_kurtosis(self) -> bool:
        """Whether the limits follow from the kurtosis, not from the normal distribution."""
        return self.queries >= FEWEST_FOR_KURTOSIS and math.isfinite(self.kurtosis)

    def limits(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the limits of sigma; NaN for what was given. Of a pilot with a kurtosis they are those of Bonett
        (2006, Computational Statistics & Data Analysis 50), on the scale of logarithms; else those of normal values,
        from the chi-square distribution, which are far too narrow for differences with long tails."""
        if self.df < 1:
            return math.nan, math.nan
        n, z = self.queries, float(special().ndtri((1 + confidence) / 2))
        if self.by_kurtosis and n > z:
            centre = n / (n - z)
            half = z * centre * math.sqrt((self.kurtosis - (n - 3) / n) / (n - 1))
            scale = self.sd * math.sqrt(centre)
            return scale * math.exp(-half / 2), scale * math.exp(half / 2)
        chdtri = special().chdtri
        tail = (1 - confidence) / 2
        low, high = (float(self.sd * math.sqrt(self.df / chdtri(self.df, share))) for share in (tail, 1 - tail))
        return low, high


def kurtosis_of(values: np.ndarray) -> float:
    """Return the kurtosis of float64[R, N], values of R systems on N queries, NaN for none: N sum m_q^2 / (sum s_q)^2,
    with s_q the sum of squares of a query over the systems about their means, and m_q the same about trimmed means
    (trimmed by 1 / (2 sqrt(N - 4)) at each end). Of one row it is that of Bonett (2006); systems on one query are not
    independent, so that a query counts once. NaN for fewer than FEWEST_FOR_KURTOSIS queries, or without spread."""
    n = int((~np.isnan(values)).any(axis=0).sum())
    if n < FEWEST_FOR_KURTOSIS:
        return math.nan
    trimmed = []
    for row in values:
        known = np.sort(row[~np.isnan(row)])
        cut = int(len(known) / (2 * math.sqrt(max(len(known) - 4, 1))))
        trimmed.append(known[cut : len(known) - cut].mean() if len(known) > 2 * cut else np.nanmean(row))
    about_mean = np.nansum((values - np.nanmean(values, axis=1, keepdims=True)) ** 2, axis=0)
    about_trimmed = np.nansum((values - np.array(trimmed)[:, None]) ** 2, axis=0)
    total = float(about_mean.sum())
    return n * float((about_trimmed**2).sum()) / total**2 if total > 0 else math.nan


def pooled(spreads: Sequence[Spread]) -> Spread:
    """Return the standard deviation of several pilots, by their degrees of freedom (Sakai 2016)."""
    df = sum(spread.df for spread in spreads)
    if not df:
        raise OptionError(tr("a pilot needs two queries or more"))
    return Spread(math.sqrt(sum(spread.df * spread.sd**2 for spread in spreads) / df), df)


@dataclass(frozen=True)
class Plan:
    """A design with a spread: the queries needed.

    needed         at the standard deviation; None if no number is enough
    low, high      at the limits of the standard deviation; None also where it was given
    wider          at 1.5 times the standard deviation
    inflation      how many queries count as one where they come in groups (the design effect); 1: all count
    """

    design: Design
    spread: Spread
    confidence: float = 0.95
    inflation: float = 1.0
    needed: int | None = None
    low: int | None = None
    high: int | None = None
    wider: int | None = None

    def queries(self, n: int | None) -> int | None:
        """Return how many queries are n independent ones."""
        return None if n is None else math.ceil(n * self.inflation - 1e-9)

    def curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers of queries and the power, or the expected width, at each: float64[P] each."""
        most = max(self.wider or self.needed or 100, 20)
        low = 5
        marks = [n for n in (self.needed, self.low, self.high) if n is not None and low <= n <= most]
        counts = np.unique([*np.round(np.geomspace(low, most, POINTS)).astype(np.int64).tolist(), *marks])
        return counts.astype(np.float64), np.array([self.design.value(int(n), self.spread.sd) for n in counts])


def plan_of(design: Design, spread: Spread, *, confidence: float = 0.95, inflation: float = 1.0) -> Plan:
    """Return the queries that a design needs. Raises OptionError for a spread of 0."""
    plan = Plan(design, spread, confidence, inflation, design.needed(spread.sd), wider=design.needed(WIDER * spread.sd))
    if spread.df < 1:
        return plan
    low, high = spread.limits(confidence)
    return replace(plan, low=design.needed(low), high=design.needed(high))

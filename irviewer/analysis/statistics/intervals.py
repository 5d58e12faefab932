"""Intervals of means and of mean differences: bootstrap (percentile, BCa) and Student's t, for many at
once.

Knows arrays of values; which pairs are wanted is the caller's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.resampling import SAMPLES, SEED, bootstrap_means
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.number_text import percent, quantity, times

IntervalMethod = Literal["bca", "percentile", "t"]
INTERVALS: dict[IntervalMethod, str] = {
    "bca": "bootstrap (BCa)",
    "percentile": "bootstrap (percentile)",
    "t": "Student's t",
}
"""Name -> title, in the order in which they are offered."""
LEVEL = 0.95
ROWS = 128
"""Rows of ten thousand means that are sorted at a time."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean or a mean difference, or of a ``ratio``, NaN of fewer than two queries; ``seed``
    and ``samples`` are None for Student's t."""

    low: float
    high: float
    level: float
    method: IntervalMethod
    seed: int | None = None
    samples: int | None = None
    ratio: bool = False

    @property
    def title(self) -> str:
        """The method's."""
        return INTERVALS[self.method]

    @property
    def text(self) -> str:
        """``[−.0003, .0317]``; a dash where there is none."""
        write = times if self.ratio else quantity
        return "–" if math.isnan(self.low) else f"[{write(self.low)}, {write(self.high)}]"

    @property
    def sentence(self) -> str:
        """What it is."""
        if math.isnan(self.low):
            return "No interval: it takes two queries at least to see how much they vary."
        drawn = "" if self.samples is None else f", {self.samples:,} samples of the queries, seed {self.seed}"
        of = "ratio of the geometric means" if self.ratio else "mean"
        return (
            f"{percent(self.level)} interval {self.text}, {self.title}{drawn}: intervals made so hold the "
            f"{of} over all such queries in about {percent(self.level)} of samples."
        )


def check_interval(method: str, level: float) -> None:
    """Raises OptionError for a method there is not, or a level that is none."""
    if method not in get_args(IntervalMethod):
        raise OptionError(f"there is no interval {method!r}; there are {', '.join(INTERVALS)}")
    if not 0 < level < 1:
        raise OptionError(f"the level of an interval is {level}; it must lie between 0 and 1, such as .95")


def t_interval(values: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Low and high float64[K] of the means of float64[K, n] without NaN; NaN where n < 2."""
    from scipy.special import stdtrit

    mean = values.mean(axis=1) if values.shape[1] else np.full(len(values), np.nan)
    n = values.shape[1]
    if n < 2:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    half = stdtrit(n - 1, (1 + level) / 2) * values.std(axis=1, ddof=1) / np.sqrt(n)
    return mean - half, mean + half


def t_ends(mean: float, deviation: float, n: int, level: float) -> tuple[float, float]:
    """Student's t interval of a mean of n >= 2 values with that standard deviation (n - 1)."""
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + level) / 2)) * deviation / math.sqrt(n)
    return mean - half, mean + half


def bootstrap_interval(
    values: Floats,
    method: Literal["bca", "percentile"] = "percentile",
    level: float = LEVEL,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    weights: Floats | None = None,
    drawn: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Low and high float64[K] of the (weighted) means of float64[K, n] without NaN, queries drawn with replacement.

    percentile   the shares (1 ± level) / 2 of the drawn means, interpolated (Efron and Tibshirani 1993, 13)
    bca          corrected for bias and acceleration, the latter by the jackknife (Efron 1987)

    ``drawn`` float64[K, samples] are the drawn means where the caller has them; they are sorted in place. Where all
    values of a row are the same the interval is the mean; one query has no spread, and no interval: NaN."""
    from scipy.special import ndtr, ndtri

    if weights is not None:
        # Queries that do not count do not vary the mean either.
        values, weights = values[:, weights > 0], weights[weights > 0]
    if values.shape[1] < 2:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    if drawn is None:
        drawn = bootstrap_means(values, samples, seed, weights)
    share = np.tile([(1 - level) / 2, (1 + level) / 2], (len(values), 1))
    means = average(values, weights)
    constant = np.ptp(values, axis=1) == 0
    if method == "bca":
        # Means that differ by the computer's rounding only are the same mean.
        slack = 1e-12 * np.maximum(1.0, np.abs(values).max(axis=1, initial=0.0))[:, None]
        below = (drawn < means[:, None] - slack).sum(axis=1) + (drawn <= means[:, None] + slack).sum(axis=1)
        below = below / (2 * drawn.shape[1])
        fit = (below > 0) & (below < 1) & ~constant
        bias = ndtri(np.where(fit, below, 0.5))[:, None]
        z = bias + ndtri(share)
        share = ndtr(bias + z / (1 - acceleration(values, means, weights)[:, None] * z))
    drawn.sort(axis=1)
    low, high = (_quantile(drawn, share[:, side]) for side in (0, 1))
    return np.where(constant, means, low), np.where(constant, means, high)


def average(values: Floats, weights: Floats | None = None) -> Floats:
    """(Weighted) means float64[K] of float64[K, n] without NaN; NaN where there is no query."""
    if weights is None:
        return values.mean(axis=1) if values.shape[1] else np.full(len(values), np.nan)
    total = float(weights.sum())
    return (values @ weights) / total if total > 0 else np.full(len(values), np.nan)


def acceleration(values: Floats, means: Floats, weights: Floats | None = None) -> Floats:
    """Efron's acceleration float64[K]: how fast the spread of the mean changes with it, by leaving each query out."""
    n = values.shape[1]
    if weights is None:
        influence = values - means[:, None]
    else:
        left = float(weights.sum()) - weights
        without = np.divide(
            (values @ weights)[:, None] - values * weights, left, out=np.zeros_like(values), where=left > 0
        )
        influence = without.mean(axis=1)[:, None] - without
    square = (influence**2).sum(axis=1)
    cube = (influence**3).sum(axis=1)
    found = np.divide(cube, 6 * square**1.5, out=np.zeros(len(values)), where=square > 0)
    return found if n > 1 else np.zeros(len(values))


def mean_interval(
    values: npt.ArrayLike,
    method: IntervalMethod = "percentile",
    level: float = LEVEL,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    weights: npt.ArrayLike | None = None,
) -> Interval:
    """The interval of one run's (weighted) mean, or of a mean difference, from values float64[Q]; NaN is left out.
    Weights have no Student's t here. Raises OptionError."""
    check_interval(method, level)
    row = np.asarray(values, np.float64)
    kept = ~np.isnan(row)
    weighted = None if weights is None else np.asarray(weights, np.float64)[kept]
    if method == "t":
        if weighted is not None:
            raise OptionError("Student's t interval knows no weights; take 'bca' or 'percentile'")
        low, high = t_interval(row[None, kept], level)
        return Interval(float(low[0]), float(high[0]), level, method)
    low, high = bootstrap_interval(row[None, kept], method, level, samples=samples, seed=seed, weights=weighted)
    return Interval(float(low[0]), float(high[0]), level, method, seed, samples)


def _quantile(ordered: Floats, share: Floats) -> Floats:
    """The value at a share of each ordered row, between two neighbours in proportion (numpy's "linear")."""
    place = share * (ordered.shape[1] - 1)
    below = np.clip(np.floor(place).astype(np.int64), 0, ordered.shape[1] - 1)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    rows = np.arange(len(ordered))
    one, two = ordered[rows, below], ordered[rows, above]
    return np.asarray(one + (two - one) * (place - below))


__all__ = [
    "INTERVALS", "LEVEL", "Interval", "IntervalMethod", "acceleration", "average", "bootstrap_interval",
    "check_interval", "mean_interval", "t_interval",
]  # fmt: skip

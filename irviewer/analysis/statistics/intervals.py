"""Confidence intervals of means and mean differences: bootstrap (percentile, BCa) and Student's t, vectorised."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.significance.resampling import SAMPLES, SEED, DrawnRows, bootstrap_means
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, sequential_sums
from irviewer.model.number_text import level_text, quantity, times
from irviewer.translation import interval, tr, trn

IntervalMethod = Literal["bca", "percentile", "t"]
INTERVALS: dict[IntervalMethod, str] = {
    "bca": tr("bootstrap (BCa)"),
    "percentile": tr("bootstrap (percentile)"),
    "t": tr("Student's t"),
}
"""Name -> title, in display order."""
LEVEL = 0.95
FLAT = 1e-12
"""An interval that is no wider, beside its ends or 1, has no width: the rest is rounding. There is none then
(:func:`without_flat`)."""
FEWEST_DRAWN = 10
"""An interval that is drawn from fewer queries is far too narrow: there is none. Student's t interval needs two."""
ROWS = 128
"""Rows of ten thousand means that are sorted together."""
CLOSE = 8
"""Rows of ten thousand means that a processor keeps close while the ends of each are found."""


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean, a mean difference or a ``ratio``; NaN for fewer than two queries, and where it
    would be drawn from fewer than FEWEST_DRAWN. ``seed`` and ``samples`` are None for Student's t. ``unit`` is the
    attribute whose values were drawn, or counted by, in place of queries. ``flat``: there is none as all values are
    the same. ``weighted`` is how many queries, or units, have a weight above 0; None without weights."""

    low: float
    high: float
    level: float
    method: IntervalMethod
    seed: int | None = None
    samples: int | None = None
    ratio: bool = False
    unit: str = ""
    flat: bool = False
    weighted: int | None = None

    @property
    def title(self) -> str:
        """The title of the method, with the unit that it counts by."""
        title = INTERVALS[self.method]
        return tr("{method} by {unit}", method=title, unit=self.unit) if self.unit else title

    @property
    def text(self) -> str:
        """``[−.0003, .0317]``; a dash where there is no interval."""
        write = times if self.ratio else quantity
        return "–" if math.isnan(self.low) else interval(write(self.low), write(self.high))

    @property
    def sentence(self) -> str:
        """The interval and its meaning."""
        if math.isnan(self.low) and self.flat and self.unit:
            return tr("No interval by {unit}: all units have the same mean, so nothing shows how much they vary.",
                      unit=self.unit)  # fmt: skip
        if math.isnan(self.low) and self.flat:
            return tr("No interval: all values are the same, so nothing shows how much they vary.")
        if math.isnan(self.low) and self.weighted is not None:
            return few_weighted(self.weighted, self.unit)
        if math.isnan(self.low) and self.unit:
            return tr(
                "No interval by {unit}: at least {n} units are needed to see how much they vary.",
                unit=self.unit, n=2 if self.samples is None else FEWEST_DRAWN,
            )  # fmt: skip
        if math.isnan(self.low) and self.samples is not None:
            return tr(
                "No interval: drawn from fewer than {n} queries it would be far too narrow. Student's t has one.",
                n=FEWEST_DRAWN,
            )
        if math.isnan(self.low):
            return tr("No interval: at least two queries are needed to see how much they vary.")
        method = self.title
        if self.samples is not None:
            method = tr(
                "{method}, {samples:,} samples of the queries, seed {seed}",
                method=method,
                samples=self.samples,
                seed=self.seed,
            ) if not self.unit else tr(
                "{method}, {samples:,} samples of whole units, seed {seed}", method=method, samples=self.samples,
                seed=self.seed,
            )  # fmt: skip
        level = level_text(self.level)
        if self.ratio:
            return tr(
                "{level} interval {interval}, {method}: such intervals contain the ratio of the geometric means over "
                "all such queries in about {level} of samples.",
                level=level,
                interval=self.text,
                method=method,
            )
        return tr(
            "{level} interval {interval}, {method}: such intervals contain the mean over all such queries in about "
            "{level} of samples.",
            level=level,
            interval=self.text,
            method=method,
        )


def few_weighted(n: int, unit: str = "") -> str:
    """Return why there is no weighted interval: only so many queries have a weight above 0, or units by which is
    counted."""
    if unit:
        return trn(
            "No weighted interval: {n} unit ({unit}) has a weight above 0; drawn from fewer than {least} it would be "
            "far too narrow.",
            "No weighted interval: {n} units ({unit}) have a weight above 0; drawn from fewer than {least} it would be "
            "far too narrow.",
            n, unit=unit, least=FEWEST_DRAWN,
        )  # fmt: skip
    return trn(
        "No weighted interval: {n} query has a weight above 0; drawn from fewer than {least} it would be far too "
        "narrow.",
        "No weighted interval: {n} queries have a weight above 0; drawn from fewer than {least} it would be far too "
        "narrow.",
        n, least=FEWEST_DRAWN,
    )  # fmt: skip


def check_interval(method: str, level: float) -> None:
    """Raise OptionError for an unknown method or a level that is not between 0 and 1."""
    if method not in get_args(IntervalMethod):
        raise OptionError(
            tr("unknown interval {method!r}; choose one of {methods}", method=method, methods=", ".join(INTERVALS))
        )
    if not 0 < level < 1:
        raise OptionError(
            tr("the level of the interval is {level}; it must be between 0 and 1, such as .95", level=level)
        )


def without_flat(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the ends of intervals, NaN where they would have no width: that would say that nothing can differ, and
    only tells that nothing did."""
    flat = high - low <= FLAT * np.maximum(1.0, np.abs(low))
    return np.where(flat, np.nan, low), np.where(flat, np.nan, high)


def t_interval(values: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the ends, float64[K] each, of Student's t intervals of the means of float64[K, n] without NaN; NaN where
    n < 2, and where all values of a row are the same."""
    stdtrit = special().stdtrit

    mean, n = average(values), values.shape[1]
    if n < 2:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    half = stdtrit(n - 1, (1 + level) / 2) * values.std(axis=1, ddof=1) / np.sqrt(n)
    return without_flat(mean - half, mean + half)


def t_ends(mean: float, deviation: float, n: int, level: float, df: float | None = None) -> tuple[float, float]:
    """Return the ends of Student's t interval of the mean of n >= 2 values with that standard deviation; ``df`` are the
    degrees of freedom, n - 1 by default. Both are the mean where nothing varies: it is a limit to go on with, and no
    interval to show."""
    stdtrit = special().stdtrit

    half = float(stdtrit(n - 1 if df is None else df, (1 + level) / 2)) * deviation / math.sqrt(n)
    return mean - half, mean + half


def bootstrap_interval(
    values: Floats,
    method: Literal["bca", "percentile"] = "percentile",
    level: float = LEVEL,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    weights: Floats | None = None,
    drawn: DrawnRows | None = None,
) -> tuple[Floats, Floats]:
    """Return the ends, float64[K] each, of bootstrap intervals of the (weighted) means of float64[K, n] without NaN;
    queries are drawn with replacement.

    percentile   the shares (1 ± level) / 2 of the drawn means, interpolated (Efron and Tibshirani 1993, 13)
    bca          corrected for bias and acceleration, the latter by the jackknife (Efron 1987)

    ``drawn`` float64[K, samples] are the drawn means where the caller has them. NaN where all values of a row are the
    same, and for fewer than FEWEST_DRAWN queries."""
    functions = special()
    ndtr, ndtri = functions.ndtr, functions.ndtri

    if weights is not None:
        # Queries of weight 0 do not vary the mean.
        values, weights = values[:, weights > 0], weights[weights > 0]
    if values.shape[1] < FEWEST_DRAWN:
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    if drawn is None:
        drawn = bootstrap_means(values, samples, seed, weights)
    shares = (1 - level) / 2, (1 + level) / 2
    means = average(values, weights)
    constant = np.ptp(values, axis=1) == 0
    # Means that differ by rounding only are equal.
    slack = 1e-12 * np.maximum(1.0, np.abs(values).max(axis=1, initial=0.0))[:, None]
    if method == "bca":
        whole = drawn[:]
        below = (whole < means[:, None] - slack).sum(axis=1) + (whole <= means[:, None] + slack).sum(axis=1)
        below = below / (2 * whole.shape[1])
        fit = (below > 0) & (below < 1) & ~constant
        bias = ndtri(np.where(fit, below, 0.5))[:, None]
        z = bias + ndtri(np.array(shares))
        share = ndtr(bias + z / (1 - acceleration(values, means, weights)[:, None] * z))
        ordered = np.sort(whole, axis=1)
        low, high = (_quantile(ordered, share[:, side]) for side in (0, 1))
    else:
        low, high = _ends(drawn, len(values), shares)
    low, high = (np.where(np.abs(end) <= slack[:, 0], 0.0, end) for end in (low, high))
    return without_flat(np.where(constant, means, low), np.where(constant, means, high))


def average(values: Floats, weights: Floats | None = None) -> Floats:
    """Return (weighted) means float64[K] of float64[K, n] without NaN; NaN where there is no query. Unweighted values
    are added in their order, as in the means of an evaluation, which have the same last digit."""
    if weights is None:
        n = values.shape[1]
        return sequential_sums(values) / n if n else np.full(len(values), np.nan)
    total = float(weights.sum())
    return (values @ weights) / total if total > 0 else np.full(len(values), np.nan)


def acceleration(values: Floats, means: Floats, weights: Floats | None = None) -> Floats:
    """Return Efron's acceleration float64[K], the rate at which the spread of the mean changes with it, by the
    jackknife."""
    n = values.shape[1]
    if weights is None:
        influence = values - means[:, None]
    else:
        weight_without = float(weights.sum()) - weights
        without = np.divide(
            (values @ weights)[:, None] - values * weights,
            weight_without,
            out=np.zeros_like(values),
            where=weight_without > 0,
        )
        influence = without.mean(axis=1)[:, None] - without
    square = (influence**2).sum(axis=1)
    cube = (influence**3).sum(axis=1)
    result = np.divide(cube, 6 * square**1.5, out=np.zeros(len(values)), where=square > 0)
    return result if n > 1 else np.zeros(len(values))


def mean_interval(
    values: npt.ArrayLike,
    method: IntervalMethod = "percentile",
    level: float = LEVEL,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    weights: npt.ArrayLike | None = None,
) -> Interval:
    """Return the interval of a (weighted) mean of values float64[Q]; NaN is left out. Student's t takes no weights.
    Raises OptionError."""
    check_interval(method, level)
    row = np.asarray(values, np.float64)
    valid = ~np.isnan(row)
    weighted = None if weights is None else np.asarray(weights, np.float64)[valid]
    own = row[valid] if weighted is None else row[valid][weighted > 0]
    flat = len(own) > 1 and bool(np.ptp(own) == 0)
    if method == "t":
        if weighted is not None:
            raise OptionError(tr("Student's t interval takes no weights; use 'bca' or 'percentile'"))
        low, high = t_interval(row[None, valid], level)
        return Interval(float(low[0]), float(high[0]), level, method, flat=flat)
    low, high = bootstrap_interval(row[None, valid], method, level, samples=samples, seed=seed, weights=weighted)
    count = None if weighted is None else len(own)
    return Interval(float(low[0]), float(high[0]), level, method, seed, samples, flat=flat, weighted=count)


def _quantile(ordered: Floats, share: Floats) -> Floats:
    """The value at a share of each ordered row, interpolated linearly (numpy's "linear")."""
    position = share * (ordered.shape[1] - 1)
    below = np.clip(np.floor(position).astype(np.int64), 0, ordered.shape[1] - 1)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    rows = np.arange(len(ordered))
    lower, upper = ordered[rows, below], ordered[rows, above]
    return np.asarray(lower + (upper - lower) * (position - below))


def _ends(drawn: DrawnRows, rows: int, shares: tuple[float, float]) -> tuple[Floats, Floats]:
    """The same for two shares of ``rows`` rows that are in no order, a few rows at a time."""
    ends = np.empty((2, rows))
    for start in range(0, rows, CLOSE):
        part = drawn[start : start + CLOSE]
        last = part.shape[1] - 1
        positions = [share * last for share in shares]
        low, high = (min(max(math.floor(position), 0), last) for position in positions)
        values = in_order(part, low, high)
        for side, (place, position) in enumerate(zip((low, high), positions, strict=True)):
            lower, upper = values[2 * side], values[2 * side + 1]
            ends[side, start : start + CLOSE] = lower + (upper - lower) * (position - place)
    return ends[0], ends[1]


def in_order(drawn: Floats, low: int, high: int) -> Floats:
    """Return the values float64[4, K] of each row of ``drawn`` float64[K, samples] at the places ``low``, the next one,
    ``high`` and the next one, as if the row were sorted.

    Of two tails only the values beyond limits are put in order, which the first draws suggest; a row where the limits
    leave too few is sorted in part."""
    rows, size = drawn.shape
    places = [low, min(low + 1, size - 1), high, min(high + 1, size - 1)]
    values = np.empty((4, rows))
    lacking = np.ones(rows, np.bool_)
    needed = max(places[1] + 1, size - high)
    if size >= 1000 and needed * 10 <= size:
        first = drawn[:, : size // 20]
        centre = first.mean(axis=1)
        # Half more than needed if the draws are normal, so that few rows lack some: the fewer, the sooner in order.
        reach = first.std(axis=1) * -float(special().ndtri((1.5 * needed + 20) / size))
        below, above = centre - reach, centre + reach
        beyond = drawn < below[:, None]
        beyond |= drawn > above[:, None]
        tails_at = np.flatnonzero(beyond)
        count = np.diff(np.searchsorted(tails_at, np.arange(rows + 1) * size))
        width = int(count.max(initial=0))
        if width >= 2 * needed:
            tails = np.repeat(centre[:, None], width, axis=1)  # between the two
            tails[np.arange(width) < count[:, None]] = drawn.reshape(-1)[tails_at]
            tails.sort(axis=1)
            values[:] = tails[:, [*places[:2], *(place - size + width for place in places[2:])]].T
            lacking = ~((values[1] < below) & (values[2] > above))
    if lacking.any():
        values[:, lacking] = np.partition(drawn[lacking], sorted({*places}), axis=1)[:, places].T
    return values


__all__ = [
    "INTERVALS", "LEVEL", "Interval", "IntervalMethod", "acceleration", "average", "bootstrap_interval",
    "check_interval", "mean_interval", "t_interval", "without_flat",
]  # fmt: skip

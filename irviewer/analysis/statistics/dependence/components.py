"""Replicates: several runs of one system, and what of the variance of scores comes from systems, queries and runs.

Scores y of a systems, b queries and r replicates each, all complete. With unequal numbers r_i the mean squares between
systems and queries are those of the cell means, times r, the harmonic mean of the r_i (the analysis of unweighted
means: Searle, Casella and McCulloch, Variance Components, 1992, ch. 4; Burdick and Graybill, Confidence Intervals on
Variance Components, 1992, ch. 5). Their expectations are those below with that r; they are no longer exact multiples of
chi-square, so that F, p and intervals are approximate. All systems are taken to have one variance of replicates. Two
designs:

seeds     a replicate is a trained model that answers all queries, so that its queries share what is particular to it.
          Expected mean squares: seeds σe² + bσs², systems x queries σe² + rσab², residual σe², systems
          σe² + rσab² + bσs² + brσa². Systems are tested by the quasi-F MS_s / (MS_sq + MS_seed - MS_res) with degrees
          of freedom by Satterthwaite (Biometrics Bulletin 2, 1946): it speaks of this way of training, also of new
          seeds
crossed   each cell is drawn anew, such as the sampled answers of a model: systems x queries σe² + rσab², replicates
          σe². Systems are tested by MS_s / MS_sq

Intervals are chi-square for the residual, and the modified large-sample ones of a difference of two mean squares (Ting,
Burdick, Graybill, Jeyaratnam and Lu, J. of Statistical Computation and Simulation 35, 1990). Both suppose normal
values. Beside them stand intervals of the variances that are learnt from queries, which are independent: each mean
square has the limits of Bonett (Computational Statistics & Data Analysis 50, 2006) by the kurtosis of the queries'
parts of it, and those of two are combined to limits of their difference (Zou and Donner, Statistics in Medicine 27,
2008). Estimates are differences of mean squares and may be negative; they are shown as they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from irviewer.analysis.planning.designs import Spread, kurtosis_of
from irviewer.analysis.statistics.intervals import LEVEL
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.translation import tr

DesignName = Literal["seeds", "crossed"]
"""What a replicate is."""
ROUNDING = 1e-24
"""A sum of squares below this, times the scores and the square of the largest of them, or of 1, is rounding: it is
0."""


@dataclass(frozen=True)
class MeanSquare:
    """A mean square, and its degrees of freedom."""

    name: str
    value: float
    df: int


@dataclass(frozen=True)
class Component:
    """A component of variance with its interval, NaN where there is none; it may be below 0, which is no variance.

    by_kurtosis  the interval that supposes no normal values
    """

    name: str
    variance: float
    low: float = math.nan
    high: float = math.nan
    by_kurtosis: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True)
class SystemDifference:
    """The difference of two systems' means over queries and replicates, with Student's t and an interval that hold for
    new replicates."""

    first: int
    second: int
    difference: float
    error: float
    df: float
    p: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Components:
    """An analysis of variance of replicates.

    counts             int[a]: the replicates of each system
    means              float64[a]: of the systems
    squares            the mean squares; ``components`` those of variance
    f, df, p           of the systems: F with its two degrees of freedom
    relative, absolute  crossed only: the coefficients of generalizability and dependability, NaN under seeds and where
                       nothing but systems varies
    """

    design: DesignName
    systems: int
    queries: int
    counts: tuple[int, ...]
    means: Floats
    squares: tuple[MeanSquare, ...]
    components: tuple[Component, ...]
    f: float
    df: tuple[float, float]
    p: float
    relative: float
    absolute: float
    level: float

    def difference(self, first: int, second: int) -> SystemDifference:
        """Return the difference of two systems by their places."""
        functions = special()
        delta = float(self.means[first] - self.means[second])
        error, df = self.error_of(first, second)
        if not error > 0:
            nan = math.nan
            return SystemDifference(first, second, delta, error, df, nan, nan, nan)
        half = float(functions.stdtrit(df, (1 + self.level) / 2)) * error
        p = min(1.0, 2 * float(functions.stdtr(df, -abs(delta) / error)))
        return SystemDifference(first, second, delta, error, df, p, delta - half, delta + half)

    def error_of(self, first: int, second: int) -> tuple[float, float]:
        """Return the standard error of the difference of two systems, and its degrees of freedom by Satterthwaite; 0
        where the mean squares leave nothing."""
        square = {each.name: each for each in self.squares}
        r = harmonic(self.counts)
        both, rest = square["systems x queries"], square["residual" if self.design == "seeds" else "replicates"]
        seeds = square["seeds within systems"] if self.design == "seeds" else rest
        own = (1 / self.counts[first] + 1 / self.counts[second]) / self.queries
        shared = 2 / (self.queries * r)
        weights = [(both, shared), (rest, -shared), (seeds, own)]
        if self.design == "crossed":
            weights = [(both, shared), (rest, own - shared)]
        parts = [weight * each.value for each, weight in weights]
        whole = sum(parts)
        spread = sum(part**2 / each.df for part, (each, _) in zip(parts, weights, strict=True))
        return (math.sqrt(whole) if whole > 0 else 0.0), whole**2 / spread if spread > 0 else math.nan

    def component(self, name: str) -> Component:
        """Return a component by its name. Raises KeyError."""
        return {each.name: each for each in self.components}[name]


def harmonic(counts: Sequence[int]) -> float:
    """Return the harmonic mean of numbers of replicates; exactly the number where all are equal."""
    return float(counts[0]) if len(set(counts)) == 1 else len(counts) / sum(1 / each for each in counts)


def variance_components(
    scores: Sequence[Floats] | Floats, design: DesignName = "seeds", level: float = LEVEL
) -> Components:
    """Return the components of variance of scores, of each system float64[b, r_i], queries by its replicates, without
    NaN. Raises OptionError for fewer than two systems or queries, and where no system has two replicates."""
    a, b = len(scores), len(scores[0]) if len(scores) else 0
    counts = tuple(each.shape[1] for each in scores)
    if a < 2 or b < 2:
        raise OptionError(tr("components of variance need two systems and two queries or more"))
    if max(counts) < 2:
        raise OptionError(
            tr("one run of each system leaves unknown how much runs of one system differ; give two or more of each")
        )
    r, free = harmonic(counts), sum(counts) - a
    cell = np.array([each.mean(axis=1) for each in scores])
    grand, of_system, of_query = float(cell.mean()), cell.mean(axis=1), cell.mean(axis=0)
    least = ROUNDING * b * sum(counts) * max(1.0, *(float(np.abs(each).max()) for each in scores)) ** 2

    def seen(squares: float) -> float:
        return squares if squares > least else 0.0

    between = seen(b * r * float(((of_system - grand) ** 2).sum()))
    of_queries = seen(a * r * float(((of_query - grand) ** 2).sum()))
    both = cell - of_system[:, None] - of_query[None] + grand
    crossed = seen(r * float((both**2).sum()))
    inside = [each - mean[:, None] for each, mean in zip(scores, cell, strict=True)]
    within = seen(sum(float((each**2).sum()) for each in inside))
    ms_s = MeanSquare("systems", between / (a - 1), a - 1)
    ms_q = MeanSquare("queries", of_queries / (b - 1), b - 1)
    ms_sq = MeanSquare("systems x queries", crossed / ((a - 1) * (b - 1)), (a - 1) * (b - 1))
    kurtosis = {"queries": kurtosis_of((of_query - grand)[None]), "systems x queries": kurtosis_of(both)}
    if design == "crossed":
        ms_e = MeanSquare("replicates", within / (b * free), b * free)
        kurtosis[ms_e.name] = kurtosis_of(np.concatenate([each.T for each in inside]))
        return _with_kurtosis(_crossed((a, b, r), counts, of_system, (ms_s, ms_q, ms_sq, ms_e), level), kurtosis)
    apart = seen(b * sum(float((each.mean(axis=0) ** 2).sum()) for each in inside))
    left = seen(sum(float(((each - each.mean(axis=0)) ** 2).sum()) for each in inside))
    ms_seed = MeanSquare("seeds within systems", apart / free, free)
    df = free * (b - 1)
    ms_e = MeanSquare("residual", left / df, df)
    kurtosis[ms_e.name] = kurtosis_of(np.concatenate([(each - each.mean(axis=0)).T for each in inside]))
    return _with_kurtosis(_nested((a, b, r), counts, of_system, (ms_s, ms_q, ms_sq, ms_seed, ms_e), level), kurtosis)


def _with_kurtosis(whole: Components, kurtosis: Mapping[str, float]) -> Components:
    """Return the components with intervals by the kurtosis of the mean squares that are learnt from queries."""
    square = {each.name: each for each in whole.squares}
    rest = "residual" if whole.design == "seeds" else "replicates"
    r = harmonic(whole.counts)
    limits = {name: _limits(square[name], whole.queries, each, whole.level) for name, each in kurtosis.items()}

    def apart(first: str, second: str, size: float) -> tuple[float, float]:
        (low1, high1), (low2, high2) = limits[first], limits[second]
        ms1, ms2 = square[first].value, square[second].value
        below, above = math.hypot(ms1 - low1, high2 - ms2), math.hypot(high1 - ms1, ms2 - low2)
        return (ms1 - ms2 - below) / size, (ms1 - ms2 + above) / size

    intervals = {
        "queries": apart("queries", "systems x queries", whole.systems * r),
        "systems x queries": apart("systems x queries", rest, r),
        rest: limits[rest],
    }
    return replace(whole, components=tuple(
        replace(each, by_kurtosis=intervals[each.name]) if each.name in intervals else each for each in whole.components
    ))  # fmt: skip


def _limits(square: MeanSquare, queries: int, kurtosis: float, level: float) -> tuple[float, float]:
    """The limits of what a mean square estimates; NaN where it is 0, and from too few queries."""
    spread = Spread(math.sqrt(square.value), square.df, queries, kurtosis)
    if not (square.value > 0 and spread.by_kurtosis):
        return math.nan, math.nan
    low, high = spread.limits(level)
    return low**2, high**2


def _crossed(
    shape: tuple[int, int, float], counts: tuple[int, ...], means: Floats, squares: tuple[MeanSquare, ...], level: float
) -> Components:  # fmt: skip
    a, b, r = shape
    systems, queries, both, rest = squares
    components = (
        Component("systems", *_difference_of(systems, both, b * r, level)),
        Component("queries", *_difference_of(queries, both, a * r, level)),
        Component("systems x queries", *_difference_of(both, rest, r, level)),
        Component("replicates", rest.value, *_chi_square(rest, level)),
    )
    of_systems, of_queries, of_both, of_rest = (max(0.0, each.variance) for each in components)
    relative = of_systems + of_both / b + of_rest / (b * r)
    absolute = relative + of_queries / b
    f, df, p = _f_test(systems.value, systems.df, both.value, both.df)
    return Components(
        "crossed", a, b, counts, means, squares, components, f, df, p,
        of_systems / relative if relative > of_systems else math.nan,
        of_systems / absolute if absolute > of_systems else math.nan, level,
    )  # fmt: skip


def _nested(
    shape: tuple[int, int, float], counts: tuple[int, ...], means: Floats, squares: tuple[MeanSquare, ...], level: float
) -> Components:  # fmt: skip
    a, b, r = shape
    systems, queries, both, seeds, rest = squares
    whole = both.value + seeds.value - rest.value
    spread = sum(each.value**2 / each.df for each in (both, seeds, rest))
    df = whole**2 / spread if spread > 0 else math.nan
    components = (
        Component("systems", (systems.value - whole) / (b * r)),
        Component("queries", *_difference_of(queries, both, a * r, level)),
        Component("systems x queries", *_difference_of(both, rest, r, level)),
        Component("seeds within systems", *_difference_of(seeds, rest, b, level)),
        Component("residual", rest.value, *_chi_square(rest, level)),
    )
    f, degrees, p = _f_test(systems.value, systems.df, whole, df)
    return Components("seeds", a, b, counts, means, squares, components, f, degrees, p, math.nan, math.nan, level)


def _f_test(above: float, df: float, below: float, rest: float) -> tuple[float, tuple[float, float], float]:
    if not below > 0:
        return math.nan, (df, rest), math.nan
    return above / below, (df, rest), float(special().fdtrc(df, rest, above / below))


def _chi_square(square: MeanSquare, level: float) -> tuple[float, float]:
    """The interval of a variance from its mean square; NaN where that is 0, which tells nothing of a variance."""
    if not square.value > 0:
        return math.nan, math.nan
    chdtri, alpha = special().chdtri, (1 - level) / 2
    total = square.value * square.df
    return total / float(chdtri(square.df, alpha)), total / float(chdtri(square.df, 1 - alpha))


def _difference_of(
    first: MeanSquare, second: MeanSquare, size: float, level: float
) -> tuple[float, float, float]:  # fmt: skip
    """(MS1 - MS2) / size with its modified large-sample interval; NaN ends without a second mean square."""
    estimate = (first.value - second.value) / size
    if not (first.value > 0 and second.value > 0):
        return estimate, math.nan, math.nan
    functions, alpha = special(), (1 - level) / 2
    df1, df2 = first.df, second.df

    def above(share: float, df: int) -> float:
        """The F with infinite degrees of freedom below, which the share is above."""
        return float(functions.chdtri(df, share)) / df

    ratio = first.value / second.value
    upper, lower = (float(functions.fdtri(df1, df2, share)) for share in (1 - alpha, alpha))
    g1, h2 = 1 - 1 / above(alpha, df1), 1 / above(1 - alpha, df2) - 1
    h1, g2 = 1 / above(1 - alpha, df1) - 1, 1 - 1 / above(alpha, df2)
    g12 = ((upper - 1) ** 2 - g1**2 * upper**2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - h1**2 * lower**2 - g2**2) / lower
    below = g1**2 * ratio**2 + h2**2 + g12 * ratio
    beyond = h1**2 * ratio**2 + g2**2 + h12 * ratio
    low, high = (second.value / size * math.sqrt(max(0.0, part)) for part in (below, beyond))
    return estimate, estimate - low, estimate + high

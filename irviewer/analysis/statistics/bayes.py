"""Posterior distribution of a mean difference, and the region of practical equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.analysis.statistics.significance.resampling import AT_ONCE, SAMPLES, SEED, differences, products
from irviewer.errors import OptionError
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats
from irviewer.model.number_text import limit, percent, quantity, times
from irviewer.translation import tr

BayesMethod = Literal["t", "bootstrap"]
ROPE = 0.01
"""The default for half the width of the region of practical equivalence, in units of the measure."""
_PRIORS: dict[str, str] = {
    "t": tr("differences normal; flat prior on their mean and on the logarithm of their standard deviation"),
    "bootstrap": tr("Dirichlet weights on the observed queries (Rubin 1981), no other prior"),
}


@dataclass(frozen=True)
class Posterior:
    """The posterior of a mean difference. ``better``, ``equal``, ``worse`` are the probabilities that it lies above,
    within and below the region of practical equivalence, -rope to rope, and add to 1; better means better also where
    less is better. With ``geometric`` mean and ends are of logarithms, and the region contains ratios from
    1 / (1 + rope) to 1 + rope."""

    method: BayesMethod
    mean: float
    low: float
    high: float
    level: float
    df: float | None
    rope: float
    better: float
    equal: float
    worse: float
    seed: int | None = None
    samples: int | None = None
    geometric: bool = False

    @property
    def prior(self) -> str:
        """The prior in words."""
        return _PRIORS[self.method]

    @property
    def sentence(self) -> str:
        """The posterior in words."""
        if math.isnan(self.mean):
            return tr("There is no difference of means, so there is no posterior.")
        if math.isnan(self.better):
            return tr("All differences are the same: without spread there is no posterior.")
        if math.isinf(self.low):
            return tr("One query does not show how much differences vary: better, equal and worse are a third each.")
        return tr(
            "Better by more than {size}: {better}; within {size} either way: {equal}; worse by more than {size}: "
            "{worse} (probabilities; prior: {prior}).",
            size=percent(self.rope) if self.geometric else quantity(self.rope),
            better=percent(self.better),
            equal=percent(self.equal),
            worse=percent(self.worse),
            prior=self.prior,
        )


@dataclass(frozen=True, eq=False)
class Posteriors:
    """The posteriors of P pairs, arrays [P]."""

    method: BayesMethod
    level: float
    rope: float
    mean: Floats
    low: Floats
    high: Floats
    df: Floats
    better: Floats
    equal: Floats
    worse: Floats
    seed: int | None = None
    samples: int | None = None
    geometric: bool = False

    @property
    def region(self) -> str:
        """The region of practical equivalence in words."""
        if self.geometric:
            return tr(
                "region of practical equivalence: ratios from {low} to {high}",
                low=times(1 / (1 + self.rope)),
                high=times(1 + self.rope),
            )
        return tr("region of practical equivalence ±{half}", half=limit(self.rope))

    def posterior(self, pair: int) -> Posterior:
        """Return the record of one pair."""
        df = float(self.df[pair])
        return Posterior(
            self.method, float(self.mean[pair]), float(self.low[pair]), float(self.high[pair]), self.level,
            None if np.isnan(df) else df, self.rope, float(self.better[pair]), float(self.equal[pair]),
            float(self.worse[pair]), self.seed, self.samples, self.geometric,
        )  # fmt: skip


def posteriors(
    difference: Floats,
    *,
    rope: float = ROPE,
    level: float = 0.95,
    method: BayesMethod = "t",
    higher_is_better: bool = True,
    samples: int = SAMPLES,
    seed: int = SEED,
    geometric: bool = False,
) -> Posteriors:
    """Return the posteriors of the mean of P rows of differences float64[P, n] without NaN.

    t           Student's t with n - 1 degrees of freedom about the mean, its standard error as scale: the Bayesian
                (correlated) t-test of Corani and Benavoli 2015 with no correlation between queries
    bootstrap   means under random weights of the queries (Rubin 1981); ``samples`` drawn

    With one query the probabilities are a third each; with all differences the same and not zero they are NaN. With
    ``geometric`` the differences are of logarithms, and ``rope`` is how much more than 1 a ratio may be."""
    if rope < 0:
        raise OptionError(tr("the region of practical equivalence is {rope}; it must be 0 or more", rope=rope))
    if method not in _PRIORS:
        raise OptionError(
            tr("unknown posterior {method!r}; choose one of {methods}", method=method, methods=", ".join(_PRIORS))
        )
    size, n = difference.shape
    mean = difference.mean(axis=1) if n else np.zeros(size)
    half = math.log1p(rope) if geometric else rope
    if n < 2:
        third = np.full(size, 1 / 3)
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        above, below, df = third, third, 0.0
    elif method == "t":
        above, below, low, high = _student(difference, mean, half, level)
        df = float(n - 1)
    else:
        above, below, low, high = _dirichlet(difference, half, level, samples, seed)
        df = float("nan")
    flat = (np.ptp(difference, axis=1) == 0) & (mean != 0) if n > 1 else np.zeros(size, np.bool_)
    above, below, low, high = (np.where(flat, np.nan, array) for array in (above, below, low, high))
    better, worse = (above, below) if higher_is_better else (below, above)
    drawn = method == "bootstrap"
    return Posteriors(
        method, level, rope, mean, low, high, np.full(size, df), better, np.maximum(0.0, 1 - above - below), worse,
        seed if drawn else None, samples if drawn else None, geometric,
    )  # fmt: skip


def posterior(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    rope: float = ROPE,
    level: float = 0.95,
    method: BayesMethod = "t",
    higher_is_better: bool = True,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Posterior:
    """Return the posterior of the mean difference of two runs, values float64[Q]; queries where either is NaN are left
    out. See :func:`posteriors`."""
    values = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    values = values[:, ~np.isnan(values).any(axis=0)]
    difference = differences(values[:1], values[1:])
    return posteriors(
        difference, rope=rope, level=level, method=method, higher_is_better=higher_is_better,
        samples=samples, seed=seed,
    ).posterior(0)  # fmt: skip


def _student(difference: Floats, mean: Floats, rope: float, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    functions = special()
    stdtr, stdtrit = functions.stdtr, functions.stdtrit

    n = difference.shape[1]
    scale = difference.std(axis=1, ddof=1) / np.sqrt(n)
    scale[np.ptp(difference, axis=1) == 0] = 0
    width = np.where(scale > 0, scale, 1.0)
    above = np.where(scale > 0, stdtr(n - 1, (mean - rope) / width), mean > rope)
    below = np.where(scale > 0, stdtr(n - 1, (-rope - mean) / width), mean < -rope)
    half = stdtrit(n - 1, (1 + level) / 2) * scale
    return above, below, mean - half, mean + half


def _dirichlet(
    difference: Floats, rope: float, level: float, samples: int, seed: int
) -> tuple[Floats, Floats, Floats, Floats]:
    size, n = difference.shape
    random = np.random.default_rng(seed)
    rows = max(1, AT_ONCE // n)
    means = np.empty((size, samples))
    for start in range(0, samples, rows):
        stop = min(samples, start + rows)
        weights = random.standard_exponential((stop - start, n))
        weights /= weights.sum(axis=1, keepdims=True)
        means[:, start:stop] = products(difference, weights)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return (means > rope).mean(axis=1), (means < -rope).mean(axis=1), low, high

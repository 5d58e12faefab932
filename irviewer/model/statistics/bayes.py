"""What to believe of a mean difference after having seen it: its posterior, and a region where it makes no difference.

Knows arrays of differences, nothing of runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Floats
from irviewer.model.statistics.resampling import AT_ONCE, SAMPLES, SEED, decimals_of, differences
from irviewer.model.statistics.wording import percent, quantity

BayesMethod = Literal["t", "bootstrap"]
ROPE = 0.01
"""Half the width of the region of practical equivalence, in the measure's own unit, where nobody says another."""
_PRIORS: dict[str, str] = {
    "t": "differences normal; flat prior on their mean and on the logarithm of their spread",
    "bootstrap": "Dirichlet weights on the queries seen (Rubin 1981), no other prior",
}


@dataclass(frozen=True)
class Posterior:
    """Of one mean difference. ``better``, ``equal``, ``worse`` are the chances that it lies above, within and below the
    region of practical equivalence, -rope to rope, and add to 1; better means better though the measure be a cost."""

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

    @property
    def prior(self) -> str:
        """What was believed before."""
        return _PRIORS[self.method]

    @property
    def sentence(self) -> str:
        """In words."""
        if math.isinf(self.low):
            return "One query does not say how much differences vary: better, equal and worse stay a third each."
        return (
            f"It is better by more than {quantity(self.rope)} with a probability of {percent(self.better)}, within "
            f"{quantity(self.rope)} either way with {percent(self.equal)}, worse by more with {percent(self.worse)} "
            f"(prior: {self.prior})."
        )


@dataclass(frozen=True, eq=False)
class Posteriors:
    """The same for P pairs, arrays [P] beside each other."""

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

    def posterior(self, place: int) -> Posterior:
        """The record of one pair."""
        df = float(self.df[place])
        return Posterior(
            self.method, float(self.mean[place]), float(self.low[place]), float(self.high[place]), self.level,
            None if np.isnan(df) else df, self.rope, float(self.better[place]), float(self.equal[place]),
            float(self.worse[place]), self.seed, self.samples,
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
) -> Posteriors:
    """Posteriors of the mean of P rows of differences float64[P, n] without NaN.

    t           Student's t with n - 1 degrees of freedom about the mean, its standard error as scale: the Bayesian
                (correlated) t-test of Corani and Benavoli 2015 with no correlation between queries
    bootstrap   means under random weights of the queries (Rubin 1981); ``samples`` drawn

    With all differences the same the posterior is that point; with one query nothing is known: a third each."""
    if rope < 0:
        raise OptionError(f"the region of practical equivalence is {rope}; it must be 0 or more")
    if method not in _PRIORS:
        raise OptionError(f"there is no posterior {method!r}; there are {', '.join(_PRIORS)}")
    size, n = difference.shape
    mean = difference.mean(axis=1) if n else np.zeros(size)
    if n < 2:
        third = np.full(size, 1 / 3)
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        above, below, df = third, third, 0.0
    elif method == "t":
        above, below, low, high = _student(difference, mean, rope, level)
        df = float(n - 1)
    else:
        above, below, low, high = _dirichlet(difference, rope, level, samples, seed)
        df = float("nan")
    better, worse = (above, below) if higher_is_better else (below, above)
    drawn = method == "bootstrap"
    return Posteriors(
        method, level, rope, mean, low, high, np.full(size, df), better, np.maximum(0.0, 1 - above - below), worse,
        seed if drawn else None, samples if drawn else None,
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
    """The posterior of one pair's mean difference, values float64[Q] by query; queries where either is NaN are left
    out. See :func:`posteriors`."""
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    kept = ~(np.isnan(one) | np.isnan(two))
    both = np.stack([one[kept], two[kept]])
    difference = differences(both[:1], both[1:], decimals_of(both))
    return posteriors(
        difference, rope=rope, level=level, method=method, higher_is_better=higher_is_better,
        samples=samples, seed=seed,
    ).posterior(0)  # fmt: skip


def _student(difference: Floats, mean: Floats, rope: float, level: float) -> tuple[Floats, Floats, Floats, Floats]:
    from scipy.special import stdtr, stdtrit

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
        means[:, start:stop] = difference @ weights.T
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return (means > rope).mean(axis=1), (means < -rope).mean(axis=1), low, high

"""How much weight a model's labels get beside a human's: prediction-powered inference with a tuned weight.

Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023 (arXiv 2311.01453). Of n + N queries
a human judged n, Y, and a model all, F:

    mean(λ) = mean_n Y + λ (mean_N F − mean_n F)          λ = cov_n(Y, F) / ((1 + n/N) var_{n+N} F), in [0, 1]

λ = 0 is the human alone, λ = 1 the first form of such inference. Asymptotically the tuned mean is never less certain
than the human's alone. With few queries λ follows chance, and the published interval is too narrow: here each query's
residual has the λ of the other queries, the interval is Student's, and it is widened until it covers the mean in
samples drawn from this one as often as it says. Samples of skewed values often lack the long tail that moves the mean,
which no drawing from them shows: the interval is widened further by their skewness, with any number of queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.skewness import skewness
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats, frozen

FEWEST = 15
"""With fewer human queries there is no interval: no widening was found that holds the mean of very skewed values as
often as it says."""
CALIBRATED = 50
"""With fewer human queries the interval is widened by simulation."""
SIMULATED = 1000
"""The samples of a simulation."""
WIDEST = 2.0
"""If an interval must be widened by more than this factor, the sample does not tell its spread: it is withheld."""
SMALL = 1e-12
"""A smaller standard deviation is none: the rest is rounding."""
AT_ONCE = 1 << 21
"""The elements of a matrix of samples in one step."""


@dataclass(frozen=True, eq=False)
class PoweredMeans:
    """R means as published.

    values, errors   float64[R]: the means and their standard errors
    weights          float64[R]: λ, in [0, 1]
    unclipped        float64[R]: λ before it was limited to that
    """

    values: Floats
    errors: Floats
    weights: Floats
    unclipped: Floats


def powered_means(human: Floats, model: Floats, elsewhere: Floats, weight: float | None = None) -> PoweredMeans:
    """Return R means of n queries that a human judged, float64[R, n], the model's values of the same queries float64[R,
    n], and of N others float64[R, N]; ``weight``: λ, None: tuned. Variances have n − 1 and N − 1 below."""
    n, others = human.shape[1], elsewhere.shape[1]
    whole = np.concatenate([model, elsewhere], axis=1).var(axis=1, ddof=1)
    if weight is None:
        raw = slopes(human, model, whole) * others / (n + others)
    else:
        raw = np.full(len(human), float(weight))
    used = np.clip(raw, 0.0, 1.0)
    values = human.mean(axis=1) + used * (elsewhere.mean(axis=1) - model.mean(axis=1))
    residual = (human - used[:, None] * model).var(axis=1, ddof=1)
    errors = np.sqrt(residual / n + used**2 * elsewhere.var(axis=1, ddof=1) / others)
    return PoweredMeans(frozen(values), frozen(errors), frozen(used), frozen(raw))


def slopes(human: Floats, model: Floats, whole: Floats) -> Floats:
    """Return the covariance of human and model over queries, float64[..., n], by the variance float64[...] of the
    model's values of all queries; 0 where these do not vary."""
    return _over(_covariance(human, model), whole)


def slopes_without(human: Floats, model: Floats, whole: Floats) -> Floats:
    """Return float64[..., n]: the slope from all queries but one, for each of them left out; n is 3 or more."""
    n = human.shape[-1]
    first, second = _centred(human), _centred(model)
    products = first * second
    left = products.sum(axis=-1, keepdims=True) - products * (n / (n - 1))
    return _over(left / (n - 2), whole[..., None])


def widening(
    human: Floats, model: Floats, whole: Floats, others: int, *, level: float, most: float, seed: int
) -> Floats:
    """Return float64[R]: the factor by which Student's intervals of R means must be widened to cover with probability
    ``level`` in samples of this size drawn from these queries; at least 1, NaN above ``WIDEST``.

    human, model  float64[R, n]: the values on the human's queries
    whole         float64[R]: the variance of the model's values of all queries
    others        N
    most          the largest slope
    """
    rows, n = human.shape
    random = np.random.default_rng(seed)
    drawn = random.integers(0, n, (SIMULATED, n))
    shift = random.standard_normal(SIMULATED) / np.sqrt(others)
    t = float(special().stdtrit(n - 1, (1 + level) / 2))
    result = np.empty(rows)
    step = max(1, AT_ONCE // (SIMULATED * n))
    for start in range(0, rows, step):
        part = slice(start, start + step)
        own, theirs = human[part], model[part]
        spread = np.broadcast_to(whole[part, None], (len(own), SIMULATED))
        # The sample stands for all queries: there the mean of the others differs from the sample's by chance alone.
        elsewhere = theirs.mean(axis=1)[:, None] + shift * theirs.std(axis=1, ddof=1)[:, None]
        y, f = own[:, drawn], theirs[:, drawn]
        all_mean = (n * f.mean(axis=-1) + others * elsewhere) / (n + others)
        slope = np.clip(slopes(y, f, spread), 0.0, most)
        values = y.mean(axis=-1) + slope * (all_mean - f.mean(axis=-1))
        errors = np.sqrt(simple_variance(y, f, spread, others, most))
        far = np.abs(values - own.mean(axis=1)[:, None])
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = np.where(far > 0, far / errors, 0.0)
        result[part] = np.quantile(scaled, level, axis=1, method="higher") / t
    return np.where(result <= WIDEST, np.maximum(result, 1.0), np.nan)


def for_skewness(human: Floats, residuals: Floats, share: float) -> Floats:
    """Return float64[R], 1 + |g| √``share``: how much wider an interval of R means of n queries is made for skewed
    values; g is the skewness of the human's values or of the residuals, float64[R, n], whichever is further from 0;
    ``share`` is 1/n, and 1/n − 1/N where the mean is that of N queries of which n were drawn.

    Student's t errs by a term in g/√n (Johnson, Journal of the American Statistical Association 73, 1978); the factor
    itself was chosen by simulation (docs/judges.md)."""
    return np.asarray(1 + np.maximum(np.abs(skewness(human)), np.abs(skewness(residuals))) * np.sqrt(share))


def simple_variance(human: Floats, model: Floats, whole: Floats, others: int, most: float) -> Floats:
    """Return the variance of means of n of n + N queries drawn with equal probability, float64[..., n]: of the
    residuals by cross-fitted slopes, and of drawing the n + N queries themselves."""
    n = human.shape[-1]
    residuals = human - np.clip(slopes_without(human, model, whole), 0.0, most) * _centred(model)
    left = 1 / n - 1 / (n + others)
    return np.asarray(left * residuals.var(axis=-1, ddof=1) + human.var(axis=-1, ddof=1) / (n + others))


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean(axis=-1, keepdims=True))


def _covariance(first: Floats, second: Floats) -> Floats:
    return np.asarray((_centred(first) * second).sum(axis=-1) / (first.shape[-1] - 1))


def _over(above: Floats, below: Floats) -> Floats:
    below = np.broadcast_to(below, above.shape)
    return np.asarray(np.divide(above, below, out=np.zeros(above.shape), where=below > 1e-15))

"""Human queries for a half-width: a loop over all numbers with scipy's t, other code's numbers, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.corrected import CorrectedMeans, Sample, corrected_means
from irviewer.analysis.agreement.human_queries import human_queries
from irviewer.analysis.agreement.powered import slopes_without
from irviewer.errors import OptionError
from irviewer.model.arrays import Floats


def means_of(human: Floats, model: Floats) -> CorrectedMeans:
    n = human.shape[1]
    total = model.shape[1]
    return corrected_means(model, human, Sample(np.arange(n), np.full(n, n / total), None, None, total))


def correlated(runs: int, total: int, *, seed: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    human = random.normal(0.5, 0.2, (runs, total))
    return human, 0.8 * human + random.normal(0.2, 0.08, (runs, total))


def least(width: float, spread: float, rest: float, total: int | None) -> float:
    for n in range(2, (total or 5000) + 1):
        left = 1 / n - 1 / total if total else 1 / n
        variance = spread / total + left * rest if total else left * spread
        if stats.t.ppf(0.975, n - 1) * math.sqrt(variance) <= width:
            return n
    return math.nan


def limits_of_variance(values: Floats, spread: float) -> tuple[float, float]:
    """Bonett 2006, from the formulas, with scipy's trimmed mean."""
    n, z = len(values), float(stats.norm.ppf(0.975))
    trimmed = float(stats.trim_mean(values, 1 / (2 * math.sqrt(n - 4))))
    kurtosis = n * float(((values - trimmed) ** 4).sum()) / float(((values - values.mean()) ** 2).sum()) ** 2
    c = n / (n - z)
    half = z * c * math.sqrt((kurtosis - (n - 3) / n) / (n - 1))
    return c * spread * math.exp(-half), c * spread * math.exp(half)


@pytest.mark.parametrize("half", [0.03, 0.06, 0.1])
def test_the_least_number_of_a_loop(half: float) -> None:
    human, model = correlated(6, 90, seed=1)
    means = means_of(human[:, :15], model)
    needed = human_queries(means, half)
    whole = model.var(axis=1, ddof=1)
    slope = np.clip(slopes_without(human[:, :15], model[:, :15], whole), 0.0, 90 / 75)
    left = human[:, :15] - slope * (model[:, :15] - model[:, :15].mean(axis=1, keepdims=True))
    for row in range(6):
        own, rest = float(means.human_spread[row]), float(means.difference_spread[row])
        ends, of_rest = limits_of_variance(human[row, :15], own), limits_of_variance(left[row], rest)
        for name, spread, unexplained in (
            ("needed", own, rest), ("low", ends[0], of_rest[0]), ("high", ends[1], of_rest[1])
        ):  # fmt: skip
            got = float(getattr(needed.corrected, name)[row])
            assert got == pytest.approx(least(half, spread, unexplained, 90), nan_ok=True)
            got = float(getattr(needed.alone, name)[row])
            assert got == pytest.approx(least(half, spread, 0.0, None), nan_ok=True)
    assert np.isnan(human_queries(means, 0.001).corrected.needed).all()
    assert not np.isnan(human_queries(means, 0.001).alone.needed).any()


def test_edges() -> None:
    human, model = correlated(2, 40, seed=2)
    means = means_of(human[:, :12], model)
    with pytest.raises(OptionError, match="it must be above 0"):
        human_queries(means, 0.0)
    assert list(human_queries(means, 1e6).alone.needed) == [2, 2]
    assert list(human_queries(means, 1e6).corrected.high) == [2, 2]
    assert np.isnan(human_queries(means, 1e-9).alone.needed).all()
    constant = means_of(np.ones((1, 12)), model[:1])
    assert list(human_queries(constant, 0.01).alone.needed) == [2]


def covered(draw: str, n: int, *, sets: int, seed: int) -> float:
    """Return how often the limits of the number for the human alone hold the number of the true spread."""
    random = np.random.default_rng(seed)
    if draw == "normal":
        human, spread = random.normal(0.5, 0.2, (sets, n)), 0.04
    elif draw == "low":  # of a hard task; the chi-square limits hold .82
        human, spread = random.beta(0.5, 3, (sets, n)), 0.5 * 3 / (3.5**2 * 4.5)
    else:  # high values, as of a good system
        human, spread = random.beta(4, 1.2, (sets, n)), 4 * 1.2 / (5.2**2 * 6.2)
    model = np.concatenate([human, np.full((sets, 100), 0.5)], axis=1)
    sample = Sample(np.arange(n), np.full(n, n / (n + 100)), None, None, n + 100)
    needed = human_queries(corrected_means(model, human, sample, slope=0.0), 0.04).alone
    true = least(0.04, spread, spread, None)
    return float(((needed.low <= true) & (true <= needed.high)).mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "n", "between"),
    [
        ("normal", 20, (0.94, 0.97)),
        ("normal", 50, (0.94, 0.975)),
        ("beta", 20, (0.92, 0.95)),
        ("low", 50, (0.925, 0.96)),
    ],
)
def test_coverage(draw: str, n: int, between: tuple[float, float]) -> None:
    assert between[0] <= covered(draw, n, sets=4000, seed=3) <= between[1]

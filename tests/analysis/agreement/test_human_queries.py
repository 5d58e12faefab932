"""Human queries for a half-width: a loop over all numbers with scipy's t, other code's numbers, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.corrected import CorrectedMeans, Sample, corrected_means
from irviewer.analysis.agreement.human_queries import human_queries
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


def least(width: float, spread: float, rest: float, total: int | None, factor: float) -> float:
    for n in range(2, (total or 5000) + 1):
        left = 1 / n - 1 / total if total else 1 / n
        variance = spread / total + left * rest if total else left * spread
        if stats.t.ppf(0.975, n - 1) * math.sqrt(factor * variance) <= width:
            return n
    return math.nan


@pytest.mark.parametrize("half", [0.03, 0.06, 0.1])
def test_the_least_number_of_a_loop(half: float) -> None:
    human, model = correlated(6, 90, seed=1)
    means = means_of(human[:, :15], model)
    needed = human_queries(means, half)
    quantiles = [14 / stats.chi2.ppf(tail, 14) for tail in (0.975, 0.025)]
    for row in range(6):
        own, rest = float(means.human_spread[row]), float(means.difference_spread[row])
        for name, factor in (("needed", 1.0), ("low", quantiles[0]), ("high", quantiles[1])):
            got = float(getattr(needed.corrected, name)[row])
            assert got == pytest.approx(least(half, own, rest, 90, factor), nan_ok=True)
            got = float(getattr(needed.alone, name)[row])
            assert got == pytest.approx(least(half, own, rest, None, factor), nan_ok=True)
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
    else:  # high values, as of a good system
        human, spread = random.beta(4, 1.2, (sets, n)), 4 * 1.2 / (5.2**2 * 6.2)
    model = np.concatenate([human, np.full((sets, 100), 0.5)], axis=1)
    sample = Sample(np.arange(n), np.full(n, n / (n + 100)), None, None, n + 100)
    needed = human_queries(corrected_means(model, human, sample, slope=0.0), 0.04).alone
    true = least(0.04, spread, spread, None, 1.0)
    return float(((needed.low <= true) & (true <= needed.high)).mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "n", "between"), [("normal", 20, (0.94, 0.97)), ("normal", 50, (0.94, 0.975)), ("beta", 20, (0.92, 0.95))]
)
def test_coverage(draw: str, n: int, between: tuple[float, float]) -> None:
    assert between[0] <= covered(draw, n, sets=4000, seed=3) <= between[1]

"""Random effects against a published example, against maximising the likelihood, and in simulation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, stats

from irviewer.analysis.collections.random_effects import random_effects
from irviewer.errors import OptionError

# Colditz and others, Efficacy of BCG vaccine, JAMA 1994: cases and others, vaccinated and not.
TREATED = np.array([[4, 119], [6, 300], [3, 228], [62, 13536], [33, 5036], [180, 1361], [8, 2537], [505, 87886],
                    [29, 7470], [17, 1699], [186, 50448], [5, 2493], [27, 16886]])  # fmt: skip
CONTROL = np.array([[11, 128], [29, 274], [11, 209], [248, 12619], [47, 5761], [372, 1079], [10, 619], [499, 87892],
                    [45, 7232], [65, 1600], [141, 27197], [3, 2338], [29, 17825]])  # fmt: skip
RATIOS = np.log(TREATED[:, 0] / TREATED.sum(axis=1)) - np.log(CONTROL[:, 0] / CONTROL.sum(axis=1))
ERRORS = np.sqrt(1 / TREATED[:, 0] - 1 / TREATED.sum(axis=1) + 1 / CONTROL[:, 0] - 1 / CONTROL.sum(axis=1))


def test_the_bcg_trials_as_published() -> None:
    """Viechtbauer, Conducting meta-analyses in R with the metafor package, 2010, and that package's output."""
    reml = random_effects(RATIOS, ERRORS, estimator="reml")
    assert (reml.mean, reml.tau2, reml.q) == (
        pytest.approx(-0.7145, abs=5e-5), pytest.approx(0.3132, abs=5e-5), pytest.approx(152.2330, abs=5e-5),
    )  # fmt: skip
    assert (reml.error, reml.low, reml.high) == (
        pytest.approx(0.1808, abs=5e-5), pytest.approx(-1.1084, abs=5e-5), pytest.approx(-0.3206, abs=5e-5),
    )  # fmt: skip
    dl = random_effects(RATIOS, ERRORS)
    assert (dl.mean, dl.tau2) == (pytest.approx(-0.7141, abs=5e-5), pytest.approx(0.3088, abs=5e-5))
    assert dl.i2 == pytest.approx(0.9212, abs=5e-5)


@pytest.mark.parametrize("seed", range(6))
def test_reml_is_the_most_likely_variance(seed: int) -> None:
    dice = np.random.default_rng(seed)
    errors = dice.uniform(0.05, 0.3, 9)
    y = dice.normal(0.1, np.sqrt(errors**2 + 0.05))

    def minus_log(tau2: float) -> float:
        w = 1 / (errors**2 + tau2)
        mean = (w * y).sum() / w.sum()
        return float(-np.log(w).sum() + np.log(w.sum()) + (w * (y - mean) ** 2).sum()) / 2

    best = optimize.minimize_scalar(minus_log, bounds=(0, 2), method="bounded", options={"xatol": 1e-10}).x
    effects = random_effects(y, errors, estimator="reml")
    assert effects.tau2 == pytest.approx(best, abs=1e-5)
    assert minus_log(effects.tau2) <= minus_log(best) + 1e-9


def test_interval_p_and_prediction() -> None:
    effects = random_effects(RATIOS, ERRORS)
    w = 1 / (ERRORS**2 + effects.tau2)
    assert effects.weights == pytest.approx(w / w.sum())
    error = math.sqrt((w * (RATIOS - effects.mean) ** 2).sum() / 12 / w.sum())
    assert effects.error == pytest.approx(error)
    assert (effects.low, effects.high) == pytest.approx(stats.t.interval(0.95, 12, effects.mean, error))
    assert effects.p == pytest.approx(2 * stats.t.sf(abs(effects.mean / error), 12))
    assert effects.q_p == pytest.approx(stats.chi2.sf(effects.q, 12))
    spread = stats.t.ppf(0.975, 11) * math.sqrt(effects.tau2 + error**2)
    assert (effects.new_low, effects.new_high) == pytest.approx((effects.mean - spread, effects.mean + spread))


def test_differences_that_agree_too_well_do_not_narrow_the_interval() -> None:
    effects = random_effects(np.array([0.1, 0.1, 0.1, 0.1]), np.full(4, 0.2))
    assert (effects.tau2, effects.i2, effects.q) == (0, 0, pytest.approx(0))
    assert effects.error == pytest.approx(0.1)


def test_the_interval_covers(record_property: Callable[[str, object], None]) -> None:
    dice = np.random.default_rng(4)
    inside = 0
    for _ in range(1500):
        errors = dice.uniform(0.05, 0.15, 8)
        effects = random_effects(dice.normal(dice.normal(0.2, 0.1, 8), errors), errors)
        inside += effects.low <= 0.2 <= effects.high
    assert 0.93 <= inside / 1500 <= 0.97
    record_property("coverage of the mean of several collections", f"{inside / 1500:.1%} of 1,500, asked 95%")


def test_few_collections_and_what_is_refused() -> None:
    for size in (0, 1):
        effects = random_effects(np.full(size, 0.1), np.full(size, 0.1))
        assert math.isnan(effects.mean)
        assert effects.heterogeneity == ""
    two = random_effects(np.array([0.1, 0.2]), np.array([0.1, 0.1]))
    assert math.isnan(two.new_low)
    assert not math.isnan(two.low)
    for errors in ([0.1, 0.0], [0.1, math.nan], [0.1]):
        with pytest.raises(OptionError, match="standard error above 0"):
            random_effects(np.array([0.1, 0.2]), np.array(errors))
    with pytest.raises(OptionError, match="no estimator"):
        random_effects(np.array([0.1, 0.2]), np.array([0.1, 0.1]), estimator="ml")  # type: ignore[arg-type]

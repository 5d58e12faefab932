"""The percentile interval of few values, as wide as that of t."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.draws import expanded, percentiles


@pytest.mark.parametrize("n", [5, 10, 40, 1000])
def test_its_half_width_is_that_of_t(n: int) -> None:
    """The draws of a mean have n - 1 in place of n below their variance, and are about normal."""
    level = expanded(0.95, n)
    half = stats.norm.ppf((1 + level) / 2) * np.sqrt((n - 1) / n)
    assert half == pytest.approx(stats.t.ppf(0.975, n - 1))


def test_ten_values_are_covered_as_often_as_is_said() -> None:
    """The plain percentile interval has the mean of ten normal values in .90 of 95 % intervals."""
    random = np.random.default_rng(4)
    values = random.normal(size=(1500, 10))
    drawn = np.stack([row[random.integers(0, 10, (1000, 10))].mean(axis=1) for row in values])
    within = {}
    for name, level in (("plain", 0.95), ("expanded", expanded(0.95, 10))):
        low, high = percentiles(drawn.copy(), level)
        within[name] = float(np.mean((low <= 0) & (high >= 0)))
    assert within["plain"] < 0.92
    assert 0.93 < within["expanded"] < 0.965

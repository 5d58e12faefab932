"""Correlations of a score of answers with a measure of lists: SciPy's, and intervals by their published formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.answers.against_list import correlations

NAN = float("nan")


@pytest.mark.parametrize("n", [2, 4, 5, 40])
def test_both_are_those_of_scipy(n: int) -> None:
    drawn = np.random.default_rng(n)
    first = drawn.integers(0, 4, n) / 3.0
    second = first + drawn.integers(0, 6, n) / 2.0
    first[0], second[0], second[1] = 0.0, 9.0, 0.5
    with_gaps = np.append(first, [NAN, 0.5]), np.append(second, [0.5, NAN])
    rho, tau = correlations(*with_gaps, 0.9)
    assert rho.n == tau.n == n
    assert rho.value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)
    assert tau.value == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-12)
    z = stats.norm.ppf(0.95)
    for each, variance in ((rho, (1 + rho.value**2 / 2) / max(n - 3, 1)), (tau, 0.437 / max(n - 4, 1))):
        if n < 5:
            assert math.isnan(each.low) and math.isnan(each.high)
        else:
            ends = [math.tanh(math.atanh(each.value) + side * z * math.sqrt(variance)) for side in (-1, 1)]
            assert [each.low, each.high] == pytest.approx(ends, abs=1e-12)


def test_values_that_do_not_differ_have_none() -> None:
    for values in (np.ones(8), np.empty(0), np.array([1.0])):
        assert all(math.isnan(each.value) for each in correlations(values, np.arange(len(values)) * 1.0, 0.95))
    rho, tau = correlations(np.arange(8) * 1.0, np.arange(8) * 2.0, 0.95)
    assert [rho.value, tau.value] == pytest.approx([1, 1]) and math.isnan(rho.low) and math.isnan(tau.low)

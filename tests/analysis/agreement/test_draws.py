"""Bootstrap over queries: sums of drawn queries against a plain loop, percentiles against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from irviewer.analysis.agreement.coefficients import COEFFICIENTS, Grades, coefficients
from irviewer.analysis.agreement.draws import ONE_THREAD, Draws, percentiles
from irviewer.analysis.statistics.significance.resampling import counts


def test_coefficients_of_draws_are_those_of_the_queries_written_out() -> None:
    """Each draw by a plain loop over the queries it drew, with 3,000 draws in several blocks."""
    random = np.random.default_rng(4)
    n, k, samples = 25, 4, 3000
    tables = random.poisson(2.0, (n, k, k)).astype(np.float64)
    grades = Grades(np.arange(4.0), np.arange(4.0), np.arange(4) >= 2)
    assert k * k * n * samples > ONE_THREAD
    drawn = Draws(samples, 7).of(
        tables.reshape(n, -1), lambda sums: coefficients(sums.reshape(k, k, -1), grades)
    ).copy()  # fmt: skip
    often = np.concatenate(list(counts(n, samples, 7)))
    for draw in (0, 623, 624, 625, 1399, 1400, 1401, 2024, samples - 1):
        total = np.zeros((k, k))
        for query in range(n):
            for _ in range(int(often[draw, query])):
                total += tables[query]
        expected = coefficients(total[:, :, None], grades)
        for row, name in enumerate(COEFFICIENTS):
            assert drawn[row, draw] == pytest.approx(expected[name][0], abs=1e-12), name


@pytest.mark.parametrize("samples", [2, 3, 40, 1000, 10_000])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_percentiles_are_those_of_numpy(samples: int, level: float) -> None:
    values = np.random.default_rng(samples).normal(size=(5, samples)).round(2)
    low, high = percentiles(values.copy(), level)
    for row in range(5):
        ends = np.quantile(values[row], [(1 - level) / 2, (1 + level) / 2])
        assert (low[row], high[row]) == pytest.approx(tuple(ends), abs=1e-12)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1 + 0.2])
@pytest.mark.parametrize("undefined", [0, 1])
def test_draws_that_are_all_equal_have_no_interval(value: float, undefined: int) -> None:
    """As of kappa with a judge who gives one grade only: an interval without width would claim certainty."""
    values = np.full((2, 40), value)
    values[0, :undefined] = np.nan
    values[1] += np.linspace(0, 1e-9, 40)
    low, high = percentiles(values.copy(), 0.95)
    assert np.isnan(low[0])
    assert np.isnan(high[0])
    assert low[1] < high[1]


def test_undefined_draws_are_left_out_unless_they_are_most() -> None:
    values = np.random.default_rng(2).normal(size=(3, 100))
    values[1, :30] = np.nan
    values[2, :60] = np.nan
    low, high = percentiles(values.copy(), 0.9)
    for row, own in ((0, values[0]), (1, values[1, 30:])):
        assert (low[row], high[row]) == pytest.approx(tuple(np.quantile(own, [0.05, 0.95])))
    assert np.isnan(low[2])
    assert np.isnan(high[2])

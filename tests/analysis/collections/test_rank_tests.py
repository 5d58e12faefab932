"""Friedman's test against scipy and against every table there is; Nemenyi against Demšar's table and scipy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.collections.rank_tests import critical_difference, friedman, nemenyi
from irviewer.errors import OptionError


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [(3, 6), (4, 7), (5, 12)])
def test_the_statistic_is_scipys(seed: int, shape: tuple[int, int]) -> None:
    values = np.round(np.random.default_rng(seed).uniform(0, 1, shape), 1 + seed % 2)  # with ties
    friedman_test = friedman(values)
    theirs = stats.friedmanchisquare(*values)
    assert (friedman_test.chi2, friedman_test.chi2_p) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    assert friedman_test.ranks == pytest.approx(stats.rankdata(-values, axis=0).mean(axis=1))
    assert friedman(-values, higher_is_better=False).ranks == pytest.approx(friedman_test.ranks)


@pytest.mark.parametrize("seed", range(8))
def test_the_exact_p_counts_every_table(seed: int) -> None:
    values = np.random.default_rng(seed).integers(0, 4, (3, 5)).astype(float)
    if np.ptp(values, axis=0).max() == 0:
        values[0, 0] += 1
    friedman_test = friedman(values)
    ranks = stats.rankdata(-values, axis=0).T

    def apart(rows: tuple[tuple[float, ...], ...]) -> float:
        sums = np.sum(rows, axis=0)
        return float(((sums - sums.mean()) ** 2).sum())

    every = [apart(rows) for rows in itertools.product(*(itertools.permutations(row.tolist()) for row in ranks))]
    observed = apart(tuple(map(tuple, ranks)))
    assert friedman_test.exact
    assert friedman_test.p == pytest.approx(sum(statistic >= observed - 1e-9 for statistic in every) / len(every))


def test_a_table_too_large_to_count_is_drawn() -> None:
    values = np.random.default_rng(1).normal(0, 1, (7, 12))
    friedman_test = friedman(values)
    assert (friedman_test.exact, friedman_test.samples) == (False, 100_000)
    assert friedman_test.p == pytest.approx(friedman_test.chi2_p, abs=0.03)
    assert friedman(values).p == friedman_test.p


def test_drawn_and_counted_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(5).normal(0, 1, (3, 7))
    exact = friedman(values)
    monkeypatch.setattr("irviewer.analysis.collections.rank_tests.MOST_STATES", 1)
    drawn = friedman(values)
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=0.01)


def test_equal_systems_and_too_few() -> None:
    friedman_test = friedman(np.full((3, 6), 0.5))
    assert (math.isnan(friedman_test.chi2), friedman_test.p, friedman_test.ranks.tolist()) == (True, 1.0, [2.0] * 3)
    for shape in ((2, 6), (3, 1)):
        with pytest.raises(OptionError, match="three systems"):
            friedman(np.zeros(shape))


def test_critical_differences_are_demsars() -> None:
    """Demšar 2006, table 5 (a): q.05 and q.10 for 2 to 10 classifiers, rounded to three decimals there."""
    q05 = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
    q10 = (1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)
    for alpha, table in ((0.05, q05), (0.10, q10)):
        for systems, q in enumerate(table, start=2):
            wanted = q * math.sqrt(systems * (systems + 1) / (6 * 14))
            assert critical_difference(systems, 14, alpha) == pytest.approx(wanted, rel=6e-4)
    # His example: four classifiers on 14 data sets differ where average ranks differ by 1.25.
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)


def test_nemenyi_is_the_studentized_range() -> None:
    ranks = np.array([1.4, 2.1, 2.9, 3.6])
    p_values = nemenyi(ranks, 14)
    for mine, two in itertools.combinations(range(4), 2):
        q = abs(ranks[mine] - ranks[two]) / math.sqrt(4 * 5 / (12 * 14))
        assert p_values[mine, two] == pytest.approx(stats.studentized_range.sf(q, 4, math.inf), abs=1e-6)
    assert np.diag(p_values).tolist() == [1.0] * 4
    with pytest.raises(OptionError):
        critical_difference(1, 5)

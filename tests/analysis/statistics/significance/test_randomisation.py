"""Randomisation far out: what drawing cannot show is counted, or said to be a bound."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.significance.randomisation import MOST, share_at_most
from tests.helpers import one_pair


def every_assignment(values: np.ndarray, total: float) -> float:
    """The share, one assignment after the other."""
    reached = [abs(np.dot(signs, values)) >= total - 1e-9 for signs in itertools.product((1, -1), repeat=len(values))]
    return float(np.mean(reached))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("grid", [0.0, 0.1])
def test_the_share_is_that_of_every_assignment(seed: int, grid: float) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(0.15, 0.2, 13)
    values = np.round(values / grid) * grid if grid else values
    values = values[values != 0]
    for total in (abs(float(values.sum())), 0.8 * float(np.abs(values).sum()), float(np.abs(values).sum())):
        wanted = every_assignment(values, total)
        share = share_at_most(values, total, 1e-12)
        assert wanted <= share <= wanted * 1.02
        assert share == pytest.approx(wanted, abs=1e-15) or not grid


def test_a_lattice_far_out_is_the_binomial() -> None:
    """All differences alike: the sign test, which scipy counts."""
    from scipy import stats

    for n, wins in ((60, 50), (200, 160), (256, 255)):
        values = np.where(np.arange(n) < wins, 0.1, -0.1)
        wanted = stats.binomtest(wins, n).pvalue
        assert share_at_most(values, abs(float(values.sum())), 1e-10) == pytest.approx(wanted, rel=1e-9)


def test_the_grid_is_fine_enough_for_many_queries() -> None:
    """Against a grid 64 times as fine, whose own bound is as much nearer."""
    random = np.random.default_rng(3)
    values = np.round(random.normal(0.06, 0.2, 225), 6)
    whole = np.abs((values * 1e6).round().astype(np.int64))
    room = int((whole.sum() - abs(int((values * 1e6).round().sum()))) // 2)
    step = 20
    shares = {}
    for rounded in (np.floor, np.ceil):
        sums = np.zeros(room // step + 2)
        sums[0] = 1.0
        for size in rounded(whole / step).astype(int).tolist():
            if size < len(sums):
                sums[size:] += sums[: len(sums) - size].copy()
        shares[rounded.__name__] = float(sums[: room // step + 1].sum()) * 2.0**-224
    assert shares["ceil"] < 1e-4
    p = share_at_most(values, abs(float(values.sum())))
    assert shares["ceil"] <= p <= 1.5 * shares["floor"]


def test_far_pairs_are_significant_after_a_correction_over_many() -> None:
    """76 runs, half of them far better, as samples alone could never show: 10,001 / 2,850 is above .05."""
    random = np.random.default_rng(1)
    values = random.uniform(0, 0.3, (76, 30))
    values[38:] += 0.5
    names, queries = [f"r{n}" for n in range(76)], [f"q{n}" for n in range(30)]
    comparison = compare(values, names, queries, pairs=True, tests=["randomisation"], samples=1000, interval="t")
    column = comparison.tests["randomisation"]
    apart = (comparison.first < 38) & (comparison.second >= 38)
    assert (comparison.tests["t"].corrected[apart] < 1e-6).all()
    assert (column.corrected[apart] < 0.001).all()
    assert column.grid[apart].all()
    assert not comparison.warnings
    assert comparison.pair(int(np.flatnonzero(apart)[0])).test("randomisation").at_most
    (line,) = [said for said in comparison.looked_at if said.startswith("Fisher")]
    drawn, counted = int(column.drawn.sum()), int(column.grid.sum())
    assert f"1,000 samples, seed 42: {drawn:,} pairs; upper bounds from a grid of sums: {counted:,} pairs" in line


def test_exact_and_drawn_pairs_are_both_named() -> None:
    values = np.random.default_rng(2).uniform(0, 1, (3, 40))
    values[1, 12:] = values[0, 12:]
    comparison = compare(
        values, list("abc"), list(map(str, range(40))), pairs=True, tests=["randomisation"], samples=500
    )
    (line,) = [said for said in comparison.looked_at if said.startswith("Fisher")]
    assert "(500 samples, seed 42: 2 pairs; exact: 1 pair)" in line


def test_beyond_the_grid_it_is_said_what_samples_cannot_show() -> None:
    queries = MOST + 44
    random = np.random.default_rng(4)
    values = random.normal(0.5, 0.1, (9, queries))
    values[0] += 0.2
    comparison = compare(
        values, list("abcdefghi"), list(map(str, range(queries))), tests=["randomisation"], samples=100
    )
    result = comparison.pair(0).test("randomisation")
    assert result.p == 1 / 101
    assert result.at_most
    assert (result.p_shown, result.p_corrected_shown) == ("≤ .010", "≤ .079")
    assert "p ≤ .010, 100 samples" in result.sentence
    (said,) = [warning for warning in comparison.warnings if "samples" in warning]
    assert said.startswith(
        "Fisher's randomisation test: with 100 samples the lowest p is 1/101, which is .079 after Holm over 8"
    )
    assert "take 1,000 samples to see p below .05" in said
    enough = compare(values, list("abcdefghi"), list(map(str, range(queries))), tests=["randomisation"], samples=1000)
    assert not any("samples" in warning for warning in enough.warnings)
    assert (enough.tests["randomisation"].corrected < 0.05).all()


def test_one_pair_alone_has_the_same_p() -> None:
    mine, two = np.random.default_rng(5).uniform(0, 1, (2, 60))
    two = two * 0.3
    alone = one_pair.fisher_randomisation(mine, two, samples=1000)
    among = compare(np.stack([mine, two, mine * 0.5]), list("abc"), list(map(str, range(60))), baseline=1,
                    tests=["randomisation"], samples=1000)  # fmt: skip
    assert alone.p == among.find("a", "b").test("randomisation").p < 1e-4
    assert alone.seed is None
    assert "counted on a grid" in alone.convention

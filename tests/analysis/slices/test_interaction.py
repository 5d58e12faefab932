"""The test of interaction: its statistic is scipy's one-way F, its p a plain loop over permutations."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.slices import interaction as module
from irviewer.analysis.slices.interaction import Interaction, interaction
from irviewer.translation import use_decimal_comma


def groups_of(values: np.ndarray, codes: np.ndarray) -> list[np.ndarray]:
    return [values[codes == code] for code in np.unique(codes)]


@pytest.mark.parametrize("seed", range(6))
def test_the_statistic_is_a_one_way_f(seed: int) -> None:
    random_numbers = np.random.default_rng(seed)
    codes = random_numbers.integers(0, 4, 60)
    values = random_numbers.normal(0, 1, 60) + codes * 0.2
    interaction_test = interaction(values, codes, samples=2000)
    f, p = stats.f_oneway(*groups_of(values, codes))
    assert interaction_test.f == pytest.approx(f)
    assert (interaction_test.between, interaction_test.within) == (3, 56)
    assert interaction_test.p == pytest.approx(
        p, abs=0.03
    )  # normal values: the permutations agree with the F distribution
    assert (interaction_test.samples, interaction_test.seed, interaction_test.exact) == (2000, 42, False)


@pytest.mark.parametrize("seed", range(4))
def test_few_queries_are_counted_exactly(seed: int) -> None:
    dice = random.Random(seed)
    codes = np.array([0, 0, 0, 1, 1, 2, 2])
    values = np.array([float(dice.randint(0, 4)) for _ in codes])
    if len(set(values.tolist())) < 2:
        values[0] += 1
    interaction_test = interaction(values, codes)

    def between(order: tuple[float, ...]) -> float:
        row = np.array(order)
        return sum(len(group) * (group.mean() - row.mean()) ** 2 for group in groups_of(row, codes))

    every = [between(order) for order in itertools.permutations(values.tolist())]
    assert interaction_test.exact
    assert interaction_test.p == pytest.approx(
        sum(statistic >= between(tuple(values)) - 1e-9 for statistic in every) / len(every)
    )


def test_queries_without_value_or_slice_are_left_out() -> None:
    values = np.array([0.1, 0.4, np.nan, 0.3, 0.9, 0.8, 5.0])
    codes = np.array([0, 0, 0, 1, 1, 1, -1])
    known = [0, 1, 3, 4, 5]
    assert interaction(values, codes) == interaction(values[known], codes[known])


def test_nothing_to_test() -> None:
    for values, codes in (
        ([], []),
        ([0.1], [0]),
        ([0.1, 0.2], [0, 0]),
        ([0.1, 0.2], [0, 1]),
        ([np.nan] * 4, [0, 1, 0, 1]),
    ):
        interaction_test = interaction(np.array(values, dtype=float), np.array(codes, dtype=np.int64))
        assert math.isnan(interaction_test.p)
        assert interaction_test.text.startswith("no test")


def test_the_method_says_whether_permutations_were_drawn() -> None:
    drawn = Interaction(2.0, 1, 58, 0.1, 0.1, samples=20_000, seed=42)
    assert "20,000 permutations, seed 42" in drawn.method
    assert "all permutations counted" in Interaction(2.0, 1, 4, 0.1, 0.1, exact=True).method
    assert "F distribution" in Interaction(2.0, 1, 4, 0.1, 0.1).method


def test_many_queries_are_not_permuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """F agrees with permutations, which are drawn, fewer of them, for a small slice and where few queries differ."""
    random_numbers = np.random.default_rng(8)
    codes = np.repeat([0, 1, 2], [400, 200, 250])
    values = random_numbers.uniform(-1, 1, 850) * (random_numbers.random(850) < 0.5) + 0.1 * (codes == 1)
    for size in (0.0, 0.3, 0.6):
        moved = values + (size - 1) * 0.1 * (codes == 1)
        permuted = interaction(moved, codes, samples=4000)
        assert permuted.samples == 4000
        with monkeypatch.context() as patch:
            patch.setattr(module, "LONG", 850 * 1200)
            by_f = interaction(moved, codes, samples=4000)
            assert (by_f.samples, by_f.exact, by_f.f) == (None, False, permuted.f)
            assert by_f.p == pytest.approx(stats.f_oneway(*groups_of(moved, codes)).pvalue)
            assert by_f.p == pytest.approx(permuted.p, abs=0.015)
            for small in (np.where(np.arange(850) < 3, 3, codes), codes * 0 + (np.arange(850) < 40)):
                assert interaction(moved, small, samples=4000).samples == 1200
            rare = np.where(np.arange(850) % 97 == 5, moved, 0.0)
            assert interaction(rare, codes, samples=4000).samples == 1200


@pytest.mark.parametrize("sizes", [(1, 9), (1, 1.5, 9)])
@pytest.mark.parametrize(
    ("values", "shares", "smallest", "used"),
    [
        ((-1, 0, 1), (0.1, 0.8, 0.1), 100, False),  # P@1, where a fifth of the queries change
        ((-1, 0, 1), (0.1, 0.8, 0.1), 1240, True),
        ((-1, 0, 1), (0.05, 0.9, 0.05), 2850, True),
        ((0, 1), (0.85, 0.15), 140, False),
        ((0, 1), (0.85, 0.15), 2080, True),
        ([*np.divide.outer([-1, 1], [1, 2, 3, 5, 10]).ravel().tolist(), 0], (*[0.03] * 10, 0.7), 190, True),  # RR
        (stats.gamma.ppf((np.arange(20) + 0.5) / 20, 2), (0.05,) * 20, 110, True),
        (stats.t.ppf((np.arange(20) + 0.5) / 20, 5), (0.05,) * 20, 90, True),
    ],
)
def test_f_is_used_where_it_agrees_with_permutations(
    values: tuple[float, ...], shares: tuple[float, ...], smallest: int, used: bool, sizes: tuple[float, ...]
) -> None:
    """p of F by the share of 60,000 permutations: within a tenth at .05, and within half at .005. How many queries of
    each value a slice has is hypergeometric, so that nothing is permuted."""
    counts = np.round(14_000 * np.array(shares)).astype(np.int64)
    centred = np.array(values, dtype=float) - counts @ values / counts.sum()
    groups = [int(smallest * size) for size in sizes[:-1]]
    total, n, draws = float(counts @ centred**2), int(counts.sum()), 60_000
    random_numbers = np.random.default_rng(4)
    left = np.broadcast_to(counts, (draws, len(counts))).copy()
    between, rest = np.zeros(draws), np.zeros(draws)
    for group in groups:
        needed, remaining = np.full(draws, group), left.sum(axis=1)
        inside = np.zeros(draws)
        for place in range(len(counts)):
            remaining = remaining - left[:, place]
            taken = random_numbers.hypergeometric(left[:, place], remaining, needed)
            needed = needed - taken
            left[:, place] -= taken
            inside += taken * centred[place]
        between += inside**2 / group
        rest -= inside
    between = np.round((between + rest**2 / (n - sum(groups))) / total, 12)
    first, second = len(groups), n - len(groups) - 1
    p = stats.f.sf(between / first / ((1 - between) / second), first, second)
    permuted = 1 - np.searchsorted(np.sort(between), between) / draws
    worst = {}
    for at in (0.05, 0.005):
        near = (permuted > at / 1.25) & (permuted < at * 1.25)
        worst[at] = float(np.abs(p[near] / permuted[near] - 1).max(initial=0.0))
    if used:
        assert worst[0.05] < 0.1, worst
        assert worst[0.005] < 0.5, worst
    elif len(sizes) == 2:
        assert worst[0.05] > 0.15, "there is a reason to draw permutations"
    assert module._is_like_f(np.repeat(centred, counts), smallest) == used


def test_differences_without_spread() -> None:
    codes = np.array([0, 0, 0, 1, 1, 1])
    alike = interaction(np.full(6, 0.3), codes)
    assert (alike.p, math.isnan(alike.f)) == (1.0, True)
    apart = interaction(np.array([0.1] * 3 + [0.2] * 3), codes)
    assert math.isinf(apart.f)
    assert apart.p == pytest.approx(2 / 20)


def test_it_holds_its_level() -> None:
    """Of no interaction p is below .05 in about 5 % of samples, also where values are skewed and slices unequal."""
    random_numbers = np.random.default_rng(3)
    codes = np.repeat([0, 1, 2], [30, 12, 8])
    p = [interaction(random_numbers.exponential(1, 50), codes, samples=199, seed=n).p for n in range(600)]
    share = float(np.mean(np.array(p) <= 0.05))
    assert stats.binomtest(int(share * 600), 600, 0.05).pvalue > 0.001
    assert float(np.mean(p)) == pytest.approx(0.5, abs=0.04)


def test_it_sees_an_interaction() -> None:
    random_numbers = np.random.default_rng(5)
    codes = np.repeat([0, 1], 40)
    p = [interaction(random_numbers.normal(codes, 1.0), codes, samples=199, seed=n).p for n in range(60)]
    assert float(np.mean(np.array(p) < 0.05)) > 0.9


def test_numbers_with_decimal_commas_are_parted_by_semicolons() -> None:
    use_decimal_comma(True)
    try:
        text = Interaction(2.014, 4, 419, 0.09, 0.18, family=2, correction="Holm").text
    finally:
        use_decimal_comma(False)
    assert text.startswith("p = 0,090; 0,180 after Holm over 2 tests; F(4, 419) = 2,01")

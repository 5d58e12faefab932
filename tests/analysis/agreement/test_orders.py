"""Orders of systems under two judges: against scipy, by their definitions, the same queries drawn under both."""

from __future__ import annotations

import numpy as np
import pytest
from brute_similarity import tau_ap_over_ties
from scipy import stats

from irviewer.analysis.agreement.orders import correlations, order_agreement, ranks_of, split_half
from irviewer.analysis.agreement.run_pairs import run_pairs
from irviewer.analysis.statistics.significance.resampling import counts
from irviewer.model.arrays import Floats


def judges(runs: int = 8, queries: int = 15, ties: bool = False) -> tuple[Floats, Floats]:
    random = np.random.default_rng(runs + queries)
    skill = random.random((runs, 1))
    mine, other = (skill + random.normal(0, 0.6, (runs, queries)) for _ in range(2))
    return (mine.round(0), other.round(0)) if ties else (mine, other)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("runs", [2, 3, 8, 40])
def test_tau_and_tau_ap(runs: int, ties: bool) -> None:
    mine, other = judges(runs, 4 if ties else 15, ties)
    tau, of_top = correlations(mine.mean(axis=1)[None], other.mean(axis=1)[None])
    first, second = mine.mean(axis=1).round(12), other.mean(axis=1).round(12)
    assert tau[0] == pytest.approx(stats.kendalltau(first, second).statistic, nan_ok=True)
    if not ties or runs < 8:
        assert of_top[0] == pytest.approx(tau_ap_over_ties(first.tolist(), second.tolist()), nan_ok=True)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_files_changes_no_correlation(seed: int) -> None:
    random = np.random.default_rng(seed)
    mine, other = judges(8, 4, ties=True)
    order = random.permutation(8)
    first = order_agreement(mine, other, samples=200, seed=3, level=0.9)
    mixed = order_agreement(mine[order], other[order], samples=200, seed=3, level=0.9)
    assert len(set(mine.mean(axis=1).round(12))) < 8
    for name in ("tau", "tau_ap"):
        ours, theirs = getattr(first, name), getattr(mixed, name)
        assert [ours.value, ours.low, ours.high] == pytest.approx([theirs.value, theirs.low, theirs.high])


@pytest.mark.parametrize("tied", ["reference", "judge"])
def test_equal_means_of_all_runs_are_no_order(tied: str) -> None:
    means, equal = np.array([[0.3, 0.2, 0.1]]), np.full((1, 3), 0.5)
    tau, tau_ap_of_both = correlations(*((equal, means) if tied == "reference" else (means, equal)))
    assert np.isnan(tau).all() and np.isnan(tau_ap_of_both).all()


def test_the_same_queries_are_drawn_under_both() -> None:
    mine, other = judges()
    orders = order_agreement(mine, other, samples=50, seed=3, level=0.8)
    drawn = np.concatenate(list(counts(15, 50, 3)))
    pairs = [(mine @ row, other @ row) for row in drawn]
    for ours, theirs in (
        (orders.tau, [stats.kendalltau(a, b).statistic for a, b in pairs]),
        (orders.tau_ap, [tau_ap_over_ties(a.tolist(), b.tolist()) for a, b in pairs]),
    ):
        assert (ours.low, ours.high) == tuple(pytest.approx(end) for end in np.quantile(theirs, [0.1, 0.9]))


@pytest.mark.parametrize(("runs", "has"), [(5, False), (6, True)])
def test_no_interval_below_six_runs(runs: int, has: bool) -> None:
    orders = order_agreement(*judges(runs), samples=100, seed=1, level=0.95)
    assert orders.tau.value is not None
    assert (orders.tau.low is not None, orders.tau_ap.low is not None) == (has, has)


def test_split_half_is_of_one_judge() -> None:
    mine, _ = judges(10, 31)
    ours = split_half(mine, seed=5)
    random = np.random.default_rng(8)
    values = []
    for _ in range(600):
        order = random.permutation(31)
        values.append(stats.kendalltau(mine[:, order[:15]].mean(axis=1), mine[:, order[15:]].mean(axis=1)).statistic)
    assert ours == pytest.approx(np.mean(values), abs=5 * np.std(values) / np.sqrt(600))
    assert split_half(mine[:, :1], seed=1) is None
    assert split_half(np.ones((4, 9)), seed=1) is None


def test_split_half_of_a_perfect_judge_is_one() -> None:
    assert split_half(np.arange(7.0)[:, None] + np.zeros((7, 9)), seed=1) == pytest.approx(1.0)


def test_equal_means_share_the_better_rank() -> None:
    assert ranks_of(np.array([0.3, 0.1 + 0.2, 0.5, 0.1])).tolist() == [2, 2, 1, 4]


def test_pairs_of_runs_by_a_plain_loop() -> None:
    mine, other = judges(9, 12)
    mine[3] = mine[4] + 0.0
    run_pairs_found = run_pairs(mine, other, 0.05)

    def significant(values: Floats) -> dict[tuple[int, int], bool]:
        p = {}
        for first in range(9):
            for second in range(first + 1, 9):
                difference = values[first] - values[second]
                p[first, second] = stats.ttest_1samp(difference, 0).pvalue if difference.any() else 1.0
        ordered = sorted(p, key=p.__getitem__)
        running, shown = 0.0, {}
        for place, pair in enumerate(ordered):
            running = max(running, (len(ordered) - place) * p[pair])
            shown[pair] = running < 0.05
        return shown

    by_one, by_other = significant(mine), significant(other)
    wanted = {"same": [0, 0, 0], "opposite": [0, 0, 0], "tied": 0}
    opposite = set()
    for first, second in by_one:
        product = (mine[first] - mine[second]).mean() * (other[first] - other[second]).mean()
        number = int(by_one[first, second]) + int(by_other[first, second])
        if product == 0:
            wanted["tied"] += 1  # type: ignore[operator]
        else:
            wanted["same" if product > 0 else "opposite"][number] += 1  # type: ignore[index]
            if product < 0:
                opposite.add(frozenset((first, second)))
    counts = run_pairs_found.counts()
    assert [counts.same_neither, counts.same_one, counts.same_both] == wanted["same"]
    assert [counts.opposite_neither, counts.opposite_one, counts.opposite_both] == wanted["opposite"]
    assert (counts.tied, counts.pairs) == (wanted["tied"], 36)
    assert (counts.significant_by_reference, counts.significant) == (sum(by_one.values()), sum(by_other.values()))
    assert {frozenset((pair.first, pair.second)) for pair in run_pairs_found.opposite} == opposite
    assert all(pair.by_reference > 0 > pair.by_judge for pair in run_pairs_found.opposite)
    among = np.arange(9) < 4
    assert run_pairs_found.counts(among).pairs == 6


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "apart", "differ", "least", "most"), [
    (10, 0.02, 0.0, 0.1, 0.5),
    (30, 0.005, 0.0, 0.0, 0.05),
    (10, 0.02, 0.2, 0.9, 1.0),
])  # fmt: skip
def test_intervals_of_tau_are_low_where_judges_agree(
    systems: int, apart: float, differ: float, least: float, most: float
) -> None:
    """What the page says of them: where two judges order all systems alike, few intervals hold 1, and where they differ
    widely nearly all hold τ of the means."""
    random = np.random.default_rng(3)
    means = np.arange(systems) * apart
    others = means + random.normal(0, differ, systems)
    true = float(correlations(means[None], others[None])[0][0])
    held = 0
    for case in range(200):
        chance = random.normal(0, 0.2, (1, 40)) + random.normal(0, 0.15, (systems, 40))
        judge = others[:, None] + chance + random.normal(0, 0.1, (systems, 40))
        tau = order_agreement(means[:, None] + chance, judge, samples=300, seed=case, level=0.95).tau
        assert tau.low is not None and tau.high is not None
        held += tau.low <= true + 1e-9 and true - 1e-9 <= tau.high
    assert least <= held / 200 <= most

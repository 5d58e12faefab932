"""Orders of systems under two judges: against scipy, by definition; the interval of tau against all sets of pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from brute_similarity import tau_ap_over_ties
from scipy import stats

from irviewer.analysis.agreement.orders import OrderAgreement, correlations, order_agreement, ranks_of, split_half
from irviewer.analysis.agreement.run_pairs import run_pairs
from irviewer.model.arrays import Floats


def judges(runs: int = 8, queries: int = 15, ties: bool = False) -> tuple[Floats, Floats]:
    random = np.random.default_rng(runs + queries)
    skill = random.random((runs, 1))
    mine, other = (skill + random.normal(0, 0.6, (runs, queries)) for _ in range(2))
    return (mine.round(0), other.round(0)) if ties else (mine, other)


def agreement_of(mine: Floats, other: Floats, level: float) -> OrderAgreement:
    return order_agreement(mine, other, run_pairs(mine, other, 1 - level), seed=3, level=level)


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
    mine, other = (np.vstack([values, [[3.0, 3, 3, 4], [6, 6, 7, 6]]]) for values in (mine, other))
    order = random.permutation(10)
    first, mixed = agreement_of(mine, other, 0.9), agreement_of(mine[order], other[order], 0.9)
    assert len(set(mine.mean(axis=1).round(12))) < 10
    assert first.tau.low is not None
    for name in ("tau", "tau_ap"):
        ours, theirs = getattr(first, name), getattr(mixed, name)
        assert [ours.value, ours.low, ours.high] == pytest.approx([theirs.value, theirs.low, theirs.high])


@pytest.mark.parametrize("tied", ["reference", "judge"])
def test_equal_means_of_all_runs_are_no_order(tied: str) -> None:
    means, equal = np.array([[0.3, 0.2, 0.1]]), np.full((1, 3), 0.5)
    tau, tau_ap_of_both = correlations(*((equal, means) if tied == "reference" else (means, equal)))
    assert np.isnan(tau).all() and np.isnan(tau_ap_of_both).all()


@pytest.mark.parametrize(("alike", "noise"), [(1.0, 0.15), (0.0, 0.05), (-1.0, 0.05)])
@pytest.mark.parametrize("tied", [False, True])
def test_the_interval_has_the_pairs_that_closed_testing_shows(alike: float, noise: float, tied: bool) -> None:
    """A pair is shown alike where all sets of pairs with it are rejected by Simes' test: all sets are tried."""
    random = np.random.default_rng(6)
    skill = np.arange(6) * 0.1
    mine = skill[:, None] + random.normal(0, noise, (6, 20))
    other = (alike * skill)[:, None] + random.normal(0, noise, (6, 20))
    if tied:
        mine[5], other[5] = mine[4], other[4]
    pairs = list(itertools.combinations(range(6), 2))
    tests = [[stats.ttest_rel(values[a], values[b]) for a, b in pairs] for values in (mine, other)]
    p = {1: [], -1: []}  # type: dict[int, list[float]]
    for by_reference, by_judge in zip(*tests, strict=True):
        for side in p:
            same = not np.isnan(by_reference.pvalue) and np.sign(by_reference.statistic * by_judge.statistic) == side
            p[side].append(max(by_reference.pvalue, by_judge.pvalue) if same else 1.0)
    least = {side: closed_by_all_sets(values, 0.05) for side, values in p.items()}
    n = len(pairs) - tied
    ours = agreement_of(mine, other, 0.9)
    assert (ours.alike, ours.turned, ours.pairs) == (least[1], least[-1], 15)
    assert sum(least.values()) > 0 or alike == 0
    if sum(least.values()):
        assert (ours.tau.low, ours.tau.high) == pytest.approx(((2 * least[1] - n) / n, (n - 2 * least[-1]) / n))
    else:
        assert ours.tau.low is None


def closed_by_all_sets(p: list[float], alpha: float) -> int:
    """The number of false hypotheses that closed testing shows, from its definition: that of all minus the most
    hypotheses of a set that Simes' test does not reject."""
    kept = 0
    for bits in range(1, 1 << len(p)):
        chosen = sorted(value for place, value in enumerate(p) if bits >> place & 1)
        if all(value > alpha * (place + 1) / len(chosen) for place, value in enumerate(chosen)):
            kept = max(kept, len(chosen))
    return len(p) - kept


@pytest.mark.parametrize(("runs", "has"), [(5, False), (6, True)])
def test_no_interval_below_six_runs(runs: int, has: bool) -> None:
    means = np.arange(float(runs))[:, None]
    mine, other = (means + np.random.default_rng(seed).normal(0, 0.1, (runs, 15)) for seed in (1, 2))
    orders = agreement_of(mine, other, 0.95)
    assert orders.tau.value == pytest.approx(1.0)
    assert (orders.tau.low, orders.tau_ap.low) == (1.0 if has else None, None)


def test_no_interval_where_no_pair_is_shown() -> None:
    random = np.random.default_rng(4)
    orders = agreement_of(random.normal(0, 1, (8, 10)), random.normal(0, 1, (8, 10)), 0.95)
    assert orders.tau.value is not None
    assert (orders.alike, orders.turned, orders.tau.low) == (0, 0, None)


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


CASES = 120


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "queries", "spread", "differ", "errors"), [
    (10, 20, 0.15, 0.0, "normal"),
    (10, 50, 0.15, 0.8, "normal"),
    (20, 20, 0.06, 0.3, "normal"),
    (20, 50, 0.15, 0.3, "skewed"),
    (20, 50, 0.15, 0.0, "apart"),
    (30, 50, 0.15, 0.8, "apart"),
    (10, 20, 0.0, 0.0, "turned"),
    (10, 50, 0.0, 0.0, "turned"),
])  # fmt: skip
def test_coverage_of_the_interval_of_tau(systems: int, queries: int, spread: float, differ: float, errors: str) -> None:
    """The interval holds τ of the true means as often as it says, where it is shown; ``turned``: systems of all but the
    same mean, whose order is reversed under the judge, the worst for pairs shown alike."""
    random = np.random.default_rng(systems + queries)
    shown = held = 0
    for _ in range(CASES):
        means = random.normal(0, spread, systems) if spread else np.arange(systems) * 1e-9
        others = means + random.normal(0, differ * spread, systems) if spread else -means
        chance = (
            random.exponential(0.15, (systems, queries))
            if errors == "skewed"
            else (random.normal(0, 0.15, (systems, queries)))
        )
        mine = means[:, None] + random.normal(0, 0.2, (1, queries)) + chance
        if errors == "apart":
            chance = random.normal(0, 0.15, (systems, queries))
        other = others[:, None] + random.normal(0, 0.2, (1, queries)) + chance
        other += random.normal(0, 0.1 if spread else 0.001, (systems, queries))
        true = stats.kendalltau(means, others).statistic
        tau = agreement_of(mine, other, 0.95).tau
        low, high = (-1.0, 1.0) if tau.low is None or tau.high is None else (tau.low, tau.high)
        shown += tau.low is not None
        held += low - 1e-9 <= true <= high + 1e-9
    assert held / CASES >= 0.94
    assert shown / CASES >= (0.9 if spread > 0.1 else 0)

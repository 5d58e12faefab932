"""What runs say of queries, how firm their order is, and means that do not count queries alike: with loops beside."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.query_statistics import difference_from_median, query_statistics, value_range
from irviewer.analysis.statistics.series_average import set_means, weighted_means
from irviewer.analysis.statistics.stability import order_of, ranking_stability
from irviewer.errors import OptionError

RANDOM = np.random.default_rng(12)
VALUES = np.round(np.clip(RANDOM.random(15) + RANDOM.normal(0, 0.2, (7, 15)), 0, 1), 1)
HOLES = VALUES.copy()
HOLES[0, 2] = HOLES[3, 2] = HOLES[3, 9] = np.nan
HOLES[:, 14] = np.nan


def test_the_range_of_values_with_a_loop() -> None:
    unreached = np.zeros(HOLES.shape, np.bool_)
    unreached[0, 2] = unreached[1, 5] = True  # the second has a value
    ranges = value_range(zip(HOLES, unreached, strict=True))
    for query in range(15):
        have = [value for value in HOLES[:, query].tolist() if value == value]
        wanted = max(have) - min(have) if len(have) > 1 and query != 2 else np.nan
        assert ranges[query] == pytest.approx(wanted, nan_ok=True)
    whole = value_range(zip(VALUES, np.zeros(VALUES.shape, np.bool_), strict=True))
    assert whole.tolist() == [max(values) - min(values) for values in VALUES.T.tolist()]
    assert np.isnan(value_range(zip(HOLES[:1], unreached[:1], strict=True))).all(), "one run has no range"
    assert value_range([]).tolist() == []


@pytest.mark.parametrize("values", [VALUES, HOLES], ids=["whole", "holes"])
@pytest.mark.parametrize("least", [0.0, 0.15])
def test_query_statistics_with_loops(values: np.ndarray, least: float) -> None:
    statistics = query_statistics(values, least=least)
    for query in range(15):
        have = [run for run in range(7) if not np.isnan(values[run, query])]
        assert statistics.runs[query] == len(have)
        if not have:
            assert np.isnan([statistics.mean[query], statistics.separated[query], statistics.spread[query]]).all()
            continue
        column = values[have, query]
        expected = column.max(), np.median(column), column.min(), column.mean(), column.std(ddof=1)
        ours = (statistics.best, statistics.median, statistics.worst, statistics.mean, statistics.spread)
        assert [of_query[query] for of_query in ours] == pytest.approx(expected)
        rest = {run: np.nanmean(np.delete(values[run], query)) for run in have}
        apart, agree = 0, 0
        for mine, two in combinations(have, 2):
            difference = round(values[mine, query] - values[two, query], 9)
            sign = np.sign(difference) if abs(difference) > least else 0
            apart += sign != 0
            agree += sign * np.sign(round(rest[mine] - rest[two], 12))
        pairs = len(have) * (len(have) - 1) / 2
        assert statistics.separated[query] == pytest.approx(apart / pairs)
        assert statistics.agreement[query] == pytest.approx(agree / pairs)
        if np.ptp(column) > 0:
            assert statistics.correlation[query] == pytest.approx(stats.pearsonr(column, list(rest.values())).statistic)
        else:
            assert np.isnan(statistics.correlation[query])
    known = ~np.isnan(statistics.mean)
    ranks = stats.rankdata(np.round(-statistics.mean[known], 12)) - 1
    assert statistics.difficulty[known] == pytest.approx(ranks / (known.sum() - 1))
    assert statistics.discriminates.dtype == bool


@pytest.mark.parametrize("values", [VALUES, HOLES], ids=["whole", "holes"])
def test_without_pairs_all_else_is_the_same(values: np.ndarray) -> None:
    whole, rest = query_statistics(values, least=0.15), query_statistics(values, least=0.15, pairs=False)
    for field in fields(whole):
        mine, other = getattr(whole, field.name), getattr(rest, field.name)
        if field.name in ("separated", "agreement", "correlation"):
            assert np.isnan(other).all()
        else:
            np.testing.assert_array_equal(mine, other)
    assert not rest.discriminates.any()


def test_a_cost_turns_best_and_hard_round() -> None:
    plain, cost = query_statistics(VALUES), query_statistics(VALUES, higher_is_better=False)
    assert plain.best.tolist() == cost.worst.tolist()
    assert plain.difficulty == pytest.approx(1 - cost.difficulty)
    assert plain.agreement.tolist() == cost.agreement.tolist()


def test_one_run_separates_nothing() -> None:
    statistics = query_statistics(VALUES[:1])
    assert np.isnan(statistics.separated).all()
    assert np.isnan(statistics.spread).all()
    assert statistics.mean.tolist() == VALUES[0].tolist()


def test_difference_from_the_median() -> None:
    differences = difference_from_median(HOLES)
    assert differences[1, 0] == HOLES[1, 0] - np.median(HOLES[:, 0])
    assert differences[1, 2] == HOLES[1, 2] - np.median(HOLES[[1, 2, 4, 5, 6], 2])
    assert np.isnan(differences[0, 2])
    assert np.isnan(differences[:, 14]).all()
    with pytest.raises(OptionError, match="median of 4 runs is not meaningful"):
        difference_from_median(VALUES[:4])
    assert difference_from_median(VALUES[:3], least_runs=3).shape == (3, 15)


@pytest.mark.parametrize("weights", [None, RANDOM.integers(1, 4, 15).astype(float)], ids=["plain", "weights"])
def test_stability_with_loops(weights: np.ndarray | None) -> None:
    samples = 600
    stability = ranking_stability(VALUES, samples=samples, seed=2, weights=weights)
    random = np.random.default_rng(2)
    first, ranks, ahead = np.zeros(7), [], np.zeros((7, 7))
    for _ in range(samples):
        drawn = random.integers(0, 15, 15)
        means = np.round(np.average(VALUES[:, drawn], axis=1, weights=None if weights is None else weights[drawn]), 10)
        top = np.flatnonzero(means == means.max())
        first[top] += 1 / len(top)
        ranks.append(stats.rankdata(-means))
        ahead += (means[:, None] > means) + (means[:, None] == means) / 2
    assert stability.first == pytest.approx(first / samples)
    assert stability.first.sum() == pytest.approx(1)
    off = ~np.eye(7, dtype=bool)
    assert stability.ahead[off] == pytest.approx(ahead[off] / samples)
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="nearest")
    assert stability.low.tolist() == low.tolist()
    assert stability.high.tolist() == high.tolist()
    means = np.round(np.average(VALUES, axis=1, weights=weights), 12)
    assert stability.rank == pytest.approx(stats.rankdata(-means))
    assert means[order_of(stability)].tolist() == sorted(means, reverse=True)
    taus = [
        sum(np.sign(ranking[a] - ranking[b]) * np.sign(means[b] - means[a]) for a, b in combinations(range(7), 2)) / 21
        for ranking in ranks
    ]
    assert stability.tau == pytest.approx(np.mean(taus))


def test_stability_of_what_is_clear_and_of_what_is_not() -> None:
    steps = VALUES[0] + np.arange(3)[:, None]
    clear = ranking_stability(steps, samples=200)
    assert clear.first.tolist() == [0, 0, 1]
    assert (clear.low.tolist(), clear.high.tolist(), clear.tau) == ([3, 2, 1], [3, 2, 1], 1)
    assert "three comes first in 100 % of 200 draws" in clear.sentence("three", 2)
    assert "has rank 1 in" in clear.sentence("three", 2)
    cost = ranking_stability(steps, samples=200, higher_is_better=False)
    assert cost.first.tolist() == [1, 0, 0]
    equal = ranking_stability(np.tile(VALUES[0], (4, 1)), samples=200)
    assert equal.first.tolist() == [0.25] * 4
    assert equal.rank.tolist() == [2.5] * 4
    alone = ranking_stability(VALUES[:1], samples=200)
    assert (alone.first.tolist(), alone.tau) == ([1], 1)
    holes = ranking_stability(HOLES[:, :14], samples=200)
    assert holes.queries == 12
    with pytest.raises(OptionError, match="no query is in every run"):
        ranking_stability(HOLES[:, 14:])


def test_stability_reports_progress() -> None:
    shares: list[float] = []
    ranking_stability(VALUES, samples=1200, progress=shares.append)
    ranked = [250 / 1200, 500 / 1200, 0.5]
    ordered = [0.5 + 0.5 * (run + 1) / len(VALUES) for run in range(len(VALUES))]
    assert shares == pytest.approx([0, *ranked, *ordered])  # the first while means are drawn: a chance to end


def test_averages() -> None:
    sets = {
        "short": np.array([0, 1, 2, 2]),
        "long": np.arange(2, 10),
        "none": np.array([], int),
        "gone": np.array([14]),
    }
    means = set_means(HOLES, sets)
    assert means.sizes.tolist() == [3, 8, 0, 1]
    assert means.counted[:, 3].tolist() == [2, 6, 0, 0]
    short, long = np.nanmean(HOLES[:, :3], axis=1), np.nanmean(HOLES[:, 2:10], axis=1)
    assert means.means[0] == pytest.approx(short)
    assert np.isnan(means.means[2:]).all()
    assert means.macro == pytest.approx((short + long) / 2)
    assert means.micro == pytest.approx(np.nanmean(HOLES[:, :10], axis=1))
    weights = np.arange(15.0)
    weighed = set_means(VALUES, {"all": np.arange(15), "first": np.arange(5)}, weights)
    whole = np.average(VALUES, axis=1, weights=weights)
    assert weighed.means[0] == pytest.approx(whole)
    assert weighed.micro == pytest.approx(whole)
    assert weighted_means(VALUES, weights) == pytest.approx(whole)
    with pytest.raises(OptionError, match="out of range"):
        set_means(VALUES, {"x": np.array([15])})
    with pytest.raises(OptionError, match="none below 0"):
        weighted_means(VALUES, -weights)

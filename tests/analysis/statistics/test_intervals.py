"""Intervals against scipy's, against draws made one by one, and where there is nothing to draw."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.statistics.compare import compare
from irviewer.analysis.statistics.intervals import bootstrap_interval, in_order, mean_interval, t_interval
from irviewer.analysis.statistics.result_comparison import ComparisonOptions, compare_measure, compare_results
from irviewer.analysis.statistics.significance import resampling
from irviewer.analysis.statistics.significance.resampling import (
    AT_ONCE,
    GROUPED_ABOVE,
    GROUPS,
    DrawnDifferences,
    SharedMeans,
    are_grouped,
    bootstrap_means,
    counts,
    patterns,
    signed_sums,
    signs,
)
from irviewer.analysis.statistics.stability import ranking_stability
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

RANDOM = np.random.default_rng(8)
SKEWED = RANDOM.exponential(1, (6, 35)) - 0.5


def test_t_is_scipys() -> None:
    low, high = t_interval(SKEWED, 0.9)
    for row in range(6):
        theirs = stats.ttest_1samp(SKEWED[row], 0).confidence_interval(0.9)
        assert (low[row], high[row]) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_is_scipys_but_for_the_draws(method: str) -> None:
    """200,000 draws each: what is left is the noise of the draws."""
    row = SKEWED[0]
    mine = mean_interval(row, method, samples=200_000, seed=1)  # type: ignore[arg-type]
    theirs = stats.bootstrap(
        (row,), np.mean, n_resamples=200_000, method=method, random_state=np.random.default_rng(2), batch=1000
    ).confidence_interval
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=0.006)
    other = mean_interval(row, "percentile" if method == "bca" else "bca", samples=200_000, seed=1)
    assert abs(other.high - mine.high) > 0.02  # the two methods are further apart than that


def test_bca_spelled_out() -> None:
    """From the very draws, with loops."""
    row, samples, seed = SKEWED[1], 3000, 5
    random = np.random.default_rng(seed)
    drawn = np.array([row[random.integers(0, 35, 35)].mean() for _ in range(samples)])
    same = bootstrap_means(row[None], samples, seed)[0]
    assert same == pytest.approx(drawn, abs=1e-12)
    mean = row.mean()
    bias = stats.norm.ppf((np.sum(drawn < mean) + np.sum(drawn <= mean)) / 2 / samples)
    left = np.array([np.delete(row, place).mean() for place in range(35)])
    gap = left.mean() - left
    acceleration = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    ends = []
    for share in (0.025, 0.975):
        z = bias + stats.norm.ppf(share)
        ends.append(np.quantile(drawn, stats.norm.cdf(bias + z / (1 - acceleration * z))))
    interval = mean_interval(row, "bca", samples=samples, seed=seed)
    assert (interval.low, interval.high) == pytest.approx(ends, abs=1e-9)
    plain = mean_interval(row, "percentile", 0.8, samples=samples, seed=seed)
    assert (plain.low, plain.high) == pytest.approx(np.quantile(drawn, [0.1, 0.9]), abs=1e-12)


def test_means_that_are_equal_but_for_rounding_count_half() -> None:
    """Success of 30 queries: many drawn means are the mean itself, in other words of the computer."""
    row = np.repeat([0.1, 0.3, 1.1], [10, 10, 10])
    drawn = bootstrap_means(row[None], 4000, 1)
    equal = np.abs(drawn[0] - row.mean()) < 1e-9
    assert 10 < equal.sum() < 4000
    noisy = np.where(equal, row.mean() + 1e-15 * np.sign(RANDOM.random(4000) - 0.9), drawn[0])
    low, high = bootstrap_interval(row[None], "bca", drawn=noisy[None].copy())
    clean = bootstrap_interval(row[None], "bca", drawn=np.where(equal, row.mean(), drawn[0])[None].copy())
    assert (low[0], high[0]) == pytest.approx((clean[0][0], clean[1][0]), abs=1e-12)


def test_weights_draw_a_query_with_its_weight() -> None:
    weights = RANDOM.integers(1, 5, 35).astype(float)
    random = np.random.default_rng(3)
    expected = []
    for _ in range(2000):
        drawn = random.integers(0, 35, 35)
        expected.append(np.average(SKEWED[2][drawn], weights=weights[drawn]))
    assert bootstrap_means(SKEWED[2:3], 2000, 3, weights)[0] == pytest.approx(np.array(expected), abs=1e-12)
    interval = mean_interval(SKEWED[2], "bca", samples=2000, seed=3, weights=weights)
    mean = float(np.average(SKEWED[2], weights=weights))
    left = np.array([np.average(np.delete(SKEWED[2], q), weights=np.delete(weights, q)) for q in range(35)])
    gap = left.mean() - left
    acceleration = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    bias = stats.norm.ppf(np.mean(np.array(expected) < mean))
    z = bias + stats.norm.ppf(0.025)
    low = np.quantile(expected, stats.norm.cdf(bias + z / (1 - acceleration * z)))
    assert interval.low == pytest.approx(low, abs=1e-9)


def test_draws_in_parts_are_the_draws_in_one() -> None:
    n = AT_ONCE // 3
    parts = list(counts(n, 7, 1))
    assert [len(part) for part in parts] == [3, 3, 1]
    whole = np.concatenate(parts)
    assert whole.sum(axis=1).tolist() == [n] * 7
    assert set(np.unique(np.concatenate(list(signs(n, 4, 1))))) == {-1, 1}
    values = RANDOM.random((2, 50))
    drawn = np.concatenate(list(signs(50, 30, 9)))
    assert signed_sums(values, 30, 9) == pytest.approx(values @ drawn.T)


def test_signs_are_those_of_whole_numbers() -> None:
    """The same bits are drawn for numbers of 32 bits and of 64."""
    n = AT_ONCE // 3 + 1
    drawn = np.concatenate(list(signs(n, 5, 8)))
    random = np.random.default_rng(8)
    assert np.array_equal(drawn, np.concatenate([random.integers(0, 2, (rows, n)) for rows in (2, 2, 1)]) * 2.0 - 1)


@pytest.mark.parametrize("kind", ["plain", "ties", "sorted", "few", "without"])
def test_the_ends_are_those_of_sorted_draws(kind: str) -> None:
    """To the last bit, also where the first draws say nothing about the others."""
    drawn = RANDOM.normal(size=(40, 300 if kind == "few" else 5000))
    if kind == "ties":
        drawn[::2] = np.round(drawn[::2])
        drawn[1::4] = 0.5
    elif kind == "sorted":
        drawn[::2].sort(axis=1)
        drawn[1::4] = -np.sort(-drawn[1::4], axis=1)
    elif kind == "without":
        drawn[::3] = np.nan
    given, ordered = drawn.copy(), np.sort(drawn, axis=1)
    size = drawn.shape[1]
    for low in (0, 1, size // 40, size // 10 - 1, size // 2):
        for high in (low, size - 1 - low, size - size // 40, size - 2, size - 1):
            places = [low, min(low + 1, size - 1), high, min(high + 1, size - 1)]
            np.testing.assert_array_equal(in_order(drawn, low, high), ordered[:, places].T)
    np.testing.assert_array_equal(drawn, given)


@pytest.mark.parametrize("kind", ["normal", "skewed", "ties", "two", "far"])
def test_most_rows_are_found_by_their_tails(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is what makes the ends quick; the others are put in order as a whole, and all have the same values."""
    drawn = RANDOM.normal(size=(60, 10_000))
    if kind == "skewed":
        drawn = drawn + 0.04 * drawn**2  # as means of fifty skewed values are
    elif kind == "ties":
        drawn = np.round(drawn, 2)
    elif kind == "two":
        drawn = np.sign(drawn)  # one value fills more than a tail
    elif kind == "far":
        drawn = 1e9 + drawn
    whole = []
    partition = np.partition

    def counting(rows: np.ndarray, places: list[int], axis: int) -> np.ndarray:
        whole.append(len(rows))
        return partition(rows, places, axis=axis)

    monkeypatch.setattr(np, "partition", counting)
    np.testing.assert_array_equal(in_order(drawn, 249, 9749), np.sort(drawn, axis=1)[:, [249, 250, 9749, 9750]].T)
    assert sum(whole) == (60 if kind == "two" else pytest.approx(0, abs=10))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_differences_of_drawn_means_a_few_rows_at_a_time(method: str, weighted: bool) -> None:
    """The ends to the last bit as of all differences at once."""
    values = RANDOM.random((9, 30))
    weights = RANDOM.random(30) if weighted else None
    means = bootstrap_means(values, 2000, 5, weights)
    first, second = np.triu_indices(9, 1)
    given = {"method": method, "weights": weights, "samples": 2000, "seed": 5}
    rows = values[first] - values[second]
    ends = bootstrap_interval(rows, drawn=DrawnDifferences(means, first, second), **given)
    drawn = means[first] - means[second]
    np.testing.assert_array_equal(ends, bootstrap_interval(rows, drawn=drawn, **given))
    if method == "percentile":
        np.testing.assert_allclose(ends, np.quantile(drawn, [0.025, 0.975], axis=1), rtol=1e-12, atol=1e-15)


def test_nothing_to_draw() -> None:
    for method in ("bca", "percentile", "t"):
        interval = mean_interval([0.4, np.nan], method)  # type: ignore[arg-type]
        assert np.isnan([interval.low, interval.high]).all()
        assert (interval.text, interval.sentence[:11]) == ("–", "No interval")
        for same in ([0.1] * 3, [0.1] * 10, [0.7, 0.7]):  # an interval of no width would say that nothing can differ
            interval = mean_interval(same, method)  # type: ignore[arg-type]
            assert np.isnan([interval.low, interval.high]).all()
            assert "all values are the same" in interval.sentence
        given = {} if method == "t" else {"weights": [1.0] * 10 + [0.0]}
        assert mean_interval([0.1] * 10 + ([0.3] if given else []), method, **given).flat  # type: ignore[arg-type]
        none = mean_interval([np.nan], method)  # type: ignore[arg-type]
        assert np.isnan([none.low, none.high]).all()
    with pytest.raises(OptionError, match="no weights"):
        mean_interval([1, 2], "t", weights=[1, 2])


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_few_queries_have_no_drawn_interval(method: str) -> None:
    """Nine have none, ten have one, also where others have no weight; Student's t needs two."""
    values = RANDOM.random(10)
    assert np.isfinite(mean_interval(values, method).low)  # type: ignore[arg-type]
    nine = mean_interval(values[:9], method)  # type: ignore[arg-type]
    weighted = mean_interval(values, method, weights=[1.0] * 9 + [0.0])  # type: ignore[arg-type]
    assert np.isnan([nine.low, nine.high, weighted.low, weighted.high]).all()
    assert nine.sentence == (
        "No interval: drawn from fewer than 10 queries it would be far too narrow. Student's t has one."
    )
    assert np.isfinite(mean_interval(values[:2], "t").low)


def test_patterns_of_the_values_that_exist() -> None:
    present = RANDOM.random((30, 4)) < 0.5
    patterns_found = patterns(present)
    assert sorted(int(pair) for pattern in patterns_found for pair in pattern.pairs) == list(range(30))
    for pattern in patterns_found:
        assert all(np.flatnonzero(present[pair]).tolist() == pattern.queries.tolist() for pair in pattern.pairs)
    assert len(patterns(np.ones((3, 4), bool))) == 1


def test_sentence() -> None:
    sentence = mean_interval([0.1, 0.5, 0.25] * 4, samples=500, seed=3).sentence
    assert sentence.startswith("95 % interval [.")
    assert "500 samples of the queries, seed 3" in sentence


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_queries_without_weight_take_no_part(method: str) -> None:
    """Most have none: drawn with the others they left nothing to average, and an end of the interval became 0."""
    values, weights = RANDOM.random(90) + 1, np.zeros(90)
    weights[:12] = (10, 1, 3, 2) * 3
    interval = mean_interval(values, method, weights=weights)  # type: ignore[arg-type]
    alone = mean_interval(values[:12], method, weights=weights[:12])  # type: ignore[arg-type]
    assert (interval.low, interval.high) == (alone.low, alone.high)
    assert values[:12].min() <= interval.low < interval.high <= values[:12].max()
    assert np.isnan(mean_interval(values, method, weights=np.zeros(90)).low)  # type: ignore[arg-type]


def test_shared_means_are_drawn_once_for_equal_values() -> None:
    shared = SharedMeans()
    first = shared.means(SKEWED, 500, 3)
    np.testing.assert_array_equal(first, bootstrap_means(SKEWED, 500, 3))
    assert not first.flags.writeable
    assert shared.means(SKEWED.copy(), 500, 3) is first
    changed = SKEWED.copy()
    changed[1, 2] += 0.5
    for values, samples, seed in ((changed, 500, 3), (SKEWED, 600, 3), (SKEWED, 500, 4)):
        np.testing.assert_array_equal(shared.means(values, samples, seed), bootstrap_means(values, samples, seed))
    again = shared.means(SKEWED, 500, 3)
    shared.forget()
    assert shared.means(SKEWED, 500, 3) is not again


def test_means_of_several_values_are_drawn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    draws: list[int] = []
    plain = resampling.counts

    def counted(n: int, samples: int, seed: int) -> Iterator[np.ndarray]:
        draws.append(n)
        return plain(n, samples, seed)

    several = [SKEWED, SKEWED[:2] ** 2, SKEWED[3:4]]
    alone = [bootstrap_means(values, 500, 3) for values in several]
    monkeypatch.setattr(resampling, "counts", counted)
    shared = SharedMeans()
    shared.draw(several, 500, 3)
    for values, means in zip(several, alone, strict=True):
        np.testing.assert_array_equal(shared.means(values.copy(), 500, 3), means)
    assert draws == [SKEWED.shape[1]]
    np.testing.assert_array_equal(shared.means(SKEWED, 500, 4), bootstrap_means(SKEWED, 500, 4))
    monkeypatch.setattr(resampling, "MOST_DRAWN", 4000)
    for values in ([SKEWED], several):
        draws.clear()
        SharedMeans().draw(values, 500, 3)
        assert draws == []


def test_a_comparison_by_several_measures_draws_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shuffle = np.random.default_rng(4)
    queries = [str(number) for number in range(30)]
    qrels = {query: {"a": 1, "b": int(shuffle.integers(3)), "c": 2} for query in queries}
    runs = {
        name: {query: dict(zip("abc", shuffle.random(3).tolist(), strict=True)) for query in queries} for name in "xyz"
    }
    result = evaluate(
        Qrels.from_dict(qrels), [Run.from_dict(run, name=name) for name, run in runs.items()],
        ["nDCG", "AP", "RR", "gm_map"],
    )  # fmt: skip
    options = ComparisonOptions(samples=400)
    alone = [compare_measure(result, measure, options, pairs=True) for measure in result.measures]
    draws: list[int] = []
    plain = resampling.counts
    monkeypatch.setattr(resampling, "counts", lambda *given: draws.append(1) or plain(*given))
    together = compare_results(result, None, options, pairs=True).comparisons
    assert len(draws) == 2  # the logarithms of the geometric mean are other values
    for ours, theirs in zip(together, alone, strict=True):
        for name in ("low", "high", "difference"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


def test_who_waits_for_shared_means_can_stop() -> None:
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    shared, begun, ended = SharedMeans(), threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        assert ended.wait(60)

    thread = threading.Thread(target=shared.means, args=(SKEWED, 500, 3, slow))
    thread.start()
    assert begun.wait(60)
    with pytest.raises(StoppedError):
        shared.means(SKEWED, 500, 3, stop)
    ended.set()
    thread.join()
    with pytest.raises(StoppedError):  # and work that is stopped keeps nobody waiting
        shared.means(SKEWED, 500, 4, stop)
    np.testing.assert_array_equal(shared.means(SKEWED, 500, 4), bootstrap_means(SKEWED, 500, 4))


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_comparisons_and_stability_are_the_same_with_shared_means(higher_is_better: bool) -> None:
    names, ids = [str(n) for n in range(6)], [str(n) for n in range(35)]
    shared = SharedMeans()
    for values in (SKEWED, np.where(RANDOM.random(SKEWED.shape) < 0.05, np.nan, SKEWED)):
        for given in ({"baseline": 2}, {"pairs": True}, {"pairs": True, "interval": "bca"}):
            mine, alone = (
                compare(values, names, ids, samples=600, higher_is_better=higher_is_better, shared=each, **given)
                for each in (shared, None)
            )
            np.testing.assert_array_equal(mine.low, alone.low)
            np.testing.assert_array_equal(mine.high, alone.high)
        orders = [
            ranking_stability(values, samples=600, higher_is_better=higher_is_better, shared=each)
            for each in (shared, None)
        ]
        for name in ("rank", "first", "low", "high", "ahead"):
            np.testing.assert_array_equal(getattr(orders[0], name), getattr(orders[1], name))


MANY = np.clip(RANDOM.beta(2, 3, (2, 70_000)) + np.array([[0.0], [0.001]]), 0, 1)


def test_of_very_many_queries_groups_are_drawn_with_the_same_error() -> None:
    """Against the standard error σ/√n: within four of its standard deviations, of groups (.6 %) and samples (.7 %)."""
    n, samples = MANY.shape[1], 10_000
    assert are_grouped(n)
    assert not are_grouped(GROUPED_ABOVE)
    allowed = 4 * np.sqrt(1 / (2 * GROUPS) + 1 / (2 * samples))
    drawn = bootstrap_means(MANY, samples, 1)
    assert drawn.std(axis=1) == pytest.approx(MANY.std(axis=1) / np.sqrt(n), rel=allowed)
    assert drawn.mean(axis=1) == pytest.approx(MANY.mean(axis=1), abs=5 * MANY.std() / np.sqrt(n * samples))
    difference = MANY[1] - MANY[0]
    assert (drawn[1] - drawn[0]).std() == pytest.approx(difference.std() / np.sqrt(n), rel=allowed)
    sums = signed_sums(MANY, samples, 1)
    assert (sums[1] - sums[0]).std() == pytest.approx(np.sqrt((difference**2).sum()), rel=allowed)
    assert abs((sums[1] - sums[0]).mean()) < 5 * np.sqrt((difference**2).sum() / samples)
    interval = mean_interval(MANY[0], "percentile", samples=samples, seed=1)
    normal = stats.norm.interval(0.95, MANY[0].mean(), MANY[0].std() / np.sqrt(n))
    assert (interval.low, interval.high) == pytest.approx(normal, abs=0.1 * (normal[1] - normal[0]))


def test_a_run_among_very_many_queries_is_drawn_alone_as_among_others() -> None:
    np.testing.assert_allclose(bootstrap_means(MANY[1:], 300, 5)[0], bootstrap_means(MANY, 300, 5)[1], rtol=1e-12)
    np.testing.assert_allclose(signed_sums(MANY[1:], 300, 5)[0], signed_sums(MANY, 300, 5)[1], rtol=1e-9, atol=1e-9)
    assert not np.allclose(bootstrap_means(MANY[1:], 300, 5), bootstrap_means(MANY[1:], 300, 6), rtol=1e-9)


def test_weights_of_very_many_queries() -> None:
    """The error of a weighted mean, by the delta method: sqrt(Σ w²(x - m)²) / Σ w."""
    weights = RANDOM.integers(0, 4, MANY.shape[1]).astype(float) + 1
    weights[:100] = 0
    mean = np.average(MANY[0], weights=weights)
    drawn = bootstrap_means(MANY[:1], 10_000, 2, weights)[0]
    error = np.sqrt((weights**2 * (MANY[0] - mean) ** 2).sum()) / weights.sum()
    assert drawn.std() == pytest.approx(error, rel=4 * np.sqrt(1 / (2 * GROUPS) + 1 / 20_000))
    assert drawn.mean() == pytest.approx(mean, abs=error / 10)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_an_end_of_zero_is_zero(method: Literal["bca", "percentile"]) -> None:
    """Sums of .2 and -.2 that are 0 but for rounding: an end was -2.2e-16, and was shown so."""
    values = np.random.default_rng(8).choice([-0.2, 0.0, 0.2, 0.6], size=(300, 20), p=[0.15, 0.6, 0.2, 0.05])
    ends = np.concatenate(bootstrap_interval(values, method, samples=400))
    assert (ends == 0).any()
    assert not ((ends != 0) & (np.abs(ends) < 1e-10)).any()

"""Simultaneous intervals: against scipy's Dunnett where it applies, a plain loop, and their coverage in simulations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import dunnett, norm

from irviewer.analysis.statistics.intervals import t_interval
from irviewer.analysis.statistics.simultaneous import simultaneous_intervals
from irviewer.model.arrays import Floats


def test_of_one_difference_it_is_the_bootstrap_t_interval() -> None:
    random = np.random.default_rng(1)
    row = random.normal(0.1, 0.3, (1, 60))
    result = simultaneous_intervals(row, 0.9, samples=2000, seed=5)
    drawn = np.random.default_rng(5).integers(0, 60, (2000, 60))  # fewer than a block
    samples = row[0][drawn]
    t = np.abs(samples.mean(axis=1) - row.mean()) / (samples.std(axis=1, ddof=1) / np.sqrt(60))
    critical = np.sort(t)[int(np.ceil(2001 * 0.9)) - 1]
    half = critical * row.std(ddof=1) / np.sqrt(60)
    assert result.critical == pytest.approx(critical, rel=1e-9)
    assert (result.low[0], result.high[0]) == pytest.approx((row.mean() - half, row.mean() + half), rel=1e-9)


def test_with_independent_runs_it_is_dunnett() -> None:
    """Dunnett's test is of independent groups of equal variance; with many values the two agree."""
    random = np.random.default_rng(2)
    control, *runs = random.normal(0.0, 1.0, (6, 3000))
    result = simultaneous_intervals(np.array(runs) - control, samples=8000)
    expected = dunnett(*runs, control=control, random_state=3).confidence_interval(0.95)
    width = (result.high - result.low).mean()
    assert width == pytest.approx((expected.high - expected.low).mean(), rel=0.03)
    assert norm.ppf(0.975) < result.critical < norm.ppf(1 - 0.025 / 5) + 0.03  # between one interval and Bonferroni


def test_edges() -> None:
    assert len(simultaneous_intervals(np.empty((0, 5))).low) == 0
    single = simultaneous_intervals(np.array([[0.5]]))
    assert np.isnan([single.low[0], single.high[0]]).all()
    same = simultaneous_intervals(np.zeros((2, 9)))
    assert np.isnan([same.low, same.high]).all()  # none without width
    rows = np.random.default_rng(4).normal(size=(3, 40))
    mixed = simultaneous_intervals(np.vstack([rows, np.zeros((1, 40))]), samples=500)
    alone = simultaneous_intervals(rows, samples=500)
    assert mixed.low[:3].tolist() == alone.low.tolist()
    gaps = rows.copy()
    gaps[0, ::2] = np.nan
    some = simultaneous_intervals(gaps, samples=500)
    assert some.differences[0] == pytest.approx(np.nanmean(gaps[0]))
    assert some.high[0] - some.low[0] > alone.high[0] - alone.low[0]


def _best_is_covered(values: Floats, truth: Floats) -> tuple[bool, bool]:
    """Whether the interval of the run with the largest gain over the first run contains the true gain: that of one
    pair, and the simultaneous one."""
    gains, true_gains = values[1:] - values[0], truth[1:] - truth[0]
    best = int(np.argmax(gains.mean(axis=1)))
    low, high = t_interval(gains[best : best + 1])
    own = low[0] <= true_gains[best] <= high[0]
    together = simultaneous_intervals(gains, samples=400, seed=9)
    return bool(own), bool(together.low[best] <= true_gains[best] <= together.high[best])


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.05])
def test_coverage_of_the_best_of_thirteen(spread: float, record_property: Callable[[str, object], None]) -> None:
    """Values in 0..1 with many zeros, queries that differ: the best run's own interval misses the truth too often, the
    simultaneous one does not."""
    random = np.random.default_rng(20)
    truth = 0.4 + spread * np.linspace(-1, 1, 13)
    hits = []
    for _ in range(1000):
        easy = random.beta(1, 1, 50)
        share = np.clip(truth[:, None] + 0.4 * (easy - 0.5), 0.02, 0.98)
        values = random.binomial(10, share) / 10  # their mean is the truth
        hits.append(_best_is_covered(values, truth))
    own, together = np.array(hits).mean(axis=0)
    assert together > 0.94
    assert own < (0.9 if spread == 0 else 0.96)
    what = "equal" if spread == 0 else "different"
    record_property(
        f"coverage of simultaneous intervals, the best of 13 {what} runs", f"{together:.1%} of 1,000, asked 95%"
    )


def test_the_best_of_some_equal_runs_is_covered() -> None:
    """The same in short: of runs without a difference, the best one's own interval leaves 0 out too often."""
    random = np.random.default_rng(21)
    truth = np.full(13, 0.5)
    hits = np.array([_best_is_covered(random.uniform(0, 1, (13, 40)), truth) for _ in range(120)])
    own, together = hits.mean(axis=0)
    assert together > 0.91 > own


def test_where_samples_have_no_spread_the_ends_are_infinite_and_a_row_without_spread_has_none() -> None:
    differences = np.array([np.zeros(8), [0, 0.2, 0, 0, 0, 0, 0.2, 0]])
    together = simultaneous_intervals(differences, samples=500)
    assert np.isnan([together.low[0], together.high[0]]).all()
    assert together.low[1] == -np.inf and together.high[1] == np.inf

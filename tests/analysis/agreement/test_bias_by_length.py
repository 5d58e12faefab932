"""Bias by length: a loop over pairs, scipy's t on means of queries, and coverage where pairs of a query are alike."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from irviewer.analysis.agreement.bias_by_length import bias_by_length


def test_parts_of_a_loop() -> None:
    random = np.random.default_rng(4)
    n = 240
    queries = np.repeat(np.arange(12), 20)
    reference = random.integers(0, 4, n).astype(np.float64)
    judge = random.integers(0, 4, n).astype(np.float64)
    lengths = random.integers(3, 90, n).astype(np.float64)
    lengths[::17] = np.nan
    parts = bias_by_length(reference, judge, lengths, queries)
    known = [place for place in range(n) if not math.isnan(lengths[place])]
    assert sum(part.pairs for part in parts) == len(known)
    assert all(before.longest < after.shortest for before, after in itertools.pairwise(parts))
    for part in parts:
        rows = [place for place in known if part.shortest <= lengths[place] <= part.longest]
        assert part.pairs == len(rows)
        assert abs(part.pairs - len(known) / 4) < 8
        assert part.bias == pytest.approx(sum(judge[row] - reference[row] for row in rows) / len(rows))
        left = []
        for row in rows:
            alike = [other for other in known if reference[other] == reference[row]]
            left.append(judge[row] - reference[row] - sum(judge[o] - reference[o] for o in alike) / len(alike))
        assert part.beyond == pytest.approx(sum(left) / len(left))


def test_the_interval_of_equal_queries_is_the_t_of_their_means() -> None:
    random = np.random.default_rng(5)
    queries = np.repeat(np.arange(8), 5)
    judge = random.integers(0, 4, 40).astype(np.float64)
    (part,) = bias_by_length(np.zeros(40), judge, np.full(40, 7.0), queries)
    means = judge.reshape(8, 5).mean(axis=1)
    low, high = stats.t.interval(0.95, 7, means.mean(), stats.sem(means))
    assert (part.low, part.high) == pytest.approx((low, high))


def test_edges() -> None:
    assert bias_by_length(np.zeros(2), np.ones(2), np.full(2, np.nan), np.arange(2)) == ()
    (alone,) = bias_by_length(np.zeros(3), np.ones(3), np.array([5.0, 5.0, 5.0]), np.zeros(3, dtype=np.int64))
    assert (alone.pairs, alone.bias, alone.beyond) == (3, 1.0, 0.0)
    assert math.isnan(alone.low) and math.isnan(alone.high)


def coverage(sets: int) -> float:
    """How often the interval of the shortest quarter holds the true bias, with a bias of each query of its own."""
    random = np.random.default_rng(6)
    hits = 0
    for _ in range(sets):
        queries = np.repeat(np.arange(30), random.integers(4, 40, 30))
        shift = random.normal(0.3, 0.5, 30)[queries]
        lengths = random.integers(5, 200, len(queries)).astype(np.float64)
        (short, *_) = bias_by_length(
            np.zeros(len(queries)), shift + random.normal(0, 0.7, len(queries)), lengths, queries
        )
        hits += short.low <= 0.3 <= short.high
    return hits / sets


@pytest.mark.slow
def test_coverage() -> None:
    assert 0.935 <= coverage(2000) <= 0.965


def test_one_bias_of_all_queries_has_no_interval() -> None:
    """A judge that gives every grade of the reference: [0, 0] would say that no query can differ."""
    grades, queries = np.arange(40.0) % 3, np.arange(40) // 4
    for bias in (0.0, 1.0):
        (part,) = bias_by_length(grades, grades + bias, np.full(40, 7.0), queries)
        assert part.bias == bias
        assert np.isnan([part.low, part.high]).all()

"""Comparisons: all pairs of 76 runs, 15 runs beside a baseline, and whether intervals hold what they promise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tests.benchmarks.case import Side


def _values(runs: int, queries: int) -> np.ndarray:
    """Runs over the same queries, hard ones hard for all, the later runs the better; some values equal."""
    random = np.random.default_rng(20)
    hard = random.beta(1, 2, queries)
    return np.round(
        np.clip(hard + random.normal(0, 0.15, (runs, queries)) + np.linspace(0, 0.2, runs)[:, None], 0, 1), 3
    )


@contextmanager
def all_pairs(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """76 runs, 30 queries, 2,850 pairs: 10,000 permutations, 10,000 bootstrap samples, Holm; then all other tests too,
    and letters."""
    from irviewer.analysis.statistics.compare import compare
    from irviewer.analysis.statistics.significance.test_results import TESTS

    runs, queries, samples = (6, 30, 500) if small else (76, 30, 10_000)
    values = _values(runs, queries)
    names, ids = [f"run {n}" for n in range(runs)], [str(q) for q in range(queries)]

    def asked() -> None:
        comparison = compare(values, names, ids, pairs=True, tests=["t", "randomisation"], samples=samples)
        assert len(comparison) == runs * (runs - 1) // 2
        assert not comparison.tests["randomisation"].exact.all()

    def everything() -> None:
        comparison = compare(values, names, ids, pairs=True, tests=list(TESTS), samples=samples)
        assert len(comparison.letters()) == runs
        assert len(comparison.pairs) == len(comparison)

    yield {"t, permutations, BCa": asked, "every test, letters, records": everything}


@contextmanager
def baseline(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """15 runs, 225 queries, as Cranfield has them, beside a baseline: every test, record and sentence."""
    from irviewer.analysis.statistics.compare import compare
    from irviewer.analysis.statistics.significance.test_results import TESTS

    runs, queries, samples = (3, 30, 500) if small else (15, 225, 10_000)
    values = _values(runs, queries)
    names, ids = [f"run {n}" for n in range(runs)], [str(q) for q in range(queries)]

    def ours() -> None:
        comparison = compare(values, names, ids, baseline=0, tests=list(TESTS), samples=samples)
        assert all(test.sentence for pair in comparison.pairs for test in pair.tests)
        assert all(pair.conclusion for pair in comparison.pairs)

    yield {"every test": ours}


@contextmanager
def stability(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """How often each of 76 runs comes first in 10,000 draws of 30 queries, and what the queries tell."""
    from irviewer.analysis.statistics.query_statistics import query_statistics
    from irviewer.analysis.statistics.stability import ranking_stability

    values = _values(6 if small else 76, 30)

    def ours() -> None:
        assert abs(ranking_stability(values, samples=500 if small else 10_000).first.sum() - 1) < 1e-9
        assert query_statistics(values).separated.max() <= 1

    yield {"ranks and queries": ours}


@contextmanager
def coverage(folder: Path, small: bool) -> Iterator[dict[str, Side]]:
    """Of 2,000 samples of 50 queries each, drawn from differences whose mean is known (skewed, and a fifth of them 0),
    how many intervals hold it: .95 is promised, .92 to .97 is passed."""
    from irviewer.analysis.statistics.intervals import bootstrap_interval, t_interval

    times, n, samples = (200, 50, 400) if small else (2000, 50, 2000)
    slack = 0.04 if small else 0.0
    random = np.random.default_rng(7)
    drawn = (random.beta(2, 5, (times, n)) - 0.25) * (random.random((times, n)) > 0.2)
    mean = (2 / 7 - 0.25) * 0.8

    def holds(low: np.ndarray, high: np.ndarray) -> None:
        share = float(((low <= mean) & (mean <= high)).mean())
        assert 0.92 - slack <= share <= 0.97 + slack, share

    def percentile() -> None:
        holds(*bootstrap_interval(drawn, "percentile", samples=samples, seed=1))

    def bca() -> None:
        holds(*bootstrap_interval(drawn, "bca", samples=samples, seed=1))

    def student() -> None:
        holds(*t_interval(drawn))

    yield {"BCa": bca, "percentile": percentile, "Student's t": student}

"""Wilcoxon's signed-rank test for many pairs, with both conventions for zeros, exact where scipy is exact."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from irviewer.analysis.statistics.significance.resampling import average_ranks
from irviewer.analysis.statistics.significance.test_results import Column, column
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats

EXACT_WITHOUT_TIES = 50
EXACT_WITH_TIES = 13
"""Queries up to which the exact distribution is used, as by scipy's ``method="auto"`` (1.17)."""


def wilcoxon_column(difference: Floats, zeros: Literal["wilcox", "pratt"] = "wilcox") -> Column:
    """Return W (the lesser of the two rank sums) and its two-sided p for P rows of differences float64[P, n] without
    NaN.

    Sources: Wilcoxon 1945; Pratt 1959, with Cureton's (1967) mean and variance. Without ties and zeros p is exact up to
    50 queries, with them up to 13; beyond, it is the normal approximation corrected for ties, without continuity
    correction."""
    size, n = difference.shape
    name = "wilcoxon" if zeros == "wilcox" else "wilcoxon-pratt"
    if n == 0:
        return column(name, 0, 0, np.zeros(size), np.ones(size), np.zeros(size), exact=True)
    zero = difference == 0
    zero_count = zero.sum(axis=1)
    ranks, ties = average_ranks(np.abs(difference))
    if zeros == "wilcox":
        ranks = ranks - zero_count[:, None]  # zeros have the lowest ranks, so all others move down
    ties = ties - (zero_count.astype(np.float64) ** 3 - zero_count)
    plus = np.where(difference > 0, ranks, 0).sum(axis=1)
    minus = np.where(difference < 0, ranks, 0).sum(axis=1)
    used = n - zero_count
    p = _approximate(plus, used if zeros == "wilcox" else np.full(size, n), zero_count * (zeros == "pratt"), ties)
    plain = (ties == 0) & (zero_count == 0)
    exact = np.zeros(size, dtype=bool)
    if n <= EXACT_WITHOUT_TIES and plain.any():
        lesser = np.minimum(plus, minus)[plain].astype(np.int64)
        p[plain] = np.minimum(1.0, 2 * _cumulative(n)[lesser])
        exact |= plain
    if n <= EXACT_WITH_TIES:
        for row in np.flatnonzero(~plain):
            p[row] = _counted(ranks[row][~zero[row]], plus[row])
            exact[row] = True
    p[used == 0] = 1.0
    return column(name, n, used, np.minimum(plus, minus), p, plus - minus, exact=exact)


def _approximate(plus: Floats, n: Floats, zeros: Floats, ties: Floats) -> Floats:
    ndtr = special().ndtr

    n, zeros = n.astype(np.float64), zeros.astype(np.float64)
    mean = (n * (n + 1) - zeros * (zeros + 1)) / 4
    square = (n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1) - ties / 2) / 24
    deviation = np.sqrt(np.maximum(square, 0))
    z = np.divide(plus - mean, deviation, out=np.zeros_like(plus), where=deviation > 0)
    return np.asarray(np.minimum(1.0, 2 * ndtr(-np.abs(z))))


@lru_cache(maxsize=64)
def _cumulative(n: int) -> Floats:
    """P(W+ <= w) for w = 0 … n(n+1)/2 where all ranks are different."""
    return np.cumsum(_distribution(np.arange(1, n + 1)))


def _distribution(ranks: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """The probability of every sum of a random subset of the ranks, whole numbers."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1
    for rank in ranks.tolist():
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: len(chances) - rank]
        chances = (chances + moved) / 2
    return chances


def _counted(ranks: Floats, plus: float) -> float:
    """The exact two-sided p of a sum of ranks, some of them shared and halves; computed with doubled ranks."""
    chances = _distribution(np.rint(2 * ranks).astype(np.int64))
    index = round(2 * plus)
    return float(min(1.0, 2 * min(chances[: index + 1].sum(), chances[index:].sum())))

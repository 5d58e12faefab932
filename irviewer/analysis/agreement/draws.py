"""Bootstrap over queries: sums over queries drawn with replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from irviewer.analysis.statistics.significance.resampling import counts
from irviewer.installed.scipy_parts import special
from irviewer.model.arrays import Floats

MOST_KEPT = 1 << 25
"""The largest number of elements of a cached matrix of draws; larger ones are drawn again for every use."""
BLOCK = 1400
"""Draws that are summed at a time."""
FLAT = 1e-12
"""Draws that differ by no more are equal, up to rounding."""
ONE_THREAD = 250_000
"""Matrix products with fewer multiplications use one thread (OpenBLAS: up to 2^18, interface/gemm.c). Others wait for a
second processor, which takes many times as long where that is busy."""


class Draws:
    """The number of times that each of n queries is drawn, for each of ``samples`` bootstrap samples. The draws depend
    on n and the seed alone, so that all pairs of judges with as many queries have the same."""

    def __init__(self, samples: int, seed: int) -> None:
        self.samples, self.seed = samples, seed
        self._kept: dict[int, Floats] = {}
        self._room: Floats | None = None

    def sums(self, by_query: Floats) -> Iterator[Floats]:
        """Return float64[C, *]: the sums of float64[n, C] over the queries drawn, ``samples`` columns in all, in blocks
        that fit into the processor's cache."""
        n, rows = len(by_query), np.ascontiguousarray(by_query.T)
        if n * self.samples <= MOST_KEPT:
            drawn: Iterable[Floats] = (self._matrix(n),)
        else:
            drawn = (part.T for part in counts(n, self.samples, self.seed))
        for part in drawn:
            for start in range(0, part.shape[1], BLOCK):
                yield product(rows, part[:, start : start + BLOCK])

    def of(self, by_query: Floats, statistics: Callable[[Floats], dict[str, Floats]]) -> Floats:
        """Return float64[S, samples]: S statistics of the sums of float64[n, C] over the queries drawn. The array is
        used again by the next call: new memory for every pair of judges takes longer than what is computed."""
        done = 0
        for sums in self.sums(by_query):
            drawn = statistics(sums)
            if self._room is None or len(self._room) != len(drawn):
                self._room = np.empty((len(drawn), self.samples))
            for row, values in zip(self._room, drawn.values(), strict=True):
                row[done : done + len(values)] = values
            done += sums.shape[1]
        assert self._room is not None
        return self._room

    def _matrix(self, n: int) -> Floats:
        if n not in self._kept:
            drawn = np.concatenate(list(counts(n, self.samples, self.seed)))
            self._kept[n] = np.ascontiguousarray(drawn.T)
        return self._kept[n]


def product(rows: Floats, columns: Floats) -> Floats:
    """Return the matrix product, computed in one thread if ``rows`` is small."""
    step = max(1, ONE_THREAD // max(1, rows.size))
    if step >= columns.shape[1]:
        return np.asarray(rows @ columns)
    result = np.empty((len(rows), columns.shape[1]))
    for start in range(0, columns.shape[1], step):
        result[:, start : start + step] = rows @ columns[:, start : start + step]
    return result


def expanded(level: float, n: int) -> float:
    """Return the level at which the percentile interval of a mean of n values, drawn with replacement, is as wide as
    the t interval of ``level``: with few values the percentile interval is too narrow. See Hesterberg, What teachers
    should know about the bootstrap, The American Statistician 69(4), 2015, "expanded percentile interval"."""
    distributions = special()
    t = float(distributions.stdtrit(n - 1, (1 + level) / 2))
    return float(2 * distributions.ndtr(t * np.sqrt(n / (n - 1))) - 1)


def percentiles(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Low and high float64[S] of float64[S, samples], the percentile interval of the draws in which the statistic is
    defined; NaN where it is defined in fewer than half of them, and where all draws are equal: an interval without
    width would say that nothing can differ, and only tells that nothing did. The draws are left in another order."""
    share = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.full(len(drawn), np.nan), np.full(len(drawn), np.nan)
    none = np.count_nonzero(np.isnan(drawn), axis=1)
    whole = np.flatnonzero(none == 0)
    if len(whole) == len(drawn):
        low[:], high[:] = _quantiles(drawn, np.array(share))
    elif len(whole):
        low[whole], high[whole] = np.quantile(drawn[whole], share, axis=1)
    for row in np.flatnonzero((none > 0) & (none < drawn.shape[1] / 2)).tolist():
        low[row], high[row] = np.quantile(drawn[row][~np.isnan(drawn[row])], share)
    flat = high - low <= FLAT
    low[flat] = high[flat] = np.nan
    return low, high


def _quantiles(rows: Floats, shares: Floats) -> Floats:
    """Return float64[K, S]: K quantiles of each row of float64[S, n] without NaN, as ``np.quantile`` interpolates them.
    The rows are sorted in place, which is quicker than the partition that NumPy makes."""
    rows.sort(axis=1)
    at = shares * (rows.shape[1] - 1)
    below = np.floor(at).astype(np.int64)
    part = at - below
    least, most = rows[:, below], rows[:, np.minimum(below + 1, rows.shape[1] - 1)]
    gap = most - least
    return np.asarray(np.where(part >= 0.5, most - gap * (1 - part), least + gap * part).T)

"""Resampling of queries: one matrix of draws serves every run and pair, so that 2,850 pairs cost a product a run.

A draw depends on the seed and the number of queries alone: a pair has the same numbers alone and among others. Of
very many queries random groups are drawn instead, so that the time does not grow with them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints, frozen

SAMPLES = 10_000
SEED = 42
AT_ONCE = 1 << 17
"""Elements of a matrix of draws that are in memory together: as many as processors keep close by."""

MOST_DRAWN = 1 << 22
"""Means that are drawn together for several measures: 32 MB."""

GROUPED_ABOVE, GROUPS = 1 << 16, 1 << 14
"""From more queries than the first number so many random groups are drawn in place of the queries. The standard error
of a mean is then found within a share of 1 / sqrt(2 · GROUPS), .6 % (one standard deviation), which is less than the
1.4 % by which the end of an interval varies with 10,000 samples."""


MOST_DECIMALS = 12
"""To so many decimals differences of values up to 1 are meaningful."""


def are_grouped(n: int) -> bool:
    """Return whether groups of so many queries are drawn instead of single ones."""
    return n > GROUPED_ABOVE


def counts(n: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of n queries is drawn when n are drawn with replacement: float64[*, n], ``samples`` rows in
    all."""
    random = np.random.default_rng(seed)
    step = max(1, AT_ONCE // max(1, n))
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        drawn = random.integers(0, n, (rows, n)) + np.arange(rows)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def signs(n: int, samples: int, seed: int) -> Iterator[Floats]:
    """Yield independent signs, 1 or -1 with equal probability: float64[*, n], ``samples`` rows in all."""
    random = np.random.default_rng(seed)
    step = max(1, AT_ONCE // max(1, n))
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        # 32 bits are drawn for each in any case: numbers of 64 bits would be twice the memory.
        drawn = np.multiply(random.integers(0, 2, (rows, n), np.uint32), 2.0)
        drawn -= 1
        yield drawn


def products(rows: Floats, drawn: Floats) -> Floats:
    """Return the product of each row with each draw, float64[R, S] of float64[R, n] and float64[S, n]. Row by row: in
    one product of matrices the last bits of a row depend on how many others there are."""
    result = np.empty((len(rows), len(drawn)))
    for place, row in enumerate(np.ascontiguousarray(rows)):
        np.matmul(drawn, row, out=result[place])
    return result


def bootstrap_means(
    values: Floats, samples: int, seed: int, weights: Floats | None = None, step: Callable[[], None] | None = None
) -> Floats:
    """Return means of R runs over queries drawn again: float64[R, samples] of values float64[R, n] without NaN.

    With ``weights`` float64[n] they are weighted means, a query being drawn with its weight; queries of weight 0 are
    not drawn. NaN where no query has a weight. Of more than GROUPED_ABOVE queries groups are drawn. ``step`` is called
    after each block."""
    if weights is not None:
        positive = weights > 0
        values, weights = values[:, positive], weights[positive]
        if not len(weights):
            return np.full((len(values), samples), np.nan)
    rows, n = values if weights is None else values * weights, values.shape[1]
    if are_grouped(n):
        order = _order_of_groups(n, seed)
        rows, weights = (
            _group_sums(rows, order),
            _sizes_of_groups(n) if weights is None else _group_sums(weights[None], order)[0],
        )
    means = np.empty((len(values), samples))
    done = 0
    for drawn in counts(rows.shape[1], samples, seed):
        if step is not None:
            step()
        part = products(rows, drawn)
        if weights is None:
            part /= n
        else:
            part /= drawn @ weights
        means[:, done : done + len(drawn)] = part
        done += len(drawn)
    return means


class DrawnRows(Protocol):
    """Drawn means, float64[K, samples]: all of them, or what makes some rows of them."""

    def __getitem__(self, part: slice, /) -> Floats: ...


@dataclass(frozen=True, eq=False)
class DrawnDifferences:
    """Differences of two runs' drawn means for K pairs of rows of ``means``: all together are larger than any cache."""

    means: Floats
    first: Ints
    second: Ints

    def __getitem__(self, part: slice, /) -> Floats:
        pairs = list(zip(self.first[part].tolist(), self.second[part].tolist(), strict=True))
        result = np.empty((len(pairs), self.means.shape[1]))
        for place, (row, other) in enumerate(pairs):
            np.subtract(self.means[row], self.means[other], out=result[place])
        return result


def _order_of_groups(n: int, seed: int) -> Ints:
    """Return the n queries in random order, int64[n]; groups of nearly equal size follow each other."""
    return np.random.default_rng((seed, n)).permutation(n)


def _group_sums(rows: Floats, order: Ints) -> Floats:
    """Return the sums of each row by group, float64[R, GROUPS]."""
    begins = _begins_of_groups(len(order))[:-1]
    return np.array([np.add.reduceat(row[order], begins) for row in rows]).reshape(len(rows), GROUPS)


def _begins_of_groups(n: int) -> Ints:
    """Return where each group begins in their order, and n, int64[GROUPS + 1]."""
    return np.arange(GROUPS + 1) * n // GROUPS


def _sizes_of_groups(n: int) -> Floats:
    """Return the number of queries of each group, float64[GROUPS]."""
    return np.diff(_begins_of_groups(n)).astype(np.float64)


class SharedMeans:
    """Means over drawn queries that are computed once for all who ask for them: the comparison with a baseline, that of
    all pairs, and the stability of the order. Threads wait for each other."""

    WAIT = 0.05

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: tuple[Floats, int, int, Floats] | None = None
        self._drawn: list[tuple[Floats, int, int, Floats]] = []

    def draw(self, several: Sequence[Floats], samples: int, seed: int, step: Callable[[], None] | None = None) -> None:
        """Draw once for several values float64[R, n] of the same queries, whose means will be asked for. Nothing is
        drawn for a single one, or if the means took more than ``MOST_DRAWN``."""
        rows = sum(len(values) for values in several)
        if len(several) < 2 or rows * samples > MOST_DRAWN:
            return
        means = frozen(bootstrap_means(np.concatenate(several), samples, seed, step=step))
        ends = np.cumsum([len(values) for values in several])[:-1]
        parts = np.split(means, ends)
        self._drawn = [(values, samples, seed, part) for values, part in zip(several, parts, strict=True)]

    def means(self, values: Floats, samples: int, seed: int, step: Callable[[], None] | None = None) -> Floats:
        """Return :func:`bootstrap_means` without weights, read-only. ``step`` is also called while another thread
        computes them."""
        while not self._lock.acquire(timeout=self.WAIT):
            if step is not None:
                step()
        try:
            for known in self._drawn:
                if known[1:3] == (samples, seed) and np.array_equal(known[0], values):
                    return known[3]
            newest = self._newest
            if newest is None or newest[1:3] != (samples, seed) or not np.array_equal(newest[0], values):
                means = frozen(bootstrap_means(values, samples, seed, step=step))
                newest = self._newest = (values.copy(), samples, seed, means)
            return newest[3]
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Drop the means: nobody will ask again."""
        self._newest, self._drawn = None, []


def signed_sums(values: Floats, samples: int, seed: int, step: Callable[[], None] | None = None) -> Floats:
    """Return sums of R runs' values under random signs: float64[R, samples] of values float64[R, n] without NaN. The
    difference of two rows is the sum of their differences under the same signs. Of more than GROUPED_ABOVE queries the
    sums of groups under random signs get further signs. ``step`` is called after each block."""
    sums = np.empty((len(values), samples))
    done, n = 0, values.shape[1]
    if are_grouped(n):
        own = np.random.default_rng((seed, n, 1)).integers(0, 2, n).astype(np.float64) * 2 - 1
        values = _group_sums(values * own, _order_of_groups(n, seed))
    for drawn in signs(values.shape[1], samples, seed):
        if step is not None:
            step()
        sums[:, done : done + len(drawn)] = products(values, drawn)
        done += len(drawn)
    return sums


@dataclass(frozen=True, eq=False)
class Pattern:
    """Pairs that have the same queries in common: ``pairs`` int64[*], ``queries`` int64[*]."""

    pairs: Ints
    queries: Ints


def patterns(present: Bools) -> list[Pattern]:
    """Group pairs by the queries that both runs have, ``present`` bool[P, Q]. Usually there is one group."""
    if present.all():
        return [Pattern(np.arange(len(present)), np.arange(present.shape[1]))]
    rows, group = np.unique(np.packbits(present, axis=1), axis=0, return_inverse=True)
    group = group.reshape(-1)  # its shape differs between versions of numpy
    return [
        Pattern(members, np.flatnonzero(present[members[0]]))
        for members in (np.flatnonzero(group == number) for number in range(len(rows)))
    ]


def decimals_of(values: Floats) -> int:
    """Return the decimals to which differences of such values are meaningful: less than 1e-12 of the largest value (of
    1, where that is larger) is rounding, not a difference."""
    return int(_decimals(_largest(values.reshape(-1))))


def without_rounding(means: Floats) -> Floats:
    """Return means, float64[…, R], of which those of a row are equal that differ by the order of their sums alone."""
    if not means.size:
        return means
    rows = means.reshape(-1, means.shape[-1])
    decimals = _decimals(_largest(rows)).tolist()
    rounded = [np.round(row, number) for row, number in zip(rows, decimals, strict=True)]
    return np.array(rounded, dtype=np.float64).reshape(means.shape) + 0.0


def differences(first: Floats, second: Floats) -> Floats:
    """Return first - second, float64[…, n], rounded so that ties are exact: each row to the decimals that are
    meaningful for its own values, so that a pair of runs has the same differences whichever others are compared."""
    decimals = _decimals(np.maximum(_largest(first), _largest(second)))
    result: Floats = first - second
    least = int(decimals.min(initial=MOST_DECIMALS))
    if least == decimals.max(initial=least):  # nearly always
        return np.round(result, least) + 0.0
    for number in np.unique(decimals).tolist():
        rows = decimals == number
        result[rows] = np.round(result[rows], number)
    return result + 0.0  # -0 becomes 0


def _largest(values: Floats) -> Floats:
    largest = np.maximum(np.max(values, axis=-1, initial=1.0), -np.min(values, axis=-1, initial=-1.0))
    if np.isfinite(largest).all():  # nearly always
        return np.asarray(largest)
    return np.asarray(np.max(np.abs(values), axis=-1, initial=1.0, where=np.isfinite(values)))


def _decimals(largest: Floats) -> Ints:
    return MOST_DECIMALS - np.ceil(np.log10(largest)).astype(np.int64)


def average_ranks(values: Floats) -> tuple[Floats, Floats]:
    """Return the ranks from 1 within each row, equal values sharing their mean rank, float64[P, n], and Σ(t³ - t) over
    each row's groups of t equal values, float64[P]."""
    size, n = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    begins = np.ones((size, n), dtype=bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    position = np.broadcast_to(np.arange(n), (size, n))
    first = np.maximum.accumulate(np.where(begins, position, 0), axis=1)
    ends = np.ones((size, n), dtype=bool)
    ends[:, :-1] = begins[:, 1:]
    last = np.minimum.accumulate(np.where(ends, position, n - 1)[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty((size, n))
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=1)
    group = np.where(begins, last - first + 1, 0).astype(np.float64)
    return ranks, (group**3 - group).sum(axis=1)

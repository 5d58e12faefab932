"""Rank correlation: Kendall's tau-b and tau-AP, for many pairs of orders and for one.

Kendall, The treatment of ties in ranking problems, Biometrika 1945 (tau-b: a pair tied in one order counts for
neither); Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008
(tau-AP: disagreement at the top weighs more). tau-AP has no ties: equal values keep their given order. It is not
symmetric; the symmetric form is the mean of both directions, as its authors define it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from irviewer.model.arrays import Floats, Ints

_BASE = 16  # blocks of this size are compared directly, larger ones are merged

Grid = npt.NDArray[np.int64]


def tau_b_of_rows(keys: Grid, width: int, counts: Ints) -> Floats:
    """Return Kendall's tau-b of M pairs of orders, float64[M]; NaN for fewer than two items, or all tied in one order.

    ``keys`` int[M, N]: ``first * width + second``, the numbers of an item in the two orders (equal: tied), ascending in
    each row; only the first ``counts`` items of a row count, the others are ``width ** 2`` or more."""
    valid = np.arange(keys.shape[1]) < counts[:, None]
    first, second = keys // width, np.where(valid, keys % width, width)
    pairs = counts * (counts - 1) // 2
    in_first = tied_pairs(first, valid)
    in_second = tied_pairs(np.sort(second, axis=1), valid)
    in_both = tied_pairs(keys, valid)
    difference = pairs - in_first - in_second + in_both - 2 * inversions(second)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = difference / np.sqrt(pairs - in_first) / np.sqrt(pairs - in_second)
    return np.clip(np.where((pairs > in_first) & (pairs > in_second), tau, np.nan), -1.0, 1.0)


def tied_pairs(ordered: Grid, valid: npt.NDArray[np.bool_]) -> Ints:
    """Return the number of pairs of equal values among the valid ones of each ascending row, int64[M]."""
    position = np.broadcast_to(np.arange(ordered.shape[1]), ordered.shape)
    starts = np.zeros(ordered.shape, dtype=np.int64)
    starts[:, 1:] = np.where(ordered[:, 1:] != ordered[:, :-1], position[:, 1:], 0)
    behind = position - np.maximum.accumulate(starts, axis=1)
    return np.asarray(np.sum(behind * valid, axis=1))


def inversions(values: Grid) -> Ints:
    """Return the number of pairs of each row whose earlier value is greater, int64[M]. Blocks are merged as in a merge
    sort; the number of one half's values before the other's follows from the other's positions (Mann and Whitney's
    U)."""
    rows, n = values.shape
    blocks = _padded(values, int(values.max(initial=0)) + 1).reshape(rows, -1, _BASE)
    total = np.zeros(rows, dtype=np.int64)
    for step in range(1, min(_BASE, n)):
        total += np.count_nonzero(blocks[:, :, :-step] > blocks[:, :, step:], axis=(1, 2))
    width, blocks = _BASE, np.sort(blocks, axis=2)
    while width < blocks.shape[1] * blocks.shape[2]:
        keys = blocks.reshape(rows, -1, 2, width) * 2
        keys[:, :, 1] += 1
        merged = np.sort(keys.reshape(rows, -1, 2 * width), axis=2)
        positions = (merged & 1) @ np.arange(2 * width)
        total += np.sum(width * width + width * (width - 1) // 2 - positions, axis=1)
        blocks, width = merged >> 1, 2 * width
    return total


def tau_ap_of_rows(values: Grid, counts: Ints) -> Floats:
    """Return the symmetric tau-AP of M pairs of orders, float64[M]; NaN for fewer than two items.

    ``values`` int[M, N]: the positions in the second order of items that are in the first order, no two equal in a row;
    only the first ``counts`` items count, the others are greater."""
    n = values.shape[1]
    position = np.broadcast_to(np.arange(n), values.shape)
    second = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(second, np.argsort(values, axis=1, kind="stable"), position, axis=1)
    share = np.concatenate([[0.0], 1.0 / np.arange(1, max(n, 2))])
    weights = (share[position] + share[second]) / 2 * (position < counts[:, None])
    total = _agreeing(second, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 1, np.clip(2.0 * total / (counts - 1.0) - 1.0, -1.0, 1.0), np.nan)


def tau_ap_one_way_of_rows(values: Grid) -> Floats:
    """tau-AP of M orders against their references, float64[M]; NaN for fewer than two items. ``values`` int[M, N]: the
    places in the reference of the items in the order tested, no two equal in a row."""
    n = values.shape[1]
    if n < 2:
        return np.full(len(values), np.nan)
    share = np.broadcast_to(np.concatenate([[0.0], 1.0 / np.arange(1, n)]), values.shape)
    return np.asarray(2.0 * _agreeing(values, share) / (n - 1) - 1.0)


def _agreeing(values: Grid, weights: Floats) -> Floats:
    """float64[M]: the sum over the items of each row of weight × the number of earlier items with a lesser value."""
    rows, n = values.shape
    padded = _padded(values, n)
    size = padded.shape[1]
    weight = np.zeros(padded.shape)
    weight[:, :n] = weights
    blocks, heavy = padded.reshape(rows, -1, _BASE), weight.reshape(rows, -1, _BASE)
    total = np.zeros(rows)
    for step in range(1, min(_BASE, n)):
        lesser = blocks[:, :, :-step] < blocks[:, :, step:]
        total += np.einsum("ijk,ijk->i", lesser, heavy[:, :, step:])
    keys, width = padded * size + np.arange(size), _BASE
    while width < size:
        keys = np.sort(keys.reshape(rows, -1, 2 * width), axis=2).reshape(rows, size)
        position = keys % size
        later = (position & width) != 0
        lesser = np.cumsum((~later).reshape(rows, -1, 2 * width), axis=2).reshape(rows, size)
        total += np.einsum("ij,ij,ij->i", later, lesser, np.take_along_axis(weight, position, axis=1))
        width *= 2
    return total


def _padded(values: Grid, high: int) -> Grid:
    """The rows padded with ``high`` and more, ascending, to a length that halves evenly down to a block."""
    size = _BASE
    while size < values.shape[1]:
        size *= 2
    padding = np.broadcast_to(high + np.arange(size - values.shape[1]), (len(values), size - values.shape[1]))
    return np.concatenate([values, padding], axis=1).astype(np.int64)


def tau_b(first_values: Floats, second_values: Floats) -> float:
    """Return Kendall's tau-b of two lists of values of the same items (equal values: tied); NaN is left out."""
    valid = ~(np.isnan(first_values) | np.isnan(second_values))
    _, first = np.unique(first_values[valid], return_inverse=True)
    _, second = np.unique(second_values[valid], return_inverse=True)
    width = len(first) + 1
    keys = np.sort(first.reshape(1, -1) * width + second.reshape(1, -1), axis=1)
    return float(tau_b_of_rows(keys, width, np.array([len(first)]))[0])


def tau_ap(reference: Floats, other: Floats) -> float:
    """Return tau-AP of the order of items by ``other``, high values first, against that by ``reference``: the
    probability that an item above a drawn item is above it in the reference too, scaled to -1 … 1."""
    valid = ~(np.isnan(reference) | np.isnan(other))
    n = int(valid.sum())
    if n < 2:
        return float("nan")
    order = np.argsort(-other[valid], kind="stable")
    position = np.empty(n, dtype=np.int64)
    position[np.argsort(-reference[valid], kind="stable")] = np.arange(n)
    share = np.concatenate([[0.0], 1.0 / np.arange(1, n)])
    return float(2.0 * _agreeing(position[order].reshape(1, -1), share.reshape(1, -1))[0] / (n - 1) - 1.0)


def tau_ap_symmetric(first: Floats, second: Floats) -> float:
    """Return the mean of both directions of :func:`tau_ap`."""
    return (tau_ap(first, second) + tau_ap(second, first)) / 2

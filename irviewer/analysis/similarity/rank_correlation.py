"""Rank correlation: Kendall's tau-b and tau-AP, for many pairs of orders and for one.

Kendall, The treatment of ties in ranking problems, Biometrika 1945 (tau-b: a pair tied in one order counts for
neither); Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008
(tau-AP: disagreement at the top weighs more). tau-AP is not symmetric; the symmetric form is the mean of both
directions, as its authors define it. tau-AP of orders with ties is its mean over all orders of what is tied, on either
side (see Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017, who treat the same two cases)."""

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


def tau_ap_with_ties_of_rows(reference: Grid, other: Grid) -> Floats:
    """Return tau-AP of M orders ``other`` against M references, float64[M], the mean over all orders of tied items; NaN
    for fewer than two items, or where all items of one side are tied: that is no order.

    Both int[M, N]: the ranks of the items, from 0; equal ranks are ties.

    An item of a tie of t items below a others is at the ranks a + 1 … a + t equally often. Above it are the a others,
    and of its tie 0 … t - 1 items, half of which are above it in the reference on average over all orders."""
    rows, n = other.shape
    if n < 2:
        return np.full(rows, np.nan)
    above, tied = _above_and_tied(other)
    # sums of 1 / k from 0: harmonic[k] - harmonic[a - 1] is 1 / a + … + 1 / k
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, n + 1))])
    shares = harmonic[above + tied - 1] - harmonic[np.maximum(above - 1, 0)]
    weights = np.where(above > 0, shares, 0.0) / tied
    within = np.where(above > 0, tied - above * shares, tied - 1.0) / (2 * tied)
    total = within.sum(axis=1)
    # Two opposite orders of the reference's ties: each pair of a tie is in order in one of them.
    forward = _places(reference)
    backward = forward
    if (_above_and_tied(reference)[1] > 1).any():
        backward = _places(reference[:, ::-1])[:, ::-1]
    for place in (forward,) if backward is forward else (forward, backward):
        # Within a tie of the other side the last of the reference is first, so that no pair of the tie counts here.
        order = np.argsort(other * n + (n - 1 - place), axis=1)
        agreeing = _agreeing(np.take_along_axis(place, order, axis=1), np.take_along_axis(weights, order, axis=1))
        total += agreeing / (1 if backward is forward else 2)
    ordered = (np.ptp(reference, axis=1) > 0) & (np.ptp(other, axis=1) > 0)
    return np.where(ordered, np.clip(2.0 * total / (n - 1) - 1.0, -1.0, 1.0), np.nan)


def _places(ranks: Grid) -> Grid:
    """int64[M, N]: the place of each item by its rank, ties in the given order."""
    places = np.empty(ranks.shape, dtype=np.int64)
    order = np.argsort(ranks, axis=1, kind="stable")
    np.put_along_axis(places, order, np.broadcast_to(np.arange(ranks.shape[1]), ranks.shape), axis=1)
    return places


def _above_and_tied(ranks: Grid) -> tuple[Grid, Grid]:
    """int64[M, N] each: the number of items above each item, and of those with its rank, itself included."""
    order = np.argsort(ranks, axis=1, kind="stable")
    ordered = np.take_along_axis(ranks, order, axis=1)
    position = np.arange(ranks.shape[1])
    changes = ordered[:, 1:] != ordered[:, :-1]
    first = np.zeros(ranks.shape, dtype=np.int64)
    first[:, 1:] = np.where(changes, position[1:], 0)
    first = np.maximum.accumulate(first, axis=1)
    last = np.full(ranks.shape, ranks.shape[1], dtype=np.int64)
    last[:, :-1] = np.where(changes, position[1:], ranks.shape[1])
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    above, tied = np.empty_like(first), np.empty_like(first)
    np.put_along_axis(above, order, first, axis=1)
    np.put_along_axis(tied, order, last - first, axis=1)
    return above, tied


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
    probability that an item above a drawn item is above it in the reference too, scaled to -1 … 1. Equal values are
    tied; NaN is left out."""
    valid = ~(np.isnan(reference) | np.isnan(other))
    if valid.sum() < 2:
        return float("nan")
    ranks = [np.unique(-values[valid], return_inverse=True)[1].reshape(1, -1) for values in (reference, other)]
    return float(tau_ap_with_ties_of_rows(*ranks)[0])


def tau_ap_symmetric(first: Floats, second: Floats) -> float:
    """Return the mean of both directions of :func:`tau_ap`."""
    return (tau_ap(first, second) + tau_ap(second, first)) / 2

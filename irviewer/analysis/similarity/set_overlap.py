"""Overlap and Jaccard of two lists at a depth, and rank-biased overlap with its residual.

Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010. Ties are broken as in the runs;
``tied_overlap`` has the variants that treat them as ties.
All formulas take lists of different lengths; of documents in both lists only the deeper of
the two ranks counts, so that a pair needs three sums and no list of agreements. What a document adds is summed from its
rank down, least terms first: differences of sums from the top could make a list more than equal to itself in the last
digit. Results are clipped to 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from irviewer.analysis.similarity.rank_biased_overlap import Part, ranks_within
from irviewer.model.arrays import Floats, Ints, frozen, safe_divide

NOTHING, MOST_TERMS = 1e-18, 1 << 16
"""Powers of p are summed until they are less than NOTHING, at most MOST_TERMS beyond the lists."""


@dataclass(frozen=True, eq=False)
class Shared:
    """One run compared with B others over Q queries.

    own, other   int64[Q, 1], int64[Q, B]: the lengths of the lists
    common       int64[Q, B]: the documents in both, X at the longer length
    short        int64[Q, B]: the documents in both down to the shorter length, X at the shorter length
    weight       float64[Q, B]: the sum over common documents of sum(p^d / d, d from the deeper rank on, without end)
    short_weight float64[Q, B]: the same over those down to the shorter length
    powers       float64[n+1], [n+1]: sums of p^d for d = 1 … n, and of p^d / d for d > n, n up to twice the greatest
                 length
    p            the persistence
    """

    own: Ints
    other: Ints
    common: Ints
    short: Ints
    weight: Floats
    short_weight: Floats
    powers: tuple[Floats, Floats]
    p: float


def shared(part: Part, run: int, p: float) -> Shared:
    """Return the sums of run number ``run`` with itself and every later run."""
    lengths = part.lengths
    rank = ranks_within(lengths[run])
    deeper = np.maximum(part.ranks[part.rows[run], run:], rank[:, None].astype(np.int32))
    plain, beyond = sums_of_powers(p, 2 * part.absent)
    below = np.zeros(part.absent + 1)
    below[1:-1] = beyond[: part.absent - 1]
    own, other = lengths[run][:, None], lengths[run:].T
    common = _by_query(deeper < part.absent, lengths[run])
    shortest = np.minimum(own, other)
    sums = below[deeper]
    weight = _by_query(sums, lengths[run])
    short, short_weight = common, weight
    if np.any(own != other):
        within = deeper <= np.repeat(shortest, lengths[run], axis=0)
        short, short_weight = _by_query(within, lengths[run]), _by_query(sums * within, lengths[run])
    return Shared(own, other, common, short, weight, short_weight, (plain, beyond), p)


def _by_query(values: np.ndarray, lengths: Ints) -> np.ndarray:
    """Sums over the documents of each query, [Q, B]; 0 where there are none."""
    kind = np.int64 if values.dtype == np.bool_ else np.float64
    result = np.zeros((len(lengths), values.shape[1]), dtype=kind)
    has = np.flatnonzero(lengths)
    if len(has):
        starts = np.cumsum(lengths[has]) - lengths[has]
        if kind is np.int64:
            result[has] = np.add.reduceat(values.view(np.int8), starts, axis=0, dtype=np.int32)
        else:
            result[has] = np.add.reduceat(values, starts, axis=0)
    return result


@lru_cache(maxsize=8)
def sums_of_powers(p: float, n: int) -> tuple[Floats, Floats]:
    """Return the sums of p^d for d = 1 … k, and of p^d / d for d > k, for k = 0 … n: float64[n+1] each."""
    last = n + int(min(np.ceil(np.log(NOTHING) / np.log(p)), MOST_TERMS))
    d = np.arange(1, last + 1)
    power = np.power(p, d.astype(np.float64))
    terms = power / d
    remainder = max(-np.log1p(-p) - float(terms[::-1].sum()), 0.0) if power[-1] > NOTHING else 0.0
    beyond = np.concatenate([[remainder], terms[::-1]]).cumsum()[::-1]
    return frozen(np.concatenate([[0.0], np.cumsum(power[:n])])), frozen(beyond[: n + 1].copy())


def overlap(shared: Shared) -> Floats:
    """Return the common documents as a share of the longer list, float64[Q, B]."""
    return safe_divide(shared.common, np.maximum(shared.own, shared.other))


def jaccard(shared: Shared) -> Floats:
    """Return the common documents as a share of those in either list, float64[Q, B]."""
    return safe_divide(shared.common, shared.own + shared.other - shared.common)


def rbo_min(shared: Shared) -> Floats:
    """Return the least possible rank-biased overlap of the infinite lists, float64[Q, B] (eq. 11): nothing below the
    ends of the lists is common."""
    return _share((1 - shared.p) / shared.p * shared.weight)


def rbo_seen(shared: Shared) -> Floats:
    """Return the sum over the ranks down to the shorter list's end, float64[Q, B], which some tools call the minimum.
    It ignores that documents which are common at the end stay common below (see :func:`rbo_min`)."""
    beyond = shared.powers[1]
    return _share(
        (1 - shared.p) / shared.p * (shared.short_weight - beyond[np.minimum(shared.own, shared.other)] * shared.short)
    )


def rbo_residual(shared: Shared) -> Floats:
    """Return the difference of the greatest and the least possible value, float64[Q, B] (eq. 30 and its form for lists
    of unequal lengths): everything below the ends is common, and the remainder of the longer list as well."""
    p, (_, beyond) = shared.p, shared.powers
    short, long = np.minimum(shared.own, shared.other), np.maximum(shared.own, shared.other)
    full = long + short - shared.common
    tail = short * (beyond[short] - beyond[full]) + long * (beyond[long] - beyond[full]) + shared.common * beyond[full]
    return _share(np.power(p, 1.0 * short) + np.power(p, 1.0 * long) - np.power(p, 1.0 * full) - (1 - p) / p * tail)


def rbo_max(shared: Shared) -> Floats:
    """Return the greatest possible rank-biased overlap of the infinite lists, float64[Q, B]."""
    return _share(rbo_min(shared) + rbo_residual(shared))


def rbo_ext(shared: Shared) -> Floats:
    """Return extrapolated rank-biased overlap, float64[Q, B] (eq. 32): the agreement at the ends of the lists
    continues."""
    p, (plain, beyond) = shared.p, shared.powers
    short, long = np.minimum(shared.own, shared.other), np.maximum(shared.own, shared.other)
    total = shared.weight - beyond[long] * shared.common
    share = safe_divide(shared.short, short)
    total = total + share * (plain[long] - plain[short]) - shared.short * (beyond[short] - beyond[long])
    end = safe_divide(shared.common - shared.short, long) + share
    return _share((1 - p) / p * total + end * np.power(p, 1.0 * long))


def _share(values: Floats) -> Floats:
    return np.asarray(np.clip(values, 0.0, 1.0))

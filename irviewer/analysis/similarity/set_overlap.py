"""What two lists share: overlap and Jaccard at a depth, and rank-biased overlap with what it cannot know.

Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010. Ties are read as the runs rank them
(they are not treated as shared ranks). All formulas take lists of any two lengths; of documents that both lists hold
only the deeper of the two ranks counts, so that a pair needs three sums and no list of agreements. What a document adds
is summed from its rank down, least terms first: differences of sums from the top would leave a last digit in which a
list is more than like itself. What digits are left over is cut off at 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from irviewer.analysis.similarity.rank_biased_overlap import Part, ranks_within
from irviewer.model.arrays import Floats, Ints, frozen, safe_divide

NOTHING, MOST_TERMS = 1e-18, 1 << 16
"""Powers of p are summed until they are less than this, or so many more."""


@dataclass(frozen=True, eq=False)
class Shared:
    """One run beside B others over Q queries.

    own, other   int64[Q, 1], int64[Q, B]: the lengths of the lists
    common       int64[Q, B]: the documents that both hold, X at the longer length
    short        int64[Q, B]: those that both hold down to the shorter length, X at the shorter length
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
    """The sums of run number ``run`` beside itself and every later run."""
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
    """float64[n+1] each: the sums of p^d for d = 1 … k, and of p^d / d for d > k, for k = 0 … n."""
    more = n + int(min(np.ceil(np.log(NOTHING) / np.log(p)), MOST_TERMS))
    d = np.arange(1, more + 1)
    power = np.power(p, d.astype(np.float64))
    terms = power / d
    rest = max(-np.log1p(-p) - float(terms[::-1].sum()), 0.0) if power[-1] > NOTHING else 0.0
    beyond = np.concatenate([[rest], terms[::-1]]).cumsum()[::-1]
    return frozen(np.concatenate([[0.0], np.cumsum(power[:n])])), frozen(beyond[: n + 1].copy())


def overlap(found: Shared) -> Floats:
    """Common documents as a share of the longer list, float64[Q, B]."""
    return safe_divide(found.common, np.maximum(found.own, found.other))


def jaccard(found: Shared) -> Floats:
    """Common documents as a share of those that either holds, float64[Q, B]."""
    return safe_divide(found.common, found.own + found.other - found.common)


def rbo_min(found: Shared) -> Floats:
    """The least that rank-biased overlap of the whole, endless lists can be, float64[Q, B] (eq. 11): below the ends
    of the lists nothing more is common."""
    return _share((1 - found.p) / found.p * found.weight)


def rbo_seen(found: Shared) -> Floats:
    """What the agreements down to the shorter list's end contribute, float64[Q, B]: the truncated sum that some tools
    call the least. It leaves out that what is common at the end stays so below (see :func:`rbo_min`)."""
    beyond = found.powers[1]
    return _share(
        (1 - found.p) / found.p * (found.short_weight - beyond[np.minimum(found.own, found.other)] * found.short)
    )


def rbo_residual(found: Shared) -> Floats:
    """How much more than the least it can be, float64[Q, B] (eq. 30 and, for lists of unequal lengths, its companion):
    everything below the ends is common, and what is left over of the longer list as well."""
    p, (_, beyond) = found.p, found.powers
    short, long = np.minimum(found.own, found.other), np.maximum(found.own, found.other)
    full = long + short - found.common
    rest = short * (beyond[short] - beyond[full]) + long * (beyond[long] - beyond[full]) + found.common * beyond[full]
    return _share(np.power(p, 1.0 * short) + np.power(p, 1.0 * long) - np.power(p, 1.0 * full) - (1 - p) / p * rest)


def rbo_ext(found: Shared) -> Floats:
    """Rank-biased overlap extrapolated, float64[Q, B] (eq. 32): the agreement at the ends of the lists goes on."""
    p, (plain, beyond) = found.p, found.powers
    short, long = np.minimum(found.own, found.other), np.maximum(found.own, found.other)
    seen = found.weight - beyond[long] * found.common
    share = safe_divide(found.short, short)
    seen = seen + share * (plain[long] - plain[short]) - found.short * (beyond[short] - beyond[long])
    end = safe_divide(found.common - found.short, long) + share
    return _share((1 - p) / p * seen + end * np.power(p, 1.0 * long))


def _share(values: Floats) -> Floats:
    return np.asarray(np.clip(values, 0.0, 1.0))

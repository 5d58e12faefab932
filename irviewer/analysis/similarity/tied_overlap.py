"""Rank-biased overlap of lists with tied scores.

Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024. A tie of ranks t to b counts at depth d as
0 where d < t, 1 where d ≥ b, and between them each of its items counts as (d − t + 1) / (b − t + 1), in the variant
``w`` as 1. With X the sum over items of the products of both lists' counts, the agreement at d is

    w   2 X / (sum of counts of one list + of the other): a tie is an equality
    a   X / d: a tie is an order that is not known
    b   X / √(sum of squared counts × of the other): as a, and a list agrees with itself by 1

At each depth one tie of each list at most counts in part, so that X is between four numbers of common documents, which
are whole and exact; the two counts weigh them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.analysis.similarity.rank_biased_overlap import Part, ranks_within
from irviewer.analysis.similarity.set_overlap import sums_of_powers
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.model.arrays import Floats, Ints, safe_divide

CELLS = 1_000_000
"""Queries × runs × depths of a block."""


@dataclass(frozen=True, eq=False)
class _Ends:
    """The active tie of a list by depth: float64[Q, D, …] each.

    last     its last rank; beyond the list the depth
    counted  the part by which its items count, (d − t + 1) / (b − t + 1)
    squares  the sum of squared counts of all items
    """

    last: Floats
    counted: Floats
    squares: Floats


def tied_overlap(part: Part, run: int, p: float, kind: str, variant: TieVariant) -> Floats:
    """Return rank-biased overlap of run number ``run`` with itself and every later run, float64[Q, R - run].

    kind    "rbo" (extrapolated), "rbo-min", "rbo-max", "rbo-residual" (the difference of these two), "rbo-seen"
    part    with ``grades`` and ``lasts``"""
    n_queries, n_others = part.lengths.shape[1], part.lengths.shape[0] - run
    depth = max(part.absent - 1, 1)
    step = max(1, CELLS // (max(n_queries, 1) * depth))
    blocks = [
        _block(part, run, range(first, min(first + step, n_others)), p, kind, variant)
        for first in range(0, n_others, step)
    ]
    return np.concatenate(blocks, axis=1)


def _block(part: Part, run: int, others: range, p: float, kind: str, variant: TieVariant) -> Floats:
    assert part.grades is not None
    assert part.lasts is not None
    own_lengths, depth = part.lengths[run], max(part.absent - 1, 1)
    rows, columns = part.rows[run], np.array([run + other for other in others], dtype=np.int64)
    query = np.repeat(np.arange(len(own_lengths)), own_lengths)
    common = part.ranks[np.ix_(rows, columns)] < part.absent
    first, last = part.grades[rows, run][:, None], part.lasts[rows, run][:, None]
    other_first, other_last = part.grades[np.ix_(rows, columns)], part.lasts[np.ix_(rows, columns)]

    def found(at: np.ndarray) -> Floats:
        """Common documents by depth, of which each counts from its place ``at`` on, float64[Q, D, B]."""
        size = len(own_lengths) * (depth + 2) * len(columns)
        cells = (query[:, None] * (depth + 2) + np.minimum(at, depth + 1)) * len(columns) + np.arange(len(columns))
        counts = np.bincount(cells[common], minlength=size).reshape(len(own_lengths), depth + 2, len(columns))
        return counts[:, 1:-1].cumsum(axis=1).astype(np.float64)

    both = found(np.maximum(first, other_first))
    ends = [_ends(part, each, depth, variant) for each in (run, *columns)]
    ours = _Ends(ends[0].last[..., None], ends[0].counted[..., None], ends[0].squares[..., None])
    other = _Ends(*(np.stack([getattr(each, name) for each in ends[1:]], axis=-1)
                    for name in ("last", "counted", "squares")))  # fmt: skip
    lengths = (own_lengths[:, None], part.lengths[columns].T)
    short, long = np.minimum(*lengths), np.maximum(*lengths)
    d = np.arange(1, depth + 1, dtype=np.float64)[None, :, None]
    if variant == "w":
        x, norm = both, (ours.last + other.last) / 2
    else:
        mine, theirs = ours.counted, other.counted
        x = (
            mine * theirs * both
            + mine * (1 - theirs) * found(np.maximum(first, other_last + 1))
            + (1 - mine) * theirs * found(np.maximum(last + 1, other_first))
            + (1 - mine) * (1 - theirs) * found(np.maximum(last, other_last) + 1)
        )
        norm = np.broadcast_to(d, x.shape) if variant == "a" else np.sqrt(ours.squares * other.squares)
    tail = _Tail(short, long, _at(x, short), _at(x, long), _at(safe_divide(x, norm), short), p)
    weights = np.where(d <= long[:, None], p**d / norm, 0.0)
    if kind == "rbo-seen":
        return _share((1 - p) / p * (np.where(d <= short[:, None], weights, 0.0) * x).sum(axis=1))
    if kind == "rbo-min":
        return _share((1 - p) / p * ((weights * x).sum(axis=1) + tail.least))
    more, missing = np.zeros_like(x), np.maximum(d - short[:, None], 0.0)
    if np.any(short != long):
        # What only the longer list has: the items that count in full, and those of its active tie.
        mine_is_long = (lengths[0] >= lengths[1])[:, None]
        longer = [np.where(mine_is_long, own, their) for own, their in (
            (ours.last, other.last), (ours.counted, other.counted),
            (found(np.maximum(first, 0 * other_first)), found(np.maximum(0 * first, other_first))),
            (found(np.maximum(last + 1, 0 * other_first)), found(np.maximum(0 * first, other_last + 1))),
            (_before(part, run, depth)[..., None],
             np.stack([_before(part, each, depth) for each in columns], axis=-1)),
        )]  # fmt: skip
        whole = longer[4] - longer[3]
        begun = longer[0] - longer[2]
        counted = longer[1]
        if kind == "rbo":
            share = safe_divide(whole + (begun - whole) * counted, begun)
            more = tail.agreement[:, None] * missing * share
        else:
            more = np.minimum(missing, whole) + counted * np.maximum(missing - whole, 0.0)
    elif kind == "rbo":
        more = tail.agreement[:, None] * missing
    total = (weights * (x + more)).sum(axis=1)
    if kind == "rbo":
        return _share((1 - p) / p * total + tail.extrapolated)
    most = (1 - p) / p * (total + tail.most) + tail.end
    if kind == "rbo-max":
        return _share(most)
    return _share(most - (1 - p) / p * ((weights * x).sum(axis=1) + tail.least))


class _Tail:
    """What is below the end of the longer list, [Q, B] each: sums of p^d × agreement, and what needs no factor."""

    def __init__(self, short: Ints, long: Ints, at_short: Floats, at_long: Floats, agreement: Floats, p: float) -> None:
        full = np.rint(long + short - at_long).astype(np.int64)  # at the ends all counts are whole
        plain, beyond = sums_of_powers(p, int(2 * long.max(initial=1)) + 1)
        self.agreement = agreement
        self.least = at_long * beyond[long]
        self.extrapolated = safe_divide(at_long + agreement * (long - short), long) * np.power(p, 1.0 * long)
        # Down to ``full`` each list takes two of the other's leftovers a rank; below all is common.
        start = at_long + (long - short) - 2 * long
        self.most = start * (beyond[long] - beyond[full]) + 2 * (plain[full] - plain[long])
        self.end = np.power(p, 1.0 * full)


def _at(values: Floats, place: Ints) -> Floats:
    """The values at a depth by query and run, [Q, B]; 0 at depth 0."""
    taken = np.take_along_axis(values, np.maximum(place - 1, 0)[:, None], axis=1)[:, 0]
    return np.where(place > 0, taken, 0.0)


def _grid(part: Part, run: int, depth: int, values: np.ndarray, beyond: Floats) -> Floats:
    """The values of a run's documents by query and rank, float64[Q, D]; ``beyond`` below the list's end."""
    lengths = part.lengths[run]
    grid = np.broadcast_to(beyond, (len(lengths), depth)).copy()
    grid[np.repeat(np.arange(len(lengths)), lengths), ranks_within(lengths) - 1] = values[part.rows[run], run]
    return grid


def _before(part: Part, run: int, depth: int) -> Floats:
    """The number of items above the active tie by depth, float64[Q, D]."""
    assert part.grades is not None
    return _grid(part, run, depth, part.grades, np.arange(1.0, depth + 1)) - 1


def _ends(part: Part, run: int, depth: int, variant: TieVariant) -> _Ends:
    assert part.lasts is not None
    d = np.arange(1.0, depth + 1)
    above, last = _before(part, run, depth), _grid(part, run, depth, part.lasts, d)
    size = last - above
    counted = np.ones_like(last) if variant == "w" else (d - above) / size
    return _Ends(last, counted, above + size * counted**2)


def _share(values: Floats) -> Floats:
    return np.asarray(np.clip(values, 0.0, 1.0))

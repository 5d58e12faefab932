"""Differences of two runs with exact bounds: what a document adds depends on how many others are relevant at most, not
on which, or one document decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from irviewer.analysis.pooling.bound_kinds import Scale
from irviewer.analysis.pooling.bounds_closed_form import ideal_of, rule_of
from irviewer.analysis.pooling.gain_ratio import greatest
from irviewer.analysis.pooling.run_pair import Both
from irviewer.analysis.pooling.unjudged import repeated
from irviewer.measures.base import Measure, make
from irviewer.model.arrays import Floats, Ints, group_of_each, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged


def linear_bounds(measure: Measure, both: Both, none_relevant: Floats, scale: Scale) -> tuple[Floats, Floats]:
    """Return the bounds of measures in which what a document adds depends on its rank alone: each is relevant where
    that raises (lowers) the difference."""
    deepest = int(max(rank.max(initial=0) for rank in both.ranks))
    weights = _weights(measure, both.judged[0], deepest, scale.grade)
    adds = weights[both.ranks[0]] - weights[both.ranks[1]]
    n = len(none_relevant)
    low = none_relevant + np.bincount(both.query, weights=np.minimum(adds, 0.0), minlength=n)
    return low, none_relevant + np.bincount(both.query, weights=np.maximum(adds, 0.0), minlength=n)


def _weights(measure: Measure, judged: Judged, deepest: int, grade: float) -> Floats:
    """float64[deepest + 1]: what a document of the highest grade adds at each rank, 0 at rank 0, measured on lists with
    one judged document each."""
    ranks = np.arange(1, deepest + 1)
    parameters = {name: value for name, value in measure.given if name != "judged_only"}  # of these lists it leaves one
    measure = make(measure.family, parameters, measure.cutoff)

    def values(each: float) -> Floats:
        grades = np.full(deepest, each)
        lists = replace(
            judged, query_ids=tuple(map(str, ranks.tolist())), in_run=np.ones(deepest, dtype=np.bool_),
            returned=np.full(deepest, deepest), hit_query=ranks - 1, hit_rank=ranks, hit_grade=grades,
            hit_row=np.zeros(deepest, dtype=np.int64), ideal_offsets=np.arange(deepest + 1), ideal_grades=grades,
            max_grade=judged.max_grade if judged.max_grade > 0 else grade, lengths=None, listed_rank=None,
        )  # fmt: skip
        return measure.compute(lists)

    return np.concatenate([[0.0], values(grade) - values(0.0)])


def counted_bounds(measure: Measure, both: Both, *, low: bool) -> Floats:
    """Return the greatest (or least) difference of measures that count the relevant documents within a depth and divide
    by a norm; both depend on the number of relevant documents. For each number m the best m documents are those that
    add the most, and there are four kinds of documents: in both lists, in one of them, in none."""
    sign = -1.0 if low else 1.0
    level = float(measure.parameter("rel"))
    n_known = both.judged[0].relevant_count(level)[both.rows[0]]
    sizes = both.counts + 1
    starts = offsets_of(sizes)
    row = group_of_each(starts)
    m = np.arange(len(row)) - starts[:-1][row]
    relevant = n_known[row] + m
    shares, n_found, within = [], [], []
    for judged, rows, rank in zip(both.judged, both.rows, both.ranks, strict=True):
        share, depth = _share(measure, relevant, judged.returned[rows][row])
        hits = judged.relevant_hits(level)
        position = np.full(judged.n_queries, -1, dtype=np.int64)
        position[rows] = np.arange(len(rows))
        of = position[hits.query]
        keep = of >= 0
        n_found.append(_number_within(of[keep], hits.rank[keep], row, depth))
        within.append(np.where(rank > 0, rank, np.iinfo(np.int32).max))
        shares.append((share, depth))
    (share_one, depth_one), (share_other, depth_other) = shares
    in_one = _number_within(both.query, within[0], row, depth_one)
    in_other = _number_within(both.query, within[1], row, depth_other)
    deeper = np.maximum(within[0], within[1])  # both have one depth: the number relevant, or the cutoff
    in_both = _number_within(both.query, deeper, row, np.minimum(depth_one, depth_other))
    counts = np.stack([in_both, in_one - in_both, in_other - in_both], axis=1)
    counts = np.concatenate([counts, (both.counts[row] - counts.sum(axis=1))[:, None]], axis=1)
    adds = sign * np.stack([share_one - share_other, share_one, -share_other, np.zeros(len(row))], axis=1)
    order = np.argsort(-adds, axis=1, kind="stable")
    counts, adds = np.take_along_axis(counts, order, axis=1), np.take_along_axis(adds, order, axis=1)
    before = np.cumsum(counts, axis=1) - counts
    n_taken = np.clip(m[:, None] - before, 0, counts)
    values = sign * (share_one * n_found[0] - share_other * n_found[1]) + (n_taken * adds).sum(axis=1)
    return np.asarray(sign * np.maximum.reduceat(values, starts[:-1]))


def _share(measure: Measure, relevant: Ints, returned: Ints) -> tuple[Floats, Floats]:
    """What one relevant document adds, and the depth within which it counts, where ``relevant`` documents are."""
    name, r = measure.name, relevant.astype(np.float64)
    k = np.full(len(r), float(measure.cutoff)) if measure.cutoff is not None else np.full(len(r), np.inf)
    ones = np.ones(len(r))
    if name in ("R", "SetR"):
        return safe_divide(ones, r), k
    if name == "relative_P":
        return safe_divide(ones, np.minimum(r, k)), k
    if name == "SetRelP":
        return safe_divide(ones, np.minimum(r, returned)), k
    if name == "SetP":
        below = np.minimum(r, returned) if measure.parameter("relative") else returned
        return safe_divide(ones, below), k
    if name == "F":
        weight = float(measure.parameter("beta")) ** 2
        return safe_divide((weight + 1) * ones, weight * r + k), k
    if name == "SetF":
        beta = float(measure.parameter("beta"))
        weight = beta if measure.parameter("weight") == "plain" else beta * beta
        return safe_divide((weight + 1) * ones, weight * r + returned), k
    if name == "set_F":
        x = float(measure.parameter("x"))
        return safe_divide((x + 1) * ones, x * r + returned), k
    depth = r if name == "Rprec" else np.floor(float(measure.cutoff or 1) * r + 0.9)
    return safe_divide(ones, depth), depth


def _number_within(query: Ints, rank: Ints, row: Ints, depth: Floats) -> Ints:
    """int64[rows]: how many documents of a row's query are at the depth or above it."""
    wide = int(np.iinfo(np.int32).max) + 1
    keys = np.sort(query * wide + rank)
    deepest = np.minimum(depth, wide - 2).astype(np.int64)
    number: Ints = np.searchsorted(keys, row * wide + deepest, side="right") - np.searchsorted(keys, row * wide)
    return number


def first_bounds(measure: Measure, both: Both, none_one: Floats, none_other: Floats) -> tuple[Floats, Floats]:
    """Return the bounds of measures in which one document decides: of several relevant ones, the first in the list that
    gains by it."""
    ends = []
    for rank, none_relevant in zip(both.ranks, (none_one, none_other), strict=True):
        own_value = none_relevant[both.query]
        at_rank = np.maximum(rank, 1)
        if measure.name == "SearchLength":
            worth = np.fmin(own_value, at_rank)
        else:
            worth = np.maximum(own_value, 1.0 / at_rank if measure.name == "RR" else 1.0)
        ends.append(np.where(rank > 0, worth, own_value))
    low, high = none_one - none_other, none_one - none_other
    with np.errstate(invalid="ignore"):  # an empty list has no search length
        np.minimum.at(low, both.query, ends[0] - ends[1])
        np.maximum.at(high, both.query, ends[0] - ends[1])
    return low, high


def gains_bounds(measure: Measure, both: Both, scale: Scale) -> tuple[Floats, Floats]:
    """Return the bounds of the difference of two nDCG, which have the same ideal and count each gain once."""
    rule = rule_of(measure)
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    starts, weights = [], []
    for judged, rows, rank in zip(both.judged, both.rows, both.ranks, strict=True):
        hits = judged.judged_hits.to(cutoff)
        starts.append(hits.sum_by_query(rule.discounted(hits.grade, hits.rank))[rows])
        weights.append(np.where(rank > 0, rule.share(np.maximum(rank, 1)), 0.0))
    ideal = ideal_of(measure, both.judged[0], int(both.counts.max(initial=0)), scale.grade)
    number, index = repeated(ideal.offsets, both.rows[0])
    offsets = offsets_of(np.bincount(number, minlength=len(both.rows[0])))
    ideal = replace(ideal, gains=ideal.gains[index], offsets=offsets)
    start, weight = starts[0] - starts[1], weights[0] - weights[1]
    low = 0.0 - greatest(-start, -weight, both.offsets, ideal)
    return low, greatest(start, weight, both.offsets, ideal)

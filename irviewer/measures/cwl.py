"""How far a person reads: the C/W/L account of a ranking, shared by the measures that are built on it.

A person at rank i goes on with probability C(i); W(i), in proportion to the product of the C above, is the share of
attention that rank gets, and a measure is the gain weighed by W. Works on hits only: between two gains attention
follows a table, so no list is ever laid out rank by rank. Knows no measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints, safe_divide, sums_within
from irviewer.model.judgments.judged import Hits, Judged


@dataclass(frozen=True, eq=False)
class Gains:
    """The documents of a judged run that gain something, with their gain between 0 and 1.

    hits     h of them, by query, then rank; ordinals count them from 1
    gain     float64[h], above 0 and at most 1
    """

    hits: Hits
    gain: Floats

    def above(self, factors: Floats) -> Floats:
        """float64[h]: the product of ``factors`` (one a hit) over the hits above each one in its query."""
        return product_above(self.hits, factors)

    def total_above(self, values: Floats) -> Floats:
        """float64[h]: the sum of ``values`` over the hits above each one in its query."""
        starts = np.searchsorted(self.hits.query, np.arange(self.hits.n_queries + 1))
        running = sums_within(values, starts)
        result = np.zeros(len(values))
        result[1:] = np.where(self.hits.query[1:] == self.hits.query[:-1], running[:-1], 0.0)
        return result


def scaled_gains(judged: Judged, min_rel: float, max_rel: float, depth: int | None) -> Gains:
    """Grades between ``min_rel`` and ``max_rel`` as gains between 0 and 1, down to rank ``depth``; grades outside are
    cut to the ends, negative ones count as 0, unlisted documents gain nothing, as in ir_measures and cwl_eval.

    Raises MeasureError where the two ends leave no room between them."""
    if not min_rel < max_rel:
        raise MeasureError(f"min_rel={min_rel:g} must be less than max_rel={max_rel:g}")
    listed = judged.listed_hits.to(depth)
    grade = np.clip(np.maximum(listed.grade, 0.0), min_rel, max_rel)
    gain = (grade - min_rel) / (max_rel - min_rel)
    keep = gain > 0
    return Gains(Hits.of(listed.query[keep], listed.rank[keep], listed.grade[keep], listed.n_queries), gain[keep])


def weighed(gains: Gains, attention: Floats) -> Floats:
    """float64[E]: gains weighed by an attention that depends on the rank alone; ``attention`` float64[depth] is the
    chance of coming as far as each rank, before it is made to sum to 1."""
    hits = gains.hits
    return np.asarray(hits.sum_by_query(gains.gain * attention[hits.rank - 1]) / attention.sum())


def weighed_until_satisfied(gains: Gains, attention: Floats) -> Floats:
    """float64[E]: the same for a person whom a gain of g stops with probability g on top of that."""
    hits = gains.hits
    table = np.concatenate(([0.0], np.cumsum(attention)))
    coming = gains.above(1.0 - gains.gain)  # not yet stopped when this hit is reached
    beyond = table[-1] - table[hits.rank]
    seen = table[-1] - hits.sum_by_query(coming * gains.gain * beyond)  # attention lost below each hit
    return safe_divide(hits.sum_by_query(coming * gains.gain * attention[hits.rank - 1]), seen)


def product_above(hits: Hits, factors: Floats) -> Floats:
    """float64[h]: the product of ``factors`` over the hits above each one in its query; one step of all queries at a
    time, so as many steps as the longest query has hits. Ordinals must count the hits without gaps."""
    result = np.ones(len(factors))
    order = np.argsort(hits.ordinal, kind="stable")
    bounds = np.cumsum(np.bincount(hits.ordinal)) if len(order) else np.zeros(1, dtype=np.int64)
    for step in range(2, len(bounds)):
        here: Ints = order[bounds[step - 1] : bounds[step]]
        result[here] = result[here - 1] * factors[here - 1]
    return result

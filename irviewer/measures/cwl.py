"""The C/W/L model of a user who reads a ranking, shared by the measures built on it.

At rank i the user reads on with probability C(i); W(i), proportional to the product of C above rank i, is the share of
attention of that rank, and a measure is the gain weighted by W. Computed from hits only: between two gains attention
follows a table, so that rankings are not expanded rank by rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from irviewer.errors import MeasureError
from irviewer.model.arrays import Floats, Ints, safe_divide, sums_within
from irviewer.model.judgments.judged import Hits, Judged
from irviewer.translation import tr


@dataclass(frozen=True, eq=False)
class Gains:
    """The documents of a judged run with a gain above 0, at most 1.

    hits     h of them, by query, then rank; ordinals count them from 1
    gain     float64[h], above 0 and at most 1
    """

    hits: Hits
    gain: Floats

    def above(self, factors: Floats) -> Floats:
        """Return the product of ``factors`` (one per hit) over the hits above each hit in its query, float64[h]."""
        return product_above(self.hits, factors)

    def total_above(self, values: Floats) -> Floats:
        """Return the sum of ``values`` over the hits above each hit in its query, float64[h]."""
        starts = np.searchsorted(self.hits.query, np.arange(self.hits.n_queries + 1))
        running = sums_within(values, starts)
        totals = np.zeros(len(values))
        totals[1:] = np.where(self.hits.query[1:] == self.hits.query[:-1], running[:-1], 0.0)
        return totals


def scaled_gains(judged: Judged, min_rel: float, max_rel: float, depth: int | None) -> Gains:
    """Return grades between ``min_rel`` and ``max_rel`` scaled to gains between 0 and 1, down to rank ``depth``.

    Grades outside are clipped, negative ones count as 0, documents not in the qrels have no gain, as in ir_measures and
    cwl_eval. Raises MeasureError if ``min_rel`` is not below ``max_rel``."""
    if not min_rel < max_rel:
        raise MeasureError(
            tr("min_rel={minimum:g} must be less than max_rel={maximum:g}", minimum=min_rel, maximum=max_rel)
        )
    listed = judged.listed_hits.to(depth)
    grade = np.clip(np.maximum(listed.grade, 0.0), min_rel, max_rel)
    gain = (grade - min_rel) / (max_rel - min_rel)
    keep = gain > 0
    return Gains(Hits.of(listed.query[keep], listed.rank[keep], listed.grade[keep], listed.n_queries), gain[keep])


def weighed(gains: Gains, attention: Floats) -> Floats:
    """Return gains weighted by an attention that depends on the rank only, float64[E].

    attention   float64[depth], the probability of reaching each rank (normalised here to sum to 1)"""
    hits = gains.hits
    return np.asarray(hits.sum_by_query(gains.gain * attention[hits.rank - 1]) / attention.sum())


def weighed_until_satisfied(gains: Gains, attention: Floats) -> Floats:
    """Return the same for a user who also stops at a gain of g with probability g, float64[E]."""
    hits = gains.hits
    table = np.concatenate(([0.0], np.cumsum(attention)))
    not_stopped = gains.above(1.0 - gains.gain)  # the probability when each hit is reached
    attention_below = table[-1] - table[hits.rank]
    total = table[-1] - hits.sum_by_query(not_stopped * gains.gain * attention_below)
    return safe_divide(hits.sum_by_query(not_stopped * gains.gain * attention[hits.rank - 1]), total)


def product_above(hits: Hits, factors: Floats) -> Floats:
    """Return the product of ``factors`` over the hits above each hit in its query, float64[h].

    Each step computes one hit of every query. Ordinals must count the hits without gaps."""
    products = np.ones(len(factors))
    order = np.argsort(hits.ordinal, kind="stable")
    bounds = np.cumsum(np.bincount(hits.ordinal)) if len(order) else np.zeros(1, dtype=np.int64)
    for step in range(2, len(bounds)):
        rows: Ints = order[bounds[step - 1] : bounds[step]]
        products[rows] = products[rows - 1] * factors[rows - 1]
    return products

"""What if systems were tuned to a judge: some of them are re-ranked by its grades, and the orders compared anew.

A system that is tuned to a judge, or uses it, may gain more under that judge than under people: a circularity that
Clarke and Dietz (arXiv 2412.17156) warn of. Here a share of the systems is drawn, and each of their lists is ordered by
(1 − s) times a document's own rank plus s times its rank by the judge's grade (equal grades as in the list, documents
without a grade as grade 0). Strength s = 1 is the judge's order. No document is found or lost. It is a worst case, no
forecast."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.orders import correlations
from irviewer.analysis.statistics.significance.corrections import corrected
from irviewer.analysis.statistics.significance.paired import t_column
from irviewer.analysis.statistics.significance.resampling import decimals_of
from irviewer.model.arrays import Floats, Ints, frozen, group_of_each
from irviewer.model.judgments.judged import judge
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

DRAWS = 200
"""Draws of systems; where there are fewer ways to choose them, all of these are taken."""


@dataclass(frozen=True, eq=False)
class Orders:
    """The agreement of two orders of systems, in B cases, float64[B] each.

    tau, tau_ap   Kendall's tau-b and tau-AP; NaN where a judge gives all systems the same mean
    turned        pairs of opposite directions
    decided       those of them that the reference or the judge decides (paired t, Holm over all pairs)
    """

    tau: Floats
    tau_ap: Floats
    turned: Floats
    decided: Floats


@dataclass(frozen=True, eq=False)
class Stress:
    """The orders under a reference and a judge, without tuned systems (one case) and with ``tuned`` of N in B draws.

    every        whether the draws are all ways to choose the systems
    by_judge, by_reference   float64[N]: what each system gains under both if it is tuned
    """

    strength: float
    tuned: int
    every: bool
    before: Orders
    after: Orders
    by_judge: Floats
    by_reference: Floats


def tuned_to(run: Run, qrels: Qrels, strength: float, options: EvaluationOptions) -> Run:
    """Return a run whose lists are re-ranked by the grades of a judge; ``options`` say how its ties are broken."""
    join_options = options.rules.join_options
    run = run.reordered(join_options.ties, join_options.bits)
    joined = judge(run, qrels)
    place = {query: number for number, query in enumerate(run.query_ids)}
    query_place = np.array([place.get(query, -1) for query in joined.query_ids], dtype=np.int64)
    grades = np.zeros(len(run.doc_ids))
    grades[run.offsets[query_place[joined.hit_query]] + joined.hit_rank - 1] = joined.hit_grade
    code = group_of_each(run.offsets)
    own = np.arange(len(grades)) - run.offsets[code]
    # The sorts are stable, and the rows are in the order of the lists: equal grades stay as they are.
    position = by_grade = _places(np.lexsort((-grades, code)), own)
    if strength < 1:
        mixed = np.round((1 - strength) * own + strength * by_grade, 9)
        position = _places(np.lexsort((mixed, code)), own)
    sizes = np.diff(run.offsets)[code]
    return Run.from_columns(
        run.query_ids, code, run.doc_ids, (sizes - position).astype(np.float64), name=run.name, distinct=True
    )


def _places(order: Ints, own: Ints) -> Ints:
    """Return int64[n]: the place within its list that each row has in an order of all rows, list by list."""
    places = np.empty(len(own), dtype=np.int64)
    places[order] = own
    return places


def stress(
    reference: tuple[Floats, Floats], of_judge: tuple[Floats, Floats], *, share: float, strength: float, alpha: float,
    seed: int, draws: int = DRAWS,
) -> Stress | None:  # fmt: skip
    """Return what tuning does; None for fewer than two systems.

    reference, of_judge   the values float64[N, Q] of the systems on the same queries under both, high values best: as
                          they are, and tuned
    share                 of the systems that are tuned, at least one of them
    strength              that of the tuned values, as :func:`tuned_to` has it
    """
    n = len(reference[0])
    if n < 2:
        return None
    tuned = min(n, max(1, round(share * n)))
    means = np.array([values.mean(axis=1) for values in (*of_judge[::-1], *reference[::-1])])
    chosen, every = _drawn(np.round(means, 12), tuned, draws, seed)
    variants = [np.concatenate(values) for values in (reference, of_judge)]
    tables = [_Decided.of(values) for values in variants]
    plain = np.arange(n)[None]
    with_tuned = np.repeat(plain, len(chosen), axis=0)
    np.put_along_axis(with_tuned, chosen, chosen + n, axis=1)
    gains = [frozen(values[1].mean(axis=1) - values[0].mean(axis=1)) for values in (of_judge, reference)]
    return Stress(
        strength, tuned, every, _orders(tables, plain, alpha), _orders(tables, with_tuned, alpha), gains[0], gains[1]
    )


def _drawn(means: Floats, tuned: int, draws: int, seed: int) -> tuple[Ints, bool]:
    """Return the systems that are tuned, int64[B, tuned], and whether these are all ways to choose them. They are drawn
    from the order of their means, float64[K, N], the last row first, so that neither names nor the order of files move
    a number."""
    order, n = np.lexsort(means), means.shape[1]
    if math.comb(n, tuned) <= draws:
        places = np.array([*itertools.combinations(range(n), tuned)], dtype=np.int64)
        return order[places], True
    random = np.random.default_rng(seed)
    places = np.argsort(random.random((draws, n)), axis=1)[:, :tuned]
    return order[np.sort(places, axis=1)], False


@dataclass(frozen=True, eq=False)
class _Decided:
    """The means float64[V] of V variants, their differences and the p of these (paired t), float64[V, V]."""

    means: Floats
    difference: Floats
    p: Floats

    @classmethod
    def of(cls, values: Floats) -> _Decided:
        first, second = np.triu_indices(len(values), 1)
        decimals = decimals_of(values)
        difference, p = np.zeros((len(values),) * 2), np.ones((len(values),) * 2)
        for start in range(0, len(first), 1 << 14):
            pair = first[start : start + (1 << 14)], second[start : start + (1 << 14)]
            between = np.round(values[pair[0]] - values[pair[1]], decimals)
            difference[pair] = np.round(between.mean(axis=1), decimals)
            p[pair] = t_column(between).p
        return cls(values.mean(axis=1), difference - difference.T, np.minimum(p, p.T))


def _orders(tables: Sequence[_Decided], variants: Ints, alpha: float) -> Orders:
    """Return the agreement of the orders of some variants, int64[B, N]."""
    first, second = np.triu_indices(variants.shape[1], 1)
    pairs = variants[:, first], variants[:, second]
    way = np.sign(tables[0].difference[pairs]) * np.sign(tables[1].difference[pairs])
    decided = np.zeros(way.shape, dtype=np.bool_)
    for table in tables:
        decided |= np.stack([np.asarray(corrected(row, "holm")) for row in table.p[pairs]]) < alpha
    tau, tau_ap = correlations(tables[0].means[variants], tables[1].means[variants])
    turned = way < 0
    return Orders(
        frozen(tau), frozen(tau_ap), frozen(turned.sum(axis=1).astype(np.float64)),
        frozen((turned & decided).sum(axis=1).astype(np.float64)),
    )  # fmt: skip

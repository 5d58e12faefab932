"""How well an experiment was reproduced: original runs A (advanced) and B (baseline) against own ones on the same
queries.

Breuer, Ferro, Fuhr, Maistro, Sakai, Schaer and Soboroff, How to measure the reproducibility of system-oriented IR
experiments, SIGIR 2020: from the order of documents (Kendall's τ union, rank-biased overlap) over the values of queries
(RMSE) to the effect of A over B (effect ratio ER, and ΔRI, the difference of relative improvements)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.similarity.rank_correlation import tau_b
from irviewer.analysis.similarity.similarity import Similarity, similarity
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.statistics.significance.resampling import decimals_of
from irviewer.model.arrays import Floats, frozen
from irviewer.model.run import Run


@dataclass(frozen=True, eq=False)
class Order:
    """The order of documents of an original run against one's own, means over the queries that both have.

    tau_union  Kendall's τ of the places of both lists' documents in their union, sorted by id, as it was published: NaN
               where the lists differ in length or have fewer than two documents. Another naming of documents gives
               another value
    tau        tau-b of the documents that both return
    rbo        rank-biased overlap, extrapolated
    queries    of each mean: of tau_union, tau, rbo
    """

    tau_union: float
    tau: float
    rbo: float
    queries: tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Values:
    """A measure of the original and one's own experiment, over the queries that all its runs have a value for.

    means      of original A, original B, own A, own B; NaN for a B that there is not
    rmse       of A and of B, over the values of queries
    effects    mean A − B: original and own
    ratio      the effect ratio, own / original: 1 is a perfect reproduction, between 0 and 1 the effect is smaller,
               below 0 it is the other way round; NaN where the original effect is 0
    relative   the relative improvements (A − B) / B: original and own; NaN where the mean of B is 0
    delta_ri   original − own relative improvement: 0 is perfect, above 0 the own one is smaller
    """

    measure: str
    queries: int
    means: tuple[float, float, float, float]
    rmse: tuple[float, float]
    effects: tuple[float, float]
    ratio: float
    relative: tuple[float, float]
    delta_ri: float


@dataclass(frozen=True, eq=False)
class Reproduction:
    """The orders of A, and of B where there is one, and the values by measure."""

    names: tuple[str, ...]
    orders: tuple[Order, ...]
    values: tuple[Values, ...]
    rbo: Similarity


def order_of(
    original: Run, own: Run, queries: Sequence[str], *, p: float, depth: int, ties: TieVariant,
    progress: Callable[[float], None] | None = None,
) -> tuple[Order, Similarity]:  # fmt: skip
    """Compare the lists of two runs down to ``depth``. Raises OptionError for p or depth out of range."""
    rbo = similarity([original, own], "rbo", p=p, depth=depth, ties=ties, queries=queries, progress=progress)
    tau = similarity([original, own], "tau", depth=depth, queries=queries)
    unions = [
        tau_union(original.ranking(query, depth), own.ranking(query, depth))
        for query in queries
        if query in original.query_index and query in own.query_index
    ]
    known = [value for value in unions if not math.isnan(value)]
    mean = math.fsum(known) / len(known) if known else math.nan
    compared = (len(known), int(tau.compared[0, 1]), int(rbo.compared[0, 1]))
    return Order(mean, float(tau.means[0, 1]), float(rbo.means[0, 1]), compared), rbo


def tau_union(original: Sequence[str], own: Sequence[str]) -> float:
    """Return Kendall's τ of the places of the documents of two lists in their union, which is sorted by id; NaN for
    lists of different lengths and of fewer than two documents."""
    if len(original) != len(own) or len(own) < 2:
        return math.nan
    place = {document: at for at, document in enumerate(sorted({*original, *own}))}
    first, second = (np.array([float(place[document]) for document in ids]) for ids in (original, own))
    return tau_b(first, second)


def values_of(values: RunValues) -> Values:
    """Compare the values of original A, own A, and where they are there original B and own B, in this order."""
    table = np.asarray(values.values, dtype=np.float64)
    known = ~np.isnan(table).any(axis=0)
    kept: Floats = frozen(table[:, known])
    n, unknown = int(known.sum()), math.nan
    if not n:
        none = (unknown, unknown)
        return Values(values.measure, 0, (*none, *none), none, none, unknown, none, unknown)
    means = [float(row.mean()) for row in kept]
    rmse = [float(np.sqrt(np.mean((kept[at] - kept[at + 1]) ** 2))) for at in range(0, len(kept), 2)]
    original, own = means[0], means[1]
    if len(means) < 4:
        return Values(
            values.measure, n, (original, unknown, own, unknown), (rmse[0], unknown), (unknown, unknown), unknown,
            (unknown, unknown), unknown,
        )  # fmt: skip
    baseline, own_baseline = means[2], means[3]
    decimals = decimals_of(kept)  # equal values in another order have means that differ by rounding
    effects = (round(original - baseline, decimals), round(own - own_baseline, decimals))
    relative = (_ratio(effects[0], baseline), _ratio(effects[1], own_baseline))
    return Values(
        values.measure, n, (original, baseline, own, own_baseline), (rmse[0], rmse[1]), effects,
        _ratio(effects[1], effects[0]), relative, relative[0] - relative[1],
    )  # fmt: skip


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan

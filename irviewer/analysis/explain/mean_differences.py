"""A difference of two means taken apart: Δ between two runs over queries, split over those queries.

The parts sum to Δ exactly, of a geometric mean too: there each query has a share of the difference of logarithms, and
that is made Δ by one factor, the logarithmic mean of the two values (the logarithmic mean Divisia index, Ang 2005)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from irviewer.analysis.explain.difference import exactly
from irviewer.analysis.explain.ledger_types import MeanLedger
from irviewer.analysis.explain.wording import number
from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats
from irviewer.model.exported import Exported
from irviewer.model.geometric import GEOMETRIC_FLOOR

HOW = {
    "mean": "what each query adds to the one mean, its value by {n}, less what it adds to the other",
    "sum": "each query's value in the one run less that in the other: the values are added, not averaged",
    "count": "1 for each query that only the one run has, −1 for each that only the other has",
}


@dataclass(frozen=True)
class QueryPart:
    """What one query adds to a difference of means; values are NaN where a run has none."""

    query: str
    value: float
    base: float
    delta: float


@dataclass(frozen=True, eq=False, repr=False)
class MeanDifference(Exported):
    """Δ of a mean over queries, ``run`` less ``baseline``.

    parts        one a query, the largest gains first; they sum to ``delta``
    delta        the difference of the two values
    attribution  how parts are made, a sentence
    factor       of a geometric mean what a query's difference of logarithms is multiplied by, the logarithmic mean of
                 the two values; NaN for what is no geometric mean
    """

    measure: Measure
    run: str
    baseline: str
    value: float
    base: float
    delta: float
    parts: tuple[QueryPart, ...]
    attribution: str
    factor: float = math.nan

    @property
    def sum(self) -> float:
        """The parts added up, compensated."""
        return math.fsum(one.delta for one in self.parts)

    def steps(self) -> Floats:
        """float64[q + 1]: where a waterfall stands before each part and after the last."""
        return np.concatenate(([0.0], np.cumsum([one.delta for one in self.parts])))


def mean_difference(mean: MeanLedger, base: MeanLedger) -> MeanDifference:
    """Δ of two means of one measure over queries. A query that only one of them has adds its share there, the other's
    divided by its own number of queries. Raises MeasureError where the values are texts, or one mean has no value."""
    if mean.aggregate == "none":
        raise MeasureError(f"{mean.measure} has no mean: its values are texts")
    if math.isnan(mean.value) or math.isnan(base.value):
        raise MeasureError(f"{mean.measure} has no mean for one of the runs: there is no difference")
    ours = dict(zip(mean.query_ids, zip(mean.values.tolist(), mean.shares.tolist(), strict=True), strict=True))
    theirs = dict(zip(base.query_ids, zip(base.values.tolist(), base.shares.tolist(), strict=True), strict=True))
    factor = logarithmic_mean(mean.value, base.value) if mean.aggregate == "geometric" else math.nan
    scale = 1.0 if math.isnan(factor) else factor
    nothing = (math.nan, 0.0)
    parts = []
    for query in dict.fromkeys((*mean.query_ids, *base.query_ids)):
        (value, share), (before, other) = ours.get(query, nothing), theirs.get(query, nothing)
        parts.append(QueryPart(query, value, before, scale * (share - other)))
    delta = mean.value - base.value
    exact = exactly([one.delta for one in parts], delta)
    parts = [replace(one, delta=value) for one, value in zip(parts, exact, strict=True)]
    parts.sort(key=lambda one: -one.delta)
    return MeanDifference(
        mean.measure, mean.run, base.run, mean.value, base.value, math.fsum(exact), tuple(parts),
        _told(mean, base, factor), factor,
    )  # fmt: skip


def logarithmic_mean(one: float, other: float) -> float:
    """(a − b) ÷ ln(a ÷ b) of two numbers above 0, between their geometric and their arithmetic mean; a where b is a.

    >>> round(logarithmic_mean(1.0, math.e), 4)
    1.7183
    """
    near = 0.5 < one / other < 2  # where the logarithm of the quotient would lose its last digits
    logarithm = math.log1p((one - other) / other) if near else math.log(one) - math.log(other)
    return (one - other) / logarithm if logarithm else one


def _told(mean: MeanLedger, base: MeanLedger, factor: float) -> str:
    n, other = len(mean.query_ids), len(base.query_ids)
    by = f"{n:,}" if n == other else f"{n:,} in the one and {other:,} in the other"
    if math.isnan(factor):
        return HOW[mean.aggregate].format(n=by)
    floor = f"{GEOMETRIC_FLOOR:.5f}".removeprefix("0")
    return (
        f"in proportion to the logarithms, as the means are geometric: ln(value ÷ baseline's), none below {floor}, by "
        f"{by}, times {number(factor)}, the logarithmic mean of {number(mean.value)} and {number(base.value)}, which "
        "makes a difference of logarithms Δ"
    )


__all__ = ["MeanDifference", "QueryPart", "logarithmic_mean", "mean_difference"]

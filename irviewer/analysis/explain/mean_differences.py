"""The difference of two means split over the queries.

The parts sum to Δ exactly, also for a geometric mean: there each query has a share of the difference of logarithms,
which one factor converts to Δ, the logarithmic mean of the two values (logarithmic mean Divisia index, Ang 2005)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np

from irviewer.analysis.explain.difference import exactly
from irviewer.analysis.explain.ledger_types import MeanLedger, shares_of
from irviewer.analysis.explain.wording import number
from irviewer.analysis.statistics.intervals import average
from irviewer.analysis.statistics.significance.resampling import differences
from irviewer.errors import MeasureError
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats
from irviewer.model.exported import Exported
from irviewer.model.geometric import GEOMETRIC_FLOOR
from irviewer.translation import decimal, tr, trn

Numbers = list[float]

ATTRIBUTIONS = {
    "mean": tr("what each query adds to the first mean, its value ÷ {n}, minus what it adds to the second"),
    "sum": tr("the value of each query in the first run minus that in the second: values are added, not averaged"),
    "count": tr("1 for each query that only the first run has, −1 for each that only the second has"),
}


@dataclass(frozen=True)
class QueryPart:
    """The contribution of a query to a difference of means; values are NaN if a run has none."""

    query: str
    value: float
    base: float
    delta: float


@dataclass(frozen=True)
class QueryParts(Sequence[QueryPart]):
    """Contributions by query, each made when it is asked for: of a million queries that is a few of them."""

    queries: tuple[str, ...]
    values: tuple[float, ...]
    bases: tuple[float, ...]
    deltas: tuple[float, ...]

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.queries)

    @overload
    def __getitem__(self, place: int) -> QueryPart: ...

    @overload
    def __getitem__(self, place: slice) -> QueryParts: ...

    def __getitem__(self, place: int | slice) -> Any:
        """Return one of them, or a slice."""
        kind: Any = QueryParts if isinstance(place, slice) else QueryPart
        return kind(self.queries[place], self.values[place], self.bases[place], self.deltas[place])


@dataclass(frozen=True, eq=False, repr=False)
class MeanDifference(Exported):
    """Δ of a mean over queries, ``run`` less ``baseline``.

    parts        one for each query, the largest gains first; they sum to ``delta``
    delta        the mean of the differences by query; for other aggregates the difference of the two values
    attribution  how the parts are computed
    factor       for geometric means, the factor of a query's difference of logarithms: the logarithmic mean of the two
                 values; else NaN
    """

    measure: Measure
    run: str
    baseline: str
    value: float
    base: float
    delta: float
    parts: QueryParts
    attribution: str
    factor: float = math.nan

    @property
    def sum(self) -> float:
        """The exact sum of the parts."""
        return math.fsum(self.parts.deltas)

    def steps(self) -> Floats:
        """Return the running sums before each part and after the last, float64[q + 1]."""
        return np.concatenate(([0.0], np.cumsum(self.parts.deltas)))


def mean_difference(mean: MeanLedger, base: MeanLedger) -> MeanDifference:
    """Return the difference of two means of a measure, both over the queries that both have, as
    :func:`~irviewer.analysis.statistics.compare.compare` takes them; of numbers of queries over all. Raises
    MeasureError where the values are texts, one mean has no value, or no query is common."""
    if mean.aggregate == "none":
        raise MeasureError(tr("{measure} has no mean: its values are texts", measure=mean.measure))
    own = (len(mean.query_ids), len(base.query_ids))
    if mean.aggregate != "count":
        mean, base = _over_common(mean, set(base.query_ids)), _over_common(base, set(mean.query_ids))
        if not mean.query_ids:
            raise MeasureError(
                tr("{run} and {other} have no query in common, so there is no difference", run=mean.run, other=base.run)
            )
    if math.isnan(mean.value) or math.isnan(base.value):
        raise MeasureError(
            tr("{measure} has no mean for one of the runs, so there is no difference", measure=mean.measure)
        )
    factor = logarithmic_mean(mean.value, base.value) if mean.aggregate == "geometric" else math.nan
    scale = 1.0 if math.isnan(factor) else factor
    queries, values, bases, deltas = _parts(mean, base, scale)
    exact = exactly(deltas, _change(mean, base))
    order = np.argsort(-np.array(exact), kind="stable").tolist()
    parts = QueryParts(
        tuple(map(queries.__getitem__, order)), tuple(map(values.__getitem__, order)),
        tuple(map(bases.__getitem__, order)), tuple(map(exact.__getitem__, order)),
    )  # fmt: skip
    return MeanDifference(
        mean.measure, mean.run, base.run, mean.value, base.value, math.fsum(exact), parts,
        _attribution(mean, base, own, factor), factor,
    )  # fmt: skip


def _parts(mean: MeanLedger, base: MeanLedger, scale: float) -> tuple[Sequence[str], Numbers, Numbers, Numbers]:
    """Return the queries of either, their values, those of the baseline, NaN for none, and the differences of shares
    times ``scale``."""
    if mean.query_ids == base.query_ids:
        deltas: Numbers = (scale * (mean.shares - base.shares)).tolist()
        return mean.query_ids, mean.values.tolist(), base.values.tolist(), deltas
    ours = dict(zip(mean.query_ids, zip(mean.values.tolist(), mean.shares.tolist(), strict=True), strict=True))
    theirs = dict(zip(base.query_ids, zip(base.values.tolist(), base.shares.tolist(), strict=True), strict=True))
    nothing = (math.nan, 0.0)
    queries = tuple(dict.fromkeys((*mean.query_ids, *base.query_ids)))
    own, others = [ours.get(query, nothing) for query in queries], [theirs.get(query, nothing) for query in queries]
    deltas = [scale * (share - base_share) for (_, share), (_, base_share) in zip(own, others, strict=True)]
    return queries, [value for value, _ in own], [value for value, _ in others], deltas


def _change(mean: MeanLedger, base: MeanLedger) -> float:
    """Return Δ: of means the mean of the differences by query, as a comparison has it to the last digit; of a geometric
    mean, a sum and a number of queries the difference of the two values."""
    if mean.aggregate != "mean" or mean.query_ids != base.query_ids:
        return mean.value - base.value
    return float(average(differences(mean.values, base.values)[np.newaxis])[0])


def _over_common(mean: MeanLedger, queries: set[str]) -> MeanLedger:
    """Return a mean over those of its queries that are among others; the same one where all are."""
    kept = np.flatnonzero([query in queries for query in mean.query_ids])
    if len(kept) == len(mean.query_ids):
        return mean
    values = mean.values[kept]
    return replace(
        mean,
        query_ids=tuple(mean.query_ids[place] for place in kept.tolist()),
        values=values,
        shares=shares_of(mean.measure, values),
        value=mean.measure.mean(values),
    )


def logarithmic_mean(a: float, b: float) -> float:
    """Return the logarithmic mean (a − b) ÷ ln(a ÷ b) of two numbers above 0; a where b is a.

    >>> round(logarithmic_mean(1.0, math.e), 4)
    1.7183
    """
    near = 0.5 < a / b < 2  # where the logarithm of the quotient would lose its last digits
    logarithm = math.log1p((a - b) / b) if near else math.log(a) - math.log(b)
    return (a - b) / logarithm if logarithm else a


def _attribution(mean: MeanLedger, base: MeanLedger, own: tuple[int, int], factor: float) -> str:
    rule = _rule(mean, base, factor)
    n = len(mean.query_ids)
    if mean.aggregate == "count" or own == (n, n):
        return rule
    return trn(
        "{rule}; both are over the {n:,} query that both runs have (of {first:,} and {second:,})",
        "{rule}; both are over the {n:,} queries that both runs have (of {first:,} and {second:,})",
        n, rule=rule, first=own[0], second=own[1],
    )  # fmt: skip


def _rule(mean: MeanLedger, base: MeanLedger, factor: float) -> str:
    by = decimal(f"{len(mean.query_ids):,}")
    if math.isnan(factor):
        return ATTRIBUTIONS[mean.aggregate].format(n=by)
    floor = decimal(f"{GEOMETRIC_FLOOR:.5f}".removeprefix("0"))
    return tr(
        "in proportion to the logarithms, as the means are geometric: ln(value ÷ value of the baseline), none below "
        "{floor}, ÷ {n} × {factor}, the logarithmic mean of {mean} and {base}, which converts a difference of "
        "logarithms to Δ",
        floor=floor, n=by, factor=number(factor), mean=number(mean.value), base=number(base.value),
    )  # fmt: skip


__all__ = ["MeanDifference", "QueryPart", "logarithmic_mean", "mean_difference"]

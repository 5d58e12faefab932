"""The difference between a judge's and the reference's grades on the first documents of each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.agreement.draws import Draws, percentiles
from irviewer.measures.base import Cutoff, Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.judgments.judged import judge
from irviewer.model.judgments.panel import Panel
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

TOP_DOCUMENTS = 10
"""The number of first documents for measures without a cutoff."""


@dataclass(frozen=True, eq=False)
class TopDocuments:
    """The panel's rows among the first ``depth`` documents of each run, on every query.

    rows, query   int64[h] of each run, ordered by query; ``returned`` int64[N, Q] documents returned, ``depth`` at most
    """

    depth: int
    rows: tuple[Ints, ...]
    query: tuple[Ints, ...]
    returned: Ints


@dataclass(frozen=True, eq=False)
class GradeDifference:
    """The mean of judge minus reference over the first documents of each run that both judged, float64[N], with
    intervals; NaN without such documents. ``mean`` is that of all runs: a run whose interval does not contain it is
    favoured or disfavoured."""

    depth: int
    values: Floats
    low: Floats
    high: Floats
    mean: float

    @property
    def favoured(self) -> Ints:
        """int64[N]: 1 if the interval is above the mean of all runs, -1 if below, else 0."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.low > self.mean).astype(np.int64) - (self.high < self.mean))


def depth_of(measure: Measure) -> int:
    """Return the number of first documents that a measure reads: its cutoff, else ``TOP_DOCUMENTS``."""
    ranks = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    return int(measure.cutoff) if measure.cutoff is not None and ranks else TOP_DOCUMENTS


def top_documents(panel: Panel, runs: Sequence[Run], depth: int, options: EvaluationOptions) -> TopDocuments:
    """Return the panel's rows among the first documents of runs, ranked as the dialect ranks them."""
    union = _union(panel)
    join_options = options.rules.join_options
    rows, queries, returned = [], [], []
    for run in runs:
        joined = judge(run.reordered(join_options.ties, join_options.bits), union)
        near = joined.hit_rank <= depth
        rows.append(joined.hit_row[near])
        queries.append(joined.hit_query[near])
        returned.append(np.minimum(joined.returned, depth))
    counts = np.array(returned, dtype=np.int64).reshape(len(runs), len(panel.query_ids))
    return TopDocuments(depth, tuple(rows), tuple(queries), counts)


def _union(panel: Panel) -> Qrels:
    """Return all pairs of a panel as qrels, row by row."""
    return Qrels.from_columns(panel.query_ids, panel.query, panel.doc_ids, np.zeros(len(panel)), name="panel")


def judged_share(top: TopDocuments, judged: Bools, queries: Ints) -> Floats:
    """Return float64[N]: the share of each run's first documents that is judged, bool[U] of the panel's rows; mean over
    the queries. NaN where a run returns nothing for them."""
    result = np.full(len(top.rows), np.nan)
    for run, (rows, query) in enumerate(zip(top.rows, top.query, strict=True)):
        hits = np.bincount(query[judged[rows]], minlength=top.returned.shape[1])[queries]
        returned = top.returned[run, queries]
        if (returned > 0).any():
            result[run] = float((hits[returned > 0] / returned[returned > 0]).mean())
    return result


def grade_difference(
    panel: Panel, top: TopDocuments, reference: int, other: int, queries: Ints, draws: Draws, level: float
) -> GradeDifference:
    """Judge minus reference on each run's first documents of these queries, the queries drawn again."""
    difference = panel.grades[:, other] - panel.grades[:, reference]
    known = ~np.isnan(difference)
    size = len(panel.query_ids)
    values, low, high = (np.full(len(top.rows), np.nan) for _ in range(3))
    for run, (rows, query) in enumerate(zip(top.rows, top.query, strict=True)):
        kept = known[rows]
        counts = np.bincount(query[kept], minlength=size)[queries].astype(np.float64)
        sums = np.bincount(query[kept], difference[rows[kept]], size)[queries]
        if not counts.sum():
            continue
        values[run] = sums.sum() / counts.sum()
        if draws.samples and len(queries) > 1:
            again = draws.of(np.stack([sums, counts], axis=1), _mean)
            (low[run],), (high[run],) = percentiles(again, level)
    mean = float(np.nanmean(values)) if not np.isnan(values).all() else float("nan")
    return GradeDifference(top.depth, frozen(values), frozen(low), frozen(high), mean)


def _mean(sums: Floats) -> dict[str, Floats]:
    return {"mean": np.divide(sums[0], sums[1], out=np.full(sums.shape[1], np.nan), where=sums[1] > 0)}

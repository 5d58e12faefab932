"""All effects of the pool on some runs, as ``irviewer pool`` prints and the window shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.pooling.bounds import Bounds, bounds
from irviewer.analysis.pooling.contributions import Contributions, LeaveOneOut, contributions, leave_one_out
from irviewer.analysis.pooling.judged_without import plainly_joined
from irviewer.analysis.pooling.run_pair import nothing
from irviewer.analysis.pooling.unjudged import residual
from irviewer.evaluation.evaluate import Joined
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.measures.base import Measure
from irviewer.measures.parser import parse_measure
from irviewer.model.arrays import Floats, frozen, safe_divide
from irviewer.model.dialects import JoinOptions
from irviewer.model.exported import Exported
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.workspace import Regime, regime_offer

DEPTHS = (5, 10, 20, 100)


@dataclass(frozen=True, eq=False)
class Openness:
    """Shares of unjudged documents: N runs, D depths, E queries.

    shares      float64[N, D, E]: unjudged documents among the first k, divided by k (trec_eval's unj)
    residuals   float64[N, E]: the residual of rank-biased precision with persistence ``p``
    lists       float64[N, E]: unjudged documents as a share of all that the run returned
    A run that lacks a query has no unjudged documents for it and the residual 1. Where judgments are complete nothing
    is unjudged, and the residual is the weight below the ends of the lists.
    """

    runs: tuple[str, ...]
    query_ids: tuple[str, ...]
    depths: tuple[int, ...]
    p: float
    shares: Floats
    residuals: Floats
    lists: Floats

    @property
    def mean_shares(self) -> Floats:
        """float64[N, D]: ``shares`` averaged over the queries."""
        return np.asarray(self.shares.mean(axis=2)) if len(self.query_ids) else np.full(self.shares.shape[:2], np.nan)

    @property
    def mean_residuals(self) -> Floats:
        """float64[N]: ``residuals`` averaged over the queries."""
        return np.asarray(self.residuals.mean(axis=1)) if len(self.query_ids) else np.full(len(self.runs), np.nan)


def openness(
    qrels: Qrels,
    runs: Sequence[Run],
    options: EvaluationOptions | None = None,
    regime: Regime = Regime.UNKNOWN,
    *,
    depths: Sequence[int] = DEPTHS,
    p: float = 0.9,
    joins: Sequence[Joined] | None = None,
    step: Callable[[], object] = nothing,
) -> Openness:
    """Return how much of what the runs return is unjudged, over all queries of the qrels; ``joins`` are those of the
    runs with all their documents, where they are known; ``step`` is called between steps of the work."""
    options = options or EvaluationOptions()
    measures = [parse_measure(f"unj@{depth}") for depth in depths]
    query_ids = [qrels.query_ids[index] for index in qrels.query_order]
    shares, residuals = np.zeros((len(runs), len(depths), len(query_ids))), np.ones((len(runs), len(query_ids)))
    lists = np.zeros_like(residuals)
    for number, joined in enumerate(joins or (plainly_joined(run, qrels, options) for run in runs)):
        judged = joined.under(JoinOptions())
        at = np.array([judged.query_index.get(query, -1) for query in query_ids], dtype=np.int64)
        has = at >= 0
        if regime is Regime.COMPLETE:
            residuals[number, has] = np.power(p, judged.returned[at[has]].astype(np.float64))
            continue
        for column, measure in enumerate(measures):
            step()
            shares[number, column, has] = measure.compute(judged)[at[has]]
        step()
        residuals[number, has] = residual(judged, p)[at[has]]
        opened = judged.returned - judged.judged_hits.count_by_query
        lists[number, has] = safe_divide(opened, judged.returned)[at[has]]
    names = tuple(run.name for run in runs)
    return Openness(names, tuple(query_ids), tuple(depths), p, frozen(shares), frozen(residuals), frozen(lists))


@dataclass(frozen=True, eq=False, repr=False)
class PoolEffects(Exported):
    """All effects, for the same runs in the same order; ``left_out`` is None if it was not requested, ``offer`` is
    what the user may declare where the regime is unknown, and ``pool_depth`` the last rank that each run contributed,
    None: its whole lists."""

    regime: Regime
    contributions: Contributions
    openness: Openness
    bounds: Bounds
    left_out: LeaveOneOut | None
    offer: str = ""
    pool_depth: int | None = None


def pool_effects(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Sequence[str | Measure] = (OF_DOCUMENTS,),
    options: EvaluationOptions | None = None,
    regime: Regime = Regime.UNKNOWN,
    *,
    pool_depth: int | None = None,
    depths: Sequence[int] = DEPTHS,
    p: float = 0.9,
    grade: float | None = None,
    against: int | None = None,
    leave_out: bool = True,
    progress: Callable[[float], None] | None = None,
) -> PoolEffects:
    """Compute the effects of the pool on the results of runs.

    regime       how the judgments were made, where that is declared
    pool_depth   the last rank that a run contributed to the pool; None: its whole lists
    depths, p    of the unjudged shares, and of the residual
    grade        the highest grade that an unjudged document may have; None: that of the qrels
    against      the index of the run that differences are taken to; None: all pairs
    leave_out    also score all runs without each run's own contribution
    progress     called with the share done; may raise to stop the work"""
    half = 0.5 if leave_out else 1.0

    def first(fraction: float) -> None:
        if progress is not None:
            progress(fraction * half)

    def second(fraction: float) -> None:
        if progress is not None:
            progress(half + fraction * (1 - half))

    joins = [plainly_joined(run, qrels, options or EvaluationOptions()) for run in runs]
    for joined in joins:
        first(0.0)  # often, so that it can be stopped
        joined.under(JoinOptions())
    contributed = contributions(qrels, runs, options, pool_depth, joins=joins)
    opened = openness(qrels, runs, options, regime, depths=depths, p=p, joins=joins, step=lambda: first(0.0))
    intervals = bounds(
        qrels, runs, measures, options, regime, grade=grade, against=against, progress=first, joins=joins
    )
    without = leave_one_out(qrels, runs, measures, options, depth=pool_depth, progress=second) if leave_out else None
    offer = regime_offer(qrels) if regime is Regime.UNKNOWN else ""
    return PoolEffects(regime, contributed, opened, intervals, without, offer, pool_depth)

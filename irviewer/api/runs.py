"""The public Python calls about several runs at once: how alike they are, one run fused of them, what the pool does to
their numbers. Files or values in, the model's frozen values out; nothing here computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irviewer.analysis.pooling.effects import DEPTHS, PoolEffects
from irviewer.analysis.pooling.effects import pool_effects as effects_of_pool
from irviewer.analysis.similarity.similarity import Kind, Similarity
from irviewer.analysis.similarity.similarity import similarity as similarity_of_runs
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources, measures_of
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions, MissingPolicy
from irviewer.model.rankings.fusion import Fusion, Method, Normalisation
from irviewer.model.rankings.fusion import fuse as fuse_runs
from irviewer.model.run import Run
from irviewer.model.workspace import Regime


def similarity(
    runs: AnyRuns,
    kind: Kind = "rbo",
    *,
    p: float = 0.9,
    depth: int | None = None,
    queries: Sequence[str] | None = None,
    by_query: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Similarity:
    """How alike runs are, every pair of them: ``means`` float64[R, R].

    >>> found = similarity({"one": {"1": {"a": 3.0, "b": 2.0}}, "two": {"1": {"a": 3.0, "c": 2.0}}}, "overlap", depth=2)
    >>> found.means.tolist()
    [[1.0, 0.5], [0.5, 1.0]]

    kind      "rbo" (extrapolated), "rbo-min", "rbo-residual", "rbo-seen", "overlap", "jaccard", "tau" (Kendall's
              tau-b), "tau-ap"
    p         rank-biased overlap's persistence
    depth     what lists are cut at; None: 10 for overlap and jaccard, 100 for the others
    queries   those to look at; None: all. A pair is compared on the queries that both runs have
    by_query  keep every query's value: ``by_query`` float64[R, R, Q]
    progress  is given the share that is done; an exception from it stops the work

    Raises ParseError, OptionError."""
    return similarity_of_runs(
        Sources().runs(runs, rename=True), kind, p=p, depth=depth, queries=queries, by_query=by_query, progress=progress
    )


def fuse(
    runs: AnyRuns,
    method: Method = "rrf",
    *,
    normalisation: Normalisation = "min-max",
    weights: Sequence[float] | None = None,
    k: float = 60,
    depth: int | None = None,
    keep: int | None = None,
    name: str | None = None,
) -> Run:
    """One run out of several.

    >>> one, two = {"1": {"a": 3.0, "b": 2.0}}, {"1": {"b": 9.0, "c": 1.0}}
    >>> fuse({"one": one, "two": two}).ranking("1")
    ['b', 'a', 'c']

    method         "rrf", "combsum", "combmnz", "weighted", "isr", "borda"
    normalisation  of scores, each list by itself: "min-max", "z-score", "sum", "none"
    weights        for "weighted", one a run
    k              RRF's constant
    depth, keep    documents of each run's list that count, and of the result's that are kept; None: all

    Raises ParseError, OptionError."""
    fusion = Fusion(method, normalisation, None if weights is None else tuple(weights), k, depth)
    return fuse_runs(Sources().runs(runs, rename=True), fusion, name=name, keep=keep)


def pool_effects(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = ("nDCG@10", "AP"),
    *,
    regime: Regime | str | None = None,
    pool_depth: int | None = None,
    depths: Sequence[int] = DEPTHS,
    p: float = 0.9,
    grade: float | None = None,
    leave_out: bool = True,
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    progress: Callable[[float], None] | None = None,
) -> PoolEffects:
    """What the pool behind the judgments does to the runs' numbers: unique documents, what is unjudged, the interval
    that this leaves to each measure and to the difference of every two runs, and every run's score without each run's
    contribution. Intervals are over all grades from 0 to the highest of the unjudged documents that a measure reads;
    documents that were not retrieved stay as they are, and a document that two runs return has one grade.

    >>> found = pool_effects({"1": {"a": 1, "b": 0}}, {"one": {"1": {"x": 3.0, "a": 2.0}}}, "RR", leave_out=False)
    >>> found.bounds.low.tolist(), found.bounds.high.tolist()
    ([[[0.5]]], [[[1.0]]])

    regime      "complete", "pooled" or "sparse"; None: what the qrels look like
    pool_depth  down to which rank a run contributed to the pool; None: its whole lists
    grade       the highest grade that an unjudged document may have; None: that of the qrels
    leave_out   score all runs without each run's own contribution

    The others as in :func:`evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources()
    return effects_of_pool(
        sources.qrels(qrels), sources.runs(runs, rename=True), measures_of(measures),
        EvaluationOptions(level, judged_only, depth, missing, dialect),
        Regime(regime) if isinstance(regime, str) else regime, pool_depth=pool_depth, depths=depths, p=p, grade=grade,
        leave_out=leave_out, progress=progress,
    )  # fmt: skip

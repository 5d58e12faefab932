"""The public functions for several runs: their similarity, their fusion, and the effects of the pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irviewer.analysis.pooling.effects import DEPTHS, PoolEffects
from irviewer.analysis.pooling.effects import pool_effects as effects_of_pool
from irviewer.analysis.similarity.similarity import Kind, Similarity
from irviewer.analysis.similarity.similarity import similarity as similarity_of_runs
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources, measures_of
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.options import EvaluationOptions
from irviewer.model.protocol import MissingPolicy
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
    """Return the similarity of each pair of runs: ``means`` float64[R, R].

    >>> found = similarity({"one": {"1": {"a": 3.0, "b": 2.0}}, "two": {"1": {"a": 3.0, "c": 2.0}}}, "overlap", depth=2)
    >>> found.means.tolist()
    [[1.0, 0.5], [0.5, 1.0]]

    kind      "rbo" (extrapolated), "rbo-min", "rbo-residual", "rbo-seen", "overlap", "jaccard", "tau" (Kendall's
              tau-b), "tau-ap"
    p         persistence of rank-biased overlap
    depth     ranks compared; None: 10 for overlap and jaccard, 100 for the others
    queries   queries to use; None: all. A pair is compared on the queries that both runs have
    by_query  keep the values of each query: ``by_query`` float64[R, R, Q]
    progress  called with the share done; an exception from it stops the work

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
    """Combine several runs into one.

    >>> one, two = {"1": {"a": 3.0, "b": 2.0}}, {"1": {"b": 9.0, "c": 1.0}}
    >>> fuse({"one": one, "two": two}).ranking("1")
    ['b', 'a', 'c']

    method         "rrf", "combsum", "combmnz", "weighted", "isr", "borda"
    normalisation  of the scores of each ranking: "min-max", "z-score", "sum", "none"
    weights        for "weighted", one per run
    k              the constant of RRF
    depth, keep    ranks of each run that are used, and documents kept per query in the result; None: all

    Raises ParseError, OptionError."""
    fusion = Fusion(method, normalisation, None if weights is None else tuple(weights), k, depth)
    return fuse_runs(Sources().runs(runs, rename=True), fusion, name=name, keep=keep)


def pool_effects(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = ("nDCG@10", "AP"),
    *,
    regime: Regime | str = "unknown",
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
    """Return the effects of the pool: unique and unjudged documents, the bounds that unjudged documents leave to each
    measure and to the difference of each two runs, and the values without the contribution of each run.

    Bounds are over all grades, from 0 to the highest, of the unjudged documents that a measure reads. Documents that
    were not retrieved stay unjudged, and a document that two runs return has one grade.

    >>> found = pool_effects({"1": {"a": 1, "b": 0}}, {"one": {"1": {"x": 3.0, "a": 2.0}}}, "RR", leave_out=False)
    >>> found.bounds.low.tolist(), found.bounds.high.tolist()
    ([[[0.5]]], [[[1.0]]])

    regime      how the judgments were made: "complete", "pooled" or "sparse"; it is never inferred
    pool_depth  ranks that each run contributed to the pool; None: all
    grade       the highest possible grade of an unjudged document; None: the highest of the qrels
    leave_out   also compute the values without the contribution of each run

    The others as in :func:`evaluate`. Raises ParseError, MeasureError, OptionError."""
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs, rename=True)
    return effects_of_pool(
        judgments, all_runs, measures_of(measures),
        EvaluationOptions(level, judged_only, depth, missing, dialect),
        Regime(regime), pool_depth=pool_depth, depths=depths, p=p, grade=grade,
        leave_out=leave_out, progress=progress,
    )  # fmt: skip

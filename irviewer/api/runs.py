"""The public functions for several runs: their similarity, their fusion, and the effects of the pool."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Unpack

from irviewer.analysis.pooling.effects import DEPTHS, PoolEffects
from irviewer.analysis.pooling.effects import pool_effects as effects_of_pool
from irviewer.analysis.similarity.similarity import Kind, Similarity
from irviewer.analysis.similarity.similarity import similarity as similarity_of_runs
from irviewer.analysis.similarity.ties import TieVariant
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    bound_to,
    protocol_of,
    refuse_below_one,
    taking_part,
    with_files_of,
    with_measures,
    with_queries,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Sources, listed_measures, measures_of
from irviewer.errors import OptionError
from irviewer.evaluation.answer_cautions import refuse_nuggets_alone
from irviewer.evaluation.selected import select_queries
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.model.answers.systems import refuse_labels_alone
from irviewer.model.arguments import checked
from irviewer.model.dialects import dialect_of
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import EvaluationFields, EvaluationProtocol, RankingFields
from irviewer.model.rankings.fusion import Fusion, Method, Normalisation
from irviewer.model.rankings.fusion import fuse as fuse_runs
from irviewer.model.run import Run
from irviewer.model.workspace import Regime
from irviewer.translation import tr


@checked
def similarity(
    runs: AnyRuns,
    kind: Kind = "rbo",
    *,
    p: float = 0.9,
    depth: int | None = None,
    ties: TieVariant = "a",
    queries: Sequence[str] | None = None,
    by_query: bool = False,
    protocol: AnyProtocol | None = None,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[RankingFields],
) -> Similarity:
    """Return the similarity of each pair of runs: ``means`` float64[R, R].

    >>> found = similarity({"one": {"1": {"a": 3.0, "b": 2.0}}, "two": {"1": {"a": 3.0, "c": 2.0}}}, "overlap", depth=2)
    >>> found.means.tolist()
    [[1.0, 0.5], [0.5, 1.0]]

    kind      "rbo" (extrapolated), "rbo-min", "rbo-max", "rbo-residual", "rbo-seen", "overlap", "jaccard",
              "tau" (Kendall's tau-b), "tau-ap"
    p         persistence of rank-biased overlap
    depth     ranks compared; None: 10 for overlap and jaccard, 100 for the others
    ties      how rank-biased overlap counts tied scores: "a" as an order that is not known, "w" as equal, "b" as "a"
              and a list agrees with itself by 1, "broken" in the order of the runs
    queries   queries to use; None: those of the protocol, else all. A pair is compared on the queries that both runs
              have
    by_query  keep the values of each query: ``by_query`` float64[R, R, Q]
    protocol  an EvaluationProtocol or the file of one: its queries, runs and dialect, which orders tied documents
    progress  called with the share done; an exception from it stops the work

    Raises ParseError, OptionError."""
    free = ("level", "missing", "zscores", "queries", "runs")
    asked = protocol_of(protocol, "similarity", fields, frozenset(RankingFields.__annotations__), free)
    asked = with_queries(asked, queries)
    given_runs = Sources().runs(runs)
    asked, compared = taking_part(given_runs, asked)
    similar = similarity_by(asked, compared, kind, p=p, depth=depth, ties=ties, by_query=by_query, progress=progress)
    return with_files_of(similar, given_runs)


def similarity_by(
    asked: EvaluationProtocol, runs: Sequence[Run], kind: Kind, *, p: float = 0.9, depth: int | None = None,
    ties: TieVariant = "a", query_ids: Sequence[str] | None = None, by_query: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Similarity:  # fmt: skip
    """Return the similarity of runs under a protocol; ``query_ids`` are those that a selection is of, None: those of
    the runs. Raises OptionError."""
    without = [run for run in runs if run.answered is not None and not len(run)]
    if len(runs) - len(without) < 2:
        for run in without:
            refuse_labels_alone(run)
    rules = dialect_of(asked.rules.dialect)
    ids = list(dict.fromkeys(query for run in runs for query in run.query_ids)) if query_ids is None else query_ids
    bound = bound_to(asked, None, runs, query_ids=ids, uses=("dialect", "scope"))
    ranked = [run.reordered(rules.ties, rules.bits) for run in runs]
    queries = None if query_ids is None and bound.selected is None else bound.query_ids
    values = similarity_of_runs(
        ranked, kind, p=p, depth=depth, ties=ties, queries=queries, by_query=by_query, progress=progress
    )  # fmt: skip
    return values.under(bound)


@checked
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
    return fuse_runs(Sources().runs(runs), fusion, name=name, keep=keep)


@checked
def pool_effects(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    pool_depth: int | None = None,
    depths: Sequence[int] = DEPTHS,
    p: float = 0.9,
    grade: float | None = None,
    leave_out: bool = True,
    progress: Callable[[float], None] | None = None,
    **fields: Unpack[EvaluationFields],
) -> PoolEffects:
    """Return the effects of the pool: unique and unjudged documents, the bounds that unjudged documents leave to each
    measure and to the difference of each two runs, and the values without the contribution of each run.

    Bounds are over all grades, from 0 to the highest, of the unjudged documents that a measure reads. Documents that
    were not retrieved stay unjudged, and a document that two runs return has one grade.

    >>> found = pool_effects({"1": {"a": 1, "b": 0}}, {"one": {"1": {"x": 3.0, "a": 2.0}}}, "RR", leave_out=False)
    >>> found.bounds.low.tolist(), found.bounds.high.tolist()
    ([[[0.5]]], [[[1.0]]])

    measures    None: those of the protocol, else nDCG@10
    protocol    an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    unjudged    how judging was done: "complete", "pooled" or "sparse"; it is never inferred
    pool_depth  ranks that each run contributed to the pool; None: all
    grade       the highest possible grade of an unjudged document; None: the highest of the qrels
    leave_out   also compute the values without the contribution of each run

    The others as in :func:`evaluate`. Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "pool_effects", fields, EVALUATION, ("runs", "queries"))
    refuse_below_one(pool_depth=pool_depth)
    if not 0 < p < 1:
        raise OptionError(tr("p is {p:g}; the persistence must be between 0 and 1", p=p))
    if grade is not None and not 0 <= grade < math.inf:
        raise OptionError(tr("grade is {grade:g}; it must be a finite number of 0 or more", grade=grade))
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    sources = Sources()
    judgments, given_runs = sources.both(qrels, runs)
    refuse_nuggets_alone(tr("Pool"), judgments)
    asked, all_runs = taking_part(given_runs, asked)
    bound = bound_to(asked, judgments, all_runs, uses=("rules", "scope"))
    judgments, all_runs = select_queries(bound, judgments, all_runs)
    effects = effects_of_pool(
        judgments, all_runs, (asked.measures or (OF_DOCUMENTS,)) if measures is None else measures_of(measures),
        evaluation_options(asked.rules), Regime(asked.rules.unjudged), pool_depth=pool_depth, depths=depths, p=p,
        grade=grade, leave_out=leave_out, progress=progress,
    )  # fmt: skip
    return with_files_of(effects.under(bound), given_runs)

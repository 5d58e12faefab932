"""The public functions for all runs: the stability of their order, the agreement of measures, means by query set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from irviewer.analysis.similarity.measure_agreement import Agreement, Correlation, agreement
from irviewer.analysis.statistics.series_average import SetMeans
from irviewer.analysis.statistics.significance.test_results import Step
from irviewer.analysis.statistics.stability import Stability
from irviewer.analysis.statistics.systems import means_of_sets, stability_of
from irviewer.api.evaluation import evaluated
from irviewer.api.protocols import (
    EVALUATION,
    AnyProtocol,
    named_as_in,
    protocol_of,
    query_sets,
    query_weights,
    with_measure,
    with_measures,
    with_queries,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, listed_measures
from irviewer.evaluation.bind import bind
from irviewer.evaluation.results import ResultTable
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.data_file import DataFile
from irviewer.model.protocol import (
    EvaluationFields,
    EvaluationProtocol,
    Scope,
    StabilityFields,
)
from irviewer.views.measure_agreement import MEASURES


@checked
def ranking_stability(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    progress: Step | None = None,
    **fields: Unpack[StabilityFields],
) -> Stability:
    """Return the stability of the order of runs: ranks and first places in bootstrap samples of the queries.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> found = ranking_stability(qrels, {"bad": bad, "good": good}, "RR")
    >>> found.runs, found.first.tolist(), found.rank.tolist()
    (('bad', 'good'), [0.0, 1.0], [2.0, 1.0])

    measure            None: the primary one of the protocol, else nDCG@10
    protocol           an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    queries, weights   only these; query -> weight, for the order of weighted means
    samples, seed      random samples; ``confidence`` is the share of samples with ranks from ``low`` to ``high``

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    keywords = frozenset(StabilityFields.__annotations__)
    asked = protocol_of(protocol, "ranking_stability", fields, keywords, ("queries", "weights", "runs"))
    asked, chosen = with_measure(asked, measure)
    asked = with_queries(asked, queries)
    result = _evaluated(qrels, runs, chosen, asked)
    asked = named_as_in(asked, result)
    bound = bind(
        asked, result.runs, result.query_ids, sets=query_sets(asked), graded=_graded(result),
        uses=("rules", "scope", "samples", "seed"), files=_files(result), answers=result.answers,
        measured=result.measures,
    )  # fmt: skip
    if weights is None and (own := query_weights(asked)) is not None:
        weights = own.values
    stable = stability_of(
        result, result.measures[0], queries=queries if queries is not None else bound.selected, weights=weights,
        samples=asked.inference.samples, seed=asked.inference.seed, level=asked.inference.confidence, progress=progress,
    )  # fmt: skip
    return stable.under(bound)


@checked
def measure_agreement(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    by: Correlation = "kendall",
    *,
    protocol: AnyProtocol | None = None,
    **fields: Unpack[EvaluationFields],
) -> Agreement:
    """Return the agreement of measures: the correlation of their means over the runs, for each pair of measures.

    >>> qrels = {"1": {"a": 1, "b": 1}}
    >>> runs = {name: {"1": {d: -float(n) for n, d in enumerate(order)}} for name, order in
    ...         {"one": "abxy", "two": "axxb", "three": "xyab"}.items()}
    >>> measure_agreement(qrels, runs, ["AP", "RR"]).values.round(3).tolist()
    [[1.0, 0.816], [0.816, 1.0]]

    measures   None: those of the protocol, else AP, nDCG@10, P@10 and RR
    by         "kendall" (tau-b), "pearson" (r), "tau-ap" (the mean of both directions)
    protocol   an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError."""
    asked = protocol_of(protocol, "measure_agreement", fields, EVALUATION, ("runs", "queries"))
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    result = evaluated(MEASURES, qrels, runs, measures, protocol=asked)
    return agreement(result, by).under(result.protocol)


@checked
def set_means(
    qrels: AnyQrels,
    runs: AnyRuns,
    sets: Mapping[str, Iterable[str]],
    measure: str | Measure | None = None,
    *,
    protocol: AnyProtocol | None = None,
    weights: Mapping[str, float] | None = None,
    **fields: Unpack[EvaluationFields],
) -> SetMeans:
    """Return the means of query sets (name -> queries), with their macro average (every set has the same weight) and
    their micro average (every query in a set has the same weight, once).

    >>> qrels = {q: {"a": 1} for q in "123"}
    >>> run = {"1": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}, "3": {"b": 2.0, "a": 1.0}}
    >>> found = set_means(qrels, {"run": run}, {"easy": ["1"], "hard": ["2", "3"]}, "RR")
    >>> found.means.tolist(), found.macro.tolist(), found.micro.round(3).tolist()
    ([[1.0], [0.5]], [0.75], [0.667])

    measure   None: the primary one of the protocol, else nDCG@10
    protocol  an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    weights   query -> weight, for means over queries; a query without a weight counts 0

    The others as for evaluate(). Raises ParseError, MeasureError, OptionError, and
    UndecidedError where the qrels know nothing of a run."""
    asked = protocol_of(protocol, "set_means", fields, EVALUATION, ("weights", "runs", "queries"))
    asked, chosen = with_measure(asked, measure)
    result = _evaluated(qrels, runs, chosen, asked)
    asked = named_as_in(asked, result)
    bound = bind(
        asked, result.runs, result.query_ids, sets=query_sets(asked), graded=_graded(result), uses=("rules", "scope"),
        files=_files(result), answers=result.answers,
        measured=result.measures,
    )  # fmt: skip
    if weights is None and (own := query_weights(asked)) is not None:
        weights = own.values
    return means_of_sets(result, result.measures[0], sets, queries=bound.selected, weights=weights).under(bound)


def _evaluated(qrels: AnyQrels, runs: AnyRuns, measure: str | Measure | None, asked: EvaluationProtocol) -> ResultTable:
    """Return the result of the rules and runs of a protocol; None: by the usual measure."""
    return evaluated(
        (OF_DOCUMENTS,),
        qrels,
        runs,
        None if measure is None else [measure],
        protocol=replace(asked, scope=Scope(runs=asked.scope.runs, baseline=asked.scope.baseline)),
    )


def _graded(result: ResultTable) -> bool | None:
    return None if result.protocol is None else result.protocol.facts.graded


def _files(result: ResultTable) -> tuple[DataFile, ...]:
    return () if result.protocol is None else result.protocol.files

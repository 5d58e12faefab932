"""The public function that compares runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from irviewer.analysis.statistics.bayes import BayesMethod
from irviewer.analysis.statistics.result_comparison import (
    ComparisonTable,
)
from irviewer.analysis.statistics.significance.test_results import TESTS, Step
from irviewer.api.attributes import Attributes, given_attributes
from irviewer.api.evaluation import evaluated
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    named_as_in,
    protocol_of,
    query_sets,
    query_weights,
    unmatched_places,
    with_measures,
    with_queries,
)
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, listed_measures
from irviewer.api.texts import AnyTexts
from irviewer.errors import OptionError, name_some
from irviewer.evaluation.bind import bind, deciding_of
from irviewer.evaluation.usual_measures import OF_DOCUMENTS
from irviewer.model.arguments import checked
from irviewer.model.protocol import ComparisonFields, EvaluationProtocol, Scope
from irviewer.model.protocol_line import BY_LOOK
from irviewer.translation import tr
from irviewer.views.comparison import compare_under


@checked
def compare(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    baseline: str | int | None = None,
    pairs: bool | None = None,
    also_tests: str | Sequence[str] = (),
    posterior: BayesMethod = "t",
    tie: float = 0.0,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    chosen_after_looking: bool = False,
    query_attributes: Attributes | None = None,
    documents: AnyTexts | None = None,
    progress: Step | None = None,
    columns: Mapping[str, str] | None = None,
    **fields: Unpack[ComparisonFields],
) -> ComparisonTable:
    """Compare runs query by query, each with a baseline or all pairs.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> result = compare(qrels, {"good": good, "bad": bad}, "RR", baseline="bad")
    >>> result["RR"].find("good").wins
    20
    >>> print(result["RR"].find("good").conclusion)
    good is better on 20 queries, equal on 20, worse on 0; the mean difference .2500 [.1750, .3250]: the test shows a \
difference (paired t-test: p < .001)

    runs          several runs as evaluate() takes them: files, a pattern, data frames, ``{name: run}`` …
    measures      None: those of the protocol, else nDCG@10
    protocol      an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    baseline      name or index of a run; None: the run called baseline or BM25, else the first
    pairs         compare all pairs instead
    test          the one that decides: conclusions, marks and letters use it: "t", "wilcoxon", "wilcoxon-pratt",
                  "sign", "randomisation", "tukey", "tukey-randomised"
    also_tests    further ones, or "all"; "t" is always included
    correction    for multiple comparisons: "holm", "bonferroni", "bh", "none"
    interval, confidence    of means and differences: "bca", "percentile", "t"
    alpha         significance level of the corrected p-values
    samples, seed random samples; the same seed gives the same values
    smallest      the smallest difference that matters: also half the region of practical equivalence
    posterior     the method of the posterior: "t", "bootstrap"
    tie           differences up to that size count as ties among wins and losses
    queries       only these; set ``chosen_after_looking`` if the results led to the choice
    weights       query -> weight: also compute weighted means and intervals
    documents     the documents with their fields, for measures that read these, as for evaluate()
    progress      called with the share done, 0..1

    ``measures``, ``level``, ``judged_only``, ``depth``, ``missing``, ``dialect`` and ``columns`` as for evaluate().
    Returns a ComparisonTable: ``table[measure]`` is a Comparison, its ``find(run, other)`` a RunComparison with
    ``conclusion``, ``tests`` (each with a ``sentence``), ``interval``, ``effects``, ``posterior``, ``detectable()``;
    ``warnings`` and ``looked_at`` list warnings and the tests that were run. Raises ParseError, MeasureError,
    OptionError."""
    names = (also_tests,) if isinstance(also_tests, str) else tuple(also_tests)
    names = tuple(TESTS) if names == ("all",) else names
    asked = protocol_of(
        protocol, "compare", fields, EVALUATION | INFERENCE | UNIT, ("queries", "weights", "runs", "baseline")
    )
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    if pairs is not None:
        asked = asked.but(family="pairs" if pairs else "baseline")
    asked = with_queries(asked, queries, chosen_after_looking)
    if isinstance(baseline, str):
        asked = asked.but(baseline=baseline)
    result = evaluated(
        (OF_DOCUMENTS,), qrels, runs, (asked.measures or None) if measures is None else measures,
        protocol=EvaluationProtocol(
            rules=asked.rules, scope=Scope(runs=asked.scope.runs, baseline=asked.scope.baseline)
        ),
        columns=columns, documents=documents, compared=True,
    )  # fmt: skip
    asked = named_as_in(asked, result)
    if isinstance(baseline, int):
        if not -len(result.runs) <= baseline < len(result.runs):
            text = tr("no run number {number} for the baseline; number of runs: {runs}",
                      number=baseline, runs=len(result.runs))  # fmt: skip
            raise OptionError(text)
        asked = asked.but(baseline=result.runs[baseline])
    unknown = [] if queries is None else sorted(set(queries).difference(result.query_ids))
    if unknown:  # of a list that was given here, while a set of a file may have further queries
        text = tr("the query set contains queries that were not evaluated: {queries}", queries=name_some(unknown))
        raise OptionError(text)
    graded = None if result.protocol is None else result.protocol.facts.graded
    bound = bind(
        asked,
        result.runs,
        result.query_ids,
        sets=query_sets(asked),
        graded=graded,
        undecided=unmatched_places(result),
        primary=deciding_of(result.measures),
        answers=result.answers,
        files=() if result.protocol is None else result.protocol.files, uses=BY_LOOK,
        attributes=given_attributes(query_attributes),
    )  # fmt: skip
    if weights is None and (own := query_weights(asked)) is not None:
        weights = own.values
    return compare_under(bound, result, weights=weights, also=names, bayes=posterior, tie=tie, progress=progress)

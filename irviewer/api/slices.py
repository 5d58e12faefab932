"""The public function that compares runs by slices of the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.slices.difficulty import difficulty
from irviewer.analysis.slices.slices import Progress, SliceComparison
from irviewer.analysis.slices.slices import compare_slices as compare_values
from irviewer.analysis.statistics.result_comparison import comparable_runs, comparison_options
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.api.attributes import Attributes, facets_of, gather_attributes, given_attributes
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    with_measure,
    with_queries,
)
from irviewer.api.sources import AnyQrels, AnyRuns, Sources
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.usual_measures import usual_measure
from irviewer.measures.base import Measure
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import Cut, slices_of
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ComparisonFields
from irviewer.model.protocol_line import BY_UNIT
from irviewer.translation import tr
from irviewer.views.selection import selection_notes


@checked
def compare_slices(
    qrels: AnyQrels,
    runs: AnyRuns,
    measure: str | Measure | None = None,
    by: str | Sequence[str] = (),
    *,
    query_attributes: Attributes | None = None,
    cuts: Mapping[str, int | Sequence[float]] | None = None,
    other_runs: AnyRuns = (),
    documents: AnyTexts | None = None,
    protocol: AnyProtocol | None = None,
    baseline: str | int | None = None,
    queries: Sequence[str] | None = None,
    progress: Progress | None = None,
    **fields: Unpack[ComparisonFields],
) -> SliceComparison:
    """Compare runs with a baseline by slices of the queries.

    >>> qrels = {str(q): {"a": 1} for q in range(40)}
    >>> good = {str(q): {"a": 2.0, "b": 1.0} for q in range(40)}
    >>> bad = {str(q): {"b": 2.0 if q % 2 else 1.0, "a": 1.5} for q in range(40)}
    >>> odd = {str(q): {"parity": "odd" if q % 2 else "even"} for q in range(40)}
    >>> found = compare_slices(qrels, {"good": good, "bad": bad}, "RR", "parity", query_attributes=odd, baseline="bad")
    >>> [(row.name, row.n, row.pair.difference) for row in found.find("good").rows]
    [('even', 20, 0.0), ('odd', 20, 0.5)]
    >>> found.find("good").attributes[0].interaction.p < 0.001
    True

    by                names of attributes: columns of ``query_attributes``; "length" (in words) and "question-word"
                      if that table has texts; "relevant" (documents in the qrels); "id-prefix" (12 of 12_3);
                      "difficulty" with other runs. Default: all attributes but "id-prefix" and those with too many
                      categories
    query_attributes  a file (CSV, TSV, JSON lines, topics), a TextTable, ``{query: {attribute: value}}``, or attributes
    cuts              attribute -> number of slices of its numbers (4), or the borders between them
    other_runs        runs that are not compared; their mean is the difficulty of a query
    documents         the documents with their fields, as for evaluate(); "relevant:FIELD" is then an attribute: the
                      most frequent value of the query's relevant documents, of numbers their median, of dates its year
    protocol          an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    test              the test of each slice: "t", "wilcoxon", "wilcoxon-pratt", "sign", "randomisation"; with "tukey"
                      that of all queries, and slices have the paired t-test
    queries           only these

    The others as for compare(). Over all queries p is that of compare(), corrected over the runs; the slices are an
    exploratory family of their own, over all slices and runs. Returns a SliceComparison: ``find(run)`` has ``rows``
    (each a SliceRow with n, pair, p, corrected), ``attributes`` with the test of interaction, and a ``sentence``.
    Raises ParseError, MeasureError, OptionError."""
    also = ("queries", "runs", "baseline")
    asked = protocol_of(protocol, "compare_slices", fields, EVALUATION | INFERENCE | UNIT, also)
    asked = with_queries(asked, queries)
    asked, named = with_measure(asked, measure)
    choices = evaluation_options(asked.rules, lengths_of(documents))
    sources = Sources(stored=True)
    judgments, all_runs = sources.both(qrels, runs, evaluated=True)
    if isinstance(baseline, str):
        asked = asked.but(baseline=baseline)
    asked, taken = taking_part(all_runs, asked)
    compared_by = usual_measure(named, judgments)
    result = evaluate(judgments, taken, [compared_by], choices)
    if result.unmatched:
        raise UndecidedError("; ".join(result.warnings))
    if isinstance(baseline, int):
        if not -len(result.runs) <= baseline < len(result.runs):
            text = tr("There is no run number {run}; there are {n}.", run=baseline, n=len(result.runs))
            raise OptionError(text)
        asked = asked.but(baseline=result.runs[baseline])
    others = sources.runs(other_runs)
    bound = bound_to(
        asked, judgments, [*all_runs, *others], ("attributes", query_attributes),
        ("documents", documents), result=result, primary=str(compared_by), uses=BY_UNIT,
        attributes=given_attributes(query_attributes),
    )  # fmt: skip
    result, of_bound = result.compared(bound), bound.runs_compared
    comparable_runs(result, result.measures[0], **of_bound)  # raises where nothing can be compared
    values = RunValues.of(result, result.measures[0], bound.selected)
    attributes = gather_attributes(query_attributes, judgments, values.query_ids, choices.level)
    if others:
        compared = {run for run in values.names if run in [other.name for other in others]}
        if compared:
            raise OptionError(
                tr("{run} is compared; give other runs for the difficulty.", run=", ".join(sorted(compared)))
            )
        reference = evaluate(judgments, others, [compared_by], choices)
        attributes = (*attributes, difficulty(RunValues.of(reference, reference.measures[0], bound.selected)))
    names = [by] if isinstance(by, str) else list(by)
    chosen = choose_attributes(
        attributes, names, values.query_ids, facets_of(choices.lengths, judgments, choices.level)
    )  # fmt: skip
    slicings = [slices_of(attribute, values.query_ids, _cut((cuts or {}).get(attribute.name))) for attribute in chosen]
    comparison = compare_values(
        values, slicings, comparison_options(bound.protocol.inference, units=bound.units, looked=bound.looked),
        baseline=None if of_bound["baseline"] is None else values.names.index(of_bound["baseline"]),
        pairs=of_bound["pairs"], notes=(*selection_notes(bound), *result.warnings), progress=progress,
    )  # fmt: skip
    return comparison.under(bound)


def _cut(cut: int | Sequence[float] | None) -> Cut:
    if cut is None:
        return Cut()
    return Cut(parts=cut) if isinstance(cut, int) else Cut(borders=tuple(float(border) for border in cut))

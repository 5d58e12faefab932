"""The public function that compares runs by slices of the queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.slices.difficulty import difficulty
from irviewer.analysis.slices.slices import Progress, SliceComparison
from irviewer.analysis.slices.slices import compare_slices as compare_values
from irviewer.analysis.statistics.result_comparison import comparison_options
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    bound_to,
    protocol_of,
    taking_part,
    with_measure,
)
from irviewer.api.sources import AnyQrels, AnyRuns, Source, Sources
from irviewer.api.texts import AnyTexts, lengths_of
from irviewer.errors import OptionError, UndecidedError
from irviewer.evaluation.evaluate import evaluate
from irviewer.formats.attribute_tables import read_query_table
from irviewer.measures.base import Measure
from irviewer.model.attributes.facets import Facets
from irviewer.model.attributes.queries import (
    Cut,
    QueryAttribute,
    attribute_of,
    attributes_of_table,
    known_attributes,
    slices_of,
)
from irviewer.model.attributes.tables import AttributeTable, given_query_attributes
from irviewer.model.document_lengths import Lengths
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ComparisonFields, QuerySelection, test_fields
from irviewer.model.protocol_line import BY_UNIT
from irviewer.model.qrels import Qrels
from irviewer.model.query_units import id_prefix
from irviewer.model.texts import TextTable
from irviewer.translation import tr
from irviewer.views.selection import selection_notes

Attributes = Source | TextTable | Mapping[str, Mapping[str, Any]] | Sequence[QueryAttribute]
"""A file of a table, a table, ``{query: {attribute: value}}``, or attributes."""


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
    if "test" in fields:
        fields = {**fields, **test_fields(fields["test"])}  # type: ignore[typeddict-unknown-key]
    also = ("queries", "runs", "baseline")
    asked = protocol_of(protocol, "compare_slices", fields, EVALUATION | INFERENCE | UNIT, also)
    if queries is not None:
        asked = asked.but(queries=QuerySelection(ids=tuple(queries)))
    asked, compared_by = with_measure(asked, measure)
    choices = evaluation_options(asked.rules, lengths_of(documents))
    sources = Sources()
    judgments, all_runs = sources.both(qrels, runs, evaluated=True)
    if isinstance(baseline, str):
        asked = asked.but(baseline=baseline)
    asked, taken = taking_part(all_runs, asked)
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
        ("documents", documents), result=result, uses=BY_UNIT,
        attributes=given_attributes(query_attributes),
    )  # fmt: skip
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
        values, slicings, comparison_options(bound.protocol.inference, units=bound.units), baseline=bound.baseline,
        pairs=bound.baseline is None, notes=(*selection_notes(bound), *result.warnings), progress=progress,
    )  # fmt: skip
    return comparison.under(bound)


def facets_of(lengths: Lengths | None, qrels: Qrels, level: float = 1) -> Facets | None:
    """Return the fields of documents as attributes of queries; None without documents."""
    fields = None if lengths is None else lengths.fields
    return None if fields is None else Facets(fields, qrels, level)


def gather_attributes(
    source: Attributes | None, qrels: Qrels, query_ids: Sequence[str], level: float = 1
) -> tuple[QueryAttribute, ...]:
    """Return the attributes of a source, then those that need no table and are not in the source.

    Raises ParseError."""
    texts, given = _read(source)
    taken = {attribute.name for attribute in given}
    prefix = id_prefix(query_ids)
    known = (*known_attributes(texts, qrels, query_ids, level), *(() if prefix is None else (prefix,)))
    return (*given, *(attribute for attribute in known if attribute.name not in taken))


def given_attributes(
    source: Attributes | None, tables: Sequence[AttributeTable] = ()
) -> Callable[[], tuple[QueryAttribute, ...]]:
    """Return a function that returns the attributes of a source and of tables, one of which a protocol may name as the
    unit of dependence. It raises ParseError."""
    return lambda: (*_read(source)[1], *given_query_attributes(None, tables))


def _read(source: Attributes | None) -> tuple[TextTable | None, tuple[QueryAttribute, ...]]:
    """Return the table of a source, if it is one, and its attributes. Raises ParseError."""
    if isinstance(source, str | PathLike):
        source = read_query_table(str(source))
    if isinstance(source, TextTable):
        return source, attributes_of_table(source)
    if isinstance(source, Mapping):
        return None, tuple(_of_mapping(source))
    return None, () if source is None else tuple(source)


def _of_mapping(source: Mapping[str, Mapping[str, Any]]) -> Iterable[QueryAttribute]:
    for name in dict.fromkeys(name for values in source.values() for name in values):
        attribute = attribute_of(name, {query: values.get(name) for query, values in source.items()})
        if attribute is not None:
            yield attribute


def _cut(cut: int | Sequence[float] | None) -> Cut:
    if cut is None:
        return Cut()
    return Cut(parts=cut) if isinstance(cut, int) else Cut(borders=tuple(float(border) for border in cut))

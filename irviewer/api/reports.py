"""The public Python call for a report: one HTML file for others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from irviewer.analysis.slices.chosen import choose_attributes
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import (
    ComparisonTable,
    comparison_options,
    untestable,
)
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.analysis.statistics.run_values import RunValues
from irviewer.analysis.verdict.headline import Headline
from irviewer.api.attributes import Attributes, facets_of, gather_attributes, given_attributes
from irviewer.api.judges import AnyJudges, agreement_by, judgment_sets
from irviewer.api.protocols import (
    EVALUATION,
    INFERENCE,
    UNIT,
    AnyProtocol,
    bound_to,
    protocol_of,
    query_sets,
    query_weights,
    taking_part,
    unmatched_places,
    with_measures,
    with_queries,
)
from irviewer.api.show import shown_view, tables_of_attributes
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, listed_measures, measures_of
from irviewer.api.texts import AnyTexts, texts_of
from irviewer.api.tuning import RunAttributes, attributes_from
from irviewer.errors import OptionError, UndecidedError, name_some
from irviewer.evaluation.answer_cautions import why_no_curves
from irviewer.evaluation.bind import BoundProtocol, bind
from irviewer.evaluation.caveats import zeros_text
from irviewer.evaluation.document_lengths import needs_lengths
from irviewer.evaluation.evaluate import bound_measures, evaluate
from irviewer.evaluation.results import ResultTable, format_value
from irviewer.evaluation.usual_measures import usual_measures
from irviewer.figures.curve_sets import curve_set
from irviewer.figures.figure import Figure
from irviewer.formats.data_files import data_files, in_order
from irviewer.formats.registration import kept_sentences, read_registration
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arguments import checked
from irviewer.model.attributes.queries import slices_of
from irviewer.model.attributes.tables import AttributeTable
from irviewer.model.dialects import Dialect
from irviewer.model.document_lengths import Lengths
from irviewer.model.judgments.panel import panel_of
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.model.number_text import queries_text, signed_quantity
from irviewer.model.options import evaluation_options
from irviewer.model.protocol import ALL, ComparisonFields, EvaluationProtocol
from irviewer.model.protocol_line import BY_LOOK
from irviewer.model.qrels import Qrels
from irviewer.model.query_sets import QuerySet, QueryWeights
from irviewer.model.run import Run
from irviewer.model.run_names import free_name, further_names, run_place
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Regime
from irviewer.rendering.atomic import write_atomically
from irviewer.rendering.html_report import (
    CaseGroup,
    ListedDocument,
    ReportCase,
    ReportPage,
    ReportSection,
    html_report,
    legend_of,
)
from irviewer.translation import tr, trn
from irviewer.version import VERSION
from irviewer.views import manager, slices, verdict
from irviewer.views import report as sections_of
from irviewer.views.comparison import compare_under
from irviewer.views.inputs import inputs_of
from irviewer.views.manifest import view_named
from irviewer.views.provenance import named_files
from irviewer.views.selection import selection_notes

MEASURES = ("nDCG@10", "AP", "P@10", "R@100")
"""Those of a report where neither the call nor the protocol names any."""
Reader = Literal["expert", "manager"]
READERS: tuple[Reader, ...] = ("expert", "manager")
"""Whom a report is for: all that was found, or a page with what to do."""
Section = str | tuple[str, Mapping[str, Any]]
"""A view by its name, or with its parameters."""
DEPTH = 10
CASES = 4
"""Ranks of each list that are shown, and how many gains and losses of a run."""
SNIPPET = 110


@dataclass(frozen=True)
class Report:
    """A report: ``html`` is the whole file."""

    html: str = field(repr=False)
    title: str = ""

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, so that neither changes the other."""
        return (
            f'<iframe sandbox srcdoc="{escape(self.html)}" title="{escape(self.title)}" '
            'style="width: 100%; height: 40em; border: 1px solid"></iframe>'
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file. Raises IrviewerError."""
        data = self.html.encode("utf-8", "replace")
        write_atomically(Path(path), lambda file: file.write(data))


@checked
def report(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures | None = None,
    *,
    protocol: AnyProtocol | None = None,
    baseline: str | int | None = None,
    queries: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    chosen_after_looking: bool = False,
    shown: Sequence[str] = (),
    title: str = "",
    texts: AnyTexts | None = None,
    documents: AnyTexts | None = None,
    by: str | Sequence[str] = (),
    query_attributes: Attributes | None = None,
    judges: AnyJudges = (),
    sections: Sequence[Section] = (),
    run_attributes: RunAttributes | None = None,
    files: Sequence[Source] = (),
    command: str = "",
    registered: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    reader: Reader = "expert",
    **fields: Unpack[ComparisonFields],
) -> Report:
    """Return a report on runs and a baseline as one HTML file.

    measures   the first decides the conclusion, the slices and the queries shown; None: those of the protocol, else
               nDCG@10, AP, P@10 and R@100
    protocol   an EvaluationProtocol or the file of one, instead of the defaults; keywords change single fields
    baseline   a run's name or place; None: the run called baseline or BM25, else the first
    queries, weights   as for compare(): the ids of the queries that count, and query -> weight
    shown      names of the runs to show besides the baseline; the others take part in the tests all the same; (): all
    texts, documents   the texts of queries and documents: files, dictionaries, data frames or TextTables
    by, query_attributes   slices of the queries, as compare_slices() takes them
    judges     other judges' qrels, for their agreement
    sections, run_attributes   views to add, by their names or with their parameters as ("trade-offs", {"cost": "ms"}),
               and attributes of the runs as :func:`irviewer.show` takes them
    files      files to name with their digests, beside those given as qrels and runs
    command    the command that makes the report again, for the last section
    registered a registered protocol: the report says whether it was kept, and what differs
    reader     "manager": one page with a recommendation, as far as the declared test and ``smallest`` support it, what
               the measure means, the changes with one interval, and the slices asked for

    The others as for compare(). Returns a Report: ``save(path)`` writes it. Raises ParseError, MeasureError,
    OptionError, UndecidedError where the qrels know nothing of a run."""
    if isinstance(queries, str | PathLike | TextTable):
        raise OptionError(tr("queries takes the ids of the queries that count; give their texts as texts"))
    if reader not in READERS:
        raise OptionError(tr("unknown reader {reader!r}; choose one of {names}", reader=reader,
                             names=", ".join(READERS)))  # fmt: skip
    unused = [
        name
        for name, value in (("texts", texts), ("judges", judges), ("weights", weights))
        if reader == "manager" and value
    ]
    if unused:
        raise OptionError(tr("a report for a manager shows none of {names}; leave them out", names=", ".join(unused)))
    asked = protocol_of(
        protocol, "report", fields, EVALUATION | INFERENCE | UNIT, ("queries", "weights", "runs", "baseline")
    )
    measures = listed_measures(measures)
    asked = with_measures(asked, measures)
    asked = with_queries(asked, queries, chosen_after_looking)
    sources = Sources(columns, stored=True)
    judgments, given = sources.both(qrels, runs)
    if isinstance(baseline, str):
        asked = asked.but(baseline=baseline)
    asked, all_runs = taking_part(given, asked)
    sources.check()
    if isinstance(baseline, int):
        asked = asked.but(baseline=_name(baseline, [run.name for run in all_runs]))
    if weights is None and (own := query_weights(asked)) is not None:
        weights = own.values
    return report_of(
        judgments, all_runs,
        (asked.measures or usual_measures(MEASURES, judgments)) if measures is None else measures_of(measures), asked,
        sets=query_sets(asked), weights=weights, shown=shown, title=title, texts=texts, documents=documents, by=by,
        query_attributes=query_attributes, judges=judges,
        files=[*files, *([run_attributes] if isinstance(run_attributes, str | PathLike) else [])],
        command=command, sections=sections, read=given, registered=registered, reader=reader,
        attributes=()
        if not sections
        else tables_of_attributes(
            None if run_attributes is None else attributes_from(run_attributes, all_runs),
            None
            if query_attributes is None
            else gather_attributes(query_attributes, judgments, judgments.query_ids, asked.rules.level),
        ),
    )  # fmt: skip


def report_of(
    judgments: Qrels,
    all_runs: Sequence[Run],
    measures: Sequence[str | Measure],
    asked: EvaluationProtocol,
    *,
    sets: Sequence[QuerySet] | Mapping[str, QuerySet] = (),
    weights: Mapping[str, float] | None = None,
    lengths: Lengths | None = None,
    shown: Sequence[str] = (),
    title: str = "",
    texts: AnyTexts | None = None,
    documents: AnyTexts | None = None,
    by: str | Sequence[str] = (),
    query_attributes: Attributes | None = None,
    judges: AnyJudges = (),
    sections: Sequence[Section] = (),
    attributes: Sequence[AttributeTable] = (),
    files: Sequence[Source] = (),
    command: str = "",
    read: Sequence[Run] = (),
    registered: str | PathLike[str] | None = None,
    reader: Reader = "expert",
) -> Report:
    """Return the report on the runs that take part in a protocol; ``sets`` are the query sets that it can name,
    ``attributes`` those of queries and runs that its views know, ``read`` all runs that were read."""
    if not all_runs:
        raise OptionError(tr("A report needs a run."))
    if by and asked.inference.looks is not None:
        raise OptionError(tr(
            "the protocol declares looks, which are bounds for the test of one pair, and slices are more tests, which "
            "have none; leave out by, or looks"
        ))  # fmt: skip
    if lengths is None and any(
        needs_lengths(each.measure) for each in bound_measures(measures, judgments, evaluation_options(asked.rules))
    ):
        documents = texts_of(documents, "documents")
        lengths = None if documents is None else documents.lengths
    result = evaluated = evaluate(judgments, all_runs, measures, evaluation_options(asked.rules, lengths))
    tested = [measure for measure in result.measures if not untestable(measure)]
    if not tested:
        raise OptionError(tr("A report needs a measure that is a mean over queries."))
    first = tested[0]
    bound = bound_to(
        asked, judgments, all_runs, ("run", [run.origin for run in read]), ("queries", _file(texts)),
        ("documents", _file(documents)),
        ("attributes", query_attributes), ("attributes", [table.origin for table in attributes]),
        ("qrels", [_file(judge) for judge in (judges.values() if isinstance(judges, Mapping) else judges)]),
        result=result, sets=sets, undecided=unmatched_places(result),
        primary=first.asked or first.text, answers=result.answers,
        uses=BY_LOOK, attributes=given_attributes(query_attributes, attributes),
    )  # fmt: skip
    base = _baseline(bound)
    shown = [result.runs[run_place(name, result.runs, (), further_names(all_runs))] for name in shown]
    seen = [name for name in result.runs if not shown or name in shown or name == base]
    lost = [each for each in result.unmatched if each.run in seen]
    if lost:
        raise UndecidedError("; ".join(unmatched_warnings(lost)))
    notes = _selection_notes(bound)
    said_weights = None if weights is None else QueryWeights(weights)
    if weights is not None and not any(weights.get(query, 0.0) > 0 for query in bound.query_ids):
        weights = None
        notes.append(tr("None of these queries has a weight: the comparison is not weighted."))
    compared = None
    if len(all_runs) > 1:
        compared = compare_under(bound, result, tested, weights=weights, notes=notes)
    over = result if bound.selected is None else result.over(bound.selected)
    ranked = over.of_runs(_best_first(over, first))
    result = ranked.of_runs([place for place, name in enumerate(ranked.runs) if name in seen])
    by_name = {run.name: run for run in all_runs}
    runs = [by_name[name] for name in result.runs]
    scored = judgments if bound.selected is None else _only(judgments, bound.selected)
    query_texts, document_texts = texts_of(texts, "queries"), texts_of(documents, "documents")
    named = in_order([*bound.files, *data_files(named_files(bound.protocol))])
    warnings = (*result.warnings, *(compared.warnings if compared else notes), *_stored_notes(runs),
                *filter(None, [why_no_curves(scored)]))  # fmt: skip
    if registered is not None:
        warnings = (*warnings, *kept_sentences(read_registration(registered), asked, bound.files))
    other_judges = [each.qrels for each in judgment_sets(judges)] if sections and judges else []
    by_slice = _compared_slices(judgments, evaluated, first, by, query_attributes, bound,
                                None if document_texts is None else document_texts.lengths)  # fmt: skip
    own_sections = [
        _view_section(
            section, judgments, all_runs, asked if asked.measures else asked.but(measures=tuple(map(str, measures))),
            sets, attributes, query_texts, document_texts, other_judges, said_weights,
        )
        for section in sections
    ]  # fmt: skip
    values = _decided_values(evaluated, first, bound)
    answer = None if len(values.names) < 2 else verdict.answer_under(
        values, bound, first, [by_name[name] for name in values.names],
        others=[by_name[name] for place in bound.under_others if (name := bound.names[place]) not in values.names],
    )  # fmt: skip
    contents = _Contents(
        title, command, judgments, scored, by_name, bound, first, ranked, result, compared, values, answer, by_slice,
        tuple(own_sections), tuple(dict.fromkeys(warnings)),
    )  # fmt: skip
    page = _manager_page(contents) if reader == "manager" else _expert_page(
        contents, base, query_texts, document_texts, _judges(judgments, judges, bound.protocol, sets),
        [*(file.path for file in named), *files],
    )  # fmt: skip
    return Report(html_report(page), page.title)


@dataclass(frozen=True, eq=False)
class _Contents:
    """What the pages of both readers are made of.

    title     the title that was asked for; "" for that of the page
    scored    the judgments of the queries that count
    by_name   all runs
    ranked    the values of all runs, the best first; ``shown`` those that the page shows
    answer    the verdict; None for a single run
    sections  the views that were asked for
    """

    title: str
    command: str
    judgments: Qrels
    scored: Qrels
    by_name: Mapping[str, Run]
    bound: BoundProtocol
    first: Measure
    ranked: ResultTable
    shown: ResultTable
    compared: ComparisonTable | None
    values: RunValues
    answer: Headline | None
    by_slice: slices.Slices | None
    sections: tuple[ReportSection, ...]
    warnings: tuple[str, ...]

    @property
    def runs(self) -> list[Run]:
        """The runs that the page shows."""
        return [self.by_name[name] for name in self.shown.runs]

    @property
    def regime(self) -> Regime:
        """How the judgments were made."""
        return Regime(self.bound.protocol.rules.unjudged)


def _manager_page(contents: _Contents) -> ReportPage:
    """Return a page with what to do. Raises OptionError for a single run."""
    answer, compared, bound, shown = contents.answer, contents.compared, contents.bound, contents.shown
    if compared is None or answer is None:
        raise OptionError(tr("A report for a manager compares runs; give another run."))
    return ReportPage(
        contents.title or tr("{run} or {other}?", run=answer.pair.run_name, other=answer.pair.other_name),
        manager.conclusion(answer), "", _facts(contents.scored, contents.runs, shown, contents.regime),
        contents.warnings,
        _known(
            manager.systems(answer, contents.first, compared, bound, shown.runs),
            None if contents.by_slice is None else manager.by_slices(contents.by_slice, answer, bound),
        ),
        (), (), contents.sections, _short_methods(bound, contents.command), sections_of.files(()), (),
    )  # fmt: skip


def _expert_page(
    contents: _Contents, base: str, queries: TextTable | None, documents: TextTable | None,
    judges: ReportSection | None, files: Sequence[Any],
) -> ReportPage:  # fmt: skip
    """Return a page with all that was found; ``base`` is the run that the others are set against."""
    answer, compared, bound, first = contents.answer, contents.compared, contents.bound, contents.first
    judgments, result, rules = contents.judgments, contents.shown, contents.bound.protocol.rules
    tests, further = sections_of.tests(compared, bound, result.runs, _sentences(compared, base, result.runs))
    count = len(contents.runs)
    return ReportPage(
        contents.title or tr("{measure} of {runs}", measure=usual_name(first),
                             runs=trn("{n} run", "{n} runs", count)),
        _value_alone(contents.ranked, first) if answer is None else _conclusion(answer, first),
        bound.line(),
        _facts(contents.scored, contents.runs, result, contents.regime),
        contents.warnings,
        _known(sections_of.systems(result, bound, compared, base, len(contents.by_name) - count), tests),
        _figures(contents.scored, contents.runs, rules.level, rules.dialect),
        () if answer is None else _cases(
            answer.pair, contents.values, first, judgments, contents.by_name, rules.level, queries, documents,
            contents.regime,
        ),
        _known(
            further,
            None if contents.by_slice is None else sections_of.by_slices(contents.by_slice, bound, result.runs),
            judges,
            *contents.sections,
            *sections_of.details(result, bound, first),
        ),
        _methods(result, compared, judgments, bound, contents.command),
        sections_of.files(files),
        result.runs,
        judgments.max_grade,
        rules.level,
    )  # fmt: skip


def _view_section(
    section: Section,
    qrels: Qrels,
    runs: Sequence[Run],
    protocol: EvaluationProtocol,
    sets: Sequence[QuerySet] | Mapping[str, QuerySet],
    attributes: Sequence[AttributeTable],
    queries: TextTable | None,
    documents: TextTable | None,
    judges: Sequence[Qrels] = (),
    weights: QueryWeights | None = None,
) -> ReportSection:
    """Return the tables of a view under the protocol of the report, with other ``judges`` for views of these."""
    name, given = (section, {}) if isinstance(section, str) else section
    view = view_named(name)
    known = list(sets.values() if isinstance(sets, Mapping) else sets)
    inputs = inputs_of(
        protocol, qrels, runs, uses=view.uses, pins=view.pins, sets=known, weights=weights,
        attributes=attributes, queries=queries, documents=documents, judges=judges,
    )  # fmt: skip
    return sections_of.section_of(view.title, shown_view(view, inputs, view.chosen(given)).shown)


def _file(source: Any) -> Any:
    """Return the file that a value was read from; a path as it is."""
    return getattr(getattr(source, "qrels", source), "origin", source)


def _known(*sections: ReportSection | None) -> tuple[ReportSection, ...]:
    return tuple(section for section in sections if section is not None)


def _name(baseline: int, names: Sequence[str]) -> str:
    """Return the name of the run at a place. Raises OptionError."""
    if not 0 <= baseline < len(names):
        raise OptionError(tr("There is no run number {run}; there are {n}.", run=baseline, n=len(names)))
    return names[baseline]


def _baseline(bound: BoundProtocol) -> str:
    """Return the run that the report sets the others against: the baseline, where all pairs are compared the run that
    would be it."""
    if bound.baseline is not None:
        return bound.names[bound.baseline]
    against = bind(bound.protocol.but(queries=ALL, family="baseline"), bound.names)
    return bound.names[against.baseline or 0]


def _selection_notes(bound: BoundProtocol) -> list[str]:
    """Return notes about the queries that are selected; empty for all queries."""
    notes = selection_notes(bound)
    if bound.left_out:
        selection = bound.protocol.scope.queries
        source = selection.file or selection.name or tr("the protocol")
        notes.append(
            tr("{file} contains {queries} without results: left out", file=source, queries=name_some(bound.left_out))
        )
    return notes


def _stored_notes(runs: Sequence[Run]) -> list[str]:
    """Return a note about the runs of which only values are known."""
    names = [run.name for run in runs if run.stored is not None]
    if not names:
        return []
    return [tr("Only values of {runs} are known: their curves and lists are left out.", runs=name_some(names))]


def _decidable(result: ResultTable) -> list[int]:
    """Return the places of the runs with judged documents."""
    unmatched = {each.run for each in result.unmatched}
    return [place for place, name in enumerate(result.runs) if name not in unmatched]


def _only(qrels: Qrels, query_ids: Sequence[str]) -> Qrels:
    """Return the judgments of some queries."""
    return Qrels.from_dict({query: qrels.judgments(query) for query in query_ids}, name=qrels.name)


def _pairs(comparison: Comparison, base: str, runs: Sequence[str]) -> tuple[RunComparison, ...]:
    """Return the comparisons of runs with the run ``base``, in the order in which they were given."""
    return tuple(comparison.find(name, base) for name in comparison.names if name != base and name in runs)


def _conclusion(answer: Headline, measure: Measure) -> str:
    """Return the answer of the verdict, with the values that it is about."""
    pair = answer.pair
    said = {remark.code: remark.text for remark in verdict.remarks(answer)}
    values = "" if not pair.n or not pair.differing else tr(
        "{measure} is {value}, compared with {base} of {baseline} ({delta}; {queries}).",
        measure=usual_name(measure),
        value=format_value(measure, pair.mean), base=format_value(measure, pair.other_mean), baseline=pair.other_name,
        delta=_change(pair), queries=queries_text(pair.n),
    )  # fmt: skip
    return _joined(*(said.get(code, "") for code in ("headline", "chosen", "labels_of", "why")), values,
                   *(said.get(code, "") for code in ("simultaneous", "untested", "needed")))  # fmt: skip


def _value_alone(result: ResultTable, measure: Measure) -> str:
    """Return the value of the first run that can be decided on, where there is nothing to compare it with."""
    place = _decidable(result)[0]
    return tr("{run} has {measure} {value}.", run=result.runs[place], measure=usual_name(measure),
              value=format_value(measure, float(result[measure][place])))  # fmt: skip


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _facts(qrels: Qrels, runs: Sequence[Run], result: ResultTable, regime: Regime) -> tuple[str, ...]:
    return (
        trn("{n} run", "{n} runs", len(runs)),
        queries_text(len(result.query_ids)),
        trn("{n:,} judgment", "{n:,} judgments", len(qrels)),
        regime.statement,
        f"irviewer {VERSION}",
    )


def _best_first(result: ResultTable, measure: Measure) -> list[int]:
    """Return the runs by a measure's mean, the best first; equal ones as they were given, those without one last."""
    means = [result.mean(measure, run) for run in result.runs]
    sign = -1.0 if measure.higher_is_better else 1.0
    return sorted(range(len(means)), key=lambda run: (math.isnan(means[run]), sign * means[run]))


def _change(pair: RunComparison) -> str:
    """Return a difference with its sign; of geometric means a ratio."""
    return pair.change.text if pair.geometric else signed_quantity(pair.difference)


def _sentences(compared: ComparisonTable | None, base: str, runs: Sequence[str]) -> tuple[str, ...]:
    if compared is None:
        return ()
    return tuple(
        _joined(f"{usual_name(comparison.measure)}: {pair.conclusion}.", pair.remains)
        for comparison in list(compared)[:1]
        for pair in _pairs(comparison, base, runs)
    )


def _looked_at(compared: ComparisonTable) -> str:
    """Return the tests and intervals, each once."""
    return "; ".join(dict.fromkeys(text for comparison in compared for text in comparison.looked_at))


def _decided_values(result: ResultTable, measure: Measure, bound: BoundProtocol) -> RunValues:
    """Return the values of the queries that count, of the runs with judged documents that are compared."""
    result = result.compared(bound)
    return RunValues.of(result.of_runs(_decidable(result)), measure, bound.selected)


def _compared_slices(
    qrels: Qrels, result: ResultTable, measure: Measure, by: str | Sequence[str], attributes: Attributes | None,
    bound: BoundProtocol, documents: Lengths | None,
) -> slices.Slices | None:  # fmt: skip
    """Return the slices of the queries over all runs of a result that have judged documents; None without any."""
    result = result.compared(bound)
    decided = result.of_runs(_decidable(result))
    if not by or len(decided.runs) < 2:
        return None
    values = _decided_values(result, measure, bound)
    known = gather_attributes(attributes, qrels, values.query_ids, bound.protocol.rules.level)
    facets = facets_of(documents, qrels, bound.protocol.rules.level)
    chosen = choose_attributes(known, [by] if isinstance(by, str) else list(by), values.query_ids, facets)
    baseline = None if bound.baseline is None else values.names.index(bound.names[bound.baseline])
    return slices.compute(
        values, [slices_of(attribute, values.query_ids) for attribute in chosen],
        comparison_options(bound.protocol.inference, units=bound.units, looked=bound.looked), baseline=baseline,
        notes=(*selection_notes(bound), *decided.warnings),
    )  # fmt: skip


def _judges(
    qrels: Qrels, judges: AnyJudges, protocol: EvaluationProtocol, sets: Sequence[QuerySet] | Mapping[str, QuerySet]
) -> ReportSection | None:  # fmt: skip
    if not judges:
        return None
    if isinstance(judges, Mapping):
        others = dict(judges)
    else:
        others = {}
        for judge in judges:
            name = str(getattr(judge, "name", None) or Path(str(judge)).name)
            others[free_name(name, [qrels.name, *others])] = judge
    panel = panel_of(judgment_sets({qrels.name: qrels, **others}))
    return sections_of.of_judges(agreement_by(protocol.but(runs=()), panel, None, "", sets=sets))


def _figures(qrels: Qrels, runs: Sequence[Run], level: float, dialect: str | Dialect) -> tuple[Figure, ...]:
    ranked = [run for run in runs if run.stored is None]
    if not ranked or why_no_curves(qrels):
        return ()
    return tuple(curve_set(kind, qrels, ranked, None, 100, level, dialect).figure for kind in ("pr", "ndcg"))


def _cases(
    pair: RunComparison, values: RunValues, measure: Measure, qrels: Qrels, runs: Mapping[str, Run], level: float,
    queries: TextTable | None, documents: TextTable | None, regime: Regime,
) -> tuple[CaseGroup, ...]:  # fmt: skip
    """Return the largest gains and losses of the run that the conclusion is about."""
    run, base = runs[pair.run_name], runs[pair.other_name]
    own, others = values.values[[pair.run, pair.other]]
    delta = (own - others) * (1.0 if measure.higher_is_better else -1.0)
    order = np.argsort(-np.nan_to_num(delta, nan=0.0), kind="stable")
    gains = [row for row in order[:CASES].tolist() if delta[row] > 0]
    losses = [row for row in order[::-1][:CASES].tolist() if delta[row] < 0]
    groups = []
    for title, picked in (
        (tr("Largest gains of {run} over {baseline}", run=run.name, baseline=base.name), gains),
        (tr("Largest losses of {run} against {baseline}", run=run.name, baseline=base.name), losses),
    ):
        cases = []
        for row in picked:
            query = values.query_ids[row]
            lists = tuple(
                (either.name, _listed(either, qrels, query, level, documents, regime))
                for either in (base, run)
                if either.stored is None
            )
            text = "" if queries is None else " ".join(queries.text(query).split())
            cases.append(
                ReportCase(
                    query, text[:400], format_value(measure, float(others[row])),
                    format_value(measure, float(own[row])),
                    signed_quantity(float(own[row] - others[row])), delta[row] > 0, lists,
                )
            )  # fmt: skip
        if cases:
            groups.append(CaseGroup(title, tuple(cases)))
    return tuple(groups)


def _listed(
    run: Run, qrels: Qrels, query: str, level: float, documents: TextTable | None, regime: Regime
) -> tuple[ListedDocument, ...]:
    judged = qrels.judgments(query)
    unlisted = 0.0 if regime is Regime.COMPLETE else float("nan")
    listed = []
    for rank, document in enumerate(run.ranking(query, DEPTH), start=1):
        grade = judged.get(document, unlisted)
        title = text = ""
        if documents is not None and document in documents.index:
            title = " ".join(documents.title(document).split())[:120]
            text = " ".join(documents.body(document).split())
            text = text.removeprefix(title).strip()
            text = text if len(text) <= SNIPPET else text[:SNIPPET].rsplit(" ", 1)[0] + " …"
        listed.append(ListedDocument(rank, document, grade, grade >= level and grade >= 0, title, text))
    return tuple(listed)


def _methods(
    result: ResultTable, compared: ComparisonTable | None, qrels: Qrels, bound: BoundProtocol, command: str
) -> tuple[str, ...]:
    options = result.options
    lines = [
        tr("Protocol: {line}.", line=bound.line()),
        tr("Measures: {names}.", names=", ".join(map(usual_name, result.measures))),
        tr("Rules: {dialect}; documents of grade {level} or more are relevant.", dialect=options.rules.title,
           level=f"{options.level:g}"),
        zeros_text(result.measures)
        if options.missing_policy == "zero"
        else tr("Queries that a run lacks are left out."),
        legend_of(qrels.max_grade, options.level),
    ]  # fmt: skip
    if options.judged_only:
        lines.append(tr("Unjudged documents were removed first."))
    if options.depth is not None:
        lines.append(tr("Lists were cut at rank {depth}.", depth=options.depth))
    if compared is not None:
        lines.append(tr("Tests and intervals: {names}.", names=_looked_at(compared)))
    if command:
        lines.append(tr("Made by: {command}", command=command))
    return tuple(lines)


def _short_methods(bound: BoundProtocol, command: str) -> tuple[str, ...]:
    """Return the protocol and the command that makes the page again."""
    lines = [tr("Protocol: {line}.", line=bound.line())]
    if command:
        lines.append(tr("Made by: {command}", command=command))
    return tuple(lines)

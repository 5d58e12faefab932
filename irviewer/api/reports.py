"""The public Python call for a report: one HTML file for others."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.analysis.agreement.coefficients import COEFFICIENTS
from irviewer.analysis.statistics.comparison import Comparison
from irviewer.analysis.statistics.result_comparison import ComparisonTable, compare_results, untestable
from irviewer.analysis.statistics.run_comparison import RunComparison
from irviewer.api.judges import AnyJudges, agreement
from irviewer.api.slices import Attributes, compare_slices
from irviewer.api.sources import AnyMeasures, AnyQrels, AnyRuns, Source, Sources, measures_of
from irviewer.errors import OptionError
from irviewer.evaluation.evaluate import evaluate
from irviewer.evaluation.results import ResultTable, format_value
from irviewer.figures.curve_sets import curve_set
from irviewer.figures.figure import Figure
from irviewer.formats.load import load
from irviewer.measures.base import Measure
from irviewer.model.arrays import frozen
from irviewer.model.dialects import DEFAULT, Dialect
from irviewer.model.number_text import p_value, quantity, queries_text, signed_quantity
from irviewer.model.options import EvaluationOptions, MissingPolicy
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.model.texts import TextTable
from irviewer.model.workspace import Regime, free_name, suggest_regime
from irviewer.rendering.export import write_atomically
from irviewer.rendering.html_report import (
    CaseGroup,
    ListedDocument,
    ReportCase,
    ReportPage,
    ReportTable,
    html_report,
    legend_of,
    strongest,
)
from irviewer.translation import tr, trn
from irviewer.version import VERSION

Texts = TextTable | Source
DEPTH = 10
CASES = 4
"""Ranks of each list that are shown, and how many gains and losses of a run."""
SNIPPET = 110
COEFFICIENTS_SHOWN = ("same_grade", "kappa", "kappa_quadratic", "alpha_ordinal")
"""Coefficients of agreement that are shown."""
MOST_DETAILS = 60_000
"""Cells of the table of all values by query; a larger one would make the file heavy."""


@dataclass(frozen=True)
class Report:
    """A report: ``html`` is the whole file."""

    html: str = field(repr=False)
    title: str = ""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file. Raises IrviewerError."""
        data = self.html.encode("utf-8", "replace")
        write_atomically(Path(path), lambda file: file.write(data))


def report(
    qrels: AnyQrels,
    runs: AnyRuns,
    measures: AnyMeasures = ("nDCG@10", "AP", "P@10", "R@100"),
    *,
    baseline: str | int | None = None,
    title: str = "",
    queries: Texts | None = None,
    documents: Texts | None = None,
    by: str | Sequence[str] = (),
    query_attributes: Attributes | None = None,
    judges: AnyJudges = (),
    files: Sequence[Source] = (),
    command: str = "",
    level: float = 1,
    judged_only: bool = False,
    depth: int | None = None,
    missing: MissingPolicy | None = None,
    dialect: str | Dialect = DEFAULT,
    columns: Mapping[str, str] | None = None,
) -> Report:
    """Return a report on runs and a baseline as one HTML file.

    measures   the first decides the conclusion, the slices and the queries shown
    baseline   a run's name or place; the first, where none is said
    queries, documents   their texts, files or tables
    by, query_attributes   slices of the queries, as compare_slices() takes them
    judges     other judges' qrels, for their agreement
    files      files to name with their digests, beside those given as qrels and runs
    command    the command that makes the report again, for the last section

    The others as for evaluate(). Returns a Report: ``save(path)`` writes it. Raises ParseError, MeasureError,
    OptionError, UndecidedError where the qrels know nothing of a run."""
    options = EvaluationOptions(level, judged_only, depth, missing, dialect)
    sources = Sources(columns)
    judgments, all_runs = sources.qrels(qrels), sources.runs(runs, rename=True)
    sources.check()
    if not all_runs:
        raise OptionError(tr("A report needs a run."))
    result = evaluate(judgments, all_runs, measures_of(measures), options)
    result.check_matched()
    first = next((measure for measure in result.measures if not untestable(measure)), None)
    if first is None:
        raise OptionError(tr("A report needs a measure that is a mean over queries."))
    tested = [measure for measure in result.measures if not untestable(measure)]
    order = _best_first(result, first)
    position = order.index(_place(baseline, result))
    all_runs = [all_runs[run] for run in order]
    result = replace(
        result, runs=tuple(result.runs[run] for run in order), values=frozen(result.values[:, order]),
        means=frozen(result.means[:, order]),
    )  # fmt: skip
    compared = compare_results(result, tested, baseline=position) if len(all_runs) > 1 else None
    query_texts, document_texts = _texts(queries, "queries"), _texts(documents, "documents")
    tables = _slices(judgments, all_runs, first, by, query_attributes, position, options)
    tables += [*_judges(judgments, judges), *_tests(compared)]
    paths = [judgments.origin, *(run.origin for run in all_runs), *files]
    shown = title or tr("{measure} of {runs}", measure=first, runs=trn("{n} run", "{n} runs", len(all_runs)))
    warnings = (*result.warnings, *(compared.warnings if compared else ()))
    page = ReportPage(
        shown,
        _verdict(result, compared, first, position),
        _facts(judgments, all_runs, result),
        _systems(result, compared, first),
        _sentences(compared),
        tuple(dict.fromkeys(warnings)),
        tuple(tables),
        _figures(judgments, all_runs, level, dialect),
        _cases(judgments, all_runs, result, first, position, level, query_texts, document_texts),
        _details(result, first),
        _methods(result, compared, judgments, command),
        _files(paths),
        judgments.max_grade,
        level,
    )
    return Report(html_report(page), shown)


def _place(baseline: str | int | None, result: ResultTable) -> int:
    if baseline is None:
        return 0
    if isinstance(baseline, str):
        if baseline not in result.runs:
            names = ", ".join(result.runs)
            raise OptionError(tr("There is no run {run}; the runs are {names}.", run=baseline, names=names))
        return result.runs.index(baseline)
    if not 0 <= baseline < len(result.runs):
        raise OptionError(tr("There is no run number {run}; there are {n}.", run=baseline, n=len(result.runs)))
    return baseline


def _texts(texts: Texts | None, kind: str) -> TextTable | None:
    if texts is None or isinstance(texts, TextTable):
        return texts
    loaded = load(Path(texts), kind=kind).value
    if not isinstance(loaded, TextTable):
        raise OptionError(tr("{path} holds no texts.", path=str(texts)))
    return loaded


def _verdict(result: ResultTable, compared: ComparisonTable | None, measure: Measure, place: int) -> str:
    """Return a sentence that names the best run and the result of its test against the baseline."""
    values = result[measure]
    if compared is None:
        return tr("{run} has {measure} {value}.", run=result.runs[0], measure=measure,
                  value=format_value(measure, float(values[0])))  # fmt: skip
    order = values if measure.higher_is_better else -values
    best = int(np.nanargmax(order)) if np.isfinite(order).any() else place
    comparison = compared[measure]
    if best == place:
        worse = [pair.run_name for pair in comparison.pairs if pair.significant]
        conclusion = (
            tr("The test shows every other run worse.")
            if len(worse) == len(comparison.pairs)
            else trn(
                "The test shows {n} of the other runs worse.", "The test shows {n} of the other runs worse.", len(worse)
            )
        )
        return tr("No run is better than the baseline {run} ({measure} {value}). {rest}", run=result.runs[place],
                  measure=measure, value=format_value(measure, float(values[place])), rest=conclusion)  # fmt: skip
    pair = comparison.find(best, place)
    conclusion = tr("The test shows a difference.") if pair.significant else tr("The test shows no difference.")
    if pair.undecided:
        conclusion = tr("There is no test for this difference.")
    return tr(
        "{run} is best: {measure} {value}, compared with {base} of {baseline} ({delta}). {conclusion}",
        run=result.runs[best], measure=measure, value=format_value(measure, float(values[best])),
        base=format_value(measure, float(values[place])), baseline=result.runs[place], delta=_change(pair),
        conclusion=conclusion,
    )  # fmt: skip


def _facts(qrels: Qrels, runs: Sequence[Run], result: ResultTable) -> tuple[str, ...]:
    return (
        trn("{n} run", "{n} runs", len(runs)),
        queries_text(len(result.query_ids)),
        trn("{n:,} judgment", "{n:,} judgments", len(qrels)),
        tr("judgments: {regime}", regime=suggest_regime(qrels).value),
        f"irviewer {VERSION}",
    )


def _best_first(result: ResultTable, measure: Measure) -> list[int]:
    """Return the runs by a measure's mean, the best first; equal ones as they were given, those without one last."""
    means = [result.mean(measure, run) for run in result.runs]
    sign = -1.0 if measure.higher_is_better else 1.0
    return sorted(range(len(means)), key=lambda run: (math.isnan(means[run]), sign * means[run]))


def _systems(result: ResultTable, compared: ComparisonTable | None, first: Measure) -> ReportTable:
    measures = [measure for measure in result.measures if not measure.is_text]
    header = ["run", *(measure.text for measure in measures)]
    columns = [
        (position + 1, result[measure].tolist(), measure.higher_is_better) for position, measure in enumerate(measures)
    ]  # fmt: skip
    comparison: Comparison | None = None if compared is None else compared[first]
    if comparison is not None:
        header += [f"Δ {first}", tr("95 % interval"), tr("better/equal/worse"), tr("p corrected")]
    rows = []
    for position, run in enumerate(result.runs):
        cells = [run, *(format_value(measure, result.mean(measure, run)) for measure in measures)]
        if comparison is not None:
            if position == comparison.baseline:
                cells += [tr("baseline"), "", "", ""]
            else:
                pair = comparison.find(position)
                p = p_value(pair.decision.p_corrected)
                cells += [_change(pair), pair.shown_interval.text, f"{pair.wins}/{pair.ties}/{pair.losses}", p]
        rows.append(tuple(cells))
    return ReportTable(
        tr("Systems"), tuple(header), tuple(rows),
        (tr("The best mean of each measure is bold, whether or not a test shows a difference."),),
        strongest(columns), swatches=True,
    )  # fmt: skip


def _change(pair: RunComparison) -> str:
    """Return a difference with its sign; of geometric means a ratio."""
    return pair.change.text if pair.geometric else signed_quantity(pair.difference)


def _sentences(compared: ComparisonTable | None) -> tuple[str, ...]:
    if compared is None:
        return ()
    return tuple(
        f"{comparison.measure}: {pair.conclusion}." for comparison in list(compared)[:1] for pair in comparison.pairs
    )


def _tests(compared: ComparisonTable | None) -> list[ReportTable]:
    """Return the numbers of every measure but the first, which the systems' table has."""
    if compared is None:
        return []
    header = (
        tr("measure"),
        "run",
        tr("mean"),
        "Δ",
        tr("95 % interval"),
        tr("better/equal/worse"),
        "p",
        tr("p corrected"),
        "d",
    )
    rows = []
    for comparison in compared:
        for pair in comparison.pairs:
            test = pair.decision
            rows.append(
                (
                    comparison.measure, pair.run_name, quantity(pair.mean), _change(pair), pair.shown_interval.text,
                    f"{pair.wins}/{pair.ties}/{pair.losses}", p_value(test.p), p_value(test.p_corrected),
                    signed_quantity(pair.effects.d),
                )
            )  # fmt: skip
    title = tr("Tests against {baseline}", baseline=compared.result.runs[compared.comparisons[0].baseline or 0])
    return [ReportTable(title, header, tuple(rows), (_looked_at(compared),), text_columns=2)]


def _looked_at(compared: ComparisonTable) -> str:
    """Return the tests and intervals, each once."""
    return "; ".join(dict.fromkeys(text for comparison in compared for text in comparison.looked_at))


def _slices(
    qrels: Qrels, runs: Sequence[Run], measure: Measure, by: str | Sequence[str], attributes: Attributes | None,
    place: int, options: EvaluationOptions,
) -> list[ReportTable]:  # fmt: skip
    if not by or len(runs) < 2:
        return []
    compared = compare_slices(
        qrels, list(runs), measure, by, query_attributes=attributes, baseline=place, level=options.level,
        judged_only=options.judged_only, depth=options.depth, missing=options.missing, dialect=options.dialect,
    )  # fmt: skip
    rows = []
    for run_slices in compared.runs:
        for attribute in run_slices.attributes:
            for row in attribute.rows:
                pair = row.pair
                rows.append(
                    (
                        run_slices.overall.run_name, f"{attribute.name} = {row.name}", f"{row.n:,}",
                        "–" if pair is None else quantity(pair.mean), "–" if pair is None else _change(pair),
                        p_value(row.p), p_value(row.corrected),
                    )
                )  # fmt: skip
    header = ("run", tr("slice"), tr("queries"), tr("mean"), f"Δ {measure}", "p", tr("p corrected"))
    title = tr("{measure} by slices of the queries", measure=measure)
    return [ReportTable(title, header, tuple(rows), (*compared.methods, *compared.notes), text_columns=2)]


def _judges(qrels: Qrels, judges: AnyJudges) -> list[ReportTable]:
    if not judges:
        return []
    if isinstance(judges, Mapping):
        others = dict(judges)
    else:
        others = {}
        for judge in judges:
            name = str(getattr(judge, "name", None) or Path(str(judge)).name)
            others[free_name(name, [qrels.name, *others])] = judge
    agreement_report = agreement({qrels.name: qrels, **others})
    grades = agreement_report.grades
    names = [name for name in COEFFICIENTS_SHOWN if name in grades.values]
    rows = []
    for i, judge in enumerate(grades.names):
        for j in range(i + 1, len(grades.names)):
            cells = [quantity(float(grades.values[name][i, j])) for name in names]
            rows.append((judge, grades.names[j], f"{int(grades.pairs[i, j]):,}", *cells))
    header = (tr("judge"), tr("judge"), tr("documents"), *(COEFFICIENTS[name].title for name in names))
    return [ReportTable(tr("Agreement of judges"), header, tuple(rows), tuple(agreement_report.notes), text_columns=2)]


def _figures(qrels: Qrels, runs: Sequence[Run], level: float, dialect: str | Dialect) -> tuple[Figure, ...]:
    return tuple(curve_set(kind, qrels, runs, None, 100, level, dialect).figure for kind in ("pr", "ndcg"))


def _cases(
    qrels: Qrels, runs: Sequence[Run], result: ResultTable, measure: Measure, place: int, level: float,
    queries: TextTable | None, documents: TextTable | None,
) -> tuple[CaseGroup, ...]:  # fmt: skip
    """Return the largest gains and losses of the best other run."""
    values = result.of(measure)[1]
    sign = 1.0 if measure.higher_is_better else -1.0
    if len(runs) < 2:
        return ()
    means = sign * np.array([-np.inf if n == place else value for n, value in enumerate(sign * result[measure])])
    best = int(np.nanargmax(sign * means))
    delta = sign * (values[best] - values[place])
    order = np.argsort(-np.nan_to_num(delta, nan=0.0), kind="stable")
    gains = [row for row in order[:CASES].tolist() if delta[row] > 0]
    losses = [row for row in order[::-1][:CASES].tolist() if delta[row] < 0]
    base, run = runs[place], runs[best]
    groups = []
    for title, picked in (
        (tr("Largest gains of {run} over {baseline}", run=run.name, baseline=base.name), gains),
        (tr("Largest losses of {run} against {baseline}", run=run.name, baseline=base.name), losses),
    ):
        cases = []
        for row in picked:
            query = result.query_ids[row]
            lists = tuple((either.name, _listed(either, qrels, query, level, documents)) for either in (base, run))
            text = "" if queries is None else " ".join(queries.text(query).split())
            cases.append(
                ReportCase(
                    query, text[:400], format_value(measure, float(values[place, row])),
                    format_value(measure, float(values[best, row])),
                    signed_quantity(float(values[best, row] - values[place, row])), delta[row] > 0, lists,
                )
            )  # fmt: skip
        if cases:
            groups.append(CaseGroup(title, tuple(cases)))
    return tuple(groups)


def _listed(
    run: Run, qrels: Qrels, query: str, level: float, documents: TextTable | None
) -> tuple[ListedDocument, ...]:
    judged = qrels.judgments(query)
    unlisted = 0.0 if suggest_regime(qrels) is Regime.COMPLETE else float("nan")
    listed = []
    for rank, document in enumerate(run.ranking(query, DEPTH), start=1):
        grade = judged.get(document, unlisted)
        title = text = ""
        if documents is not None and document in documents.index:
            title = " ".join(documents.title(document).split())[:120]
            text = " ".join(documents.text(document).split())
            text = text.removeprefix(title).strip()
            text = text if len(text) <= SNIPPET else text[:SNIPPET].rsplit(" ", 1)[0] + " …"
        listed.append(ListedDocument(rank, document, grade, grade >= level and grade >= 0, title, text))
    return tuple(listed)


def _details(result: ResultTable, first: Measure) -> tuple[ReportTable, ...]:
    """Return a table of all values by query for each measure, up to MOST_DETAILS values."""
    tables: list[ReportTable] = []
    cells = 0
    for shown in (first, *(other for other in result.measures if other.text != first.text)):
        cells += len(result.runs) * len(result.query_ids)
        if shown.is_text or cells > MOST_DETAILS:
            continue
        values = result.of(shown)[1]
        rows = tuple(
            (query, *(format_value(shown, float(value)) for value in values[:, position]))
            for position, query in enumerate(result.query_ids)
        )
        title = tr("{measure} by query", measure=shown)
        tables.append(ReportTable(title, (tr("query"), *result.runs), rows))
    return tuple(tables)


def _methods(result: ResultTable, compared: ComparisonTable | None, qrels: Qrels, command: str) -> tuple[str, ...]:
    options = result.options
    lines = [
        tr("Measures: {names}.", names=", ".join(measure.text for measure in result.measures)),
        tr("Rules: {dialect}; documents of grade {level} or more are relevant.", dialect=options.rules.title,
           level=f"{options.level:g}"),
        tr("Queries that a run lacks count as 0.")
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


def _files(paths: Sequence[Any]) -> ReportTable:
    rows = []
    for path in dict.fromkeys(str(file_path) for file_path in paths if str(file_path)):
        file = Path(path)
        if file.is_file():
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            rows.append((path, f"{file.stat().st_size:,}", digest))
    return ReportTable("", (tr("file"), tr("bytes"), "SHA-256"), tuple(rows))

"""The sections of a report: tables of views, with the same numbers as the commands write. Runs that are not shown are
left out of the rows, and take part in the tests all the same."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from irviewer.analysis.agreement.report import AgreementReport
from irviewer.analysis.statistics.result_comparison import ComparisonTable
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.rendering.html_report import ReportSection
from irviewer.tables.column import count, text
from irviewer.tables.emphasis import best
from irviewer.tables.table import Mark, Remark, Table
from irviewer.translation import tr, trn
from irviewer.views import agreement, comparison, slices, values
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

MOST_DETAILS = 60_000
"""Cells of the tables of all values by query; more would make the file heavy."""


def section_of(title: str, shown: ViewResult, runs: Collection[str] | None = None) -> ReportSection:
    """Return the tables, figures and sentences of a view; of the rows of runs only those of ``runs``, None for all."""
    tables = shown.tables if runs is None else tuple(of_runs(table, runs) for table in shown.tables)
    return ReportSection(title, tables, tuple(sentence.text for sentence in shown.sentences), figures=shown.figures)


def of_runs(table: Table, runs: Collection[str]) -> Table:
    """Return a table without the rows of other runs; of pairs both runs must be among them."""
    named = [column for column in table.columns if column.kind == "run"]
    places = [
        row for row in range(table.n_rows)
        if all(column.values[row] is None or column.values[row] in runs for column in named)
    ]  # fmt: skip
    return table if len(places) == table.n_rows else table.rows(places)


def systems(
    result: ResultTable, bound: BoundProtocol, compared: ComparisonTable | None, base: str, hidden: int
) -> ReportSection:
    """Return the means of the runs that are shown, the baseline marked."""
    table = values.tables(result, bound).table("means")
    notes = [Remark("best", tr("The best mean of each measure is bold, whether or not a test shows a difference."),
                    warns=False)]  # fmt: skip
    if compared is not None and any(each.ragged for each in compared):
        text_of_ragged = tr(
            "Runs lack queries: a mean is over the queries that the run has, Δ over those that both runs have."
        )
        notes.append(Remark("ragged", text_of_ragged))
    if hidden:
        text_of_hidden = trn(
            "{n} more run takes part in the tests and is not shown.",
            "{n} more runs take part in the tests and are not shown.",
            hidden,
        )
        notes.append(Remark("hidden", text_of_hidden, {"n": hidden}, warns=False))
    wrong = _contradicted(table, compared)
    columns = tuple(column.told(best=False) if column.key in wrong else column for column in table.columns)
    marks = {}
    if compared is not None:
        marks = {(result.runs.index(base), "run"): Mark("baseline", "★", tr("baseline"))}
    shown = replace(table, title=tr("Systems"), columns=columns, notes=tuple(notes), marks=marks)
    return ReportSection(tr("Systems"), (shown,), name="systems")


def _contradicted(table: Table, compared: ComparisonTable | None) -> set[str]:
    """Return the measures whose best mean is no best: runs lack queries, and over the queries that two runs have, the
    test says otherwise."""
    wrong = set()
    known = {each.measure: each for each in compared or ()}
    for column in table.columns:
        if column.kind == "number" and column.key in known:
            names = {
                name for name, top in zip(table.column("run").values, best(table, column).tolist(), strict=True) if top
            }  # fmt: skip
            each = known[column.key]
            if comparison.contradicted(each, np.array([name in names for name in each.names])):
                wrong.add(column.key)
    return wrong


def tests(
    compared: ComparisonTable | None, bound: BoundProtocol, runs: Sequence[str], sentences: Sequence[str]
) -> tuple[ReportSection | None, ReportSection | None]:
    """Return what the tests show of the primary measure, with sentences, and the numbers of the secondary measures and
    the means with their intervals; None for what there is not."""
    if compared is None:
        return None, None
    view = comparison.tables(comparison.compared(replace(compared, protocol=bound)), bound)
    every, means = (of_runs(view.table(name), runs) for name in ("comparison", "runs"))
    kept = tuple(note for note in every.notes if note.code in ("groups", "secondary"))
    first, *others = replace(every, notes=()).groups()
    main = ReportSection(tr("What the tests show"), (replace(first, notes=kept),), tuple(sentences), name="conclusions")
    return main, ReportSection(
        tr("Secondary measures, and means with intervals") if others else tr("Means with intervals"),
        (*others, means),
    )


def by_slices(compared: slices.Slices, bound: BoundProtocol, runs: Collection[str]) -> ReportSection:
    """Return the slices of the queries."""
    shown = slices.tables(compared, bound)
    title = tr("{measure} by slices of the queries", measure=compared.comparisons[0].measure)
    return section_of(title, shown, runs)


def of_judges(report: AgreementReport) -> ReportSection:
    """Return the agreement of the judges: with the first of them and, of more than two, that of all pairs."""
    names = ("judges", "pairs") if len(report.grades.names) > 2 else ("judges",)
    return section_of(tr("Agreement of judges"), agreement.tables(report, report.protocol).only(*names))


def details(result: ResultTable, bound: BoundProtocol, first: Measure) -> tuple[ReportSection, ...]:
    """Return all values by query, a section for each measure from the ``first``, as long as they are few."""
    sections, cells = [], 0
    measures = [measure for _, measure in values.numeric_measures(result)]
    for measure in sorted(measures, key=lambda each: each.text != first.text):
        cells += len(result.runs) * len(result.query_ids)
        if cells <= MOST_DETAILS:
            table = values.by_query_table(result, measure).with_provenance(provenance("evaluation", bound))
            sections.append(ReportSection(table.title, (table,), folded=True))
    return tuple(sections)


def files(paths: Sequence[Any]) -> Table:
    """Return the files that there are among paths, with their sizes and digests."""
    rows = []
    for path in dict.fromkeys(str(path) for path in paths if str(path)):
        file = Path(path)
        if file.is_file():
            with file.open("rb") as stream:
                rows.append((path, file.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest()))
    names, sizes, digests = zip(*rows, strict=True) if rows else ((), (), ())
    return Table("files", "", (
        text("file", tr("file"), names), count("bytes", tr("bytes"), sizes), text("sha256", "SHA-256", digests),
    ))  # fmt: skip

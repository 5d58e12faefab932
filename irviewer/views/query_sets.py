"""Means by query set as tables: each set, their averages and the mean of all queries; and of measures that are not
always reached the share of queries on which they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.analysis.statistics.series_average import SetMeans
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.results import ResultTable
from irviewer.model.arrays import Floats, Ints
from irviewer.model.query_sets import QuerySet
from irviewer.tables import column
from irviewer.tables.column import Column, ComparisonFamily
from irviewer.tables.table import Remark, Status, Table
from irviewer.translation import tr
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult
from irviewer.views.selection import note_remarks

AVERAGES = {
    "macro": tr("mean of the sets (macro)"),
    "micro": tr("queries of the sets (micro)"),
    "all": tr("all queries"),
}
"""The rows below the sets."""


def known_sets(result: ResultTable, sets: Iterable[QuerySet]) -> tuple[dict[str, list[str]], list[str]]:
    """Return name -> queries of the sets, of those that were evaluated, and the queries that were not. Raises
    OptionError where none was."""
    known, queries = set(result.query_ids), {each.name: sorted(each.query_ids) for each in sets}
    kept = {name: [query for query in ids if query in known] for name, ids in queries.items()}
    kept = {name: ids for name, ids in kept.items() if ids}
    if not kept:
        raise OptionError(tr("no query of the sets has results; check the query ids"))
    return kept, sorted({query for ids in queries.values() for query in ids} - known)


@dataclass(frozen=True)
class _Row:
    """A row: the place of its measure, what it is ("set" or a key of AVERAGES), the set's name, its queries, a value
    for each run."""

    measure: int
    kind: str
    name: str | None
    queries: int
    values: Floats

    @property
    def shown(self) -> str:
        return AVERAGES.get(self.kind, self.name or "")


def tables(all_means: Sequence[SetMeans], bound: BoundProtocol | None) -> ViewResult:
    """Return the table ``sets``, and ``reached`` where a measure is not always reached."""
    all_tables = [_sets(all_means)]
    if any(means.shares is not None for means in all_means):
        all_tables.append(_reached(all_means))
    return ViewResult(tuple(all_means), tuple(all_tables)).with_provenance(provenance("query-sets", bound))


@dataclass(frozen=True, eq=False)
class MeansOfRows:
    """Means of one measure over the queries of each row, as the window shows them.

    keys, names      of the rows: what a row is with the name of its set, and how it is titled; ``tips`` say what each
                     averages
    queries          their numbers, int64[S]
    runs, values     float64[S, R]; NaN for no value
    difference       float64[S], of two runs over the queries that both have, with ``difference_tips``; logarithms of
                     ratios with ``ratio``; p is of the declared test, for the rows that it was made for, NaN elsewhere
    """

    measure: str
    keys: Sequence[tuple[str, str]]
    names: Sequence[str]
    tips: Sequence[str]
    queries: Ints
    runs: Sequence[str]
    values: Floats
    difference: Floats
    difference_tips: Sequence[str]
    p: Floats
    family: ComparisonFamily | None
    title: str
    tip: str
    higher_is_better: bool = True
    ratio: bool = False
    looked: bool = False


def table_of_rows(means: MeansOfRows) -> Table:
    """Return a row for each set and average, with the best run of each row."""
    up, tips, difference_tips = means.higher_is_better, list(means.tips), list(means.difference_tips)
    names = [name for _, name in means.keys]
    fixed = (
        column.text("set", tr("queries"), names, texts=means.names, tips=tips.__getitem__, tip=tr("Query sets")),
        column.count("n", "n", means.queries, tip=tr("Number of queries")),
    )
    runs = [
        column.number(
            key, run, means.values[:, place], names="run", best="row", better_up=up,
            tip=tr("Mean {measure} of {run}", measure=means.measure, run=run),
            missing=tr("No value: no query of the set is evaluated."),
        )
        for place, (key, run) in enumerate(zip(data_keys(means.runs, fixed), means.runs, strict=True))
    ]  # fmt: skip
    change = column.difference(
        "difference", means.title, means.difference, of="p_corrected", better_up=up, log=means.ratio, tip=means.tip,
        proves=not means.looked, tips=difference_tips.__getitem__,
        missing=tr("No difference: show the baseline and another run."),
    )  # fmt: skip
    p = column.p_value("p_corrected", "p", means.p, means.family, detail=True)
    title = tr("{measure} by query set", measure=means.measure)
    return Table("query_sets", title, (*fixed, *runs, change, p), keys=list(means.keys))


def _columns(all_means: Sequence[SetMeans], rows: Sequence[_Row], make: Callable[..., Column]) -> tuple[Column, ...]:
    fixed = (
        column.text(
            "measure", tr("measure"), [all_means[row.measure].measure for row in rows], detail=len(all_means) < 2
        ),
        column.text("kind", tr("kind"), [row.kind for row in rows], detail=True),
        column.text("set", tr("set"), [row.name for row in rows], texts=[row.shown for row in rows]),
        column.count("queries", tr("queries"), [row.queries for row in rows]),
    )
    runs = all_means[0].runs or tuple(tr("run {n}", n=place + 1) for place in range(all_means[0].means.shape[1]))
    values = np.array([row.values for row in rows]).reshape(len(rows), len(runs))
    return (*fixed, *(
        make(key, run, values[:, place], names="run")
        for place, (key, run) in enumerate(zip(data_keys(runs, fixed), runs, strict=True))
    ))  # fmt: skip


def _sets(all_means: Sequence[SetMeans]) -> Table:
    rows = []
    for place, means in enumerate(all_means):
        rows += [
            _Row(place, "set", name, size, values)
            for name, size, values in zip(means.names, means.sizes.tolist(), means.means, strict=True)
        ]
        rows += [_Row(place, "macro", None, means.inside, means.macro)]
        rows += [_Row(place, "micro", None, means.inside, means.micro)]
        if means.whole is not None:
            rows.append(_Row(place, "all", None, means.queries, means.whole))
    remarks = {each.text: each for means in all_means for each in note_remarks("means", means.notes)}
    title_of_one = tr("{measure} by query set", measure=all_means[0].measure)
    return Table(
        "sets", _title(all_means, tr("Means by query set"), title_of_one), _columns(all_means, rows, column.number),
        keys=[(all_means[row.measure].measure, row.kind, row.name) for row in rows],
        status=Status.of(*(Status.PLAIN if row.kind == "set" else Status.TOTAL for row in rows)),
        group="measure" if len(all_means) > 1 else "", notes=tuple(remarks.values()),
    )  # fmt: skip


def _title(all_means: Sequence[SetMeans], several: str, title_of_one: str) -> str:
    return title_of_one if len(all_means) == 1 and all_means[0].measure else several


def _reached(all_means: Sequence[SetMeans]) -> Table:
    rows = [
        _Row(place, "set" if number < len(means.names) else "all",
             means.names[number] if number < len(means.names) else None,
             int([*means.sizes, means.queries][number]), shares)
        for place, means in enumerate(all_means) if means.shares is not None
        for number, shares in enumerate(means.shares)
    ]  # fmt: skip
    text = tr("A run that does not reach the measure on every query of a set has no mean there.")
    title_of_one = tr("{measure}, share of queries on which it is reached", measure=all_means[0].measure)
    title = _title(all_means, tr("Share of queries on which a measure is reached"), title_of_one)
    group = "measure" if len(all_means) > 1 else ""
    columns = _columns(all_means, rows, column.share)
    return Table("reached", title, columns, group=group, notes=(Remark("reached", text),))

"""Values of runs as tables: the means, a row for each run, and the values by query."""

from __future__ import annotations

from irviewer.evaluation.bind import BoundProtocol
from irviewer.evaluation.caveats import missing_text
from irviewer.evaluation.results import ResultTable
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats
from irviewer.model.matching.unmatched import unmatched_warnings
from irviewer.tables.column import Column, identifier, number, run
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.keys import data_keys
from irviewer.views.provenance import provenance
from irviewer.views.result import ViewResult

SUMMARIES = ("geometric", "count")
"""Aggregates of measures whose values by query mean little: files hold them, people are not shown them."""


def tables(result: ResultTable, bound: BoundProtocol | None, *, by_query: bool = False) -> ViewResult:
    """Return the tables ``means`` and ``queries``, the latter first with ``by_query``. Measures that are texts are left
    out: only trec_eval's format holds them."""
    notes = remarks_of(result)
    means = means_table(result, notes)
    shown = (means,) if not by_query else (queries_table(result, notes), means)
    further = () if by_query else (queries_table(result, notes),)
    return ViewResult(result, shown, further=further).with_provenance(provenance("evaluation", bound))


def remarks_of(result: ResultTable) -> tuple[Remark, ...]:
    """Return what restricts the values: runs that share no id with the qrels, few judged documents, queries that a run
    lacks."""
    kinds = [of for of in ("queries", "documents") if any(each.of == of for each in result.unmatched)]
    remarks = [
        Remark("unmatched", text, {"runs": [each.run for each in result.unmatched if each.of == of], "of": of})
        for of, text in zip(kinds, unmatched_warnings(result.unmatched), strict=True)
    ]
    remarks += [Remark("caution", text) for text in result.cautions]
    known = {each.run for each in result.unmatched}
    remarks += [
        Remark(
            "missing",
            missing_text(name, queries, result.options, result.measures),
            {"run": name, "queries": list(queries)},
        )
        for name, queries in result.missing.items()
        if queries and name not in known
    ]
    return tuple(remarks)


def means_table(result: ResultTable, notes: tuple[Remark, ...] = ()) -> Table:
    """Return a row for each run, with the mean of each measure."""
    columns = [
        measure_column(measure, result.means[place], best=len(result.runs) > 1)
        for place, measure in numeric_measures(result)
    ]
    return Table("means", tr("Means"), (run("run", tr("run"), result.runs), *columns), notes=notes, opens="run")


def queries_table(result: ResultTable, notes: tuple[Remark, ...] = ()) -> Table:
    """Return a row for each run and query, with the value of each measure; null for a query left out."""
    names, size = result.runs, len(result.query_ids)
    columns = [
        measure_column(measure, result.values[place].ravel()).told(detail=measure.aggregate in SUMMARIES)
        for place, measure in numeric_measures(result)
    ]
    return Table("queries", tr("Values by query"), (
        run("run", tr("run"), [name for name in names for _ in range(size)]),
        identifier("query", tr("query"), [*result.query_ids] * len(names)), *columns,
    ), notes=notes, opens="query")  # fmt: skip


def by_query_table(result: ResultTable, measure: Measure) -> Table:
    """Return a row for each query, with the value of a measure for each run; null for a query left out."""
    bound, values = result.of(measure)
    query = identifier("query", tr("query"), result.query_ids)
    columns = [
        number(key, name, row, names="run", whole=bound.counts, better_up=bound.higher_is_better)
        for key, name, row in zip(data_keys(result.runs, (query,)), result.runs, values, strict=True)
    ]
    title = tr("{measure} by query", measure=usual_name(bound))
    return Table("by_query", title, (query, *columns), keys=result.query_ids, opens="query")


def numeric_measures(result: ResultTable) -> list[tuple[int, Measure]]:
    """Return the measures that are numbers with their places, each once, however it was asked for."""
    kept = {measure.text: (place, measure) for place, measure in enumerate(result.measures) if not measure.is_text}
    return list(kept.values())


def measure_column(measure: Measure, values: Floats, *, best: bool = False) -> Column:
    """Return the column that a measure's name heads; its values, float64[n], are whole where the measure counts."""
    return number(
        measure.text, measure.text, values, names="measure", whole=measure.counts,
        better_up=measure.higher_is_better, best=best,
    )  # fmt: skip

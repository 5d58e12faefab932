"""The queries of a collection, a row each: the value of every run by one measure, the difference of one of them to the
baseline, and what tells how hard a query is and whether it separates the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from irviewer.analysis.statistics.query_statistics import LEAST_RUNS, query_statistics, value_range
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.model.arrays import Bools, Floats, Ints, frozen
from irviewer.model.geometric import logarithms
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.emphasis import shaded_ends
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr, trc, trn
from irviewer.views.attributes import query_attribute_columns
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.pairs import standing_remarks
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_measure, a_run


@dataclass(frozen=True, eq=False)
class Queries:
    """E queries with the values of R runs, the edited copies last.

    texts        of the queries; () if there are none
    relevant     int64[E]: relevant documents
    values       float64[R, E]; NaN where a run has no value
    measure      its name; ``higher_is_better``, and ``counts`` for whole numbers
    geometric    whether differences are of logarithms, since the measure's mean is geometric
    ends         the values of the palest and the darkest cell
    run          the run whose difference to the baseline is shown, "" for none
    difference   float64[E]: of ``run``
    taking_part  the number of runs that the following are over: those that take part, hidden ones too, copies not
    spread       float64[E]: best minus worst; NaN where fewer than two have a value
    from_median  float64[E]: of ``run``, NaN for too few runs
    mean         float64[E]
    agreement    float64[E]: of the order of the runs with that on the other queries; ``separates`` bool[E]
    remarks      what is to be said below
    """

    query_ids: Sequence[str]
    texts: Sequence[str]
    relevant: Ints | Floats
    names: tuple[str, ...]
    values: Floats
    measure: str
    higher_is_better: bool
    counts: bool
    geometric: bool
    ends: tuple[float, float]
    run: str
    baseline: str
    difference: Floats
    taking_part: int
    spread: Floats
    from_median: Floats | None = None
    mean: Floats | None = None
    agreement: Floats | None = None
    separates: Bools | None = None
    attributes: tuple[Column, ...] = ()
    remarks: tuple[Remark, ...] = ()


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    run: Annotated[
        str, a_run(tr("run whose difference to the baseline is shown; without it the first other run"), title=tr("run"))
    ] = "",
    tested: Annotated[str, a_measure(tr("measure of the values; without it the primary one"), title=tr("tested"))] = "",
) -> Queries:
    """Queries with the value of every run, and how hard they are."""
    part = inputs.one
    asked = part.measure_named(tested) if tested else part.measure
    measure = part.evaluation.bound_measure(part.qrels, part.options, asked).measure
    places = part.rows
    if not places:
        raise OptionError(tr("This needs a run."))
    values = np.array([part.values_of(place, asked) for place in places])
    counted = np.array([part.counted(place, asked) for place in places], dtype=np.bool_)
    own = len(protocol.runs)
    geometric = measure.aggregate == "geometric"
    unreached = counted[:own] & np.isnan(values[:own])
    statistics = query_statistics(
        values[:own], higher_is_better=measure.higher_is_better, geometric=geometric, unreached=unreached
    )
    base = protocol.baseline
    chosen = part.other_run(run)
    nothing = np.full(len(part.query_ids), np.nan)
    levels = logarithms(values) if geometric else values
    mine = nothing if chosen is None else levels[places.index(chosen)]
    median = logarithms(statistics.median) if geometric else statistics.median
    return Queries(
        part.query_ids, _texts(part), part.qrels.relevant_counts(part.options.level)[_rows(part)],
        tuple(part.names[place] for place in places), frozen(values), str(measure), measure.higher_is_better,
        measure.counts, geometric, shaded_ends(values, bounded=measure.bounded),
        "" if chosen is None else part.names[chosen], "" if base is None else part.names[base],
        frozen(nothing if base is None else mine - levels[places.index(base)]), own,
        frozen(value_range(zip(levels[:own], unreached, strict=True)) if own else nothing),
        frozen(mine - median if own >= LEAST_RUNS else nothing), statistics.mean, statistics.agreement,
        statistics.discriminates, query_attribute_columns(part.query_attributes, part.query_ids),
        (*standing_remarks(protocol.standing(asked), asked, protocol),
         *(Remark("lacking", text) for text in part.lacking([measure]))),
    )  # fmt: skip


def _rows(part: Part) -> Ints:
    """Return the places of the queries that count among those of the qrels, int64[E]."""
    return part.qrels.query_order[part.query_places]


def _texts(part: Part) -> tuple[str, ...]:
    if not part.collection.has_query_texts:
        return ()
    return tuple(map(part.collection.query_text, part.query_ids))


def tables(queries: Queries, protocol: BoundProtocol) -> ViewResult:
    """Return the table ``queries``."""
    return ViewResult(queries, (query_table(queries),))


def query_table(queries: Queries) -> Table:
    """Return a row for each query: what is known of it, the value of each run, and what these say together."""
    texts = [column.text("text", tr("text"), queries.texts, tip=tr("Text of the query"))] if queries.texts else []
    ids = queries.query_ids
    first: list[Column] = [
        column.identifier("query", tr("query"), ids, tip=tr("Query id"),
                          tips=queries.texts.__getitem__ if queries.texts else None),
        *texts,
        column.count("relevant", trc("so many documents", "relevant"), queries.relevant,
                     tip=tr("Relevant documents in the qrels")),
    ]  # fmt: skip
    further = _together(queries)
    fixed = [*first, *further]
    # The relevant documents are known without a table, and have their own column.
    others = [each for each in queries.attributes if each.key != "relevant"]
    taken = data_keys([each.key for each in others], fixed)
    attributes = [replace(each, key=key) for each, key in zip(others, taken, strict=True)]
    keys = data_keys(queries.names, [*fixed, *attributes])
    runs = [
        column.number(
            key, name, values, names="run", better_up=queries.higher_is_better, whole=queries.counts, heat=queries.ends,
            tip=tr("{measure} of {run}", measure=queries.measure, run=name),
            missing=tr("No value: {run} lacks this query, or {measure} is not defined for it.", run=name,
                       measure=queries.measure),
        )
        for key, name, values in zip(keys, queries.names, queries.values, strict=True)
    ]  # fmt: skip
    title = tr("{measure} by query", measure=queries.measure)
    if queries.run and queries.baseline:
        title = tr("{measure} by query, Δ of {run} against {baseline}", measure=queries.measure, run=queries.run,
                   baseline=queries.baseline)  # fmt: skip
    columns = (*first, *(each.told(detail=True) for each in attributes), *runs, *further)
    return Table("queries", title, columns, keys=ids, opens="query", notes=queries.remarks)


def _together(queries: Queries) -> list[Column]:
    """Return the columns of what the runs say together: the difference, and statistics over those that take part."""
    up, log = queries.higher_is_better, queries.geometric
    measure, run, count = queries.measure, queries.run, queries.taking_part
    apart = column.difference if log else column.number  # it has no side
    columns = [
        column.difference(
            "difference", tr("ratio") if log else "Δ", queries.difference, better_up=up, log=log,
            tip=tr("{run} against {baseline}", run=queries.run, baseline=queries.baseline),
            missing=tr("No difference: baseline and another run must both have a value for this query."),
        ),
        apart(
            "spread", tr("spread"), queries.spread, log=log, detail=True,
            tip=tr("Best divided by worst of the {count} runs that take part, hidden ones too", count=count) if log
            else tr("Best minus worst of the {count} runs that take part, hidden ones too", count=count),
            missing=tr("No spread: two runs that take part must have a value."),
        ),
    ]  # fmt: skip
    if queries.from_median is not None:
        tip = (
            tr("{measure} of {run} divided by the median of the {count} runs that take part", measure=measure, run=run,
               count=count) if log
            else tr("{measure} of {run} minus the median of the {count} runs that take part, as TREC prints it",
                    measure=measure, run=run, count=count)
        )  # fmt: skip
        missing = tr("No difference: a run has no value for this query.") if count >= LEAST_RUNS else trn(
            "No difference: the median of {n} run is not meaningful; at least {least} are needed.",
            "No difference: the median of {n} runs is not meaningful; at least {least} are needed.",
            count, least=LEAST_RUNS,
        )  # fmt: skip
        columns.append(column.difference(
            "from_median", tr("÷ median") if log else tr("Δ median"), queries.from_median, better_up=up, log=log,
            tip=tip, missing=missing, detail=True,
        ))  # fmt: skip
    if queries.mean is not None:
        columns.append(column.number(
            "mean", tr("all runs"), queries.mean, detail=True, missing=tr("No run has a value for this query."),
            tip=trn(
                "Mean of {measure} of the one run that takes part: how difficult the query is",
                "Mean of {measure} over the {n} runs that take part: how difficult the query is",
                count, measure=measure,
            ),
        ))  # fmt: skip
    if queries.agreement is not None and queries.separates is not None:
        separates = queries.separates.tolist()
        columns += [
            column.number("agreement", tr("agreement"), queries.agreement, detail=True, best=separates, tip=tr(
                "Kendall's tau between the order of the {count} runs that take part on this query and on the other "
                "queries: 1 is the same order, 0 no relation, below 0 the reverse order. Bold: the query separates the "
                "runs (half of all pairs of runs differ, and tau is above 0).", count=count),
                missing=tr("No value: too few runs have a value for this query.")),
            column.flag("separates", tr("separates"), separates, detail=True, tip=tr(
                "Half of the pairs of runs or more differ on the query, most as on the other queries")),
        ]  # fmt: skip
    return columns


VIEW = ResultView("queries", compute, tables, title=tr("Queries"), uses=("rules", "scope", "baseline"),
                  settles=("run",))  # fmt: skip

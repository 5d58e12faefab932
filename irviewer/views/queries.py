"""The queries of a collection, a row each: the value of every run by one measure, the difference of one of them to the
baseline, and what tells how hard a query is and whether it separates the runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from irviewer.analysis.statistics.query_statistics import LEAST_RUNS, QueryStatistics, query_statistics
from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, Ints, frozen
from irviewer.model.geometric import logarithms
from irviewer.tables import column
from irviewer.tables.column import Column
from irviewer.tables.table import Table
from irviewer.translation import tr
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
    measure      as its values were computed; ``asked`` as the protocol names it
    run          the run whose difference to the baseline is shown, "" for none
    difference   float64[E]: of ``run``, of logarithms where the measure's mean is geometric
    statistics   over the runs that take part
    from_median  float64[E]: of ``run``, NaN for too few runs
    """

    query_ids: tuple[str, ...]
    texts: tuple[str, ...]
    relevant: Ints
    names: tuple[str, ...]
    values: Floats
    measure: Measure
    asked: Measure
    run: str
    baseline: str
    difference: Floats
    statistics: QueryStatistics
    from_median: Floats
    attributes: tuple[Column, ...]

    @property
    def geometric(self) -> bool:
        """Whether differences are of logarithms."""
        return self.measure.aggregate == "geometric"


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
    statistics = query_statistics(
        values[:own], higher_is_better=measure.higher_is_better, geometric=geometric,
        unreached=counted[:own] & np.isnan(values[:own]),
    )  # fmt: skip
    base = protocol.baseline
    chosen = part.other_run(run)
    nothing = np.full(len(part.query_ids), np.nan)
    levels = logarithms(values) if geometric else values
    mine = nothing if chosen is None else levels[places.index(chosen)]
    median = logarithms(statistics.median) if geometric else statistics.median
    return Queries(
        part.query_ids, _texts(part), part.qrels.relevant_counts(part.options.level)[_rows(part)],
        tuple(part.names[place] for place in places), frozen(values), measure, asked,
        "" if chosen is None else part.names[chosen], "" if base is None else part.names[base],
        frozen(nothing if base is None else mine - levels[places.index(base)]), statistics,
        frozen(mine - median if own >= LEAST_RUNS else nothing),
        query_attribute_columns(part.query_attributes, part.query_ids),
    )  # fmt: skip


def _rows(part: Part) -> Ints:
    """Return the places of the queries that count among those of the qrels, int64[E]."""
    return part.qrels.query_order[part.query_places]


def _texts(part: Part) -> tuple[str, ...]:
    if part.collection.queries is None:
        return ()
    return tuple(map(part.collection.query_text, part.query_ids))


def tables(queries: Queries, protocol: BoundProtocol) -> ViewResult:
    """Return the table ``queries``."""
    statistics, measure, log = queries.statistics, queries.measure, queries.geometric
    up = measure.higher_is_better
    texts = [column.text("text", tr("text"), queries.texts)] if queries.texts else []
    spread = tr("Best minus worst of the runs that take part")
    levels = [logarithms(each) if log else each for each in (statistics.best, statistics.worst)]
    further = (
        column.difference(
            "difference", tr("ratio") if log else "Δ", queries.difference, better_up=up, log=log,
            tip=tr("{run} against {baseline}", run=queries.run, baseline=queries.baseline),
        ),
        column.difference("spread", tr("spread"), np.abs(levels[0] - levels[1]), log=log, tip=spread, detail=True),
        column.difference(
            "from_median", tr("÷ median") if log else tr("Δ median"), queries.from_median, better_up=up, log=log,
            tip=tr("{run} against the median of the runs", run=queries.run), detail=True,
        ),
        column.number("mean", tr("all runs"), statistics.mean, tip=tr("Mean over the runs: how hard the query is"),
                      detail=True),
        column.number("agreement", tr("agreement"), statistics.agreement, detail=True, tip=tr(
            "Kendall's tau between the order of the runs on this query and on the other queries")),
        column.flag("separates", tr("separates"), statistics.discriminates.tolist(), detail=True, tip=tr(
            "Half of the pairs of runs or more differ on the query, most as on the other queries")),
    )  # fmt: skip
    first: list[Column] = [
        column.identifier("query", tr("query"), queries.query_ids),
        *texts,
        column.count("relevant", tr("relevant"), queries.relevant),
    ]
    fixed = [*first, *further]
    # The relevant documents are known without a table, and have their own column.
    others = [each for each in queries.attributes if each.key != "relevant"]
    taken = data_keys([each.key for each in others], fixed)
    attributes = [replace(each, key=key) for each, key in zip(others, taken, strict=True)]
    keys = data_keys(queries.names, [*fixed, *attributes])
    runs = [
        column.number(key, name, queries.values[place], names="run", better_up=up, whole=measure.counts,
                      heat=not measure.counts)
        for place, (key, name) in enumerate(zip(keys, queries.names, strict=True))
    ]  # fmt: skip
    notes = list(standing_remarks(protocol.standing(queries.asked), queries.asked, protocol))
    title = tr("{measure} by query", measure=queries.measure)
    if queries.run and queries.baseline:
        title = tr("{measure} by query, Δ of {run} against {baseline}", measure=queries.measure, run=queries.run,
                   baseline=queries.baseline)  # fmt: skip
    return ViewResult(queries, (
        Table("queries", title, (*first, *(each.told(detail=True) for each in attributes), *runs, *further),
              keys=queries.query_ids, opens="query", notes=tuple(notes)),
    ))  # fmt: skip


VIEW = ResultView("queries", compute, tables, title=tr("Queries"), uses=("rules", "scope", "baseline"))

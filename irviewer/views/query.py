"""One query: the value of every measure for every run, and the difference of one of them to the baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from irviewer.errors import OptionError
from irviewer.evaluation.bind import BoundProtocol
from irviewer.measures.base import Measure
from irviewer.model.arrays import Floats, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.run_names import similar_names
from irviewer.tables import column
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr
from irviewer.views.inputs import Inputs, Part
from irviewer.views.keys import data_keys
from irviewer.views.query_columns import value_columns
from irviewer.views.result import ViewResult
from irviewer.views.view import ResultView, a_measure, a_query, a_run


@dataclass(frozen=True, eq=False)
class QueryValues:
    """M measures of one query for R runs, the edited copies last.

    measures     as their values were computed, ``asked`` as they are named
    values       float64[M, R]
    run          the run whose differences to the baseline are shown; "" for none
    differences  float64[M]: of logarithms where a measure's mean is geometric
    """

    query: str
    names: tuple[str, ...]
    asked: tuple[Measure, ...]
    measures: tuple[Measure, ...]
    values: Floats
    run: str
    baseline: str
    differences: Floats
    remarks: tuple[Remark, ...] = ()


def compute(
    inputs: Inputs,
    protocol: BoundProtocol,
    *,
    query: Annotated[str, a_query(tr("id of the query; without it the first one"), title=tr("query"))] = "",
    also: Annotated[
        tuple[str, ...], a_measure(tr("further measure as a row; may be given several times"), title=tr("also"))
    ] = (),
    run: Annotated[
        str, a_run(tr("run whose difference to the baseline is shown; without it the first other run"), title=tr("run"))
    ] = "",
) -> QueryValues:
    """One query with the value of every measure for every run."""
    part = inputs.one
    place = _place(part, query)
    runs = part.rows
    declared = [part.measure_named(each) for each in protocol.protocol.measures] or [part.measure]
    asked = tuple(dict.fromkeys((*declared, *(part.measure_named(each) for each in also))))
    measures = tuple(part.evaluation.bound_measure(part.qrels, part.options, each).measure for each in asked)
    values = np.array([[part.values_of(each, measure)[place] for each in runs] for measure in asked], dtype=np.float64)
    values = values.reshape(len(asked), len(runs))
    base, chosen = protocol.baseline, part.other_run(run)
    logs = np.array([measure.aggregate == "geometric" for measure in measures], dtype=np.bool_)
    levels = np.where(logs[:, None], logarithms(values), values)
    differences = np.full(len(asked), math.nan)
    if base is not None and chosen is not None:
        differences = levels[:, runs.index(chosen)] - levels[:, runs.index(base)]
    return QueryValues(
        part.query_ids[place], tuple(part.names[each] for each in runs), asked, measures, frozen(values),
        "" if chosen is None else part.names[chosen], "" if base is None else part.names[base], frozen(differences),
        tuple(Remark("lacking", text) for text in part.lacking(measures)),
    )  # fmt: skip


def _place(part: Part, query: str) -> int:
    """Return the place of a query among those that count. Raises OptionError with similar ids."""
    if not part.query_ids:
        raise OptionError(tr("There is no query."))
    if not query:
        return 0
    if query in part.query_ids:
        return part.query_ids.index(query)
    similar = similar_names(query, part.query_ids)
    if similar:
        text = tr("there is no query {query}; did you mean {names}?", query=query, names=tr(" or ").join(similar))
        raise OptionError(text)
    raise OptionError(tr("there is no query {query} among those that count", query=query))


def tables(shown: QueryValues, protocol: BoundProtocol) -> ViewResult:
    """Return the table ``measures``, a row for each measure."""
    standings = [protocol.standing(measure) for measure in shown.asked]
    words = {"primary": tr("primary"), "secondary": tr("secondary"), "exploratory": tr("exploratory")}
    own = (
        column.measures("measure", tr("measure"), [str(measure) for measure in shown.measures]),
        column.text(
            "role",
            tr("role"),
            [each or None for each in standings],
            texts=[words.get(each, "") for each in standings],
            detail=True,
        ),
    )
    change = column.difference(
        "difference", "Δ", shown.differences, better_up=[measure.higher_is_better for measure in shown.measures],
        log=[measure.aggregate == "geometric" for measure in shown.measures],
        tip=tr("{run} against {baseline}", run=shown.run, baseline=shown.baseline),
    )  # fmt: skip
    whole = [measure.counts for measure in shown.measures]
    runs = value_columns(data_keys(shown.names, [*own, change]), shown.names, shown.values, whole)
    title = tr("Measures of query {query}", query=shown.query)
    return ViewResult(
        shown,
        (
            Table(
                "measures", title, (*own, *runs, change), keys=[str(each) for each in shown.asked], notes=shown.remarks
            ),
        ),
    )


def _followed(shown: QueryValues, bound: BoundProtocol) -> BoundProtocol:
    return bound.of_query(shown.query)


VIEW = ResultView("query", compute, tables, title=tr("Measures of a query"), uses=("rules", "scope", "baseline"),
                  settles=("run",), follows=_followed)  # fmt: skip

"""From a run, qrels, a measure and a query to the ledger of that value; and of a mean, from the values behind it.

The value is the measure's own, computed as everywhere; the rows are the explainer's. That they agree is what the tests
hold for every measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from irviewer.analysis.explain import families as _families  # noqa: F401 - importing it registers the explainers
from irviewer.analysis.explain.explainer import (
    DOCUMENT,
    GRADE,
    RANK,
    Cells,
    Contributions,
    RankedQuery,
    account,
    explainers,
    filled,
    ids_of_qrels,
)
from irviewer.analysis.explain.expression_ledger import expression_ledger
from irviewer.analysis.explain.ledger_types import Column, Ledger, Rule
from irviewer.analysis.explain.query_slice import OneQuery
from irviewer.analysis.explain.wording import latex_name, latex_number, put_in, rules_of, value_text
from irviewer.errors import MeasureError
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.evaluation.evaluate import bound_measures
from irviewer.measures.base import Cutoff, Measure
from irviewer.measures.expressions import Expression
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run


def explain_query(
    run: Run, qrels: Qrels, measure: str | Measure, query: str, options: EvaluationOptions | None = None
) -> Ledger:
    """The ledger of one value. Raises MeasureError where the measure is unknown or several, OptionError where the query
    has no value."""
    options = options or EvaluationOptions()
    return ledger_of(OneQuery.of(run, qrels, query, options), bound_measure_of(measure, qrels, options))


def bound_measure_of(measure: str | Measure, qrels: Qrels, options: EvaluationOptions) -> BoundMeasure:
    """One measure as the options and their dialect compute it. Raises MeasureError where a text names several."""
    found = bound_measures([measure], qrels, options)
    if len(found) != 1:
        raise MeasureError(f"{measure} names {len(found)} measures; one is explained at a time")
    return found[0]


def ledger_of(query: OneQuery, bound_measure: BoundMeasure) -> Ledger:
    """The ledger of a measure for one query."""
    if isinstance(bound_measure.measure, Expression):
        return expression_ledger(query, bound_measure, [ledger_of(query, one) for one in bound_measure.parts])
    ranked_query = ranked_query_of(query, bound_measure)
    told = contributions_of(ranked_query)
    value = float(bound_measure.measure.compute(query.judged(bound_measure.join_options))[0])
    return _put_together(ranked_query, bound_measure, told, value)


def ranked_query_of(query: OneQuery, bound_measure: BoundMeasure) -> RankedQuery:
    """The list as the measure reads it."""
    judged = query.judged(bound_measure.join_options)
    if bound_measure.measure.parameter("judged_only"):
        judged = judged.judged_only
    return RankedQuery(bound_measure.measure, query, query.ranked(bound_measure.join_options), judged)


def contributions_of(ranked_query: RankedQuery) -> Contributions:
    """What the family's explainer says of a sheet; of a measure that has none (another package's), the documents and
    nothing about what they add."""
    measure = ranked_query.measure
    function = explainers().get(measure.name)
    if function is None:
        return _opaque(ranked_query)
    bound = measure.bind(max_grade=ranked_query.judged.max_grade)
    values: dict[str, Any] = {one.name: bound.parameter(one.name) for one in measure.family.parameters}
    values.pop("judged_only", None)
    if measure.family.cutoff is not Cutoff.NONE:
        rank = measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
        values["cutoff"] = int(measure.cutoff) if rank and measure.cutoff is not None else measure.cutoff
    return function(ranked_query, **values)


def _opaque(ranked_query: RankedQuery) -> Contributions:
    rank = ranked_query.measure.family.cutoff in (Cutoff.OPTIONAL, Cutoff.REQUIRED)
    n = ranked_query.top(ranked_query.measure.cutoff if rank else None)
    nothing = np.full(n, np.nan)
    where = ranked_query.measure.family.compute.__module__
    return account(
        nothing, "adds", "not known: the measure is another package's function", operation="opaque", unjudged="",
        rules=(Rule("own", f"Only its function ({where}) knows how the value is made; it saw these documents."),),
    )  # fmt: skip


def _put_together(ranked_query: RankedQuery, bound_measure: BoundMeasure, told: Contributions, value: float) -> Ledger:
    contributions = told.contributions
    total = sequential_sum(contributions)
    columns, cells = _table(ranked_query, told)
    worked, worked_latex = _worked(ranked_query, told, total, value)
    shown = min(len(contributions), ranked_query.n) if told.of_list else ranked_query.n
    return Ledger(
        bound_measure.measure, ranked_query.query.query, ranked_query.query.run.name, columns, cells, contributions,
        contributions if told.credits is None else told.credits, told.attribution, value,
        ranked_query.measure.formula, worked, worked_latex, rules_of(ranked_query, bound_measure, told),
        told.quantities,
        told.offset, told.normaliser, told.least, told.operation, told.text,
        () if told.level is None else ranked_query.missed(told.level, shown),
    )  # fmt: skip


def _worked(ranked_query: RankedQuery, told: Contributions, total: float, value: float) -> tuple[str, str]:
    if told.operation == "text":
        return (
            f"{ranked_query.measure.text} = {told.text}",
            rf"{latex_name(ranked_query.measure.text)} = {latex_name(told.text)}",
        )
    if told.operation == "opaque":
        result = value_text(ranked_query.measure, value)
        return (
            f"{ranked_query.measure.text} = {result}",
            f"{latex_name(ranked_query.measure.text)} = {latex_number(result)}",
        )
    return put_in(ranked_query, told, total, value)


def _table(ranked_query: RankedQuery, told: Contributions) -> tuple[tuple[Column, ...], tuple[Cells, ...]]:
    """All columns with their cells: rank, document, grade, the family's, contribution, running, what stands beside."""
    m = len(told.contributions)
    ranks = np.arange(1.0, m + 1)
    first: list[tuple[Column, Cells]]
    if told.labels is not None:
        first = [told.labels]
    elif told.judgments is None:
        there = min(m, ranked_query.n)
        documents: tuple[str, ...] = (*ranked_query.documents(ranked_query.ranks[:there]), *[""] * (m - there))
        first = [(RANK, ranks), (DOCUMENT, documents), (GRADE, filled(ranked_query.grades, m))]
    else:
        grades: Floats = ranked_query.query.asked.grades[told.judgments]
        first = [(RANK, ranks), (DOCUMENT, tuple(ids_of_qrels(ranked_query, told.judgments))), (GRADE, grades)]
    own: Sequence[tuple[Column, Cells]] = [(one, _long(values, m)) for one, values in told.columns]
    adds: list[tuple[Column, Cells]] = []
    if told.operation not in ("text", "opaque"):
        adds = [(told.adds, told.contributions), (told.running, np.cumsum(told.contributions))]
    every = [*first, *own, *adds, *told.beside]
    return tuple(one for one, _ in every), tuple(values for _, values in every)


def _long(values: Cells, length: int) -> Cells:
    return values if isinstance(values, tuple) else filled(values, length)

"""The ledger of a value of a run, qrels, a measure and a query.

The value is computed by the measure, the rows by the explainer; tests check for every measure that they agree."""

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
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats, sequential_sum
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr


def explain_query(
    run: Run, qrels: Qrels, measure: str | Measure, query: str, options: EvaluationOptions | None = None
) -> Ledger:
    """Return the ledger of a value. Raises MeasureError where the measure is unknown or several, OptionError where the
    query has no value."""
    options = options or EvaluationOptions()
    return ledger_of(OneQuery.of(run, qrels, query, options), bound_measure_of(measure, qrels, options))


def bound_measure_of(measure: str | Measure, qrels: Qrels, options: EvaluationOptions) -> BoundMeasure:
    """One measure as the options and their dialect compute it. Raises MeasureError where a text names several."""
    measures = bound_measures([measure], qrels, options)
    if len(measures) != 1:
        raise MeasureError(
            tr("{measure} stands for {n} measures; choose one of them to explain", measure=measure, n=len(measures))
        )
    return measures[0]


def ledger_of(query: OneQuery, bound_measure: BoundMeasure) -> Ledger:
    """Return how the value comes about, whose contributions add up to it; of an expression by its parts."""
    if isinstance(bound_measure.measure, Expression):
        return expression_ledger(query, bound_measure, [ledger_of(query, part) for part in bound_measure.parts])
    ranked_query = ranked_query_of(query, bound_measure)
    contributions = contributions_of(ranked_query)
    value = float(bound_measure.measure.compute(query.judged(bound_measure.join_options))[0])
    return _put_together(ranked_query, bound_measure, contributions, value)


def ranked_query_of(query: OneQuery, bound_measure: BoundMeasure) -> RankedQuery:
    """Return the list as the measure reads it."""
    judged = query.judged(bound_measure.join_options)
    if bound_measure.measure.parameter("judged_only"):
        judged = judged.judged_only
    return RankedQuery(bound_measure.measure, query, query.ranked(bound_measure.join_options), judged)


def contributions_of(ranked_query: RankedQuery) -> Contributions:
    """Return the contributions by the explainer of the family; for a measure without one (of another package), the
    documents without contributions."""
    measure = ranked_query.measure
    function = explainers().get(measure.name)
    if function is None:
        return _opaque(ranked_query)
    bound = measure.bind(max_grade=ranked_query.judged.max_grade)
    values: dict[str, Any] = {
        parameter.name: bound.parameter(parameter.name) for parameter in measure.family.parameters
    }
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
        nothing, tr("adds"), tr("not known: the measure is a function of another package"), operation="opaque",
        unjudged="",
        rules=(Rule("own",
        tr("The value is computed by {where} from these documents; what each document adds is not known.",
        where=where)),),
    )  # fmt: skip


def _put_together(
    ranked_query: RankedQuery, bound_measure: BoundMeasure, account: Contributions, value: float
) -> Ledger:
    contributions = account.contributions
    total = sequential_sum(contributions)
    columns, cells = _table(ranked_query, account)
    worked, worked_latex = _worked(ranked_query, account, total, value)
    shown = min(len(contributions), ranked_query.n) if account.of_list else ranked_query.n
    return Ledger(
        bound_measure.measure, ranked_query.query.query, ranked_query.query.run.name, columns, cells, contributions,
        contributions if account.credits is None else account.credits, account.attribution, value,
        ranked_query.measure.formula, worked, worked_latex, rules_of(ranked_query, bound_measure, account),
        account.quantities,
        account.offset, account.normaliser, account.least, account.operation, account.text,
        () if account.level is None else ranked_query.missed(account.level, shown),
    )  # fmt: skip


def _worked(ranked_query: RankedQuery, contributions: Contributions, total: float, value: float) -> tuple[str, str]:
    if contributions.operation == "text":
        return (
            f"{usual_name(ranked_query.measure)} = {contributions.text}",
            rf"{latex_name(ranked_query.measure.text)} = {latex_name(contributions.text)}",
        )
    if contributions.operation == "opaque":
        result = value_text(ranked_query.measure, value)
        return (
            f"{usual_name(ranked_query.measure)} = {result}",
            f"{latex_name(ranked_query.measure.text)} = {latex_number(result)}",
        )
    return put_in(ranked_query, contributions, total, value)


def _table(ranked_query: RankedQuery, contributions: Contributions) -> tuple[tuple[Column, ...], tuple[Cells, ...]]:
    """All columns with their cells: rank, document, grade, the family's own, contribution, running, ``beside``."""
    m = len(contributions.contributions)
    ranks = np.arange(1.0, m + 1)
    first: list[tuple[Column, Cells]]
    if contributions.labels is not None:
        first = [contributions.labels]
    elif contributions.judgments is None:
        n_documents = min(m, ranked_query.n)
        documents: tuple[str, ...] = (
            *ranked_query.documents(ranked_query.ranks[:n_documents]),
            *[""] * (m - n_documents),
        )
        first = [(RANK, ranks), (DOCUMENT, documents), (GRADE, filled(ranked_query.grades, m))]
    else:
        grades: Floats = ranked_query.query.asked.grades[contributions.judgments]
        first = [(RANK, ranks), (DOCUMENT, tuple(ids_of_qrels(ranked_query, contributions.judgments))), (GRADE, grades)]
    own: Sequence[tuple[Column, Cells]] = [(column, _long(values, m)) for column, values in contributions.columns]
    adds: list[tuple[Column, Cells]] = []
    if contributions.operation not in ("text", "opaque"):
        adds = [
            (contributions.adds, contributions.contributions),
            (contributions.running, np.cumsum(contributions.contributions)),
        ]
    every = [*first, *own, *adds, *contributions.beside]
    return tuple(name for name, _ in every), tuple(values for _, values in every)


def _long(values: Cells, length: int) -> Cells:
    return values if isinstance(values, tuple) else filled(values, length)

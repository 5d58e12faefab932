"""The ledger of a mean: its queries, what each adds, and which are left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from irviewer.analysis.explain.ledger import bound_measure_of
from irviewer.analysis.explain.ledger_types import ExcludedQuery, MeanLedger, Rule, shares_of, shorten
from irviewer.analysis.explain.wording import latex_name, latex_number, number, value_text
from irviewer.evaluation.evaluate import Joined, missing_queries, value_of
from irviewer.measures.base import Measure
from irviewer.measures.tool_names import usual_name
from irviewer.model.arrays import Floats
from irviewer.model.geometric import logarithms
from irviewer.model.number_text import count_text
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run
from irviewer.translation import tr, trn

FORMULAS = {
    "mean": r"\frac{1}{|Q|} \sum_q x_q",
    "sum": r"\sum_q x_q",
    "geometric": r"\exp\left(\frac{1}{|Q|} \sum_q \log \max(x_q, .00001)\right)",
    "count": "|Q|",
    "none": "",
}
AGGREGATION_RULES = {
    "mean": tr("Every query has the same weight: the values are added in byte order of the ids and divided by {n:,}."),
    "sum": tr("A count: the values of the {n:,} queries are added."),
    "geometric": tr(
        "The logarithms of the {n:,} values, none below .00001, are averaged; the mean is the exponential of the "
        "average. A value of 0 counts as .00001."
    ),
    "count": tr("The queries are counted: {n:,}."),
    "none": tr("The values are texts: there is no mean."),
}


def explain_mean(
    run: Run, qrels: Qrels, measure: str | Measure, options: EvaluationOptions | None = None
) -> MeanLedger:
    """Evaluate a run and return the ledger of its mean. Raises MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    joined = Joined(run, qrels, options)
    ids = joined.under(options.rules.join_options).query_ids
    values = value_of(bound_measure, joined)
    ledger = mean_ledger(bound_measure.measure, run, qrels, ids, values, options)
    lacking = [query for query, value in zip(ids, values.tolist(), strict=True) if math.isnan(value)]
    if not lacking or ledger.aggregate in ("none", "count") or bound_measure.measure.leaves_out:
        return ledger
    # A query that counts but has no value leaves the mean without one: the mean of the others is a different number.
    text = trn(
        "{n:,} query that counts has no value, so there is no mean: {queries}.",
        "{n:,} queries that count have no value, so there is no mean: {queries}.",
        len(lacking),
        queries=shorten(lacking),
    )
    return replace(
        ledger,
        value=math.nan,
        shares=np.full(len(ledger.shares), math.nan),
        worked=f"{usual_name(ledger.measure)} = –",
        worked_latex="",
        rules=(*ledger.rules, Rule("no value", text)),
    )


def mean_ledger(
    measure: Measure, run: Run, qrels: Qrels, query_ids: Sequence[str], values: Floats, options: EvaluationOptions
) -> MeanLedger:
    """Return the ledger of a mean from values float64[q] of ``query_ids``; NaN is left out."""
    valid = np.flatnonzero(~np.isnan(values)) if measure.aggregate != "none" else np.arange(len(values))
    ids = tuple(query_ids[index] for index in valid.tolist())
    values = values[valid]
    value = measure.mean(values)
    counted, left_out = _queries(run, qrels, ids, options)
    worked, latex = _worked(measure, values, value)
    rules = [Rule("aggregate", AGGREGATION_RULES[measure.aggregate].format(n=len(ids)))]
    if counted:
        rules.append(
            Rule(
                "missing",
                trn(
                    "{n:,} of them is not in the run and counts as an empty list: {queries}.",
                    "{n:,} of them are not in the run and count as empty lists: {queries}.",
                    len(counted),
                    queries=shorten([entry.query for entry in counted]),
                ),
            )
        )
    if left_out:
        rules.append(
            Rule(
                "left out",
                trn(
                    "{n:,} query is left out: {queries}.",
                    "{n:,} queries are left out: {queries}.",
                    len(left_out),
                    queries=_grouped(left_out),
                ),
            )
        )
    if options.rules.name != "trec_eval":
        rules.append(
            Rule(
                "dialect",
                tr(
                    "Dialect {dialect}: {rules}.", dialect=options.rules.title, rules="; ".join(options.rules.account())
                ),
            )
        )
    return MeanLedger(
        measure, run.name, ids, values, shares_of(measure, values), value, FORMULAS[measure.aggregate], worked, latex,
        tuple(rules), left_out, counted,
    )  # fmt: skip


def _queries(
    run: Run, qrels: Qrels, ids: tuple[str, ...], options: EvaluationOptions
) -> tuple[tuple[ExcludedQuery, ...], tuple[ExcludedQuery, ...]]:
    """(queries that count although the run lacks them, queries that are left out)."""
    behind = set(ids)
    lacking = set(missing_queries(run, qrels))
    empty = tr("not in the run: counted as an empty list")
    counted = tuple(ExcludedQuery(query, empty) for query in ids if query in lacking)
    relevant: Mapping[str, int] = dict(zip(qrels.query_ids, qrels.relevant_counts().tolist(), strict=True))
    unanswerable = tr("no relevant documents: left out by {dialect}", dialect=options.rules.title)
    missing, valueless, excluded = tr("not in the run"), tr("no value"), []
    for index in qrels.query_order.tolist():
        query = qrels.query_ids[index]
        if query in behind:
            continue
        if query in lacking and options.missing_policy == "intersection":
            excluded.append(ExcludedQuery(query, missing))
        elif not relevant[query] and options.rules.unanswerable == "drop":
            excluded.append(ExcludedQuery(query, unanswerable))
        else:
            excluded.append(ExcludedQuery(query, valueless))
    excluded += [ExcludedQuery(query, tr("no judgments")) for query in run.query_ids if query not in relevant]
    return counted, tuple(excluded)


def _grouped(left_out: Sequence[ExcludedQuery]) -> str:
    by_reason: dict[str, list[str]] = {}
    for entry in left_out:
        by_reason.setdefault(entry.reason, []).append(entry.query)
    return "; ".join(f"{shorten(queries)} ({reason})" for reason, queries in by_reason.items())


def _worked(measure: Measure, values: Floats, value: float) -> tuple[str, str]:
    name, result, n = usual_name(measure), value_text(measure, value), len(values)
    label = latex_name(name)
    if measure.aggregate in ("count", "none"):
        return f"{name} = {result}", f"{label} = {latex_number(result)}"
    if measure.aggregate == "geometric":
        total = float(logarithms(values).sum())
        plain = f"{name} = exp({number(total)} ÷ {count_text(n)}) = {result}"
        latex = rf"{label} = \exp\left(\frac{{{latex_number(number(total))}}}{{{n}}}\right) = {latex_number(result)}"
        return plain, latex
    total = float(values.sum())
    if measure.aggregate == "sum":
        return f"{name} = {result}", f"{label} = {latex_number(result)}"
    return (
        f"{name} = {number(total)} ÷ {count_text(n)} = {result}",
        rf"{label} = \frac{{{latex_number(number(total))}}}{{{n}}} = {latex_number(result)}",
    )

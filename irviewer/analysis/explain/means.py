"""The ledger of a mean: the queries behind it, what each adds, and which are not behind it."""

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
from irviewer.model.arrays import Floats
from irviewer.model.geometric import logarithms
from irviewer.model.number_text import counted as how_many
from irviewer.model.options import EvaluationOptions
from irviewer.model.qrels import Qrels
from irviewer.model.run import Run

FORMULAS = {
    "mean": r"\frac{1}{|Q|} \sum_q x_q",
    "sum": r"\sum_q x_q",
    "geometric": r"\exp\left(\frac{1}{|Q|} \sum_q \log \max(x_q, .00001)\right)",
    "count": "|Q|",
    "none": "",
}
HOW = {
    "mean": "Every query counts alike: the values are added in bytewise order of the query ids and divided by {n:,}.",
    "sum": "A count: the values of the {n:,} queries are added.",
    "geometric": "The logarithms of the {n:,} values, none below .00001, are averaged; the mean is the exponential of "
    "that. A query at 0 weighs as much as one at .00001.",
    "count": "The queries are counted: {n:,}.",
    "none": "The values are texts: there is no mean.",
}


def explain_mean(
    run: Run, qrels: Qrels, measure: str | Measure, options: EvaluationOptions | None = None
) -> MeanLedger:
    """The ledger of a run's mean, evaluated here. Raises MeasureError where the measure is unknown or several."""
    options = options or EvaluationOptions()
    bound_measure = bound_measure_of(measure, qrels, options)
    joined = Joined(run, qrels, options)
    ids = joined.under(options.rules.join_options).query_ids
    values = value_of(bound_measure, joined)
    ledger = mean_ledger(bound_measure.measure, run, qrels, ids, values, options)
    lacking = [query for query, value in zip(ids, values.tolist(), strict=True) if math.isnan(value)]
    if not lacking or ledger.aggregate in ("none", "count"):
        return ledger
    # A query that counts and has no value leaves none for the mean: what the others say is not it.
    queries = how_many(len(lacking), "query that counts has", "queries that count have")
    text = f"{queries} no value: {shorten(lacking)}. So there is no mean."
    return replace(
        ledger,
        value=math.nan,
        shares=np.full(len(ledger.shares), math.nan),
        worked=f"{ledger.measure.text} = –",
        worked_latex="",
        rules=(*ledger.rules, Rule("no value", text)),
    )


def mean_ledger(
    measure: Measure, run: Run, qrels: Qrels, query_ids: Sequence[str], values: Floats, options: EvaluationOptions
) -> MeanLedger:
    """The same from values that are known, float64[q] beside ``query_ids``; NaN is left out."""
    kept = np.flatnonzero(~np.isnan(values)) if measure.aggregate != "none" else np.arange(len(values))
    ids = tuple(query_ids[place] for place in kept.tolist())
    values = values[kept]
    value = measure.mean(values)
    counted, left_out = _queries(run, qrels, ids, options)
    worked, latex = _worked(measure, values, value)
    rules = [Rule("aggregate", HOW[measure.aggregate].format(n=len(ids)))]
    if counted:
        rules.append(
            Rule(
                "missing",
                f"{len(counted):,} of them the run lacks; they count as lists without documents: "
                f"{shorten([one.query for one in counted])}.",
            )
        )
    if left_out:
        rules.append(
            Rule("left out", f"{how_many(len(left_out), 'query is', 'queries are')} not in it: {_grouped(left_out)}.")
        )
    if options.rules.name != "trec_eval":
        rules.append(Rule("dialect", f"{options.rules.title}'s rules hold: {'; '.join(options.rules.account())}."))
    return MeanLedger(
        measure, run.name, ids, values, shares_of(measure, values), value, FORMULAS[measure.aggregate], worked, latex,
        tuple(rules), left_out, counted,
    )  # fmt: skip


def _queries(
    run: Run, qrels: Qrels, ids: tuple[str, ...], options: EvaluationOptions
) -> tuple[tuple[ExcludedQuery, ...], tuple[ExcludedQuery, ...]]:
    """(counted although the run lacks them, left out with the reason)."""
    behind = set(ids)
    lacking = set(missing_queries(run, qrels))
    counted = tuple(
        ExcludedQuery(query, "the run lacks it: counted as a list without documents")
        for query in ids
        if query in lacking
    )
    relevant: Mapping[str, int] = dict(zip(qrels.query_ids, qrels.relevant_counts().tolist(), strict=True))
    left = []
    for place in qrels.query_order.tolist():
        query = qrels.query_ids[place]
        if query in behind:
            continue
        if query in lacking and options.missing_policy == "intersection":
            left.append(ExcludedQuery(query, "the run lacks it"))
        elif not relevant[query] and options.rules.unanswerable == "drop":
            left.append(ExcludedQuery(query, f"no document is relevant: {options.rules.title} leaves such queries out"))
        else:
            left.append(ExcludedQuery(query, "it has no value"))
    left += [ExcludedQuery(query, "nothing is judged for it") for query in run.query_ids if query not in relevant]
    return counted, tuple(left)


def _grouped(left_out: Sequence[ExcludedQuery]) -> str:
    by_reason: dict[str, list[str]] = {}
    for one in left_out:
        by_reason.setdefault(one.reason, []).append(one.query)
    return "; ".join(f"{shorten(queries)} ({reason})" for reason, queries in by_reason.items())


def _worked(measure: Measure, values: Floats, value: float) -> tuple[str, str]:
    name, result, n = measure.text, value_text(measure, value), len(values)
    label = latex_name(name)
    if measure.aggregate in ("count", "none"):
        return f"{name} = {result}", f"{label} = {latex_number(result)}"
    if measure.aggregate == "geometric":
        total = float(logarithms(values).sum())
        plain = f"{name} = exp({number(total)} ÷ {n:,}) = {result}"
        latex = rf"{label} = \exp\left(\frac{{{latex_number(number(total))}}}{{{n}}}\right) = {latex_number(result)}"
        return plain, latex
    total = float(values.sum())
    if measure.aggregate == "sum":
        return f"{name} = {result}", f"{label} = {latex_number(result)}"
    return (
        f"{name} = {number(total)} ÷ {n:,} = {result}",
        rf"{label} = \frac{{{latex_number(number(total))}}}{{{n}}} = {latex_number(result)}",
    )

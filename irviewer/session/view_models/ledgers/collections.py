"""The ledgers of the numbers of Collections: a mean on a collection by query, macro and micro means by collection, and
the random-effects mean of the differences of two systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.model.arrays import Floats, frozen
from irviewer.model.geometric import logarithms
from irviewer.model.number_text import level_text, p_text, percent, score_text, times
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.number_ledger import (
    MEAN,
    number_ledger,
    openable,
    p_rule,
    worked_mean,
)
from irviewer.session.view_models.ledgers.slices import SliceDifference, slice_ledger
from irviewer.tables import column as kinds
from irviewer.tables.column import Column
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.collections.collection_table import CollectionTable

GEOMETRIC = r"\exp\left(\frac{1}{n} \sum_q \ln v_q\right)"
MACRO = r"\frac{1}{k} \sum_c m_c"
GEOMETRIC_MACRO = r"\exp\left(\frac{1}{k} \sum_c \ln m_c\right)"
MICRO = r"\frac{\sum_c \sum_q v_{cq}}{\sum_c n_c}"
GEOMETRIC_MICRO = r"\exp\left(\frac{\sum_c \sum_q \ln v_{cq}}{\sum_c n_c}\right)"
WEIGHTED = r"\frac{\sum_c w_c \Delta_c}{\sum_c w_c}, \quad w_c = \frac{1}{v_c + \tau^2}"


def cell_ledger(table: CollectionTable, system: int, place: int, known: frozenset[str]) -> LedgerViewModel:
    """Return the ledger of a system's mean on a collection, by query; ``known`` are the queries that can be opened."""
    collection, name = table.values[place], table.systems[system]
    every = collection.runs.values[collection.runs.place(name)]
    places = np.flatnonzero(~np.isnan(every))
    values = every[places]
    order = np.argsort(-values if table.higher_is_better else values, kind="stable")
    queries = tuple(collection.runs.query_ids[query] for query in places[order].tolist())
    columns: list[Column] = [
        kinds.identifier("query", tr("query"), queries, tip=tr("The queries, the best first")),
        kinds.number("value", table.measure, frozen(values[order]), tip=tr("Value of {run}", run=name)),
    ]
    parts = values
    if table.geometric:
        parts = logarithms(values)
        columns.append(kinds.number("log", tr("ln"), frozen(parts[order]), tip=tr("Natural logarithm")))
    worked, shown = _mean_of(parts.tolist(), len(values), table)
    rules = [] if len(places) == len(every) else [
        trn("{n:,} query without a value is left out.", "{n:,} queries without a value are left out.",
            len(every) - len(places))
    ]  # fmt: skip
    comparison = table.compared[place]
    if comparison is not None and table.baseline is not None and system != table.baseline:
        pair = comparison.find(name)
        rules.append(tr("Compared with {baseline}: Δ {difference}.", baseline=table.systems[table.baseline],
                        difference=pair.change.text))  # fmt: skip
        rules.append(p_rule(pair))
    title = tr("Why is {measure} of {system} on {collection} {value}?", measure=table.measure, system=name,
               collection=collection.name, value=shown)  # fmt: skip
    return number_ledger(
        title, columns, worked, GEOMETRIC if table.geometric else MEAN, [*rules, *collection.notes],
        queries=openable(queries, known), measure=table.measure,
    )  # fmt: skip


def macro_ledger(table: CollectionTable, system: int) -> LedgerViewModel:
    """Return the ledger of a system's mean over the collections that every system has, by collection."""
    inside = np.flatnonzero(table.complete)
    means = table.means[system, inside]
    columns = _of_collections(table, inside)
    columns.append(kinds.number("mean", tr("mean"), frozen(means), tip=tr("Mean over the collection's queries")))
    parts = means
    if table.geometric:
        parts = np.log(means)
        columns.append(kinds.number("log", tr("ln"), frozen(parts), tip=tr("Natural logarithm")))
    worked, shown = _mean_of(parts.tolist(), len(means), table)
    title = tr("Why is the macro {measure} of {system} {value}?", measure=table.measure, system=table.systems[system],
               value=shown)  # fmt: skip
    rules = [tr("Every collection counts the same."), *_left_out(table)]
    formula = GEOMETRIC_MACRO if table.geometric else MACRO
    return number_ledger(title, columns, worked, formula, rules, measure=table.measure)


def micro_ledger(table: CollectionTable, system: int) -> LedgerViewModel:
    """Return the ledger of a system's mean over all queries of the collections that every system has: how many queries
    and what sum each collection adds."""
    inside, name = np.flatnonzero(table.complete), table.systems[system]
    counts, sums = [], []
    for place in inside.tolist():
        runs = table.values[place].runs
        values = runs.values[runs.place(name)]
        values = values[~np.isnan(values)]
        counts.append(len(values))
        sums.append(math.fsum((logarithms(values) if table.geometric else values).tolist()))
    columns = _of_collections(table, inside, np.array(counts, dtype=np.float64))
    meaning = tr("Sum of the logarithms of the values") if table.geometric else tr("Sum of the values")
    columns.append(kinds.number("sum", tr("sum"), frozen(np.array(sums)), tip=meaning))
    worked, shown = _mean_of(sums, sum(counts), table)
    title = tr("Why is the micro {measure} of {system} {value}?", measure=table.measure, system=name, value=shown)
    rules = [tr("Every query counts the same."), *_left_out(table)]
    formula = GEOMETRIC_MICRO if table.geometric else MICRO
    return number_ledger(title, columns, worked, formula, rules, measure=table.measure)


def forest_row_ledger(
    table: CollectionTable, system: str, other: str, place: int, known: frozenset[str]
) -> LedgerViewModel:
    """Return the ledger of the difference of two systems on a collection, by query, with its weight in the mean over
    collections."""
    from irviewer.analysis.collections.collection_table import forest

    plot = forest(table, system, other)
    row, runs = plot.rows[place], table.values[place].runs
    assert row.pair is not None
    values = runs.only([runs.place(other), runs.place(system)])
    ledger = slice_ledger(values, SliceDifference(row.collection, runs.query_ids, row.pair), known)
    if row.excluded:
        return replace(ledger, rules=(*ledger.rules, tr("It has no weight in the mean: {why}.", why=row.excluded)))
    if plot.overall.k < 2:
        return ledger
    variance = row.pair.deviation**2 / row.pair.n
    sentence = tr(
        "Weight in the mean: 1 ÷ (v + τ²) = 1 ÷ ({variance} + {tau2}) = {weight}, {share} of all weights; v is the "
        "deviation of the differences, squared, ÷ n.",
        variance=_g(variance), tau2=_g(plot.overall.tau2), weight=_g(1 / (variance + plot.overall.tau2)),
        share=percent(row.weight),
    )  # fmt: skip
    return replace(ledger, rules=(*ledger.rules, sentence))


def forest_mean_ledger(table: CollectionTable, system: str, other: str) -> LedgerViewModel:
    """Return the ledger of the random-effects mean of the differences of two systems, by collection."""
    from irviewer.analysis.collections.collection_table import forest
    from irviewer.analysis.collections.random_effects import ESTIMATORS

    plot = forest(table, system, other)
    overall = plot.overall
    pairs = [(row, row.pair) for row in plot.rows if not row.excluded and row.pair is not None]
    deltas = np.array([pair.difference for _, pair in pairs])
    variances = np.array([pair.deviation**2 / pair.n for _, pair in pairs])
    weights = 1 / (variances + overall.tau2)
    delta = tr("Δ ln") if plot.geometric else "Δ"
    columns: list[Column] = [
        kinds.text("collection", tr("collection"), tuple(row.collection for row, _ in pairs),
                   tip=tr("Collections with a difference and a spread")),
        kinds.number("n", "n", frozen(np.array([pair.n for _, pair in pairs], dtype=np.float64)), whole=True,
                     tip=tr("Queries that both systems have")),
        kinds.number("delta", delta, frozen(deltas), tip=tr("{run} − {baseline}", run=system, baseline=other)),
        kinds.number("variance", "v", frozen(variances), decimals=6,
                     tip=tr("Variance of Δ: the deviation of the differences, squared, ÷ n")),
        kinds.number("weight", "w", frozen(weights), decimals=2, tip=tr("Weight: 1 ÷ (v + τ²)")),
        kinds.number("share", tr("share"), frozen(weights / weights.sum()),
                     tip=tr("Share of the sum of the weights")),
        kinds.number("adds", "w × Δ", frozen(weights * deltas), tip=tr("What the collection adds to the sum")),
    ]  # fmt: skip
    worked = (
        f"{score_text(float((weights * deltas).sum()))} ÷ {_two(float(weights.sum()))} = {score_text(overall.mean)}"
    )
    half = (overall.high - overall.low) / 2
    fixed = 1 / variances
    spare = float(fixed.sum() - (fixed**2).sum() / fixed.sum())
    rules = [
        tr("τ² = max(0, (Q − {df}) ÷ {spare}) = {tau2}, with Q = {q}: the sum of (Δ − the mean with weights 1 ÷ v)² "
           "÷ v, and {spare}: the sum of 1 ÷ v, less the sum of its squares ÷ that sum ({estimator}).",
           df=overall.k - 1, spare=_two(spare), tau2=_g(overall.tau2), q=score_text(overall.q),
           estimator=ESTIMATORS[overall.estimator]),
        tr("{level} interval: {mean} ± {factor} × {error} = [{low}, {high}], with Student's t at df {df} and the "
           "standard error by Hartung and Knapp: √(max(1, sum of w × (Δ − mean)² ÷ {df}) ÷ sum of w).",
           level=level_text(overall.level), mean=score_text(overall.mean), factor=score_text(half / overall.error),
           error=score_text(overall.error), low=score_text(overall.low), high=score_text(overall.high),
           df=overall.k - 1),
        tr("t = {mean} ÷ {error} = {t}, {p}.", mean=score_text(overall.mean), error=score_text(overall.error),
           t=score_text(overall.mean / overall.error), p=p_text(overall.p)),
    ]  # fmt: skip
    if not math.isnan(overall.new_low):
        rules.append(
            tr("A new collection: {mean} ± t(df {df}) × √(τ² + {error}²) = [{low}, {high}].",
               mean=score_text(overall.mean), df=overall.k - 2, error=score_text(overall.error),
               low=score_text(overall.new_low), high=score_text(overall.new_high))
        )  # fmt: skip
    if plot.geometric:
        rules.append(tr("Differences are of logarithms: the mean is the ratio {ratio}.",
                        ratio=times(math.exp(overall.mean))))  # fmt: skip
    rules += [tr("{collection} is left out: {why}.", collection=row.collection, why=row.excluded)
              for row in plot.rows if row.excluded]  # fmt: skip
    title = tr("Why is the mean Δ {measure} of {system} and {other} over the collections {value}?",
               measure=table.measure, system=system, other=other, value=score_text(overall.mean))  # fmt: skip
    return number_ledger(title, columns, worked, WEIGHTED, rules, measure=table.measure)


def _of_collections(table: CollectionTable, inside: np.ndarray, counts: Floats | None = None) -> list[Column]:
    queries = frozen(table.queries[inside].astype(np.float64)) if counts is None else counts
    return [
        kinds.text("collection", tr("collection"), tuple(table.collections[place] for place in inside.tolist()),
                   tip=tr("The collections that have every system")),
        kinds.number("n", "n", queries, whole=True, tip=tr("Queries of the collection")),
    ]  # fmt: skip


def _left_out(table: CollectionTable) -> list[str]:
    return [
        tr("{collection} is left out: no value of {systems}.", collection=name, systems=", ".join(systems))
        for name, systems in table.incomplete
    ]


def _mean_of(parts: Sequence[float], n: int, table: CollectionTable) -> tuple[str, str]:
    return worked_mean(parts, n, ratio=False if table.geometric else None)


def _g(value: float) -> str:
    """Return a variance or weight with four digits."""
    return decimal(f"{value:.4g}").replace("-", "−")


def _two(value: float) -> str:
    return decimal(f"{value:,.2f}").replace("-", "−")

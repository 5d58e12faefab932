"""The view model of the ledger of a number of a view: its columns, the formula, and what is said of an interval and a
test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irviewer.model.number_text import count_text, level_text, limit, score_text, times
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.tables.column import Column, Values
from irviewer.tables.table import Remark, Table
from irviewer.translation import tr

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison

MEAN = r"\frac{1}{n} \sum_q v_q"


def number_ledger(
    title: str,
    columns: Sequence[Column],
    worked: str,
    formula: str,
    rules: Sequence[str],
    *,
    queries: tuple[str, ...] = (),
    measure: str = "",
) -> LedgerViewModel:
    """Return the view model of a ledger: ``queries`` are those that the rows open, "" for none."""
    notes = [Remark("worked", worked, warns=False), *(Remark("rule", rule, warns=False) for rule in rules)]
    table = Table("ledger", title, tuple(columns), opens="query" if queries else "", notes=tuple(notes))
    return LedgerViewModel(
        title=title, note="", run=None, measure=measure, table=table, documents=queries or ("",) * table.n_rows,
        selected=-1, worked=worked, formula=formula, worked_latex="", rules=tuple(rules), max_grade=0.0,
        difference=None, mean=True, explanation="",
    )  # fmt: skip


def openable(queries: Values, known: frozenset[str]) -> tuple[str, ...]:
    """Return the queries that a row can open; "" for one that the judge in force has not judged."""
    return tuple(query if query in known else "" for query in map(str, queries))


def worked_mean(parts: Sequence[float], n: int, *, ratio: bool | None = None) -> tuple[str, str]:
    """Return the formula of a mean with its numbers, and the mean as text. ``ratio`` is for parts that are logarithms:
    False for those of a geometric mean, True for those of a ratio of two."""
    total = math.fsum(parts)
    if ratio is None:
        shown = score_text(total / n)
        return f"{score_text(total)} ÷ {count_text(n)} = {shown}", shown
    power = math.exp(total / n)
    shown = times(power) if ratio else score_text(power)
    return f"exp({score_text(total)} ÷ {count_text(n)}) = {shown}", shown


def interval_rule(pair: RunComparison) -> str:
    """Return how the interval of a difference was computed, with its numbers."""
    interval = pair.interval
    if interval.method != "t" or math.isnan(interval.low):
        ends = limit((1 - interval.level) / 2), limit((1 + interval.level) / 2)
        if math.isnan(interval.low):
            return interval.sentence
        quantiles = tr("Its ends are the quantiles {low} and {high} of the mean Δ of the samples", low=ends[0],
                       high=ends[1])  # fmt: skip
        if interval.method == "bca":
            quantiles = tr("{quantiles}, shifted for bias and acceleration", quantiles=quantiles)
        return f"{pair.shown_interval.sentence} {quantiles}."
    half = (interval.high - interval.low) / 2
    spread = score_text(pair.deviation)
    factor = half / (pair.deviation / math.sqrt(pair.n)) if pair.deviation > 0 else math.nan
    return tr(
        "{level} interval: {difference} ± {factor} × {deviation} ÷ √{n} = [{low}, {high}], with Student's t at df {df} "
        "and the deviation of the differences.",
        level=level_text(interval.level), difference=score_text(pair.difference), factor=score_text(factor),
        deviation=spread, n=pair.n, low=score_text(interval.low), high=score_text(interval.high), df=pair.n - 1,
    )  # fmt: skip


def p_rule(pair: RunComparison) -> str:
    """Return how the declared test of a difference got its p, with its numbers."""
    if pair.undecided:
        return f"{pair.undecided[:1].upper()}{pair.undecided[1:]}."
    test = pair.decision
    if test.name == "t" and pair.deviation > 0:
        worked = tr(
            "t = {difference} ÷ ({deviation} ÷ √{n}) = {t}, df {df}.",
            difference=score_text(pair.difference), deviation=score_text(pair.deviation), n=pair.n,
            t=score_text(test.statistic), df=pair.n - 1,
        )  # fmt: skip
        return f"{test.sentence} {worked}"
    return test.sentence

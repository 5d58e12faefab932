"""The view model of the systems under each judge: the orders compared, values and ranks, and whom a judge favours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import percent
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.judges.agreement import interval_text, signed, statistic_text
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge, SystemsUnderJudge

MARK = " ◆"
"""Stands after a run that uses a model of the judge's family."""
MOST_SLOPES = 15
"""With more runs there are no slopes."""
MOST_NAMED = 4
"""So many pairs of runs that change order are named."""


@dataclass(frozen=True)
class OrderRow:
    """A judge in the table of orders; texts are "" for the reference and where there is no order to compare.

    counts   pairs of runs: same direction and significant under both, one, neither; opposite and significant under one
             or none, both; of the best runs the same, opposite; None without an order
    ends     Kendall's tau between the ends of its interval: low, value, high; NaN where there is none
    """

    name: str
    judgments: int
    tau: str
    tau_interval: str
    tau_ap: str
    tau_ap_interval: str
    split_half: str
    counts: tuple[int, ...] | None
    significant: int | None
    tip: str
    ends: tuple[float, float, float] = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class JudgeColumn:
    """The runs under one judge, in the order of the table: means with intervals, ranks, and ranks gained."""

    name: str
    values: Floats
    low: Floats
    high: Floats
    ranks: Ints
    changes: Ints
    is_reference: bool


@dataclass(frozen=True, eq=False)
class SystemsByJudgeViewModel:
    """What the view Systems by judge shows of N runs.

    orders     a row for each judge, the reference first
    chosen     the row of the judge that is compared in the plot
    runs       the runs, the reference's best first, with ◆ where one uses a model of the chosen judge's family
    columns    the runs under each judge, in the order of ``orders``
    grades     float64[3, N]: chosen judge minus reference on each run's first documents, low, middle, high; None where
               the scales differ; ``grade_mean`` is that of all runs
    opposite   the pairs that change order under the chosen judge, a line each
    warning    why the judge's own family may be favoured, "" otherwise
    """

    title: str
    note: str
    explanation: str
    measure: str = ""
    depth: int = 10
    orders: tuple[OrderRow, ...] = ()
    places: tuple[int, ...] = ()
    chosen: int = 0
    runs: tuple[RunLabel, ...] = ()
    columns: tuple[JudgeColumn, ...] = ()
    grades: Floats | None = None
    grade_mean: float = math.nan
    opposite_title: str = ""
    opposite: tuple[str, ...] = ()
    warning: str = ""
    below: tuple[str, ...] = ()
    top: int = 5
    keys: tuple[int, ...] = field(default_factory=tuple)

    @property
    def slopes(self) -> bool:
        """Whether there are few enough runs for slopes."""
        return len(self.runs) <= MOST_SLOPES


def build_systems_by_judge_view_model(
    names: Sequence[str],
    systems: SystemsByJudge | None,
    labels: Sequence[RunLabel],
    measure: str,
    chosen: int,
) -> SystemsByJudgeViewModel:
    """Return the view model; ``chosen`` is the judge compared with the reference, ``labels`` those of the runs."""
    title = tr("Systems by judge")
    if len(names) < 2:
        text = tr("Systems by judge needs two judgment sets: open another qrels file as another judge.")
        return SystemsByJudgeViewModel(title, "", text)
    if not labels:
        return SystemsByJudgeViewModel(title, "", tr("Systems by judge needs runs: open the runs of some systems."))
    if systems is None:
        return SystemsByJudgeViewModel(title, "", tr("Computing …"))
    reference = systems.reference
    places = (reference, *(position for position in range(len(names)) if position != reference))
    chosen = chosen if chosen != reference else places[1]
    judge = systems.judges[chosen]
    order = systems.order
    marked = judge.marked[order].tolist()
    runs = tuple(
        replace(labels[run], name=labels[run].name + MARK) if mark else labels[run]
        for run, mark in zip(order.tolist(), marked, strict=True)
    )
    grades = judge.grades
    stacked = None if grades is None else np.stack([grades.low[order], grades.values[order], grades.high[order]])
    title = trn(
        "Order of {n} system by {measure} under {judges} judges",
        "Order of {n} systems by {measure} under {judges} judges",
        len(labels), measure=measure, judges=len(names),
    )  # fmt: skip
    queries = len(systems.judges[reference].queries)
    note = trn(
        "{n} query, the same resamples for both judges · significant: paired t, Holm over all pairs",
        "{n} queries, the same resamples for both judges · significant: paired t, Holm over all "
        "pairs", queries,
    )  # fmt: skip
    opposite_title, opposite = _opposite(systems, judge, [label.name for label in labels], names[reference])
    return SystemsByJudgeViewModel(
        title,
        note,
        "",
        measure,
        systems.depth,
        tuple(_order_row(systems.judges[place], place == reference) for place in places),
        places,
        places.index(chosen),
        runs,
        tuple(_column(systems.judges[place], order, place == reference) for place in places),
        stacked,
        math.nan if grades is None else grades.mean,
        opposite_title,
        opposite,
        _warning(judge),
        (_judged(systems), *systems.notes),
        systems.top,
        tuple(labels[run].key for run in order.tolist()),
    )


def _order_row(judge: SystemsUnderJudge, is_reference: bool) -> OrderRow:
    order, counts, top = judge.order, judge.counts, judge.top_counts
    half = "–" if judge.split_half is None else statistic_text("tau", judge.split_half)
    if order is None or counts is None or top is None:
        word = tr("reference") if is_reference else "–"
        return OrderRow(judge.judge, judge.judgments, word, "", "", "", half, None, judge.significant, judge.reason)
    tip = tr(
        "Kendall's tau-b and tau-AP of the orders of runs; tau-AP gives the top more weight. "
        "Split-half tau compares the judge with itself on random halves of the queries; it is a "
        "guide, not a bound."
    )
    return OrderRow(
        judge.judge,
        judge.judgments,
        statistic_text("tau", order.tau.value),
        interval_text(order.tau.low, order.tau.high),
        statistic_text("tau", order.tau_ap.value),
        interval_text(order.tau_ap.low, order.tau_ap.high),
        half,
        (
            counts.same_both,
            counts.same_one,
            counts.same_neither,
            counts.opposite_one + counts.opposite_neither,
            counts.opposite_both,
            top.same,
            top.opposite,
        ),
        judge.significant,
        tip,
        (_number(order.tau.low), _number(order.tau.value), _number(order.tau.high)),
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _column(judge: SystemsUnderJudge, order: Ints, is_reference: bool) -> JudgeColumn:
    return JudgeColumn(
        judge.judge,
        judge.values[order],
        judge.low[order],
        judge.high[order],
        judge.ranks[order],
        judge.rank_change[order],
        is_reference,
    )


def _opposite(
    systems: SystemsByJudge, judge: SystemsUnderJudge, runs: Sequence[str], reference: str
) -> tuple[str, tuple[str, ...]]:
    pairs = judge.opposite
    if judge.pairs is None:
        return judge.reason, ()
    both = sum(pair.significant_by_reference and pair.significant_by_judge for pair in pairs)
    title = trn(
        "Opposite under {judge}: {n} pair, significant under both: {both}",
        "Opposite under {judge}: {n} pairs, significant under both: {both}",
        len(pairs), judge=judge.judge, both=both,
    )  # fmt: skip
    lines = [
        tr(
            "{first} − {second}: {reference} {by_reference}, {judge} {by_judge}",
            first=runs[pair.first], second=runs[pair.second], reference=reference, judge=judge.judge,
            by_reference=_difference(pair.by_reference), by_judge=_difference(pair.by_judge),
        )
        for pair in pairs[:MOST_NAMED]
    ]  # fmt: skip
    if len(pairs) > MOST_NAMED:
        lines.append(trn("and {n} more", "and {n} more", len(pairs) - MOST_NAMED))
    return title, tuple(lines)


def _difference(value: float) -> str:
    text = decimal(f"{abs(value):.3f}".replace("0.", ".", 1))
    return ("+" if value >= 0 else "−") + text


def _warning(judge: SystemsUnderJudge) -> str:
    gain = judge.family_gain
    if gain is None or not gain.warns or gain.gain.value is None:
        return ""
    return tr(
        "Runs that use a model of {judge}'s family gain {gain} more than the others under it: {runs}.",
        judge=judge.judge, gain=signed(gain.gain.value), runs=", ".join(gain.runs),
    )  # fmt: skip


def _judged(systems: SystemsByJudge) -> str:
    shares = np.concatenate([judge.judged for judge in systems.judges])
    shares = shares[~np.isnan(shares)]
    if not len(shares):
        return ""
    return tr(
        "judged in the top {k}: {least} to {most}",
        k=systems.depth, least=percent(float(shares.min())), most=percent(float(shares.max())),
    )  # fmt: skip

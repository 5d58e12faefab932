"""The view model of the systems under each judge: the orders compared, values and ranks, and whom a judge favours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.hidden_characters import escape_hidden
from irviewer.model.arrays import Floats, Ints
from irviewer.model.number_text import percent
from irviewer.rendering.run_label import RunLabel
from irviewer.session.view_models.judges.agreement import signed
from irviewer.tables.table import Table
from irviewer.translation import decimal, tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.agreement.systems_by_judge import SystemsByJudge, SystemsUnderJudge
    from irviewer.evaluation.bind import BoundProtocol

MOST_SLOPES = 15
"""With more runs there are no slopes."""
MOST_NAMED = 4
"""So many pairs of runs that change order are named."""


@dataclass(frozen=True, eq=False)
class JudgeColumn:
    """The runs under one judge, in the order of the table: means with intervals, and ranks; ``key`` begins the keys of
    its columns in the table."""

    name: str
    key: str
    values: Floats
    low: Floats
    high: Floats
    ranks: Ints

    @property
    def shown_name(self) -> str:
        """The name of the judge, hidden characters as escapes."""
        return escape_hidden(self.name)


@dataclass(frozen=True, eq=False)
class SystemsByJudgeViewModel:
    """What the view Systems by judge shows of N runs.

    orders     the table of the view with a row for each judge, shown in the order ``places``: the reference first
    chosen     the place of the judge in ``places`` that is compared in the plot
    by_judge   the table of the view with a row for each run, the reference's best first
    runs       the labels of its rows, with ◆ where a run uses a model of a judge's family
    columns    the runs under each judge, in the order of ``places``
    grade_mean mean over all runs of the chosen judge's grade minus the reference's; NaN where the scales differ
    opposite   the pairs that change order under the chosen judge, a line each
    warning    why the judge's own family may be favoured, "" otherwise
    """

    title: str
    note: str
    explanation: str
    measure: str = ""
    depth: int = 10
    orders: Table | None = None
    by_judge: Table | None = None
    places: tuple[int, ...] = ()
    chosen: int = 0
    runs: tuple[RunLabel, ...] = ()
    columns: tuple[JudgeColumn, ...] = ()
    grade_mean: float = math.nan
    opposite_title: str = ""
    opposite: tuple[str, ...] = ()
    warning: str = ""
    below: tuple[str, ...] = ()

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
    bound: BoundProtocol | None,
    failure: str = "",
) -> SystemsByJudgeViewModel:
    """Return the view model; ``chosen`` is the judge compared with the reference, ``labels`` those of the runs,
    ``failure`` why there are no values."""
    title = tr("Systems by judge")
    if len(names) < 2:
        text = tr("Systems by judge needs two judgment sets: open another qrels file as another judge.")
        return SystemsByJudgeViewModel(title, "", text)
    if not labels:
        return SystemsByJudgeViewModel(title, "", tr("Systems by judge needs runs: open the runs of some systems."))
    if systems is None:
        return SystemsByJudgeViewModel(title, "", failure or tr("Computing …"))
    from irviewer.views.agreement import FAMILY_SIGN, by_judge_keys, judges_in_order, tables_of_systems

    reference, places = systems.reference, judges_in_order(systems)
    chosen = chosen if chosen != reference else places[1]
    judge = systems.judges[chosen]
    order = systems.order
    result = tables_of_systems(systems, bound)
    by_judge, keys = result.table("by_judge"), by_judge_keys(systems)
    runs = tuple(
        replace(labels[run], name=f"{labels[run].name} {FAMILY_SIGN}")
        if (row, "run") in by_judge.marks else labels[run]
        for row, run in enumerate(order.tolist())
    )  # fmt: skip
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
        result.table("orders"),
        by_judge,
        places,
        places.index(chosen),
        runs,
        tuple(_column(systems.judges[place], order, keys[place]) for place in places),
        math.nan if judge.grades is None else judge.grades.mean,
        opposite_title,
        opposite,
        _warning(judge),
        (_judged(systems), *systems.notes),
    )


def _column(judge: SystemsUnderJudge, order: Ints, key: str) -> JudgeColumn:
    return JudgeColumn(
        judge.judge, key, judge.values[order], judge.low[order], judge.high[order], judge.ranks[order]
    )  # fmt: skip


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
    least, most = percent(float(shares.min())), percent(float(shares.max()))
    if least == most:
        return tr("judged in the top {k}: {share}", k=systems.depth, share=most)
    return tr("judged in the top {k}: {least} to {most}", k=systems.depth, least=least, most=most)

"""The ledger of the difference of two runs on a slice: its queries with both values, their mean difference, how the
interval and p are computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from irviewer.analysis.statistics.significance.by_signs import as_worst
from irviewer.analysis.statistics.significance.corrections import CORRECTIONS
from irviewer.model.arrays import Floats, frozen
from irviewer.session.view_models.ledgers.ledger import LedgerViewModel
from irviewer.session.view_models.ledgers.number_ledger import (
    interval_rule,
    number_ledger,
    openable,
    p_rule,
    worked_mean,
)
from irviewer.tables import column as kinds
from irviewer.tables.column import Column
from irviewer.translation import tr, trn

if TYPE_CHECKING:
    from irviewer.analysis.statistics.run_comparison import RunComparison
    from irviewer.analysis.statistics.run_values import RunValues

MEAN_DIFFERENCE = r"\Delta = \frac{1}{n} \sum_q (a_q - b_q)"
RATIO = r"\exp\left(\frac{1}{n} \sum_q (\ln a_q - \ln b_q)\right)"
SIGNS = r"\mathrm{sign}(a_q - b_q)"


@dataclass(frozen=True)
class SliceDifference:
    """The difference of two runs on a slice, or on all queries.

    query_ids    the queries of the slice, whether both runs have them or not
    p, corrected as the table writes them; "" where the table has none
    correction   its name, over ``family`` slices
    """

    name: str
    query_ids: tuple[str, ...]
    pair: RunComparison
    p: str = ""
    corrected: str = ""
    correction: str = ""
    family: int = 0


def slice_ledger(values: RunValues, difference: SliceDifference, known: frozenset[str]) -> LedgerViewModel:
    """Return the ledger of a difference. ``values`` are those of the baseline and the run, in this order; ``known`` the
    queries that can be opened."""
    from irviewer.analysis.slices.slices import LEAST_QUERIES

    pair = difference.pair
    inside = set(difference.query_ids)
    own = values.at(
        np.array([position for position, query in enumerate(values.query_ids) if query in inside], np.int64)
    )
    columns, deltas = difference_columns(own, pair)
    title, worked, formula = _worked(pair, deltas, difference.name)
    rules = [] if pair.by_signs else [interval_rule(pair)]
    too_few = bool(difference.p) and pair.n < LEAST_QUERIES
    few = tr("A slice with fewer than {n} queries has no p.", n=LEAST_QUERIES)
    rules.append(few if too_few else p_rule(_uncorrected(pair, difference)))
    if difference.corrected and difference.family > 1:
        correction = CORRECTIONS[difference.correction]
        if correction:
            rules.append(tr("After {correction} over {n:,} slices: p {p}.", correction=correction, n=difference.family,
                            p=_p_text(difference.corrected)))  # fmt: skip
        else:
            rules.append(tr("p is not corrected for the {n:,} slices.", n=difference.family))
    left = len(difference.query_ids) - len(deltas)
    if left:
        rules.append(trn("{n:,} query that one of the two lacks is left out.",
                         "{n:,} queries that one of the two lacks are left out.", left))  # fmt: skip
    return number_ledger(
        title, columns, worked, formula, rules, queries=openable(columns[0].values, known), measure=values.measure
    )


def difference_columns(values: RunValues, pair: RunComparison) -> tuple[list[Column], Floats]:
    """Return the columns of the queries that both have, the run's largest gain first, and their differences: of
    logarithms for geometric means; 1 better, -1 worse where some run never reaches a value. ``values`` are those of the
    other run and of the run, in this order."""
    if pair.by_signs:
        filled = as_worst(values.values, values.unreached, values.higher_is_better)
        deltas = np.sign(filled[1] - filled[0]) * (1 if values.higher_is_better else -1)
    else:
        deltas = values.difference(1, 0)
    places = np.flatnonzero(~np.isnan(deltas))
    base, run, deltas = values.values[0, places], values.values[1, places], deltas[places]
    better = deltas if pair.higher_is_better or pair.by_signs else -deltas
    order = np.argsort(-better, kind="stable")
    ids = tuple(values.query_ids[position] for position in places[order].tolist())
    delta = tr("Δ ln") if pair.geometric else tr("sign") if pair.by_signs else "Δ"
    meaning = (
        tr("Difference of the natural logarithms")
        if pair.geometric
        else tr("1 where {run} is better, −1 where it is worse", run=pair.run_name)
        if pair.by_signs
        else tr("{run} − {baseline}", run=pair.run_name, baseline=pair.other_name)
    )
    columns: list[Column] = [
        kinds.identifier("query", tr("query"), ids, tip=tr("The queries, the largest gain first")),
        kinds.number("run", pair.run_name, frozen(run[order]), tip=tr("Value of {run}", run=pair.run_name)),
        kinds.number("base", pair.other_name, frozen(base[order]), tip=tr("Value of {run}", run=pair.other_name)),
        kinds.number("delta", delta, frozen(deltas[order]), whole=pair.by_signs,
                     tip=meaning),
    ]  # fmt: skip
    return columns, deltas


def _worked(pair: RunComparison, deltas: Floats, name: str) -> tuple[str, str, str]:
    """Return the title, the formula with its numbers and the formula as LaTeX."""
    n = len(deltas)
    if pair.by_signs:
        title = tr("Why is there no Δ {measure} of {slice}?", measure=pair.measure, slice=name)
        worked = tr("{wins} better · {ties} equal · {losses} worse", wins=pair.wins, ties=pair.ties,
                    losses=pair.losses)  # fmt: skip
        return title, worked, SIGNS
    worked, shown = worked_mean(deltas.tolist(), n, ratio=True if pair.geometric else None)
    if pair.geometric:
        title = tr("Why is the ratio of {measure} of {slice} {value}?", measure=pair.measure, slice=name, value=shown)
        return title, worked, RATIO
    title = tr("Why is Δ {measure} of {slice} {value}?", measure=pair.measure, slice=name, value=shown)
    return title, worked, MEAN_DIFFERENCE


def _uncorrected(pair: RunComparison, difference: SliceDifference) -> RunComparison:
    """Return the pair of a slice without its correction, which has a rule of its own; all queries keep theirs."""
    if not difference.corrected:
        return pair
    alone = replace(pair.decision, p_corrected=pair.decision.p, correction="", comparisons=1)
    return replace(pair, tests=tuple(alone if test.name == alone.name else test for test in pair.tests))


def _p_text(shown: str) -> str:
    """Return a p as a sentence writes it."""
    return shown if shown.startswith(("<", "≤")) else f"= {shown}"

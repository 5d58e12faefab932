"""Ledgers of interpolated precision: the best precision from a recall level on, and the average of eleven."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Cells, Contributions, RankedQuery, account, explainer, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.model.arrays import Bools, Floats
from irviewer.model.recall_cuts import documents_taken
from irviewer.translation import tr

CUT_RULES = {"nearest": "lround(r·R)", "up": "int(r·R + .9)", "exact": tr("the fewest n with n / R ≥ r")}


def _best(precision: Floats, relevant: Bools, needed: float) -> int:
    """The row of the best precision at a relevant document from the one that reaches the recall on; -1: never."""
    rows = np.flatnonzero(relevant & (np.cumsum(relevant) >= needed))
    return int(rows[np.argmax(precision[rows])]) if len(rows) else -1


def _columns(ranked_query: RankedQuery, relevant: Bools, precision: Floats) -> tuple[tuple[Column, Cells], ...]:
    return (
        (Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0), yes_no(relevant)),
        (
            Column("found", tr("found"), tr("relevant documents down to this rank"), "int", 0),
            np.cumsum(relevant).astype(float),
        ),
        (Column("precision", tr("P at rank"), tr("the share of relevant documents down to this rank")), precision),
    )


@explainer("IPrec")
def interpolated_precision(ranked_query: RankedQuery, rel: float, cut: str, cutoff: float) -> Contributions:
    """The best precision where the recall is reached, or below."""
    relevant = ranked_query.relevant(rel)
    precision = np.cumsum(relevant) / ranked_query.ranks
    total = ranked_query.relevant_count(rel)
    needed = float(documents_taken(cutoff, np.array(total), cut))
    row = _best(precision, relevant, needed)
    adds = np.zeros(ranked_query.n)
    if row >= 0:
        adds[row] = precision[row]
    reached = (
        tr("the best precision from that rank on is at rank {rank}", rank=row + 1)
        if row >= 0
        else tr("the list does not have that many")
    )
    return account(
        adds,
        tr("best precision"),
        tr("the best precision from the recall level on"),
        columns=_columns(ranked_query, relevant, precision),
        level=rel,
        quantities=(ranked_query.count_of(rel),),
        rules=(
            Rule(
                "own",
                tr(
                    "Recall {cutoff:g} needs {CUT_RULES} = {needed:.0f} relevant documents; {reached}.",
                    cutoff=cutoff,
                    CUT_RULES=CUT_RULES[cut],
                    needed=needed,
                    reached=reached,
                ),
            ),
        ),
    )


@explainer("11pt_avg")
def eleven_point_average(
    ranked_query: RankedQuery, points: tuple[float, ...] | None, rel: float, cut: str
) -> Contributions:
    """The best precisions at recall 0, .1 … 1 (or at the points given), by eleven."""
    levels = points or tuple(step / 10 for step in range(11))
    relevant = ranked_query.relevant(rel)
    precision = np.cumsum(relevant) / ranked_query.ranks
    total = ranked_query.relevant_count(rel)
    adds, reached = np.zeros(ranked_query.n), np.zeros(ranked_query.n)
    for level in levels:
        row = _best(precision, relevant, float(documents_taken(level, np.array(total), cut)))
        if row >= 0:
            adds[row] += precision[row]
            reached[row] += 1
    levels_text = ", ".join(f"{level:g}" for level in points) if points else "0, .1, … 1"
    points_column = Column("points", tr("points"), tr("recall levels whose best precision is here"), "int", 0)
    return account(
        adds, tr("points × precision"), tr("the precision, once for each recall level for which it is the best"),
        columns=(*_columns(ranked_query, relevant, precision), (points_column, reached)), level=rel,
        normaliser=Quantity(f"{len(levels)}", tr("recall {levels}", levels=levels_text), len(levels)),
        quantities=(ranked_query.count_of(rel),),
        rules=(Rule("own",
        tr("Recall r needs {CUT_RULES} relevant documents; a level that the list does not reach adds "
            "0.",
        CUT_RULES=CUT_RULES[cut])),),
    )  # fmt: skip

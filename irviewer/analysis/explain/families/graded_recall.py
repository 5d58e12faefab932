"""Ledgers of Q-measure and normalised cumulative gain."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer, filled, yes_no
from irviewer.analysis.explain.ledger_types import Column, Quantity
from irviewer.model.arrays import Floats
from irviewer.translation import tr

GAIN = Column("gain", tr("gain"), tr("the grade of a relevant document"))


@explainer("Q")
def q_measure(ranked_query: RankedQuery, beta: float, rel: float) -> Contributions:
    """The blended ratio at every relevant document, by R."""
    relevant = ranked_query.relevant(rel)
    n, ranks = len(relevant), ranked_query.ranks
    gain = np.where(relevant, ranked_query.grades, 0.0)
    count, gained = np.cumsum(relevant).astype(np.float64), np.cumsum(gain)
    best = np.cumsum(_ideal(ranked_query, rel))
    ideal = filled(best, n, float(best[-1]) if len(best) else 0.0)
    total = ranked_query.count_of(rel)
    blended = np.divide(count + beta * gained, ranks + beta * ideal, out=np.zeros(n), where=relevant)
    return account(
        blended, tr("blended ratio"), tr("blended ratio at a relevant document's rank; 0 at any other"),
        tr("sum of ratios"),
        columns=(
            (Column("relevant", tr("relevant"), tr("1 where the document is relevant"), "int", 0), yes_no(relevant)),
            (Column("found", tr("found"), tr("relevant documents down to this rank"), "int", 0), count),
            (Column("gained", tr("gain so far"), tr("the grades of relevant documents down to this rank")), gained),
            (Column("ideal", tr("ideal gain"), tr("the same of the ideal ranking")), ideal),
        ),
        normaliser=total, quantities=(total,), level=rel,
    )  # fmt: skip


@explainer("nCG")
def normalised_cumulative_gain(ranked_query: RankedQuery, rel: float, cutoff: int | None) -> Contributions:
    """Gains, added up, by the best possible sum."""
    n = ranked_query.top(cutoff)
    gain = np.where(ranked_query.relevant(rel)[:n], ranked_query.grades[:n], 0.0)
    best = float(_ideal(ranked_query, rel)[:cutoff].sum())
    return account(
        gain, GAIN.title, GAIN.meaning, tr("CG"),
        normaliser=Quantity(tr("ideal CG"), tr("the sum of grades of the best order"), best,
                            whole=False),
        level=rel, unjudged=tr("Such documents gain nothing."),
    )  # fmt: skip


def _ideal(ranked_query: RankedQuery, rel: float) -> Floats:
    """The gains of the ideal ranking, highest first."""
    grades = ranked_query.ideal_grades
    return np.where(grades >= rel, grades, 0.0)

"""Ledgers of compatibility: from which rank on a document stands in both lists."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.translation import tr

LEAST = 1e-12


@explainer("Compat")
def compatibility(ranked_query: RankedQuery, p: float, normalize: bool) -> Contributions:
    """What a document adds to the overlap from the lower of its two places on."""
    relevant, total = ranked_query.relevant(LEAST), ranked_query.relevant_count(LEAST)
    depth = max(ranked_query.n, total)
    weights = np.power(p, np.arange(float(depth)))
    table = np.concatenate(([0.0], np.cumsum(weights / np.arange(1, depth + 1))))
    rows = np.flatnonzero(relevant)
    grades = ranked_query.grades[rows]
    best = ranked_query.ideal_grades[ranked_query.ideal_grades >= LEAST]
    higher = np.searchsorted(-best, -grades)
    earlier = np.array(
        [int((grades[:ideal_rank] == grades[ideal_rank]).sum()) for ideal_rank in range(len(rows))], dtype=np.int64
    )
    ideal_rank = higher + earlier + 1
    deeper = np.maximum(rows + 1, ideal_rank)
    adds, ideal = np.zeros(ranked_query.n), np.full(ranked_query.n, np.nan)
    adds[rows], ideal[rows] = table[depth] - table[deeper - 1], ideal_rank
    if normalize:
        below = sum(float(table[depth] - table[rank]) for rank in range(total))
        meaning = tr("the overlap of the ideal ranking with itself")
    else:
        below, meaning = float(weights.sum()), tr("the sum of the weights")
    return account(
        adds, tr("overlap"), tr("Σ p^(i−1) ÷ i over the ranks i at which it is in both lists"), tr("overlap so far"),
        columns=((Column("place", tr("ideal rank"), tr("its rank in the ideal ranking"), "int", 0), ideal),),
        normaliser=Quantity(tr("whole"), meaning, below, whole=False), level=LEAST,
        unjudged=tr("Such documents are not in the ideal ranking."),
        rules=(Rule("own", tr("Within a grade the ideal ranking has the order of the run, documents that were not "
"returned last.")),),
    )  # fmt: skip

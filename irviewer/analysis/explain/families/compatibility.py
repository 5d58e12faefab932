"""Ledgers of compatibility: from which rank on a document stands in both lists."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule

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
    earlier = np.array([int((grades[:place] == grades[place]).sum()) for place in range(len(rows))], dtype=np.int64)
    place = higher + earlier + 1
    both = np.maximum(rows + 1, place)
    adds, ideal = np.zeros(ranked_query.n), np.full(ranked_query.n, np.nan)
    adds[rows], ideal[rows] = table[depth] - table[both - 1], place
    if normalize:
        below = sum(float(table[depth] - table[one]) for one in range(total))
        meaning = "what the ideal list has against itself"
    else:
        below, meaning = float(weights.sum()), "the sum of the weights"
    return account(
        adds, "overlap", "Σ p^(i−1) ÷ i over the ranks i from which it stands in both lists", "overlap so far",
        columns=((Column("place", "ideal place", "its place in the ideal list", "int", 0), ideal),),
        normaliser=Quantity("whole", meaning, below, whole=False), level=LEAST, unjudged="are not in the ideal list",
        rules=(Rule("own", "Of one grade, the ideal list has the run's order, those not returned last."),),
    )  # fmt: skip

"""Ledgers of rank-biased precision and its residual."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.wording import factor

WEIGHT = Column("discount", "weight", "(1 − p)·p^(rank − 1): the share of attention that the rank gets")


@explainer("RBP")
def rank_biased_precision(
    ranked_query: RankedQuery, p: float, rel: float | None, gain: str, cutoff: int | None
) -> Contributions:
    """Gain by the weight of the rank."""
    n = ranked_query.top(cutoff)
    level = rel if rel is not None else 1e-12
    keep, grades = ranked_query.relevant(level)[:n], ranked_query.grades[:n]
    top = max(ranked_query.judged.max_grade, 1e-12)
    if gain == "grade":
        worth, says = grades, "The gain is the grade itself."
    elif rel is not None:
        worth, says = np.ones(n), f"The gain is 1 from grade {rel:g} on, 0 below."
    else:
        worth, says = grades / top, f"The gain is grade ÷ {top:g}, the highest grade of the qrels."
    gains = np.where(keep, worth, 0.0)
    weights = (1.0 - p) * np.power(p, ranked_query.ranks[:n] - 1.0)

    def term(row: int) -> str:
        return f"{factor(float(gains[row]))} × {factor(float(weights[row]))}"

    return account(
        gains * weights, "gain × weight", "what the document adds", "RBP",
        columns=((Column("gain", "gain", "what the grade is worth"), gains), (WEIGHT, weights)),
        quantities=(Quantity("p", "probability of going on to the next document", p, whole=False),),
        term=term, unjudged="gain nothing",
        rules=(Rule("gain", says), Rule("own", "Nothing is divided by R: relevant documents missed do not count.")),
    )  # fmt: skip


@explainer("rbp_resid")
def rank_biased_residual(ranked_query: RankedQuery, p: float) -> Contributions:
    """The weight of unjudged ranks, and of all below the list."""
    unjudged = np.isnan(ranked_query.grades) | (ranked_query.grades < 0)
    weights = (1.0 - p) * np.power(p, ranked_query.ranks - 1.0)
    some = bool(unjudged.any())
    offset = Quantity("p^n", "the weight of all ranks below the list", p**ranked_query.n, whole=False) if some else None
    return account(
        np.where(unjudged, weights, 0.0), "unjudged weight", "the weight of the rank where it is unjudged",
        "residual so far", columns=((WEIGHT, weights),), offset=offset, unjudged="are what is counted",
        rules=(Rule("own", "The residual is 0 where nothing returned is unjudged, as in trec_eval."),),
    )  # fmt: skip

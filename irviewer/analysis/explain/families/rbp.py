"""Ledgers of rank-biased precision and its residual."""

from __future__ import annotations

import numpy as np

from irviewer.analysis.explain.explainer import Contributions, RankedQuery, account, explainer
from irviewer.analysis.explain.ledger_types import Column, Quantity, Rule
from irviewer.analysis.explain.wording import factor
from irviewer.translation import tr

WEIGHT = Column("discount", tr("weight"), tr("(1 − p)·p^(rank − 1): the share of attention that the rank gets"))


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
        worth, says = grades, tr("The gain is the grade.")
    elif rel is not None:
        worth, says = np.ones(n), tr("The gain is 1 from grade {rel:g} up, 0 below.", rel=rel)
    else:
        worth, says = grades / top, tr("The gain is grade ÷ {top:g}, the highest grade of the qrels.", top=top)
    gains = np.where(keep, worth, 0.0)
    weights = (1.0 - p) * np.power(p, ranked_query.ranks[:n] - 1.0)

    def term(row: int) -> str:
        return f"{factor(float(gains[row]))} × {factor(float(weights[row]))}"

    return account(
        gains * weights, tr("gain × weight"), tr("what the document adds to the value"), tr("RBP"),
        columns=((Column("gain", tr("gain"), tr("the gain of the grade")), gains), (WEIGHT, weights)),
        quantities=(Quantity("p", tr("the probability of reading the next document"), p, whole=False),),
        term=term, unjudged=tr("Such documents gain nothing."),
        rules=(Rule("gain", says), Rule("own",
        tr("The value is not divided by R, so missed relevant documents do not count."))),
    )  # fmt: skip


@explainer("rbp_resid")
def rank_biased_residual(ranked_query: RankedQuery, p: float) -> Contributions:
    """The weight of unjudged ranks, and of all below the list."""
    unjudged = np.isnan(ranked_query.grades) | (ranked_query.grades < 0)
    weights = (1.0 - p) * np.power(p, ranked_query.ranks - 1.0)
    any_unjudged = bool(unjudged.any())
    offset = (
        Quantity("p^n", tr("the weight of all ranks below the list"), p**ranked_query.n, whole=False)
        if any_unjudged
        else None
    )
    return account(
        np.where(unjudged, weights, 0.0), tr("unjudged weight"),
        tr("the weight of the rank if its document is unjudged"),
        tr("residual so far"), columns=((WEIGHT, weights),), offset=offset,
        unjudged=tr("Such documents are counted."),
        rules=(Rule("own", tr("The residual is 0 if no document returned is unjudged, as in trec_eval.")),),
    )  # fmt: skip

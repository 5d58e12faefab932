"""Precision at R, where precision equals recall, and at multiples of R."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged


@measure(
    "Rprec",
    title="R-precision",
    aliases=("RPrec",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="relevant documents among the first R, R being the number there are",
    ignores="the order within the first R and all that follows",
    formula=of(r"\frac{1}{R} \sum_{i=1}^{R} rel(i)"),
    source="Aslam, Yilmaz and Pavlu, A geometric interpretation of r-precision, SIGIR 2005",
    tools={"trec_eval": "Rprec", "ir_measures": "Rprec", "ranx": "r-precision", "textbook": "R-precision"},
)
def r_precision(judged: Judged, rel: float) -> Floats:
    """P@R of each query, float64[E]; 0 where nothing is relevant."""
    relevant = judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    return safe_divide(hits.where(hits.rank <= relevant[hits.query]).count_by_query, relevant)


@measure(
    "Rprec_mult",
    title="Precision at a multiple of R",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.FACTOR,
    rewards="relevant documents among the first m·R",
    ignores="the order within them and all that follows",
    formula=of(r"P(\lfloor m\,R + .9 \rfloor)"),
    source="trec_eval, Buckley 2008; its cutoffs are int(m·R + .9)",
    tools={"trec_eval": "Rprec_mult"},
)
def r_precision_multiple(judged: Judged, rel: float, cutoff: float) -> Floats:
    """P@int(m·R + .9) of each query, float64[E]."""
    ranks = np.floor(cutoff * judged.relevant_count(rel) + 0.9)
    hits = judged.relevant_hits(rel)
    return safe_divide(hits.where(hits.rank <= ranks[hits.query]).count_by_query, ranks)

"""Precision at R, where precision equals recall, and at multiples of R."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "Rprec",
    title=tr("R-precision"),
    aliases=("RPrec",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("relevant documents among the first R, where R is the number of relevant documents"),
    ignores=tr("the order of the first R documents; documents below them"),
    formula=of(r"\frac{1}{R} \sum_{i=1}^{R} rel(i)"),
    source="Aslam, Yilmaz and Pavlu, A geometric interpretation of r-precision, SIGIR 2005",
    tools={"trec_eval": "Rprec", "ir_measures": "Rprec", "ranx": "r-precision", "textbook": "R-precision"},
)
def r_precision(judged: Judged, rel: float) -> Floats:
    """Return the P@R of each query, float64[E]; 0 without relevant documents."""
    relevant = judged.relevant_count(rel)
    hits = judged.relevant_hits(rel)
    return safe_divide(hits.where(hits.rank <= relevant[hits.query]).count_by_query, relevant)


@measure(
    "Rprec_mult",
    title=tr("Precision at a multiple of R"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.FACTOR,
    rewards=tr("relevant documents among the first m·R"),
    ignores=tr("the order of the first m·R documents; documents below them"),
    formula=of(r"P(\lfloor m\,R + .9 \rfloor)"),
    source=tr("{source}; its cutoffs are int(m·R + .9)", source="trec_eval, Buckley 2008"),
    tools={"trec_eval": "Rprec_mult"},
)
def r_precision_multiple(judged: Judged, rel: float, cutoff: float) -> Floats:
    """Return the P@int(m·R + .9) of each query, float64[E]."""
    ranks = np.floor(cutoff * judged.relevant_count(rel) + 0.9)
    hits = judged.relevant_hits(rel)
    return safe_divide(hits.where(hits.rank <= ranks[hits.query]).count_by_query, ranks)

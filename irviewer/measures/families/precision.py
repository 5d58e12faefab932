"""Precision, recall and F at a cutoff, and precision relative to the highest possible."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = "Cleverdon and Keen, Aslib Cranfield research project, 1966"
BETA = Parameter("beta", "number", 1, tr("weight of recall relative to precision"), low=0)


@measure(
    "P",
    title=tr("Precision at k"),
    aliases=("Precision",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("relevant documents among the first k"),
    ignores=tr("the order of the first k documents; the number of relevant documents"),
    formula=of(r"\frac{1}{k} \sum_{i=1}^{k} rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "P", "ir_measures": "P", "ranx": "precision", "textbook": "P@k"},
)
def precision(judged: Judged, rel: float, cutoff: int) -> Floats:
    """Return the P@k of each query, float64[E]; divided by k even if fewer documents were returned."""
    return judged.relevant_hits(rel, cutoff).count_by_query / cutoff


@measure(
    "R",
    title=tr("Recall at k"),
    aliases=("Recall",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("finding all relevant documents within the first k"),
    ignores=tr("the order of the first k documents; non-relevant documents among them"),
    formula=of(r"\frac{1}{R} \sum_{i=1}^{k} rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "recall", "ir_measures": "R", "ranx": "recall", "textbook": "R@k"},
)
def recall(judged: Judged, rel: float, cutoff: int) -> Floats:
    """Return the R@k of each query, float64[E]; 0 without relevant documents."""
    return safe_divide(judged.relevant_hits(rel, cutoff).count_by_query, judged.relevant_count(rel))


@measure(
    "F",
    title=tr("F at k"),
    parameters=(BETA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("high precision and high recall at k: the lower of the two counts most"),
    ignores=tr("the order of the first k documents"),
    formula=of(r"\frac{(\beta^{2} + 1)\,P(k)\,R(k)}{\beta^{2}\,P(k) + R(k)}"),
    source="van Rijsbergen, Information Retrieval, 1979",
    tools={"ranx": "f1", "textbook": "F"},
)
def f_measure(judged: Judged, beta: float, rel: float, cutoff: int) -> Floats:
    """Return the F(beta)@k of each query, from P@k and R@k, float64[E]."""
    p, r = precision(judged, rel, cutoff), recall(judged, rel, cutoff)
    return safe_divide((beta * beta + 1) * p * r, beta * beta * p + r)


@measure(
    "relative_P",
    title=tr("Relative precision at k"),
    aliases=("RCap",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("relevant documents among the first k, as a share of the largest possible number"),
    ignores=tr("the order of the first k documents"),
    formula=of(r"\frac{1}{\min(k, R)} \sum_{i=1}^{k} rel(i)"),
    source="trec_eval, Buckley 2008",
    tools={"trec_eval": "relative_P", "textbook": "capped recall"},
)
def relative_precision(judged: Judged, rel: float, cutoff: int) -> Floats:
    """Return P@k divided by the highest P@k possible with R relevant documents, float64[E]."""
    best = np.minimum(judged.relevant_count(rel), cutoff)
    return safe_divide(judged.relevant_hits(rel, cutoff).count_by_query, best)

"""Precision, recall and F at a cutoff, and precision relative to the best there is."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

SOURCE = "Cleverdon and Keen, Aslib Cranfield research project, 1966"
BETA = Parameter("beta", "number", 1, "how many times recall weighs more than precision", low=0)


@measure(
    "P",
    title="Precision at k",
    aliases=("Precision",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards="relevant documents among the first k, wherever they stand",
    ignores="the order within the first k; how many relevant documents there are",
    formula=of(r"\frac{1}{k} \sum_{i=1}^{k} rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "P", "ir_measures": "P", "ranx": "precision", "textbook": "P@k"},
)
def precision(judged: Judged, rel: float, cutoff: int) -> Floats:
    """P@k of each query, float64[E]; divided by k also where the run returned fewer."""
    return judged.relevant_hits(rel, cutoff).count_by_query / cutoff


@measure(
    "R",
    title="Recall at k",
    aliases=("Recall",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards="finding the relevant documents there are within the first k",
    ignores="the order within the first k; what else stands there",
    formula=of(r"\frac{1}{R} \sum_{i=1}^{k} rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "recall", "ir_measures": "R", "ranx": "recall", "textbook": "R@k"},
)
def recall(judged: Judged, rel: float, cutoff: int) -> Floats:
    """R@k of each query, float64[E]; 0 where nothing is relevant."""
    return safe_divide(judged.relevant_hits(rel, cutoff).count_by_query, judged.relevant_count(rel))


@measure(
    "F",
    title="F at k",
    parameters=(BETA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards="precision and recall at k together: the lesser of the two pulls it down",
    ignores="the order within the first k",
    formula=of(r"\frac{(\beta^{2} + 1)\,P(k)\,R(k)}{\beta^{2}\,P(k) + R(k)}"),
    source="van Rijsbergen, Information Retrieval, 1979",
    tools={"ranx": "f1", "textbook": "F"},
)
def f_measure(judged: Judged, beta: float, rel: float, cutoff: int) -> Floats:
    """F(beta)@k of each query from P@k and R@k, float64[E]."""
    p, r = precision(judged, rel, cutoff), recall(judged, rel, cutoff)
    return safe_divide((beta * beta + 1) * p * r, beta * beta * p + r)


@measure(
    "relative_P",
    title="Relative precision at k",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards="relevant documents among the first k, as a share of the most there could be",
    ignores="the order within the first k",
    formula=of(r"\frac{1}{\min(k, R)} \sum_{i=1}^{k} rel(i)"),
    source="trec_eval, Buckley 2008",
    tools={"trec_eval": "relative_P"},
)
def relative_precision(judged: Judged, rel: float, cutoff: int) -> Floats:
    """P@k divided by the highest P@k that R allows, float64[E]."""
    best = np.minimum(judged.relevant_count(rel), cutoff)
    return safe_divide(judged.relevant_hits(rel, cutoff).count_by_query, best)

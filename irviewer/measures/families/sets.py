"""Measures of the set of documents returned, whose order does not matter."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Parameter, measure
from irviewer.measures.formulas import filled, of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = "van Rijsbergen, Information Retrieval, 1979"
ORDER = tr("the order of the documents")
RELATIVE = tr("relevant documents, as a share of the largest number possible among as many documents")


@measure(
    "SetP",
    title=tr("Precision of the set"),
    parameters=(
        RELEVANCE_LEVEL,
        Parameter(
            "relative", "flag", False, tr("divide by the largest possible number of relevant documents, as SetRelP")
        ),
        JUDGED_ONLY,
    ),
    rewards=lambda measure: RELATIVE if measure.parameter("relative") else tr("returning only relevant documents"),
    ignores=ORDER,
    formula=lambda measure: filled(
        measure,
        r"\frac{|rel \cap ret|}{\min(|ret|, R)}" if measure.parameter("relative") else r"\frac{|rel \cap ret|}{|ret|}",
    ),
    source=SOURCE,
    tools={"trec_eval": "set_P", "ir_measures": "SetP", "ranx": "precision", "textbook": "precision"},
)
def set_precision(judged: Judged, rel: float, relative: bool = False) -> Floats:
    """Return the share of relevant documents among those returned, float64[E]."""
    if relative:
        return set_relative_precision(judged, rel)
    return safe_divide(judged.relevant_hits(rel).count_by_query, judged.returned)


@measure(
    "SetRelP",
    title=tr("Relative precision of the set"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=RELATIVE,
    ignores=ORDER,
    formula=of(r"\frac{|rel \cap ret|}{\min(|ret|, R)}"),
    source="trec_eval, Buckley 2008",
    tools={"trec_eval": "set_relative_P", "ir_measures": "SetRelP"},
)
def set_relative_precision(judged: Judged, rel: float) -> Floats:
    """Return the number of relevant documents returned, divided by the largest possible number, float64[E]."""
    best = np.minimum(judged.returned, judged.relevant_count(rel))
    return safe_divide(judged.relevant_hits(rel).count_by_query, best)


@measure(
    "SetR",
    title=tr("Recall of the set"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("returning every relevant document"),
    ignores=tr("{ignored}; non-relevant documents returned", ignored=ORDER),
    formula=of(r"\frac{|rel \cap ret|}{R}"),
    source=SOURCE,
    tools={"trec_eval": "set_recall", "ir_measures": "SetR", "ranx": "recall", "textbook": "recall"},
)
def set_recall(judged: Judged, rel: float) -> Floats:
    """Return the share of relevant documents that were returned, float64[E]."""
    return safe_divide(judged.relevant_hits(rel).count_by_query, judged.relevant_count(rel))


@measure(
    "SetAP",
    title=tr("Precision times recall of the set"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("high precision and high recall of the set"),
    ignores=ORDER,
    formula=of(r"P(n)\,R(n)"),
    source="trec_eval, Buckley 2008",
    tools={"trec_eval": "set_map", "ir_measures": "SetAP"},
)
def set_average_precision(judged: Judged, rel: float) -> Floats:
    """Return set precision times set recall, float64[E]."""
    count = judged.relevant_hits(rel).count_by_query.astype(np.float64)
    return safe_divide(count * count, judged.returned * judged.relevant_count(rel).astype(np.float64))


@measure(
    "SetF",
    title=tr("F of the set"),
    parameters=(
        RELEVANCE_LEVEL,
        Parameter("beta", "number", 1, tr("weight of recall relative to precision"), low=0),
        Parameter(
            "weight", "choice", "squared",
            tr("beta in the formula: squared; plain: not squared, as in ir_measures' SetF and trec_eval's set_F"),
            choices=("squared", "plain"),
        ),
        JUDGED_ONLY,
    ),
    rewards=tr("high precision and high recall of the set: the lower of the two counts most"),
    ignores=ORDER,
    formula=lambda measure: filled(
        measure,
        r"\frac{(\beta + 1)\,P(n)\,R(n)}{\beta\,P(n) + R(n)}" if measure.parameter("weight") == "plain"
        else r"\frac{(\beta^{2} + 1)\,P(n)\,R(n)}{\beta^{2}\,P(n) + R(n)}",
    ),
    source=SOURCE,
    tools={"ir_measures": "SetF", "ranx": "f1", "textbook": "F"},
)  # fmt: skip
def set_f(judged: Judged, rel: float, beta: float, weight: str = "squared") -> Floats:
    """Return the F(beta) of set precision and recall, float64[E]."""
    p, r = set_precision(judged, rel), set_recall(judged, rel)
    of_recall = beta if weight == "plain" else beta * beta
    return safe_divide((of_recall + 1) * p * r, of_recall * p + r)


@measure(
    "set_F",
    title=tr("F of the set, as in trec_eval"),
    parameters=(Parameter("x", "number", 1, tr("weight in ((x+1)PR)/(R+xP), which is not beta squared"), low=0),
                RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("high precision and high recall of the set"),
    ignores=ORDER,
    formula=of(r"\frac{(x + 1)\,P(n)\,R(n)}{R(n) + x\,P(n)}"),
    source="trec_eval 9, Buckley 2008",
    tools={"trec_eval": "set_F"},
)  # fmt: skip
def trec_set_f(judged: Judged, x: float, rel: float) -> Floats:
    """Return ((x+1)PR)/(R+xP) of set precision and recall, float64[E]."""
    p, r = set_precision(judged, rel), set_recall(judged, rel)
    return safe_divide((x + 1) * p * r, r + x * p)

"""Average precision, its geometric mean over queries, and its logit."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000"


@measure(
    "AP",
    title=tr("Average precision"),
    aliases=("MAP",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("every relevant document found, more so near the top"),
    ignores=tr("grades above the relevance level; whether unjudged documents are relevant"),
    formula=of(r"\frac{1}{R} \sum_{i=1}^{K} P(i)\,rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "map, map_cut", "ir_measures": "AP", "ranx": "map", "textbook": "average precision"},
)
def average_precision(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the AP of each query, float64[E]; 0 if the qrels have no relevant document. R counts all relevant
    documents, with or without a cutoff."""
    hits = judged.relevant_hits(rel, cutoff)
    precision = hits.ordinal / hits.rank  # P@k at each relevant document
    return safe_divide(hits.sum_by_query(precision), judged.relevant_count(rel))


@measure(
    "gm_map",
    title=tr("Geometric mean average precision"),
    aliases=("GMAP",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    aggregate="geometric",
    rewards=tr("acceptable results on every query: doubling a low value counts as much as doubling a high one"),
    ignores=tr("differences below .00001, the lower bound of the logarithm's argument"),
    formula=of(
        r"\exp\left(\frac{1}{|Q|} \sum_{q} \log \max(AP_q, .00001)\right)",
        r"AP_q = \frac{1}{R} \sum_{i=1}^{n} P(i)\,rel(i)",
    ),
    source="Robertson, On GMAP and other transformations, CIKM 2006",
    tools={"trec_eval": "gm_map", "textbook": "GMAP"},
)
def geometric_average_precision(judged: Judged, rel: float) -> Floats:
    """Return the AP of each query, float64[E]; the geometric mean is taken over queries."""
    return average_precision(judged, rel, None)


@measure(
    "yaap",
    title=tr("Yet another average precision"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("what AP rewards, on an unbounded scale, so that queries of medium AP do not dominate the mean"),
    ignores=tr("grades above the relevance level"),
    formula=of(r"\log \frac{1 + A}{1 + R - A}", r"A = \sum_{i=1}^{n} P(i)\,rel(i)"),
    source=tr("{paper}; computed as in trec_eval", paper="Robertson, On smoothing average precision, ECIR 2012"),
    span=ENDLESS,
    tools={"trec_eval": "yaap"},
)
def logit_average_precision(judged: Judged, rel: float) -> Floats:
    """Return the yaap of each query, float64[E]; 0 if the qrels have no relevant document."""
    hits = judged.relevant_hits(rel)
    total = hits.sum_by_query(hits.ordinal / hits.rank)
    return np.asarray(np.log((1.0 + total) / (1.0 + judged.relevant_count(rel) - total)))

"""Average precision: one number for a whole ranking, its top counted most; and its geometric mean over queries."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

SOURCE = "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000"


@measure(
    "AP",
    title="Average precision",
    aliases=("MAP",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="every relevant document found, the more the nearer the top it stands",
    ignores="how relevant a document is beyond the level; what the unjudged ones are",
    formula=of(r"\frac{1}{R} \sum_{i=1}^{K} P(i)\,rel(i)"),
    source=SOURCE,
    tools={"trec_eval": "map, map_cut", "ir_measures": "AP", "ranx": "map", "textbook": "average precision"},
)
def average_precision(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """AP of each query, float64[E]; 0 where the qrels hold no relevant document. R counts all relevant ones, cutoff or
    not."""
    hits = judged.relevant_hits(rel, cutoff)
    precision = hits.ordinal / hits.rank  # P@k where the k-th document is relevant
    return safe_divide(hits.sum_by_query(precision), judged.relevant_count(rel))


@measure(
    "gm_map",
    title="Geometric mean average precision",
    aliases=("GMAP",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    aggregate="geometric",
    rewards="doing tolerably on every query: doubling a bad query counts as much as doubling a good one",
    ignores="differences below .00001, the floor under the logarithm",
    formula=of(
        r"\exp\left(\frac{1}{|Q|} \sum_{q} \log \max(AP_q, .00001)\right)",
        r"AP_q = \frac{1}{R} \sum_{i=1}^{n} P(i)\,rel(i)",
    ),
    source="Robertson, On GMAP and other transformations, CIKM 2006",
    tools={"trec_eval": "gm_map", "textbook": "GMAP"},
)
def geometric_average_precision(judged: Judged, rel: float) -> Floats:
    """AP of each query, float64[E]; the geometric mean is taken over queries."""
    return average_precision(judged, rel, None)


@measure(
    "yaap",
    title="Yet another average precision",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="what AP rewards, on a scale without ends, so that a mean is not ruled by the middle queries",
    ignores="how relevant a document is beyond the level",
    formula=of(r"\log \frac{1 + A}{1 + R - A}", r"A = \sum_{i=1}^{n} P(i)\,rel(i)"),
    source="Robertson, On smoothing average precision, ECIR 2012, as trec_eval has it",
    span=ENDLESS,
    tools={"trec_eval": "yaap"},
)
def logit_average_precision(judged: Judged, rel: float) -> Floats:
    """yaap of each query, float64[E]; 0 where the qrels hold no relevant document."""
    hits = judged.relevant_hits(rel)
    total = hits.sum_by_query(hits.ordinal / hits.rank)
    return np.asarray(np.log((1.0 + total) / (1.0 + judged.relevant_count(rel) - total)))

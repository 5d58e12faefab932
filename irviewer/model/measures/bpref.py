"""Bpref: binary preference, which asks only about judged documents."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judged import Judged
from irviewer.model.measure import JUDGED_ONLY, RELEVANCE_LEVEL, measure

SOURCE = "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004, as trec_eval computes it"


@measure(
    "Bpref",
    title="Binary preference",
    aliases=("BPref",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="relevant documents above judged non-relevant ones",
    ignores="unjudged documents, wherever they stand",
    formula=r"\frac{1}{R} \sum_{r} 1 - \frac{\min(|n \text{ above } r|, R)}{\min(N, R)}",
    source=SOURCE,
    tools={"trec_eval": "bpref", "ir_measures": "Bpref", "ranx": "bpref", "textbook": "bpref"},
)
def bpref(judged: Judged, rel: float) -> Floats:
    """Bpref of each query, float64[E]; 0 where nothing is relevant. N counts the judged non-relevant documents."""
    relevant, nonrelevant = judged.relevant_count(rel), judged.nonrelevant_count(rel)
    seen = judged.judged_hits
    hits = seen.where(seen.grade >= rel)
    above = hits.ordinal - judged.relevant_hits(rel).ordinal  # judged non-relevant documents above each relevant one
    bound = np.minimum(relevant, nonrelevant)[hits.query]
    credit = 1.0 - safe_divide(np.minimum(above, relevant[hits.query]), bound)
    return safe_divide(hits.sum_by_query(credit), relevant)


@measure(
    "gm_bpref",
    title="Geometric mean of bpref",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    aggregate="geometric",
    rewards="doing tolerably on every query",
    ignores="unjudged documents; differences below .00001",
    formula=r"\exp\left(\frac{1}{|Q|} \sum_q \log \max(bpref_q, .00001)\right)",
    source=SOURCE,
    tools={"trec_eval": "gm_bpref"},
)
def geometric_bpref(judged: Judged, rel: float) -> Floats:
    """Bpref of each query, float64[E]; the geometric mean is taken over queries."""
    return bpref(judged, rel)

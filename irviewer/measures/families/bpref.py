"""Bpref: binary preference, computed from judged documents only."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = tr(
    "{paper}; computed as in trec_eval",
    paper="Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004",
)
FORMULA = (
    r"\frac{1}{R} \sum_{i=1}^{n} rel(i) \left(1 - \frac{\min(a(i), R)}{\min(N, R)}\right)",
    r"a(i) = \sum_{j<i} nonrel(j)",
    "N = |nonrel|",
)


@measure(
    "Bpref",
    title=tr("Binary preference"),
    aliases=("BPref",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("relevant documents above judged non-relevant ones"),
    ignores=tr("unjudged documents, whatever their ranks"),
    formula=of(*FORMULA),
    source=SOURCE,
    tools={"trec_eval": "bpref", "ir_measures": "Bpref", "ranx": "bpref", "textbook": "bpref"},
)
def bpref(judged: Judged, rel: float) -> Floats:
    """Return the bpref of each query, float64[E]; 0 without relevant documents. N is the number of judged non-relevant
    documents."""
    relevant, nonrelevant = judged.relevant_count(rel), judged.nonrelevant_count(rel)
    judged_hits = judged.judged_hits
    hits = judged_hits.where(judged_hits.grade >= rel)
    above = hits.ordinal - judged.relevant_hits(rel).ordinal  # judged non-relevant documents above each relevant one
    bound = np.minimum(relevant, nonrelevant)[hits.query]
    credit = 1.0 - safe_divide(np.minimum(above, relevant[hits.query]), bound)
    return safe_divide(hits.sum_by_query(credit), relevant)


@measure(
    "gm_bpref",
    title=tr("Geometric mean of bpref"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    aggregate="geometric",
    rewards=tr("acceptable results on every query"),
    ignores=tr("unjudged documents; differences below .00001"),
    formula=of(
        r"\exp\left(\frac{1}{|Q|} \sum_{q} \log \max(bpref_q, .00001)\right)",
        rf"bpref_q = {FORMULA[0]}",
        *FORMULA[1:],
    ),
    source=SOURCE,
    tools={"trec_eval": "gm_bpref"},
)
def geometric_bpref(judged: Judged, rel: float) -> Floats:
    """Return the bpref of each query, float64[E]; the geometric mean is taken over queries."""
    return bpref(judged, rel)

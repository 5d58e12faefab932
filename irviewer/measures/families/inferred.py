"""Inferred average precision: AP estimated from a pool of which a sample was judged."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import RELEVANCE_LEVEL, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

EPSILON = 0.00001
"""trec_eval's INFAP_EPSILON."""


@measure(
    "infAP",
    title=tr("Inferred average precision"),
    parameters=(RELEVANCE_LEVEL,),
    rewards=tr("every relevant document found, more so near the top"),
    ignores=tr(
        "documents outside the pool; of the pool only a sample need be judged (negative grades: in the pool, unjudged)"
    ),
    formula=of(
        r"\frac{1}{R} \sum_{i=1}^{n} rel(i) \left(\frac{1}{i} + \frac{i-1}{i} \cdot \frac{l(i)}{i-1} \cdot "
        r"\frac{r(i) + \epsilon}{r(i) + s(i) + 2\epsilon}\right)",
        r"l(i) = \sum_{j<i} listed(j)",
        r"r(i) = \sum_{j<i} rel(j)",
        r"s(i) = \sum_{j<i} nonrel(j)",
        r"\epsilon = .00001",
    ),
    source=tr(
        "{paper}; computed as in trec_eval",
        paper="Yilmaz and Aslam, Estimating average precision with incomplete judgments, CIKM 2006",
    ),
    tools={"trec_eval": "infAP", "ir_measures": "infAP", "textbook": "inferred AP"},
)
def inferred_average_precision(judged: Judged, rel: float) -> Floats:
    """Return the infAP of each query, float64[E]; 0 without relevant documents."""
    pool = judged.listed_hits  # all documents in the qrels were in the pool
    known = judged.judged_hits
    keep = pool.grade >= max(rel, 0)
    hits = pool.where(keep)
    above_pool = hits.ordinal - 1.0
    above_known = known.where(known.grade >= rel).ordinal - 1.0
    relevant = judged.relevant_hits(rel).ordinal - 1.0
    nonrelevant = above_known - relevant
    k = hits.rank.astype(np.float64)
    expected = above_pool / np.maximum(k - 1, 1)
    share = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
    value = np.where(k > 1, 1 / k + (k - 1) / k * expected * share, 1.0)
    return safe_divide(hits.sum_by_query(value), judged.relevant_count(rel))

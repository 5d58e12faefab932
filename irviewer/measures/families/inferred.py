"""Inferred average precision: AP estimated from a pool of which only a sample was judged."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import RELEVANCE_LEVEL, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged

EPSILON = 0.00001
"""trec_eval's INFAP_EPSILON."""


@measure(
    "infAP",
    title="Inferred average precision",
    parameters=(RELEVANCE_LEVEL,),
    rewards="every relevant document found, the more the nearer the top it stands",
    ignores="documents outside the pool; of the pool only a sample need be judged (a negative grade: pooled, unjudged)",
    formula=of(
        r"\frac{1}{R} \sum_{i=1}^{n} rel(i) \left(\frac{1}{i} + \frac{i-1}{i} \cdot \frac{l(i)}{i-1} \cdot "
        r"\frac{r(i) + \epsilon}{r(i) + s(i) + 2\epsilon}\right)",
        r"l(i) = \sum_{j<i} listed(j)",
        r"r(i) = \sum_{j<i} rel(j)",
        r"s(i) = \sum_{j<i} nonrel(j)",
        r"\epsilon = .00001",
    ),
    source="Yilmaz and Aslam, Estimating average precision with incomplete judgments, CIKM 2006, as trec_eval has it",
    tools={"trec_eval": "infAP", "ir_measures": "infAP", "textbook": "inferred AP"},
)
def inferred_average_precision(judged: Judged, rel: float) -> Floats:
    """infAP of each query, float64[E]; 0 where nothing is relevant."""
    pool = judged.listed_hits  # whatever the qrels list was in the pool
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

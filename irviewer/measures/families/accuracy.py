"""Accuracy of pairs: how often a relevant document stands above one that is not."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged


@measure(
    "Accuracy",
    title="Accuracy of pairs",
    parameters=(RELEVANCE_LEVEL,),
    cutoff=Cutoff.OPTIONAL,
    rewards="relevant documents above the others, among those returned: for checking what a ranker was trained on",
    ignores="relevant documents that were not returned; unjudged documents count as not relevant",
    formula=of(
        r"[r > 0] \left(1 - \frac{\sum_{i=1}^{K} rel(i) \sum_{j<i} (1 - rel(j))}{r\,(\min(K, n) - r)}\right)",
        r"r = \sum_{i=1}^{K} rel(i)",
    ),
    source="MacAvaney, Macdonald and Ounis, ECIR 2022; the area under the ROC curve, Hanley and McNeil, Radiology 1982",
    tools={"ir_measures": "Accuracy"},
)
def accuracy(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """The share of (relevant, other) pairs in the right order of each query, float64[E]; 1 where all that was returned
    is relevant, 0 where nothing is (ir_measures leaves such queries out)."""
    hits = judged.relevant_hits(rel, cutoff)
    considered = judged.returned if cutoff is None else np.minimum(judged.returned, cutoff)
    relevant = hits.count_by_query
    wrong = hits.sum_by_query((hits.rank - hits.ordinal).astype(np.float64))
    pairs = relevant * (considered - relevant)
    return np.where(relevant > 0, 1.0 - safe_divide(wrong, pairs), 0.0)

"""Accuracy of pairs: the share of pairs with the relevant document above the other."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "Accuracy",
    title=tr("Accuracy of pairs"),
    parameters=(RELEVANCE_LEVEL,),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr(
        "relevant documents ranked above the others, among those returned; meant for checking rankers on their "
        "training data"
    ),
    ignores=tr("relevant documents that were not returned; unjudged documents count as non-relevant"),
    formula=of(
        r"[r > 0] \left(1 - \frac{\sum_{i=1}^{K} rel(i) \sum_{j<i} (1 - rel(j))}{r\,(\min(K, n) - r)}\right)",
        r"r = \sum_{i=1}^{K} rel(i)",
    ),
    source=tr(
        "{paper}; the area under the ROC curve: {other_paper}",
        paper="MacAvaney, Macdonald and Ounis, ECIR 2022",
        other_paper="Hanley and McNeil, Radiology 1982",
    ),
    tools={"ir_measures": "Accuracy"},
)
def accuracy(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the share of (relevant, other) pairs in the right order for each query, float64[E]; 1 if all documents
    returned are relevant, 0 if none is (ir_measures leaves such queries out)."""
    hits = judged.relevant_hits(rel, cutoff)
    considered = judged.returned if cutoff is None else np.minimum(judged.returned, cutoff)
    relevant = hits.count_by_query
    wrong = hits.sum_by_query((hits.rank - hits.ordinal).astype(np.float64))
    pairs = relevant * (considered - relevant)
    return np.where(relevant > 0, 1.0 - safe_divide(wrong, pairs), 0.0)

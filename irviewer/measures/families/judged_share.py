"""Shares of judged and of unjudged documents among those returned."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "Judged",
    title=tr("Judged at k"),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("nothing about quality: it is the share of documents returned that are in the qrels"),
    ignores=tr("relevance; negative grades count as judged, as in ir_measures"),
    formula=of(r"\frac{1}{\min(K, n)} \sum_{i=1}^{K} listed(i)"),
    source="MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022",
    tools={"ir_measures": "Judged"},
)
def judged_share(judged: Judged, cutoff: int | None) -> Floats:
    """Return the number of documents in the qrels among the first k, divided by the number returned, k at most,
    float64[E]."""
    returned = judged.returned if cutoff is None else np.minimum(judged.returned, cutoff)
    query = judged.hit_query if cutoff is None else judged.hit_query[judged.hit_rank <= cutoff]
    return safe_divide(np.bincount(query, minlength=judged.n_queries), returned)


@measure(
    "unj",
    title=tr("Unjudged at k"),
    cutoff=Cutoff.REQUIRED,
    higher_is_better=False,
    rewards=tr(
        "nothing about quality: it is the share of unjudged documents among the first k (lower values make other "
        "measures more reliable)"
    ),
    ignores=tr("relevance; negative grades count as unjudged, as in trec_eval"),
    formula=of(r"\frac{1}{k} \sum_{i=1}^{\min(k, n)} unjudged(i)"),
    source="trec_eval 10, Soboroff 2023",
    tools={"trec_eval": "unj"},
)
def unjudged_share(judged: Judged, cutoff: int) -> Floats:
    """Return the number of documents among the first k without a grade of 0 or more, divided by k, float64[E]."""
    returned = np.minimum(judged.returned, cutoff)
    return (returned - judged.judged_hits.to(cutoff).count_by_query) / cutoff

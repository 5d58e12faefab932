"""How much of what was returned has been judged at all."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged


@measure(
    "Judged",
    title="Judged at k",
    cutoff=Cutoff.OPTIONAL,
    rewards="nothing about quality: the share of what was returned that the qrels list",
    ignores="relevance; negative grades count as judged, as in ir_measures",
    formula=of(r"\frac{1}{\min(K, n)} \sum_{i=1}^{K} listed(i)"),
    source="MacAvaney, Macdonald and Ounis, Streamlining evaluation with ir-measures, ECIR 2022",
    tools={"ir_measures": "Judged"},
)
def judged_share(judged: Judged, cutoff: int | None) -> Floats:
    """Listed documents among the first k, divided by how many were returned of k, float64[E]."""
    returned = judged.returned if cutoff is None else np.minimum(judged.returned, cutoff)
    return safe_divide(judged.listed_hits.to(cutoff).count_by_query, returned)


@measure(
    "unj",
    title="Unjudged at k",
    cutoff=Cutoff.REQUIRED,
    higher_is_better=False,
    rewards="nothing about quality: the share of the first k that is unjudged (less is surer)",
    ignores="relevance; negative grades count as unjudged, as in trec_eval",
    formula=of(r"\frac{1}{k} \sum_{i=1}^{\min(k, n)} unjudged(i)"),
    source="trec_eval 10, Soboroff 2023",
    tools={"trec_eval": "unj"},
)
def unjudged_share(judged: Judged, cutoff: int) -> Floats:
    """Returned documents among the first k without a grade of 0 or more, divided by k, float64[E]."""
    returned = np.minimum(judged.returned, cutoff)
    return (returned - judged.judged_hits.to(cutoff).count_by_query) / cutoff

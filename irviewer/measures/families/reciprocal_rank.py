"""Where the first relevant document stands: its reciprocal rank, and how far a person searches for it."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import FROM_ONE, JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged


@measure(
    "RR",
    title="Reciprocal rank",
    aliases=("MRR",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="the first relevant document near the top",
    ignores="every further relevant document",
    formula=of(r"\frac{1}{\min\{i \leq K : rel(i) = 1\}}"),
    source="Kantor and Voorhees, The TREC-5 confusion track, 2000",
    tools={"trec_eval": "recip_rank", "ir_measures": "RR", "ranx": "mrr", "textbook": "MRR"},
)
def reciprocal_rank(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """1 / rank of the first relevant document of each query, float64[E]; 0 where there is none down to the cutoff."""
    hits = judged.relevant_hits(rel, cutoff)
    return hits.first_by_query(1.0 / hits.rank, 0.0)


@measure(
    "SearchLength",
    title="Search length",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="few documents to look at until the first relevant one (less is better)",
    ignores="every further relevant document. Where none is found it is the number returned plus one, which flatters "
    "short lists; where nothing was returned there is none, and no mean unless missing queries are left out",
    formula=of(r"\min(n + 1, \min\{i : rel(i) = 1\})", "n > 0"),
    source="Cooper, Expected search length, American Documentation 1968",
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "search length"},
)
def search_length(judged: Judged, rel: float) -> Floats:
    """The rank of the first relevant document of each query, float64[E]; the number returned plus one where none is,
    NaN where nothing was returned: one more than 0 would be the best length there is, for no answer at all."""
    hits = judged.relevant_hits(rel)
    first = hits.first_by_query(hits.rank, np.nan)
    none = np.where(judged.returned > 0, judged.returned + 1.0, np.nan)
    return np.where(np.isnan(first), none, first)

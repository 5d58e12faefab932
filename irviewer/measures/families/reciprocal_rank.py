"""Reciprocal rank and search length: the rank of the first relevant document."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import FROM_ONE, JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "RR",
    title=tr("Reciprocal rank"),
    aliases=("MRR",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("the first relevant document near the top"),
    ignores=tr("further relevant documents"),
    formula=of(r"\frac{1}{\min\{i \leq K : rel(i) = 1\}}"),
    source="Kantor and Voorhees, The TREC-5 confusion track, 2000",
    tools={"trec_eval": "recip_rank", "ir_measures": "RR", "ranx": "mrr", "textbook": "MRR"},
)
def reciprocal_rank(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return 1 / rank of the first relevant document of each query, float64[E]; 0 if there is none down to the
    cutoff."""
    hits = judged.relevant_hits(rel, cutoff)
    return hits.first_by_query(1.0 / hits.rank, 0.0)


@measure(
    "SearchLength",
    title=tr("Search length"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("few documents to read until the first relevant one (lower values are better)"),
    ignores=tr(
        "further relevant documents; without a relevant document it is the number of documents returned plus one, "
        "so short rankings look better; without any document it has no value, and the mean has none unless missing "
        "queries are left out"
    ),
    formula=of(r"\min(n + 1, \min\{i : rel(i) = 1\})", "n > 0"),
    source="Cooper, Expected search length, American Documentation 1968",
    higher_is_better=False,
    span=FROM_ONE,
    tools={"textbook": "search length"},
)
def search_length(judged: Judged, rel: float) -> Floats:
    """Return the rank of the first relevant document of each query, float64[E]; the number returned plus one if there
    is none, NaN if nothing was returned (0 + 1 would be the best possible value)."""
    hits = judged.relevant_hits(rel)
    first = hits.first_by_query(hits.rank, np.nan)
    none = np.where(judged.returned > 0, judged.returned + 1.0, np.nan)
    return np.where(np.isnan(first), none, first)

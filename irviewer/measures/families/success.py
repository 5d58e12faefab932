"""Success at k: whether a relevant document was retrieved."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "Success",
    title=tr("Success at k"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("at least one relevant document among the first k"),
    ignores=tr("the number of relevant documents and their ranks"),
    formula=of(r"\max_{i \leq K} rel(i)"),
    source="Tomlinson, Robust, Web and Terabyte retrieval, TREC 2005",
    tools={"trec_eval": "success", "ir_measures": "Success", "ranx": "hit_rate", "textbook": "success@k"},
)
def success(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return 1 for queries with a relevant document down to the cutoff, else 0, float64[E]."""
    return (judged.relevant_hits(rel, cutoff).count_by_query > 0).astype(np.float64)

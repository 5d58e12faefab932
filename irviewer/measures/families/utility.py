"""Utility of the returned set: a weighted sum of documents returned and missed."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, RELEVANCE_LEVEL, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


@measure(
    "utility",
    title=tr("Utility of the set"),
    parameters=(
        Parameter("a", "number", 1, tr("value of a relevant document returned")),
        Parameter("b", "number", -1, tr("value of a non-relevant document returned")),
        Parameter("c", "number", 0, tr("value of a relevant document not returned")),
        Parameter("d", "number", 0, tr("value of a judged non-relevant document not returned")),
        RELEVANCE_LEVEL,
    ),
    rewards=lambda measure: (
        tr("returning only relevant documents, weighted by the values a, b, c, d")
        if measure.parameter("a") > 0 > measure.parameter("b")
        else tr("documents weighted by the values a, b, c, d")
    ),
    ignores=tr("the order of the documents"),
    formula=of(
        r"a\,|rel \cap ret| + b\,|ret \setminus rel| + c\,|rel \setminus ret| + d\,(N - |nonrel \cap ret|)",
        "N = |nonrel|",
    ),
    source="trec_eval, Buckley 2008",
    span=ENDLESS,
    tools={"trec_eval": "utility", "textbook": "utility"},
)
def utility(judged: Judged, a: float, b: float, c: float, d: float, rel: float) -> Floats:
    """Return a·(relevant returned) + b·(others returned) + c·(relevant missed) + d·(judged non-relevant not returned)
    of each query, float64[E]. The fourth count is that of trec_eval."""
    relevant = judged.relevant_hits(rel).count_by_query
    other = judged.returned - relevant
    missed = judged.relevant_count(rel) - relevant
    left_out = judged.nonrelevant_count(rel) - judged.nonrelevant_hits(rel).count_by_query
    return np.asarray(a * relevant + b * other + c * missed + d * left_out, dtype=np.float64)

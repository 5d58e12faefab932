"""Utility of the returned set: credits and debits for what was and was not returned."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, RELEVANCE_LEVEL, Parameter, measure
from irviewer.measures.formulas import of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged


@measure(
    "utility",
    title="Utility of the set",
    parameters=(
        Parameter("a", "number", 1, "worth of a relevant document returned"),
        Parameter("b", "number", -1, "worth of a non-relevant document returned"),
        Parameter("c", "number", 0, "worth of a relevant document not returned"),
        Parameter("d", "number", 0, "worth of a judged non-relevant document not returned"),
        RELEVANCE_LEVEL,
    ),
    rewards=lambda measure: (
        "returning relevant documents and nothing else, at the prices given"
        if measure.parameter("a") > 0 > measure.parameter("b")
        else "documents at the prices given"
    ),
    ignores="the order of the documents",
    formula=of(
        r"a\,|rel \cap ret| + b\,|ret \setminus rel| + c\,|rel \setminus ret| + d\,(N - |nonrel \cap ret|)",
        "N = |nonrel|",
    ),
    source="trec_eval, Buckley 2008",
    span=ENDLESS,
    tools={"trec_eval": "utility", "textbook": "utility"},
)
def utility(judged: Judged, a: float, b: float, c: float, d: float, rel: float) -> Floats:
    """a·(relevant returned) + b·(others returned) + c·(relevant missed) + d·(judged non-relevant left out), float64[E].

    The fourth count is trec_eval's: of all judged documents what is neither relevant nor returned."""
    found = judged.relevant_hits(rel).count_by_query
    other = judged.returned - found
    missed = judged.relevant_count(rel) - found
    left_out = judged.nonrelevant_count(rel) - judged.nonrelevant_hits(rel).count_by_query
    return np.asarray(a * found + b * other + c * missed + d * left_out, dtype=np.float64)

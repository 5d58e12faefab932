"""relstring: the grades at the top of a ranking as text: printed by query, and in trec_eval's format only."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, Measure, Parameter, measure
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged


def relevance_string(judged: Judged, length: int) -> list[str]:
    """The first ``length`` grades of each query: 0 … 9, > above 9, - where the qrels do not list the document, . where
    they list it with a negative grade (pooled, not judged). Fractions are cut off."""
    n = judged.n_queries
    signs = np.full((n, length), "-", dtype="<U1")
    hits = judged.listed_hits.to(length)
    digits = np.array([*"0123456789", ">"])
    shown = digits[np.clip(np.floor(hits.grade), 0, 10).astype(np.int64)]
    signs[hits.query, hits.rank - 1] = np.where(hits.grade < 0, ".", shown)
    lengths = np.minimum(judged.returned, length).tolist()
    return ["".join(row[:stop]) for row, stop in zip(signs.tolist(), lengths, strict=True)]


def _formula(measure: Measure) -> str:
    length = measure.parameter("length")
    shown = [1, 2, 3][:length] if length <= 3 else [1, 2, None, length]
    return r"\,".join(r"\ldots" if one is None else f"grade({one})" for one in shown)


@measure(
    "relstring",
    title="Grades at the top as text",
    parameters=(Parameter("length", "integer", 10, "how many documents are shown", low=1, high=100_000),),
    aggregate="none",
    span=ENDLESS,
    rewards="nothing: it shows the grades of the first documents",
    ignores="what follows them",
    formula=_formula,
    source="trec_eval 9, Buckley 2008",
    strings=relevance_string,
    tools={"trec_eval": "relstring"},
)
def no_number(judged: Judged, length: int) -> Floats:
    """NaN for each query, float64[E]: :func:`relevance_string` is the value."""
    return np.full(judged.n_queries, np.nan)

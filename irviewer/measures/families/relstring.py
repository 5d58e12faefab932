"""relstring: the grades at the top of a ranking as text, printed by query and in trec_eval's format only."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import ENDLESS, Measure, Parameter, measure
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr


def relevance_string(judged: Judged, length: int) -> list[str]:
    """Return the first ``length`` grades of each query as text: 0 … 9, > above 9, - for documents not in the qrels, .
    for negative grades (pooled, not judged). Fractions are truncated."""
    n = judged.n_queries
    characters = np.full((n, length), "-", dtype="<U1")
    hits = judged.listed_hits.to(length)
    digits = np.array([*"0123456789", ">"])
    grades = digits[np.clip(np.floor(hits.grade), 0, 10).astype(np.int64)]
    characters[hits.query, hits.rank - 1] = np.where(hits.grade < 0, ".", grades)
    lengths = np.minimum(judged.returned, length).tolist()
    return ["".join(row[:stop]) for row, stop in zip(characters.tolist(), lengths, strict=True)]


def _formula(measure: Measure) -> str:
    length = measure.parameter("length")
    ranks = [1, 2, 3][:length] if length <= 3 else [1, 2, None, length]
    return r"\,".join(r"\ldots" if rank is None else f"grade({rank})" for rank in ranks)


@measure(
    "relstring",
    title=tr("Grades at the top as text"),
    parameters=(Parameter("length", "integer", 10, tr("number of documents shown"), low=1, high=100_000),),
    aggregate="none",
    span=ENDLESS,
    rewards=tr("nothing: it shows the grades of the first documents"),
    ignores=tr("documents below them"),
    formula=_formula,
    source="trec_eval 9, Buckley 2008",
    strings=relevance_string,
    tools={"trec_eval": "relstring"},
)
def no_number(judged: Judged, length: int) -> Floats:
    """Return NaN for each query, float64[E]; :func:`relevance_string` makes the value."""
    return np.full(judged.n_queries, np.nan)

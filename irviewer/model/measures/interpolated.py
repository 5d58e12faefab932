"""Interpolated precision at a recall level: the best precision at that recall or any higher."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Floats
from irviewer.model.judged import Judged
from irviewer.model.measure import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.model.recall_cuts import CUTS, documents_taken

SOURCE = "van Rijsbergen, Information Retrieval, 1979; cut-offs as trec_eval 10 rounds them, lround(r·R)"
CUT = Parameter(
    "cut", "choice", "nearest",
    "the number of relevant documents that recall r takes: lround(r·R); (up) int(r·R + .9) as trec_eval 9 and ranx; "
    "(exact) the fewest n with n / R ≥ r, as the definition says",
    choices=CUTS,
)  # fmt: skip

POINTS = Parameter(
    "points", "levels", None, "the recall levels to average over; by default 0, .1, … 1, eleven of them", low=0, high=1
)  # fmt: skip
ELEVEN = tuple(step / 10 for step in range(11))


@measure(
    "IPrec",
    title="Interpolated precision at recall",
    parameters=(RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    cutoff=Cutoff.RECALL,
    rewards="precision where a share r of the relevant documents has been found",
    ignores="the stretch before; dips of precision that are made good later",
    formula=r"\max_{k :\, R(k) \geq r} P(k)",
    source=SOURCE,
    tools={"trec_eval": "iprec_at_recall", "ir_measures": "IPrec", "textbook": "interpolated precision"},
)
def interpolated_precision(judged: Judged, rel: float, cut: str, cutoff: float) -> Floats:
    """Interpolated precision at recall ``cutoff`` of each query, float64[E]; 0 where that recall is never reached."""
    hits = judged.relevant_hits(rel)
    wanted = documents_taken(cutoff, judged.relevant_count(rel), cut)
    reached = hits.where(hits.ordinal >= wanted[hits.query])
    best = np.zeros(judged.n_queries)
    np.maximum.at(best, reached.query, reached.ordinal / reached.rank)
    return best


@measure(
    "11pt_avg",
    title="11-point average precision",
    parameters=(POINTS, RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    rewards="precision over the whole range of recall, at 0, .1, … 1",
    ignores="what happens between the eleven points",
    formula=r"\frac{1}{11} \sum_{j=0}^{10} IPrec(j/10)",
    source=SOURCE,
    tools={"trec_eval": "11pt_avg", "textbook": "11-point average"},
)
def eleven_point_average(judged: Judged, points: tuple[float, ...] | None, rel: float, cut: str) -> Floats:
    """Mean of interpolated precision at recall 0, .1 … 1, or at the points given, of each query, float64[E]."""
    total = np.zeros(judged.n_queries)
    for one in points or ELEVEN:
        total += interpolated_precision(judged, rel, cut, one)
    return total / len(points or ELEVEN)

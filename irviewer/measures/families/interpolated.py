"""Interpolated precision at a recall level: the best precision at that recall or any higher."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import CUTS, documents_taken

BOOK = "van Rijsbergen, Information Retrieval, 1979"
ROUNDED = {
    "nearest": BOOK + "; r·R documents rounded as trec_eval 10 does, lround(r·R)",
    "up": BOOK + "; r·R documents rounded as trec_eval 9 does, int(r·R + .9)",
    "exact": BOOK,
}
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


def _best(measure: Measure, recall: str = "r") -> tuple[str, ...]:
    """Interpolated precision at a recall, and what its letters stand for."""
    cut = measure.parameter("cut")
    if cut == "exact":
        return (rf"\max_{{i :\, R(i) \geq {recall}}} P(i)",)
    more = ".9" if cut == "up" else ".5"
    return (
        rf"\max_{{i :\, c(i) \geq \lfloor {recall} R + {more} \rfloor}} P(i)",
        r"c(i) = \sum_{j \leq i} rel(j)",
    )


def _average(measure: Measure) -> str:
    """The mean over recall levels: evenly spaced ones as fractions, others as they are."""
    points = measure.parameter("points") or ELEVEN
    last = len(points) - 1
    if last and points == tuple(step / last for step in range(len(points))):
        main = rf"\frac{{1}}{{{len(points)}}} \sum_{{j=0}}^{{{last}}} IPrec(j/{last})"
    else:
        total = " + ".join(f"IPrec({number_text(one)})" for one in points)
        main = rf"\frac{{1}}{{{len(points)}}} ({total})"
    best, *rest = _best(measure)
    return filled(measure, main, f"IPrec(r) = {best}", *rest)


def _levels(measure: Measure) -> str:
    """The recall levels in words."""
    points = measure.parameter("points")
    return "0, .1, … 1" if points is None else ", ".join(map(number_text, points))


@measure(
    "IPrec",
    title="Interpolated precision at recall",
    parameters=(RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    cutoff=Cutoff.RECALL,
    rewards="precision where a share r of the relevant documents has been found",
    ignores="the stretch before; dips of precision that are made good later",
    formula=lambda measure: filled(measure, *_best(measure)),
    source=lambda measure: ROUNDED[measure.parameter("cut")],
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
    title="Interpolated precision, averaged over recall levels",
    parameters=(POINTS, RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    rewards=lambda measure: f"precision at recall {_levels(measure)}",
    ignores="what happens between these points",
    formula=_average,
    source=lambda measure: ROUNDED[measure.parameter("cut")],
    tools={"trec_eval": "11pt_avg", "textbook": "11-point average"},
)
def eleven_point_average(judged: Judged, points: tuple[float, ...] | None, rel: float, cut: str) -> Floats:
    """Mean of interpolated precision at recall 0, .1 … 1, or at the points given, of each query, float64[E]."""
    total = np.zeros(judged.n_queries)
    for one in points or ELEVEN:
        total += interpolated_precision(judged, rel, cut, one)
    return total / len(points or ELEVEN)

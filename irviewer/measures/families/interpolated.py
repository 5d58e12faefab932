"""Interpolated precision: the highest precision at a recall level or any higher one."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.model.recall_cuts import CUTS, documents_taken
from irviewer.translation import tr

BOOK = "van Rijsbergen, Information Retrieval, 1979"
ROUNDED = {
    "nearest": tr("{book}; r·R documents rounded as in trec_eval 10, lround(r·R)", book=BOOK),
    "up": tr("{book}; r·R documents rounded as in trec_eval 9, int(r·R + .9)", book=BOOK),
    "exact": BOOK,
}
CUT = Parameter(
    "cut", "choice", "nearest",
    tr("number of relevant documents needed for recall r: nearest: lround(r·R); up: int(r·R + .9), as in trec_eval 9 "
       "and ranx; exact: the smallest n with n / R ≥ r, as defined"),
    choices=CUTS,
)  # fmt: skip

POINTS = Parameter(
    "points", "levels", None, tr("recall levels to average over; by default the eleven levels 0, .1, … 1"), low=0,
    high=1,
)  # fmt: skip
ELEVEN = tuple(step / 10 for step in range(11))


def _best(measure: Measure, recall: str = "r") -> tuple[str, ...]:
    """Return the formula of interpolated precision at a recall, and the definitions of its letters."""
    cut = measure.parameter("cut")
    if cut == "exact":
        return (rf"\max_{{i :\, R(i) \geq {recall}}} P(i)",)
    rounding = ".9" if cut == "up" else ".5"
    return (
        rf"\max_{{i :\, c(i) \geq \lfloor {recall} R + {rounding} \rfloor}} P(i)",
        r"c(i) = \sum_{j \leq i} rel(j)",
    )


def _average(measure: Measure) -> str:
    """Return the formula of the mean over recall levels: evenly spaced levels as a sum over j, others one by one."""
    points = measure.parameter("points") or ELEVEN
    last = len(points) - 1
    if last and points == tuple(step / last for step in range(len(points))):
        main = rf"\frac{{1}}{{{len(points)}}} \sum_{{j=0}}^{{{last}}} IPrec(j/{last})"
    else:
        total = " + ".join(f"IPrec({number_text(level)})" for level in points)
        main = rf"\frac{{1}}{{{len(points)}}} ({total})"
    best, *rest = _best(measure)
    return filled(measure, main, f"IPrec(r) = {best}", *rest)


def _levels(measure: Measure) -> str:
    """Return the recall levels as text."""
    points = measure.parameter("points")
    return "0, .1, … 1" if points is None else ", ".join(map(number_text, points))


@measure(
    "IPrec",
    title=tr("Interpolated precision at recall"),
    parameters=(RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    cutoff=Cutoff.RECALL,
    rewards=tr("precision after a share r of the relevant documents has been found"),
    ignores=tr("precision at lower recall; drops of precision that are recovered at higher recall"),
    formula=lambda measure: filled(measure, *_best(measure)),
    source=lambda measure: ROUNDED[measure.parameter("cut")],
    tools={"trec_eval": "iprec_at_recall", "ir_measures": "IPrec", "textbook": "interpolated precision"},
)
def interpolated_precision(judged: Judged, rel: float, cut: str, cutoff: float) -> Floats:
    """Return the interpolated precision at recall ``cutoff`` of each query, float64[E]; 0 if the recall is not
    reached."""
    hits = judged.relevant_hits(rel)
    needed = documents_taken(cutoff, judged.relevant_count(rel), cut)
    reached = hits.where(hits.ordinal >= needed[hits.query])
    best = np.zeros(judged.n_queries)
    np.maximum.at(best, reached.query, reached.ordinal / reached.rank)
    return best


@measure(
    "11pt_avg",
    title=tr("Interpolated precision, averaged over recall levels"),
    parameters=(POINTS, RELEVANCE_LEVEL, CUT, JUDGED_ONLY),
    rewards=lambda measure: tr("precision at recall {levels}", levels=_levels(measure)),
    ignores=tr("precision between these recall levels"),
    formula=_average,
    source=lambda measure: ROUNDED[measure.parameter("cut")],
    tools={"trec_eval": "11pt_avg", "textbook": "11-point average"},
)
def eleven_point_average(judged: Judged, points: tuple[float, ...] | None, rel: float, cut: str) -> Floats:
    """Return the mean interpolated precision at recall 0, .1 … 1, or at the given levels, of each query, float64[E]."""
    total = np.zeros(judged.n_queries)
    for level in points or ELEVEN:
        total += interpolated_precision(judged, rel, cut, level)
    return total / len(points or ELEVEN)

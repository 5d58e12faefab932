"""Rank-biased precision: the user reads the next document with probability p."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import FROM_ZERO, JUDGED_ONLY, SHARE, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import at_least, filled, of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

PERSISTENCE = Parameter("p", "number", 0.8, tr("probability of reading the next document"), low=0, high=1, always=True)
BINARY_LEVEL = Parameter(
    "rel", "number", None, tr("lowest grade that counts as relevant; by default the gain is grade / highest grade"),
    low=0, open_low=True,
)  # fmt: skip

GAIN = Parameter(
    "gain", "choice", "share",
    tr("share: 1 if rel is given, else grade / highest grade; grade: the grade itself, as in ranx"),
    choices=("share", "grade"),
)  # fmt: skip


def _span(measure: Measure) -> Span:
    """Return the bounds of RBP; unscaled grades have no upper bound."""
    return FROM_ZERO if measure.parameter("gain") == "grade" else SHARE


def _gain(measure: Measure) -> str:
    level, unscaled = measure.parameter("rel"), measure.parameter("gain") == "grade"
    if level is None:
        return "g(i) = grade(i)" if unscaled else r"g(i) = \frac{grade(i)}{g_{max}}"
    return f"g(i) = {at_least(level)}" + (r"\,grade(i)" if unscaled else "")


def _ignored(measure: Measure) -> str:
    if measure.parameter("rel") is not None and measure.parameter("gain") != "grade":
        return tr("the number of relevant documents: the value is not divided by R; grades above the relevance level")
    return tr("the number of relevant documents: the value is not divided by the gain of an ideal ranking")


@measure(
    "RBP",
    title=tr("Rank-biased precision"),
    parameters=(PERSISTENCE, BINARY_LEVEL, GAIN, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("gain near the top, for a user who reads on with probability p"),
    ignores=_ignored,
    formula=lambda measure: filled(measure, r"(1-p) \sum_{i=1}^{K} g(i)\,p^{i-1}", _gain(measure)),
    source="Moffat and Zobel, Rank-biased precision, TOIS 2008",
    span=_span,
    tools={"trec_eval": "rbp", "ir_measures": "RBP", "ranx": "rbp", "textbook": "RBP"},
)
def rank_biased_precision(judged: Judged, p: float, rel: float | None, gain: str, cutoff: int | None) -> Floats:
    """Return the RBP of each query, float64[E]. With ``rel`` gains are 0 and 1, without it grade / highest grade of the
    qrels (1 for binary qrels); with ``gain="grade"`` grades of ``rel`` or more are gains, and values may exceed 1."""
    hits = judged.relevant_hits(rel if rel is not None else 1e-12, cutoff)
    if gain == "grade":
        gains = hits.grade
    else:
        gains = np.ones(len(hits.grade)) if rel is not None else hits.grade / max(judged.max_grade, 1e-12)
    return hits.sum_by_query(gains * np.power(p, hits.rank - 1.0)) * (1.0 - p)


@measure(
    "rbp_resid",
    title=tr("Residual of rank-biased precision"),
    parameters=(Parameter("p", "number", 0.9, tr("probability of reading the next document"), low=0, high=1),),
    higher_is_better=False,
    rewards=tr("nothing about quality: it is how much RBP would increase if all unjudged documents were relevant"),
    ignores=tr("relevance; 0 if all documents returned are judged, as in trec_eval"),
    formula=of(
        r"[u > 0] \left(p^{n} + (1-p) \sum_{i=1}^{n} unjudged(i)\,p^{i-1}\right)", r"u = \sum_{i=1}^{n} unjudged(i)"
    ),
    source=tr("{paper}; computed as in trec_eval 10", paper="Moffat and Zobel, Rank-biased precision, TOIS 2008"),
    tools={"trec_eval": "rbp_resid", "textbook": "residual of RBP"},
)
def rank_biased_residual(judged: Judged, p: float) -> Floats:
    """Return the residual of each query, float64[E]; 0 for a missing query, as in trec_eval -c."""
    hits = judged.judged_hits
    judged_weight = hits.sum_by_query(np.power(p, hits.rank - 1.0)) * (1.0 - p)
    return np.where(judged.returned > hits.count_by_query, 1.0 - judged_weight, 0.0)

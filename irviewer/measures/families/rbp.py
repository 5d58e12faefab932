"""Rank-biased precision: a person who goes on to the next document with probability p."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import FROM_ZERO, JUDGED_ONLY, SHARE, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import at_least, filled, of
from irviewer.model.arrays import Floats
from irviewer.model.judgments.judged import Judged

PERSISTENCE = Parameter("p", "number", 0.8, "probability of going on to the next document", low=0, high=1, always=True)
BINARY_LEVEL = Parameter(
    "rel", "number", None, "least grade that counts as relevant; without it the gain is grade / highest grade", low=0,
    open_low=True,
)  # fmt: skip

GAIN = Parameter(
    "gain", "choice", "share",
    "1 where rel is given and grade / highest grade where it is not, or (grade) the grade itself, unscaled, as in ranx",
    choices=("share", "grade"),
)  # fmt: skip


def _span(measure: Measure) -> Span:
    """Grades that are taken as they stand have no end."""
    return FROM_ZERO if measure.parameter("gain") == "grade" else SHARE


def _gain(measure: Measure) -> str:
    level, unscaled = measure.parameter("rel"), measure.parameter("gain") == "grade"
    if level is None:
        return "g(i) = grade(i)" if unscaled else r"g(i) = \frac{grade(i)}{g_{max}}"
    return f"g(i) = {at_least(level)}" + (r"\,grade(i)" if unscaled else "")


def _ignored(measure: Measure) -> str:
    binary = measure.parameter("rel") is not None and measure.parameter("gain") != "grade"
    return "how much there was to find: it is not divided by " + (
        "R; how relevant a document is beyond the level" if binary else "what an ideal list would gain"
    )


@measure(
    "RBP",
    title="Rank-biased precision",
    parameters=(PERSISTENCE, BINARY_LEVEL, GAIN, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="gain near the top, for a person who goes on with probability p",
    ignores=_ignored,
    formula=lambda measure: filled(measure, r"(1-p) \sum_{i=1}^{K} g(i)\,p^{i-1}", _gain(measure)),
    source="Moffat and Zobel, Rank-biased precision, TOIS 2008",
    span=_span,
    tools={"trec_eval": "rbp", "ir_measures": "RBP", "ranx": "rbp", "textbook": "RBP"},
)
def rank_biased_precision(judged: Judged, p: float, rel: float | None, gain: str, cutoff: int | None) -> Floats:
    """RBP of each query, float64[E]. With ``rel`` gains are 0 and 1, without it grade / highest grade of the qrels
    (1 for binary qrels); ``gain="grade"`` takes grades of ``rel`` or more as they stand, and may pass 1."""
    hits = judged.relevant_hits(rel if rel is not None else 1e-12, cutoff)
    if gain == "grade":
        worth = hits.grade
    else:
        worth = np.ones(len(hits.grade)) if rel is not None else hits.grade / max(judged.max_grade, 1e-12)
    return hits.sum_by_query(worth * np.power(p, hits.rank - 1.0)) * (1.0 - p)


@measure(
    "rbp_resid",
    title="Residual of rank-biased precision",
    parameters=(Parameter("p", "number", 0.9, "probability of going on to the next document", low=0, high=1),),
    higher_is_better=False,
    rewards="nothing about quality: how far RBP could grow were the unjudged relevant",
    ignores="relevance; 0 where nothing returned is unjudged, as in trec_eval",
    formula=of(
        r"[u > 0] \left(p^{n} + (1-p) \sum_{i=1}^{n} unjudged(i)\,p^{i-1}\right)", r"u = \sum_{i=1}^{n} unjudged(i)"
    ),
    source="Moffat and Zobel, Rank-biased precision, TOIS 2008, as trec_eval 10 has it",
    tools={"trec_eval": "rbp_resid", "textbook": "residual of RBP"},
)
def rank_biased_residual(judged: Judged, p: float) -> Floats:
    """The residual of each query, float64[E]; a missing query has 0, as trec_eval -c has it."""
    hits = judged.judged_hits
    judged_weight = hits.sum_by_query(np.power(p, hits.rank - 1.0)) * (1.0 - p)
    return np.where(judged.returned > hits.count_by_query, 1.0 - judged_weight, 0.0)

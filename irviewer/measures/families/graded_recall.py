"""Q-measure and normalised cumulative gain: graded relevance without a logarithm of the rank."""

from __future__ import annotations

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Parameter, measure
from irviewer.measures.formulas import BEST_JUDGED, filled, gain_definitions
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, safe_divide, sums_within
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

SOURCE = "Sakai, Ranking the NTCIR systems based on multigrade relevance, AIRS 2004"
BETA = Parameter("beta", "number", 1, tr("weight of gain relative to the count of relevant documents"), low=0)


@measure(
    "Q",
    title=tr("Q-measure"),
    parameters=(BETA, RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("every relevant document found, more so near the top and of a high grade"),
    ignores=tr("whether unjudged documents are relevant"),
    formula=lambda measure: filled(
        measure,
        r"\frac{1}{R} \sum_{i=1}^{n} rel(i) \frac{c(i) + BETA\,D(i)}{i + BETA\,D^{*}(i)}".replace(
            "BETA", number_text(measure.parameter("beta"))
        ),
        r"c(i) = \sum_{j \leq i} rel(j)",
        r"D(i) = \sum_{j \leq i} g(j)",
        r"D^{*}(i) = \sum_{j \leq i} g^{*}(j)",
        *gain_definitions("", None, measure.parameter("rel")),
        BEST_JUDGED,
    ),
    source=SOURCE,
    tools={"textbook": "Q-measure"},
)
def q_measure(judged: Judged, beta: float, rel: float) -> Floats:
    """Return the Q-measure of each query, float64[E]; 0 without relevant documents. With beta 0 it is AP. The gain of a
    relevant document is its grade; the ideal ranking has all relevant documents of the qrels, by grade."""
    hits = judged.relevant_hits(rel)
    starts = np.searchsorted(hits.query, np.arange(judged.n_queries + 1))
    gained = sums_within(hits.grade, starts)
    best = sums_within(np.where(judged.ideal_grades >= rel, judged.ideal_grades, 0.0), judged.ideal_offsets)
    sizes = np.diff(judged.ideal_offsets)[hits.query]
    ideal = best[judged.ideal_offsets[hits.query] + np.minimum(hits.rank, sizes) - 1]
    blended = (hits.ordinal + beta * gained) / (hits.rank + beta * ideal)
    return safe_divide(hits.sum_by_query(blended), judged.relevant_count(rel))


@measure(
    "nCG",
    title=tr("Normalised cumulative gain"),
    aliases=("NCG",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("documents of high grades, as a share of the best possible sum of grades"),
    ignores=tr("the order of the documents; whether unjudged documents are relevant"),
    formula=lambda measure: filled(
        measure,
        r"\frac{\sum_{i=1}^{K} g(i)}{\sum_{BEST} g^{*}(i)}".replace(
            "{BEST}", "{i}" if measure.cutoff is None else "{i=1}^{k}"
        ),
        *gain_definitions("", None, measure.parameter("rel")),
        BEST_JUDGED,
    ),
    source="Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    tools={"textbook": "nCG"},
)
def normalised_cumulative_gain(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the nCG of each query down to the cutoff, float64[E]; 0 without relevant documents. The gain of a relevant
    document is its grade."""
    hits = judged.relevant_hits(rel, cutoff)
    place = np.arange(len(judged.ideal_grades)) - judged.ideal_offsets[judged.ideal_query]
    counts = judged.ideal_grades >= rel if cutoff is None else (place < cutoff) & (judged.ideal_grades >= rel)
    best = np.bincount(
        judged.ideal_query, weights=np.where(counts, judged.ideal_grades, 0.0), minlength=judged.n_queries
    )
    return safe_divide(hits.sum_by_query(hits.grade), best)

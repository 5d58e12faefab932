"""Measures of sampled judgments: AP and nDCG estimated from a pool of which each stratum was sampled at its own
rate."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.measures.base import ENDLESS, FROM_ZERO, RELEVANCE_LEVEL, Cutoff, Measure, Span, in_formula, measure
from irviewer.measures.formulas import filled, gain_definitions, of
from irviewer.measures.gains import gains_of
from irviewer.measures.parameters import GAINS
from irviewer.measures.strata import cells_of, ideal_gain
from irviewer.model.arrays import Floats, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

PAPER = "Yilmaz, Kanoulas and Aslam, A simple and efficient sampling method for estimating AP and NDCG, SIGIR 2008"
SOURCE = tr("{paper}; computed as in TREC’s sample_eval.pl", paper=PAPER)
IGNORES = tr(
    "documents outside the pool; of each stratum of the pool only a sample need be judged (negative grades: in the "
    "stratum, not sampled)"
)
BEST_ESTIMATED = r"g^{*} = g\ " + in_formula(tr("of the estimated documents, descending"))


@measure(
    "xinfAP",
    title=tr("Extended inferred average precision"),
    parameters=(RELEVANCE_LEVEL,),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("every relevant document found, more so near the top; a judged one stands for others of its stratum"),
    ignores=IGNORES,
    formula=of(
        r"\frac{\sum_{i=1}^{K} rel(i)\,w(i)\,p(i)}{\sum_{h} \frac{N(h)}{J(h)} F(h)}",
        r"w(i) = \sum_{h} in(i,h)\,\frac{N(h)}{J(h)}",
        r"p(i) = \frac{1}{i} \left(1 + \sum_{h} l(i,h)\,\frac{r(i,h) + \epsilon}{s(i,h) + 3\epsilon}\right)",
        r"l(i,h) = \sum_{j<i} in(j,h)",
        r"r(i,h) = \sum_{j<i} rel(j)\,in(j,h)",
        r"s(i,h) = \sum_{j<i} (1 - unjudged(j))\,in(j,h)",
        r"\epsilon = .00001",
    ),
    source=SOURCE,
    tools={"textbook": "xinfAP"},
)
def extended_inferred_average_precision(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the xinfAP of each query, float64[E]; 0 without a judged relevant document.

    Where every stratum was judged in full it is AP but for the smoothing, by less than .0001."""
    cells = cells_of(judged)
    keep = (cells.hit_grade >= rel) & (cells.hit_grade >= 0)
    keep &= cells.hit_rank <= (cells.hit_rank.max(initial=0) if cutoff is None else cutoff)
    precision = (1.0 + cells.expected_above(rel)) / cells.hit_rank
    worth = (cells.weight[cells.hit_cell] * precision)[keep]
    total = np.bincount(cells.hit_query[keep], weights=worth, minlength=cells.n_queries)
    return safe_divide(total, cells.estimated_relevant(rel))


def _span(measure: Measure) -> Span:
    """Return the bounds: an estimate may exceed 1, and a custom gain may be negative."""
    return ENDLESS if min((measure.parameter("gains") or {0: 0}).values()) < 0 else FROM_ZERO


@measure(
    "infNDCG",
    title=tr("Inferred nDCG"),
    parameters=(GAINS,),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("documents of high grades, more so near the top; a judged one stands for others of its stratum"),
    ignores=IGNORES,
    formula=lambda measure: filled(
        measure,
        r"\frac{\sum_{i=1}^{K} w(i)\,\frac{g(i)}{\log_2(i+1)}}{BEST}".replace(
            "BEST", r"\sum_{i} \frac{g^{*}(i)}{\log_2(i+1)}" if measure.cutoff is None
            else r"\sum_{i=1}^{k} \frac{g^{*}(i)}{\log_2(i+1)}",
        ),
        r"w(i) = \sum_{h} in(i,h)\,\frac{m(h)}{t(h)}",
        r"m(h) = \sum_{j=1}^{K} in(j,h)",
        r"t(h) = \sum_{j=1}^{K} (1 - unjudged(j))\,in(j,h)",
        *gain_definitions("log2", measure.parameter("gains"), None),
        BEST_ESTIMATED,
        r"e(g) = \lfloor \frac{1}{2} + \sum_{h} \frac{N(h)}{J(h)} F(g,h) \rfloor",
    ),
    source=SOURCE,
    span=_span,
    tools={"textbook": "infNDCG"},
)  # fmt: skip
def inferred_ndcg(judged: Judged, gains: Mapping[float, float] | None, cutoff: int | None) -> Floats:
    """Return the infNDCG of each query, float64[E]; 0 if no document with a gain is estimated. The gain is the grade,
    the discount log2(i + 1).

    Where every stratum was judged in full it is nDCG (log2). The ideal ranking has the estimated number of documents of
    each gain, rounded. Its length has no bound without a cutoff; sample_eval.pl stops at 1000: infNDCG@1000."""
    cells = cells_of(judged)
    keep = cells.hit_grade >= 0
    keep &= cells.hit_rank <= (cells.hit_rank.max(initial=0) if cutoff is None else cutoff)
    gain = gains_of(cells.hit_grade[keep], "log2", gains)
    worth = cells.found_weight(cutoff)[cells.hit_cell[keep]] * gain / np.log2(cells.hit_rank[keep] + 1.0)
    total = np.bincount(cells.hit_query[keep], weights=worth, minlength=cells.n_queries)
    return safe_divide(total, ideal_gain(cells, gains, cutoff))

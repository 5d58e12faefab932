"""Diversity measures: a query has subtopics, and further documents on a covered subtopic gain less.

Subtopics are the qrels' second column (``Judged.assessed``); a query whose qrels have none is one subtopic. Only
subtopics with a relevant document count. Computed as in ndeval; the functions say where it differs from its papers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, in_formula, measure
from irviewer.measures.formulas import filled, of
from irviewer.measures.subtopics import topics_of
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

ALPHA = Parameter(
    "alpha", "number", 0.5, tr("loss of gain for a subtopic already covered: 0 none, 1 all"), low=0, high=1
)
BETA = Parameter("beta", "number", 0.5, tr("patience: probability of reading the next document"), low=0, high=1)
UNBOUNDED = tr(
    "grades above the relevance level; subtopics without a relevant document; whether such documents exist: "
    "1 is a ranking of documents on all subtopics"
)
GREEDY_IDEAL = tr(
    "grades above the relevance level; subtopics without a relevant document; orders better than the greedy ideal "
    "ranking"
)
CHAPELLE = "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009"
CLARKE = "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008"
VECHTOMOVA = (
    "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
)
AGRAWAL = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
GAIN = (r"g(i) = \sum_{s} rel(i,s)\,(1-\alpha)^{c(i,s)}", r"c(i,s) = \sum_{j<i} rel(j,s)")
GREEDY = r"g^{*} = g\ " + in_formula(tr("of the greedy ideal ranking"))


def _by_rank(rank: Ints) -> Floats:
    return 1.0 / rank


def _by_logarithm(rank: Ints) -> Floats:
    return np.asarray(1.0 / np.log2(rank + 1.0))


def _absolute(discount: str) -> Callable[[Measure], str]:
    """Return the formula of the gain divided by that of documents on all subtopics, down to the cutoff; without one,
    down to the number of documents returned or relevant, whichever is larger."""

    def formula(measure: Measure) -> str:
        end, depth = ("d", r"d = \max(n, |\bigcup_{s} rel_s|)") if measure.cutoff is None else ("k", "")
        return filled(
            measure,
            rf"\frac{{\sum_{{i=1}}^{{K}} g(i) / {discount}}}"
            rf"{{\sum_{{i=1}}^{{{end}}} S\,(1-\alpha)^{{i-1}} / {discount}}}",
            *GAIN,
            depth,
        )

    return formula


def _normalised(discount: str) -> Callable[[Measure], str]:
    """Return the formula of the gain divided by that of the ideal ranking."""

    def formula(measure: Measure) -> str:
        best = "_{i}" if measure.cutoff is None else "_{i=1}^{k}"
        return filled(
            measure,
            rf"\frac{{\sum_{{i=1}}^{{K}} g(i) / {discount}}}{{\sum{best} g^{{*}}(i) / {discount}}}",
            *GAIN,
            GREEDY,
        )

    return formula


@measure(
    "ERR_IA",
    title=tr("Intent-aware expected reciprocal rank"),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("documents on many subtopics near the top, less so for subtopics already covered; discounted by rank"),
    ignores=UNBOUNDED,
    formula=_absolute("i"),
    source=tr("{paper}; computed as in ndeval", paper=CHAPELLE),
    tools={"ndeval": "ERR-IA", "ir_measures": "ERR_IA"},
)
def err_intent_aware(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """Return the ERR-IA@k of each query, float64[E]; without a cutoff k is :meth:`Topics.depth`. At k = 1 ndeval does
    not divide by the number of subtopics S (its loop begins at the second rank); here the value is divided for every
    k."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_rank, cutoff), topics.best_gains(alpha, _by_rank, topics.depth(cutoff)))


@measure(
    "nERR_IA",
    title=tr("Normalised intent-aware expected reciprocal rank"),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr(
        "documents on many subtopics near the top, less so for subtopics already covered; discounted by rank, as a "
        "share of the ideal ranking's gain"
    ),
    ignores=GREEDY_IDEAL,
    formula=_normalised("i"),
    source=tr("{paper}; computed as in ndeval", paper=CHAPELLE),
    tools={"ndeval": "nERR-IA", "ir_measures": "nERR_IA"},
)
def normalised_err_intent_aware(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """Return the nERR-IA@k of each query, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_rank, cutoff), topics.ideal_gains(alpha, _by_rank, cutoff))


@measure(
    "alpha_DCG",
    title=tr("α-DCG"),
    aliases=("α_DCG",),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr(
        "documents on many subtopics near the top, less so for subtopics already covered; discounted by the "
        "logarithm of the rank"
    ),
    ignores=UNBOUNDED,
    formula=_absolute(r"\log_2(i+1)"),
    source=tr("{paper}; normalised as in ndeval", paper=CLARKE),
    tools={"ndeval": "alpha-DCG", "ir_measures": "alpha_DCG"},
)
def alpha_dcg(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """Return the α-DCG@k of each query, float64[E]; cutoff and k = 1 as for ERR_IA."""
    topics = topics_of(judged, rel)
    best = topics.best_gains(alpha, _by_logarithm, topics.depth(cutoff))
    return safe_divide(topics.gains(alpha, _by_logarithm, cutoff), best)


@measure(
    "alpha_nDCG",
    title=tr("α-nDCG"),
    aliases=("α_nDCG",),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr(
        "documents on many subtopics near the top, less so for subtopics already covered; discounted by the "
        "logarithm of the rank, as a share of the ideal ranking's gain"
    ),
    ignores=GREEDY_IDEAL,
    formula=_normalised(r"\log_2(i+1)"),
    source=CLARKE,
    tools={"ndeval": "alpha-nDCG", "ir_measures": "alpha_nDCG"},
)
def alpha_ndcg(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """Return the α-nDCG@k of each query, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_logarithm, cutoff), topics.ideal_gains(alpha, _by_logarithm, cutoff))


@measure(
    "NRBP",
    title=tr("Novelty- and rank-biased precision"),
    parameters=(ALPHA, BETA, RELEVANCE_LEVEL),
    rewards=tr(
        "documents on many subtopics near the top, less so for subtopics already covered; for a user who reads on "
        "with probability β"
    ),
    ignores=UNBOUNDED,
    formula=of(r"\frac{1 - (1-\alpha)\,\beta}{S} \sum_{i=1}^{n} \beta^{i-1}\,g(i)", *GAIN),
    source=VECHTOMOVA,
    tools={"ndeval": "NRBP", "ir_measures": "NRBP"},
)
def novelty_biased_precision(judged: Judged, alpha: float, beta: float, rel: float) -> Floats:
    """Return the NRBP of each query over its whole ranking, float64[E]."""
    topics = topics_of(judged, rel)
    gains = topics.gains(alpha, _Patience(beta), None)
    return safe_divide(gains * (1.0 - (1.0 - alpha) * beta), topics.subtopics)


@measure(
    "nNRBP",
    title=tr("Normalised novelty- and rank-biased precision"),
    parameters=(ALPHA, BETA, RELEVANCE_LEVEL),
    rewards=tr(
        "documents on many subtopics near the top, less so for subtopics already covered; for a user who reads on "
        "with probability β, as a share of the ideal ranking's gain"
    ),
    ignores=GREEDY_IDEAL,
    formula=of(r"\frac{\sum_{i=1}^{n} \beta^{i-1}\,g(i)}{\sum_{i} \beta^{i-1}\,g^{*}(i)}", *GAIN, GREEDY),
    source=VECHTOMOVA,
    tools={"ndeval": "nNRBP", "ir_measures": "nNRBP"},
)
def normalised_novelty_biased_precision(judged: Judged, alpha: float, beta: float, rel: float) -> Floats:
    """Return the nNRBP of each query over its whole ranking, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _Patience(beta), None), topics.ideal_gains(alpha, _Patience(beta), None))


@measure(
    "AP_IA",
    title=tr("Intent-aware average precision"),
    aliases=("MAP_IA",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("every document relevant to a subtopic, more so near the top; all subtopics weigh the same"),
    ignores=tr("whether documents repeat each other"),
    formula=of(r"\frac{1}{S} \sum_{s} \frac{1}{R(s)} \sum_{i=1}^{K} rel(i,s)\,P(i,s)"),
    source=AGRAWAL,
    tools={"ndeval": "MAP-IA", "ir_measures": "AP_IA"},
)
def average_precision_intent_aware(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the mean AP over the subtopics of each query, float64[E]."""
    topics = topics_of(judged, rel)
    hits = topics.hits
    keep = hits.rank <= _deepest(cutoff)
    precision = hits.times[keep] / hits.rank[keep]
    by_subtopic = precision / topics.relevant_documents[hits.cell[keep]]
    return safe_divide(topics.sum_by_query(hits.query[keep], by_subtopic), topics.subtopics)


@measure(
    "P_IA",
    title=tr("Intent-aware precision"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("documents relevant to many subtopics among the first k"),
    ignores=tr("the order of the first k documents; whether documents repeat each other"),
    formula=of(r"\frac{1}{K\,S} \sum_{i=1}^{K} \sum_{s} rel(i,s)"),
    source=AGRAWAL,
    tools={"ndeval": "P-IA", "ir_measures": "P_IA"},
)
def precision_intent_aware(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the mean P@k over the subtopics of each query, float64[E]; without a cutoff k is the number of documents
    returned."""
    topics = topics_of(judged, rel)
    relevant_pairs = topics.sum_by_query(topics.hits.query[topics.hits.rank <= _deepest(cutoff)])
    return safe_divide(relevant_pairs, (judged.returned if cutoff is None else cutoff) * topics.subtopics)


@measure(
    "StRecall",
    title=tr("Subtopic recall"),
    parameters=(RELEVANCE_LEVEL,),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("every subtopic covered by the first k documents"),
    ignores=tr("the order of the first k documents; how many of them cover a subtopic"),
    formula=of(r"\frac{1}{S} \sum_{s} \max_{i \leq K} rel(i,s)"),
    source="Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003",
    tools={"ndeval": "strec", "ir_measures": "StRecall"},
)
def subtopic_recall(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """Return the share of subtopics covered down to rank k of each query, float64[E]."""
    topics = topics_of(judged, rel)
    hits = topics.hits
    return safe_divide(
        topics.sum_by_query(hits.query[(hits.rank <= _deepest(cutoff)) & (hits.times == 1)]), topics.subtopics
    )


class _Patience:
    """The weight β^(i-1) of rank i."""

    def __init__(self, beta: float) -> None:
        self._beta = beta

    def __call__(self, rank: Ints) -> Floats:
        return np.asarray(np.power(self._beta, rank - 1.0))


def _deepest(cutoff: int | None) -> float:
    return np.inf if cutoff is None else cutoff

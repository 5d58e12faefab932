"""Diversity: a query has subtopics, and a document that says the same once more is worth less.

Subtopics are the qrels' second column (``Judged.assessed``); a query whose qrels have none is one subtopic. Only
subtopics with a relevant document count. As ndeval computes it; where that is not what its papers say, the function
does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, Parameter, measure
from irviewer.measures.formulas import filled, of
from irviewer.measures.subtopics import topics_of
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged

ALPHA = Parameter("alpha", "number", 0.5, "how far a document loses worth for a subtopic already met", low=0, high=1)
BETA = Parameter("beta", "number", 0.5, "patience: probability of going on to the next document", low=0, high=1)
NOVELTY = "documents on many subtopics near the top, the less the more often a subtopic was met above"
BINARY = "how relevant a document is beyond the level; subtopics that no document is relevant to"
IDEAL = "; the ideal order is a greedy one"
CHAPELLE = "Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009"
CLARKE = "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008"
VECHTOMOVA = (
    "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009"
)
AGRAWAL = "Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009"
GAIN = (r"g(i) = \sum_{s} rel(i,s)\,(1-\alpha)^{c(i,s)}", r"c(i,s) = \sum_{j<i} rel(j,s)")
GREEDY = r"g^{*} = g\ \mathrm{of\ the\ greedy\ ideal\ list}"


def _by_rank(rank: Ints) -> Floats:
    return 1.0 / rank


def _by_logarithm(rank: Ints) -> Floats:
    return np.asarray(1.0 / np.log2(rank + 1.0))


def _absolute(discount: str) -> Callable[[Measure], str]:
    """Gain over what documents on all subtopics would gain, down to the cutoff; without one as deep as the longer of
    the run and the relevant documents."""

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
    """Gain over that of the ideal list."""

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
    title="Intent-aware expected reciprocal rank",
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=NOVELTY + ", discounted by rank",
    ignores=BINARY + "; whether the qrels hold documents that good: a list of documents on all subtopics is 1",
    formula=_absolute("i"),
    source=CHAPELLE + ", as ndeval has it",
    tools={"ndeval": "ERR-IA", "ir_measures": "ERR_IA"},
)
def err_intent_aware(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """ERR-IA@k of each query, float64[E]; without a cutoff k is as :meth:`Topics.depth`. At k = 1 ndeval does not
    divide by the number of subtopics S (its loop begins at the second rank); here every k does."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_rank, cutoff), topics.best_gains(alpha, _by_rank, topics.depth(cutoff)))


@measure(
    "nERR_IA",
    title="Normalised intent-aware expected reciprocal rank",
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=NOVELTY + ", discounted by rank, as a share of what the best order of the relevant documents has",
    ignores=BINARY + IDEAL,
    formula=_normalised("i"),
    source=CHAPELLE + ", as ndeval has it",
    tools={"ndeval": "nERR-IA", "ir_measures": "nERR_IA"},
)
def normalised_err_intent_aware(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """nERR-IA@k of each query, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_rank, cutoff), topics.ideal_gains(alpha, _by_rank, cutoff))


@measure(
    "alpha_DCG",
    title="α-DCG",
    aliases=("α_DCG",),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=NOVELTY + ", discounted by the logarithm of the rank",
    ignores=BINARY + "; whether the qrels hold documents that good: a list of documents on all subtopics is 1",
    formula=_absolute(r"\log_2(i+1)"),
    source=CLARKE + ", with the normalisation of ndeval",
    tools={"ndeval": "alpha-DCG", "ir_measures": "alpha_DCG"},
)
def alpha_dcg(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """α-DCG@k of each query, float64[E]; the cutoff and ndeval's k = 1 as with ERR_IA."""
    topics = topics_of(judged, rel)
    best = topics.best_gains(alpha, _by_logarithm, topics.depth(cutoff))
    return safe_divide(topics.gains(alpha, _by_logarithm, cutoff), best)


@measure(
    "alpha_nDCG",
    title="α-nDCG",
    aliases=("α_nDCG",),
    parameters=(ALPHA, RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=NOVELTY + ", discounted by the logarithm of the rank, as a share of what the best order has",
    ignores=BINARY + IDEAL,
    formula=_normalised(r"\log_2(i+1)"),
    source=CLARKE,
    tools={"ndeval": "alpha-nDCG", "ir_measures": "alpha_nDCG"},
)
def alpha_ndcg(judged: Judged, alpha: float, rel: float, cutoff: int | None) -> Floats:
    """α-nDCG@k of each query, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _by_logarithm, cutoff), topics.ideal_gains(alpha, _by_logarithm, cutoff))


@measure(
    "NRBP",
    title="Novelty- and rank-biased precision",
    parameters=(ALPHA, BETA, RELEVANCE_LEVEL),
    rewards=NOVELTY + ", for a person who goes on with probability β",
    ignores=BINARY + "; whether the qrels hold documents that good",
    formula=of(r"\frac{1 - (1-\alpha)\,\beta}{S} \sum_{i=1}^{n} \beta^{i-1}\,g(i)", *GAIN),
    source=VECHTOMOVA,
    tools={"ndeval": "NRBP", "ir_measures": "NRBP"},
)
def novelty_biased_precision(judged: Judged, alpha: float, beta: float, rel: float) -> Floats:
    """NRBP of each query over its whole list, float64[E]."""
    topics = topics_of(judged, rel)
    gains = topics.gains(alpha, _Patience(beta), None)
    return safe_divide(gains * (1.0 - (1.0 - alpha) * beta), topics.subtopics)


@measure(
    "nNRBP",
    title="Normalised novelty- and rank-biased precision",
    parameters=(ALPHA, BETA, RELEVANCE_LEVEL),
    rewards=NOVELTY + ", for a person who goes on with probability β, as a share of what the best order has",
    ignores=BINARY + IDEAL,
    formula=of(r"\frac{\sum_{i=1}^{n} \beta^{i-1}\,g(i)}{\sum_{i} \beta^{i-1}\,g^{*}(i)}", *GAIN, GREEDY),
    source=VECHTOMOVA,
    tools={"ndeval": "nNRBP", "ir_measures": "nNRBP"},
)
def normalised_novelty_biased_precision(judged: Judged, alpha: float, beta: float, rel: float) -> Floats:
    """nNRBP of each query over its whole list, float64[E]."""
    topics = topics_of(judged, rel)
    return safe_divide(topics.gains(alpha, _Patience(beta), None), topics.ideal_gains(alpha, _Patience(beta), None))


@measure(
    "AP_IA",
    title="Intent-aware average precision",
    aliases=("MAP_IA",),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="every document relevant to a subtopic, the more the nearer the top; all subtopics alike",
    ignores="whether documents repeat each other",
    formula=of(r"\frac{1}{S} \sum_{s} \frac{1}{R(s)} \sum_{i=1}^{K} rel(i,s)\,P(i,s)"),
    source=AGRAWAL,
    tools={"ndeval": "MAP-IA", "ir_measures": "AP_IA"},
)
def average_precision_intent_aware(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """The mean of the AP of each subtopic, of each query, float64[E]."""
    topics = topics_of(judged, rel)
    hits = topics.hits
    keep = hits.rank <= _deepest(cutoff)
    precision = hits.times[keep] / hits.rank[keep]
    by_subtopic = precision / topics.relevant_documents[hits.cell[keep]]
    return safe_divide(topics.sum_by_query(hits.query[keep], by_subtopic), topics.subtopics)


@measure(
    "P_IA",
    title="Intent-aware precision",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards="documents among the first k that are relevant to many subtopics",
    ignores="the order within the first k; whether documents repeat each other",
    formula=of(r"\frac{1}{K\,S} \sum_{i=1}^{K} \sum_{s} rel(i,s)"),
    source=AGRAWAL,
    tools={"ndeval": "P-IA", "ir_measures": "P_IA"},
)
def precision_intent_aware(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """The mean of the P@k of each subtopic, of each query, float64[E]; without a cutoff k is the number returned."""
    topics = topics_of(judged, rel)
    found = topics.sum_by_query(topics.hits.query[topics.hits.rank <= _deepest(cutoff)])
    return safe_divide(found, (judged.returned if cutoff is None else cutoff) * topics.subtopics)


@measure(
    "StRecall",
    title="Subtopic recall",
    parameters=(RELEVANCE_LEVEL,),
    cutoff=Cutoff.OPTIONAL,
    rewards="every subtopic met among the first k",
    ignores="the order within the first k, and how often a subtopic is met",
    formula=of(r"\frac{1}{S} \sum_{s} \max_{i \leq K} rel(i,s)"),
    source="Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003",
    tools={"ndeval": "strec", "ir_measures": "StRecall"},
)
def subtopic_recall(judged: Judged, rel: float, cutoff: int | None) -> Floats:
    """The share of subtopics met down to rank k of each query, float64[E]."""
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

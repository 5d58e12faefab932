"""Cumulative gain: plain, discounted, normalised, and of the ideal ranking."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.measures.base import ENDLESS, FROM_ZERO, JUDGED_ONLY, SHARE, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import BEST_JUDGED, BEST_RETRIEVED, discount, filled, gain_definitions
from irviewer.measures.gains import GainRule, discount_of
from irviewer.measures.parameters import GAINS, number_text
from irviewer.model.arrays import Floats, group_of_each, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

CustomGains = Mapping[float, float] | None
"""Grade -> gain, for grades whose gain is not derived from the grade."""

SOURCE = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002"
REWARDS = tr("documents of high grades, more so near the top")

DISCOUNT = Parameter(
    "dcg", "choice", "log2",
    tr("gain (the grade, or 2^grade − 1 with exp-) and its divisor (log2(i+1), or "
        "log_base(max(i, base)) with jk)"),
    choices=("log2", "exp-log2", "jk", "exp-jk"),
)  # fmt: skip
BASE = Parameter("base", "number", 2, tr("base of the logarithm of dcg='jk'"), low=1, open_low=True)
LEAST = Parameter(
    "rel",
    "number",
    None,
    tr("lowest grade that has a gain (ranx's -lN); by default every grade above 0 has one"),
    low=0,
    open_low=True,
)
IDEAL = Parameter(
    "ideal", "choice", "judged", tr("documents of the ideal ranking: all judged ones, or only those retrieved"),
    choices=("judged", "retrieved"),
)  # fmt: skip


def _gain_span(measure: Measure) -> Span:
    """Return the bounds of a gain: 0 and above unless a custom gain is negative."""
    return ENDLESS if min((measure.parameter("gains") or {0: 0}).values()) < 0 else FROM_ZERO


def _share_span(measure: Measure) -> Span:
    """Return the bounds of a share: 0 to 1 unless a custom gain is negative."""
    return SHARE if _gain_span(measure) == FROM_ZERO else ENDLESS


def _formula(measure: Measure, main: str) -> str:
    """Return the formula with the measure's gain, discount and ideal ranking."""
    dcg = measure.parameter("dcg")
    main = main.replace("_{i=1}^{BEST}", "_{i}" if measure.cutoff is None else "_{i=1}^{k}")
    ideal = ""
    if "g^{*}" in main:
        ideal = BEST_RETRIEVED if measure.parameter("ideal") == "retrieved" else BEST_JUDGED
    return filled(
        measure, main.replace("DISCOUNT", discount(dcg)),
        *gain_definitions(dcg, measure.parameter("gains"), measure.parameter("rel")), ideal,
        f"b = {number_text(measure.parameter('base'))}" if dcg.endswith("jk") else "",
    )  # fmt: skip


def _with_parameters(measure: Measure, ignored: str) -> str:
    """Return what the measure ignores, with what its discount and its level ignore."""
    base = int(measure.parameter("base"))
    if measure.parameter("dcg").endswith("jk") and base > 1:
        ignored = tr("{ignored}; the order of the first {count} documents", ignored=ignored, count=base)
    return _below_level(measure, ignored)


def _below_level(measure: Measure, ignored: str) -> str:
    """Return what the measure ignores, with the grades that have no gain."""
    level = measure.parameter("rel")
    if level is not None:
        ignored = tr("{ignored}; documents of a grade below {level}", ignored=ignored, level=number_text(level))
    return ignored


def _ignored_by_gain(measure: Measure) -> str:
    text = tr("the number of relevant documents: queries with many of them weigh more in the mean")
    return _with_parameters(measure, text)


def _ignored_by_share(measure: Measure) -> str:
    if measure.parameter("ideal") == "retrieved":
        text = tr("relevant documents that were not retrieved: 1 is the best order of the documents retrieved")
    else:
        text = tr("the number of relevant documents: 1 is the best order of the judged documents")
    return _with_parameters(measure, text)


@measure(
    "CG",
    title=tr("Cumulative gain"),
    parameters=(GAINS, LEAST, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("documents of high grades"),
    ignores=lambda measure: _below_level(
        measure, tr("the order of the documents; how many relevant documents there are")
    ),
    formula=lambda measure: filled(
        measure,
        r"\sum_{i=1}^{K} g(i)",
        *gain_definitions("", measure.parameter("gains"), measure.parameter("rel")),
    ),
    source=SOURCE,
    span=_gain_span,
    tools={"textbook": "CG"},
)
def cumulative_gain(judged: Judged, gains: CustomGains, rel: float | None, cutoff: int | None) -> Floats:
    """Return the sum of the gains of each query's documents down to the cutoff, float64[E]."""
    hits = judged.listed_hits.to(cutoff)
    return hits.sum_by_query(GainRule(gains=gains, rel=rel).gain(hits.grade))


@measure(
    "DCG",
    title=tr("Discounted cumulative gain"),
    parameters=(DISCOUNT, BASE, GAINS, LEAST, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=REWARDS,
    ignores=_ignored_by_gain,
    formula=lambda measure: _formula(measure, r"\sum_{i=1}^{K} \frac{g(i)}{DISCOUNT}"),
    source=SOURCE,
    span=_gain_span,
    tools={"trec_eval": "dcg", "ranx": "dcg, dcg_burges", "textbook": "DCG"},
)
def discounted_gain(
    judged: Judged, dcg: str, base: float, gains: CustomGains, rel: float | None, cutoff: int | None
) -> Floats:
    """Return the DCG of each query, float64[E]."""
    hits = judged.listed_hits.to(cutoff)
    return hits.sum_by_query(_gains(hits.grade, dcg, gains, rel) / discount_of(hits.rank, dcg, base))


@measure(
    "nDCG",
    title=tr("Normalised discounted cumulative gain"),
    aliases=("NDCG",),
    parameters=(DISCOUNT, BASE, GAINS, IDEAL, LEAST, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=REWARDS,
    ignores=_ignored_by_share,
    formula=lambda measure: _formula(
        measure, r"\frac{\sum_{i=1}^{K} g(i) / DISCOUNT}{\sum_{i=1}^{BEST} g^{*}(i) / DISCOUNT}"
    ),
    source=SOURCE,
    span=_share_span,
    tools={
        "trec_eval": "ndcg, ndcg_cut",
        "ir_measures": "nDCG",
        "ranx": "ndcg, ndcg_burges",
        "gdeval": "ndcg@k",
        "textbook": "nDCG",
    },
)
def normalised_gain(
    judged: Judged, dcg: str, base: float, gains: CustomGains, ideal: str, rel: float | None, cutoff: int | None
) -> Floats:
    """Return the nDCG of each query, float64[E]; 0 if no document has a gain. The ideal ranking is cut like the run."""
    value = discounted_gain(judged, dcg, base, gains, rel, cutoff)
    return safe_divide(value, ideal_gain(judged, dcg, base, gains, ideal, rel, cutoff))


@measure(
    "IdealDCG",
    title=tr("Ideal discounted cumulative gain"),
    parameters=(DISCOUNT, BASE, GAINS, LEAST),
    cutoff=Cutoff.OPTIONAL,
    rewards=tr("nothing: it is the highest DCG that the qrels allow"),
    ignores=tr("the run"),
    formula=lambda measure: _formula(measure, r"\sum_{i=1}^{BEST} \frac{g^{*}(i)}{DISCOUNT}"),
    source=SOURCE,
    span=_gain_span,
    tools={"trec_eval": "ideal_dcg", "textbook": "ideal DCG"},
    of_judgments=True,
)
def ideal_discounted_gain(
    judged: Judged, dcg: str, base: float, gains: CustomGains, rel: float | None, cutoff: int | None
) -> Floats:
    """Return the DCG of the best order of all judged documents of each query, float64[E]."""
    return ideal_gain(judged, dcg, base, gains, "judged", rel, cutoff)


def ideal_gain(
    judged: Judged, dcg: str, base: float, gains: CustomGains, ideal: str, rel: float | None, cutoff: int | None
) -> Floats:
    """Return the DCG of the ideal ranking of each query, float64[E]: gains in descending order, down to the cutoff."""
    if ideal == "retrieved":
        query, gain = judged.hit_query, _gains(judged.hit_grade, dcg, gains, rel)
        sort = True
    else:
        query, gain = judged.ideal_query, _gains(judged.ideal_grades, dcg, gains, rel)
        sort = bool(gains)  # without custom gains, descending grades are descending gains
    if sort:
        gain = gain[np.lexsort((-gain, query))]
    starts = offsets_of(np.bincount(query, minlength=judged.n_queries))
    rank = np.arange(1, len(gain) + 1) - starts[group_of_each(starts)]
    gain = gain / discount_of(rank, dcg, base)
    if cutoff is not None:
        gain = np.where(rank <= cutoff, gain, 0.0)
    return np.bincount(query, weights=gain, minlength=judged.n_queries).astype(np.float64, copy=False)


def _gains(grades: Floats, dcg: str, gains: CustomGains, rel: float | None) -> Floats:
    return GainRule(dcg, gains=gains, rel=rel).gain(grades)

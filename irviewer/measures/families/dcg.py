"""Discounted cumulative gain, normalised by the best there could be or not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.measures.base import ENDLESS, FROM_ZERO, JUDGED_ONLY, SHARE, Cutoff, Measure, Parameter, Span, measure
from irviewer.measures.formulas import BEST_JUDGED, BEST_RETRIEVED, discount, filled, gain_definitions
from irviewer.measures.gains import GainRule, discount_of
from irviewer.measures.parameters import number_text
from irviewer.model.arrays import Floats, group_of_each, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged

Prices = Mapping[float, float] | None

SOURCE = "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002"
REWARDS = "documents by how relevant they are, the more the nearer the top they stand"

DISCOUNT = Parameter(
    "dcg", "choice", "log2",
    "gain and discount: grade or 2^grade − 1 (exp-), over log2(i+1) or log_base(max(i, base)) (jk)",
    choices=("log2", "exp-log2", "jk", "exp-jk"),
)  # fmt: skip
BASE = Parameter("base", "number", 2, "base of the logarithm of dcg='jk'", low=1, open_low=True)
GAINS = Parameter("gains", "gains", None, "gain of each grade; a grade that is not named is its own gain")
LEAST = Parameter(
    "rel",
    "number",
    None,
    "least grade that gains; without it every grade above 0 does (ranx -lN)",
    low=0,
    open_low=True,
)
IDEAL = Parameter(
    "ideal", "choice", "judged", "the ideal list is made of all judged documents, or of those retrieved",
    choices=("judged", "retrieved"),
)  # fmt: skip


def _gained(measure: Measure) -> Span:
    """From 0 on, unless a grade costs."""
    return ENDLESS if min((measure.parameter("gains") or {0: 0}).values()) < 0 else FROM_ZERO


def _shared(measure: Measure) -> Span:
    """Between 0 and 1, unless a grade costs."""
    return SHARE if _gained(measure) == FROM_ZERO else ENDLESS


def _formula(measure: Measure, main: str) -> str:
    """The formula with the gain and discount of the measure's ``dcg``, and what its ideal list is made of."""
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


def _undiscounted(measure: Measure) -> str:
    """What the discount does not see: nothing, or the order down to the base of its logarithm."""
    base = int(measure.parameter("base"))
    return f"; the order of the first {base} documents" if measure.parameter("dcg").endswith("jk") and base > 1 else ""


def _ungained(measure: Measure) -> str:
    """Which grades gain nothing, where a level says."""
    level = measure.parameter("rel")
    return "" if level is None else f"; documents of a grade below {number_text(level)}"


def _not_in_gain(measure: Measure) -> str:
    return (
        "how much there was to find: a query with many relevant documents weighs more in the mean"
        + _undiscounted(measure)
        + _ungained(measure)
    )


def _not_in_share(measure: Measure) -> str:
    retrieved = measure.parameter("ideal") == "retrieved"
    return (
        "how much there was to find: 1 is the best order of "
        + ("the documents retrieved, whatever was missed" if retrieved else "what the qrels hold")
        + _undiscounted(measure)
        + _ungained(measure)
    )


@measure(
    "DCG",
    title="Discounted cumulative gain",
    parameters=(DISCOUNT, BASE, GAINS, LEAST, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=REWARDS,
    ignores=_not_in_gain,
    formula=lambda measure: _formula(measure, r"\sum_{i=1}^{K} \frac{g(i)}{DISCOUNT}"),
    source=SOURCE,
    span=_gained,
    tools={"trec_eval": "dcg", "ranx": "dcg, dcg_burges", "textbook": "DCG"},
)
def discounted_gain(
    judged: Judged, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Floats:
    """DCG of each query, float64[E]."""
    hits = judged.listed_hits.to(cutoff)
    return hits.sum_by_query(_gains(hits.grade, dcg, gains, rel) / discount_of(hits.rank, dcg, base))


@measure(
    "nDCG",
    title="Normalised discounted cumulative gain",
    aliases=("NDCG",),
    parameters=(DISCOUNT, BASE, GAINS, IDEAL, LEAST, JUDGED_ONLY),
    cutoff=Cutoff.OPTIONAL,
    rewards=REWARDS,
    ignores=_not_in_share,
    formula=lambda measure: _formula(
        measure, r"\frac{\sum_{i=1}^{K} g(i) / DISCOUNT}{\sum_{i=1}^{BEST} g^{*}(i) / DISCOUNT}"
    ),
    source=SOURCE,
    span=_shared,
    tools={
        "trec_eval": "ndcg, ndcg_cut",
        "ir_measures": "nDCG",
        "ranx": "ndcg, ndcg_burges",
        "gdeval": "ndcg@k",
        "textbook": "nDCG",
    },
)
def normalised_gain(
    judged: Judged, dcg: str, base: float, gains: Prices, ideal: str, rel: float | None, cutoff: int | None
) -> Floats:
    """nDCG of each query, float64[E]; 0 where nothing gains. The ideal is cut at the same rank as the run."""
    value = discounted_gain(judged, dcg, base, gains, rel, cutoff)
    return safe_divide(value, ideal_gain(judged, dcg, base, gains, ideal, rel, cutoff))


@measure(
    "IdealDCG",
    title="Ideal discounted cumulative gain",
    parameters=(DISCOUNT, BASE, GAINS, LEAST),
    cutoff=Cutoff.OPTIONAL,
    rewards="nothing: it is the qrels', the most that a list could gain",
    ignores="the run",
    formula=lambda measure: _formula(measure, r"\sum_{i=1}^{BEST} \frac{g^{*}(i)}{DISCOUNT}"),
    source=SOURCE,
    span=_gained,
    tools={"trec_eval": "ideal_dcg", "textbook": "ideal DCG"},
)
def ideal_discounted_gain(
    judged: Judged, dcg: str, base: float, gains: Prices, rel: float | None, cutoff: int | None
) -> Floats:
    """DCG of the best order of all judged documents of each query, float64[E]."""
    return ideal_gain(judged, dcg, base, gains, "judged", rel, cutoff)


def ideal_gain(
    judged: Judged, dcg: str, base: float, gains: Prices, ideal: str, rel: float | None, cutoff: int | None
) -> Floats:
    """DCG of the ideal list of each query, float64[E]: gains in descending order, cut where the run is cut."""
    if ideal == "retrieved":
        query, gain = judged.hit_query, _gains(judged.hit_grade, dcg, gains, rel)
        sort = True
    else:
        query, gain = judged.ideal_query, _gains(judged.ideal_grades, dcg, gains, rel)
        sort = bool(gains)  # descending grades are descending gains unless the person priced them otherwise
    if sort:
        gain = gain[np.lexsort((-gain, query))]
    starts = offsets_of(np.bincount(query, minlength=judged.n_queries))
    rank = np.arange(1, len(gain) + 1) - starts[group_of_each(starts)]
    gain = gain / discount_of(rank, dcg, base)
    if cutoff is not None:
        gain = np.where(rank <= cutoff, gain, 0.0)
    return np.bincount(query, weights=gain, minlength=judged.n_queries).astype(np.float64, copy=False)


def _gains(grades: Floats, dcg: str, gains: Prices, rel: float | None) -> Floats:
    return GainRule(dcg, gains=gains, rel=rel).gain(grades)

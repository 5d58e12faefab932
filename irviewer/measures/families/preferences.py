"""Preferences fulfilled: one document preferred to another stands above it (trec_eval -R prefs, -R qrels_prefs).

Where qrels hold no preferences of their own, a document of a higher grade is preferred to one of a lower."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.measures.base import FROM_ZERO, Measure, Parameter, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Floats, Ints, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.model.judgments.preferences import (
    ABSENT,
    IMPLIED,
    OF_IMPLIED,
    OF_RETURNED,
    RETURNED,
    Preferences,
    preferences_of,
)

PAIRS = Parameter(
    "pairs", "choice", "all",
    "which pairs count: all; of which one document was returned at least (imp); of which both were (ret)",
    choices=("all", "imp", "ret"),
)  # fmt: skip
BOTH = Parameter(
    "pairs", "choice", "all", "which pairs count: all, or those of which both documents were returned (ret)",
    choices=("all", "ret"),
)  # fmt: skip
SOURCE = "Carterette, Bennett, Chickering and Dumais, Here or there: preference judgments, ECIR 2008; trec_eval's "
REWARDS = "documents above those that they are preferred to"
IGNORES = "how much better one document is than another; what is not judged"


OVER = {
    "all": "",
    "imp": r"\mathrm{over\ pairs\ with\ a\ or\ b\ returned}",
    "ret": r"\mathrm{over\ pairs\ with\ a\ and\ b\ returned}",
}


def _over(main: str, *definitions: str) -> Callable[[Measure], str]:
    """The formula, and the pairs that it is over where these are not all."""
    return lambda measure: filled(measure, main, *definitions, OVER[measure.parameter("pairs")])


def _sums(counts: Ints | Floats, pairs: str) -> tuple[Ints | Floats, Ints | Floats]:
    """Fulfilled and all, of columns of counts."""
    ful, every = counts[:, RETURNED], counts[:, OF_RETURNED]
    if pairs != "ret":
        ful, every = ful + counts[:, IMPLIED], every + counts[:, OF_IMPLIED]
    return ful, every + counts[:, ABSENT] if pairs == "all" else every


def _by_query(found: Preferences, values: Ints | Floats) -> Floats:
    return np.bincount(found.query, weights=values, minlength=len(found.pairs)).astype(np.float64, copy=False)


def _mean(found: Preferences, values: Floats) -> Floats:
    """float64[E]: the mean over the groups of each query."""
    return safe_divide(_by_query(found, values), _by_query(found, np.ones(len(values))))


@measure(
    "prefs_num_prefs_poss",
    title="Preferences there are",
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards="nothing: how many preferences the qrels hold, what follows from them included",
    ignores="the run",
    formula=r"|\{(a, b) : a \succ b\}|",
    source=SOURCE + "prefs_num_prefs_poss",
    tools={"trec_eval": "prefs_num_prefs_poss"},
)
def possible(judged: Judged) -> Floats:
    """The preferences of each query over all groups, float64[E]."""
    found = preferences_of(judged)
    return _by_query(found, _sums(found.counts, "all")[1])


@measure(
    "prefs_num_prefs_ful",
    title="Preferences fulfilled",
    parameters=(BOTH,),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=REWARDS,
    ignores=IGNORES + "; how many preferences there are",
    formula=_over(r"|\{(a, b) : a \succ b,\ rank(a) < rank(b)\}|"),
    source=SOURCE + "prefs_num_prefs_ful",
    tools={"trec_eval": "prefs_num_prefs_ful, prefs_num_prefs_ful_ret"},
)
def fulfilled(judged: Judged, pairs: str) -> Floats:
    """The fulfilled preferences of each query over all groups, float64[E]; a returned document stands above one that
    was not, unless both must be (``pairs="ret"``)."""
    found = preferences_of(judged)
    return _by_query(found, _sums(found.counts, pairs)[0])


@measure(
    "prefs_simp",
    title="Share of preferences fulfilled",
    parameters=(PAIRS,),
    rewards=REWARDS,
    ignores=IGNORES + "; whose preference it is: who said more counts more",
    formula=_over(r"\frac{\sum_g |fulfilled_g|}{\sum_g |possible_g|}"),
    source=SOURCE + "prefs_simp",
    tools={"trec_eval": "prefs_simp, prefs_simp_imp, prefs_simp_ret"},
)
def simple(judged: Judged, pairs: str) -> Floats:
    """Fulfilled by possible preferences of each query, over all groups, float64[E]; 0 where there are none."""
    found = preferences_of(judged)
    ful, every = _sums(found.counts, pairs)
    return safe_divide(_by_query(found, ful), _by_query(found, every))


@measure(
    "prefs_pair",
    title="Share of preferences fulfilled, by pair of documents",
    parameters=(PAIRS,),
    rewards=REWARDS + "; of a pair that people disagree about, siding with the most of them",
    ignores=IGNORES + "; how many people judged a pair",
    formula=_over(
        r"\frac{1}{|pairs|} \sum_{\{a,b\}} \frac{n(a \succ b)}{n(a \succ b) + n(b \succ a)}",
        r"n(a \succ b) = |\{g : a \succ_g b\}|",
        "rank(a) < rank(b)",
    ),
    source=SOURCE + "prefs_pair",
    tools={"trec_eval": "prefs_pair, prefs_pair_imp, prefs_pair_ret"},
)
def by_pair(judged: Judged, pairs: str) -> Floats:
    """The mean over pairs of documents of the share of groups that want them as they stand, float64[E]."""
    return safe_divide(*_sums(preferences_of(judged).pairs, pairs))


@measure(
    "prefs_avgjg",
    title="Share of preferences fulfilled, averaged over judgment groups",
    parameters=(PAIRS,),
    rewards=REWARDS + ", for every person alike",
    ignores=IGNORES + "; how many preferences a person has",
    formula=_over(r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}"),
    source=SOURCE + "prefs_avgjg",
    tools={"trec_eval": "prefs_avgjg, prefs_avgjg_imp, prefs_avgjg_ret"},
)
def by_group(judged: Judged, pairs: str) -> Floats:
    """The mean over groups of fulfilled by possible preferences, of each query, float64[E]; 0 for a group without."""
    found = preferences_of(judged)
    return _mean(found, safe_divide(*_sums(found.counts, pairs)))


@measure(
    "prefs_avgjg_Rnonrel",
    title="Share of preferences fulfilled, with as many non-relevant documents as relevant ones",
    parameters=(BOTH,),
    rewards=REWARDS + ", for every person alike, however many non-relevant documents were judged",
    ignores=IGNORES
    + "; non-relevant documents after the first R, as trec_eval counts them: where there are fewer, each "
    "that is missing stands below all relevant ones that were returned",
    formula=_over(r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}", "|nonrel_g| := R_g"),
    source=SOURCE + "prefs_avgjg_Rnonrel",
    tools={"trec_eval": "prefs_avgjg_Rnonrel, prefs_avgjg_Rnonrel_ret"},
)
def by_group_limited(judged: Judged, pairs: str) -> Floats:
    """The same with R documents of level 0 in each group, of each query, float64[E].

    As trec_eval has it, to its last detail: of more than R the first R count, against all documents of the group (those
    of level 0 too, which no preference says); of fewer, relevant documents stand above the R - N that are missing. A
    query one of whose groups has nothing to count is 0."""
    found = preferences_of(judged)
    only = 1 if pairs == "ret" else 0
    relevant, others = found.relevant[:, only], found.others[:, only]
    ful, every = _sums(found.counts, pairs)
    missing = np.maximum(relevant - others, 0)
    enough = relevant >= others
    ful = np.where(enough, ful + found.relevant[:, 1] * missing, found.limited[:, 2 * only])
    every = np.where(enough, every + found.relevant[:, 0] * missing, found.limited[:, 2 * only + 1])
    values = _mean(found, safe_divide(ful, every))
    return np.where(_by_query(found, (every == 0).astype(np.float64)) > 0, 0.0, values)

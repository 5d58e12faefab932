"""Preferences fulfilled: a document preferred to another is ranked above it (trec_eval -R prefs, -R qrels_prefs).

In qrels without preferences, a document of a higher grade is preferred to one of a lower grade."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irviewer.measures.base import FROM_ZERO, Measure, Parameter, in_formula, measure
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
from irviewer.translation import tr

PAIRS = Parameter(
    "pairs", "choice", "all",
    tr("pairs that count: all; imp: those with at least one document returned; ret: those with both returned"),
    choices=("all", "imp", "ret"),
)  # fmt: skip
BOTH = Parameter(
    "pairs", "choice", "all", tr("pairs that count: all; ret: those with both documents returned"),
    choices=("all", "ret"),
)  # fmt: skip
PAPER = "Carterette, Bennett, Chickering and Dumais, Here or there: preference judgments, ECIR 2008"
REWARDS = tr("preferred documents above the others")
IGNORES = tr("the degree of preference; unjudged documents")


OVER = {
    "all": "",
    "imp": in_formula(tr("over pairs with a or b returned")),
    "ret": in_formula(tr("over pairs with a and b returned")),
}


def _source(name: str) -> str:
    return tr("{paper}; {name} of trec_eval", paper=PAPER, name=name)


def _over(main: str, *definitions: str) -> Callable[[Measure], str]:
    """Return the formula, with the pairs it counts unless these are all."""
    return lambda measure: filled(measure, main, *definitions, OVER[measure.parameter("pairs")])


def _sums(counts: Ints | Floats, pairs: str) -> tuple[Ints | Floats, Ints | Floats]:
    """Return the numbers of fulfilled and of possible preferences, from columns of counts."""
    fulfilled, possible = counts[:, RETURNED], counts[:, OF_RETURNED]
    if pairs != "ret":
        fulfilled, possible = fulfilled + counts[:, IMPLIED], possible + counts[:, OF_IMPLIED]
    return fulfilled, possible + counts[:, ABSENT] if pairs == "all" else possible


def _by_query(preferences: Preferences, values: Ints | Floats) -> Floats:
    sums = np.bincount(preferences.query, weights=values, minlength=len(preferences.pairs))
    return sums.astype(np.float64, copy=False)


def _mean(preferences: Preferences, values: Floats) -> Floats:
    """Return the mean over the groups of each query, float64[E]."""
    return safe_divide(_by_query(preferences, values), _by_query(preferences, np.ones(len(values))))


@measure(
    "prefs_num_prefs_poss",
    title=tr("Number of preferences"),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=tr("nothing: it is the number of preferences in the qrels, with those implied by others"),
    ignores=tr("the run"),
    formula=r"|\{(a, b) : a \succ b\}|",
    source=_source("prefs_num_prefs_poss"),
    tools={"trec_eval": "prefs_num_prefs_poss"},
    of_judgments=True,
)
def number_of_preferences(judged: Judged) -> Floats:
    """Return the number of preferences of each query over all groups, float64[E]."""
    preferences = preferences_of(judged)
    return _by_query(preferences, _sums(preferences.counts, "all")[1])


@measure(
    "prefs_num_prefs_ful",
    title=tr("Preferences fulfilled"),
    parameters=(BOTH,),
    aggregate="sum",
    counts=True,
    span=FROM_ZERO,
    rewards=REWARDS,
    ignores=tr("{ignored}; the number of preferences", ignored=IGNORES),
    formula=_over(r"|\{(a, b) : a \succ b,\ rank(a) < rank(b)\}|"),
    source=_source("prefs_num_prefs_ful"),
    tools={"trec_eval": "prefs_num_prefs_ful, prefs_num_prefs_ful_ret"},
)
def number_fulfilled(judged: Judged, pairs: str) -> Floats:
    """Return the number of fulfilled preferences of each query over all groups, float64[E]; a returned document is
    above one that was not, unless both must be returned (``pairs="ret"``)."""
    preferences = preferences_of(judged)
    return _by_query(preferences, _sums(preferences.counts, pairs)[0])


@measure(
    "prefs_simp",
    title=tr("Share of preferences fulfilled"),
    parameters=(PAIRS,),
    rewards=REWARDS,
    ignores=tr("{ignored}; the judge: judges with more preferences weigh more", ignored=IGNORES),
    formula=_over(r"\frac{\sum_g |fulfilled_g|}{\sum_g |possible_g|}"),
    source=_source("prefs_simp"),
    tools={"trec_eval": "prefs_simp, prefs_simp_imp, prefs_simp_ret"},
)
def simple(judged: Judged, pairs: str) -> Floats:
    """Return fulfilled / possible preferences of each query over all groups, float64[E]; 0 without preferences."""
    preferences = preferences_of(judged)
    fulfilled, possible = _sums(preferences.counts, pairs)
    return safe_divide(_by_query(preferences, fulfilled), _by_query(preferences, possible))


@measure(
    "prefs_pair",
    title=tr("Share of preferences fulfilled, by pair of documents"),
    parameters=(PAIRS,),
    rewards=tr("{rewarded}; agreement with the majority where judges disagree about a pair", rewarded=REWARDS),
    ignores=tr("{ignored}; the number of judges of a pair", ignored=IGNORES),
    formula=_over(
        r"\frac{1}{|pairs|} \sum_{\{a,b\}} \frac{n(a \succ b)}{n(a \succ b) + n(b \succ a)}",
        r"n(a \succ b) = |\{g : a \succ_g b\}|",
        "rank(a) < rank(b)",
    ),
    source=_source("prefs_pair"),
    tools={"trec_eval": "prefs_pair, prefs_pair_imp, prefs_pair_ret"},
)
def by_pair(judged: Judged, pairs: str) -> Floats:
    """Return the mean over pairs of documents of the share of groups that prefer their order in the run, float64[E]."""
    return safe_divide(*_sums(preferences_of(judged).pairs, pairs))


@measure(
    "prefs_avgjg",
    title=tr("Share of preferences fulfilled, averaged over judgment groups"),
    parameters=(PAIRS,),
    rewards=tr("{rewarded}; each judge weighs the same", rewarded=REWARDS),
    ignores=tr("{ignored}; the number of preferences of a judge", ignored=IGNORES),
    formula=_over(r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}"),
    source=_source("prefs_avgjg"),
    tools={"trec_eval": "prefs_avgjg, prefs_avgjg_imp, prefs_avgjg_ret"},
)
def by_group(judged: Judged, pairs: str) -> Floats:
    """Return the mean over groups of fulfilled / possible preferences of each query, float64[E]; a group without
    preferences has 0."""
    preferences = preferences_of(judged)
    return _mean(preferences, safe_divide(*_sums(preferences.counts, pairs)))


@measure(
    "prefs_avgjg_Rnonrel",
    title=tr("Share of preferences fulfilled, with as many non-relevant documents as relevant ones"),
    parameters=(BOTH,),
    rewards=tr(
        "{rewarded}; each judge weighs the same, whatever the number of non-relevant documents judged",
        rewarded=REWARDS,
    ),
    ignores=tr(
        "{ignored}; non-relevant documents after the first R, as in trec_eval; if there are fewer than R, each missing "
        "one counts as ranked below all relevant documents returned",
        ignored=IGNORES,
    ),
    formula=_over(r"\frac{1}{|G|} \sum_{g} \frac{|fulfilled_g|}{|possible_g|}", "|nonrel_g| := R_g"),
    source=_source("prefs_avgjg_Rnonrel"),
    tools={"trec_eval": "prefs_avgjg_Rnonrel, prefs_avgjg_Rnonrel_ret"},
)
def by_group_limited(judged: Judged, pairs: str) -> Floats:
    """Return the mean over groups of fulfilled / possible preferences with R documents of level 0 in each group, of
    each query, float64[E].

    Computed as in trec_eval in every detail: of more than R documents of level 0 the first R count, against all
    documents of the group (those of level 0 too, although no preference is between them); of fewer, the R - N missing
    ones are below all relevant documents. A query with a group that has no pair is 0."""
    preferences = preferences_of(judged)
    only = 1 if pairs == "ret" else 0
    relevant, others = preferences.relevant[:, only], preferences.others[:, only]
    fulfilled, possible = _sums(preferences.counts, pairs)
    missing = np.maximum(relevant - others, 0)
    enough = relevant >= others
    fulfilled = np.where(enough, fulfilled + preferences.relevant[:, 1] * missing, preferences.limited[:, 2 * only])
    possible = np.where(enough, possible + preferences.relevant[:, 0] * missing, preferences.limited[:, 2 * only + 1])
    values = _mean(preferences, safe_divide(fulfilled, possible))
    return np.where(_by_query(preferences, (possible == 0).astype(np.float64)) > 0, 0.0, values)

"""trec_eval's experimental variants of nDCG: G, binary G, nDCG averaged at relevant documents or at R levels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from irviewer.measures.base import RELEVANCE_LEVEL, Measure, measure
from irviewer.measures.formulas import BEST_JUDGED, filled, gain_definitions, of
from irviewer.measures.gains import discount_of, gains_of
from irviewer.measures.parameters import GAINS
from irviewer.model.arrays import Floats, Ints, safe_divide, sums_within
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

CUMULATED = (
    r"D(i) = \sum_{j \leq i} \frac{g(j)}{\log_2(j+1)}",
    r"D^{*}(i) = \sum_{j \leq i} \frac{g^{*}(j)}{\log_2(j+1)}",
    "J = |judged|",
)


def _formula(measure: Measure, main: str, *definitions: str) -> str:
    """Return the formula with the measure's gains and those of the ideal ranking."""
    return filled(measure, main, *definitions, *gain_definitions("log2", measure.parameter("gains"), None), BEST_JUDGED)


@measure(
    "binG",
    title=tr("Binary G"),
    parameters=(RELEVANCE_LEVEL,),
    rewards=tr("relevant documents with few non-relevant ones above them"),
    ignores=tr("grades above the relevance level"),
    formula=of(r"\frac{1}{R} \sum_{i=1}^{n} \frac{rel(i)}{\log_2(2 + \sum_{j<i} (1 - rel(j)))}"),
    source="trec_eval 9, Buckley 2008",
    tools={"trec_eval": "binG"},
)
def binary_g(judged: Judged, rel: float) -> Floats:
    """Return the binG of each query, float64[E]; unjudged documents count as non-relevant."""
    hits = judged.relevant_hits(rel)
    return safe_divide(hits.sum_by_query(1.0 / np.log2(2.0 + hits.rank - hits.ordinal)), judged.relevant_count(rel))


@measure(
    "G",
    title=tr("Normalised gain"),
    parameters=(GAINS,),
    rewards=tr("documents of high gains, little discounted if the documents above them are nearly ideal"),
    ignores=tr("the rank itself: the discount depends on the gain missed above a document"),
    formula=lambda measure: _formula(
        measure,
        r"\frac{\sum_{i=1}^{n} g(i) / \log_2(2 + c(i) - \sum_{j \leq i} g(j))}{\sum_{i} g^{*}(i)}",
        r"c(i) = \sum_{j \leq i} \max(g^{*}(j), 1)",
    ),
    source="trec_eval 9, Buckley 2008",
    tools={"trec_eval": "G"},
)
def normalised_g(judged: Judged, gains: Mapping[float, float] | None) -> Floats:
    """Return the G of each query, float64[E]; 0 if no document has a gain."""
    ideal = _Ideal(judged, gains)
    gain = gains_of(judged.hit_grade, "log2", gains)
    so_far = sums_within(gain, np.searchsorted(judged.hit_query, np.arange(judged.n_queries + 1)))
    more = sums_within(np.maximum(ideal.gain, 1.0) - 1.0, judged.ideal_offsets)
    cost = judged.hit_rank + ideal.upto(more, judged.hit_query, judged.hit_rank)
    value = np.bincount(
        judged.hit_query, weights=gain / np.log2(np.maximum(2.0 + cost - so_far, 1e-300)), minlength=judged.n_queries
    )
    return safe_divide(value, ideal.total)


@measure(
    "ndcg_rel",
    title=tr("nDCG averaged at relevant documents"),
    parameters=(GAINS,),
    rewards=tr("documents of high grades, more so near the top; nDCG is averaged over the ranks of relevant documents"),
    ignores=tr("nDCG at the ranks between relevant documents"),
    formula=lambda measure: _formula(
        measure,
        r"\frac{1}{G} \left(\sum_{i=1}^{n} [g(i) > 0]\,\frac{D(i)}{D^{*}(i)} + (G - F)\,\frac{D(n)}{D^{*}(J)}\right)",
        r"F = |\{i : g(i) > 0\}|",
        r"G = |\{i : g^{*}(i) > 0\}|",
        *CUMULATED,
    ),
    source="trec_eval 9, Buckley 2008",
    tools={"trec_eval": "ndcg_rel"},
)
def ndcg_at_relevant(judged: Judged, gains: Mapping[float, float] | None) -> Floats:
    """Return the ndcg_rel of each query, float64[E]; 0 if no document has a gain."""
    ideal, run = _Ideal(judged, gains), _RunGain(judged, gains)
    good = run.gain > 0
    query, rank = judged.hit_query[good], judged.hit_rank[good]
    at = safe_divide(run.dcg[good], ideal.upto(ideal.dcg, query, rank))
    retrieved = np.bincount(query, minlength=judged.n_queries)
    whole = safe_divide(run.total, ideal.total_dcg)
    value = np.bincount(query, weights=at, minlength=judged.n_queries) + (ideal.count - retrieved) * whole
    return safe_divide(np.maximum(value, 0.0), ideal.count)


@measure(
    "Rndcg",
    title=tr("nDCG averaged at R levels"),
    parameters=(GAINS, RELEVANCE_LEVEL),
    rewards=tr(
        "documents of high grades; nDCG is averaged over the ranks where the ideal ranking changes from one grade to "
        "the next"
    ),
    ignores=tr("nDCG at the other ranks"),
    formula=lambda measure: _formula(
        measure,
        r"\frac{[R > 0]}{L + e} \left(\sum_{i} l(i)\,\frac{D(i)}{D^{*}(i)} + e\,\frac{D(n)}{D^{*}(J)}\right)",
        r"l(i) = [g^{*}(i) > g^{*}(i+1)]",
        r"L = \sum_{i} l(i)",
        r"e = [n > G + 1]\,[G > 0]",
        r"G = |\{i : g^{*}(i) > 0\}|",
        *CUMULATED,
    ),
    source="trec_eval 9, Buckley 2008",
    tools={"trec_eval": "Rndcg"},
)
def ndcg_at_levels(judged: Judged, gains: Mapping[float, float] | None, rel: float) -> Floats:
    """Return the Rndcg of each query, float64[E]; 0 without relevant documents. A ranking more than one document longer
    than the ideal ranking is measured at its end too, as in trec_eval."""
    ideal, run = _Ideal(judged, gains), _RunGain(judged, gains)
    last = np.ones(len(ideal.gain), dtype=np.bool_)  # the last document of its gain in its query: a boundary
    last[:-1] = (ideal.gain[1:] != ideal.gain[:-1]) | (ideal.query[1:] != ideal.query[:-1])
    last &= ideal.gain > 0
    query, rank = ideal.query[last], ideal.rank[last]
    at = safe_divide(run.upto(query, rank), ideal.dcg[last])
    boundaries = np.bincount(query, minlength=judged.n_queries)
    value = np.bincount(query, weights=at, minlength=judged.n_queries)
    longer = (judged.returned > ideal.count + 1) & (ideal.count > 0)
    # Not +=: without any boundary bincount returns integers whatever the weights.
    value = value + np.where(longer, safe_divide(run.total, ideal.total_dcg), 0.0)
    return np.where(judged.relevant_count(rel) > 0, safe_divide(value, boundaries + longer), 0.0)


class _Ideal:
    """The ideal rankings of all queries, flat, gains descending within each query."""

    def __init__(self, judged: Judged, gains: Mapping[float, float] | None) -> None:
        gain = gains_of(judged.ideal_grades, "log2", gains)
        order = np.lexsort((-gain, judged.ideal_query))
        self.query = judged.ideal_query
        self.rank = judged.ideal_rank
        self.gain = np.maximum(gain[order], 0.0)
        self._offsets = judged.ideal_offsets
        n = judged.n_queries
        self.dcg = sums_within(self.gain / discount_of(self.rank, "log2", 2), self._offsets)
        self.count: Ints = np.bincount(self.query[self.gain > 0], minlength=n)
        self.total = np.bincount(self.query, weights=self.gain, minlength=n)
        self.total_dcg = _at(self.dcg, self._offsets[:-1], self._offsets[1:])

    def upto(self, running: Floats, query: Ints, rank: Ints) -> Floats:
        """Return a running sum of each query's part of the flat list at ``rank``, or at its end."""
        start = self._offsets[query]
        return _at(running, start, np.minimum(start + rank, self._offsets[query + 1]))


class _RunGain:
    """The run's cumulated gain at its hits: flat by query, in rank order."""

    def __init__(self, judged: Judged, gains: Mapping[float, float] | None) -> None:
        self.gain = gains_of(judged.hit_grade, "log2", gains)
        self._query, self._rank = judged.hit_query, judged.hit_rank
        self._starts = np.searchsorted(self._query, np.arange(judged.n_queries + 1))
        self.dcg = sums_within(self.gain / discount_of(self._rank, "log2", 2), self._starts)
        self.total = _at(self.dcg, self._starts[:-1], self._starts[1:])
        self._span = int(max(self._rank.max(initial=0), judged.ideal_rank.max(initial=0))) + 1

    def upto(self, query: Ints, rank: Ints) -> Floats:
        """Return the DCG of each query down to ``rank``."""
        position = np.searchsorted(self._query * self._span + self._rank, query * self._span + rank, side="right")
        return _at(self.dcg, self._starts[query], position)


def _at(running: Floats, start: Ints, stop: Ints) -> Floats:
    """Return the running sums of groups before ``stop``; 0 for groups that are empty (``stop`` <= ``start``)."""
    before = np.concatenate(([0.0], running))
    return np.where(stop > start, before[stop], 0.0)

"""Measures averaged over judgment groups, for queries with several judges (trec_eval -R qrels_jg).

A judgment group is a value of the qrels' second column (``Judged.assessed``); qrels without one have one group, and the
measures are then AP, P and the precision at multiples of R."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, in_formula, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Bools, Floats, Ints, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged
from irviewer.translation import tr

OVER_JUDGES = tr("disagreement between judges: their values are averaged")


def _mean(main: str) -> Callable[[Measure], str]:
    """Return the formula of a mean over groups. If unjudged documents are removed, each group has its own ranks."""
    own = in_formula(tr("ranks of the documents judged by")) + r"\ g"
    return lambda measure: filled(
        measure, rf"\frac{{1}}{{|G|}} \sum_{{g}} {main}", own if measure.parameter("judged_only") else ""
    )


@dataclass(frozen=True, eq=False)
class _GroupHits:
    """The relevant documents returned, one row per group that judged them relevant, ordered by group, then rank.

    cell           int64[h], the group; groups of different queries differ
    rank, ordinal  int64[h], from 1
    relevant       int64[C], the number of relevant documents of each group
    query          int64[C], the query of each group
    """

    cell: Ints
    rank: Ints
    ordinal: Ints
    relevant: Ints
    query: Ints
    n_queries: int

    def sums(self, values: Floats) -> Floats:
        """Return the sum of values (one per hit) by group, float64[C]."""
        return np.bincount(self.cell, weights=values, minlength=len(self.query)).astype(np.float64, copy=False)

    def counts(self, keep: Bools) -> Ints:
        """Return the number of hits kept by group, int64[C]."""
        return np.bincount(self.cell[keep], minlength=len(self.query)).astype(np.int64)

    def mean(self, values: Floats) -> Floats:
        """Return the mean over the groups of each query, float64[E]; groups without relevant documents count."""
        total = np.bincount(self.query, weights=values, minlength=self.n_queries)
        return safe_divide(total, np.bincount(self.query, minlength=self.n_queries))


def _group_hits(judged: Judged, level: float) -> _GroupHits:
    """Return the hits at a relevance level, cached with the judged run, as each cutoff needs them."""
    cache: dict[float, _GroupHits] = judged.memory.setdefault("judgment groups", {})
    hits = cache.get(level)
    if hits is None:
        hits = cache[level] = _compute_hits(judged, level)
    return hits


def _compute_hits(judged: Judged, level: float) -> _GroupHits:
    rows = judged.assessed
    returned = np.flatnonzero((rows.rank > 0) & ((rows.grade >= 0) | judged.negatives_judged))
    returned = returned[np.lexsort((rows.rank[returned], rows.cell[returned]))]
    cell, rank = rows.cell[returned], rows.rank[returned]
    if judged.listed_rank is not None:
        # Unjudged documents were removed: from the ranking of each group, those that it did not judge.
        rank = _counted(cell, rows.n_cells)
    relevant = (rows.grade >= level) & (rows.grade >= 0)
    keep = relevant[returned]
    return _GroupHits(
        cell[keep],
        rank[keep],
        _counted(cell[keep], rows.n_cells),
        np.bincount(rows.cell[relevant], minlength=rows.n_cells).astype(np.int64),
        rows.cell_query,
        rows.n_queries,
    )


def _counted(cell: Ints, n_cells: int) -> Ints:
    """Return 1, 2, 3 … within each cell, int64[h]; ``cell`` is ascending."""
    return np.arange(1, len(cell) + 1) - offsets_of(np.bincount(cell, minlength=n_cells))[cell]


@measure(
    "map_avgjg",
    title=tr("Average precision, averaged over judgment groups"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards=tr("what AP rewards, for each judge"),
    ignores=OVER_JUDGES,
    formula=_mean(r"\frac{1}{R(g)} \sum_{i=1}^{n} P(i,g)\,rel(i,g)"),
    source="trec_eval 10 (2026), map_avgjg",
    tools={"trec_eval": "map_avgjg"},
)
def average_precision_of_groups(judged: Judged, rel: float) -> Floats:
    """Return the mean AP over the judgment groups of each query, float64[E]."""
    hits = _group_hits(judged, rel)
    return hits.mean(safe_divide(hits.sums(hits.ordinal / hits.rank), hits.relevant))


@measure(
    "P_avgjg",
    title=tr("Precision at k, averaged over judgment groups"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards=tr("relevant documents among the first k, for each judge"),
    ignores=tr("{ignored}; the order of the first k documents", ignored=OVER_JUDGES),
    formula=_mean(r"\frac{1}{k} \sum_{i=1}^{k} rel(i,g)"),
    source="trec_eval 10 (2026), P_avgjg",
    tools={"trec_eval": "P_avgjg"},
)
def precision_of_groups(judged: Judged, rel: float, cutoff: int) -> Floats:
    """Return the mean P@k over the judgment groups of each query, float64[E]."""
    hits = _group_hits(judged, rel)
    return hits.mean(hits.counts(hits.rank <= cutoff) / cutoff)


@measure(
    "Rprec_mult_avgjg",
    title=tr("Precision at a multiple of R, averaged over judgment groups"),
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.FACTOR,
    rewards=tr("relevant documents among the first m·R, for each judge and that judge's R"),
    ignores=tr("{ignored}; the order of the first m·R documents", ignored=OVER_JUDGES),
    formula=_mean(r"P(\lfloor m\,R(g) + .9 \rfloor, g)"),
    source="trec_eval 10 (2026), Rprec_mult_avgjg",
    tools={"trec_eval": "Rprec_mult_avgjg"},
)
def r_precision_of_groups(judged: Judged, rel: float, cutoff: float) -> Floats:
    """Return the mean precision at m·R over the judgment groups of each query, float64[E]."""
    hits = _group_hits(judged, rel)
    ranks = np.floor(cutoff * hits.relevant + 0.9)
    return hits.mean(safe_divide(hits.counts(hits.rank <= ranks[hits.cell]), ranks))

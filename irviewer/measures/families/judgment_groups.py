"""Several people judged a query: a measure for each of them, then their mean (trec_eval -R qrels_jg).

A judgment group is a value of the qrels' second column (``Judged.assessed``); qrels without one have one group, and the
measures are then AP, P and the precision at multiples of R."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from irviewer.measures.base import JUDGED_ONLY, RELEVANCE_LEVEL, Cutoff, Measure, measure
from irviewer.measures.formulas import filled
from irviewer.model.arrays import Bools, Floats, Ints, offsets_of, safe_divide
from irviewer.model.judgments.judged import Judged

SOURCE = "trec_eval 10 (2026), "
OVER_PEOPLE = "how far people disagree: their values are averaged"


def _mean(main: str) -> Callable[[Measure], str]:
    """The formula of a mean over groups; where unjudged documents are removed, each group has ranks of its own."""
    own = r"\mathrm{ranks\ of\ the\ documents\ judged\ by}\ g"
    return lambda measure: filled(
        measure, rf"\frac{{1}}{{|G|}} \sum_{{g}} {main}", own if measure.parameter("judged_only") else ""
    )


@dataclass(frozen=True, eq=False)
class _Found:
    """Relevant documents that were returned, a row a group that holds them so, ordered by group, then rank.

    cell           int64[h], the group; groups of different queries differ
    rank, ordinal  int64[h], from 1
    relevant       int64[C], how many documents are relevant to each group
    query          int64[C], the query of each group
    """

    cell: Ints
    rank: Ints
    ordinal: Ints
    relevant: Ints
    query: Ints
    n_queries: int

    def sums(self, values: Floats) -> Floats:
        """float64[C]: values, one a hit, added up by group."""
        return np.bincount(self.cell, weights=values, minlength=len(self.query)).astype(np.float64, copy=False)

    def counts(self, keep: Bools) -> Ints:
        """int64[C]: the hits kept, by group."""
        return np.bincount(self.cell[keep], minlength=len(self.query)).astype(np.int64)

    def mean(self, values: Floats) -> Floats:
        """float64[E]: the mean over a query's groups, those without a relevant document among them."""
        total = np.bincount(self.query, weights=values, minlength=self.n_queries)
        return safe_divide(total, np.bincount(self.query, minlength=self.n_queries))


def _found(judged: Judged, level: float) -> _Found:
    """The hits under a relevance level, kept beside the judged run: each cutoff asks for them."""
    kept: dict[float, _Found] = judged.memory.setdefault("judgment groups", {})
    found = kept.get(level)
    if found is None:
        found = kept[level] = _find(judged, level)
    return found


def _find(judged: Judged, level: float) -> _Found:
    rows = judged.assessed
    returned = np.flatnonzero((rows.rank > 0) & ((rows.grade >= 0) | judged.negatives_judged))
    returned = returned[np.lexsort((rows.rank[returned], rows.cell[returned]))]
    cell, rank = rows.cell[returned], rows.rank[returned]
    if judged.listed_rank is not None:
        rank = _counted(
            cell, rows.n_cells
        )  # unjudged documents were removed: by each group, those that it did not judge
    relevant = (rows.grade >= level) & (rows.grade >= 0)
    keep = relevant[returned]
    return _Found(
        cell[keep],
        rank[keep],
        _counted(cell[keep], rows.n_cells),
        np.bincount(rows.cell[relevant], minlength=rows.n_cells).astype(np.int64),
        rows.cell_query,
        rows.n_queries,
    )


def _counted(cell: Ints, n_cells: int) -> Ints:
    """int64[h]: 1, 2, 3 … within each cell of ascending ones."""
    return np.arange(1, len(cell) + 1) - offsets_of(np.bincount(cell, minlength=n_cells))[cell]


@measure(
    "map_avgjg",
    title="Average precision, averaged over judgment groups",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    rewards="what AP rewards, for every person who judged",
    ignores=OVER_PEOPLE,
    formula=_mean(r"\frac{1}{R(g)} \sum_{i=1}^{n} P(i,g)\,rel(i,g)"),
    source=SOURCE + "map_avgjg",
    tools={"trec_eval": "map_avgjg"},
)
def average_precision_of_groups(judged: Judged, rel: float) -> Floats:
    """The mean of the AP of each judgment group, of each query, float64[E]."""
    found = _found(judged, rel)
    return found.mean(safe_divide(found.sums(found.ordinal / found.rank), found.relevant))


@measure(
    "P_avgjg",
    title="Precision at k, averaged over judgment groups",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.REQUIRED,
    rewards="relevant documents among the first k, for every person who judged",
    ignores=OVER_PEOPLE + "; the order within the first k",
    formula=_mean(r"\frac{1}{k} \sum_{i=1}^{k} rel(i,g)"),
    source=SOURCE + "P_avgjg",
    tools={"trec_eval": "P_avgjg"},
)
def precision_of_groups(judged: Judged, rel: float, cutoff: int) -> Floats:
    """The mean of the P@k of each judgment group, of each query, float64[E]."""
    found = _found(judged, rel)
    return found.mean(found.counts(found.rank <= cutoff) / cutoff)


@measure(
    "Rprec_mult_avgjg",
    title="Precision at a multiple of R, averaged over judgment groups",
    parameters=(RELEVANCE_LEVEL, JUDGED_ONLY),
    cutoff=Cutoff.FACTOR,
    rewards="relevant documents among the first m·R, for every person who judged, R being that person's",
    ignores=OVER_PEOPLE + "; the order within the first m·R",
    formula=_mean(r"P(\lfloor m\,R(g) + .9 \rfloor, g)"),
    source=SOURCE + "Rprec_mult_avgjg",
    tools={"trec_eval": "Rprec_mult_avgjg"},
)
def r_precision_of_groups(judged: Judged, rel: float, cutoff: float) -> Floats:
    """The mean of the precision at m·R of each judgment group, of each query, float64[E]."""
    found = _found(judged, rel)
    ranks = np.floor(cutoff * found.relevant + 0.9)
    return found.mean(safe_divide(found.counts(found.rank <= ranks[found.cell]), ranks))

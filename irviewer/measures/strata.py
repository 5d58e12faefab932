"""The strata of a judged run: of every stratum its size, its sample, and what the run found of it.

Judgments without strata are one stratum a query: the pool, of which documents with a negative grade were not judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irviewer.measures.gains import gains_of
from irviewer.model.arrays import Bools, Floats, Ints, group_of_each, safe_divide, sums_within
from irviewer.model.judgments.judged import Judged

EPSILON = 0.00001
"""The smoothing of a stratum's share of relevant documents above a rank, as in TREC's sample_eval.pl."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The strata of E queries, numbered from 0: cell = query * S + stratum. L listed documents, h hits.

    n_strata    S, the number of names of strata
    query, cell int64[L]: the query and the cell of each listed document that is in a stratum
    grade       float64[L], negative for one that was not sampled
    hit_query, hit_rank, hit_cell   int64[h] of the returned ones, by query, then rank
    hit_grade   float64[h]
    """

    n_queries: int
    n_strata: int
    query: Ints
    cell: Ints
    grade: Floats
    hit_query: Ints
    hit_rank: Ints
    hit_cell: Ints
    hit_grade: Floats

    @property
    def n_cells(self) -> int:
        """C = E * S."""
        return self.n_queries * self.n_strata

    def count(self, keep: Bools) -> Ints:
        """Return int64[C]: the number of listed documents of ``keep`` bool[L] in each cell."""
        return np.bincount(self.cell[keep], minlength=self.n_cells).astype(np.int64)

    @cached_property
    def size(self) -> Ints:
        """int64[C]: N, the documents of each stratum."""
        return np.bincount(self.cell, minlength=self.n_cells).astype(np.int64)

    @cached_property
    def sampled(self) -> Ints:
        """int64[C]: n, the judged documents of each stratum."""
        return self.count(self.grade >= 0)

    @cached_property
    def weight(self) -> Floats:
        """float64[C]: N / n, the documents that a judged one stands for; 0 where none was judged."""
        return safe_divide(self.size, self.sampled)

    def relevant(self, level: float) -> Ints:
        """Return int64[C]: the judged documents of grade ``level`` or more in each stratum."""
        return self.count((self.grade >= level) & (self.grade >= 0))

    def estimated_relevant(self, level: float) -> Floats:
        """Return float64[E]: the estimated number of relevant documents of each query, by strata."""
        each = self.relevant(level) * self.size
        by_cell = safe_divide(each, self.sampled)
        return np.asarray(by_cell.reshape(self.n_queries, self.n_strata).sum(axis=1))

    def expected_above(self, level: float) -> Floats:
        """Return float64[h]: the expected number of relevant documents above each hit: the documents of each stratum
        above it, times the share of relevant ones among those judged, smoothed."""
        order = np.argsort(self.hit_cell, kind="stable")  # within a cell by rank
        starts = np.searchsorted(self.hit_cell[order], np.arange(self.n_cells + 1))
        grade = self.hit_grade[order]
        documents = sums_within(np.ones(len(order)), starts)
        judged = sums_within((grade >= 0).astype(np.float64), starts)
        relevant = sums_within(((grade >= level) & (grade >= 0)).astype(np.float64), starts)
        expected = documents * (relevant + EPSILON) / (judged + 3 * EPSILON)
        step = expected.copy()
        step[1:] -= expected[:-1]
        first = starts[:-1][starts[:-1] < starts[1:]]
        step[first] = expected[first]  # of a stratum's first document
        in_turn = np.empty(len(order))
        in_turn[order] = step
        by_query = np.searchsorted(self.hit_query, np.arange(self.n_queries + 1))
        return np.maximum(sums_within(in_turn, by_query) - in_turn, 0.0)

    def found_weight(self, cutoff: int | None) -> Floats:
        """Return float64[C]: the returned documents of each stratum per judged one among them, down to a cutoff; 0
        without a judged one."""
        keep = np.ones(len(self.hit_rank), dtype=np.bool_) if cutoff is None else self.hit_rank <= cutoff
        returned = np.bincount(self.hit_cell[keep], minlength=self.n_cells)
        judged = np.bincount(self.hit_cell[keep & (self.hit_grade >= 0)], minlength=self.n_cells)
        return safe_divide(returned, judged)

    def estimated_gains(self, gains: Mapping[float, float] | None) -> tuple[Ints, Floats, Ints]:
        """Return of each query and gain above 0, the highest first: the query int64[x], the gain float64[x], and the
        estimated number of documents int64[x], rounded to the nearest, halves up."""
        gain = np.where(self.grade >= 0, gains_of(self.grade, "log2", gains), 0.0)
        keep = gain > 0
        distinct, place = np.unique(gain[keep], return_inverse=True)
        n_gains = max(1, len(distinct))
        pair, count = np.unique(self.cell[keep] * n_gains + (n_gains - 1 - place.reshape(-1)), return_counts=True)
        cell = pair // n_gains
        of_query, place = np.unique(cell // self.n_strata * n_gains + pair % n_gains, return_inverse=True)
        estimates = np.bincount(place.reshape(-1), count * self.size[cell] / self.sampled[cell], len(of_query))
        whole = np.floor(estimates + 0.5).astype(np.int64)
        of_query, whole = of_query[whole > 0], whole[whole > 0]
        return of_query // n_gains, distinct[n_gains - 1 - of_query % n_gains], whole


def cells_of(judged: Judged) -> Cells:
    """Return the strata of a judged run; computed once for it."""
    cells = judged.memory.get("strata")
    if cells is None:
        cells = judged.memory["strata"] = _cells(judged)
    assert isinstance(cells, Cells)
    return cells


def _cells(judged: Judged) -> Cells:
    qrels = judged.qrels
    number = np.full(len(qrels.query_ids), -1, dtype=np.int64)
    number[[qrels.query_index[query] for query in judged.query_ids]] = np.arange(judged.n_queries)
    query = number[group_of_each(qrels.offsets)]
    codes = np.zeros(len(qrels), dtype=np.int64) if qrels.strata is None else qrels.strata.codes
    n_strata = 1 if qrels.strata is None else max(1, len(qrels.strata.names))
    cell = np.where((query >= 0) & (codes >= 0), query * n_strata + codes, -1)
    grades = np.maximum(qrels.grades, 0.0) if judged.negatives_judged else qrels.grades
    listed = cell >= 0
    hit_cell = cell[judged.hit_row]
    hit = hit_cell >= 0
    return Cells(
        judged.n_queries, n_strata, query[listed], cell[listed], grades[listed], judged.hit_query[hit],
        judged.hit_rank[hit], hit_cell[hit], judged.hit_grade[hit],
    )  # fmt: skip


def ideal_gain(cells: Cells, gains: Mapping[float, float] | None, cutoff: int | None) -> Floats:
    """Return float64[E]: the DCG of the ideal ranking of the estimated documents, down to a cutoff."""
    query, gain, count = cells.estimated_gains(gains)
    if not len(query):
        return np.zeros(cells.n_queries)
    starts = np.searchsorted(query, np.arange(cells.n_queries + 1))
    last = sums_within(count.astype(np.float64), starts).astype(np.int64)
    deepest = int(last.max()) if cutoff is None else min(int(last.max()), cutoff)
    shares = np.concatenate([[0.0], np.cumsum(1.0 / np.log2(np.arange(1, deepest + 1) + 1.0))])
    worth = gain * (shares[np.minimum(last, deepest)] - shares[np.minimum(last - count, deepest)])
    return np.bincount(query, weights=worth, minlength=cells.n_queries).astype(np.float64)

"""Coverage of a query's subtopics by a ranking, and the ideal rankings, shared by the diversity measures.

A subtopic without relevant documents does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Floats, Ints, Strings, offsets_of
from irviewer.model.judgments.judged import Judged
from irviewer.model.judgments.multiple import Assessed

Discount = Callable[[Ints], Floats]
"""Ranks from 1 -> the weight of each."""


@dataclass(frozen=True, eq=False)
class SubtopicHits:
    """The h relevant (document, subtopic) pairs that were returned, ordered by query, then rank.

    query, rank   int64[h]
    cell          int64[h], the subtopic; subtopics of different queries differ
    times         int64[h], 1 for the first document returned on the subtopic, 2 for the second …
    """

    query: Ints
    rank: Ints
    cell: Ints
    times: Ints


@dataclass(frozen=True, eq=False)
class Topics:
    """The relevant (document, subtopic) pairs of a judged run's E queries.

    relevant  all pairs of the qrels, returned or not
    returned  int64[E], the number of documents returned
    doc_ids   the documents of the qrels, an Arrow string array
    """

    relevant: Assessed
    returned: Ints
    doc_ids: Strings
    _ideals: dict[float, tuple[float, Ints, Ints, Floats]] = field(default_factory=dict, repr=False)

    @property
    def subtopics(self) -> Ints:
        """S, the number of subtopics of each query with a relevant document, int64[E]."""
        return self.relevant.groups_by_query

    @cached_property
    def relevant_documents(self) -> Ints:
        """The number of documents relevant to each subtopic, int64[C]."""
        return self.relevant.count_cells()

    @cached_property
    def hits(self) -> SubtopicHits:
        """The pairs whose document was returned."""
        pairs = self.relevant
        rows = np.flatnonzero(pairs.rank > 0)
        rows = rows[np.lexsort((pairs.cell[rows], pairs.rank[rows], pairs.query[rows]))]
        cell = pairs.cell[rows]
        by_cell = np.argsort(cell, kind="stable")
        starts = offsets_of(np.bincount(cell, minlength=pairs.n_cells))
        times = np.empty(len(rows), dtype=np.int64)
        times[by_cell] = np.arange(1, len(rows) + 1) - starts[cell[by_cell]]
        return SubtopicHits(pairs.query[rows], pairs.rank[rows], cell, times)

    def sum_by_query(self, query: Ints, values: Floats | None = None) -> Floats:
        """Return the sum of values by query, float64[E]; without values the number of pairs."""
        sums = np.bincount(query, weights=values, minlength=self.relevant.n_queries)
        return sums.astype(np.float64, copy=False)

    def depth(self, cutoff: int | None) -> Ints:
        """Return k for each query, int64[E]: the cutoff; without one the number of documents returned or relevant,
        whichever is larger, so that short rankings have no advantage."""
        if cutoff is not None:
            return np.full(len(self.returned), cutoff)
        documents = np.unique(self.relevant.document, return_index=True)[1]
        relevant = np.bincount(self.relevant.query[documents], minlength=len(self.returned))
        return np.maximum(self.returned, relevant)

    def gains(self, alpha: float, discount: Discount, cutoff: int | None) -> Floats:
        """Return the discounted gain down to the cutoff, float64[E]; a subtopic covered n times before gains
        (1-α)^n."""
        hits = self.hits
        keep = slice(None) if cutoff is None else hits.rank <= cutoff
        gain = np.power(1.0 - alpha, hits.times[keep] - 1.0) * discount(hits.rank[keep])
        return self.sum_by_query(hits.query[keep], gain)

    def best_gains(self, alpha: float, discount: Discount, depth: Ints) -> Floats:
        """Return the discounted gain of k documents (``depth``) relevant to every subtopic, float64[E]."""
        longest = int(depth.max(initial=0))
        ranks = np.arange(1, longest + 1)
        sums = np.concatenate(([0.0], np.cumsum(np.power(1.0 - alpha, ranks - 1.0) * discount(ranks))))
        return np.asarray(self.subtopics * sums[depth])

    def ideal_gains(self, alpha: float, discount: Discount, cutoff: int | None) -> Floats:
        """Return the discounted gain of the ideal ranking, float64[E].

        The list is greedy: each rank has the document of the highest gain; of several, the one whose id is last as
        bytes, as in ndeval."""
        query, rank, gain = self._ideal(alpha, np.inf if cutoff is None else cutoff)
        keep = slice(None) if cutoff is None else rank <= cutoff
        return self.sum_by_query(query[keep], gain[keep] * discount(rank[keep]))

    def ideal_list(self, alpha: float, cutoff: int | None) -> tuple[Ints, Ints, Floats]:
        """Return (query, rank, gain) of the ideal rankings, by rank, down to the cutoff or deeper."""
        return self._ideal(alpha, np.inf if cutoff is None else cutoff)

    def _ideal(self, alpha: float, depth: float) -> tuple[Ints, Ints, Floats]:
        """Return (query, rank, gain) of the ideal rankings down to ``depth`` or deeper."""
        cached = self._ideals.get(alpha)
        if cached is None or cached[0] < depth:
            cached = self._ideals[alpha] = (depth, *_greedy(self, alpha, depth))
        return cached[1:]


def topics_of(judged: Judged, level: float) -> Topics:
    """Return the subtopics at a relevance level, cached with the judged run, as several measures need them."""
    cache: dict[float, Topics] = judged.memory.setdefault("topics", {})
    topics = cache.get(level)
    if topics is None:
        grade = judged.assessed.grade
        relevant = judged.assessed.where((grade >= level) & (grade >= 0))
        topics = cache[level] = Topics(relevant, judged.returned, judged.qrels.doc_ids)
    return topics


def _greedy(topics: Topics, alpha: float, depth: float) -> tuple[Ints, Ints, Floats]:
    """Return (query, rank, gain) of the documents of the ideal rankings; each step computes one rank of every query."""
    pairs = topics.relevant
    documents, first, of_pair = np.unique(pairs.document, return_index=True, return_inverse=True)
    ids = topics.doc_ids.take(pa.array(documents)).cast(pa.binary())
    by_id = np.empty(len(documents), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(documents))
    order = np.lexsort((-by_id, pairs.query[first]))  # of equal gains the first is taken
    position = np.empty(len(documents), dtype=np.int64)
    position[order] = np.arange(len(documents))
    query, document, cell = pairs.query[first][order], position[of_pair.reshape(-1)], pairs.cell
    gain = np.ones(pairs.n_cells)  # of the next document on each subtopic
    taken: list[tuple[Ints, Ints, Floats]] = []
    rank = 0
    while len(query) and rank < depth:
        rank += 1
        score = np.bincount(document, weights=gain[cell], minlength=len(query)).astype(np.float64, copy=False)
        starts = np.flatnonzero(np.concatenate(([True], query[1:] != query[:-1])))
        best = np.maximum.reduceat(score, starts)
        equal = np.flatnonzero(score == np.repeat(best, np.diff(np.append(starts, len(query)))))
        chosen = equal[np.concatenate(([True], query[equal][1:] != query[equal][:-1]))]
        taken.append((query[chosen], np.full(len(chosen), rank), score[chosen]))
        removed = np.zeros(len(query), dtype=np.bool_)
        removed[chosen] = True
        gain[cell[removed[document]]] *= 1.0 - alpha
        # Documents taken are removed; a query without documents left disappears with them.
        number = np.cumsum(~removed) - 1
        keep = ~removed[document]
        document, cell = number[document[keep]], cell[keep]
        query = query[~removed]
    if not taken:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    queries, ranks, gains = zip(*taken, strict=True)
    return np.concatenate(queries), np.concatenate(ranks), np.concatenate(gains)

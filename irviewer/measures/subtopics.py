"""What a ranking says of a query's subtopics: where each was met and how often before, and the best order there is.

What the diversity measures share; a subtopic without a relevant document is none."""

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
class Met:
    """The relevant (document, subtopic) pairs that were returned, h of them, ordered by query, then rank.

    query, rank   int64[h]
    cell          int64[h], which tells subtopics, those of different queries apart
    times         int64[h]: the how manieth returned document on its subtopic each is, from 1
    """

    query: Ints
    rank: Ints
    cell: Ints
    times: Ints


@dataclass(frozen=True, eq=False)
class Topics:
    """The relevant (document, subtopic) pairs of a judged run's E queries.

    relevant  every pair that the qrels hold, returned or not
    returned  int64[E], the documents that the run returned
    doc_ids   the qrels' documents, an Arrow string array
    """

    relevant: Assessed
    returned: Ints
    doc_ids: Strings
    _ideals: dict[float, tuple[float, Ints, Ints, Floats]] = field(default_factory=dict, repr=False)

    @property
    def subtopics(self) -> Ints:
        """int64[E]: S, the subtopics of each query with a relevant document."""
        return self.relevant.groups_by_query

    @cached_property
    def relevant_documents(self) -> Ints:
        """int64[C]: how many documents are relevant to each subtopic."""
        return self.relevant.count_cells()

    @cached_property
    def hits(self) -> Met:
        """The pairs whose document was returned."""
        found = self.relevant
        rows = np.flatnonzero(found.rank > 0)
        rows = rows[np.lexsort((found.cell[rows], found.rank[rows], found.query[rows]))]
        cell = found.cell[rows]
        by_cell = np.argsort(cell, kind="stable")
        starts = offsets_of(np.bincount(cell, minlength=found.n_cells))
        times = np.empty(len(rows), dtype=np.int64)
        times[by_cell] = np.arange(1, len(rows) + 1) - starts[cell[by_cell]]
        return Met(found.query[rows], found.rank[rows], cell, times)

    def sum_by_query(self, query: Ints, values: Floats | None = None) -> Floats:
        """float64[E]: values (ones, where none are given) added up by query."""
        sums = np.bincount(query, weights=values, minlength=self.relevant.n_queries)
        return sums.astype(np.float64, copy=False)

    def depth(self, cutoff: int | None) -> Ints:
        """int64[E]: k of each query; without a cutoff the longer of the ranking and the relevant documents, so that a
        short list gains nothing by being short."""
        if cutoff is not None:
            return np.full(len(self.returned), cutoff)
        documents = np.unique(self.relevant.document, return_index=True)[1]
        relevant = np.bincount(self.relevant.query[documents], minlength=len(self.returned))
        return np.maximum(self.returned, relevant)

    def gains(self, alpha: float, discount: Discount, cutoff: int | None) -> Floats:
        """float64[E]: the discounted gain down to the cutoff; a subtopic met n times before is worth (1-α)^n."""
        hits = self.hits
        keep = slice(None) if cutoff is None else hits.rank <= cutoff
        worth = np.power(1.0 - alpha, hits.times[keep] - 1.0) * discount(hits.rank[keep])
        return self.sum_by_query(hits.query[keep], worth)

    def best_gains(self, alpha: float, discount: Discount, depth: Ints) -> Floats:
        """float64[E]: the discounted gain of k documents (``depth``) that are each relevant to every subtopic."""
        longest = int(depth.max(initial=0))
        ranks = np.arange(1, longest + 1)
        sums = np.concatenate(([0.0], np.cumsum(np.power(1.0 - alpha, ranks - 1.0) * discount(ranks))))
        return np.asarray(self.subtopics * sums[depth])

    def ideal_gains(self, alpha: float, discount: Discount, cutoff: int | None) -> Floats:
        """float64[E]: the discounted gain of the best order of the relevant documents, found greedily: at every rank
        the document of most gain, of several the one whose id is last as bytes, as ndeval takes it."""
        query, rank, gain = self._ideal(alpha, np.inf if cutoff is None else cutoff)
        keep = slice(None) if cutoff is None else rank <= cutoff
        return self.sum_by_query(query[keep], gain[keep] * discount(rank[keep]))

    def ideal_list(self, alpha: float, cutoff: int | None) -> tuple[Ints, Ints, Floats]:
        """(query, rank, gain) of the ideal lists, by rank, down to the cutoff or deeper."""
        return self._ideal(alpha, np.inf if cutoff is None else cutoff)

    def _ideal(self, alpha: float, depth: float) -> tuple[Ints, Ints, Floats]:
        """(query, rank, gain) of the ideal lists down to ``depth`` or deeper."""
        known = self._ideals.get(alpha)
        if known is None or known[0] < depth:
            known = self._ideals[alpha] = (depth, *_greedy(self, alpha, depth))
        return known[1:]


def topics_of(judged: Judged, level: float) -> Topics:
    """The subtopics under a relevance level, kept beside the judged run: several measures ask for them."""
    kept: dict[float, Topics] = judged.memory.setdefault("topics", {})
    found = kept.get(level)
    if found is None:
        grade = judged.assessed.grade
        relevant = judged.assessed.where((grade >= level) & (grade >= 0))
        found = kept[level] = Topics(relevant, judged.returned, judged.qrels.doc_ids)
    return found


def _greedy(topics: Topics, alpha: float, depth: float) -> tuple[Ints, Ints, Floats]:
    """The ideal lists of all queries at once, a rank a step: (query, rank, gain) of each document taken."""
    pairs = topics.relevant
    documents, first, of_pair = np.unique(pairs.document, return_index=True, return_inverse=True)
    ids = topics.doc_ids.take(pa.array(documents)).cast(pa.binary())
    by_id = np.empty(len(documents), dtype=np.int64)
    by_id[pc.sort_indices(ids).to_numpy()] = np.arange(len(documents))
    order = np.lexsort((-by_id, pairs.query[first]))  # the first of several equals is the one to take
    place = np.empty(len(documents), dtype=np.int64)
    place[order] = np.arange(len(documents))
    query, document, cell = pairs.query[first][order], place[of_pair.reshape(-1)], pairs.cell
    worth = np.ones(pairs.n_cells)
    taken: list[tuple[Ints, Ints, Floats]] = []
    rank = 0
    while len(query) and rank < depth:
        rank += 1
        score = np.bincount(document, weights=worth[cell], minlength=len(query)).astype(np.float64, copy=False)
        starts = np.flatnonzero(np.concatenate(([True], query[1:] != query[:-1])))
        best = np.maximum.reduceat(score, starts)
        equal = np.flatnonzero(score == np.repeat(best, np.diff(np.append(starts, len(query)))))
        chosen = equal[np.concatenate(([True], query[equal][1:] != query[equal][:-1]))]
        taken.append((query[chosen], np.full(len(chosen), rank), score[chosen]))
        gone = np.zeros(len(query), dtype=np.bool_)
        gone[chosen] = True
        worth[cell[gone[document]]] *= 1.0 - alpha
        # What is taken leaves, and with it queries that have nothing left.
        number = np.cumsum(~gone) - 1
        stay = ~gone[document]
        document, cell = number[document[stay]], cell[stay]
        query = query[~gone]
    if not taken:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    queries, ranks, gains = zip(*taken, strict=True)
    return np.concatenate(queries), np.concatenate(ranks), np.concatenate(gains)

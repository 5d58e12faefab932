"""The rank of every relevant document of a query in every run, or that the run missed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from irviewer.model.arrays import Bools, Floats, Ints, Strings, frozen, places_of, strings
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class RelevantRanks:
    """D relevant documents by R runs, by ascending number of runs that found them, then by descending grade, then as in
    the qrels.

    doc_ids   Arrow string array
    grades    float64[D]
    ranks     int64[D, R]: 0 where the run missed it
    """

    doc_ids: Strings
    grades: Floats
    ranks: Ints

    @property
    def found(self) -> Ints:
        """int64[D]: the number of runs that found each document."""
        return np.asarray((self.ranks > 0).sum(axis=1), dtype=np.int64)

    @property
    def unique(self) -> Bools:
        """bool[D, R]: the only run that found a document, where there are several runs."""
        alone = (self.found == 1) & (self.ranks.shape[1] > 1)
        result: Bools = (self.ranks > 0) & alone[:, None]
        return result

    @property
    def best(self) -> Ints:
        """int64[D]: the best rank of any run, 0 where all missed it."""
        ranks = np.where(self.ranks > 0, self.ranks, np.iinfo(np.int64).max)
        least = ranks.min(axis=1, initial=np.iinfo(np.int64).max)
        return np.asarray(np.where(self.found > 0, least, 0), dtype=np.int64)


def relevant_ranks(judged: Sequence[Judged], query_id: str, level: float = 1) -> RelevantRanks:
    """Return the table of one query for runs judged by the same qrels; empty where nothing is relevant."""
    first = judged[0] if judged else None
    index = None if first is None else first.qrels.query_index.get(query_id)
    if first is None or index is None or query_id not in first.query_index:
        nothing = np.empty(0, dtype=np.int64)
        ids = places_of(nothing)
        empty = first.qrels.doc_ids.take(ids) if first is not None else _no_ids()
        return RelevantRanks(empty, np.empty(0), np.empty((0, len(judged)), dtype=np.int64))
    qrels = first.qrels
    start, stop = int(qrels.offsets[index]), int(qrels.offsets[index + 1])
    grades = qrels.grades[start:stop]
    rows = np.flatnonzero((grades >= level) & (grades >= 0))
    ranks = np.zeros((stop - start, len(judged)), dtype=np.int64)
    for column, run in enumerate(judged):
        low, high = np.searchsorted(run.hit_query, [run.query_index[query_id], run.query_index[query_id] + 1])
        ranks[run.hit_row[low:high] - start, column] = run.hit_rank[low:high]
    ranks = ranks[rows]
    order = np.lexsort((-grades[rows], (ranks > 0).sum(axis=1)))
    ordered = rows[order]
    return RelevantRanks(
        qrels.doc_ids.take(places_of(ordered + start)), frozen(grades[ordered]), frozen(ranks[order])
    )  # fmt: skip


def _no_ids() -> Strings:
    return strings([])

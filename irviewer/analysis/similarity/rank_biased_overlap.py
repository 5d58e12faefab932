"""The lists of several runs as ranks of numbered documents, in blocks of queries: the input of every similarity.

A document of a query has the same number in all runs, so that pairs are compared as integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Bools, Floats, Ints, Ranks, bytewise_order, offsets_of, places_of, strings, values_of
from irviewer.model.run import Run

CELLS = 4_000_000
"""Documents × runs of a block."""


@dataclass(frozen=True, eq=False)
class Part:
    """Some queries of R runs; Q of them, V documents (of one query each).

    queries   the part's range among all queries: first, and one past the last
    ranks     int32[V, R]: the rank of each document in each run, from 1; ``absent`` where the run does not return it
    grades    int32[V, R]: the same with one number for documents of equal score, the first's; None unless requested
    lasts     int32[V, R]: the same with the last's; None unless requested
    absent    one more than the longest list
    lengths   int64[R, Q]: the documents that each run returns, 0 where it lacks the query
    rows      for each run its documents as rows of ``ranks``, by query, best first
    """

    queries: tuple[int, int]
    ranks: Ranks
    grades: Ranks | None
    lasts: Ranks | None
    absent: int
    lengths: Ints
    rows: tuple[Ints, ...]

    @cached_property
    def tied(self) -> Ints:
        """int64[R, Q]: the documents of each run that share their score with another."""
        n_runs, n_queries = np.shape(self.lengths)
        counts: Ints = np.zeros((n_runs, n_queries), dtype=np.int64)
        if self.grades is None or self.lasts is None:
            return counts
        for run, rows in enumerate(self.rows):
            query = np.repeat(np.arange(n_queries), self.lengths[run])
            shares = self.grades[rows, run] < self.lasts[rows, run]
            counts[run] = np.bincount(query[shares], minlength=n_queries)
        return counts


@dataclass(frozen=True, eq=False)
class Lists:
    """R runs over Q queries, cut at ``depth``, in the order of each run. With ``whole_ties`` a list is cut behind the
    tie that it would be cut in, so that no order of tied documents decides which are compared."""

    runs: tuple[Run, ...]
    query_ids: tuple[str, ...]
    depth: int
    whole_ties: bool = False

    @classmethod
    def of(
        cls, runs: Sequence[Run], depth: int, queries: Sequence[str] | None = None, *, whole_ties: bool = False
    ) -> Lists:
        """Return the lists of runs for ``queries``, by default for all queries of any run, in bytewise order."""
        if queries is None:
            every = list(dict.fromkeys(query for run in runs for query in run.query_ids))
            queries = [every[index] for index in bytewise_order(every)]
        return cls(tuple(runs), tuple(dict.fromkeys(queries)), depth, whole_ties)

    @cached_property
    def _indices(self) -> Ints:
        """int64[R, Q]: the index of each query in each run, -1 where the run lacks it."""
        indices = [[run.query_index.get(query, -1) for query in self.query_ids] for run in self.runs]
        return np.array(indices, dtype=np.int64).reshape(len(self.runs), len(self.query_ids))

    @cached_property
    def lengths(self) -> Ints:
        """int64[R, Q]: the documents that each run returns for each query, at most ``depth``, and the rest of a tie."""
        lengths = np.zeros(self._indices.shape, dtype=np.int64)
        for number, run in enumerate(self.runs):
            has = self._indices[number] >= 0
            sizes = np.diff(run.offsets)
            cut = np.minimum(sizes, self.depth)
            if self.whole_ties and len(run.scores):
                longer = np.flatnonzero(sizes > self.depth)
                last = run.offsets[longer] + self.depth - 1
                ends = _last_equal(run.scores, ranks_within(sizes))
                cut[longer] += ends[last] - last
            lengths[number, has] = cut[self._indices[number, has]]
        return lengths

    def parts(self, *, tied: bool = False) -> Iterator[Part]:
        """Yield all queries in blocks; ``tied`` requests ``grades``."""
        sizes = self.lengths.sum(axis=0) * len(self.runs)  # an upper bound: documents are shared
        start = 0
        while start < len(self.query_ids):
            stop = start + max(1, int(np.searchsorted(np.cumsum(sizes[start:]), CELLS, side="right")))
            stop = min(stop, len(self.query_ids))
            yield self._part(start, stop, tied)
            start = stop

    def _part(self, start: int, stop: int, tied: bool) -> Part:
        lengths = self.lengths[:, start:stop]
        flat = [_rows(run, self._indices[n, start:stop], lengths[n]) for n, run in enumerate(self.runs)]
        ids = pa.concat_arrays(
            [strings(run.doc_ids.take(places_of(rows))) for run, rows in zip(self.runs, flat, strict=True)]
        )
        codes = values_of(pc.dictionary_encode(ids).indices).astype(np.int64)
        query = np.concatenate([np.repeat(np.arange(stop - start), counts) for counts in lengths])
        keys = query * (int(codes.max(initial=0)) + 1) + codes
        distinct, number = np.unique(keys, return_inverse=True)
        ends = np.cumsum([len(rows) for rows in flat])
        document_rows = tuple(np.split(number.reshape(-1), ends[:-1]))
        absent = int(lengths.max(initial=0)) + 1
        ranks = np.full((len(distinct), len(flat)), absent, dtype=np.int32)
        grades = np.full_like(ranks, absent) if tied else None
        lasts = np.full_like(ranks, absent) if tied else None
        for n, run in enumerate(self.runs):
            rank = ranks_within(lengths[n])
            ranks[document_rows[n], n] = rank
            if grades is not None and lasts is not None:
                scores = run.scores[flat[n]]
                grades[document_rows[n], n] = _shared(scores, rank)
                lasts[document_rows[n], n] = rank[_last_equal(scores, rank)]
        return Part((start, stop), ranks, grades, lasts, absent, lengths, document_rows)


def ranks_within(lengths: Ints) -> Ints:
    """Return 1, 2, … for each of several lists, one after the other, int64."""
    offsets = offsets_of(lengths)
    return np.arange(1, int(offsets[-1]) + 1) - np.repeat(offsets[:-1], lengths)


def _rows(run: Run, indices: Ints, lengths: Ints) -> Ints:
    starts = run.offsets[np.maximum(indices, 0)] if len(run.offsets) > 1 else np.zeros(len(indices), dtype=np.int64)
    return np.repeat(starts, lengths) + ranks_within(lengths) - 1


def _shared(scores: Floats, rank: Ints) -> Ints:
    """The rank of the first document of equal score, which the members of a tie share."""
    first = _begins(scores, rank)
    tie_starts = np.maximum.accumulate(np.where(first, np.arange(len(scores)), 0)) if len(scores) else rank
    return rank[tie_starts]


def _last_equal(scores: Floats, rank: Ints) -> Ints:
    """The place of the last document of equal score in the same list."""
    n = len(scores)
    if not n:
        return rank
    ends = np.append(_begins(scores, rank)[1:], True)
    places = np.where(ends, np.arange(n), n)
    return np.minimum.accumulate(places[::-1])[::-1]


def _begins(scores: Floats, rank: Ints) -> Bools:
    """Where a list, or another score than the one before, begins."""
    nan = np.isnan(scores)
    equal: Bools = (scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1])
    first = np.ones(len(scores), dtype=np.bool_)
    first[1:] = ~equal | (rank[1:] == 1)
    return first

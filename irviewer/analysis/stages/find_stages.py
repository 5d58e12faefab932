"""Detection of re-ranking: for every query of both runs one returns only documents that the other returns too, in
another order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.model.arrays import Ints, strings, values_of
from irviewer.model.run import Run


@dataclass(frozen=True)
class StagePair:
    """``second`` re-ranks ``first``; both are indices of runs.

    same     both return the same documents, so that the documents do not say which is first; then the baseline is,
             otherwise the run given first
    queries  the number of queries that both have
    """

    first: int
    second: int
    same: bool
    queries: int


def find_stages(runs: Sequence[Run], baseline: int | None = None) -> tuple[StagePair, ...]:
    """Return every pair of runs of which one re-ranks the other, in the order of the runs. A run that is the beginning
    of another in the same order is not a re-ranking."""
    documents = _common_documents(runs)
    lists = [_Documents(run, codes) for run, codes in zip(runs, documents, strict=True)]
    pairs = []
    for first_index in range(len(runs)):
        for second_index in range(first_index + 1, len(runs)):
            pair = _pair(lists, first_index, second_index, baseline)
            if pair is not None:
                pairs.append(pair)
    return tuple(pairs)


def share_within(first: Run, second: Run, *, queries: Collection[str] | None = None, depth: int | None = None) -> float:
    """Return the share of the documents of ``second`` that ``first`` returns too, over the queries that both have; 1
    without documents. ``queries`` are those that count (None: all), to the rank ``depth`` of either run."""
    pairs = zip((first, second), _common_documents([first, second]), strict=True)
    lists = [_Documents(run, codes) for run, codes in pairs]
    counted = first.query_ids if queries is None else [query for query in queries if query in first.query_index]
    both = [[each.of(query)[:depth] for each in lists] for query in counted if query in second.query_index]
    total = sum(len(latter) for _, latter in both)
    inside = sum(int(np.isin(latter, former).sum()) for former, latter in both)
    return inside / total if total else 1.0


def _common_documents(runs: Sequence[Run]) -> list[Ints]:
    """Return the documents of each run as numbers, the same document with the same number in all."""
    encoded = pc.dictionary_encode(pa.concat_arrays([strings(run.doc_ids) for run in runs])) if runs else None
    if encoded is None:
        return []
    codes = values_of(encoded.indices).astype(np.int64)
    return list(np.split(codes, np.cumsum([len(run) for run in runs])[:-1]))


class _Documents:
    """A run's documents as numbers, by query."""

    def __init__(self, run: Run, codes: Ints) -> None:
        self.run, self._codes = run, codes

    def of(self, query: str) -> Ints:
        """Return the documents of a query in rank order."""
        position = self.run.query_index[query]
        return self._codes[int(self.run.offsets[position]) : int(self.run.offsets[position + 1])]


def _pair(lists: Sequence[_Documents], first_index: int, second_index: int, baseline: int | None) -> StagePair | None:
    mine, its = lists[first_index], lists[second_index]
    queries = [query for query in mine.run.query_ids if query in its.run.query_index]
    within = [True, True]  # the first run's documents among the second's, and the other way round
    moved = False
    empty = 0
    for query in queries:
        left, right = mine.of(query), its.of(query)
        shorter = min(len(left), len(right))
        if not shorter:
            empty += 1
            continue
        moved = moved or not np.array_equal(left[:shorter], right[:shorter])
        common = len(np.intersect1d(left, right, assume_unique=True))
        within = [within[0] and common == len(left), within[1] and common == len(right)]
        if not any(within):
            return None
    if not moved or empty == len(queries):
        return None
    if all(within):
        first, second = (second_index, first_index) if baseline == second_index else (first_index, second_index)
        return StagePair(first, second, True, len(queries))
    first, second = (first_index, second_index) if within[1] else (second_index, first_index)
    return StagePair(first, second, False, len(queries))

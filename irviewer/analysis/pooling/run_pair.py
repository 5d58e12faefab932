"""Two runs side by side: the queries that both have, and the unjudged (open) documents of either, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.evaluation.evaluate import Joined
from irviewer.model.arrays import Ints, looked_up, offsets_of, places_of, sizes_of, values_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class OpenRun:
    """The unjudged documents of a run for a measure: the join, the documents, and their keys int64[u], which are the
    same in every run: the query's number times the width of ``OpenRuns``, plus the document's number.

    numbers   int64[E']: the number of each of the join's queries among all
    """

    judged: Judged
    unjudged: Unjudged
    keys: Ints
    numbers: Ints


def nothing() -> None:
    """What is called between steps of the work where nobody wants to stop it or to let others go first."""


class OpenRuns:
    """The unjudged documents of each run under join options, down to a rank. Only the two that were asked for last are
    kept: those of hundreds of runs take more memory than all that is computed from them."""

    def __init__(
        self,
        joins: list[Joined],
        join_options: JoinOptions,
        limit: int | None,
        query_ids: tuple[str, ...],
        step: Callable[[], object] = nothing,
    ) -> None:
        self._joins, self._join_options, self._limit = joins, join_options, limit
        self._query_ids = query_ids
        self._codes = _codes(joins, join_options, limit, step)
        self.width = max((int(own.max(initial=0)) for own in self._codes), default=0) + 1
        self._newest: dict[int, OpenRun] = {}

    def __getitem__(self, run: int) -> OpenRun:
        open_run = self._newest.get(run) or self._made(run)
        others = [other for other in self._newest.items() if other[0] != run]
        self._newest = dict([*others[-1:], (run, open_run)])  # a new one, since several threads may ask
        return open_run

    def __iter__(self) -> Iterator[OpenRun]:
        return map(self._made, range(len(self._joins)))

    def _made(self, run: int) -> OpenRun:
        judged = self._joins[run].under(self._join_options)
        opened = Unjudged.of(judged, self._limit)
        numbers = self._numbers(judged.query_ids)
        return OpenRun(judged, opened, numbers[opened.query] * self.width + self._codes[run], numbers)

    def _numbers(self, query_ids: tuple[str, ...]) -> Ints:
        if query_ids == self._query_ids:  # usually
            return np.arange(len(query_ids))
        number = dict(zip(self._query_ids, range(len(self._query_ids)), strict=True))
        return looked_up(number, query_ids)


def _codes(
    joins: list[Joined], join_options: JoinOptions, limit: int | None, step: Callable[[], object]
) -> list[npt.NDArray[np.int32]]:
    """Return the numbers of each run's unjudged documents, int32[u], the same for a document in every run."""
    ids = []
    for join in joins:
        judged, run = join.under(join_options), join.run_under(join_options)
        opened = Unjudged.of(judged, limit)
        index = run.places_of_queries(judged.query_ids)  # -1 only for queries without a document
        rows = run.offsets[index[opened.query]] + opened.rank - 1
        step()
        ids.append(run.doc_ids.take(places_of(rows)))
        step()
    encoded = pa.chunked_array(ids, pa.string()).dictionary_encode()  # all chunks have one dictionary
    step()
    flat = np.concatenate([np.empty(0, np.int32), *(values_of(chunk.indices) for chunk in encoded.chunks)])
    starts = offsets_of(np.array([len(own) for own in ids], dtype=np.int64)).tolist()
    return [flat[start:stop] for start, stop in pairwise(starts)]


@dataclass(frozen=True, eq=False)
class Both:
    """Two runs over the Q queries that both have, and the unjudged documents of either, flat by query.

    rows            for each run int64[Q], the index of each query in its join
    ranks           for each run int64[u], the document's rank, 0 where the list lacks it down to the limit
    offsets, query  int64[Q+1], int64[u]
    numbers         int64[Q], the number of each query among all
    """

    runs: tuple[OpenRun, OpenRun]
    rows: tuple[Ints, Ints]
    ranks: tuple[Ints, Ints]
    offsets: Ints
    query: Ints
    numbers: Ints

    def with_more(self, more: Ints) -> Both:
        """Return them with ``more`` int64[Q] further unjudged documents of each query, which neither list has."""
        query = np.concatenate([self.query, np.repeat(np.arange(len(more)), more)])
        order = np.argsort(query, kind="stable")
        none = np.zeros(int(more.sum()), dtype=np.int64)
        ranks = tuple(np.concatenate([rank, none])[order] for rank in self.ranks)
        offsets = offsets_of(np.bincount(query, minlength=len(more)))
        return replace(self, ranks=(ranks[0], ranks[1]), offsets=offsets, query=query[order])

    @property
    def judged(self) -> tuple[Judged, Judged]:
        """Both joins."""
        return self.runs[0].judged, self.runs[1].judged

    @property
    def counts(self) -> Ints:
        """int64[Q]: unjudged documents."""
        return sizes_of(self.offsets)


def both_of(open_run: OpenRun, other: OpenRun) -> Both:
    """Return two runs side by side."""
    numbers = np.intersect1d(open_run.numbers, other.numbers, assume_unique=True)
    rows = tuple(np.searchsorted(each.numbers, numbers) for each in (open_run, other))
    keys, query, ranks = [], [], []
    for each in (open_run, other):
        of = each.numbers[each.unjudged.query]
        keep = np.isin(of, numbers)
        keys.append(each.keys[keep])
        query.append(np.searchsorted(numbers, of[keep]))
        ranks.append(each.unjudged.rank[keep])
    every, first = np.unique(np.concatenate(keys), return_index=True)  # keys ascend by query
    queries = np.concatenate(query)[first]
    columns = []
    for run_keys, rank in zip(keys, ranks, strict=True):
        column = np.zeros(len(every), dtype=np.int64)
        column[np.searchsorted(every, run_keys)] = rank
        columns.append(column)
    offsets = offsets_of(np.bincount(queries, minlength=len(numbers)))
    return Both((open_run, other), (rows[0], rows[1]), (columns[0], columns[1]), offsets, queries, numbers)

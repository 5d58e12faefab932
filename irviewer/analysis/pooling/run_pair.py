"""Two runs side by side: the queries that both have, and the unjudged (open) documents of either, each once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.evaluation.evaluate import Joined
from irviewer.model.arrays import Ints, offsets_of, places_of, sizes_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class OpenRun:
    """The unjudged documents of a run for a measure: the join, the documents, and their keys int64[u], from query
    number and document number, which are the same in every run.

    numbers   int64[E']: the number of each of the join's queries among all
    """

    judged: Judged
    unjudged: Unjudged
    keys: Ints
    numbers: Ints


def open_runs(
    joins: list[Joined], join_options: JoinOptions, limit: int | None, query_ids: tuple[str, ...]
) -> tuple[OpenRun, ...]:
    """Return the unjudged documents of each run under join options, down to a rank."""
    number = {query: index for index, query in enumerate(query_ids)}
    judged = [run_judged.under(join_options) for run_judged in joins]
    opened = [Unjudged.of(run_judged, limit) for run_judged in judged]
    ids = []
    for join, run_judged, run_open in zip(joins, judged, opened, strict=True):
        run = join.run_under(join_options)
        index = np.array([run.query_index.get(query, 0) for query in run_judged.query_ids], dtype=np.int64)
        rows = run.offsets[index[run_open.query]] + run_open.rank - 1
        ids.append(run.doc_ids.take(places_of(rows)))
    codes = pa.chunked_array(ids, pa.string()).combine_chunks().dictionary_encode().indices
    flat = np.asarray(codes.to_numpy(zero_copy_only=False), dtype=np.int64)
    width = int(flat.max(initial=0)) + 1
    starts = offsets_of(np.array([len(run_judged.rank) for run_judged in opened], dtype=np.int64))
    results = []
    for nth, (run_judged, run_open) in enumerate(zip(judged, opened, strict=True)):
        numbers = np.array([number[query] for query in run_judged.query_ids], dtype=np.int64)
        codes_of_run = flat[starts[nth] : starts[nth + 1]]
        results.append(OpenRun(run_judged, run_open, numbers[run_open.query] * width + codes_of_run, numbers))
    return tuple(results)


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
    numbers = np.intersect1d(open_run.numbers, other.numbers)
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

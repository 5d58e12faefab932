"""Two runs beside each other: the queries that both have, and the documents that either leaves open, each once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from irviewer.analysis.pooling.unjudged import Unjudged
from irviewer.evaluation.evaluate import Joined
from irviewer.model.arrays import Ints, offsets_of, places_of
from irviewer.model.dialects import JoinOptions
from irviewer.model.judgments.judged import Judged


@dataclass(frozen=True, eq=False)
class OpenRun:
    """What a run leaves open for a measure: the join, the open documents, and each one's key, which is the same for one
    document of one query in every run: int64[u], (query number, document number).

    numbers   int64[E']: the number of each of the join's queries among all
    """

    judged: Judged
    unjudged: Unjudged
    keys: Ints
    numbers: Ints


def open_runs(
    joins: list[Joined], join_options: JoinOptions, limit: int | None, query_ids: tuple[str, ...]
) -> tuple[OpenRun, ...]:
    """What each run leaves open under a reading, down to a rank."""
    number = {query: place for place, query in enumerate(query_ids)}
    judged = [one.under(join_options) for one in joins]
    opened = [Unjudged.of(one, limit) for one in judged]
    ids = []
    for join, one, found in zip(joins, judged, opened, strict=True):
        run = join.run_under(join_options)
        place = np.array([run.query_index.get(query, 0) for query in one.query_ids], dtype=np.int64)
        rows = run.offsets[place[found.query]] + found.rank - 1
        ids.append(run.doc_ids.take(places_of(rows)))
    codes = pa.chunked_array(ids, pa.string()).combine_chunks().dictionary_encode().indices
    flat = np.asarray(codes.to_numpy(zero_copy_only=False), dtype=np.int64)
    width = int(flat.max(initial=0)) + 1
    starts = offsets_of(np.array([len(one.rank) for one in opened], dtype=np.int64))
    made = []
    for nth, (one, found) in enumerate(zip(judged, opened, strict=True)):
        numbers = np.array([number[query] for query in one.query_ids], dtype=np.int64)
        own = flat[starts[nth] : starts[nth + 1]]
        made.append(OpenRun(one, found, numbers[found.query] * width + own, numbers))
    return tuple(made)


@dataclass(frozen=True, eq=False)
class Both:
    """Two runs over the Q queries that both have, and the documents that either leaves open: flat by query.

    rows            for each run int64[Q], its join's place of each query
    ranks           for each run int64[u], the document's rank there, 0 where the list lacks it down to the limit
    offsets, query  int64[Q+1], int64[u]
    numbers         int64[Q], the number of each query among all
    """

    runs: tuple[OpenRun, OpenRun]
    rows: tuple[Ints, Ints]
    ranks: tuple[Ints, Ints]
    offsets: Ints
    query: Ints
    numbers: Ints

    @property
    def judged(self) -> tuple[Judged, Judged]:
        """Both joins."""
        return self.runs[0].judged, self.runs[1].judged

    @property
    def counts(self) -> Ints:
        """int64[Q]: open documents."""
        return np.diff(self.offsets)


def both_of(one: OpenRun, other: OpenRun) -> Both:
    """Two runs beside each other."""
    numbers = np.intersect1d(one.numbers, other.numbers)
    rows = tuple(np.searchsorted(each.numbers, numbers) for each in (one, other))
    keys, query, ranks = [], [], []
    for each in (one, other):
        of = each.numbers[each.unjudged.query]
        keep = np.isin(of, numbers)
        keys.append(each.keys[keep])
        query.append(np.searchsorted(numbers, of[keep]))
        ranks.append(each.unjudged.rank[keep])
    every, first = np.unique(np.concatenate(keys), return_index=True)  # keys ascend by query
    queries = np.concatenate(query)[first]
    found = []
    for own, rank in zip(keys, ranks, strict=True):
        column = np.zeros(len(every), dtype=np.int64)
        column[np.searchsorted(every, own)] = rank
        found.append(column)
    offsets = offsets_of(np.bincount(queries, minlength=len(numbers)))
    return Both((one, other), (rows[0], rows[1]), (found[0], found[1]), offsets, queries, numbers)

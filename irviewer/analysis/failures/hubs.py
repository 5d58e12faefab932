"""Hubs: non-relevant documents that are retrieved for many queries, counted over all queries and runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from irviewer.model.arrays import (
    Bools,
    Ints,
    Strings,
    distinct,
    frozen,
    group_of_each,
    offsets_of,
    places_of,
    values_of,
)
from irviewer.model.judgments.judged import Judged
from irviewer.model.run import Run

MOST = 1000


@dataclass(frozen=True, eq=False)
class Hubs:
    """H documents, by descending number of queries for which they are retrieved but not relevant, then of runs, then by
    id as bytes.

    doc_ids       Arrow string array
    queries       int64[H]: queries for which it is within the depth of some run but not relevant
    nonrelevant   int64[H]: those for which it was judged non-relevant (or is, where judgments are complete)
    unjudged      int64[H]: those for which it is unjudged
    runs          int64[H]: runs that retrieve it for these queries
    right         int64[H]: queries for which it is relevant and retrieved
    best          int64[H]: its highest rank among ``queries``
    offsets       int64[H+1] into
    where         int64: the queries (indices in the joins' query ids) of each document, ascending
    """

    doc_ids: Strings
    queries: Ints
    nonrelevant: Ints
    unjudged: Ints
    runs: Ints
    right: Ints
    best: Ints
    offsets: Ints
    where: Ints
    depth: int

    def queries_of(self, row: int) -> Ints:
        """Return the indices of the queries for which a document is retrieved but not relevant."""
        return self.where[int(self.offsets[row]) : int(self.offsets[row + 1])]


def find_hubs(
    runs: Sequence[Run],
    judged: Sequence[Judged],
    *,
    depth: int = 10,
    level: float = 1,
    complete: bool = False,
    within: Bools | None = None,
    least: int = 2,
    most: int = MOST,
    progress: Callable[[float], None] | None = None,
) -> Hubs:
    """Return the documents that are within the top ``depth`` of some run for ``least`` queries or more but not relevant
    to them. ``judged`` are the runs' joins, all over the same E queries, and ``runs`` are in the order of their joins;
    ``within`` bool[E] selects queries."""
    parts = [_top(run, doc_id, depth, level, within) for run, doc_id in zip(runs, judged, strict=True)]
    if progress is not None:
        progress(0.6)
    width = max(1, judged[0].n_queries) if judged else 1
    encoded = pa.concat_arrays([pa.array([], pa.string()), *(part[0] for part in parts)]).dictionary_encode()
    ids: Strings = encoded.dictionary
    document = values_of(encoded.indices).astype(np.int64)
    nothing = np.empty(0, dtype=np.int64)
    query, rank, state = (np.concatenate([nothing, *(part[column] for part in parts)]) for column in (1, 2, 3))
    of_run = np.repeat(np.arange(len(parts)), [len(part[1]) for part in parts])
    wrong = state < RELEVANT
    pair = document * width + query
    right = np.bincount(distinct(pair[~wrong]) // width, minlength=len(ids))
    pairs, at = np.unique(pair[wrong], return_index=True)
    owner = pairs // width
    judged_wrong = (state[wrong][at] == NONRELEVANT) | complete
    counts = np.bincount(owner, minlength=len(ids))
    by_run = distinct(document[wrong] * max(1, len(parts)) + of_run[wrong]) // max(1, len(parts))
    n_runs = np.bincount(by_run, minlength=len(ids))
    best = np.full(len(ids), np.iinfo(np.int64).max)
    np.minimum.at(best, document[wrong], rank[wrong])
    frequent = np.flatnonzero(counts >= least)
    names = np.array(
        [doc_id.encode("utf-8", "surrogateescape") for doc_id in ids.take(places_of(frequent)).to_pylist()], object
    )
    order = frequent[np.lexsort((np.argsort(np.argsort(names)), -n_runs[frequent], -counts[frequent]))][:most]
    nonrelevant = np.bincount(owner[judged_wrong], minlength=len(ids))
    starts = np.searchsorted(owner, np.arange(len(ids) + 1))
    sizes = counts[order]
    offsets = offsets_of(sizes)
    rows = starts[order][group_of_each(offsets)] + np.arange(int(offsets[-1])) - offsets[:-1].repeat(sizes)
    queries, wrongly, n_runs, rightly, best = (
        frozen(doc_id[order].astype(np.int64)) for doc_id in (counts, nonrelevant, n_runs, right, best)
    )
    if progress is not None:
        progress(1.0)
    return Hubs(
        ids.take(places_of(order)), queries, wrongly, frozen(queries - wrongly), n_runs, rightly, best,
        frozen(offsets), frozen((pairs % width)[rows]), depth,
    )  # fmt: skip


UNJUDGED, NONRELEVANT, RELEVANT = 0, 1, 2


def _top(run: Run, judged: Judged, depth: int, level: float, within: Bools | None) -> tuple[Strings, Ints, Ints, Ints]:
    """(document, query, rank, state) of the first documents of every list."""
    index = run.places_of_queries(judged.query_ids)
    included = index >= 0 if within is None else (index >= 0) & within
    sizes = np.where(included, np.minimum(judged.returned, depth), 0)
    offsets = offsets_of(sizes)
    query = group_of_each(offsets)
    rank = np.arange(int(offsets[-1])) - offsets[query] + 1
    rows = run.offsets[index[query]] + rank - 1
    state = np.full(len(rows), UNJUDGED, dtype=np.int64)
    hits = judged.judged_hits.to(depth)
    inside = hits.rank <= sizes[hits.query]
    at = offsets[hits.query[inside]] + hits.rank[inside] - 1
    state[at] = np.where(hits.grade[inside] >= level, RELEVANT, NONRELEVANT)
    return run.doc_ids.take(places_of(rows)), query, rank, state

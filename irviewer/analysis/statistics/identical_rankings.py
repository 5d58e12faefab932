"""The queries for which two runs have the same ranking down to the last rank that a measure reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.analysis.pooling.bound_kinds import reads_down_to
from irviewer.evaluation.bound_measure import BoundMeasure
from irviewer.model.arrays import Bools, Ints, group_of_each, offsets_of, places_of
from irviewer.model.options import EvaluationOptions
from irviewer.model.run import Run


def identical_rankings(
    run: Run, other: Run, query_ids: Sequence[str], measure: BoundMeasure, options: EvaluationOptions
) -> Bools:
    """Return bool[queries]: both runs have the same documents in the same order, as far as the measure reads; a query
    that both lack is the same. None is known to be where only values of a run are known,
    or where measures may read answers.

    Where unjudged documents are removed first, the measure reads deeper than its cutoff, so whole lists count."""
    values_known_alone = run.stored is not None or other.stored is not None
    answers_differ = run.answered is not None or other.answered is not None
    if values_known_alone or answers_differ:
        return np.zeros(len(query_ids), dtype=np.bool_)
    limit = None if options.judged_only or measure.measure.parameter("judged_only") else reads_down_to(measure.measure)
    if options.depth is not None:
        limit = options.depth if limit is None else min(limit, options.depth)
    join_options = {part.join_options for part in measure.parts or (measure,)}
    same = np.ones(len(query_ids), dtype=np.bool_)
    for each in join_options:
        ranked = [either.reordered(each.ties, each.bits) for either in (run, other)]
        rows = [_rows(either, query_ids, limit) for either in ranked]
        lengths = [np.diff(offsets) for offsets, _ in rows]
        alike = lengths[0] == lengths[1]
        ids = [
            either.doc_ids.take(places_of(places[np.repeat(alike, length)]))
            for either, (_, places), length in zip(ranked, rows, lengths, strict=True)
        ]
        equal = pc.equal(*(_plain(column) for column in ids)).to_numpy(zero_copy_only=False)
        of = group_of_each(offsets_of(np.where(alike, lengths[0], 0)))
        differs = np.bincount(of, weights=~equal.astype(np.bool_), minlength=len(query_ids)) > 0
        same &= alike & ~differs
    return same


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _rows(run: Run, query_ids: Sequence[str], limit: int | None) -> tuple[Ints, Ints]:
    """(offsets int64[queries + 1], the rows of each query's documents down to the limit)."""
    index = run.places_of_queries(query_ids)
    starts = np.where(index >= 0, run.offsets[index], 0)
    lengths = np.where(index >= 0, run.offsets[index + 1] - run.offsets[index], 0)
    if limit is not None:
        lengths = np.minimum(lengths, limit)
    offsets = offsets_of(lengths)
    of = group_of_each(offsets)
    return offsets, starts[of] + np.arange(int(offsets[-1])) - offsets[of]

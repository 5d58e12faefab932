"""The value of a measure with one more judgment, for the unjudged documents of all lists of a run together.

Judged runs are sparse, so a trial is the hits and the ideal of a query with one more entry, and no list is copied. For
the families of TRIED the gain from a document falls with its rank, so a list is examined down to where a document no
longer gains anything."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from irviewer.analysis.pooling.unjudged import repeated
from irviewer.measures.base import Measure
from irviewer.model.arrays import Bools, Floats, Ints, frozen, offsets_of
from irviewer.model.judgments.judged import Judged

TRIED = frozenset(
    {
        "P", "Success", "RR", "RBP", "CG", "DCG", "ERR", "R", "F", "relative_P", "SetP", "SetR", "SetF", "set_F",
        "SetAP", "SetRelP", "NumRelRet", "SearchLength", "AP", "gm_map", "nDCG", "Rprec", "Bpref", "gm_bpref", "IPrec",
    }
)  # fmt: skip
"""Families that read grades and ranks alone, whose gain from a document falls with its rank."""

FIRST = 32
"""Documents of a list that are tried before checking whether more would gain; doubled each time."""

AT_A_TIME = 1_000_000
EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Tries:
    """T trials of a run, ordered by query within blocks.

    query, rank  int64[T]: the index of the evaluated query and the rank of the document
    before       float64[E]: the present value of each query
    after        float64[T]: the value with the document judged
    examined     int64[E]: the ranks of each list that were examined: all, or down to where nothing gains
    """

    query: Ints
    rank: Ints
    before: Floats
    after: Floats
    examined: Ints


def can_be_tried(measure: Measure) -> bool:
    """Return whether a measure reads grades and ranks only, and its gain falls with the rank."""
    return measure.name in TRIED and not measure.parameter("gains")


def tries(
    judged: Judged, measure: Measure, grade: float, queries: Bools, *, depth: int | None, whole: bool, judged_only: bool
) -> Tries:
    """Try every document of the ``queries`` bool[E] that is not in the qrels, judged ``grade``.

    depth        ranks examined; None: all
    whole        examine all of them, also where nothing gains any more
    judged_only  the measure reads the list without unjudged documents"""
    judged = replace(judged, max_grade=max(judged.max_grade, grade))
    before = measure.compute(judged.judged_only if judged_only else judged)
    lengths = judged.returned if depth is None else np.minimum(judged.returned, depth)
    lengths = np.where(queries, lengths, 0)
    query, rank = _open(judged, lengths)
    counts = np.bincount(query, minlength=judged.n_queries)
    first = offsets_of(counts)[:-1]
    done, block = np.zeros(judged.n_queries, dtype=np.int64), FIRST
    alive = np.flatnonzero(counts)
    rows, after = [np.empty(0, dtype=np.int64)], [np.empty(0)]
    sign = 1.0 if measure.higher_is_better else -1.0
    while len(alive):
        stop = counts[alive] if whole else np.minimum(done[alive] + block, counts[alive])
        sizes = stop - done[alive]
        trial_rows = np.repeat(first[alive] + done[alive] - (np.cumsum(sizes) - sizes), sizes) + np.arange(
            int(sizes.sum())
        )
        values = _values(judged, measure, query[trial_rows], rank[trial_rows], grade, judged_only=judged_only)
        rows.append(trial_rows)
        after.append(values)
        done[alive] = stop
        last = sign * (values[np.cumsum(sizes) - 1] - before[alive])
        alive, block = alive[(last > EQUAL) & (stop < counts[alive])], 2 * block
    tried_rows = np.concatenate(rows)
    examined = lengths.copy()
    cut = np.flatnonzero(done < counts)
    examined[cut] = rank[first[cut] + done[cut] - 1]
    return Tries(query[tried_rows], rank[tried_rows], before, np.concatenate(after), frozen(examined))


def _open(judged: Judged, lengths: Ints) -> tuple[Ints, Ints]:
    """(query, rank) of the documents that are not in the qrels, by query, then rank."""
    starts = offsets_of(lengths)
    free = np.ones(int(starts[-1]), dtype=np.bool_)
    near = judged.hit_rank <= lengths[judged.hit_query]
    free[starts[judged.hit_query[near]] + judged.hit_rank[near] - 1] = False
    positions = np.flatnonzero(free)
    query = np.repeat(np.arange(len(lengths)), lengths)[positions]
    return query, positions - starts[query] + 1


def _values(
    judged: Judged, measure: Measure, query: Ints, rank: Ints, grade: float, *, judged_only: bool
) -> Floats:  # fmt: skip
    hits = np.bincount(judged.hit_query, minlength=judged.n_queries)
    work = np.cumsum((hits + np.diff(judged.ideal_offsets) + 1)[query])
    values, start = [], 0
    while start < len(query):
        before = work[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(work, before + AT_A_TIME)))
        part = with_one_more(judged, query[start:stop], rank[start:stop], grade)
        values.append(measure.compute(part.judged_only if judged_only else part))
        start = stop
    return np.concatenate(values) if values else np.empty(0)


def with_one_more(judged: Judged, query: Ints, rank: Ints, grade: float) -> Judged:
    """Return a judged run of T queries: each of ``query`` with one more hit of ``grade`` at ``rank``. Its hits are not
    in the qrels, so it is not for measures that read assessments."""
    starts = np.searchsorted(judged.hit_query, np.arange(judged.n_queries + 1))
    number, row = repeated(starts, query)
    above = judged.hit_rank[row] < rank[number]
    at, offsets = _room(number, np.bincount(number[above], minlength=len(query)), np.diff(starts)[query])
    better, ideal_row = repeated(judged.ideal_offsets, query)
    first = judged.ideal_grades[ideal_row] >= grade
    ideal_at, ideal_offsets = _room(
        better, np.bincount(better[first], minlength=len(query)), np.diff(judged.ideal_offsets)[query]
    )
    return replace(
        judged,
        query_ids=tuple(judged.query_ids[index] for index in query.tolist()),
        in_run=judged.in_run[query],
        returned=judged.returned[query],
        hit_query=frozen(np.repeat(np.arange(len(query)), np.diff(offsets))),
        hit_rank=frozen(_put(judged.hit_rank[row], rank, at)),
        hit_grade=frozen(_put(judged.hit_grade[row], np.full(len(query), grade), at)),
        hit_row=frozen(np.zeros(int(offsets[-1]), dtype=np.int64)),
        ideal_offsets=frozen(ideal_offsets),
        ideal_grades=frozen(_put(judged.ideal_grades[ideal_row], np.full(len(query), grade), ideal_at)),
        lengths=None,
        listed_rank=None,
    )


def _room(number: Ints, before: Ints, sizes: Ints) -> tuple[tuple[Ints, Ints], Ints]:
    """The positions of the rows of groups when each group gets one more row after ``before`` of its own: ((of the old
    rows, of the new ones), offsets)."""
    offsets = offsets_of(sizes + 1)
    within = np.arange(len(number)) - (np.cumsum(sizes) - sizes)[number]
    return (offsets[:-1][number] + within + (within >= before[number]), offsets[:-1] + before), offsets


def _put(old: npt.NDArray[np.generic], new: npt.NDArray[np.generic], at: tuple[Ints, Ints]) -> npt.NDArray[np.generic]:
    result = np.empty(len(old) + len(new), dtype=np.result_type(old, new))
    result[at[0]], result[at[1]] = old, new
    return result

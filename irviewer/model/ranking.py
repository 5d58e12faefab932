"""The tie rule, which lives here and nowhere else: how the rows of a run are taken so that they stand in rank order.

The rule is trec_eval's: score descending, then document id descending as bytes; the rank column is ignored; NaN, which
trec_eval leaves to chance, stands last. Most runs are in order already: some queries at a time are looked at, only
those that are not in order are sorted, and only where scores are equal do ids decide."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from irviewer.model.arrays import Bools, Codes, Floats, Ints, Strings, counts_of, frozen, offsets_of, places_of

TieRule = Literal["descending", "ascending", "arrival"]
"""Documents of equal score: by id as bytes, descending (trec_eval) or ascending, or in the order of the file."""
PART = 1 << 16  # rows at a time: what is worked on stays near the processor, and 16 bits number its queries
MANY = 8  # where more than one row of so many moves, all are taken anew
Rows = npt.NDArray[Any]  # of int32 where there are fewer than 2**31 of them, else int64
_TAIL = np.array([((1 << (8 * n)) - 1) << (64 - 8 * n) for n in range(9)], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Ranking:
    """How n rows are taken.

    order    rows[n], where many rows move, as where those of a query do not stand together in the file; else None
    scores   float64[n] in that order, where it was needed anyway
    moved    where few rows move: the places, ascending, and the rows that come there; else None
    tied     bool[Q]: the query has at least two documents of equal score
    arrival  see ``Run.arrival``
    """

    tied: Bools
    order: Rows | None = None
    scores: Floats | None = None
    moved: tuple[Rows, Rows] | None = None
    arrival: Rows | None = None

    def whole(self, n: int) -> Rows | None:
        """The order of all rows; None where nothing moves."""
        if self.order is not None or self.moved is None:
            return self.order
        order = _numbers(0, n, n)
        order[self.moved[0]] = self.moved[1]
        return order


def ranked(query_codes: Codes, doc_ids: Strings, scores: Floats, n_queries: int) -> Ranking:
    """The ranking of rows in any order; ``query_codes`` say each row's query."""
    n = len(query_codes)
    tied = np.zeros(n_queries, dtype=np.bool_)
    if n < 2:
        return Ranking(tied)
    together = not any(np.any(part[1:] < part[:-1]) for part in (query_codes[at : at + PART + 1] for at in _steps(n)))
    grouped = None if together else _by_query(query_codes)
    order = np.empty(n, _row_type(n)) if grouped is None else grouped  # memory that is not written to costs nothing
    by_rank = None if together else np.empty(n)
    offsets = offsets_of(counts_of(query_codes, n_queries))

    def look(part: tuple[int, int]) -> _Part:
        start, stop = part
        rows = order[start:stop] if grouped is not None else _numbers(start, stop, n)
        values = scores[rows] if grouped is not None else scores[start:stop]
        codes = query_codes[rows] if grouped is not None else query_codes[start:stop]
        found, way = _part_ranked(codes, values, rows, doc_ids)
        tied[found.tied] = True
        if by_rank is not None:
            by_rank[start:stop] = values if way is None else values[way]
        places = np.empty(0, np.int64) if way is None else np.flatnonzero(way != np.arange(stop - start))
        if way is not None and (grouped is not None or len(places) > (stop - start) // MANY):
            order[start:stop] = rows[way]
            found.ordered = True
        elif way is not None:
            found.moved = rows[places], rows[way[places]]
        return found

    borders = _parts(offsets)
    parts: list[_Part] = _in_threads(look, borders)
    arrival = None
    if any(part.against for part in parts):
        arrival = frozen(np.concatenate([part.arrival for part in parts]))
    if grouped is not None:
        return Ranking(tied, order, by_rank, None, arrival)
    moves = [part.moved for part in parts if part.moved is not None and len(part.moved[0])]
    moved = (np.concatenate([to for to, _ in moves]), np.concatenate([of for _, of in moves])) if moves else None
    if not any(part.ordered for part in parts):
        return Ranking(tied, None, None, moved, arrival)
    for (start, stop), part in zip(borders, parts, strict=True):
        if not part.ordered:
            order[start:stop] = _numbers(start, stop, n)
    if moved is not None:
        order[moved[0]] = moved[1]
    return Ranking(tied, order, None, None, arrival)


def rank_order(query_codes: Codes, doc_ids: Strings, scores: Floats, n_queries: int) -> tuple[Rows | None, Bools]:
    """How rows must be taken so that each query's documents stand in rank order, and which queries have ties. Returns
    (None, tied) where nothing moves."""
    found = ranked(query_codes, doc_ids, scores, n_queries)
    return found.whole(len(query_codes)), found.tied


def reordered_ties(equal: Bools, doc_ids: Strings, n: int, ties: TieRule, arrival: Rows | None) -> Rows | None:
    """How the rows of a ranked run must be taken so that its ties follow another rule; None where nothing moves.
    ``equal`` bool[n-1] as of :func:`equal_neighbours`."""
    members, stretch = stretches(np.flatnonzero(equal))
    if ties == "arrival":
        if arrival is None:
            return None
        within = np.lexsort((arrival, stretch))
    else:
        borders = np.flatnonzero(stretch[1:] != stretch[:-1]) + 1
        parts = _parts(np.concatenate([[0], borders, [len(members)]]))
        own = _in_threads(
            lambda part: _by_id(members[slice(*part)], stretch[slice(*part)], doc_ids, ties == "descending") + part[0],
            parts,
        )
        within = np.concatenate(own) if own else np.empty(0, np.int64)
    order = np.arange(n)
    order[members] = members[within]
    return order


def equal_neighbours(scores: Floats, same_query: Bools) -> Bools:
    """bool[n-1]: whether a document and the next share query and score (two NaN do)."""
    nan = np.isnan(scores)
    result: Bools = same_query & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    return result


def stretches(equal: Ints) -> tuple[Ints, Ints]:
    """The documents that share their score with another, as places in the flat columns, and the stretch of each.
    ``equal`` are those that share it with the next, ascending."""
    first = np.ones(len(equal), dtype=np.bool_)
    first[1:] = np.diff(equal) > 1
    starts = equal[first]
    lengths = np.diff(np.append(np.flatnonzero(first), len(equal))) + 1
    members = np.repeat(starts - offsets_of(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    return members, np.repeat(np.arange(len(starts)), lengths)


# --- a part: some whole queries ---


@dataclass(eq=False)
class _Part:
    """The tied queries; the rows of tied documents in rank order, and whether any of those stood otherwise ``against``
    that in the file; what :func:`ranked` notes: whether the part's order was written down, else what moves in it."""

    tied: Codes
    arrival: Rows
    against: bool = False
    ordered: bool = False
    moved: tuple[Rows, Rows] | None = None


def _part_ranked(codes: Codes, scores: Floats, rows: Rows, doc_ids: Strings) -> tuple[_Part, Ints | None]:
    """The part, and its order (places within it); None where nothing moves."""
    same = codes[1:] == codes[:-1]
    order: Ints | None = None
    equal = same & (scores[1:] == scores[:-1])
    if not np.all((scores[1:] <= scores[:-1]) | ~same):  # also where a NaN has a neighbour
        order = _by_score(same, scores)
        scores = scores[order]
        equal = equal_neighbours(scores, same)
    at = np.flatnonzero(equal)
    if not len(at):
        return _Part(codes[:0], rows[:0]), order
    members, stretch = stretches(at)
    taken = members if order is None else order[members]
    taken = taken[_by_id(rows[taken], stretch, doc_ids, descending=True)]
    order = np.arange(len(codes)) if order is None else order
    order[members] = taken
    arrival = rows[taken]
    against = bool(np.any((arrival[1:] < arrival[:-1]) & (stretch[1:] == stretch[:-1])))
    return _Part(codes[at], arrival, against), order


def _by_score(same: Bools, scores: Floats) -> Ints:
    """Each query's rows by score, descending, NaN last; rows of equal score in any order."""
    group = np.zeros(len(scores), dtype=np.int64)
    np.cumsum(~same, out=group[1:])
    nan = np.isnan(scores)
    if nan.any():
        return np.lexsort((nan, np.where(nan, np.inf, -scores), group))  # NaN and -inf share a key
    return _grouped((-scores).argsort(), group)


def _grouped(order: Ints, group: Ints) -> Ints:
    """The order, stably sorted by group; up to 16 bits numpy counts instead of comparing."""
    small = group.astype(np.uint16) if int(group[-1]) < 1 << 16 else group  # groups are ascending
    return order[small[order].argsort(kind="stable")]


def _by_id(rows: Rows, stretch: Ints, doc_ids: Strings, descending: bool) -> Ints:
    """How the members of stretches must be taken so that each stands in bytewise order of document ids: eight bytes at
    a time, and the next eight only of those that are alike so far. Ids that are the same stay in the order of rows."""
    ids = doc_ids.take(places_of(rows))
    _, offset_buffer, data_buffer = ids.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[ids.offset : ids.offset + len(ids) + 1].astype(np.int64)
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.empty(0, np.uint8)
    padded = np.concatenate([data[offsets[0] : offsets[-1]], np.zeros(8, np.uint8)])
    windows: npt.NDArray[Any] = np.ndarray((len(padded) - 7,), ">u8", padded.data, strides=(1,))
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    order = np.arange(len(rows))
    active, group = order.copy(), stretch - stretch[0]  # the places still to be settled, and what is alike there
    step = 0
    while len(active):
        now = order[active]
        keys = windows[np.minimum(starts[now] + step, len(padded) - 8)].astype(np.uint64)
        keys &= _TAIL.take(lengths[now] - step, mode="clip")
        if descending:
            np.invert(keys, out=keys)
        found = _grouped(keys.argsort(), group)
        order[active] = now = now[found]
        keys = keys[found]
        alike = (group[1:] == group[:-1]) & (keys[1:] == keys[:-1])
        step += 8
        if not alike.any():
            break
        at, run = stretches(np.flatnonzero(alike))
        if int(lengths[now[at]].max()) <= step:  # they differ by zero bytes at the end, or not at all
            left = now[at]
            length = -lengths[left] if descending else lengths[left]
            order[active[at]] = left[np.lexsort((rows[left], length, run))]
            break
        active, group = active[at], run
    return order


# --- all of them ---


def _by_query(query_codes: Codes) -> Rows:
    """The rows, stably sorted by query: code and row in one number, which is sorted faster than places are."""
    n = len(query_codes)
    if n >= 1 << 32:
        return query_codes.argsort(kind="stable")
    keys = np.arange(n, dtype=np.uint64)
    for start in _steps(n):
        part = slice(start, start + PART)
        keys[part] |= query_codes[part].astype(np.uint64) << np.uint64(32)
    keys.sort()
    rows = np.empty(n, _row_type(n))
    for start in _steps(n):
        part = slice(start, start + PART)
        rows[part] = keys[part] & np.uint64(0xFFFFFFFF)
    return rows


def _numbers(start: int, stop: int, n: int) -> Rows:
    return np.arange(start, stop, dtype=_row_type(n))


def _row_type(n: int) -> type[np.int32] | type[np.int64]:
    return np.int32 if n < 1 << 31 else np.int64


def _steps(n: int) -> range:
    return range(0, n, PART)


def _parts(offsets: Ints) -> list[tuple[int, int]]:
    """Parts of about ``PART`` rows or more that end where a group does."""
    n = int(offsets[-1])
    ends = np.unique(offsets[np.searchsorted(offsets, np.append(np.arange(PART, n, PART), n))]).tolist()
    return [part for part in zip([0, *ends[:-1]], ends, strict=True) if part[0] < part[1]]


def _in_threads(work: Callable[[tuple[int, int]], Any], parts: list[tuple[int, int]]) -> list[Any]:
    if len(parts) < 3:
        return [work(part) for part in parts]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, parts))

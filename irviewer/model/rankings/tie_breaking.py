"""Ranking and tie breaking: the order in which the rows of a run are taken so that they are in rank order.

The rule is trec_eval's: score descending, then document id descending as bytes; the rank column is ignored; NaN, whose
order is undefined in trec_eval, is last. Most runs are in order already: some queries are checked at a time, only those
not in order are sorted, and ids are compared only if scores are equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from irviewer.errors import OptionError
from irviewer.model.arrays import Bools, Codes, Floats, Ints, Ranks, Strings, frozen, offsets_of, places_of
from irviewer.model.parts import PART, Part, falls, whole_groups
from irviewer.translation import tr

TieRule = Literal["descending", "ascending", "arrival"]
"""The order of documents of equal score: by id as bytes, descending (trec_eval) or ascending, or as in the file."""
Rows = Ranks | Ints
Places = slice | Ints
COUNTED = 1 << 16
"""The most groups that are sorted by counting, as numpy does with 16 bits, not by comparing."""
_TAIL = np.array([((1 << (8 * n)) - 1) << (64 - 8 * n) for n in range(9)], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order in which n rows are taken.

    offsets  int64[Q+1]: where each query's rows begin in rank order
    tied     bool[Q]: the query has at least two documents of equal score
    grouped  int32[n]: the rows by query; None if they are in this order
    moves    of each part: its range of ranks, the ranks within the part (from 0) that get other rows, and these rows;
             None if no row moves
    arrival  see ``Run.arrival``
    """

    offsets: Ints
    tied: Bools
    grouped: Ranks | None = None
    moves: tuple[tuple[Part, Places, Ranks | None], ...] = ()
    arrival: Rows | None = None

    @property
    def moved(self) -> bool:
        """Whether a row is not at its rank."""
        return self.grouped is not None or any(rows is not None for _, _, rows in self.moves)

    @property
    def parts(self) -> Iterator[tuple[Part, Ranks | None]]:
        """The ranges of ranks, each with the row at each rank, int32, or None if the rows are in rank order."""
        for (start, stop), places, rows in self.moves:
            if rows is None and self.grouped is None:
                yield (start, stop), None
                continue
            own = np.arange(start, stop, dtype=np.int32) if self.grouped is None else self.grouped[start:stop].copy()
            if rows is not None:
                own[places] = rows
            yield (start, stop), own

    @property
    def changes(self) -> Iterator[tuple[Places, Ranks]]:
        """Ranks and the row at each of them, int32: all ranks that get another row, and possibly some others."""
        if self.grouped is not None:
            yield from ((slice(*part), own) for part, own in self.parts if own is not None)
            return
        for (start, stop), places, rows in self.moves:
            if rows is not None:
                yield (slice(start, stop) if isinstance(places, slice) else places + start), rows

    @property
    def order(self) -> Ranks | None:
        """int32[n]: the row at each rank; None if the rows are in rank order."""
        if not self.moved:
            return None
        return np.concatenate([np.arange(*part, dtype=np.int32) if own is None else own for part, own in self.parts])


def ranked(
    query_codes: Codes,
    doc_ids: Strings,
    scores: Floats,
    n_queries: int,
    *,
    part: int = PART,
    counted: int = COUNTED,
) -> Ranking:
    """Return the ranking of rows in any order; ``query_codes`` are the rows' queries. Queries are ranked in parts of
    ``part`` rows or more; up to ``counted`` groups are sorted by counting. Raises OptionError for 2**31 rows or
    more."""
    n = len(query_codes)
    if n >= 1 << 31:
        raise OptionError(
            tr("{count:,} rows are too many; a run can have at most {most:,}", count=n, most=(1 << 31) - 1)
        )
    tied = np.zeros(n_queries, dtype=np.bool_)
    grouped = _by_query(query_codes) if falls(query_codes, part) else None
    if grouped is None:  # then a search is faster than a count
        offsets = np.searchsorted(query_codes, np.arange(n_queries + 1, dtype=query_codes.dtype))
    else:
        offsets = offsets_of(np.bincount(query_codes, minlength=n_queries))

    def check_part(part: Part) -> tuple[_Part, Places, Ranks | None]:
        """Return the part, the positions that get other rows, and these rows; None if no row moves."""
        start, stop = part
        rows = np.arange(start, stop, dtype=np.int32) if grouped is None else grouped[start:stop]
        codes = query_codes[start:stop] if grouped is None else query_codes[rows]
        values = scores[start:stop] if grouped is None else scores[rows]
        ranked_part, places, way = _part_ranked(codes, values, rows, doc_ids, counted)
        tied[ranked_part.tied] = True
        if way is None or np.array_equal(way, np.arange(stop - start) if isinstance(places, slice) else places):
            return ranked_part, places, None
        return ranked_part, places, rows[way]

    borders = whole_groups(offsets, part)
    checked = [check_part(bounds) for bounds in borders]
    arrival = None
    if any(ranked_part.against for ranked_part, _, _ in checked):
        arrival = frozen(np.concatenate([ranked_part.arrival for ranked_part, _, _ in checked]))
    moves = tuple((part, places, rows) for part, (_, places, rows) in zip(borders, checked, strict=True))
    return Ranking(offsets, tied, grouped, moves, arrival)


def reordered_ties(
    equal: Bools,
    doc_ids: Strings,
    n: int,
    ties: TieRule,
    arrival: Rows | None,
    *,
    part: int = PART,
    counted: int = COUNTED,
) -> Rows | None:
    """Return the order of the rows of a ranked run under another tie rule; None if nothing moves. ``equal`` bool[n-1]
    as in :func:`equal_neighbours`; ``part`` and ``counted`` as in :func:`ranked`."""
    members, stretch = stretches(np.flatnonzero(equal))
    if ties == "arrival":
        if arrival is None:
            return None
        within = np.lexsort((arrival, stretch))
    else:
        borders = np.flatnonzero(stretch[1:] != stretch[:-1]) + 1
        own = [
            _by_id(members[start:stop], stretch[start:stop], doc_ids, ties == "descending", counted) + start
            for start, stop in whole_groups(np.concatenate([[0], borders, [len(members)]]), part)
        ]
        within = np.concatenate(own) if own else np.empty(0, np.int64)
    order = np.arange(n)
    order[members] = members[within]
    return order


def equal_neighbours(scores: Floats, same_query: Bools) -> Bools:
    """Return bool[n-1]: whether a document and the next share query and score (two NaN do)."""
    nan = np.isnan(scores)
    result: Bools = same_query & ((scores[1:] == scores[:-1]) | (nan[1:] & nan[:-1]))
    return result


def stretches(equal: Ints) -> tuple[Ints, Ints]:
    """Return the documents that share their score with another, as indices into the flat columns, and the number of
    the group of equal scores (stretch) of each. ``equal`` are those that share it with the next, ascending."""
    first = np.ones(len(equal), dtype=np.bool_)
    first[1:] = np.diff(equal) > 1
    starts = equal[first]
    lengths = np.diff(np.append(np.flatnonzero(first), len(equal))) + 1
    members = np.repeat(starts - offsets_of(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    return members, np.repeat(np.arange(len(starts)), lengths)


# --- a part: some whole queries ---


@dataclass(eq=False)
class _Part:
    """A part of a ranking: the tied queries, the rows of tied documents in rank order, and whether the file has any of
    them in another order (``against``)."""

    tied: Codes
    arrival: Rows
    against: bool = False


def _part_ranked(
    codes: Codes, scores: Floats, rows: Rows, doc_ids: Strings, counted: int
) -> tuple[_Part, Places, Ints | None]:
    """Return the part, the positions to which rows may move (all, or those of tied documents), and the positions in the
    part that these rows have; None if no row moves."""
    same = codes[1:] == codes[:-1]
    order: Ints | None = None
    equal = same & (scores[1:] == scores[:-1])
    if not np.all((scores[1:] <= scores[:-1]) | ~same):  # also where a NaN has a neighbour
        order = _by_score(same, scores, counted)
        scores = scores[order]
        equal = equal_neighbours(scores, same)
    at = np.flatnonzero(equal)
    if not len(at):
        return _Part(codes[:0], rows[:0]), slice(None), order
    members, stretch = stretches(at)
    taken = members if order is None else order[members]
    taken = taken[_by_id(rows[taken], stretch, doc_ids, True, counted)]
    arrival = rows[taken]
    against = bool(np.any((arrival[1:] < arrival[:-1]) & (stretch[1:] == stretch[:-1])))
    part = _Part(codes[at], arrival, against)
    if order is None:
        return part, members, taken
    order[members] = taken
    return part, slice(None), order


def _by_score(same: Bools, scores: Floats, counted: int) -> Ints:
    """Return each query's rows by score, descending, NaN last; rows of equal score in any order."""
    group = np.zeros(len(scores), dtype=np.int64)
    np.cumsum(~same, out=group[1:])
    nan = np.isnan(scores)
    if nan.any():
        return np.lexsort((nan, np.where(nan, np.inf, -scores), group))  # NaN and -inf share a key
    return _grouped((-scores).argsort(), group, counted)


def _grouped(order: Ints, group: Ints, counted: int) -> Ints:
    """Return the order, stably sorted by group; up to ``counted`` groups (16 bits at most) are sorted by counting."""
    small = group.astype(np.uint16) if int(group[-1]) < counted else group  # groups are ascending
    return order[small[order].argsort(kind="stable")]


def _by_id(rows: Rows, stretch: Ints, doc_ids: Strings, descending: bool, counted: int) -> Ints:
    """Return the order of the members of stretches, each in bytewise order of document ids. Eight bytes are compared at
    a time, and the next eight only of ids that are equal so far. Equal ids keep the order of rows."""
    ids = doc_ids.take(places_of(rows))
    _, offset_buffer, data_buffer = ids.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[ids.offset : ids.offset + len(ids) + 1].astype(np.int64)
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None else np.empty(0, np.uint8)
    padded = np.concatenate([data[offsets[0] : offsets[-1]], np.zeros(8, np.uint8)])
    windows: npt.NDArray[Any] = np.ndarray((len(padded) - 7,), ">u8", padded.data, strides=(1,))
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    order = np.arange(len(rows))
    active, group = (
        order.copy(),
        stretch - stretch[0],
    )  # the positions not yet ordered, and their groups of equal ids so far
    step = 0
    while len(active):
        now = order[active]
        keys = windows[np.minimum(starts[now] + step, len(padded) - 8)].astype(np.uint64)
        keys &= _TAIL.take(lengths[now] - step, mode="clip")
        if descending:
            np.invert(keys, out=keys)
        by_key = _grouped(keys.argsort(), group, counted)
        order[active] = now = now[by_key]
        keys = keys[by_key]
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


def _by_query(query_codes: Codes) -> Ranks:
    """Return the rows, stably sorted by query. Code and row are one number, which is sorted faster than indices."""
    keys = query_codes.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    return keys.astype(np.uint32).view(np.int32)

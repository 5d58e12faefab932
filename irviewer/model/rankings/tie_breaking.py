"""The tie rule, which lives here and nowhere else: how the rows of a run are taken so that they stand in rank order.

The rule is trec_eval's: score descending, then document id descending as bytes; the rank column is ignored; NaN, which
trec_eval leaves to chance, stands last. Most runs are in order already: some queries at a time are looked at, only
those that are not in order are sorted, and only where scores are equal do ids decide."""

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
"""Documents of equal score: by id as bytes, descending (trec_eval) or ascending, or in the order of the file."""
Rows = Ranks | Ints
Places = slice | Ints
COUNTED = 1 << 16
"""Groups up to so many are sorted by counting, as numpy does with 16 bits, not by comparing."""
_TAIL = np.array([((1 << (8 * n)) - 1) << (64 - 8 * n) for n in range(9)], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Ranking:
    """How n rows are taken.

    offsets  int64[Q+1]: where each query's rows begin then
    tied     bool[Q]: the query has at least two documents of equal score
    grouped  int32[n]: the rows by query; None where they stand so
    moves    of each part, between which ranks of all it lies, to which of its own ranks (from 0) other rows come, and
             these: none of most rows of a run in order
    arrival  see ``Run.arrival``
    """

    offsets: Ints
    tied: Bools
    grouped: Ranks | None = None
    moves: tuple[tuple[Part, Places, Ranks | None], ...] = ()
    arrival: Rows | None = None

    @property
    def moved(self) -> bool:
        """Whether some row does not stand at its rank."""
        return self.grouped is not None or any(rows is not None for _, _, rows in self.moves)

    @property
    def parts(self) -> Iterator[tuple[Part, Ranks | None]]:
        """Ranks from and to, and the row at each of them, int32; None where these rows stand in rank order."""
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
        """Ranks and the row at each of them, int32, of those that another row comes to and maybe some others."""
        if self.grouped is not None:
            yield from ((slice(*part), own) for part, own in self.parts if own is not None)
            return
        for (start, stop), places, rows in self.moves:
            if rows is not None:
                yield (slice(start, stop) if isinstance(places, slice) else places + start), rows

    @property
    def order(self) -> Ranks | None:
        """int32[n]: the row at each rank; None where the rows stand in rank order."""
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
    """The ranking of rows in any order; ``query_codes`` say each row's query. Some queries are ranked at a time,
    ``part`` rows or more; up to ``counted`` groups are counted. Raises OptionError for more rows than 32 bits count."""
    n = len(query_codes)
    if n >= 1 << 31:
        raise OptionError(
            tr("{count:,} rows are too many; a run can have at most {most:,}", count=n, most=(1 << 31) - 1)
        )
    tied = np.zeros(n_queries, dtype=np.bool_)
    offsets = offsets_of(np.bincount(query_codes, minlength=n_queries))
    grouped = _by_query(query_codes) if falls(query_codes, part) else None

    def look(part: Part) -> tuple[_Part, Places, Ranks | None]:
        """The part, which of its places other rows come to, and these; None where no row moves."""
        start, stop = part
        rows = np.arange(start, stop, dtype=np.int32) if grouped is None else grouped[start:stop]
        codes = query_codes[start:stop] if grouped is None else query_codes[rows]
        values = scores[start:stop] if grouped is None else scores[rows]
        found, places, way = _part_ranked(codes, values, rows, doc_ids, counted)
        tied[found.tied] = True
        if way is None or np.array_equal(way, np.arange(stop - start) if isinstance(places, slice) else places):
            return found, places, None
        return found, places, rows[way]

    borders = whole_groups(offsets, part)
    looked = [look(one) for one in borders]
    arrival = None
    if any(found.against for found, _, _ in looked):
        arrival = frozen(np.concatenate([found.arrival for found, _, _ in looked]))
    moves = tuple((part, places, rows) for part, (_, places, rows) in zip(borders, looked, strict=True))
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
    """How the rows of a ranked run must be taken so that its ties follow another rule; None where nothing moves.
    ``equal`` bool[n-1] as of :func:`equal_neighbours`; ``part`` and ``counted`` as of :func:`ranked`."""
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
    that in the file."""

    tied: Codes
    arrival: Rows
    against: bool = False


def _part_ranked(
    codes: Codes, scores: Floats, rows: Rows, doc_ids: Strings, counted: int
) -> tuple[_Part, Places, Ints | None]:
    """The part, the places that rows may come to (all, or those of tied documents), and the places within the part that
    these rows have; None where it was seen at once that no row moves."""
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
    """Each query's rows by score, descending, NaN last; rows of equal score in any order."""
    group = np.zeros(len(scores), dtype=np.int64)
    np.cumsum(~same, out=group[1:])
    nan = np.isnan(scores)
    if nan.any():
        return np.lexsort((nan, np.where(nan, np.inf, -scores), group))  # NaN and -inf share a key
    return _grouped((-scores).argsort(), group, counted)


def _grouped(order: Ints, group: Ints, counted: int) -> Ints:
    """The order, stably sorted by group, of which up to ``counted`` (16 bits at most) are counted."""
    small = group.astype(np.uint16) if int(group[-1]) < counted else group  # groups are ascending
    return order[small[order].argsort(kind="stable")]


def _by_id(rows: Rows, stretch: Ints, doc_ids: Strings, descending: bool, counted: int) -> Ints:
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
        found = _grouped(keys.argsort(), group, counted)
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


def _by_query(query_codes: Codes) -> Ranks:
    """The rows, stably sorted by query: code and row in one number, which is sorted faster than places are."""
    keys = query_codes.astype(np.uint64) << np.uint64(32)
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    return keys.astype(np.uint32).view(np.int32)

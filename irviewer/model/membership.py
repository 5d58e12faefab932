"""Which of millions of document ids are among some thousands that are judged.

Knows ids, not what they mean."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow.compute as pc

from irviewer.model.arrays import Bools, Ints, Strings, places_of, values_of
from irviewer.model.duplicates import fingerprints

MANY = 1 << 20  # ids from which on a sieve is worth its making
_PART = 1 << 16  # ids at a time
_SPARSE = 5  # bits of the sieve beyond those that count the vocabulary: one in 32 of the others comes through
_MOST = 24  # bits of the sieve at most


def rows_in(ids: Strings, vocabulary: Strings) -> tuple[Ints, Ints]:
    """int64[m], int64[m]: the rows whose id is one of the vocabulary, ascending, and the places of those ids in it.

    Of millions a sieve of fingerprints leaves out nearly all that are not; only what comes through is looked up."""
    bits = max(8, len(vocabulary)).bit_length() + _SPARSE
    if len(ids) < MANY or bits > _MOST:
        return _looked_up(ids, np.flatnonzero(values_of(pc.is_in(ids, value_set=vocabulary))), vocabulary)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, np.bool_)
    sieve[fingerprints(vocabulary) >> shift] = True
    half = len(ids) // 2
    with ThreadPoolExecutor(2) as pool:
        halves = (0, half), (half, len(ids))
        found = np.concatenate(list(pool.map(lambda part: _through(sieve, shift, ids, *part), halves)))
    return _looked_up(ids, found, vocabulary)


def _through(sieve: Bools, shift: np.uint64, ids: Strings, start: int, stop: int) -> Ints:
    found = []
    for place in range(start, stop, _PART):
        prints = fingerprints(ids[place : min(place + _PART, stop)])
        prints >>= shift
        found.append(np.flatnonzero(sieve[prints.view(np.int64)]) + place)
    return np.concatenate([np.empty(0, np.int64), *found])


def _looked_up(ids: Strings, rows: Ints, vocabulary: Strings) -> tuple[Ints, Ints]:
    """Those of the rows whose id is in the vocabulary, and where it stands there."""
    found = pc.index_in(ids.take(places_of(rows)), value_set=vocabulary)
    if not found.null_count:
        return rows, values_of(found).astype(np.int64)
    known = values_of(found.is_valid())
    return rows[known], values_of(found)[known].astype(np.int64)

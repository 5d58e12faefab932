"""Lookup of the few judged ids among millions of document ids."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from irviewer.model.arrays import Ints, Strings, places_of, values_of
from irviewer.model.parts import PART, Part, parts_of
from irviewer.model.rankings.duplicates import fingerprints

SPARSE = 5
"""Bits of the sieve beyond those that count the vocabulary: one in 32 of the other ids passes."""
MOST = 24
"""The largest number of bits of the sieve; with a larger vocabulary more ids pass."""


def rows_in(
    ids: Strings,
    vocabulary: Strings,
    *,
    part: int = PART,
    sparse: int = SPARSE,
    most: int = MOST,
) -> tuple[Ints, Ints]:
    """Return the rows whose id is in the vocabulary, ascending, and the indices of these ids there, int64[m] both.

    A sieve of fingerprints removes nearly all other ids; the ids that pass are looked up.

    part   the number of ids computed at a time"""
    bits = min(len(vocabulary).bit_length() + sparse, most)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, np.bool_)
    sieve[fingerprints(vocabulary) >> shift] = True

    def passing(bounds: Part) -> Ints:
        start, stop = bounds
        prints = fingerprints(ids[start:stop])
        prints >>= shift
        return np.flatnonzero(sieve[prints.view(np.int64)]) + start

    candidates = [passing(bounds) for bounds in parts_of(len(ids), part)]
    return _look_up(ids, np.concatenate([np.empty(0, np.int64), *candidates]), vocabulary)


def _look_up(ids: Strings, rows: Ints, vocabulary: Strings) -> tuple[Ints, Ints]:
    """Return the rows whose id is in the vocabulary, and its index there."""
    index = pc.index_in(ids.take(places_of(rows)), value_set=vocabulary)
    if not index.null_count:
        return rows, values_of(index).astype(np.int64)
    known = values_of(index.is_valid())
    return rows[known], values_of(index)[known].astype(np.int64)

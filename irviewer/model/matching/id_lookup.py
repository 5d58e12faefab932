"""Which of millions of document ids are among some thousands that are judged.

Knows ids, not what they mean."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from irviewer.model.arrays import Ints, Strings, places_of, values_of
from irviewer.model.parts import PART, Part, parts_of
from irviewer.model.rankings.duplicates import fingerprints

SPARSE = 5
"""Bits of the sieve beyond those that count the vocabulary: one in 32 of the others comes through."""
MOST = 24
"""Bits of the sieve at most: through that of a larger vocabulary more come."""


def rows_in(
    ids: Strings,
    vocabulary: Strings,
    *,
    part: int = PART,
    sparse: int = SPARSE,
    most: int = MOST,
) -> tuple[Ints, Ints]:
    """int64[m], int64[m]: the rows whose id is one of the vocabulary, ascending, and the places of those ids in it.

    A sieve of fingerprints leaves out nearly all that are not; what comes through is looked up. It takes
    ``part`` ids at a time."""
    bits = min(len(vocabulary).bit_length() + sparse, most)
    shift = np.uint64(64 - bits)
    sieve = np.zeros(1 << bits, np.bool_)
    sieve[fingerprints(vocabulary) >> shift] = True

    def through(one: Part) -> Ints:
        start, stop = one
        prints = fingerprints(ids[start:stop])
        prints >>= shift
        return np.flatnonzero(sieve[prints.view(np.int64)]) + start

    found = [through(one) for one in parts_of(len(ids), part)]
    return _looked_up(ids, np.concatenate([np.empty(0, np.int64), *found]), vocabulary)


def _looked_up(ids: Strings, rows: Ints, vocabulary: Strings) -> tuple[Ints, Ints]:
    """Those of the rows whose id is in the vocabulary, and where it stands there."""
    found = pc.index_in(ids.take(places_of(rows)), value_set=vocabulary)
    if not found.null_count:
        return rows, values_of(found).astype(np.int64)
    known = values_of(found.is_valid())
    return rows[known], values_of(found)[known].astype(np.int64)

"""Lookup of the few judged ids among millions of document ids."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow.compute as pc

from irviewer.model.arrays import Ints, Strings, distinct, places_of, values_of
from irviewer.model.parts import PART, Part, parts_of
from irviewer.model.rankings.duplicates import Hashes, fingerprints, tails

SPARSE = 5
"""Bits of a sieve beyond those that count the vocabulary: one in 32 of the other ids passes it."""
MOST = 24
"""The largest number of bits of a sieve; with a larger vocabulary more ids pass."""
APART = 0.75
"""The share of the vocabulary's ids that must differ in their last eight bytes; else whole ids are hashed."""


class IdLookup:
    """Finds the ids of a vocabulary in columns of ids. Two sieves of hashes, made once, remove nearly all other ids;
    those that pass both are looked up. The second is of other bits of the hash, and sees the few that pass the first.

    sparse, most, apart   see ``SPARSE``, ``MOST`` and ``APART``"""

    def __init__(self, vocabulary: Strings, *, sparse: int = SPARSE, most: int = MOST, apart: float = APART) -> None:
        self._vocabulary = vocabulary
        self._hashes: Callable[[Strings], Hashes] = tails
        prints = tails(vocabulary)
        if len(distinct(prints.view(np.int64))) < apart * len(prints):  # most ids end alike, such as "….html"
            self._hashes = fingerprints
            prints = fingerprints(vocabulary)
        bits = min(len(vocabulary).bit_length() + sparse, most)
        self._bits, self._shift = np.uint64(bits), np.uint64(64 - bits)
        self._sieve, self._second = np.zeros((2, 1 << bits), np.bool_)
        self._sieve[prints >> self._shift] = True
        self._second[(prints << self._bits) >> self._shift] = True

    def rows_in(self, ids: Strings, known: Hashes | None = None, *, part: int = PART) -> tuple[Ints, Ints]:
        """Return the rows whose id is in the vocabulary, ascending, and the indices of these ids there, int64[m] both.

        known  the ``tails`` of the ids, if they are known
        part   the number of ids computed at a time"""
        known = known if self._hashes is tails else None
        candidates = [self._passing(ids, known, bounds) for bounds in parts_of(len(ids), part)]
        rows = np.concatenate([np.empty(0, np.int64), *candidates])
        index = pc.index_in(ids.take(places_of(rows)), value_set=self._vocabulary)
        if not index.null_count:
            return rows, values_of(index).astype(np.int64)
        known = values_of(index.is_valid())
        return rows[known], values_of(index)[known].astype(np.int64)

    def _passing(self, ids: Strings, known: Hashes | None, bounds: Part) -> Ints:
        start, stop = bounds
        prints = self._hashes(ids[start:stop]) if known is None else known[start:stop]
        rows = np.flatnonzero(self._sieve[(prints >> self._shift).view(np.int64)])
        passing: Ints = rows[self._second[(prints[rows] << self._bits) >> self._shift]] + start
        return passing

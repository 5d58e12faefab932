"""Texts and keys of long tables, looked up when a row becomes visible, so that half a million rows need no half a
million strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import eq, ne
from typing import Any, TypeVar, overload

import numpy as np

from irviewer.model.arrays import Bools, Ints

T = TypeVar("T")


AT_ONCE = 8192
"""Rows that are read together."""


class LazyTexts(Sequence[T]):
    """``base[rows[i]]`` as a sequence."""

    def __init__(self, base: Sequence[T], rows: Ints) -> None:
        self._base = base
        self._rows = rows

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def __iter__(self) -> Iterator[T]:
        # Some rows at a time: often only the first ones are wanted.
        parts = (self._rows[start : start + AT_ONCE].tolist() for start in range(0, len(self._rows), AT_ONCE))
        return map(self._base.__getitem__, chain.from_iterable(parts))

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same texts."""
        if isinstance(other, LazyTexts) and other._base is self._base:
            return bool(np.array_equal(self._rows, other._rows))
        return isinstance(other, Sequence) and len(other) == len(self) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def differing(self, other: Sequence[T]) -> Bools:
        """Return where the texts differ from others, bool[*], as far as both go."""
        common = min(len(self), len(other))
        if isinstance(other, LazyTexts) and other._base is self._base:
            return np.asarray(self._rows[:common] != other._rows[:common])
        return np.fromiter(map(ne, self, other), np.bool_, common)

    @property
    def in_memory(self) -> Sequence[T]:
        """Texts among which all of these are, in the order of memory, in which it is quick to go through them."""
        return LazyTexts(self._base, np.sort(self._rows)) if len(self._base) > len(self._rows) else self._base

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> LazyTexts[T]: ...

    def __getitem__(self, place: int | slice) -> Any:
        """Return one of them, or a slice."""
        if isinstance(place, slice):
            return LazyTexts(self._base, self._rows[place])
        return self._base[int(self._rows[place])]


class LazyPairs(Sequence[tuple[int, int]]):
    """(one[i], other[i]) as a sequence."""

    def __init__(self, first: Ints, other: Ints) -> None:
        self._one = first
        self._other = other

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._one)

    @overload
    def __getitem__(self, place: int) -> tuple[int, int]: ...

    @overload
    def __getitem__(self, place: slice) -> LazyPairs: ...

    def __getitem__(self, place: int | slice) -> Any:
        """Return one of them, or a slice."""
        if isinstance(place, slice):
            return LazyPairs(self._one[place], self._other[place])
        return int(self._one[place]), int(self._other[place])


LAZY = 50_000
"""Up to so many texts are put in order at once; of more each when its row becomes visible."""


def in_order(texts: Sequence[T], rows: Ints) -> Sequence[T]:
    """Return the texts of some rows in their order: a tuple, made when asked for where there are more than LAZY."""
    return LazyTexts(texts, rows) if len(rows) > LAZY else tuple([texts[row] for row in rows.tolist()])

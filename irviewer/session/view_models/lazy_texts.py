"""Texts and keys of long tables, looked up when a row becomes visible, so that half a million rows need no half a
million strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from irviewer.model.arrays import Ints

T = TypeVar("T")


class LazyTexts(Sequence[T]):
    """``base[rows[i]]`` as a sequence."""

    def __init__(self, base: Sequence[T], rows: Ints) -> None:
        self._base = base
        self._rows = rows

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows)

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

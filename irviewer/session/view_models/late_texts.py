"""Texts of hundreds of rows of which one is read at a time: each is made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload


class LateTexts(Sequence[str]):
    """``size`` texts; ``make`` gives that of a row, from values that never change."""

    def __init__(self, size: int, make: Callable[[int], str]) -> None:
        self.size = size
        self.make = make

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> LateTexts: ...
    def __getitem__(self, row: int | slice) -> str | LateTexts:
        if isinstance(row, slice):
            return self.at(range(*row.indices(self.size)))
        if not -self.size <= row < self.size:
            raise IndexError(row)
        return self.make(row % self.size)

    def __iter__(self) -> Iterator[str]:
        return map(self.make, range(self.size))

    def with_reason(self, reason: str) -> LateTexts:
        """Return the texts with a further line, but for those that are empty."""

        def make(row: int) -> str:
            text = self.make(row)
            return f"{text}\n{reason}" if text else ""

        return LateTexts(self.size, make)

    def at(self, places: Sequence[int]) -> LateTexts:
        """Return the texts of some rows in another order, "" for those of -1."""
        return LateTexts(len(places), lambda row: self.make(places[row]) if places[row] >= 0 else "")

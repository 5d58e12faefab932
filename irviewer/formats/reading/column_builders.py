"""Builders of columns, to which the parts of a file are added: each part is copied to its final place and freed.

Touching new memory takes most of the time; memory reserved in excess is never touched."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from irviewer.formats.reading.sizes import SIZES
from irviewer.model.arrays import Ints, Ranks, Strings, frozen, places_of, values_of

APART = 4
"""A column of keys is encoded row by row if more than one in so many rows has another key than the row before."""


class Growing:
    """An array that grows as values are added. Memory reserved beyond them is never touched. The values that are the
    whole column are not copied."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self.array: npt.NDArray[Any] = np.empty(0, kind)

    def put(self, values: npt.NDArray[Any], start: int, share: float) -> None:
        """Write ``values`` at ``start``; ``share`` is about the share of the column that is written then."""
        stop = start + len(values)
        if not start and share >= 1:
            self.array = values
            return
        if stop > len(self.array):
            larger = np.empty(max(int(stop / share * 1.06), stop + stop // 2) + 1024, self.array.dtype)
            larger[:start] = self.array[:start]
            self.array = larger
        self.array[start:stop] = values

    def done(self, n: int) -> npt.NDArray[Any]:
        """Return the first ``n`` values as a read-only array."""
        return frozen(self.array[:n])


class Numbers:
    """A builder of float64[n].

    As in all builders, ``add`` adds an Arrow array without nulls as the rows from ``start`` on and returns False if
    they are unsuitable, and ``done`` returns the column of ``n`` rows."""

    kind: npt.DTypeLike = np.float64

    def __init__(self) -> None:
        self._values = Growing(self.kind)

    def add(self, column: Any, start: int, share: float) -> bool:
        self._values.put(values_of(column), start, share)
        return True

    def done(self, n: int) -> npt.NDArray[Any]:
        return self._values.done(n)


class Wholes(Numbers):
    """A builder of int32[n]."""

    kind = np.int32


class Longs(Numbers):
    """A builder of int64[n]."""

    kind = np.int64


class Names:
    """The distinct texts of a dictionary column in order of appearance, without rows."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def add(self, column: Any, start: int, share: float) -> bool:
        self._places(column)
        return True

    def done(self, n: int) -> Ranks:
        return np.empty(0, np.int32)

    def _places(self, column: Any) -> npt.NDArray[np.int32]:
        names = column.dictionary.to_pylist()
        return np.array([self.names.setdefault(name, len(self.names)) for name in names], np.int32)


class Keys(Names):
    """The distinct texts of a column and int32[n] indices into them. Equal texts usually follow each other: then only
    the first of each stretch is looked up, which takes a fifth of the time."""

    def __init__(self) -> None:
        super().__init__()
        self._codes = Growing(np.int32)

    def add(self, column: Any, start: int, share: float) -> bool:
        starts = _stretches(column)
        if len(starts) * APART > len(column):
            self._add_rows(column.dictionary_encode(), start, share)
            return True
        texts = column.take(places_of(starts)).to_pylist()
        places = np.array([self.names.setdefault(text, len(self.names)) for text in texts], np.int32)
        self._codes.put(np.repeat(places, np.diff(starts, append=len(column))), start, share)
        return True

    def _add_rows(self, column: Any, start: int, share: float) -> None:
        places, codes = self._places(column), values_of(column.indices)
        known = not np.array_equal(places, np.arange(len(places)))  # else the codes of the part are those of the column
        self._codes.put(places[codes] if known else codes, start, share)

    def done(self, n: int) -> Ranks:
        return self._codes.done(n)


def _stretches(column: Any) -> Ints:
    """Return the rows whose text is not that of the row before."""
    if not len(column):
        return np.empty(0, np.int64)
    other = values_of(pc.not_equal(column[1:], column[:-1]))
    return np.concatenate([[0], np.flatnonzero(other) + 1])


class Texts:
    """A builder of texts, none of them empty, of at most ``most`` bytes in all."""

    def __init__(self, most: int = SIZES.column) -> None:
        self._most = most
        self._offsets, self._data = Growing(np.int32), Growing(np.uint8)
        self._bytes = 0
        self._offsets.array = np.zeros(1, np.int32)

    def add(self, column: Any, start: int, share: float) -> bool:
        _, offset_buffer, data_buffer = column.buffers()
        if not len(column):
            return True
        offsets = np.frombuffer(offset_buffer, np.int32)[column.offset : column.offset + len(column) + 1]
        data = np.frombuffer(data_buffer or b"", np.uint8)[offsets[0] : offsets[-1]]
        if int(np.diff(offsets).min()) == 0 or self._bytes + len(data) > self._most:
            return False
        self._data.put(data, self._bytes, share)
        if not start and share >= 1 and not offsets[0]:
            self._offsets.array = offsets
        else:
            self._offsets.put(offsets[1:] + (self._bytes - int(offsets[0])), start + 1, share)
        self._bytes += len(data)
        return True

    def done(self, n: int) -> Strings:
        offsets, data = self._offsets.done(n + 1), self._data.done(self._bytes)
        return pa.StringArray.from_buffers(n, pa.py_buffer(offsets), pa.py_buffer(data))


BUILDERS: dict[str, Any] = {
    "key": Keys, "brief": Keys, "names": Names, "text": Texts, "number": Numbers, "whole": Wholes, "long": Longs,
}  # fmt: skip


def builder_of(kind: str, most: int) -> Any:
    """Return a new builder for a column of this kind; texts have at most ``most`` bytes."""
    return Texts(most) if kind == "text" else BUILDERS[kind]()

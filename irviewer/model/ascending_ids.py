"""Ids in ascending order, as stored values have those of their queries: what is known of them without looking at each.

A million texts take 60 MB, a dictionary of their places as much again and half a second. Values of several systems
share both, and places are found by halving until many are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, Sequence
from typing import Any, TypeVar, overload

import pyarrow as pa
import pyarrow.compute as pc

T = TypeVar("T")
AT_ONCE = 8192
"""Ids that are read together: other threads wait for as many."""
MANY = 1 << 16
"""From so many ids in another order those in order are known to ascend."""
FEW = 4096
"""So many places are found by halving before a dictionary is made."""


class AscendingIds(tuple[str, ...]):
    """Distinct ids in ascending order, which is that of their bytes, with the Arrow column that they are of. Those that
    are :meth:`without` some know of which ``whole``, and the ones ``left_out``."""

    column: Any
    whole: AscendingIds | None = None
    left_out: tuple[str, ...] = ()
    _places: dict[str, int] | None = None

    @classmethod
    def of(cls, column: Any) -> tuple[str, ...]:
        """Return the ids of an Arrow string array, as a plain tuple if they do not ascend."""
        n = len(column)
        ascend = not column.null_count and (n < 2 or pc.all(pc.less(column.slice(0, n - 1), column.slice(1))).as_py())
        texts: list[str] = []
        for start in range(0, n, AT_ONCE):
            texts += column.slice(start, AT_ONCE).to_pylist()
        if not ascend:
            return tuple(texts)
        if isinstance(column, pa.Array) and column.get_total_buffer_size() > 2 * column.nbytes:
            column = pa.concat_arrays([column, column.slice(0, 0)])  # a part of others would hold and pickle them all
        ids = cls(texts)
        ids.column = column
        return ids

    @classmethod
    def ordered(cls, ids: Sequence[str], order: Sequence[int]) -> tuple[str, ...]:
        """Return distinct ids in an order in which they ascend, as a plain tuple if they are few or no texts of
        Arrow's."""
        texts = [ids[place] for place in order]
        if len(texts) < MANY:
            return tuple(texts)
        try:
            column = pa.array(texts, pa.string())
        except (UnicodeEncodeError, pa.ArrowInvalid):
            return tuple(texts)
        ascending = cls(texts)
        ascending.column = column
        return ascending

    def without(self, others: Collection[str]) -> AscendingIds:
        """Return those that are not among others."""
        left = type(self)([each for each in self if each not in others])
        left.whole, left.left_out = self, tuple([each for each in self if each in others])
        left.column = self.column.filter(pc.invert(pc.is_in(self.column, value_set=pa.array(others, pa.string()))))
        return left

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the column alone."""
        return type(self).of, (self.column,)

    @property
    def places(self) -> dict[str, int]:
        """Id -> its place, made once for all who ask."""
        if self._places is None:
            self._places = _table_of(self)
        return self._places

    @property
    def has_places(self) -> bool:
        """Whether they have been made."""
        return self._places is not None


class PlacesOfIds(Mapping[str, int]):
    """Where each of ascending ids is. Many are found in a dictionary, which is made when they are asked for."""

    def __init__(self, ids: AscendingIds) -> None:
        self._ids = ids
        self._asked = 0
        self._table: dict[str, int] | None = None

    def whole(self) -> dict[str, int]:
        """Return all places."""
        if self._table is None:
            self._table = self._ids.places
        return self._table

    @overload
    def get(self, key: str, /) -> int | None: ...

    @overload
    def get(self, key: str, /, default: int | T) -> int | T: ...

    def get(self, key: str, /, default: Any = None) -> Any:
        """Return the place of an id."""
        if self._table is None:
            self._asked += 1
            if self._asked <= FEW and not self._ids.has_places and isinstance(key, str):
                place = bisect_left(self._ids, key)
                return place if place < len(self._ids) and self._ids[place] == key else default
        return self.whole().get(key, default)

    def __getitem__(self, key: str) -> int:
        """Return the place of an id. Raises KeyError."""
        if self._table is not None:
            return self._table[key]
        place = self.get(key)
        if place is None:
            raise KeyError(key)
        return place

    def __contains__(self, key: object) -> bool:
        """Return whether an id is among them."""
        if self._table is not None:  # often there are a million
            return key in self._table
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the ids."""
        return iter(self._ids)

    def __len__(self) -> int:
        """The number of ids."""
        return len(self._ids)

    def keys(self) -> KeysView[str]:
        """Return the ids as a set."""
        return self.whole().keys()

    def items(self) -> ItemsView[str, int]:
        """Return the ids with their places."""
        return self.whole().items()


def outside(ids: tuple[str, ...], others: tuple[str, ...], places: Mapping[str, int]) -> tuple[str, ...]:
    """Return the ids that are not among others, whose places these are, in their order. Ascending ones are compared as
    columns."""
    if ids == others:  # usually
        return ()
    if isinstance(ids, AscendingIds) and isinstance(others, AscendingIds):
        if others.whole is ids:
            return others.left_out
        if ids.whole is others:
            return ()
        among = pc.is_in(ids.column, value_set=others.column)
        return tuple([ids[place] for place in pc.indices_nonzero(pc.invert(among)).to_pylist()])
    known = places.whole() if isinstance(places, PlacesOfIds) else places
    if all(map(known.__contains__, ids)):
        return ()
    return tuple([query for query in ids if query not in known])


def places_of_ids(ids: Sequence[str]) -> Mapping[str, int]:
    """Return id -> its place; those of ascending ids are found when they are asked for."""
    return PlacesOfIds(ids) if isinstance(ids, AscendingIds) else _table_of(ids)


def _table_of(ids: Sequence[str]) -> dict[str, int]:
    """Return id -> its place. Some at a time, between which other threads have their turn."""
    places: dict[str, int] = {}
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        places.update(zip(part, range(start, start + len(part)), strict=True))
    return places

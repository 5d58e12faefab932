"""What differs between two ordered mappings, small as the difference: made from one to the other, and back again.

Applied to the very mapping that it was made from, a change gives the other exactly, order and all; applied to one in
which something else was added meanwhile, it touches only what it speaks of. Knows no collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, eq=False)
class Entry(Generic[K, V]):
    """One key: its value before and after (None: it is not there), and where it stands among the keys (-1: nowhere)."""

    key: K
    before: V | None
    after: V | None
    place_before: int
    place_after: int


@dataclass(frozen=True, eq=False)
class MapChange(Generic[K, V]):
    """``entries`` are the keys that differ; ``order`` holds all keys before and after, where those that are in both
    changed their order, else None. No value is None."""

    entries: tuple[Entry[K, V], ...] = ()
    order: tuple[tuple[K, ...], tuple[K, ...]] | None = None

    def __bool__(self) -> bool:
        return bool(self.entries) or self.order is not None

    def applied(self, mapping: Mapping[K, V], *, back: bool = False) -> dict[K, V]:
        """The mapping with the change made, or taken back."""
        found = dict(mapping)
        missing: list[tuple[int, K, V]] = []
        for one in self.entries:
            value, place = (one.before, one.place_before) if back else (one.after, one.place_after)
            if value is None:
                found.pop(one.key, None)
            elif one.key in found:
                found[one.key] = value
            else:
                missing.append((place, one.key, value))
        if missing:
            pairs = list(found.items())
            for place, key, value in sorted(missing, key=lambda one: one[0]):
                pairs.insert(place, (key, value))
            found = dict(pairs)
        if self.order is not None:
            rank = {key: place for place, key in enumerate(self.order[0 if back else 1])}
            found = dict(sorted(found.items(), key=lambda pair: rank.get(pair[0], len(rank))))
        return found


def change_between(before: Mapping[K, V], after: Mapping[K, V]) -> MapChange[K, V]:
    """What makes the second of the first. Values are the same where they are one object, or equal."""
    if before is after:
        return MapChange()
    places, others = {key: place for place, key in enumerate(before)}, {key: place for place, key in enumerate(after)}
    entries = []
    for key in {**before, **after}:
        former, present = before.get(key), after.get(key)
        if former is not present and former != present:
            entries.append(Entry(key, former, present, places.get(key, -1), others.get(key, -1)))
    same = [key for key in before if key in others] == [key for key in after if key in places]
    return MapChange(tuple(entries), None if same else (tuple(before), tuple(after)))

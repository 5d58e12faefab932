"""Differences of two ordered mappings, which can be applied and reverted.

Applied to the first mapping, a change gives the second one with its order; applied to a mapping with other additions,
it changes only its own keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, eq=False)
class Entry(Generic[K, V]):
    """A key with its values and positions before and after; None and -1 if it is not in the mapping."""

    key: K
    before: V | None
    after: V | None
    place_before: int
    place_after: int


@dataclass(frozen=True, eq=False)
class MapChange(Generic[K, V]):
    """The difference of two mappings whose values are not None.

    entries   the keys that differ
    order     all keys before and after, if the common keys changed their order, else None"""

    entries: tuple[Entry[K, V], ...] = ()
    order: tuple[tuple[K, ...], tuple[K, ...]] | None = None

    def __bool__(self) -> bool:
        return bool(self.entries) or self.order is not None

    def applied(self, mapping: Mapping[K, V], *, back: bool = False) -> dict[K, V]:
        """Return the mapping with the change applied, or reverted (``back``)."""
        changed = dict(mapping)
        missing: list[tuple[int, K, V]] = []
        for entry in self.entries:
            value, position = (entry.before, entry.place_before) if back else (entry.after, entry.place_after)
            if value is None:
                changed.pop(entry.key, None)
            elif entry.key in changed:
                changed[entry.key] = value
            else:
                missing.append((position, entry.key, value))
        if missing:
            pairs = list(changed.items())
            for position, key, value in sorted(missing, key=lambda item: item[0]):
                pairs.insert(position, (key, value))
            changed = dict(pairs)
        if self.order is not None:
            rank = {key: position for position, key in enumerate(self.order[0 if back else 1])}
            changed = dict(sorted(changed.items(), key=lambda pair: rank.get(pair[0], len(rank))))
        return changed


def change_between(before: Mapping[K, V], after: Mapping[K, V]) -> MapChange[K, V]:
    """Return the change that makes ``after`` of ``before``. Values are equal if they are the same object or equal."""
    if before is after:
        return MapChange()
    positions_before = {key: position for position, key in enumerate(before)}
    positions_after = {key: position for position, key in enumerate(after)}
    entries = []
    for key in {**before, **after}:
        former, present = before.get(key), after.get(key)
        if former is not present and former != present:
            entries.append(Entry(key, former, present, positions_before.get(key, -1), positions_after.get(key, -1)))
    same = [key for key in before if key in positions_after] == [key for key in after if key in positions_before]
    return MapChange(tuple(entries), None if same else (tuple(before), tuple(after)))

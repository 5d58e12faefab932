"""Which run of which collection is which system: by the user's choice, else by name, capitals or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irviewer.model.run_names import free_name
from irviewer.model.workspace import Collection, RunEntry

LEAST = 2
"""A system is shown from this number of collections on, where any system has as many."""


@dataclass(frozen=True)
class Systems:
    """The systems on C collections.

    names     those shown, in the order in which they come up, those on most collections first
    runs      for each collection the key of the run that is each system
    by_hand   for each collection the systems whose run the user chose
    alone     the systems that are not shown, being on too few collections; they take part where they have a run
    """

    names: tuple[str, ...]
    collections: tuple[str, ...]
    runs: tuple[Mapping[str, int], ...]
    by_hand: tuple[frozenset[str], ...]
    alone: tuple[str, ...]

    def system_of(self, place: int, key: int | None) -> str:
        """Return the system that a run is, "" for none."""
        if not 0 <= place < len(self.runs):
            return ""
        return next((name for name, other in self.runs[place].items() if other == key), "")


def matched_systems(collections: Sequence[Collection]) -> Systems:
    """Return the systems of collections. A second run of a system in a collection is none."""
    spelling: dict[str, str] = {}
    for collection in collections:
        for system in collection.systems.values():
            if system:
                spelling.setdefault(system.casefold(), system)
    runs, by_hand = [], []
    for collection in collections:
        chosen = {entry.key: collection.systems[entry.key] for entry in collection.system_runs
                  if entry.key in collection.systems}  # fmt: skip
        keys = {spelling[system.casefold()]: key for key, system in chosen.items() if system}
        by_hand.append(frozenset(keys))
        for entry in collection.system_runs:
            if entry.key not in chosen:
                name = own_name(entry, collection.name)
                keys.setdefault(spelling.setdefault(name.casefold(), name), entry.key)
        runs.append(keys)
    every = list(dict.fromkeys(name for keys in runs for name in keys))
    counts = {name: sum(name in keys for keys in runs) for name in every}
    wanted = {name for names in by_hand for name in names}
    least = LEAST if max(counts.values(), default=0) >= LEAST else 1
    shown = [name for name in every if counts[name] >= least or name in wanted]
    shown.sort(key=lambda name: -counts[name])
    names: list[str] = []
    for collection in collections:
        names.append(free_name(collection.name, names))
    alone = tuple(name for name in every if name not in shown)
    return Systems(tuple(shown), tuple(names), tuple(runs), tuple(by_hand), alone)


def own_name(entry: RunEntry, collection: str) -> str:
    """Return the system that a run's name says: without the name of the collection and what every such name has, where
    the run is named after its file."""
    from irviewer.formats.collection_folders import system_name

    path = Path(entry.run.origin)
    if not entry.run.origin or entry.name not in path.name:
        return entry.name
    return system_name(path, collection) if collection.casefold() in entry.name.casefold() else entry.name

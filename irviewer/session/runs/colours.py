"""Which runs have a colour of their own, and which are grey.

Knows the runs of a collection; nothing of palettes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Keys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from irviewer.model.workspace import RunEntry
from irviewer.rendering.palette import LIGHT

MANY_SYSTEMS = 12
"""With more systems than this, the baseline, the chosen run and PINNED others have colours and all others are grey, and
ranks and shares of judged documents are columns."""
PINNED = 6
HUES = len(LIGHT.runs)


def coloured_runs(
    runs: Sequence[RunEntry], shown: Keys[int], baseline: int | None, focus: int | None
) -> frozenset[int]:
    """Return the keys of the runs that have a colour, no two the same: the baseline, the chosen run, then those shown,
    the ones that had their colours first; of few systems also those not shown. The other runs are grey. A colour that
    the user gave a run is always shown."""
    many = sum(not entry.is_copy for entry in runs) > MANY_SYSTEMS
    wanted = {key: place for place, key in enumerate((baseline, focus)) if key is not None}
    order = sorted(runs, key=lambda entry: (wanted.get(entry.key, 2), entry.key not in shown, entry.slot))
    if many:
        order = [entry for entry in order if entry.key in wanted or entry.key in shown]
    coloured: list[int] = []
    hues: set[int] = set()
    room = PINNED + len(wanted) if many else HUES
    for entry in order:
        hue = entry.slot % HUES
        if hue not in hues and len(hues) < room:
            hues.add(hue)
            coloured.append(entry.key)
    coloured += [entry.key for entry in runs if entry.colour is not None]
    return frozenset(coloured)


def told_apart(slots: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return a colour slot for each (name, slot), of which no two have the same hue while there are hues: the first of
    a hue keeps its slot, another one takes the first hue that none of them has."""
    given: dict[str, int] = {}
    hues: set[int] = set()
    waiting: list[tuple[str, int]] = []
    for name, slot in slots:
        if slot % HUES in hues:
            waiting.append((name, slot))
        else:
            given[name] = slot
            hues.add(slot % HUES)
    free = (hue for hue in range(HUES) if hue not in hues)
    return given | {name: next(free, slot) for name, slot in waiting}


def with_slots(
    runs: Sequence[RunEntry], wanted: Keys[int], seen: Keys[int], baseline: int | None = None
) -> tuple[RunEntry, ...]:
    """Return the runs with colour slots for those ``wanted`` in view: a run keeps the slot that it had, unless another
    run in view has the same hue and there is a hue that none has; then those already ``seen`` keep theirs, the baseline
    first. A run that gets its first slot takes, if possible, one that no run had."""
    entries = {entry.key: entry for entry in runs}
    arriving = [entry for entry in runs if entry.key in wanted]
    arriving.sort(key=lambda entry: (not (entry.worn and entry.key in seen), entry.key != baseline, not entry.worn))
    hues: set[int] = set()
    to_come = Counter(entry.slot % HUES for entry in arriving if entry.worn)
    taken = Counter(entry.slot for entry in runs if entry.worn)
    for entry in arriving:
        slot = entry.slot
        if entry.worn:
            to_come[slot % HUES] -= 1
        if not entry.worn or slot % HUES in hues:
            free = [hue for hue in range(HUES) if hue not in hues and not to_come[hue]]
            if free or not entry.worn:
                taken[slot] -= entry.worn
                hues_left = free or range(HUES)
                slots = (slot for slot in range(len(runs) + HUES) if slot % HUES in hues_left and not taken[slot])
                slot = next(slots, min(hues_left))
                taken[slot] += 1
                entries[entry.key] = replace(entry, slot=slot, worn=True)
        hues.add(slot % HUES)
    return tuple(entries[entry.key] for entry in runs)

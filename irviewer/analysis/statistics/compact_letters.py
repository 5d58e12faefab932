"""Groups of runs within which no difference is shown: the compact letter display. Knows what orders runs and which
pairs differ, no test."""

from __future__ import annotations

import re
from string import ascii_letters

import numpy as np

from irviewer.model.arrays import Bools, Floats

MOST_GROUPS = 300
"""Groups beyond which not all of them are looked for."""


def compact_letters(means: Floats, differ: Bools, higher_is_better: bool = True) -> tuple[str, ...]:
    """Letters of R runs: two runs share a letter where no difference between them was shown, and only there.

    means float64[R]; differ bool[R, R], symmetric, True where a pair differs. ``a`` goes to the group with the best
    run. Insert and absorb (Piepho 2004), which has every group that is as large as it can be. Differences without any
    order may have exponentially many: beyond MOST_GROUPS there are only as many as it takes for every two runs that do
    not differ to share one. Beyond 52 groups a letter has a number."""
    size = len(means)
    order = np.argsort(-means if higher_is_better else means, kind="stable")
    groups = _inserted(differ, size)
    if groups is None:
        groups = _cover(differ, order.tolist())
    place = np.empty(size, np.int64)
    place[order] = np.arange(size)
    members = [sorted(int(place[run]) for run in range(size) if group >> run & 1) for group in groups]
    letters: list[list[str]] = [[] for _ in range(size)]
    for number, group in enumerate(sorted(members)):
        for rank in group:
            letters[int(order[rank])].append(_letter(number))
    return tuple("".join(row) for row in letters)


FEWEST = 4
"""Letters in a row that are written as a range."""


def in_ranges(letters: str) -> str:
    """Letters of a run as they are shown: ``abfghij`` is ``abf–j``, for among many runs a run may have dozens."""
    tokens = re.findall(r"[A-Za-z]\d*", letters)
    numbers = [ascii_letters.index(one[0]) + len(ascii_letters) * (int(one[1:] or 1) - 1) for one in tokens]
    shown: list[str] = []
    start = 0
    for place in range(1, len(tokens) + 1):
        if place < len(tokens) and numbers[place] == numbers[place - 1] + 1:
            continue
        row = tokens[start:place]
        shown += [f"{row[0]}–{row[-1]}"] if len(row) >= FEWEST else row
        start = place
    return "".join(shown)


def _inserted(differ: Bools, size: int) -> list[int] | None:
    """All groups without a pair that differs to which no run can be added, a bit a run; None where they become too
    many on the way."""
    groups = [(1 << size) - 1] if size else []
    for one in range(size):
        for other in range(one + 1, size):
            if differ[one, other]:
                groups = _split(groups, 1 << one, 1 << other)
        if len(groups) > MOST_GROUPS:
            return None
    return groups


def _split(groups: list[int], one: int, other: int) -> list[int]:
    """The groups without any that holds both: such a one becomes two, and what another group holds already goes."""
    both = one | other
    found = [group for group in groups if group & both != both]
    parts = {group & ~bit for group in groups if group & both == both for bit in (one, other)}
    # No group holds another, and a part is less than a group: only parts may be held.
    for part in sorted(parts, key=int.bit_count, reverse=True):
        if not any(part & larger == part for larger in found):
            found.append(part)
    return found


def _cover(differ: Bools, order: list[int]) -> list[int]:
    """Groups that hold every pair that does not differ, each as large as it can be: from the best run on, a pair that
    no group holds yet begins one, which takes in whatever run differs from none of it, the next best first."""
    size = len(order)
    alike = [sum(1 << run for run in range(size) if run == one or not differ[one, run]) for one in range(size)]
    held = [0] * size
    found = []
    for place, one in enumerate(order):
        for other in [*order[place + 1 :], one]:
            if not alike[one] >> other & 1 or held[one] >> other & 1:
                continue
            group, free = 1 << one | 1 << other, alike[one] & alike[other]
            for run in order:
                if free >> run & 1:
                    group |= 1 << run
                    free &= alike[run]
            for run in range(size):
                if group >> run & 1:
                    held[run] |= group
            found.append(group)
    return found


def _letter(number: int) -> str:
    turn, letter = divmod(number, len(ascii_letters))
    return ascii_letters[letter] + (str(turn + 1) if turn else "")

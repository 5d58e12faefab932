"""Compact letter display: groups of runs within which a test shows no difference."""

from __future__ import annotations

import re
from string import ascii_letters

import numpy as np

from irviewer.model.arrays import Bools, Floats

MOST_GROUPS = 300
"""Groups beyond which not all of them are computed."""


def compact_letters(means: Floats, differ: Bools, higher_is_better: bool = True) -> tuple[str, ...]:
    """Return the letters of R runs: two runs share a letter exactly where no difference between them is shown.

    means float64[R]; differ bool[R, R], symmetric, True where a pair differs. ``a`` goes to the group with the best
    run. Insert and absorb (Piepho 2004) gives every maximal group. Differences without any order may have exponentially
    many: beyond MOST_GROUPS there are only as many as it takes for every two runs that do not differ to share one.
    Beyond 52 groups letters have numbers."""
    size = len(means)
    order = np.argsort(-means if higher_is_better else means, kind="stable")
    groups = _inserted(differ, size)
    if groups is None:
        groups = _cover(differ, order.tolist())
    position = np.empty(size, np.int64)
    position[order] = np.arange(size)
    members = [sorted(int(position[run]) for run in range(size) if group >> run & 1) for group in groups]
    letters: list[list[str]] = [[] for _ in range(size)]
    for number, group in enumerate(sorted(members)):
        for rank in group:
            letters[int(order[rank])].append(_letter(number))
    return tuple("".join(row) for row in letters)


FEWEST = 4
"""Consecutive letters that are written as a range."""


def in_ranges(letters: str) -> str:
    """Return the letters of a run with ranges, ``abf–j`` for ``abfghij``: among many runs a run may have dozens."""
    tokens = re.findall(r"[A-Za-z]\d*", letters)
    numbers = [ascii_letters.index(token[0]) + len(ascii_letters) * (int(token[1:] or 1) - 1) for token in tokens]
    parts: list[str] = []
    start = 0
    for end in range(1, len(tokens) + 1):
        if end < len(tokens) and numbers[end] == numbers[end - 1] + 1:
            continue
        row = tokens[start:end]
        parts += [f"{row[0]}–{row[-1]}"] if len(row) >= FEWEST else row
        start = end
    return "".join(parts)


def _inserted(differ: Bools, size: int) -> list[int] | None:
    """All maximal groups without a pair that differs, as bit sets of runs; None if they become too many."""
    groups = [(1 << size) - 1] if size else []
    for run in range(size):
        for other in range(run + 1, size):
            if differ[run, other]:
                groups = _split(groups, 1 << run, 1 << other)
        if len(groups) > MOST_GROUPS:
            return None
    return groups


def _split(groups: list[int], run_bit: int, other_bit: int) -> list[int]:
    """Split the groups that contain both runs, and drop the parts that another group contains."""
    both = run_bit | other_bit
    kept = [group for group in groups if group & both != both]
    parts = {group & ~bit for group in groups if group & both == both for bit in (run_bit, other_bit)}
    # No group contains another, and a part is smaller than a group, so only parts can be contained.
    for part in sorted(parts, key=int.bit_count, reverse=True):
        if not any(part & larger == part for larger in kept):
            kept.append(part)
    return kept


def _cover(differ: Bools, order: list[int]) -> list[int]:
    """Maximal groups that cover every pair that does not differ: from the best run on, a pair that is in no group yet
    begins one, and every run that differs from none of its members is added, best first."""
    size = len(order)
    alike = [sum(1 << run for run in range(size) if run == first or not differ[first, run]) for first in range(size)]
    covered = [0] * size
    groups = []
    for position, first in enumerate(order):
        for partner in [*order[position + 1 :], first]:
            if not alike[first] >> partner & 1 or covered[first] >> partner & 1:
                continue
            group, free = 1 << first | 1 << partner, alike[first] & alike[partner]
            for run in order:
                if free >> run & 1:
                    group |= 1 << run
                    free &= alike[run]
            for run in range(size):
                if group >> run & 1:
                    covered[run] |= group
            groups.append(group)
    return groups


def _letter(number: int) -> str:
    turn, letter = divmod(number, len(ascii_letters))
    return ascii_letters[letter] + (str(turn + 1) if turn else "")

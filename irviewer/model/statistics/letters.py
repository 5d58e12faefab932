"""Groups of runs that cannot be told apart: the compact letter display. Knows means and which pairs differ, no test."""

from __future__ import annotations

from string import ascii_letters

import numpy as np

from irviewer.model.arrays import Bools, Floats


def compact_letters(means: Floats, differ: Bools, higher_is_better: bool = True) -> tuple[str, ...]:
    """Letters of R runs: two runs share a letter where no difference between them was shown, and only there.

    means float64[R]; differ bool[R, R], symmetric, True where a pair differs. ``a`` goes to the group with the best
    run. Insert and absorb (Piepho 2004). Beyond 52 groups a letter has a number."""
    size = len(means)
    groups = [(1 << size) - 1] if size else []
    for one in range(size):
        for other in range(one + 1, size):
            if differ[one, other]:
                groups = _split(groups, 1 << one, 1 << other)
    order = np.argsort(-means if higher_is_better else means, kind="stable")
    place = np.empty(size, np.int64)
    place[order] = np.arange(size)
    members = [sorted(int(place[run]) for run in range(size) if group >> run & 1) for group in groups]
    letters: list[list[str]] = [[] for _ in range(size)]
    for number, group in enumerate(sorted(members)):
        for rank in group:
            letters[int(order[rank])].append(_letter(number))
    return tuple("".join(row) for row in letters)


def _split(groups: list[int], one: int, other: int) -> list[int]:
    """The groups without any that holds both: such a one becomes two, and what another group holds already goes."""
    both = one | other
    kept = [group for group in groups if group & both != both]
    for group in groups:
        if group & both == both:
            kept += [group & ~one, group & ~other]
    unique = sorted(set(kept), key=int.bit_count, reverse=True)
    found: list[int] = []
    for group in unique:
        if not any(group & larger == group for larger in found):
            found.append(group)
    return found


def _letter(number: int) -> str:
    turn, letter = divmod(number, len(ascii_letters))
    return ascii_letters[letter] + (str(turn + 1) if turn else "")

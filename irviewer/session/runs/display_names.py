"""The shorter forms of the names that runs have in the window, and the natural order of ids. Knows only names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from irviewer.model.arrays import Ints, frozen
from irviewer.rendering.elision import distinct_forms

SHORT = 12
"""Letters that a short name may have: about what two lines over a column of numbers hold."""

LENGTHS = (40, 28, 20, 16, 10, 9, 8, 7, 6, 5)
"""Letters of the further forms of a name: for wider columns, and where not even the short one has room."""

_DIGITS = re.compile(r"(\d+)")


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names elided to ``SHORT`` letters, all different; a name that can only be told apart by more has more."""
    return distinct_forms(names, SHORT)


def shorter_forms(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The forms of each name elided to each number of letters in ``LENGTHS``; those of one number are all different."""
    return tuple(zip(*(distinct_forms(names, letters) for letters in LENGTHS), strict=True))


def natural_order(ids: Sequence[str]) -> Ints:
    """Return int64[n]: the natural order of ids, 2 before 10, q2 before q10."""
    if all(map(str.isascii, ids)) and all(map(str.isdigit, ids)):
        numbers = [(int(query_id), query_id) for query_id in ids]
        return frozen(np.array(sorted(range(len(ids)), key=numbers.__getitem__), dtype=np.int64))
    keys = [
        tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(query_id) if part)
        for query_id in ids
    ]
    return frozen(np.array(sorted(range(len(ids)), key=keys.__getitem__), dtype=np.int64))

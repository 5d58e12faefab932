"""Millions of rows worked on some at a time, so that what is worked on stays near the processor. The sizes are
arguments everywhere; no result depends on them."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Codes, Ints

PART = 1 << 16
"""Rows at a time."""

Part = tuple[int, int]


def parts_of(n: int, part: int) -> list[Part]:
    """The rows from 0 to n - 1 in parts of ``part`` rows, the last of what is left."""
    return [(start, min(start + part, n)) for start in range(0, n, part)]


def whole_groups(offsets: Ints, part: int) -> list[Part]:
    """Parts of ``part`` rows or more that end where a group does."""
    n = int(offsets[-1])
    ends = offsets[np.searchsorted(offsets, np.append(np.arange(part, n, part), n))].tolist()
    return [one for one in zip([0, *ends[:-1]], ends, strict=True) if one[0] < one[1]]


def falls(codes: Codes, part: int) -> bool:
    """True where some code is less than the one before it: groups do not stand one after the other."""
    pieces = (codes[start : stop + 1] for start, stop in parts_of(len(codes), part))
    return any(bool(np.any(piece[1:] < piece[:-1])) for piece in pieces)

"""Division of millions of rows into parts that fit the processor's caches. No result depends on the sizes."""

from __future__ import annotations

import numpy as np

from irviewer.model.arrays import Codes, Ints

PART = 1 << 16
"""The number of rows of a part."""

Part = tuple[int, int]


def parts_of(n: int, part: int) -> list[Part]:
    """Return rows 0 to n - 1 in parts of ``part`` rows; the last may be smaller."""
    return [(start, min(start + part, n)) for start in range(0, n, part)]


def whole_groups(offsets: Ints, part: int) -> list[Part]:
    """Return parts of ``part`` rows or more that end at the end of a group."""
    n = int(offsets[-1])
    ends = offsets[np.searchsorted(offsets, np.append(np.arange(part, n, part), n))].tolist()
    return [(start, stop) for start, stop in zip([0, *ends[:-1]], ends, strict=True) if start < stop]


def falls(codes: Codes, part: int) -> bool:
    """Return whether a code is less than the one before it, so that rows are not ordered by group."""
    pieces = (codes[start : stop + 1] for start, stop in parts_of(len(codes), part))
    return any(bool(np.any(piece[1:] < piece[:-1])) for piece in pieces)

"""About how many bytes a value holds, for caches that are bounded by bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

_MOST = 10_000
"""The values of which the size is asked; results have fewer, and an estimate need not be exact."""


def held_bytes(value: Any, apart: Iterable[object] = ()) -> int:
    """Return about how many bytes of arrays and texts a value holds, each once, without those of ``apart``, which
    others hold too."""
    if isinstance(value, np.ndarray):
        return 0 if any(value is other for other in apart) else value.nbytes
    seen = set(map(id, apart))
    total = 0
    waiting: list[Any] = [value]
    while waiting and len(seen) < _MOST:
        value = waiting.pop()
        if id(value) in seen or value is None or isinstance(value, bool | int | float):
            continue
        seen.add(id(value))
        size = getattr(value, "nbytes", None)
        if isinstance(size, int):
            total += size
        elif isinstance(value, str | bytes):
            total += len(value)
        elif isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, tuple | list | set | frozenset):
            total += 8 * len(value)
            waiting += list(value)[:1000]
        elif hasattr(value, "__dict__"):
            waiting += vars(value).values()
    return total

"""The memory of what Arrow parses, part by part, and is freed before the next part."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyarrow as pa

from irviewer.formats.reading.memory import own_limits


@cache
def parsed_memory() -> Any:
    """Return the pool of memory for parts. jemalloc gives a thread what it freed; malloc and Arrow's own pool often
    request it from the system again, and touching new memory takes a fifth of the time in which a large file is read.
    malloc's where Arrow has no jemalloc, and where addresses are limited: jemalloc reserves more than it uses."""
    if own_limits():
        return pa.system_memory_pool()
    try:
        return pa.jemalloc_memory_pool()
    except NotImplementedError:
        return pa.system_memory_pool()

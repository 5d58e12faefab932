"""The memory available for files, and the errors if it is too small.

A system without free memory often kills a program without an error, so files that cannot fit are refused first."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from irviewer.errors import ParseError
from irviewer.translation import tr

_GROUP = Path("/sys/fs/cgroup/memory.max")
_HINT = tr("keep the first 1,000 documents of each query, or use a machine with more memory")


@cache
def memory() -> int | None:
    """Return the bytes of memory that this program can use at most: the machine's, or the limit set for the program;
    None if the system does not tell."""
    limits = []
    with suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):
        limits.append(int(_GROUP.read_text("ascii")))
    return min((limit for limit in (*limits, *own_limits()) if limit > 0), default=None)


def own_limits() -> list[int]:
    """Return the limits in bytes that are set for the addresses of this program, used or only reserved (``ulimit``)."""
    with suppress(ImportError, OSError):
        import resource

        soft_limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
        return [limit for limit in soft_limits if limit != resource.RLIM_INFINITY]
    return []


def refuse_beyond_memory(path: str | Path, size: int) -> None:
    """Raise ParseError if ``size`` bytes do not fit into memory."""
    most = memory()
    if most is not None and size > most:
        raise ParseError(
            path,
            tr("it needs {size} or more, and {memory} of memory are available", size=_text(size), memory=_text(most)),
            hint=_HINT,
        )


def no_memory(path: str | Path) -> ParseError:
    """Return the error of a file that did not fit into memory."""
    return ParseError(
        path, tr("there is not enough memory to read it"), hint=tr("close other files; {hint}", hint=_HINT)
    )


def _text(size: int) -> str:
    return f"{size / 2**30:,.1f} GB" if size >= 2**30 else f"{size / 2**20:,.0f} MB"

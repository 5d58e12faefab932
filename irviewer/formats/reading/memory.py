"""How much memory there is for what is read, and what is said where it is not enough.

A system that runs out of memory often ends a program instead of telling it: what cannot fit is refused beforehand."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from irviewer.errors import ParseError

_GROUP = Path("/sys/fs/cgroup/memory.max")
_HINT = "keep the first 1,000 documents of each query, or read it on a machine with more memory"


@cache
def memory() -> int | None:
    """Bytes of memory that this program can have at most: the machine's, less where it was given less; None where the
    system does not say."""
    found = []
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):
        found.append(int(_GROUP.read_text("ascii")))
    with suppress(ImportError, OSError):
        import resource

        limits = [resource.getrlimit(one)[0] for one in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
        found += [one for one in limits if one != resource.RLIM_INFINITY]
    return min((one for one in found if one > 0), default=None)


def refuse_beyond_memory(path: str | Path, size: int) -> None:
    """Raises ParseError where so many bytes cannot be held."""
    most = memory()
    if most is not None and size > most:
        raise ParseError(
            path, f"it holds {_said(size)} or more, and there are {_said(most)} of memory for it", hint=_HINT
        )


def no_memory(path: str | Path) -> ParseError:
    """What is said where the memory was not enough after all."""
    return ParseError(path, "there is not enough memory to read it", hint=f"close what else is open; {_HINT}")


def _said(size: int) -> str:
    return f"{size / 2**30:,.1f} GB" if size >= 2**30 else f"{size / 2**20:,.0f} MB"

"""What tells one state of a file from another: what is kept of a file is kept under it, and answers for no other."""

from __future__ import annotations

import os
import time
from hashlib import blake2b
from pathlib import Path

SAMPLE = 1 << 16
BLOCK = 1 << 20
CHANGE_TIME = os.name == "posix"
"""True where ``st_ctime`` is the time of a file's last change, which no program sets. Windows has the time of its
making there."""
SETTLED = 2.0
"""Seconds that the coarsest clock of a file system takes for one: a file that was changed within them may be changed
again without its times showing it."""

State = dict[str, int | str]


def state_of(path: Path) -> State:
    """Size, times, inode and a digest of three samples of a file; of all its bytes where no time can be relied on.
    Raises OSError."""
    about = path.stat()
    found: State = {"size": about.st_size, "time": about.st_mtime_ns, "inode": about.st_ino}
    if not CHANGE_TIME:
        return {**found, "content": _digest(path, None)}
    places = (0, about.st_size // 2, max(0, about.st_size - SAMPLE))
    return {**found, "change": about.st_ctime_ns, "sample": _digest(path, places)}


def has_settled(path: Path) -> bool:
    """True where any change from now on shows in the file's state, however coarse its clock. Raises OSError."""
    return not CHANGE_TIME or time.time() - path.stat().st_ctime >= SETTLED


def for_now(path: Path) -> State:
    """What a state that may be another's soon is marked with, so that what is made under it is not found again; nothing
    where the file has settled. Raises OSError."""
    return {} if has_settled(path) else {"once": time.time_ns()}


def _digest(path: Path, places: tuple[int, ...] | None) -> str:
    found = blake2b(digest_size=16)
    with path.open("rb", buffering=0) as file:
        if places is None:
            block = bytearray(BLOCK)
            while got := file.readinto(block):
                found.update(memoryview(block)[:got])
        for place in places or ():
            file.seek(place)
            found.update(file.read(SAMPLE))
    return found.hexdigest()

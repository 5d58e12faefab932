"""The state of a file, which changes with its content: cached data of a file is valid for one state only."""

from __future__ import annotations

import os
import time
from pathlib import Path

SAMPLE = 1 << 16
BLOCK = 1 << 20
CHANGE_TIME = os.name == "posix"
"""True if ``st_ctime`` is the time of a file's last change, which programs cannot set. On Windows it is the time of
creation."""
SETTLED = 2.0
"""Seconds of the coarsest clock of a file system: a file that changed within them may change again with the same
times."""

State = dict[str, int | str]


def state_of(path: Path) -> State:
    """Return size, times, inode and a digest of three samples of a file, or of all its bytes if times are not reliable.
    Raises OSError."""
    about = path.stat()
    state: State = {"size": about.st_size, "time": about.st_mtime_ns, "inode": about.st_ino}
    if not CHANGE_TIME:
        return {**state, "content": _digest(path, None)}
    offsets = (0, about.st_size // 2, max(0, about.st_size - SAMPLE))
    return {**state, "change": about.st_ctime_ns, "sample": _digest(path, offsets)}


def has_settled(path: Path, settled: float | None = None) -> bool:
    """Return True if the last change is ``settled`` (``SETTLED``) seconds ago, so that any further change changes the
    state. Raises OSError."""
    return not CHANGE_TIME or time.time() - path.stat().st_ctime >= (SETTLED if settled is None else settled)


def for_now(path: Path) -> State:
    """Return a unique mark for the state of a file that may change without notice, so that its cached data is not used
    again; empty if the file has settled. Raises OSError."""
    return {} if has_settled(path) else {"once": time.time_ns()}


def _digest(path: Path, offsets: tuple[int, ...] | None) -> str:
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    digest = blake2b(digest_size=16)
    with path.open("rb", buffering=0) as file:
        if offsets is None:
            block = bytearray(BLOCK)
            while n_read := file.readinto(block):
                digest.update(memoryview(block)[:n_read])
        for offset in offsets or ():
            file.seek(offset)
            digest.update(file.read(SAMPLE))
    return digest.hexdigest()

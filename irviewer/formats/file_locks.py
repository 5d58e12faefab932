"""Locks of the operating system on open files: held by a process until it releases them or ends in any way."""

from __future__ import annotations

import errno
import os
import time
from typing import Any

_FAR = 1 << 30
"""The byte that is locked on systems that lock bytes: beyond the part that is read."""
_HELD = (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK)
"""The error numbers of systems for a lock that another process holds."""


def locked(descriptor: int) -> bool | None:
    """Try to lock an open file; return True if this process now holds the lock, which closing the file releases, and
    None if the file system has no locks."""
    try:
        if os.name == "nt":
            import msvcrt

            module: Any = msvcrt
            os.lseek(descriptor, _FAR, os.SEEK_SET)
            module.locking(descriptor, module.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in _HELD else None
    return True


def locked_within(descriptor: int, seconds: float) -> bool:
    """Lock an open file, waiting for another process for some time; return False if that does not release it. A file
    system without locks counts as locked."""
    end = time.monotonic() + seconds
    while locked(descriptor) is False:
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True

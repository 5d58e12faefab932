"""Locks of the operating system: held by a process until it releases them or ends in any way.

Knows files, not their content."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irviewer.formats.project_file import ProjectError
from irviewer.translation import tr

PATIENCE = 10.0
"""Seconds that a window waits for another that is writing the same project."""

_FAR = 1 << 30
"""The byte that is locked on systems that lock bytes: beyond the part that is read."""


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


_HELD = (errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK)
"""The error numbers of systems for a lock that another process holds."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Lock a project so that only one process at a time reads and writes it. Raises ProjectError if another process
    does not release it."""
    descriptor = _opened(path)
    if descriptor is None:
        yield
        return
    try:
        end = time.monotonic() + PATIENCE
        while locked(descriptor) is False:
            if time.monotonic() > end:
                raise ProjectError(
                    tr("{path} was not saved: another window has been writing it for too long.", path=path)
                )
            time.sleep(0.005)
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int | None:
    """Open what is locked for a project: its folder, which needs no further file, or a file in the system's temporary
    folder if folders cannot be locked."""
    try:
        if os.name == "posix":
            return os.open(path.resolve().parent, os.O_RDONLY)
        name = hashlib.blake2b(os.path.normcase(path.resolve()).encode("utf-8", "replace"), digest_size=10).hexdigest()
        return os.open(Path(tempfile.gettempdir()) / f"irviewer-{name}.lock", os.O_RDWR | os.O_CREAT)
    except OSError:
        return None

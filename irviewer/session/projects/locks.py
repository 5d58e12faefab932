"""Locks of the operating system: held by a process until it lets go or ends, however it ends.

Knows files; nothing of what they hold."""

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
"""The byte that is locked where only bytes can be: behind what anybody reads."""


def locked(descriptor: int) -> bool | None:
    """True where nobody else held the lock of an open file, and we do now; closing the file gives it back. None where
    the file system knows no locks."""
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
"""What systems say of a lock that somebody else holds."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Only one process at a time is inside for one project: what it saw of the file is so until it has written it.
    Raises ProjectError where another does not come out."""
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
    """What is locked for a project: its folder, so that no further file lies about; where a folder cannot be, a file in
    the system's own folder for such."""
    try:
        if os.name == "posix":
            return os.open(path.resolve().parent, os.O_RDONLY)
        name = hashlib.blake2b(os.path.normcase(path.resolve()).encode("utf-8", "replace"), digest_size=10).hexdigest()
        return os.open(Path(tempfile.gettempdir()) / f"irviewer-{name}.lock", os.O_RDWR | os.O_CREAT)
    except OSError:
        return None

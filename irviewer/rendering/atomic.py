"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from irviewer.errors import IrviewerError, checked_path
from irviewer.formats.part_files import file_to_replace
from irviewer.translation import tr


def write_atomically(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Let ``write`` fill a file that replaces ``path`` only when it is complete. Devices and pipes (``/dev/stdout``, a
    named pipe) are written to directly. Raises IrviewerError."""
    checked_path(path)
    try:
        if _is_stream(path):
            with path.open("wb") as stream:
                write(stream)
            return
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise IrviewerError(tr("{path}: cannot be written, it is not a file; choose another name", path=path))
        usual = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        with file_to_replace(target, usual) as stream:
            write(stream)
    except OSError as error:
        raise IrviewerError(
            tr("{path}: cannot be written: {reason}", path=path, reason=error.strerror or error)
        ) from error


def _is_stream(path: Path) -> bool:
    """Return True for what cannot be replaced by a file: devices, pipes, and the open files of a process."""
    if str(path).startswith(("/dev/std", "/dev/fd/", "/proc/self/fd/")):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now

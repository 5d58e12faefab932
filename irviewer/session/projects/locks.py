"""Locks of projects: one process at a time writes.

Knows files, not their content."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from irviewer.formats.file_locks import locked_within
from irviewer.formats.project_file import ProjectError
from irviewer.translation import tr

PATIENCE = 10.0
"""Seconds that a window waits for another that is writing the same project."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Lock a project so that only one process at a time reads and writes it. Raises ProjectError if another process
    does not release it."""
    descriptor = _opened(path)
    if descriptor is None:
        yield
        return
    try:
        if not locked_within(descriptor, PATIENCE):
            raise ProjectError(tr("{path} was not saved: another window has been writing it for too long.", path=path))
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

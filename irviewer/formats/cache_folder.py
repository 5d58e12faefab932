"""Where what can be made again is kept between sessions: the user's cache folder, with a limit to what lies there.

Knows nothing of what is kept."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import platformdirs

DIRECTORY_VARIABLE = "IRVIEWER_CACHE_DIR"
LIMIT_VARIABLE = "IRVIEWER_CACHE_LIMIT"
DEFAULT_LIMIT = 20 * 2**30


CONFIDENTIAL_VARIABLE = "IRVIEWER_CONFIDENTIAL"


def is_confidential() -> bool:
    """True where nothing of what is read may be written down: ``IRVIEWER_CONFIDENTIAL`` says so."""
    return os.environ.get(CONFIDENTIAL_VARIABLE, "") not in ("", "0")


def cache_folder(name: str) -> Path:
    """The folder for one sort of thing, which may not be there yet; ``IRVIEWER_CACHE_DIR`` says where else. Where
    nothing may be kept it is one that never is there and cannot be made."""
    if is_confidential():
        return Path(os.devnull) / name
    base = os.environ.get(DIRECTORY_VARIABLE) or platformdirs.user_cache_dir("irviewer", appauthor=False)
    return Path(base) / name


def cache_limit() -> int:
    """How many bytes may lie in one such folder; ``IRVIEWER_CACHE_LIMIT`` says how many else."""
    told = os.environ.get(LIMIT_VARIABLE, "")
    return int(told) if told.isdecimal() else DEFAULT_LIMIT


def used(path: Path) -> None:
    """Note that a file is used now; what was not goes first. The time of its last change stays."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def trim(folder: Path, limit: int, keep: set[Path]) -> None:
    """Remove the files that were used longest ago until ``limit`` bytes are left; never those of ``keep``."""
    found = []
    for path in folder.glob("*"):
        with contextlib.suppress(OSError):
            about = path.stat()
            found.append((max(about.st_atime, about.st_mtime), about.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= limit:
            return
        if path not in keep:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size

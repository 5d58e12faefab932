"""The user's cache folder, for data that can be computed again, with a size limit."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import platformdirs

from irviewer.paths import settings_path

DIRECTORY_VARIABLE = "IRVIEWER_CACHE_DIR"
LIMIT_VARIABLE = "IRVIEWER_CACHE_LIMIT"
CONFIDENTIAL_VARIABLE = "IRVIEWER_CONFIDENTIAL"
DEFAULT_LIMIT_GB = 10


def is_confidential() -> bool:
    """Return True if no data may be stored, by ``IRVIEWER_CONFIDENTIAL`` or the user's settings, which also hold for
    the command line and Python."""
    return os.environ.get(CONFIDENTIAL_VARIABLE, "") not in ("", "0") or _setting("confidential") is True


def _setting(key: str) -> Any:
    """Return a value of the settings file (see ``session.settings``); None without one."""
    try:
        return json.loads(settings_path().read_bytes()).get(key)
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def cache_folder(name: str) -> Path:
    """Return the folder for one kind of data, which may not exist yet; ``IRVIEWER_CACHE_DIR`` sets its parent. If no
    data may be stored, it is a folder that cannot be created."""
    if is_confidential():
        return Path(os.devnull) / name
    base = os.environ.get(DIRECTORY_VARIABLE) or platformdirs.user_cache_dir("irviewer", appauthor=False)
    return Path(base) / name


def cache_limit() -> int:
    """Return the maximum bytes of one such folder, by ``IRVIEWER_CACHE_LIMIT`` or the setting ``cache_limit_gb``."""
    limit = os.environ.get(LIMIT_VARIABLE, "")
    if limit.isdecimal():
        return int(limit)
    gigabytes = _setting("cache_limit_gb")
    usable = isinstance(gigabytes, int | float) and 0 <= gigabytes < 1e6
    return int((gigabytes if usable else DEFAULT_LIMIT_GB) * 1e9)


def used(path: Path) -> None:
    """Set the access time of a file to now, as the least recently used ones are removed first."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))


def is_private(path: Path) -> bool:
    """Return True if only the user can write a file of the cache. Others are not mapped into memory: reading a mapped
    file that gets shorter ends the process. Our own are never changed in place. Raises OSError."""
    about = path.stat(follow_symlinks=False)
    if not stat.S_ISREG(about.st_mode):
        return False
    return os.name != "posix" or (about.st_uid == os.getuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def trim(folder: Path, limit: int, keep: set[Path]) -> None:
    """Remove the least recently used files until at most ``limit`` bytes are left; never those of ``keep``."""
    files = []
    for path in folder.glob("*"):
        with contextlib.suppress(OSError):
            about = path.stat()
            files.append((max(about.st_atime, about.st_mtime), about.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit:
            return
        if path not in keep:
            with contextlib.suppress(OSError):
                path.unlink()
                total -= size

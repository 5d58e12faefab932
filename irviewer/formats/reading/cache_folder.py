"""Where what can be made again is kept between sessions: the user's cache folder, with a limit to what lies there.

Knows nothing of what is kept."""

from __future__ import annotations

import contextlib
import json
import os
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
    """True where nothing of what is read may be written down: ``IRVIEWER_CONFIDENTIAL`` says so, or the person's
    settings do, be it the window that reads, the command line or Python."""
    return os.environ.get(CONFIDENTIAL_VARIABLE, "") not in ("", "0") or _setting("confidential") is True


def _setting(key: str) -> Any:
    """A value of the settings file, whose table is in ``session.settings``; None where it holds none."""
    try:
        return json.loads(settings_path().read_bytes()).get(key)
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


def cache_folder(name: str) -> Path:
    """The folder for one sort of thing, which may not be there yet; ``IRVIEWER_CACHE_DIR`` says where else. Where
    nothing may be kept it is one that never is there and cannot be made."""
    if is_confidential():
        return Path(os.devnull) / name
    base = os.environ.get(DIRECTORY_VARIABLE) or platformdirs.user_cache_dir("irviewer", appauthor=False)
    return Path(base) / name


def cache_limit() -> int:
    """How many bytes may lie in one such folder: what ``IRVIEWER_CACHE_LIMIT`` says, or the setting
    ``cache_limit_gb``."""
    told = os.environ.get(LIMIT_VARIABLE, "")
    if told.isdecimal():
        return int(told)
    gigabytes = _setting("cache_limit_gb")
    usable = isinstance(gigabytes, int | float) and 0 <= gigabytes < 1e6
    return int((gigabytes if usable else DEFAULT_LIMIT_GB) * 1e9)


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

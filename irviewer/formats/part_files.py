"""Incomplete files that are written beside their target, and removed at a later start if the program was killed
meanwhile.

Their names hold the computer and the process that writes them: ``.report.html.1f3a-4711-x8k2m1qz.part``."""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from pathlib import Path

SUFFIX = ".part"


def part_prefix(name: str) -> str:
    """Return the beginning of the name of an incomplete file for ``tempfile.mkstemp``; it ends with ``SUFFIX``."""
    return f".{name[:40]}.{_here()}-{os.getpid()}-"


def sweep_parts(folder: Path) -> None:
    """Remove the incomplete files in a folder whose processes have ended. Called on any thread."""
    pattern = re.compile(rf"\..*\.{_here()}-(\d+)-[a-z0-9_]{{8}}{re.escape(SUFFIX)}", re.DOTALL)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = pattern.fullmatch(entry.name)
            if match is None or is_running(int(match[1])):
                continue
            with contextlib.suppress(OSError):
                if entry.is_file(follow_symlinks=False):
                    Path(entry.path).unlink()


def is_running(process: int) -> bool:
    """Return whether a process of this number may be running; True where that cannot be asked."""
    if os.name != "posix":
        return True  # on Windows the question would end it
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # it belongs to another user
    return True


def _here() -> str:
    """Return the part of names that stands for this computer: in a folder of a network, others write too."""
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{zlib.crc32(name.encode('utf-8', 'surrogateescape')) & 0xFFFF:04x}"

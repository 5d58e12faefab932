"""What a command does after an exception that nobody expected: it writes a report into a file, prints one line, and
ends with a status that no result has."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from irviewer import __version__
from irviewer.errors import printable
from irviewer.formats.reading.cache_folder import cache_folder
from irviewer.translation import tr

UNEXPECTED = 70
"""The exit status after a mistake of the program (EX_SOFTWARE of sysexits.h): no command's result has it."""
FOLDER = "faults"
MOST_KEPT = 20
"""Reports that are kept; older ones are removed."""


def report_fault(error: BaseException, arguments: Sequence[str]) -> int:
    """Write a report of an exception into a file, print one line that names the file, and return UNEXPECTED."""
    said = printable(" ".join(str(error).split()))[:200]
    kind = f"{type(error).__name__}: {said}" if said else type(error).__name__
    path = _write(_report(error, arguments))
    if path is None:
        line = tr("irviewer: unexpected error, a fault of the program ({kind}); no report could be written", kind=kind)
    else:
        line = tr("irviewer: unexpected error, a fault of the program ({kind}); report: {file}", kind=kind, file=path)
    with suppress(OSError, ValueError):
        print(line, file=sys.stderr)
    return UNEXPECTED


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    lines = [
        f"irviewer {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"arguments: {list(arguments)!r}",
        "",
        *traceback.format_exception(error),
    ]
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def _write(text: str) -> Path | None:
    """Write the report where only the user can read it, and return its path; None where nothing can be written or
    nothing may be stored."""
    data = text.encode("utf-8", "backslashreplace")
    folder = cache_folder(FOLDER)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        begin = time.strftime("%Y%m%d-%H%M%S-")
        handle, name = tempfile.mkstemp(".txt", begin, folder)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        others = sorted(set(folder.glob("*.txt")) - {Path(name)}, key=lambda path: path.stat().st_mtime_ns)
        for old in others[: len(others) - MOST_KEPT + 1]:
            old.unlink(missing_ok=True)
        return Path(name)
    return None

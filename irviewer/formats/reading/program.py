"""Which program this is, so that data cached by one version is not used by another: all sources except those of the
window count, so that no version number has to be raised by hand."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from irviewer.formats.reading.file_state import CHANGE_TIME
from irviewer.translation import current_language
from irviewer.version import BEGAN, VERSION

NAME = "sources.digest"
"""The file in the package's folder with the digest in a bundle, whose sources are not files."""
_ABOVE = ("gui", "resources")
COARSE = 10_000_000
"""Nanoseconds: file systems that only write such times have coarse clocks (FAT), or the times are those of an image
(squashfs), and an image that was made anew may have the same ones."""


def package() -> Path:
    """Return the folder of the package ``irviewer``."""
    return Path(__file__).parents[2]


def sources_digest(folder: Path) -> str:
    """Return a digest of the names and texts of all sources of the package in ``folder`` except those of the window.
    Raises OSError."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    digest = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if relative.parts[0] not in _ABOVE:
            text = path.read_bytes()
            digest.update(f"{relative.as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def sources_state(folder: Path, began: int | None = None) -> str:
    """Return the names, sizes and times of the same files, which change with them: they are read in a fifth of the time
    of their texts, which each process that uses the cache would wait for. Return ``sources_digest`` where the times may
    stay the same, and "" if a file changed since ``began``, in nanoseconds: the process may have loaded it before.
    Raises OSError."""
    about = _about(folder)
    if began is not None and any(changed > began for *_, changed in about):
        return ""
    return repr(about) if CHANGE_TIME and any(changed % COARSE for *_, changed in about) else sources_digest(folder)


def _about(folder: Path) -> list[tuple[str, int, int, int]]:
    """Return path, size, time and time of change of the same files, sorted."""
    files = [entry for top in _entries(folder) if top.name not in _ABOVE for entry in _files(top)]
    stats = [(entry.path, entry.stat()) for entry in files if entry.name.endswith(".py")]
    return sorted(
        (path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns if CHANGE_TIME else stat.st_mtime_ns)
        for path, stat in stats
    )


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)


def _files(entry: os.DirEntry[str]) -> Iterator[os.DirEntry[str]]:
    """Yield an entry that is a file, or the files in a folder."""
    if entry.name == "__pycache__":
        return
    if not entry.is_dir():
        yield entry
        return
    for inner in _entries(entry.path):
        yield from _files(inner)


@cache
def program() -> str:
    """Return a digest of the state of the sources (in a bundle of their texts, which are no files there), the libraries
    and the language; "" if it is unknown, or the sources are other ones by now: nothing is cached then."""
    from hashlib import blake2b  # it loads OpenSSL, 3.5 MB

    folder = package()
    try:
        bundled = not (folder / "formats" / "reading" / "program.py").is_file()
        sources = (folder / NAME).read_text("ascii").strip() if bundled else sources_state(folder, BEGAN)
    except (OSError, ValueError):
        return ""
    about = (VERSION, sys.byteorder, sources, np.__version__, pa.__version__, current_language())
    return blake2b(repr(about).encode(), digest_size=8).hexdigest() if sources else ""

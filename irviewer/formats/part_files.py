"""Incomplete files that are written beside their target, and folders for a while; removed at a later start if the
program was killed meanwhile.

Their names hold the computer and the process that writes them: ``.report.html.1f3a-4711-x8k2m1qz.part``."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

SUFFIX = ".part"


def part_prefix(name: str) -> str:
    """Return the beginning of the name of an incomplete file for ``tempfile.mkstemp``; it ends with ``SUFFIX``."""
    return f".{name[:40]}.{_here()}-{os.getpid()}-"


@contextlib.contextmanager
def file_to_replace(place: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Give a new file beside ``place``, which it replaces at the end with the permissions ``mode`` (None: its owner's
    only), where the file system has any; after an exception it is removed. Raises OSError if it cannot be made."""
    handle, name = tempfile.mkstemp(prefix=part_prefix(place.name), suffix=SUFFIX, dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        if mode is not None:
            with contextlib.suppress(OSError):
                Path(name).chmod(mode)
        Path(name).replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


@contextlib.contextmanager
def folder_for_a_while(parent: str | os.PathLike[str], name: str = "irviewer") -> Iterator[Path]:
    """Give a new folder within another one, which is removed at the end, however that comes; the folders of this name
    that processes left which were killed are removed first. Raises OSError if it cannot be made."""
    sweep_parts(Path(parent), name)
    folder = tempfile.mkdtemp(prefix=part_prefix(name), suffix=SUFFIX, dir=parent)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_parts(folder: Path, name: str = "") -> None:
    """Remove the incomplete files in a folder whose processes have ended, and their folders of a name. Called on any
    thread."""
    pattern = re.compile(rf"\..*\.{_here()}-(\d+)-[a-z0-9_]{{8}}{re.escape(SUFFIX)}", re.DOTALL)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            match = pattern.fullmatch(entry.name)
            if match is None or is_running(int(match[1])):
                continue
            with contextlib.suppress(OSError):
                if entry.is_file(follow_symlinks=False):
                    Path(entry.path).unlink()
                elif name and entry.is_dir(follow_symlinks=False) and entry.name.startswith(f".{name}."):
                    shutil.rmtree(entry.path, ignore_errors=True)


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

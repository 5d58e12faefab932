"""How much work something is, counted instead of timed: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BufferedReader, FileIO
from pathlib import Path
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, of Python and of C, those among it that Qt calls, by this thread."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    former = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(former)
    return count


class CountedFile:
    """Stands for a path that is opened to be read: how often it was, and how many bytes came from the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.opened = 0
        self.read = 0

    def open(self, mode: str) -> BufferedReader:
        """The file; only ``rb``."""
        assert mode == "rb"
        self.opened += 1
        return BufferedReader(_Counted(self), 8192)

    def __str__(self) -> str:
        return str(self._path)

    __fspath__ = __str__


class _Counted(FileIO):
    def __init__(self, counts: CountedFile) -> None:
        super().__init__(str(counts), "rb")
        self._counts = counts

    def readinto(self, buffer: object) -> int | None:  # type: ignore[override]
        n_read = super().readinto(buffer)  # type: ignore[arg-type]
        self._counts.read += n_read or 0
        return n_read

    def readall(self) -> bytes:
        content = super().readall()
        self._counts.read += len(content)
        return content

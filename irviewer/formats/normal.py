"""Text as a regular file would have it: one space between columns, none at the ends of lines, no comments.

A part at a time, so that a large file is never held together. Knows bytes, not columns."""

from __future__ import annotations

import re
from typing import Any

from irviewer.formats.sizes import SIZES, Sizes

_SPACES = bytes.maketrans(b"\t\r\f\v", b"    ")


def normalised(data: bytes) -> bytes:
    """Whole lines, normalised; blank ones may stay as empty lines."""
    if b"#" in data:
        data = re.sub(rb"^#[^\n]*\n?", b"", data, flags=re.MULTILINE)
    data = data.translate(_SPACES)
    while b"  " in data:  # halved each time: replacing is much faster than a pattern
        data = data.replace(b"  ", b" ")
    return data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def comments_of(data: bytes) -> list[str]:
    """The ``#`` lines without their sign."""
    found = re.finditer(rb"^#(.*)$", data, re.MULTILINE) if b"#" in data else ()
    return [match[1].decode("utf-8", "replace").rstrip("\r") for match in found]


class Normalised:
    """A stream of the normalised lines of another stream, and the ``comments`` met on the way."""

    def __init__(self, stream: Any, sizes: Sizes = SIZES) -> None:
        self._sizes = sizes
        self.comments: list[str] = []
        self._stream = stream
        self._rest = b""
        self._ready = memoryview(b"")
        self._ended = False

    def readinto(self, into: memoryview) -> int:
        """Fill what there is; 0 at the end."""
        while not self._ready and not self._ended:
            block = self._stream.read(self._sizes.lines)
            self._ended = not block
            if len(self._rest) > self._sizes.line:
                raise ValueError("a line of megabytes")  # put together anew with each part it would take for ever
            lines = self._rest + block
            cut = len(lines) if self._ended else lines.rfind(b"\n") + 1
            lines, self._rest = lines[:cut], lines[cut:]
            self.comments += comments_of(lines)
            self._ready = memoryview(normalised(lines))
        count = min(len(into), len(self._ready))
        into[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

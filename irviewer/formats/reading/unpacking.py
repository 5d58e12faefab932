"""Compressed bytes undone as a stream, within a budget: a file of some kilobytes must not fill the memory.

What a search engine writes packs three to twenty times, what a program counts up a hundred times. What grows far
beyond that was made to, or holds no ranking."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

ROOM = 48 << 20
"""So many bytes may come out of any compressed file."""

RATIO = 100
"""So many times its size may come out of a larger one."""

WHOLE_ROOM, WHOLE_RATIO = 16 << 20, 30
"""The same of what is held together."""

XZ_MEMORY = 256 << 20
"""So many bytes an xz stream may ask for to be undone: its header says how much, and 65 MB are for the strongest."""

_XZ = b"\xfd7zXZ\x00"
LZ4 = b"\x04\x22\x4d\x18"
MAGIC = {
    b"\x1f\x8b": "gzip", b"BZh": "bzip2", _XZ: "xz", b"\x28\xb5\x2f\xfd": "zstd", LZ4: "lz4",
}  # fmt: skip
_ARROWS = {"gzip": "gzip", "bzip2": "bz2", "zstd": "zstd", "lz4": "lz4"}
"""Compressions that Arrow undoes, by its names for them."""

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException)
"""What reading a stream raises where the stream is broken."""

_PIECE = 1 << 20


class TooMuchError(OSError):
    """More comes out of a compressed stream than its budget allows."""


def compression_of(begin: bytes) -> str:
    """The name of the compression that bytes begin with; "" for none."""
    return next((name for sign, name in MAGIC.items() if begin.startswith(sign)), "")


def budget(packed: int) -> int:
    """How many bytes may come out of so many compressed ones, where they are looked at part by part."""
    return max(ROOM, RATIO * packed)


def whole_budget(packed: int) -> int:
    """The same where they are held together, and become objects: those take fifty times the bytes that their text
    does."""
    return max(WHOLE_ROOM, WHOLE_RATIO * packed)


class Unpacked(io.RawIOBase):
    """What comes out of a compressed stream, at most ``most`` bytes: what asks for more raises TooMuchError."""

    def __init__(self, source: Any, most: int) -> None:
        super().__init__()
        self._source = source
        self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        got: int = self._source.readinto(into)
        self._take(got)
        return got

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return self.readall()
        found: bytes = self._source.read(size)
        self._take(len(found))
        return found

    def readall(self) -> bytes:
        # What a BytesIO holds is handed out as it is: joined pieces would be there twice.
        whole = io.BytesIO()
        while piece := self.read(_PIECE):
            whole.write(piece)
        return whole.getvalue()

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()

    def _take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise TooMuchError("more comes out of it than any ranking of that size would hold")


def unpacked_file(path: str, compression: str, packed: int) -> Unpacked:
    """The stream of a compressed file of ``packed`` bytes. Reading it raises ``BROKEN``."""
    if compression in _ARROWS:
        return Unpacked(pa.CompressedInputStream(pa.OSFile(path), _ARROWS[compression]), budget(packed))
    return Unpacked(_Xz(Path(path).open("rb")), budget(packed))


def unpacked_bytes(data: bytes, compression: str, most: int) -> Unpacked:
    """The stream of compressed bytes, at most ``most`` of them, by Python's own libraries where it has them: they say
    best what is wrong."""
    source: Any
    if compression == "gzip":
        source = gzip.GzipFile(fileobj=io.BytesIO(data))
    elif compression == "bzip2":
        source = bz2.BZ2File(io.BytesIO(data))
    elif compression == "xz":
        source = _Xz(io.BytesIO(data))
    else:
        source = pa.CompressedInputStream(pa.BufferReader(data), compression)
    return Unpacked(source, most)


class _Xz:
    """What xz streams hold one after the other, undone in bounded memory (``lzma.LZMAFile`` knows no bound)."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._undone = _decompressor()
        self._rest = b""

    def read(self, size: int) -> bytes:
        found = []
        while size and (piece := self._some(size)):
            found.append(piece)
            size -= len(piece)
        return b"".join(found)

    def _some(self, size: int) -> bytes:
        while True:
            if self._undone.eof and not self._next():
                return b""
            if self._undone.needs_input and not self._rest:
                self._rest = self._source.read(_PIECE)
                if not self._rest:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            given, self._rest = self._rest, b""
            if found := self._undone.decompress(given, size):
                return found

    def readinto(self, into: Any) -> int:
        found = self.read(len(into))
        into[: len(found)] = found
        return len(found)

    def close(self) -> None:
        self._source.close()

    def _next(self) -> bool:
        """Whether another stream follows, which is begun then; padding and rubbish that is none is passed over."""
        rest = self._undone.unused_data
        while len(rest := rest.lstrip(b"\0")) < len(_XZ) and (piece := self._source.read(_PIECE)):
            rest += piece
        if not rest.startswith(_XZ):
            return False
        self._rest, self._undone = rest, _decompressor()
        return True


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_AUTO, memlimit=XZ_MEMORY)

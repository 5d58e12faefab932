"""Decompression as a stream within a budget, so that a file of some kilobytes cannot fill the memory.

Rankings of search engines have a ratio of 3 to 20, generated ones up to 100. Files far beyond that are no rankings."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from irviewer.translation import tr

ROOM = 48 << 20
"""Bytes that any compressed file may have when decompressed."""

RATIO = 100
"""The allowed ratio of decompressed to compressed size of a larger file."""

WHOLE_ROOM, WHOLE_RATIO = 16 << 20, 30
"""The same limits for files that are decompressed in memory."""

XZ_MEMORY = 256 << 20
"""Bytes of memory that an xz stream may need, by its header; the strongest compression needs 65 MB."""

_XZ = b"\xfd7zXZ\x00"
LZ4 = b"\x04\x22\x4d\x18"
MAGIC = {
    b"\x1f\x8b": "gzip", b"BZh": "bzip2", _XZ: "xz", b"\x28\xb5\x2f\xfd": "zstd", LZ4: "lz4",
}  # fmt: skip
_ARROWS = {"gzip": "gzip", "bzip2": "bz2", "zstd": "zstd", "lz4": "lz4"}
"""Compressions that Arrow decompresses, with Arrow's names."""

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException)
"""The exceptions of reading a damaged stream."""

_PIECE = 1 << 20


class TooMuchError(OSError):
    """A compressed stream is larger than its budget."""


def compression_of(begin: bytes) -> str:
    """Return the name of the compression of a file with this beginning; "" for none."""
    return next((name for sign, name in MAGIC.items() if begin.startswith(sign)), "")


def budget(packed: int) -> int:
    """Return the bytes that ``packed`` compressed bytes may have when they are read part by part."""
    return max(ROOM, RATIO * packed)


def whole_budget(packed: int) -> int:
    """Return the same for data that is in memory as a whole and becomes objects, which need 50 times as much memory."""
    return max(WHOLE_ROOM, WHOLE_RATIO * packed)


class Unpacked(io.RawIOBase):
    """A decompressed stream of at most ``most`` bytes; reading more raises TooMuchError."""

    def __init__(self, source: Any, most: int) -> None:
        super().__init__()
        self._source = source
        self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        n_read: int = self._source.readinto(into)
        self._take(n_read)
        return n_read

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            return self.readall()
        data: bytes = self._source.read(size)
        self._take(len(data))
        return data

    def readall(self) -> bytes:
        # A BytesIO returns its buffer without a copy; joined pieces would be in memory twice.
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
            raise TooMuchError(tr("it is larger than any ranking of that compressed size"))


def unpacked_file(path: str, compression: str, packed: int) -> Unpacked:
    """Return the decompressed stream of a file of ``packed`` bytes. Reading it raises ``BROKEN``."""
    if compression in _ARROWS:
        return Unpacked(pa.CompressedInputStream(pa.OSFile(path), _ARROWS[compression]), budget(packed))
    return Unpacked(_Xz(Path(path).open("rb")), budget(packed))


def unpacked_bytes(data: bytes, compression: str, most: int) -> Unpacked:
    """Return the decompressed stream of bytes, at most ``most``, by Python's own libraries if possible, which have the
    better error messages."""
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
    """Concatenated xz streams, decompressed in bounded memory (``lzma.LZMAFile`` has no limit)."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._undone = _decompressor()
        self._rest = b""

    def read(self, size: int) -> bytes:
        pieces = []
        while size and (piece := self._some(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _some(self, size: int) -> bytes:
        while True:
            if self._undone.eof and not self._next():
                return b""
            if self._undone.needs_input and not self._rest:
                self._rest = self._source.read(_PIECE)
                if not self._rest:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            compressed, self._rest = self._rest, b""
            if data := self._undone.decompress(compressed, size):
                return data

    def readinto(self, into: Any) -> int:
        data = self.read(len(into))
        into[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._source.close()

    def _next(self) -> bool:
        """Begin the next stream and return True if there is one; padding and other data is skipped."""
        rest = self._undone.unused_data
        while len(rest := rest.lstrip(b"\0")) < len(_XZ) and (piece := self._source.read(_PIECE)):
            rest += piece
        if not rest.startswith(_XZ):
            return False
        self._rest, self._undone = rest, _decompressor()
        return True


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_AUTO, memlimit=XZ_MEMORY)

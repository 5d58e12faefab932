"""From a path to text bytes: compression by magic number, byte-order marks, and encodings that are not UTF-8.

The only place that decompresses and decodes; readers get UTF-8 bytes without a mark: all of them, or, of a large file,
its beginning and a stream of the rest, so that nobody needs to hold what is read once."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import stat
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from irviewer.errors import ParseError

STANDARD_INPUT = "-"
BINARY = "binary"

_LZ4 = b"\x04\x22\x4d\x18"
_MAGIC = {
    b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd", _LZ4: "lz4",
}  # fmt: skip
# What begins so is a table of columns, never text.
_BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le", b"\0\0\xfe\xff": "utf-32-be", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be",
}  # fmt: skip


# What stands before the first look: formats are told apart by this much.
HEAD = 1 << 16
# A smaller file is read at once.
LARGE = 1 << 20
# Compressions that Arrow undoes in a stream, by its names for them.
_STREAMS = {"gzip": "gzip", "bzip2": "bz2", "zstd": "zstd", "lz4": "lz4"}
_BOM = codecs.BOM_UTF8
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException)
"""What reading a stream raises where the stream is broken."""


class Opened:
    """A file's text as UTF-8 bytes, and how it was found: ``compression`` ("" for none) and ``encoding``, which is
    ``BINARY`` where the bytes are no text and stand as they are (Parquet, Arrow, CBOR)."""

    def __init__(self, path: str, data: bytes | None, compression: str, encoding: str) -> None:
        self.path = path
        self.compression = compression
        self._data = data
        self._encoding = encoding

    @property
    def data(self) -> bytes:
        """All of it. Whoever can do with ``head`` and ``stream`` leaves a large file's memory alone."""
        assert self._data is not None
        return self._data

    @property
    def at_hand(self) -> bool:
        """True where all of it was read already."""
        return self._data is not None

    @property
    def encoding(self) -> str:
        """The name of the encoding, with what is a guess said to be one."""
        return self._encoding

    @property
    def head(self) -> bytes:
        """The first 64 kB."""
        return self.data[:HEAD]

    @property
    def whole(self) -> bool:
        """True where ``head`` is all there is."""
        return len(self.data) <= HEAD

    @property
    def binary(self) -> bool:
        """True where the bytes are no text."""
        return self._encoding == BINARY

    @property
    def likely_size(self) -> int:
        """About how many bytes of text there are; a compressed file is taken for a sixth of its text."""
        return len(self.data)

    def stream(self) -> Any:
        """A file-like object with the bytes from the first on. Of a file that was not read yet, they are as they stand
        there, which is what ``data`` holds only where they are UTF-8 and end lines with a line feed. Reading it raises
        ``BROKEN``; ``data`` then raises the ParseError."""
        return io.BytesIO(self.data)

    def with_data(self, data: bytes) -> Opened:
        """The same file with other text."""
        return Opened(self.path, data, self.compression, self.encoding)

    def note_encoding(self, encoding: str) -> None:
        """For whoever has read the whole stream and knows it now."""
        self._encoding = self._encoding or encoding


class _OnDisk(Opened):
    """A large file, of which only the beginning was read."""

    def __init__(self, path: str, compression: str, head: bytes, skip: int, size: int) -> None:
        super().__init__(path, None, compression, "utf-8 with a byte-order mark" if skip else "")
        self._head = head
        self._skip = skip
        self._size = size

    @property
    def data(self) -> bytes:
        if self._data is None:
            found = _read_whole(self.path)
            self._data, self._encoding = found.data, found.encoding
        return self._data

    @property
    def encoding(self) -> str:
        if not self._encoding:
            self._encoding = self._find_encoding()
        return self._encoding

    @property
    def head(self) -> bytes:
        return self._head if self._data is None else self._data[:HEAD]

    @property
    def whole(self) -> bool:
        return False

    @property
    def binary(self) -> bool:
        return False

    @property
    def likely_size(self) -> int:
        return self._size * 6 if self.compression else self._size

    def stream(self) -> Any:
        if self._data is not None:
            return io.BytesIO(self._data)
        found = _stream(self.path, self.compression)
        found.read(self._skip)
        return found

    def _find_encoding(self) -> str:
        encoding, decoder = "ascii", codecs.getincrementaldecoder("utf-8")()
        with suppress(*BROKEN), self.stream() as stream:
            while block := stream.read(LARGE):
                if not block.isascii() or encoding != "ascii":
                    encoding = "utf-8"
                    decoder.decode(block)
            decoder.decode(b"", final=True)
            return encoding
        assert self.data  # which says what it is taken for
        return self._encoding


def open_bytes(path: str | Path) -> Opened:
    """Read, decompress, and bring to UTF-8. ``-`` is standard input. A large file is read when it is asked for.

    Raises ParseError where the file cannot be read or its compressed stream is broken."""
    return _later(str(path)) or _read_whole(path)


def _later(path: str) -> Opened | None:
    """A large plain file with its beginning, or None for one that must be looked at as a whole."""
    if path == STANDARD_INPUT:
        return None
    with suppress(*BROKEN):
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size < LARGE:
            return None
        with Path(path).open("rb") as file:
            magic = file.read(6)
        compression = next((name for sign, name in _MAGIC.items() if magic.startswith(sign)), "")
        if compression and compression not in _STREAMS:
            return None
        with _stream(path, compression) as stream:
            head = stream.read(HEAD + len(_BOM))
        skip = len(_BOM) if head.startswith(_BOM) else 0
        head = head[skip : skip + HEAD]
        if len(head) == HEAD and _is_plain(head):
            return _OnDisk(path, compression, head, skip, found.st_size)
    return None


def _is_plain(head: bytes) -> bool:
    """True for the beginning of text that needs no change, as far as one can see."""
    if b"\0" in head or head.startswith((*_BINARY, *_MARKS, _LZ4)) or is_cbor_map(head):
        return False
    if b"\r" in head and b"\n" not in head:
        return False
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(head)  # its last character may be cut
        return True
    return False


def _stream(path: str, compression: str) -> Any:
    if compression:
        return pa.CompressedInputStream(pa.OSFile(path), _STREAMS[compression])
    return Path(path).open("rb", buffering=0)


def _read_whole(path: str | Path) -> Opened:
    raw = _read(path)
    compression = next((name for magic, name in _MAGIC.items() if raw.startswith(magic)), "")
    if compression:
        raw = _decompress(path, raw, compression)
        if raw.startswith(_LZ4):  # ranx writes a frame into a frame
            raw = _decompress(path, raw, "lz4")
    if raw.startswith(_BINARY) or (compression == "lz4" and is_cbor_map(raw)):
        return Opened(str(path), raw, compression, BINARY)
    data, encoding = _decode(path, raw)
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # the line ends of old Macs
    return Opened(str(path), data, compression, encoding)


def is_cbor_map(raw: bytes) -> bool:
    """True where the first byte opens a CBOR map, which no UTF-8 text begins with."""
    return bool(raw) and 0xA0 <= raw[0] <= 0xBF


def _read(path: str | Path) -> bytes:
    if str(path) == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        with Path(path).open("rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode) and not file.isatty() and str(path) != os.devnull:
                raise ParseError(path, "this is a device, not a file")  # some of them never end
            return file.read()
    except FileNotFoundError as error:
        raise ParseError(path, "there is no such file") from error
    except IsADirectoryError as error:
        raise ParseError(path, "this is a folder, not a file") from error
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte in it
        raise ParseError(path, f"the file cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _decompress(path: str | Path, raw: bytes, compression: str) -> bytes:
    try:
        if compression == "gzip":
            return gzip.decompress(raw)
        if compression == "bzip2":
            return bz2.decompress(raw)
        if compression == "xz":
            return lzma.decompress(raw)
        with pa.CompressedInputStream(pa.BufferReader(raw), compression) as stream:
            return bytes(stream.read())
    except BROKEN as error:
        raise ParseError(path, f"the {compression} stream is broken: {error}", hint="fetch the file again") from error


def _unmarked(raw: bytes) -> list[str]:
    """Encodings of two bytes a character that the null bytes at the beginning speak for: Latin text has them at every
    other place."""
    begin = raw[:4096]
    if begin.count(0) < len(begin) / 4:
        return []
    even, odd = begin[::2].count(0), begin[1::2].count(0)
    return ["utf-16-be"] if odd * 8 < even else ["utf-16-le"] if even * 8 < odd else []


def _decode(path: str | Path, raw: bytes) -> tuple[bytes, str]:
    mark = raw.startswith(b"\xef\xbb\xbf")
    raw = raw[3:] if mark else raw
    for sign, codec in _MARKS.items():
        if raw.startswith(sign):
            try:
                return raw[len(sign) :].decode(codec).encode("utf-8"), codec
            except UnicodeError as error:
                raise ParseError(
                    path, f"the file begins like {codec} but is not: {error}", hint="save it as UTF-8"
                ) from error  # fmt: skip
    for codec in _unmarked(raw):
        with suppress(UnicodeError):
            return raw.decode(codec).encode("utf-8"), f"{codec} without a byte-order mark"
    if raw.isascii() and not mark:
        return raw, "ascii"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        # Every byte string is Latin-1, so this never fails; the report says that it was a guess.
        return raw.decode("latin-1").encode("utf-8"), "latin-1 (a guess: the bytes are not UTF-8)"
    return raw, "utf-8 with a byte-order mark" if mark else "utf-8"

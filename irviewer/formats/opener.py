"""From a path to text bytes: compression by magic number, byte-order marks, and encodings that are not UTF-8.

The only place that decompresses and decodes; readers get UTF-8 bytes without a mark."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

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
_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True)
class Opened:
    """A file's text as UTF-8 bytes, and how it was found: ``compression`` ("" for none) and ``encoding``, which is
    ``BINARY`` where the bytes are no text and stand as they are (Parquet, Arrow, CBOR)."""

    path: str
    data: bytes
    compression: str
    encoding: str


def open_bytes(path: str | Path) -> Opened:
    """Read, decompress, and bring to UTF-8. ``-`` is standard input.

    Raises ParseError where the file cannot be read or its compressed stream is broken."""
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
        return Path(path).read_bytes()
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
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, pa.ArrowException) as error:
        raise ParseError(path, f"the {compression} stream is broken: {error}", hint="fetch the file again") from error


def _decode(path: str | Path, raw: bytes) -> tuple[bytes, str]:
    mark = raw.startswith(b"\xef\xbb\xbf")
    raw = raw[3:] if mark else raw
    for sign, codec in _MARKS.items():
        if raw.startswith(sign):
            try:
                return raw[2:].decode(codec).encode("utf-8"), codec
            except UnicodeError as error:
                raise ParseError(path, f"the file begins like {codec} but is not: {error}") from error
    if raw.isascii() and not mark:
        return raw, "ascii"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        # Every byte string is Latin-1, so this never fails; the report says that it was a guess.
        return raw.decode("latin-1").encode("utf-8"), "latin-1 (a guess: the bytes are not UTF-8)"
    return raw, "utf-8 with a byte-order mark" if mark else "utf-8"

"""From a path to text bytes: compression by magic number, byte-order marks, and encodings that are not UTF-8.

The only place that decompresses and decodes; readers get UTF-8 bytes without a mark: all of them, or, of a large file,
its beginning and a stream of the rest, so that nobody needs to hold what is read once. What its beginning shows to be
something else is refused before the rest is read, and what the memory cannot hold is refused as well."""

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from irviewer.errors import ParseError
from irviewer.formats.reading.memory import refuse_beyond_memory
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.unpacking import (
    BROKEN,
    LZ4,
    TooMuchError,
    compression_of,
    unpacked_bytes,
    unpacked_file,
    whole_budget,
)
from irviewer.formats.unsupported import refuse_foreign
from irviewer.model.column_names import ColumnChoice

STANDARD_INPUT = "-"
BINARY = "binary"

# What begins so is a table of columns, never text.
_BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le", b"\0\0\xfe\xff": "utf-32-be", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be",
}  # fmt: skip

_BOM = codecs.BOM_UTF8
_GIVEN = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin")
"""Where a shell's process substitution is found."""


class Opened:
    """A file's text as UTF-8 bytes, and how it was found: ``compression`` ("" for none) and ``encoding``, which is
    ``BINARY`` where the bytes are no text and stand as they are (Parquet, Arrow, CBOR). Readers take it by
    ``sizes``, and the columns of a table by ``columns``, where the user has named some."""

    def __init__(self, path: str, data: bytes | None, compression: str, encoding: str, sizes: Sizes = SIZES) -> None:
        self.path = path
        self.compression = compression
        self.sizes = sizes
        self.columns = ColumnChoice()
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
        return self.data[: self.sizes.head]

    @property
    def whole(self) -> bool:
        """True where ``head`` is all there is."""
        return len(self.data) <= self.sizes.head

    @property
    def blank(self) -> bool:
        """True where there is nothing but white space, of a large file at its beginning."""
        if self.head.strip():
            return False
        if self.at_hand:
            return not self.data.strip()
        seen = 0
        with suppress(*BROKEN), self.stream() as stream:
            while seen < self.sizes.blank and (block := stream.read(self.sizes.large)):
                if block.strip():
                    return False
                seen += len(block)
        return True

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

    def line(self, number: int) -> bytes:
        """A line, counted from 1, without its end. Raises IndexError where there are fewer."""
        data, start = self.data, 0
        for _ in range(number - 1):
            start = data.find(b"\n", start) + 1
            if not start:
                raise IndexError(number)
        stop = data.find(b"\n", start)
        return data[start : len(data) if stop < 0 else stop]

    def with_data(self, data: bytes) -> Opened:
        """The same file with other text."""
        return Opened(self.path, data, self.compression, self.encoding, self.sizes)

    def note_encoding(self, encoding: str) -> None:
        """For whoever has read the whole stream and knows it now."""
        self._encoding = self._encoding or encoding


class _OnDisk(Opened):
    """A large file, of which only the beginning was read."""

    def __init__(self, path: str, compression: str, head: bytes, skip: int, size: int, sizes: Sizes) -> None:
        encoding = "utf-8 with a byte-order mark" if skip else ""
        super().__init__(path, None, compression, encoding, sizes)
        self._head = head
        self._skip = skip
        self._size = size

    @property
    def data(self) -> bytes:
        if self._data is None:
            found = _read_whole(self.path, self.sizes)
            self._data, self._encoding = found.data, found.encoding
        return self._data

    @property
    def encoding(self) -> str:
        if not self._encoding:
            self._encoding = self._find_encoding()
        return self._encoding

    @property
    def head(self) -> bytes:
        return self._head if self._data is None else self._data[: self.sizes.head]

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
        found = _stream(self.path, self.compression, self._size)
        if self._skip:
            found.read(self._skip)
        return found

    def _find_encoding(self) -> str:
        encoding, decoder = "ascii", codecs.getincrementaldecoder("utf-8")()
        with suppress(*BROKEN), self.stream() as stream:
            while block := stream.read(self.sizes.large):
                if not block.isascii() or encoding != "ascii":
                    encoding = "utf-8"
                    decoder.decode(block)
            decoder.decode(b"", final=True)
            return encoding
        assert self.data  # which says what it is taken for
        return self._encoding


def open_bytes(path: str | Path, sizes: Sizes = SIZES) -> Opened:
    """Read, decompress, and bring to UTF-8. ``-`` is standard input. A large file is read when it is asked for.

    Raises ParseError where the file cannot be read, is plainly no text, its compressed stream is broken, or it holds
    more than the memory does."""
    return _later(str(path), sizes) or _read_whole(path, sizes)


def _later(path: str, sizes: Sizes) -> Opened | None:
    """A large plain file with its beginning, or None for one that must be looked at as a whole. Raises ParseError where
    the beginning shows that it is something else."""
    if path == STANDARD_INPUT:
        return None
    begin = b""
    with suppress(*BROKEN):
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            return None
        with Path(path).open("rb") as file:
            compression = compression_of(file.read(6))
        if not compression and found.st_size < sizes.large:
            return None
        with _stream(path, compression, found.st_size) as stream:
            begin = stream.read(max(sizes.large, sizes.head + len(_BOM)))
    if len(begin) < sizes.large or begin.startswith((*_BINARY, LZ4)):
        return None
    refuse_foreign(path, _decoded_begin(begin[: sizes.head]))
    skip = len(_BOM) if begin.startswith(_BOM) else 0
    head = begin[skip : skip + sizes.head]
    if len(head) < sizes.head or not _is_plain(head):
        return None
    refuse_beyond_memory(path, found.st_size)
    return _OnDisk(path, compression, head, skip, found.st_size, sizes)


def _is_plain(head: bytes) -> bool:
    """True for the beginning of text that needs no change, as far as one can see."""
    if b"\0" in head or head.startswith((*_BINARY, *_MARKS, LZ4)) or is_cbor_map(head):
        return False
    return not (b"\r" in head and b"\n" not in head) and _is_utf8(head)


def _is_utf8(begin: bytes) -> bool:
    """True for UTF-8 whose last character may be cut."""
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(begin)
        return True
    return False


def _stream(path: str, compression: str, size: int) -> Any:
    return unpacked_file(path, compression, size) if compression else Path(path).open("rb", buffering=0)


def _read_whole(path: str | Path, sizes: Sizes = SIZES) -> Opened:
    raw = _read(path)
    compression = compression_of(raw)
    if compression:
        packed = len(raw)
        raw = _decompress(path, raw, compression, packed)
        if raw.startswith(LZ4):  # ranx writes a frame into a frame
            raw = _decompress(path, raw, "lz4", packed)
    if raw.startswith(_BINARY) or (compression == "lz4" and is_cbor_map(raw)):
        return Opened(str(path), raw, compression, BINARY, sizes)
    data, encoding = _decode(path, raw)
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # the line ends of old Macs
    return Opened(str(path), data, compression, encoding, sizes)


def is_cbor_map(raw: bytes) -> bool:
    """True where the first byte opens a CBOR map, which no UTF-8 text begins with."""
    return bool(raw) and 0xA0 <= raw[0] <= 0xBF


def _read(path: str | Path) -> bytes:
    try:
        if str(path) == STANDARD_INPUT:
            if sys.stdin is None:
                raise ParseError(path, "there is no standard input")
            return _all_of(path, sys.stdin.buffer)
        with Path(path).open("rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode):
                refuse_beyond_memory(path, about.st_size)
                return file.read()
            if _is_device(about.st_mode) and not file.isatty() and str(path) != os.devnull:
                raise ParseError(path, "this is a device, not a file")  # some of them never end
            return _all_of(path, file)
    except FileNotFoundError as error:
        raise ParseError(path, "there is no such file") from error
    except IsADirectoryError as error:
        raise ParseError(path, "this is a folder, not a file") from error
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte in it
        raise ParseError(path, f"the file cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _all_of(path: str | Path, pipe: BinaryIO) -> bytes:
    """What comes through a pipe, which may never end: no more than the memory holds, and what begins as no text does
    is not waited for."""
    whole = io.BytesIO()
    while piece := pipe.read(SIZES.large):
        if not whole.tell() and not compression_of(piece) and not piece.startswith(_BINARY):
            refuse_foreign(path, _decoded_begin(piece[: SIZES.head]))
        whole.write(piece)
        refuse_beyond_memory(path, whole.tell())
    return whole.getvalue()


def _is_device(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def is_given(path: str) -> bool:
    """True for what a shell puts in the place of a file (``-`` and ``<(zcat a.run.gz)``): it is read once, and gone."""
    return path == STANDARD_INPUT or path.startswith(_GIVEN)


def refuse_pipe(path: str) -> None:
    """Raises ParseError for a pipe or device among files that are opened by hand: nobody knows whether it ever says
    anything. What ``is_given`` is wanted."""
    if is_given(path):
        return
    with suppress(OSError, ValueError):
        mode = Path(path).stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ParseError(
                path,
                "this is a device, not a file" if _is_device(mode) else "this is a pipe, not a file",
                hint="a command reads pipes: irviewer evaluate, or irviewer convert, which makes a file of one",
            )


def _decompress(path: str | Path, raw: bytes, compression: str, packed: int) -> bytes:
    most = whole_budget(packed)
    try:
        with unpacked_bytes(raw, compression, most) as stream:
            return stream.readall()
    except TooMuchError as error:
        raise ParseError(
            path,
            f"the {compression} stream holds more than {most:,} bytes, packed into {packed:,}: no ranking is so even",
            hint="if it is one all the same, decompress it yourself and open that",
        ) from error  # fmt: skip
    except BROKEN as error:
        raise ParseError(path, f"the {compression} stream is broken: {error}", hint="fetch the file again") from error


def _decoded_begin(begin: bytes) -> bytes:
    """The beginning of a file as UTF-8, as it is decoded below; its last character may be lost."""
    for sign, codec in _MARKS.items():
        if begin.startswith(sign):
            return begin[len(sign) :].decode(codec, "ignore").encode()
    for codec in _unmarked(begin):
        with suppress(UnicodeError):
            return codecs.getincrementaldecoder(codec)().decode(begin).encode()
    return begin if _is_utf8(begin) else begin.decode("latin-1").encode()


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

"""Opening of files as UTF-8 text: decompression by magic number, byte-order marks, other encodings.

Only this module decompresses and decodes. Readers get UTF-8 bytes without a mark: the whole text, or for a large file
its beginning and a stream, so that it need not be in memory. Files that are not text by their beginning, and files
larger than the memory, are refused before they are read."""

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
from irviewer.formats.reading.workbook import Note, Sheet, Workbook, is_workbook
from irviewer.formats.unsupported import refuse_foreign, refuse_known
from irviewer.model.column_names import ColumnChoice
from irviewer.translation import tr

STANDARD_INPUT = "-"
_ATTEMPTS = 3  # at reading a file that another program writes meanwhile
BINARY = "binary"
LATIN1_GUESS = tr("latin-1 (a guess: the bytes are not UTF-8)")

# The first bytes of tables (Parquet, Arrow), which are not text.
_BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le", b"\0\0\xfe\xff": "utf-32-be", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be",
}  # fmt: skip

_BOM = codecs.BOM_UTF8
_SEPARATOR = b"\x1e"
"""What each text of a JSON sequence begins with (RFC 7464); it stands in no text of theirs."""
_GIVEN = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin")
"""The paths of a shell's process substitution."""


class Opened:
    """A file's text as UTF-8 bytes with its ``compression`` ("" for none) and ``encoding``.

    The encoding is ``BINARY`` if the bytes are not text (Parquet, Arrow, CBOR). Readers use the sizes of parts in
    ``sizes``, and the roles that the user gave to columns in ``columns``. ``first_line`` is the number of the first
    line in its file, more than 1 for a part; ``skip`` the bytes of the file before its text; ``notes`` what is to be
    said of the file beside what its reader says."""

    def __init__(self, path: str, data: bytes | None, compression: str, encoding: str, sizes: Sizes = SIZES) -> None:
        self.path = path
        self.compression = compression
        self.sizes = sizes
        self.columns = ColumnChoice()
        self.first_line = 1
        self.skip = 0
        self.notes: tuple[Note, ...] = ()
        self._data = data
        self._encoding = encoding

    @property
    def data(self) -> bytes:
        """The whole text. Readers of large files use ``head`` and ``stream`` instead, which need less memory."""
        assert self._data is not None
        return self._data

    @property
    def in_memory(self) -> bool:
        """True if the whole text is in memory."""
        return self._data is not None

    @property
    def encoding(self) -> str:
        """The name of the encoding, which says if it is a guess."""
        return self._encoding

    @property
    def encoding_guessed(self) -> bool:
        """True if the bytes are not UTF-8 and were read as Latin-1."""
        return self.encoding == LATIN1_GUESS

    @property
    def head(self) -> bytes:
        """The first 64 kB."""
        return self.data[: self.sizes.head]

    @property
    def whole(self) -> bool:
        """True if ``head`` is the whole text."""
        return len(self.data) <= self.sizes.head

    @property
    def blank(self) -> bool:
        """True if the text is only white space; for a large file, if its beginning is."""
        if self.head.strip():
            return False
        if self.in_memory:
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
        """True if the bytes are not text."""
        return self._encoding == BINARY

    @property
    def likely_size(self) -> int:
        """The estimated size of the text in bytes; compressed text is assumed to be six times as large."""
        return len(self.data)

    def stream(self) -> Any:
        """Return a file-like object with all bytes. For a file that is not in memory they are the file's own, which
        equal ``data`` only for UTF-8 with line feeds. Reading raises ``BROKEN``; ``data`` raises the ParseError."""
        return io.BytesIO(self.data)

    def line(self, number: int) -> bytes:
        """Return a line by its number, without its line end. Raises IndexError if there are fewer lines."""
        data, start = self.data, 0
        for _ in range(number - self.first_line):
            start = data.find(b"\n", start) + 1
            if not start:
                raise IndexError(number)
        stop = data.find(b"\n", start)
        return data[start : len(data) if stop < 0 else stop]

    @property
    def sheets(self) -> list[str]:
        """The names of all sheets of a workbook; none for other files."""
        return []

    def row(self, line: int) -> int:
        """Return the number by which people find a line in the file."""
        return line

    def sheet(self, name: str) -> Opened | None:
        """Return a sheet of a workbook by its name; None without one."""
        return None

    def with_data(self, data: bytes) -> Opened:
        """Return the same file with other text."""
        other = Opened(self.path, data, self.compression, self.encoding, self.sizes)
        other.first_line = self.first_line
        return other

    def refuse_changed(self) -> None:
        """Raise ParseError if the file has changed since it was opened; never for a file whose text is in memory."""

    def note_encoding(self, encoding: str) -> None:
        """Set the encoding, after the whole stream was read."""
        self._encoding = self._encoding or encoding


class _Sheet(Opened):
    """A sheet of a workbook, as CSV."""

    def __init__(self, path: str, workbook: Workbook, sheet: Sheet, sizes: Sizes) -> None:
        super().__init__(path, sheet.data, "", tr("sheet {name} of a workbook", name=sheet.name), sizes)
        self.notes = sheet.notes
        self._workbook = workbook
        self._rows = sheet.rows

    @property
    def sheets(self) -> list[str]:
        return self._workbook.names

    def row(self, line: int) -> int:
        return self._rows[line - 1] if 0 < line <= len(self._rows) else line

    def sheet(self, name: str) -> Opened | None:
        sheet = self._workbook.sheet(name)
        return None if sheet is None else _Sheet(self.path, self._workbook, sheet, self.sizes)


class _OnDisk(Opened):
    """A large file of which only the beginning is in memory."""

    def __init__(
        self, path: str, compression: str, head: bytes, skip: int, about: os.stat_result, sizes: Sizes
    ) -> None:
        encoding = tr("utf-8 with a byte-order mark") if skip else ""
        super().__init__(path, None, compression, encoding, sizes)
        self._head = head
        self.skip = skip
        self._size = about.st_size
        self._state = _state(about)

    @property
    def data(self) -> bytes:
        if self._data is None:
            whole = _read_whole(self.path, self.sizes)
            self.refuse_changed()  # a reader knows its beginning
            self._data, self._encoding = whole.data, whole.encoding
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
        stream = _stream(self.path, self.compression, self._size)
        if self.skip:
            stream.read(self.skip)
        return stream

    def refuse_changed(self) -> None:
        try:
            same = _state(Path(self.path).stat()) == self._state
        except FileNotFoundError as error:
            raise _missing(self.path) from error
        except OSError:
            same = False
        if not same:
            raise changed(self.path)

    def _find_encoding(self) -> str:
        encoding, decoder = "ascii", codecs.getincrementaldecoder("utf-8")()
        with suppress(*BROKEN), self.stream() as stream:
            while block := stream.read(self.sizes.large):
                if not block.isascii() or encoding != "ascii":
                    encoding = "utf-8"
                    decoder.decode(block)
            decoder.decode(b"", final=True)
            return encoding
        assert self.data  # sets the encoding
        return self._encoding


def open_bytes(path: str | Path, sizes: Sizes = SIZES) -> Opened:
    """Open a file as UTF-8 text, decompressed; ``-`` is standard input. A large file is read on demand.

    Raises ParseError if the file cannot be read, is obviously not text, has damaged compression, or is larger than the
    memory."""
    return _open_large(str(path), sizes) or _read_whole(path, sizes)


def _open_large(path: str, sizes: Sizes) -> Opened | None:
    """Return a large UTF-8 file with its beginning; None for a file that must be read whole. Raises ParseError if the
    beginning is of another kind of file."""
    if path == STANDARD_INPUT:
        return None
    begin, least = b"", 1
    with suppress(*BROKEN):
        about = Path(path).stat()
        if not stat.S_ISREG(about.st_mode):
            return None
        with Path(path).open("rb") as file:
            compression = compression_of(file.read(6))
        if not compression and about.st_size < sizes.large:
            return None
        with _stream(path, compression, about.st_size) as stream:
            most = sizes.head + len(_BOM)
            if compression:  # only reading tells the size of the text
                least = sizes.large
            begin = stream.read(max(least, most))
    if len(begin) < least or begin.startswith((*_BINARY, LZ4)) or is_workbook(begin, path):
        return None
    refuse_known(path, begin)
    refuse_foreign(path, _decoded_begin(begin[: sizes.head]))
    skip = len(_BOM) if begin.startswith(_BOM) else 0
    head = begin[skip : skip + sizes.head]
    if len(head) < sizes.head or not _is_plain(head):
        return None
    refuse_beyond_memory(path, about.st_size)
    return _OnDisk(path, compression, head, skip, about, sizes)


def _is_plain(head: bytes) -> bool:
    """Return True if the text with this beginning seems to need no decoding."""
    if b"\0" in head or head.startswith((*_BINARY, *_MARKS, LZ4, _SEPARATOR)) or is_cbor_map(head):
        return False
    return not (b"\r" in head and b"\n" not in head) and _is_utf8(head)


def _is_utf8(begin: bytes) -> bool:
    """Return True for UTF-8 whose last character may be cut."""
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
        if raw.startswith(LZ4):  # ranx writes a frame inside a frame
            raw = _decompress(path, raw, "lz4", packed)
    if raw.startswith(_BINARY) or (compression == "lz4" and is_cbor_map(raw)):
        return Opened(str(path), raw, compression, BINARY, sizes)
    if is_workbook(raw, path):
        workbook = Workbook(path, raw)
        return _Sheet(str(path), workbook, workbook.first(), sizes)
    refuse_known(path, raw)
    data, encoding = _decode(path, raw)
    if b"\r" in data and b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # the line ends of old Macs
    if data.startswith(_SEPARATOR):
        data = data.replace(_SEPARATOR, b"")
    return Opened(str(path), data, compression, encoding, sizes)


def is_cbor_map(raw: bytes) -> bool:
    """Return True if the first byte begins a CBOR map, which UTF-8 text never does."""
    return bool(raw) and 0xA0 <= raw[0] <= 0xBF


def _read(path: str | Path) -> bytes:
    try:
        if str(path) == STANDARD_INPUT:
            if sys.stdin is None:
                raise ParseError(path, tr("there is no standard input"), hint=tr("pipe the file into the command"))
            return _all_of(path, sys.stdin.buffer)
        with Path(path).open("rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode):
                return _regular(path, file, about)
            if _is_device(about.st_mode) and not file.isatty() and str(path) != os.devnull:
                raise ParseError(path, tr("this is a device, not a file"))  # some never end
            return _all_of(path, file)
    except FileNotFoundError as error:
        raise _missing(path) from error
    except IsADirectoryError as error:
        raise ParseError(path, tr("this is a folder, not a file"), hint=tr("name a file inside it")) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte in it
        reason = getattr(error, "strerror", None) or error
        raise ParseError(path, tr("the file cannot be read: {reason}", reason=reason)) from error


def _regular(path: str | Path, file: BinaryIO, about: os.stat_result) -> bytes:
    """Return all bytes, read while the file did not change. Raises ParseError if it changes each time."""
    for _ in range(_ATTEMPTS):
        refuse_beyond_memory(path, about.st_size)
        file.seek(0)
        data = file.read()
        before, about = about, os.fstat(file.fileno())
        if _state(before) == _state(about):
            return data
    raise changed(path)


def _state(about: os.stat_result) -> tuple[int, int, int]:
    return about.st_size, about.st_mtime_ns, about.st_ino  # a copy may have the size and the time


def changed(path: str | Path) -> ParseError:
    """Return the error of a file that changed while it was read."""
    return ParseError(path, tr("the file changed while it was read"), hint=tr("open it again"))


def _missing(path: str | Path) -> ParseError:
    return ParseError(path, tr("the file does not exist"), hint=tr("check the path"))


def _all_of(path: str | Path, pipe: BinaryIO) -> bytes:
    """Return all bytes of a pipe, which may never end: at most as many as the memory holds, and none after a beginning
    that is not text."""
    whole = io.BytesIO()
    while piece := pipe.read(SIZES.large):
        is_packed = compression_of(piece) or piece.startswith(_BINARY) or is_workbook(piece, path)
        if not whole.tell() and not is_packed:
            refuse_known(path, piece)
            refuse_foreign(path, _decoded_begin(piece[: SIZES.head]))
        whole.write(piece)
        refuse_beyond_memory(path, whole.tell())
    return whole.getvalue()


def _is_device(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def is_given(path: str) -> bool:
    """Return True for a path that a shell puts in place of a file (``-``, ``<(zcat a.run.gz)``), readable once."""
    return path == STANDARD_INPUT or path.startswith(_GIVEN)


def refuse_pipe(path: str) -> None:
    """Raise ParseError for a pipe or device, which may never have data, among files that the user opens; the paths of
    ``is_given`` are allowed."""
    if is_given(path):
        return
    with suppress(OSError, ValueError):
        mode = Path(path).stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ParseError(
                path,
                tr("this is a device, not a file") if _is_device(mode) else tr("this is a pipe, not a file"),
                hint=tr("use a command that reads pipes: irviewer evaluate, or irviewer convert, which writes a file"),
            )


def _decompress(path: str | Path, raw: bytes, compression: str, packed: int) -> bytes:
    most = whole_budget(packed)
    try:
        with unpacked_bytes(raw, compression, most) as stream:
            return stream.readall()
    except TooMuchError as error:
        raise ParseError(
            path,
            tr(
                "the {compression} data is more than {most:,} bytes, compressed to {packed:,}: too much for a ranking",
                compression=compression,
                most=most,
                packed=packed,
            ),
            hint=tr("if it is a ranking, decompress it yourself and open the result"),
        ) from error
    except BROKEN as error:
        raise ParseError(
            path,
            tr("the {compression} data is damaged: {error}", compression=compression, error=error),
            hint=tr("download the file again"),
        ) from error


def _decoded_begin(begin: bytes) -> bytes:
    """Return the beginning of a file as UTF-8, decoded as in ``_decode``; its last character may be lost."""
    for sign, codec in _MARKS.items():
        if begin.startswith(sign):
            return begin[len(sign) :].decode(codec, "ignore").encode()
    for codec in _unmarked(begin):
        with suppress(UnicodeError):
            return codecs.getincrementaldecoder(codec)().decode(begin).encode()
    return begin if _is_utf8(begin) else begin.decode("latin-1").encode()


def _unmarked(raw: bytes) -> list[str]:
    """Return the likely UTF-16 encoding of text without a byte-order mark: in Latin text every second byte is null."""
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
                    path,
                    tr("the file has the byte-order mark of {codec} but is not: {error}", codec=codec, error=error),
                    hint=tr("save it as UTF-8"),
                ) from error
    for codec in _unmarked(raw):
        with suppress(UnicodeError):
            return raw.decode(codec).encode("utf-8"), tr("{codec} without a byte-order mark", codec=codec)
    if raw.isascii() and not mark:
        return raw, "ascii"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        # This never fails, as every byte string is Latin-1.
        return raw.decode("latin-1").encode("utf-8"), LATIN1_GUESS
    return raw, tr("utf-8 with a byte-order mark") if mark else "utf-8"

"""Columns of white-space separated text: Arrow where the file is regular, a careful line reader where it is not.

Both give the same columns; the careful one knows the line of every fault. Knows columns, not what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from irviewer.errors import ParseError
from irviewer.formats.reading.arrow_columns import WHOLE, Column, Columns, NotWholeError, Watched, read_regular
from irviewer.formats.reading.opener import Opened
from irviewer.formats.reading.sizes import SIZES, Sizes
from irviewer.formats.reading.unpacking import BROKEN
from irviewer.model.arrays import Floats, Ints, strings

# Text as a regular file would have it: one space between columns, none at the ends of lines, no comments.
#
# A part at a time, so that a large file is never held together. Knows bytes, not columns.

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


__all__ = ["Column", "Columns", "line_numbers", "read_columns"]


def read_columns(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """The wanted columns of a file whose lines have ``width`` columns or more; ``shape`` names them in errors.

    ``#`` in column one begins a comment; blank lines are passed over. Raises ParseError with line, column and text."""
    if opened.blank:
        raise ParseError(opened.path, "the file is empty")
    body, comments = _after_header(opened.head)
    found = None
    if body or opened.whole:
        skip = len(opened.head) - len(body)
        found = _read_stream(opened, opened.stream, skip, body, wanted, width)
    if found is not None:
        opened.note_encoding("ascii" if found[1].ascii else "utf-8")
        return replace(found[0], comments=comments)
    for _ in range(1 if opened.in_memory else 2):
        sources: list[Normalised] = []

        def stream(sources: list[Normalised] = sources) -> Normalised:
            sources.append(Normalised(opened.stream(), opened.sizes))
            return sources[-1]

        begin = normalised(opened.head) if opened.head.strip() else b""
        found = _read_stream(opened, stream, 0, begin, wanted, width)
        if found is not None:
            comments = tuple(sources[-1].comments)
            if all(map(str.isascii, comments)):  # else nobody has looked at their bytes
                opened.note_encoding("ascii" if found[1].ascii else "utf-8")
            return replace(found[0], comments=comments)
        if not opened.in_memory:
            _refuse_beginning(opened, wanted, width, shape)
        assert opened.data is not None  # read as a whole now: the bytes may have had to be decoded
    return _read_lines(opened, wanted, width, shape)


def _read_stream(
    opened: Opened, stream: Callable[[], Any], skip: int, begin: bytes, wanted: Sequence[Column], width: int
) -> tuple[Columns, Watched] | None:
    """The columns by Arrow, of a stream of the file that after ``skip`` bytes begins with ``begin``; or None where
    anything is irregular."""
    delimiter = _delimiter(begin, width, opened.sizes.first)
    kinds: tuple[str | None, ...] = (*WHOLE, None) if any(one.kind == "whole" for one in wanted) else (None,)
    for kind in kinds if delimiter else ():
        columns = [replace(one, kind=kind) if one.kind == "whole" and kind else one for one in wanted]
        source = Watched(stream(), skip, delimiter, sizes=opened.sizes)
        with closing(source), suppress(NotWholeError):
            kept = [one for one in columns if kind or one.kind != "whole"]
            found = read_regular(source, kept, width, delimiter, opened.likely_size)
            return None if found is None else (found, source)
    return None


def line_numbers(opened: Opened, rows: Sequence[int]) -> list[int]:
    """The line numbers, from 1, of data rows (from 0), which are the lines neither blank nor comments."""
    wanted = set(rows)
    found: dict[int, int] = {}
    row = -1
    for number, line in (one for block in _blocks(opened) for one in block):
        if line.startswith(b"#") or not line.strip():
            continue
        row += 1
        if row in wanted:
            found[row] = number
            if len(found) == len(wanted):
                break
    return [found[one] for one in rows if one in found]


def _after_header(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The text after leading comment lines, and those comments."""
    comments, start = [], 0
    while data.startswith(b"#", start):
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        comments.append(data[start + 1 : stop].decode("utf-8", "replace").rstrip("\r"))
        start = stop + 1
    return (data[start:] if start else data), tuple(comments)


def _delimiter(text: bytes, width: int, most: int) -> str:
    """The one delimiter of the first line that parts it into exactly ``width`` columns, or ""."""
    line = text.lstrip(b"\r\n")[:most].split(b"\n", 1)[0].rstrip(b"\r")
    return next((sign for sign in (" ", "\t") if len(line.split(sign.encode())) == width), "")


def _refuse_beginning(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> None:
    """Raises ParseError where the beginning of a large file will not do already, so that nobody reads the rest."""
    begin, most = b"", opened.sizes.begin
    with suppress(*BROKEN), closing(opened.stream()) as stream:
        while len(begin) < most and (block := stream.read(most)):
            begin += block
    if len(begin) < most:  # the stream ended or broke: whoever reads all of it says how
        return
    lines, mark, rest = begin.rpartition(b"\n")
    if not mark:
        text = rest[:100].decode("utf-8", "replace")
        raise ParseError(opened.path, f"a line of {len(rest):,} bytes and more where {shape}", line=1, text=text)
    if any(line.strip() and not line.startswith(b"#") for line in lines.split(b"\n")):
        _read_lines(opened.with_data(lines), wanted, width, shape)


def _read_lines(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """The columns line by line, with the line of every fault; some lines at a time, so that what they are parted into
    is never there of all of them."""
    gathered = [_Cells(one) for one in wanted]
    comments: list[str] = []
    numbers: list[Ints] = []
    extra = n = 0
    for block in _blocks(opened):
        rows: list[list[bytes]] = []
        lines: list[int] = []
        for number, line in block:
            if line.startswith(b"#"):
                comments.append(line[1:].decode("utf-8", "replace").rstrip("\r"))
                continue
            parts = line.split()
            if not parts:
                continue
            if len(parts) < width:
                raise ParseError(
                    opened.path,
                    f"{len(parts)} column{'s' if len(parts) > 1 else ''} where {shape}",
                    line=number,
                    column=len(line.rstrip()) + 1,
                    text=line.decode("utf-8", "replace").strip(),
                )
            extra += len(parts) > width
            rows.append(parts)
            lines.append(number)
        n += len(rows)
        numbers.append(np.array(lines, dtype=np.int64))
        for one in gathered:
            one.add(opened, rows, lines)
    if not n:
        raise ParseError(opened.path, "the file holds comments only")
    found = Columns(n, {}, {}, {}, {}, {}, tuple(comments), extra, np.concatenate(numbers))
    for one in gathered:
        one.put(found)
    return found


def _blocks(opened: Opened) -> Iterator[Iterator[tuple[int, bytes]]]:
    """The lines with their numbers from 1, some thousand at a time."""
    data, size = opened.data, opened.sizes.careful
    number, start = 1, 0
    while start <= len(data):
        stop = data.rfind(b"\n", start, start + size)
        stop = data.find(b"\n", start + size) if stop < 0 else stop  # a line longer than a block, or the last
        stop = len(data) if stop < 0 or start + size >= len(data) else stop
        lines = data[start:stop].split(b"\n")
        yield enumerate(lines, start=number)
        number, start = number + len(lines), stop + 1


class _Cells:
    """The cells of a column, gathered some at a time as what they are kept as."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._names: dict[bytes, int] = {}
        self._parts: list[Any] = []
        self._whole = True

    def add(self, opened: Opened, rows: list[list[bytes]], lines: list[int]) -> None:
        """The cells of some rows. Raises ParseError where one is no number and should be."""
        kind, names = self._column.kind, self._names
        cells = [row[self._column.place] for row in rows]
        if kind in ("key", "brief", "names"):
            codes = np.array([names.setdefault(cell, len(names)) for cell in cells], dtype=np.int64)
            self._parts.append(
                codes if kind == "key" else codes.astype(np.int32)[: len(cells) if kind != "names" else 0]
            )
        elif kind == "text":
            self._parts.append(strings([cell.decode("utf-8", "replace") for cell in cells]))
        elif kind == "number":
            self._parts.append(_numbers(opened, self._column, cells, lines))
        elif kind != "filled" and self._whole:
            try:
                self._parts.append(np.array([int(cell) for cell in cells], dtype=np.int64))
            except (ValueError, OverflowError):
                self._whole = False

    def put(self, into: Columns) -> None:
        """The column of all rows in its place."""
        kind, name = self._column.kind, self._column.name
        if kind == "filled" or not self._whole:
            return
        if kind == "text":
            into.texts[name] = strings(pa.chunked_array(self._parts))
            return
        values = np.concatenate(self._parts)
        if kind in ("key", "brief", "names"):
            decoded = tuple(cell.decode("utf-8", "replace") for cell in self._names)
            if kind == "key":
                into.keys[name] = decoded, values
            else:
                into.brief[name] = decoded, values
        else:
            (into.numbers if kind == "number" else into.wholes)[name] = values


def _numbers(opened: Opened, column: Column, cells: list[bytes], lines: list[int]) -> Floats:
    result = np.empty(len(cells))
    for place, cell in enumerate(cells):
        try:
            if b"_" in cell or not cell.isascii():  # Python's float takes 1_000 and other scripts' digits
                raise ValueError
            result[place] = float(cell)
        except ValueError:
            raise _not_a_number(opened, column, lines[place]) from None
    return result


def _not_a_number(opened: Opened, column: Column, line: int) -> ParseError:
    raw = opened.line(line)
    match = list(re.finditer(rb"\S+", raw))[column.place]
    cell = match[0].decode("utf-8", "replace")
    hint = "write decimals with a point" if re.fullmatch(r"[-+]?\d+,\d+", cell) else ""
    return ParseError(
        opened.path,
        f'{column.name} "{cell}" is not a number',
        line=line,
        column=match.start() + 1,
        text=raw.decode("utf-8", "replace").strip(),
        hint=hint,
    )

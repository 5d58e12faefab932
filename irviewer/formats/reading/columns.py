"""Columns of text separated by white space: Arrow reads regular files, a line reader the others.

Both return the same columns; the line reader knows the line of every fault. Normalising white space for Arrow makes
irregular files three times as fast (7 million lines: 5 s of CPU against 18 s line by line)."""

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
from irviewer.translation import tr, trn

# Normalised text: one space between columns, none at the ends of lines, no comments. A part at a time, so that a large
# file is never in memory as a whole.

_SPACES = bytes.maketrans(b"\t\r\f\v", b"    ")


def normalised(data: bytes) -> bytes:
    """Return whole lines, normalised; blank lines may remain as empty lines."""
    if b"#" in data:
        data = re.sub(rb"^#[^\n]*\n?", b"", data, flags=re.MULTILINE)
    data = data.translate(_SPACES)
    while b"  " in data:  # halves the runs of spaces: much faster than a pattern
        data = data.replace(b"  ", b" ")
    return data.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def comments_of(data: bytes) -> list[str]:
    """Return the ``#`` lines without the ``#``."""
    matches = re.finditer(rb"^#(.*)$", data, re.MULTILINE) if b"#" in data else ()
    return [match[1].decode("utf-8", "replace").rstrip("\r") for match in matches]


class Normalised:
    """A stream of the normalised lines of another stream, which collects their ``comments``."""

    def __init__(self, stream: Any, sizes: Sizes = SIZES) -> None:
        self._sizes = sizes
        self.comments: list[str] = []
        self._stream = stream
        self._rest = b""
        self._ready = memoryview(b"")
        self._ended = False

    def readinto(self, into: memoryview) -> int:
        """Read some bytes into the buffer and return their number, 0 at the end."""
        while not self._ready and not self._ended:
            block = self._stream.read(self._sizes.lines)
            self._ended = not block
            if len(self._rest) > self._sizes.line:
                raise ValueError("a line of megabytes")  # joining it with each part would take very long
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
    """Read the wanted columns of a file whose lines have ``width`` columns or more; ``shape`` describes them in errors.

    ``#`` in column one begins a comment; blank lines are skipped. Raises ParseError with line, column and text."""
    if opened.blank:
        raise ParseError(opened.path, tr("the file is empty"))
    body, comments = _after_header(opened.head)
    result = None
    if body or opened.whole:
        skip = len(opened.head) - len(body)
        result = _read_stream(opened, opened.stream, skip, body, wanted, width)
    if result is not None:
        opened.note_encoding("ascii" if result[1].ascii else "utf-8")
        return replace(result[0], comments=comments)
    for _ in range(1 if opened.in_memory else 2):
        sources: list[Normalised] = []

        def stream(sources: list[Normalised] = sources) -> Normalised:
            sources.append(Normalised(opened.stream(), opened.sizes))
            return sources[-1]

        begin = normalised(opened.head) if opened.head.strip() else b""
        result = _read_stream(opened, stream, 0, begin, wanted, width)
        if result is not None:
            comments = tuple(sources[-1].comments)
            if all(map(str.isascii, comments)):  # otherwise their encoding was not checked
                opened.note_encoding("ascii" if result[1].ascii else "utf-8")
            return replace(result[0], comments=comments)
        if not opened.in_memory:
            _refuse_beginning(opened, wanted, width, shape)
        assert opened.data is not None  # reads and decodes the whole file
    return _read_lines(opened, wanted, width, shape)


def _read_stream(
    opened: Opened, stream: Callable[[], Any], skip: int, begin: bytes, wanted: Sequence[Column], width: int
) -> tuple[Columns, Watched] | None:
    """Return the columns read by Arrow from a stream that after ``skip`` bytes begins with ``begin``; None for an
    irregular file."""
    delimiter = _delimiter(begin, width, opened.sizes.first)
    kinds: tuple[str | None, ...] = (*WHOLE, None) if any(column.kind == "whole" for column in wanted) else (None,)
    for kind in kinds if delimiter else ():
        columns = [replace(column, kind=kind) if column.kind == "whole" and kind else column for column in wanted]
        data = opened.data if opened.in_memory and not skip and stream == opened.stream else None
        source = Watched(stream(), skip, delimiter, sizes=opened.sizes, data=data)
        with closing(source), suppress(NotWholeError):
            kept = [column for column in columns if kind or column.kind != "whole"]
            regular = read_regular(source, kept, width, delimiter, opened.likely_size)
            return None if regular is None else (regular, source)
    return None


def line_numbers(opened: Opened, rows: Sequence[int]) -> list[int]:
    """Return the line numbers, from 1, of data rows (from 0): the lines that are neither blank nor comments. The file
    is read again: raises ParseError where it became shorter since its rows were read."""
    wanted = set(rows)
    lines: dict[int, int] = {}
    row = -1
    for line_number, line in (numbered for block in _blocks(opened) for numbered in block):
        if line.startswith(b"#") or not line.strip():
            continue
        row += 1
        if row in wanted:
            lines[row] = line_number
            if len(lines) == len(wanted):
                break
    if len(lines) < len(wanted):
        opened.refuse_changed()
    return [lines[row] for row in rows if row in lines]


def _after_header(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the text after leading comment lines, and these comments."""
    comments, start = [], 0
    while data.startswith(b"#", start):
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        comments.append(data[start + 1 : stop].decode("utf-8", "replace").rstrip("\r"))
        start = stop + 1
    return (data[start:] if start else data), tuple(comments)


def _delimiter(text: bytes, width: int, most: int) -> str:
    """Return the delimiter that splits the first line into exactly ``width`` columns, or ""."""
    line = text.lstrip(b"\r\n")[:most].split(b"\n", 1)[0].rstrip(b"\r")
    return next((sign for sign in (" ", "\t") if len(line.split(sign.encode())) == width), "")


def _refuse_beginning(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> None:
    """Raise ParseError for a fault in the beginning of a large file, before the rest is read."""
    begin, most = b"", opened.sizes.begin
    with suppress(*BROKEN), closing(opened.stream()) as stream:
        while len(begin) < most and (block := stream.read(most)):
            begin += block
    if len(begin) < most:  # the stream ended or failed, which the line reader reports
        return
    lines, mark, rest = begin.rpartition(b"\n")
    if not mark:
        text = rest[:100].decode("utf-8", "replace")
        raise ParseError(
            opened.path,
            tr("a line of {count:,} bytes or more; {shape}", count=len(rest), shape=shape),
            line=opened.first_line,
            text=text,
        )
    if any(line.strip() and not line.startswith(b"#") for line in lines.split(b"\n")):
        _read_lines(opened.with_data(lines), wanted, width, shape)


def _read_lines(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """Read the columns line by line, in blocks to limit memory. Raises ParseError with the line of a fault."""
    cells = [_Cells(column) for column in wanted]
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
                    trn("{n} column; {shape}", "{n} columns; {shape}", len(parts), shape=shape),
                    line=number,
                    column=len(line.rstrip()) + 1,
                    text=line.decode("utf-8", "replace").strip(),
                )
            extra += len(parts) > width
            rows.append(parts)
            lines.append(number)
        n += len(rows)
        numbers.append(np.array(lines, dtype=np.int64))
        for column in cells:
            column.add(opened, rows, lines)
    if not n:
        raise ParseError(opened.path, tr("the file has only comments"))
    columns = Columns(n, {}, {}, {}, {}, {}, tuple(comments), extra, np.concatenate(numbers))
    for column in cells:
        column.put(columns)
    return columns


def _blocks(opened: Opened) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Yield the lines with their numbers in blocks of some thousands."""
    data, size = opened.data, opened.sizes.careful
    number, start = opened.first_line, 0
    while start <= len(data):
        stop = data.rfind(b"\n", start, start + size)
        stop = data.find(b"\n", start + size) if stop < 0 else stop  # a line longer than a block, or the last
        stop = len(data) if stop < 0 or start + size >= len(data) else stop
        lines = data[start:stop].split(b"\n")
        yield enumerate(lines, start=number)
        number, start = number + len(lines), stop + 1


class _Cells:
    """The values of a column, converted some rows at a time."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._names: dict[bytes, int] = {}
        self._parts: list[Any] = []
        self._whole = True

    def add(self, opened: Opened, rows: list[list[bytes]], lines: list[int]) -> None:
        """Add the cells of some rows. Raises ParseError for a cell that should be a number."""
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
        elif self._whole:
            try:
                self._parts.append(np.array([int(cell) for cell in cells], dtype=np.int64))
            except (ValueError, OverflowError):
                self._whole = False

    def put(self, into: Columns) -> None:
        """Put the column of all rows into the result."""
        kind, name = self._column.kind, self._column.name
        if not self._whole:
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
    for row, cell in enumerate(cells):
        try:
            if b"_" in cell or not cell.isascii():  # Python's float accepts 1_000 and other scripts' digits
                raise ValueError
            result[row] = float(cell)
        except ValueError:
            raise _not_a_number(opened, column, lines[row]) from None
    return result


def _not_a_number(opened: Opened, column: Column, line: int) -> ParseError:
    raw = opened.line(line)
    match = list(re.finditer(rb"\S+", raw))[column.place]
    cell = match[0].decode("utf-8", "replace")
    hint = tr("write decimals with a point") if re.fullmatch(r"[-+]?\d+,\d+", cell) else ""
    if not hint and cell.isalpha() and line_numbers(opened, [0]) == [line]:
        hint = tr("if this line is a header, remove it, or separate all columns by tabs or commas")
    return ParseError(
        opened.path,
        tr('{column} "{cell}" is not a number', column=column.name, cell=cell),
        line=line,
        column=match.start() + 1,
        text=raw.decode("utf-8", "replace").strip(),
        hint=hint,
    )

"""Columns of white-space separated text: Arrow where the file is regular, a careful line reader where it is not.

Both give the same columns; the careful one knows the line of every fault. Knows columns, not what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from irviewer.errors import ParseError
from irviewer.formats.normal import Normalised, normalised
from irviewer.formats.opener import Opened
from irviewer.formats.regular import WHOLE, Column, Columns, NotWholeError, Watched, read_regular
from irviewer.model.arrays import Codes, Floats, Ints, Ranks, Strings, strings

__all__ = ["Column", "Columns", "line_numbers", "read_columns"]


def read_columns(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """The wanted columns of a file whose lines have ``width`` columns or more; ``shape`` names them in errors.

    ``#`` in column one begins a comment; blank lines are passed over. Raises ParseError with line, column and text."""
    if not opened.head.strip() and not opened.data.strip():
        raise ParseError(opened.path, "the file is empty")
    body, comments = _after_header(opened.head)
    found = None
    if body or opened.whole:
        skip = len(opened.head) - len(body)
        found = _read_stream(opened.stream, skip, body, wanted, width, opened.likely_size)
    if found is not None:
        opened.note_encoding("ascii" if found[1].ascii else "utf-8")
        return replace(found[0], comments=comments)
    for _ in range(1 if opened.at_hand else 2):
        sources: list[Normalised] = []

        def stream(sources: list[Normalised] = sources) -> Normalised:
            sources.append(Normalised(opened.stream()))
            return sources[-1]

        begin = normalised(opened.head) if opened.head.strip() else b""
        found = _read_stream(stream, 0, begin, wanted, width, opened.likely_size)
        if found is not None:
            comments = tuple(sources[-1].comments)
            if all(map(str.isascii, comments)):  # else nobody has looked at their bytes
                opened.note_encoding("ascii" if found[1].ascii else "utf-8")
            return replace(found[0], comments=comments)
        assert opened.data is not None  # read as a whole now: the bytes may have had to be decoded
    return _read_lines(opened, wanted, width, shape)


def _read_stream(
    stream: Callable[[], Any], skip: int, begin: bytes, wanted: Sequence[Column], width: int, size: int
) -> tuple[Columns, Watched] | None:
    """The columns by Arrow, of a stream that after ``skip`` bytes begins with ``begin``; or None where anything is
    irregular."""
    delimiter = _delimiter(begin, width)
    kinds: tuple[str | None, ...] = (*WHOLE, None) if any(one.kind == "whole" for one in wanted) else (None,)
    for kind in kinds if delimiter else ():
        columns = [replace(one, kind=kind) if one.kind == "whole" and kind else one for one in wanted]
        with closing(Watched(stream(), skip, delimiter)) as source, suppress(NotWholeError):
            found = read_regular(
                source, [one for one in columns if kind or one.kind != "whole"], width, delimiter, size
            )
            return None if found is None else (found, source)
    return None


def line_numbers(opened: Opened, rows: Sequence[int]) -> list[int]:
    """The line numbers, from 1, of data rows (from 0), which are the lines neither blank nor comments."""
    wanted = set(rows)
    found: dict[int, int] = {}
    row = -1
    for number, line in enumerate(opened.data.split(b"\n"), start=1):
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


def _delimiter(text: bytes, width: int) -> str:
    """The one delimiter of the first line that parts it into exactly ``width`` columns, or ""."""
    line = text.lstrip(b"\r\n")[:4096].split(b"\n", 1)[0].rstrip(b"\r")
    return next((sign for sign in (" ", "\t") if len(line.split(sign.encode())) == width), "")


def _read_lines(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """The columns line by line, with the line of every fault."""
    comments: list[str] = []
    rows: list[list[bytes]] = []
    numbers: list[int] = []
    extra = 0
    for number, line in enumerate(opened.data.split(b"\n"), start=1):
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
        numbers.append(number)
    if not rows:
        raise ParseError(opened.path, "the file holds comments only")
    keys: dict[str, tuple[tuple[str, ...], Ints]] = {}
    brief: dict[str, tuple[tuple[str, ...], Ranks]] = {}
    texts: dict[str, Strings] = {}
    floats: dict[str, Floats] = {}
    wholes: dict[str, Codes] = {}
    for one in wanted:
        cells = [row[one.place] for row in rows]
        if one.kind in ("key", "brief", "names"):
            codes: dict[bytes, int] = {}
            coded = np.array([codes.setdefault(cell, len(codes)) for cell in cells], dtype=np.int64)
            decoded = tuple(cell.decode("utf-8", "replace") for cell in codes)
            if one.kind == "key":
                keys[one.name] = decoded, coded
            else:
                brief[one.name] = decoded, coded.astype(np.int32) if one.kind == "brief" else np.empty(0, np.int32)
        elif one.kind == "text":
            texts[one.name] = strings([cell.decode("utf-8", "replace") for cell in cells])
        elif one.kind == "number":
            floats[one.name] = _numbers(opened, one, cells, numbers)
        elif one.kind != "filled":
            try:
                wholes[one.name] = np.array([int(cell) for cell in cells], dtype=np.int64)
            except (ValueError, OverflowError):
                continue
    return Columns(
        len(rows), keys, brief, texts, floats, wholes, tuple(comments), extra, np.array(numbers, dtype=np.int64)
    )


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
    raw = opened.data.split(b"\n")[line - 1]
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

"""Columns of white-space separated text: Arrow where the file is regular, a careful line reader where it is not.

Both give the same columns; the careful one knows the line of every fault. Knows columns, not what they mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from irviewer.errors import ParseError
from irviewer.formats.opener import Opened
from irviewer.model.arrays import Floats, Ints, Strings, strings

BLOCK = 8 << 20


@dataclass(frozen=True)
class Column:
    """One wanted column: "key" (few distinct ids: codes and their names), "text", "number", or "whole" (an integer that
    nobody depends on: dropped where it does not parse)."""

    name: str
    place: int
    kind: str


@dataclass(frozen=True, eq=False)
class Columns:
    """What was read. ``keys`` name -> (names in order of appearance, int64 codes); ``texts``, ``numbers``, ``wholes``
    by name (a "whole" that did not parse is absent). ``comments`` are the ``#`` lines without their sign; ``row_lines``
    the line number of each row where the careful reader ran, else None; ``extra`` rows had more columns."""

    n: int
    keys: dict[str, tuple[tuple[str, ...], Ints]]
    texts: dict[str, Strings]
    numbers: dict[str, Floats]
    wholes: dict[str, Ints]
    comments: tuple[str, ...]
    extra: int
    row_lines: Ints | None = None


def read_columns(opened: Opened, wanted: Sequence[Column], width: int, shape: str) -> Columns:
    """The wanted columns of a file whose lines have ``width`` columns or more; ``shape`` names them in errors.

    ``#`` in column one begins a comment; blank lines are passed over. Raises ParseError with line, column and text."""
    data = opened.data
    if not data[:4096].strip() and not data.strip():
        raise ParseError(opened.path, "the file is empty")
    body, comments = _after_header(data)
    for text in (body, None):
        if text is None:
            text = _normalised(data)
            comments = _all_comments(data)
        delimiter = _delimiter(text, width)
        if delimiter:
            found = _read_regular(text, wanted, width, delimiter, comments)
            if found is not None:
                return found
    return _read_lines(opened, wanted, width, shape)


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


def _all_comments(data: bytes) -> tuple[str, ...]:
    return tuple(
        match[1].decode("utf-8", "replace").rstrip("\r") for match in re.finditer(rb"^#(.*)$", data, re.MULTILINE)
    )


def _normalised(data: bytes) -> bytes:
    """One space between columns, none at the ends, no comments and no blank lines: what Arrow reads."""
    if b"#" in data:
        data = re.sub(rb"^#[^\n]*\n?", b"", data, flags=re.MULTILINE)
    data = re.sub(rb"[ \t\r\f\v]+", b" ", data)
    return re.sub(rb"^ | $", b"", data, flags=re.MULTILINE)


def _delimiter(text: bytes, width: int) -> str:
    """The one delimiter of the first line that parts it into exactly ``width`` columns, or ""."""
    line = text.lstrip(b"\r\n")[:4096].split(b"\n", 1)[0].rstrip(b"\r")
    sign = next((sign for sign in (" ", "\t") if len(line.split(sign.encode())) == width), "")
    # Arrow parts lines at this sign only, and takes a lone carriage return for the end of a line: any other white space
    # would become part of an id.
    others = (one for one in (b" ", b"\t", b"\f", b"\v") if one != sign.encode())
    if not sign or any(one in text for one in others) or (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")):
        return ""
    return sign


def _read_regular(
    text: bytes, wanted: Sequence[Column], width: int, delimiter: str, comments: tuple[str, ...]
) -> Columns | None:
    """The columns by Arrow, or None where anything at all is irregular."""
    whole = [one for one in wanted if one.kind == "whole"]
    for columns in (list(wanted), [one for one in wanted if one.kind != "whole"]):
        try:
            table = _arrow(text, columns, width, delimiter)
        except pa.ArrowInvalid as error:
            if whole and any(f"column #{one.place}:" in str(error) for one in whole) and len(columns) == len(wanted):
                continue
            return None
        return _from_table(table, columns, comments)
    return None


def _arrow(text: bytes, columns: Sequence[Column], width: int, delimiter: str) -> Any:
    types = {
        "key": pa.dictionary(pa.int32(), pa.string()), "text": pa.string(), "number": pa.float64(), "whole": pa.int64(),
    }  # fmt: skip
    names = [f"c{place}" for place in range(width)]
    return csv.read_csv(
        pa.BufferReader(text),
        read_options=csv.ReadOptions(column_names=names, block_size=BLOCK),
        parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False),
        convert_options=csv.ConvertOptions(
            column_types={f"c{one.place}": types[one.kind] for one in columns},
            include_columns=[f"c{one.place}" for one in columns],
            null_values=[],
        ),
    )


def _from_table(table: Any, columns: Sequence[Column], comments: tuple[str, ...]) -> Columns | None:
    keys: dict[str, tuple[tuple[str, ...], Ints]] = {}
    texts: dict[str, Strings] = {}
    numbers: dict[str, Floats] = {}
    wholes: dict[str, Ints] = {}
    for one in columns:
        column = table[f"c{one.place}"]
        if column.null_count:
            return None
        if one.kind == "key":
            names, codes = _unified(column)
            # An empty name is a doubled delimiter; a "#" was a comment that happened to have as many words.
            if any(not name or name.startswith("#") for name in names) and (one.place == 0 or "" in names):
                return None
            keys[one.name] = (names, codes)
        elif one.kind == "text":
            text = strings(column)
            if len(text) and pc.min(pc.binary_length(text)).as_py() == 0:
                return None
            texts[one.name] = text
        elif one.kind == "number":
            numbers[one.name] = column.to_numpy()
        else:
            wholes[one.name] = column.to_numpy()
    return Columns(table.num_rows, keys, texts, numbers, wholes, comments, 0)


def _unified(column: Any) -> tuple[tuple[str, ...], Ints]:
    """Names in order of appearance and int64 codes of a chunked dictionary column."""
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return (), np.empty(0, dtype=np.int64)
    names = tuple(column.chunk(0).dictionary.to_pylist())
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks]).astype(np.int64)
    return names, codes


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
    texts: dict[str, Strings] = {}
    floats: dict[str, Floats] = {}
    wholes: dict[str, Ints] = {}
    for one in wanted:
        cells = [row[one.place] for row in rows]
        if one.kind == "key":
            codes: dict[bytes, int] = {}
            coded = np.array([codes.setdefault(cell, len(codes)) for cell in cells], dtype=np.int64)
            keys[one.name] = (tuple(cell.decode("utf-8", "replace") for cell in codes), coded)
        elif one.kind == "text":
            texts[one.name] = strings([cell.decode("utf-8", "replace") for cell in cells])
        elif one.kind == "number":
            floats[one.name] = _numbers(opened, one, cells, numbers)
        else:
            try:
                wholes[one.name] = np.array([int(cell) for cell in cells], dtype=np.int64)
            except (ValueError, OverflowError):
                continue
    return Columns(len(rows), keys, texts, floats, wholes, tuple(comments), extra, np.array(numbers, dtype=np.int64))


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
